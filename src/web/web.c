#include "web/web.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/gzip.h"
#include "base/hash.h"
#include "format/json.h"
#include "fs/sys.h"
#include "net/http_server.h"
#include "proc/log.h"
#include "web/events.h"
#include "web/host_link.h"
#include "web/jobs.h"
#include "web/pages.h"
#include "web/routes.h"
#include "web/runs.h"
#include "web/session.h"

#define BODY_MAX      ((size_t)2 * 1024 * 1024)
#define PAGE_PIECE    ((size_t)16 * 1024)
#define LOOK_EVERY_MS 2000
#define TIMEOUT_MS    120000 /* of a command that is not a job */

/* Of every answer: no other page frames it, reads it or gives it scripts. */
#define SECURITY                                                                               \
	"content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; "   \
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "      \
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r\n" \
	"x-content-type-options: nosniff\r\n"                                                  \
	"x-frame-options: DENY\r\n"                                                            \
	"referrer-policy: no-referrer\r\n"                                                     \
	"cross-origin-resource-policy: same-origin\r\n"                                        \
	"cross-origin-opener-policy: same-origin\r\n"                                          \
	"cache-control: private, no-cache\r\n"

#define JSON_TYPE "content-type: application/json\r\n"

struct web {
	uv_loop_t loop;
	const struct web_options *options;
	struct http_server *tcp;
	struct http_server *local;
	struct session session;
	struct events *events;
	struct host_link *host;
	struct runs *runs;
	struct jobs *jobs;
	uv_signal_t stop[2];
	uv_timer_t looking; /* for its socket */
};

/* --- answers ----------------------------------------------------------------- */

static void answer_json(struct http_exchange *exchange, int status, json_t *json)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(json, false, &text);
	json_decref(json);
	http_exchange_answer(exchange, status, SECURITY JSON_TYPE, view_of_buf(&text));
}

static void answer_error(struct http_exchange *exchange, int status, const char *message)
{
	answer_json(exchange, status, json_build("error:s", message));
}

static void answer_failure(struct http_exchange *exchange, const struct error *err)
{
	answer_json(exchange,
		err->kind == ERROR_INVALID ? 400
		: err->kind == ERROR_BUSY  ? 503
					   : 500,
		json_build("error:s hint:S", err->message, err->hint));
}

/* With a tag of its content; nothing is sent if the client has it. */
static void answer_tagged(
	struct http_exchange *exchange, const char *headers, int exit, struct view body)
{
	struct hash hash = hash_of(body);
	char hex[HASH_HEX_SIZE];
	CLEANUP(freep) char *tag = NULL;
	CLEANUP(freep) char *all = NULL;
	struct view had = http_exchange_header(exchange, "if-none-match");

	hash_to_hex(&hash, hex);
	tag = xasprintf("\"%.32s-%d\"", hex, exit);
	all = xasprintf("%s%setag: %s\r\n", SECURITY, headers, tag);
	http_exchange_answer(exchange, view_equal_str(had, tag) ? 304 : 200, all, body);
}

/* --- pages ------------------------------------------------------------------- */

