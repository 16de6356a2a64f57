#include "channels/discord/api.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "format/json.h"
#include "net/http_call.h"
#include "time/timestamp.h"

#define CALL_MS       30000
#define FORM_MS       ((uint64_t)10 * 60 * 1000)
#define DEFAULT_RETRY 5000
#define MAX_RETRY     86400000.0

/* Discord wants to know what calls it, and refuses what does not say so. */
#define USER_AGENT "User-Agent: DiscordBot (nanoclaw, 1.0)"

#define EPOCH_MS INT64_C(1420070400000)
#define MAX_ID   20

struct discord_call {
	struct discord_call *next;
	struct discord_api *api;
	struct http_call *http; /* NULL: it is held back */
	uv_timer_t timer;       /* only of one that is, or was, held back */
	bool has_timer;
	char *method;
	char *path;
	char *route;
	json_t *json;
	struct http_multipart *form;
	discord_call_function function;
	void *data;
};

const char *discord_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

/* --- ids --------------------------------------------------------------------- */

bool discord_is_id(const char *text)
{
	size_t len = strlen(text);

	return len && len <= MAX_ID && strspn(text, "0123456789") == len && *text != '0';
}

int discord_id_compare(const char *a, const char *b)
{
	size_t x = strlen(a), y = strlen(b);

	return x != y ? (x < y ? -1 : 1) : strcmp(a, b);
}

int64_t discord_id_time(const char *id)
{
	return (int64_t)(strtoull(id, NULL, 10) >> 22) + EPOCH_MS;
}

char *discord_id_at(int64_t ms)
{
	uint64_t since = ms > EPOCH_MS ? (uint64_t)(ms - EPOCH_MS) : 0;

	return xasprintf("%" PRIu64, since << 22);
}

/* --- the address ------------------------------------------------------------- */

/* Three words with dots between them; anything else has no place in a header. */
static bool is_token(const char *token)
{
	size_t dots = 0;

	for (const char *c = token; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("-_.=", *c))
			return false;
		dots += *c == '.';
	}
	return dots == 2;
}

static void forget_text(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

int discord_api_init(struct discord_api *api, struct network *network, const char *url,
	const char *token, struct error *err)
{
	size_t len;

	if (!is_token(token))
		return error_set(err, ERROR_INVALID,
			"DISCORD_BOT_TOKEN is not a token like 'MTE….…', which the page 'Bot' at "
			"https://discord.com/developers/applications gives");
	if (!url)
		url = DISCORD_API_URL;
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return error_set(
			err, ERROR_INVALID, "DISCORD_API_URL must begin with 'https://'");
	for (len = strlen(url); url[len - 1] == '/';)
		len--;
	api->network = network;
	api->url = xmemdupz(url, len);
	api->token = xstrdup(token);
	api->credentials = xasprintf("Authorization: Bot %s", token);
	return 0;
}

void discord_api_release(struct discord_api *api)
{
	while (api->calls)
		discord_call_cancel(api->calls);
	discord_limits_release(&api->limits);
	free(api->url);
	forget_text(api->token);
	forget_text(api->credentials);
	*api = (struct discord_api){0};
}

/* --- calls that are over ----------------------------------------------------- */

static void call_free(struct discord_call *call)
{
	json_decref(call->json);
	http_multipart_free(call->form);
	free(call->method);
	free(call->path);
	free(call->route);
	free(call);
}

static void call_timer_closed(uv_handle_t *handle)
{
	call_free(handle->data);
}

static void call_remove(struct discord_call *call)
{
	struct discord_call **at = &call->api->calls;

	while (*at != call)
		at = &(*at)->next;
	*at = call->next;
	if (call->has_timer)
		uv_close((uv_handle_t *)&call->timer, call_timer_closed);
	else
		call_free(call);
}

void discord_call_cancel(struct discord_call *call)
{
	if (call->http)
		http_call_cancel(call->http);
	call_remove(call);
}

static void call_end(struct discord_call *call, const struct discord_reply *reply)
{
	if (call->function)
		call->function(call->data, reply);
	call_remove(call);
}

/* How long it asks us to wait; the API is told, too. */
static int64_t call_limited(
	struct discord_call *call, const struct http_answer *answer, const json_t *document)
{
	double seconds = json_number_value(json_object_get(document, "retry_after"));
	struct view header = http_answer_header(answer, "retry-after");
	bool all = json_is_true(json_object_get(document, "global")) ||
		   http_answer_header(answer, "x-ratelimit-global").data;
	int64_t wait = DEFAULT_RETRY;

	if (seconds <= 0 && header.data) {
		CLEANUP(freep) char *text = xmemdupz(header.data, header.len);

		seconds = strtod(text, NULL);
	}
	if (seconds > 0)
		wait = (int64_t)(seconds * 1000 < MAX_RETRY ? seconds * 1000 : MAX_RETRY) + 1;
	discord_limits_block(&call->api->limits, call->route, all, timestamp_steady() + wait);
	return wait;
}

static enum discord_outcome outcome_of(int status, const json_t *document)
{
	if (status >= 200 && status < 300)
		return DISCORD_DONE;
	if (status == 429)
		return DISCORD_LATER;
	if (status == 401)
		return DISCORD_NO_TOKEN;
	/* A proxy, or a network that wants a password first, says anything. */
	if (!json_is_object(document))
		return DISCORD_UNANSWERED;
	return status >= 500 ? DISCORD_BUSY : DISCORD_REFUSED;
}

static void take_http_reply(void *data, const struct http_reply *http, const char *why)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	struct discord_call *call = data;
	struct discord_reply reply = {.outcome = DISCORD_UNANSWERED, .error = why};
	char status[32];

	call->http = NULL;
	if (!http) {
		call_end(call, &reply);
		return;
	}
	snprintf(status, sizeof(status), "HTTP status %d", http->status);
	if (!http->body.len || http_reply_json(http, &document, &ignored) < 0)
		document = NULL;
	discord_limits_learn(&call->api->limits, call->route, http->answer, timestamp_steady());
	reply.document = document;
	reply.outcome = outcome_of(http->status, document);
	reply.code = (int)json_number_value(json_object_get(document, "code"));
	if (reply.outcome != DISCORD_DONE) {
		reply.error = discord_text(document, "message");
		if (!reply.error || !*reply.error)
			reply.error = status;
	}
	if (reply.outcome == DISCORD_LATER)
		reply.retry_after_ms = call_limited(call, http->answer, document);
	call_end(call, &reply);
}