static const char *page_type(const char *path)
{
	static const char *const types[][2] = {
		{".css", "text/css; charset=utf-8"},
		{".html", "text/html; charset=utf-8"},
		{".js", "text/javascript; charset=utf-8"},
		{".svg", "image/svg+xml"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (view_ends_with(view_of(path), types[i][0]))
			return types[i][1];
	return "text/plain; charset=utf-8";
}

/* For a client that has not asked for gzip. */
static bool page_unpack(const struct page_file *page, struct buf *ret_plain)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(closep) int fd = memfd_create("page", MFD_CLOEXEC);
	CLEANUP(gzip_reader_freep) struct gzip_reader *reader = NULL;
	char piece[PAGE_PIECE];
	size_t len = sizeof(piece);

	if (fd < 0 || sys_write_all(fd, page->content, page->len) < 0 ||
		lseek(fd, 0, SEEK_SET) < 0)
		return false;
	reader = gzip_reader_new(fd);
	while (len == sizeof(piece)) {
		if (gzip_read_some(reader, piece, sizeof(piece), &len, &ignored) < 0)
			return false;
		buf_append(ret_plain, piece, len);
	}
	return true;
}

static void serve_page(struct http_exchange *exchange, struct view path)
{
	const struct http_head *head = http_exchange_head(exchange);

	if (!view_equal_str(head->method, "GET") && !view_equal_str(head->method, "HEAD")) {
		answer_error(exchange, 405, "pages can only be read");
		return;
	}
	if (view_equal_str(path, "/"))
		path = view_of("/assets/index.html");
	for (const struct page_file *page = page_files; page->path; page++) {
		CLEANUP(freep) char *headers = NULL;
		CLEANUP(buf_release) struct buf plain = BUF_INIT;
		bool packed;

		if (!view_starts_with(path, "/assets/") ||
			!view_equal_str(
				view_slice(path, strlen("/assets/"), path.len), page->path))
			continue;
		packed = http_value_has(
				 http_exchange_header(exchange, "accept-encoding"), "gzip") ||
			 !page_unpack(page, &plain);
		headers = xasprintf("content-type: %s\r\nvary: accept-encoding\r\n%s",
			page_type(page->path), packed ? "content-encoding: gzip\r\n" : "");
		answer_tagged(exchange, headers, 0,
			packed ? (struct view){(const char *)page->content, page->len}
			       : view_of_buf(&plain));
		return;
	}
	answer_error(exchange, 404, "page not found");
}

/* --- parameters -------------------------------------------------------------- */

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0'
	       : c >= 'a' && c <= 'f'    ? c - 'a' + 10
	       : c >= 'A' && c <= 'F'    ? c - 'A' + 10
					 : -1;
}

/* "a+b%20c", as forms are encoded. NULL if it is not, or not UTF-8. */
static json_t *query_text(struct view text)
{
	CLEANUP(buf_release) struct buf decoded = BUF_INIT;

	for (size_t i = 0; i < text.len; i++) {
		int high, low;

		if (text.data[i] != '%') {
			buf_append_char(&decoded, text.data[i] == '+' ? ' ' : text.data[i]);
			continue;
		}
		if (text.len - i < 3 || (high = hex_digit(text.data[i + 1])) < 0 ||
			(low = hex_digit(text.data[i + 2])) < 0)
			return NULL;
		buf_append_char(&decoded, (char)(high * 16 + low));
		i += 2;
	}
	return json_stringn(decoded.data, decoded.len);
}

static int read_query(struct view query, json_t **ret_values, struct error *err)
{
	CLEANUP(json_decrefp) json_t *values = json_object();
	struct view pair;

	while (view_next(&query, '&', &pair)) {
		struct view name = {NULL, 0}, rest = pair;
		CLEANUP(json_decrefp) json_t *key = NULL;
		json_t *value;

		if (!pair.len)
			continue;
		view_next(&rest, '=', &name);
		key = query_text(name);
		value = query_text(rest.len ? rest : view_of(""));
		if (!key || !value || json_object_get(values, json_string_value(key))) {
			json_decref(value);
			return error_set(err, ERROR_INVALID, "the query is not well-formed");
		}
		json_object_set_new(values, json_string_value(key), value);
	}
	*ret_values = TAKE(values);
	return 0;
}

static int read_body(struct http_exchange *exchange, json_t **ret_values, struct error *err)
{
	CLEANUP(json_decrefp) json_t *values = NULL;
	struct view type = http_exchange_header(exchange, "content-type");
	struct view body = http_exchange_body(exchange);

	if (!body.len) {
		*ret_values = json_object();
		return 0;
	}
	if (!view_starts_with(type, "application/json"))
		return error_set(err, ERROR_INVALID, "the body must be application/json");
	if (json_read(body, "body", BODY_MAX, &values, err) < 0)
		return -1;
	if (!json_is_object(values))
		return error_set(err, ERROR_INVALID, "the body must be an object");
	*ret_values = TAKE(values);
	return 0;
}

/* --- commands ---------------------------------------------------------------- */

struct asked {
	struct web *web;
	const struct route *route;
	struct http_exchange *exchange;
};

static void read_ended(const struct run_result *result, void *data)
{
	CLEANUP(freep) struct asked *asked = data;
	CLEANUP(freep) char *headers = NULL;

	if (result->exit < 0 || !result->output.len) {
		CLEANUP(freep)
		char *why = xmemdupz(result->messages.data, result->messages.len);

		answer_error(asked->exchange, result->exit < 0 ? 504 : 502, why);
		return;
	}
	headers = xasprintf(JSON_TYPE "x-exit: %d\r\n", result->exit);
	answer_tagged(asked->exchange, headers, result->exit, result->output);
}

static void action_ended(const struct run_result *result, void *data)
{
	CLEANUP(freep) struct asked *asked = data;

	answer_json(asked->exchange, 200,
		json_build("exit:i result:o", result->exit, run_result_json(result)));
	events_add(asked->web->events,
		json_build("type:s name:s exit:i", "done", asked->route->name, result->exit));
}

static int serve_command(struct web *web, struct http_exchange *exchange,
	const struct route *route, json_t *values, struct error *err)
{
	static const struct run_handlers read = {NULL, read_ended},
					 action = {NULL, action_ended};
	CLEANUP(string_array_release) struct string_array words = {0};
	CLEANUP(buf_release) struct buf input = BUF_INIT;
	struct asked *asked;
	int64_t job;

	if (route_call(route, values, &words, &input, err) < 0)
		return -1;
	if (route->kind == ROUTE_JOB) {
		if (job_start(web->jobs, &words, view_of_buf(&input), &job, err) < 0)
			return -1;
		answer_json(exchange, 202, json_build("job:I", job));
		return 0;
	}
	asked = xcalloc(1, sizeof(*asked));
	*asked = (struct asked){web, route, exchange};
	if (run_start(web->runs, &words, view_of_buf(&input), TIMEOUT_MS,
		    route->kind == ROUTE_READ ? &read : &action, asked, NULL, err) < 0) {
		free(asked);
		return -1;
	}
	return 0;
}

/* --- requests ---------------------------------------------------------------- */

/* A number in an object of parameters, as text or as a number; -1 without one. */
static int64_t query_number(json_t *values, const char *name)
{
	json_t *value = json_object_get(values, name);
	const char *text = json_string_value(value);
	long long number = -1;

	if (json_is_number(value) && json_number_value(value) >= 0 &&
		json_number_value(value) < 9e15)
		return (int64_t)json_number_value(value);
	if (text && (sscanf(text, "%15lld", &number) != 1 || number < 0))
		return -1;
	return number;
}

/* Requests that run no command. True: answered. */
static bool serve_own(struct web *web, struct http_exchange *exchange, struct view name,
	bool reads, json_t *values)
{
	if (reads && view_equal_str(name, "commands")) {
		answer_json(exchange, 200, routes_json());
	} else if (reads && view_equal_str(name, "events")) {
		CLEANUP(buf_release) struct buf texts = BUF_INIT;

		host_link_texts(web->host, &texts);
		events_stream(web->events, exchange, query_number(values, "after"),
			SECURITY "content-type: application/jsonl\r\n", view_of_buf(&texts));
	} else if (reads && view_equal_str(name, "job")) {
		json_t *result = jobs_result(web->jobs, query_number(values, "job"));

		if (result)
			answer_json(exchange, 200, result);
		else
			answer_error(exchange, 404, "job not found");
	} else if (!reads && view_equal_str(name, "job-stop")) {
		if (job_stop(web->jobs, query_number(values, "job")))
			answer_json(exchange, 200, json_build("exit:i", 0));
		else
			answer_error(exchange, 404, "the job does not exist or has ended");
	} else {
		return false;
	}
	return true;
}

static void serve_api(
	struct web *web, struct http_exchange *exchange, struct view name, struct view query)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *values = NULL;
	bool reads = view_equal_str(http_exchange_head(exchange)->method, "GET");
	const struct route *route = route_find(name);

	if ((reads ? read_query(query, &values, &err) : read_body(exchange, &values, &err)) <
		0) {
		answer_failure(exchange, &err);
		return;
	}
	if (serve_own(web, exchange, name, reads, values))
		return;
	if (!route)
		answer_error(exchange, 404, "unknown command");
	else if (reads != (route->kind == ROUTE_READ))
		answer_error(exchange, 405,
			reads ? "this changes something: POST it" : "this only reads: GET it");
	else if (serve_command(web, exchange, route, values, &err) < 0)
		answer_failure(exchange, &err);
}