/* --- calls that begin -------------------------------------------------------- */

static int call_start(struct discord_call *call, struct error *err)
{
	CLEANUP(freep) char *url = xasprintf("%s/%s", call->api->url, call->path);
	const char *const headers[] = {call->api->credentials, USER_AGENT, NULL};
	bool wants_body = strcmp(call->method, "GET") != 0;
	struct http_call_request request = {
		.http = {.method = call->method,
			.url = url,
			.headers = headers,
			.total_ms = call->form ? FORM_MS : CALL_MS},
		.json = TAKE(call->json),
	};

	request.form = TAKE(call->form);
	if (wants_body && !request.json && !request.form)
		request.body = (struct view){"", 0};
	return http_call(call->api->network, &request, take_http_reply, call, &call->http, err);
}

/* The first one that is free to go. */
static void call_is_due(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct discord_call *call = timer->data;
	int64_t wait = discord_limits_take(&call->api->limits, call->route, timestamp_steady());

	if (wait)
		uv_timer_start(timer, call_is_due, (uint64_t)wait, 0);
	else if (call_start(call, &err) < 0)
		call_end(call, &(struct discord_reply){
				       .outcome = DISCORD_UNANSWERED, .error = err.message});
}

static struct discord_call *call_new(
	struct discord_api *api, const struct discord_request *request)
{
	struct discord_call *call = xcalloc(1, sizeof(*call));

	call->api = api;
	call->method = xstrdup(request->method);
	call->path = xstrdup(request->path);
	call->route = discord_limits_route(request->method, request->path);
	call->json = request->json;
	call->form = request->form;
	call->next = api->calls;
	api->calls = call;
	return call;
}

int discord_call(struct discord_api *api, const struct discord_request *request,
	discord_call_function function, void *data, struct discord_call **ret_call,
	struct error *err)
{
	struct discord_call *call = call_new(api, request);
	int64_t wait = discord_limits_take(&api->limits, call->route, timestamp_steady());

	call->function = function;
	call->data = data;
	if (wait) {
		uv_timer_init(network_loop(api->network), &call->timer);
		call->timer.data = call;
		call->has_timer = true;
		uv_timer_start(&call->timer, call_is_due, (uint64_t)wait, 0);
	} else if (call_start(call, err) < 0) {
		call_remove(call);
		return -1;
	}
	if (ret_call)
		*ret_call = call;
	return 0;
}