static void serve_session(struct web *web, struct http_exchange *exchange)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *values = NULL;
	char token[SESSION_KEY_SIZE];
	const char *code;

	if (read_body(exchange, &values, &err) < 0) {
		answer_failure(exchange, &err);
		return;
	}
	code = json_string_value(json_object_get(values, "code"));
	if (session_enter(&web->session, view_of(code ? code : ""), uv_now(&web->loop), token,
		    &err) < 0) {
		answer_json(exchange, 403,
			json_build("error:s hint:s", err.message, err.hint ? err.hint : ""));
		return;
	}
	answer_json(exchange, 200, json_build("token:s", token));
}

static char *web_link(struct web *web, struct error *err)
{
	char code[SESSION_KEY_SIZE];

	uv_update_time(&web->loop);
	if (session_new_code(&web->session, uv_now(&web->loop), code, err) < 0)
		return NULL;
	if (web->tcp)
		return xasprintf(
			"http://127.0.0.1:%u/#code=%s", http_server_port(web->tcp), code);
	return xasprintf("http://localhost:%u/#code=%s",
		web->options->port ? web->options->port : 8080, code);
}

/* localhost, 127.0.0.1 or [::1], with or without a port, or a name that the owner lists. */
static bool is_host(const struct web *web, struct view host)
{
	static const char *const names[] = {"127.0.0.1", "[::1]", "localhost"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct view rest = host;
		bool digits = true;

		if (!view_starts_with(host, names[i]))
			continue;
		rest = view_slice(host, strlen(names[i]), host.len);
		for (size_t k = 1; k < rest.len; k++)
			digits = digits && isdigit((unsigned char)rest.data[k]);
		if (!rest.len ||
			(rest.data[0] == ':' && rest.len > 1 && rest.len < 7 && digits))
			return true;
	}
	for (size_t i = 0; i < web->options->hosts->count; i++)
		if (view_equal_str(host, web->options->hosts->list[i]))
			return true;
	return false;
}

/* No header may allow a request; each may refuse it. */
static const char *refusal_of(const struct web *web, struct http_exchange *exchange, bool api)
{
	struct view host = http_exchange_head(exchange)->host;
	struct view origin = http_exchange_header(exchange, "origin");
	struct view site = http_exchange_header(exchange, "sec-fetch-site");

	if (!is_host(web, host))
		return "this server does not have that name";
	if (origin.data) {
		struct view page = view_starts_with(origin, "http://")
					   ? view_slice(origin, strlen("http://"), origin.len)
				   : view_starts_with(origin, "https://")
					   ? view_slice(origin, strlen("https://"), origin.len)
					   : view_of("");

		if (!view_equal(page, host))
			return "requests from other pages are refused";
	}
	if (api && site.data && !view_equal_str(site, "same-origin") &&
		!view_equal_str(site, "none"))
		return "requests from other pages are refused";
	return NULL;
}

static bool is_signed_in(const struct web *web, struct http_exchange *exchange)
{
	struct view given = http_exchange_header(exchange, "authorization");

	return view_starts_with(given, "Bearer ") &&
	       session_has(&web->session, view_slice(given, strlen("Bearer "), given.len));
}

static void web_serve(struct web *web, struct http_exchange *exchange, bool local)
{
	const struct http_head *head = http_exchange_head(exchange);
	struct view query = head->target, path = {NULL, 0}, name;
	bool api, posts = view_equal_str(head->method, "POST");
	const char *refusal;

	view_next(&query, '?', &path);
	api = view_starts_with(path, "/api/");
	name = api ? view_slice(path, strlen("/api/"), path.len) : view_of("");
	refusal = refusal_of(web, exchange, api);
	if (refusal) {
		answer_error(exchange, 403, refusal);
	} else if (!api) {
		serve_page(exchange, path);
	} else if (posts && view_equal_str(name, "session")) {
		serve_session(web, exchange);
	} else if (posts && local && view_equal_str(name, "link")) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(freep) char *link = web_link(web, &err);

		if (link)
			answer_json(exchange, 200, json_build("link:s", link));
		else
			answer_failure(exchange, &err);
	} else if (!is_signed_in(web, exchange)) {
		answer_json(exchange, 401,
			json_build("error:s hint:s", "there is no session",
				"type 'nanoclaw web' for a link"));
	} else if (!posts && !view_equal_str(head->method, "GET")) {
		answer_error(exchange, 405, "only GET and POST are known here");
	} else {
		serve_api(web, exchange, name, query);
	}
}

static void serve_tcp(struct http_exchange *exchange, void *data)
{
	web_serve(data, exchange, false);
}

static void serve_local(struct http_exchange *exchange, void *data)
{
	web_serve(data, exchange, true);
}

/* --- beginning and end ------------------------------------------------------- */

static void web_close(struct web *web)
{
	for (size_t i = 0; i < ARRAY_SIZE(web->stop); i++)
		uv_close((uv_handle_t *)&web->stop[i], NULL);
	uv_close((uv_handle_t *)&web->looking, NULL);
	/* First, so that an answer of the others brings no further request. */
	http_server_close(web->tcp);
	http_server_close(web->local);
	runs_free(web->runs);
	jobs_free(web->jobs);
	host_link_free(web->host);
	events_free(web->events);
}

static void stop_signalled(uv_signal_t *handle, int number)
{
	(void)number;
	web_close(handle->data);
}

static void stream_opened(void *data)
{
	struct web *web = data;

	host_link_wake(web->host);
}

static int web_listen_local(struct web *web, struct error *err)
{
	return http_server_open(
		&(struct http_server_options){
			.loop = &web->loop,
			.max_body = BODY_MAX,
			.data = web,
			.name = WEB_SOCKET,
			.folder = web->options->run_folder,
			.request = serve_local,
		},
		&web->local, err);
}

/* Somebody may remove the socket, or its folder. */
static void web_look(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct web *web = timer->data;
	const struct web_options *options = web->options;
	struct stat st;

	if (fstatat(options->run_folder, WEB_SOCKET, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return;
	http_server_close(web->local);
	web->local = NULL;
	if ((fstat(options->run_folder, &st) == 0 && !st.st_nlink &&
		    options->again(options->data, &err) < 0) ||
		web_listen_local(web, &err) < 0)
		log_warning("%s", err.message);
	else
		log_note("the socket '" WEB_SOCKET "' was gone and is made again");
}

static int web_listen(struct web *web, struct error *err)
{
	struct http_server_options options = {
		.loop = &web->loop,
		.max_body = BODY_MAX,
		.data = web,
		.port = web->options->port,
		.request = serve_tcp,
	};

	if (web_listen_local(web, err) < 0)
		return -1;
	uv_timer_start(&web->looking, web_look, LOOK_EVERY_MS, LOOK_EVERY_MS);
	return web->options->socket_only ? 0 : http_server_open(&options, &web->tcp, err);
}

int web_run(const struct web_options *options, struct error *err)
{
	static const int signals[] = {SIGINT, SIGTERM};
	struct web web = {.options = options};
	CLEANUP(freep) char *link = NULL;
	int result = 0;

	if (uv_loop_init(&web.loop) < 0)
		return error_set(err, ERROR_FAILED, "cannot make an event loop");
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		uv_signal_init(&web.loop, &web.stop[i]);
		web.stop[i].data = &web;
		uv_signal_start(&web.stop[i], stop_signalled, signals[i]);
	}
	uv_timer_init(&web.loop, &web.looking);
	web.looking.data = &web;
	web.events = events_new(&web.loop, stream_opened, &web);
	web.host = host_link_new(&web.loop, options->run_folder, web.events);
	web.runs = runs_new(&web.loop, options->root);
	web.jobs = jobs_new(web.runs, web.events);
	if (web_listen(&web, err) < 0 || !(link = web_link(&web, err))) {
		web_close(&web);
		result = -1;
	} else {
		options->ready(link, options->data);
	}
	uv_run(&web.loop, UV_RUN_DEFAULT);
	uv_loop_close(&web.loop);
	return result;
}
