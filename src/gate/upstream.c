#include "gate/upstream.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "net/libcurl.h"

#define CONNECT_MS   30000
#define SILENCE_MS   600000
#define BUFFER_SIZE  65536L
#define MAX_ANSWER   ((size_t)64 * 1024) /* of the head */
#define IDLE_SECONDS 60L                 /* that a connection is kept without a request */
#define IDLE_AT_MOST 16L

struct upstream {
	struct upstream_options options;
	char *ca_file;
	const struct libcurl *curl;
	CURLM *multi;
	uv_timer_t timer;
	struct transfer *transfers;
	unsigned inside; /* libcurl: it must not be called back from there */
};

/* A socket of libcurl's on the loop. */
struct watch {
	uv_poll_t poll;
	struct upstream *upstream;
	curl_socket_t socket;
};

struct transfer {
	struct transfer *next;
	struct transfer *previous;
	struct upstream *upstream;
	CURL *easy;
	struct curl_slist *headers;
	const struct upstream_handlers *handlers;
	void *data;
	struct buf head; /* of the answer, lines as they come */
	bool answered;   /* the handler has been told */
	bool gives_later;
	bool takes_later;
	bool cancelled;
	bool odd; /* the answer is none that can be passed on */
	uv_timer_t silence;
	char why[CURL_ERROR_SIZE];
};

/* --- the end of a transfer --------------------------------------------------- */

static void silence_closed(uv_handle_t *handle)
{
	struct transfer *transfer = handle->data;

	free(transfer);
}

/* The key is among them. */
static void wipe_headers(struct transfer *transfer)
{
	for (struct curl_slist *line = transfer->headers; line; line = line->next)
		explicit_bzero(line->data, strlen(line->data));
	transfer->upstream->curl->slist_free_all(transfer->headers);
	transfer->headers = NULL;
}

static void remove_transfer(struct transfer *transfer)
{
	struct upstream *upstream = transfer->upstream;

	if (transfer->previous)
		transfer->previous->next = transfer->next;
	else
		upstream->transfers = transfer->next;
	if (transfer->next)
		transfer->next->previous = transfer->previous;
	upstream->inside++;
	upstream->curl->multi_remove_handle(upstream->multi, transfer->easy);
	upstream->curl->easy_cleanup(transfer->easy);
	upstream->inside--;
	wipe_headers(transfer);
	buf_release(&transfer->head);
	uv_close((uv_handle_t *)&transfer->silence, silence_closed);
}

void upstream_cancel(struct transfer *transfer)
{
	transfer->cancelled = true;
	if (!transfer->upstream->inside)
		remove_transfer(transfer);
}

/* --- silence ----------------------------------------------------------------- */

static void transfer_finish(struct transfer *transfer, const char *why)
{
	const struct upstream_handlers *handlers = transfer->handlers;
	void *data = transfer->data;
	CLEANUP(freep) char *reason = why ? xstrdup(why) : NULL;

	remove_transfer(transfer);
	handlers->done(data, reason);
}

static void too_silent(uv_timer_t *timer)
{
	struct transfer *transfer = timer->data;
	CLEANUP(freep)
	char *why = xasprintf("it said nothing for %llu seconds",
		(unsigned long long)transfer->upstream->options.silence_ms / 1000);

	transfer_finish(transfer, why);
}

/* Something came or went. While the agent is waited for, the server cannot be blamed. */
static void heard(struct transfer *transfer)
{
	if (transfer->takes_later)
		uv_timer_stop(&transfer->silence);
	else
		uv_timer_start(&transfer->silence, too_silent,
			transfer->upstream->options.silence_ms, 0);
}

/* --- the answer -------------------------------------------------------------- */

static bool is_last_line(struct view line)
{
	return view_equal_str(line, "\r\n") || view_equal_str(line, "\n");
}

/* "HTTP/1.1 200 OK" */
static int status_of(struct view line)
{
	const char *space = memchr(line.data, ' ', line.len);

	return space && line.data + line.len - space > 3 ? (int)strtol(space + 1, NULL, 10) : 0;
}

static bool tell_answer(struct transfer *transfer)
{
	struct http_header headers[HTTP_HEADERS_MAX];
	struct view rest = view_of_buf(&transfer->head);
	struct upstream_answer answer = {.headers = headers};
	struct view line;

	if (!view_next(&rest, '\n', &line))
		return false;
	answer.status = status_of(line);
	while (view_next(&rest, '\n', &line)) {
		const char *colon = memchr(line.data, ':', line.len);
		struct view name = {line.data, colon ? (size_t)(colon - line.data) : 0};
		struct view value;

		if (!colon)
			continue;
		value = view_trim(view_slice(line, name.len + 1, line.len));
		if (answer.count == HTTP_HEADERS_MAX || !http_is_token(name) ||
			!http_is_value(value))
			return false;
		headers[answer.count++] = (struct http_header){name, value};
	}
	transfer->answered = true;
	return transfer->handlers->answer(transfer->data, &answer);
}

/* A line of the head. Answers that only announce one (1xx) are passed over. */
static size_t take_head(char *bytes, size_t size, size_t count, void *data)
{
	struct transfer *transfer = data;
	struct view line = {bytes, size * count};

	if (transfer->cancelled)
		return 0;
	heard(transfer);
	if (transfer->answered)
		return line.len; /* a trailer */
	if (view_starts_with(line, "HTTP/"))
		buf_clear(&transfer->head);
	if (!is_last_line(line)) {
		transfer->head.max = MAX_ANSWER;
		buf_append(&transfer->head, line.data, line.len);
		return transfer->head.overflow ? 0 : line.len;
	}
	if (status_of(view_of_buf(&transfer->head)) / 100 == 1)
		return line.len;
	transfer->odd = !tell_answer(transfer);
	return transfer->odd ? 0 : line.len;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *data)
{
	struct transfer *transfer = data;

	/* A body without a head is what comes after "101 Switching Protocols". */
	transfer->odd |= !transfer->answered;
	if (transfer->cancelled || transfer->odd)
		return CURL_WRITEFUNC_ERROR;
	transfer->takes_later = !transfer->handlers->has_room(transfer->data);
	heard(transfer);
	if (transfer->takes_later)
		return CURL_WRITEFUNC_PAUSE;
	if (!transfer->handlers->bytes(transfer->data, (struct view){bytes, size * count}))
		return CURL_WRITEFUNC_ERROR;
	return size * count;
}

static size_t give_bytes(char *bytes, size_t size, size_t count, void *data)
{
	struct transfer *transfer = data;
	size_t len = 0;

	if (transfer->cancelled)
		return CURL_READFUNC_ABORT;
	heard(transfer);
	switch (transfer->handlers->give(transfer->data, bytes, size * count, &len)) {
	case UPSTREAM_BYTES:
		return len;
	case UPSTREAM_LATER:
		transfer->gives_later = true;
		return CURL_READFUNC_PAUSE;
	default:
		return CURL_READFUNC_ABORT;
	}
}

/* --- libcurl on the loop ----------------------------------------------------- */

/*
 * What libcurl says of a failure names hosts and reasons, never headers. But the address of a
 * proxy that it cannot use it repeats as it is, with the password.
 */
static const char *reason_of(const struct transfer *transfer, CURLcode code)
{
	if (!strncmp(transfer->why, "Unsupported proxy", strlen("Unsupported proxy")))
		return "HTTPS_PROXY of the host, or another such variable, is not the address of a "
		       "proxy that can be used";
	if (!*transfer->why || strchr(transfer->why, '@'))
		return transfer->upstream->curl->easy_strerror(code);
	return transfer->why;
}

static void end_of(struct upstream *upstream, CURL *easy, CURLcode code)
{
	struct transfer *transfer = NULL;

	upstream->curl->easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
	if (transfer->cancelled)
		remove_transfer(transfer);
	else if (code == CURLE_OK && transfer->answered)
		transfer_finish(transfer, NULL);
	else if (code == CURLE_OK)
		transfer_finish(transfer, "it did not answer");
	else if (transfer->odd)
		transfer_finish(transfer, "its answer is not proper HTTP");
	else
		transfer_finish(transfer, reason_of(transfer, code));
}

static void gather(struct upstream *upstream)
{
	struct transfer *next;
	CURLMsg *message;
	int left;

	while ((message = upstream->curl->multi_info_read(upstream->multi, &left)))
		if (message->msg == CURLMSG_DONE)
			end_of(upstream, message->easy_handle, message->data.result);
	for (struct transfer *transfer = upstream->transfers; transfer; transfer = next) {
		next = transfer->next;
		if (transfer->cancelled)
			remove_transfer(transfer);
	}
}

static void drive(struct upstream *upstream, curl_socket_t socket, int events)
{
	int running;

	upstream->inside++;
	upstream->curl->multi_socket_action(upstream->multi, socket, events, &running);
	upstream->inside--;
	if (!upstream->inside)
		gather(upstream);
}

static void time_is_up(uv_timer_t *timer)
{
	drive(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int set_timer(CURLM *multi, long ms, void *data)
{
	struct upstream *upstream = data;

	(void)multi;
	if (ms < 0)
		uv_timer_stop(&upstream->timer);
	else
		uv_timer_start(&upstream->timer, time_is_up, (uint64_t)ms, 0);
	return 0;
}

static void socket_ready(uv_poll_t *poll, int status, int events)
{
	struct watch *watch = poll->data;
	int flags = status < 0 ? CURL_CSELECT_ERR : 0;

	if (events & UV_READABLE)
		flags |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE)
		flags |= CURL_CSELECT_OUT;
	drive(watch->upstream, watch->socket, flags);
}

static void watch_closed(uv_handle_t *handle)
{
	free(handle->data);
}

static struct watch *add_watch(struct upstream *upstream, curl_socket_t socket)
{
	struct watch *watch = xcalloc(1, sizeof(*watch));

	watch->upstream = upstream;
	watch->socket = socket;
	uv_poll_init(upstream->options.loop, &watch->poll, socket);
	watch->poll.data = watch;
	upstream->curl->multi_assign(upstream->multi, socket, watch);
	return watch;
}

static int set_watch(CURL *easy, curl_socket_t socket, int what, void *data, void *socket_data)
{
	struct upstream *upstream = data;
	struct watch *watch = socket_data;
	int events = (what & CURL_POLL_IN ? UV_READABLE : 0) |
		     (what & CURL_POLL_OUT ? UV_WRITABLE : 0);

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (watch) {
			uv_poll_stop(&watch->poll);
			uv_close((uv_handle_t *)&watch->poll, watch_closed);
		}
		upstream->curl->multi_assign(upstream->multi, socket, NULL);
		return 0;
	}
	if (!watch)
		watch = add_watch(upstream, socket);
	uv_poll_start(&watch->poll, events, socket_ready);
	return 0;
}

/* --- opening ----------------------------------------------------------------- */

void upstream_new(const struct upstream_options *options, struct upstream **ret_upstream)
{
	struct upstream *upstream = xcalloc(1, sizeof(*upstream));

	upstream->options = *options;
	if (!upstream->options.connect_ms)
		upstream->options.connect_ms = CONNECT_MS;
	if (!upstream->options.silence_ms)
		upstream->options.silence_ms = SILENCE_MS;
	upstream->ca_file = options->ca_file ? xstrdup(options->ca_file) : NULL;
	uv_timer_init(options->loop, &upstream->timer);
	upstream->timer.data = upstream;
	*ret_upstream = upstream;
}

static void timer_closed(uv_handle_t *handle)
{
	struct upstream *upstream = handle->data;

	free(upstream->ca_file);
	free(upstream);
}

void upstream_close(struct upstream *upstream)
{
	if (!upstream)
		return;
	while (upstream->transfers)
		remove_transfer(upstream->transfers);
	if (upstream->multi) {
		upstream->inside++;
		upstream->curl->multi_cleanup(upstream->multi);
	}
	uv_close((uv_handle_t *)&upstream->timer, timer_closed);
}

static int set_up(struct upstream *upstream, struct error *err)
{
	const struct libcurl *curl;

	if (upstream->multi)
		return 0;
	upstream->curl = curl = libcurl_load(err);
	if (!curl)
		return -1;
	upstream->multi = curl->multi_init();
	if (!upstream->multi)
		return error_set(err, ERROR_FAILED, "libcurl cannot be set up");
	curl->multi_setopt(upstream->multi, CURLMOPT_SOCKETFUNCTION, set_watch);
	curl->multi_setopt(upstream->multi, CURLMOPT_SOCKETDATA, upstream);
	curl->multi_setopt(upstream->multi, CURLMOPT_TIMERFUNCTION, set_timer);
	curl->multi_setopt(upstream->multi, CURLMOPT_TIMERDATA, upstream);
	curl->multi_setopt(upstream->multi, CURLMOPT_MAXCONNECTS, IDLE_AT_MOST);
	return 0;
}

/* --- a request --------------------------------------------------------------- */

static void set_handlers(struct transfer *transfer)
{
	const struct libcurl *curl = transfer->upstream->curl;
	CURL *easy = transfer->easy;

	curl->easy_setopt(easy, CURLOPT_PRIVATE, transfer);
	curl->easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->why);
	curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
	curl->easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
	curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
	curl->easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
	curl->easy_setopt(easy, CURLOPT_READFUNCTION, give_bytes);
	curl->easy_setopt(easy, CURLOPT_READDATA, transfer);
}

static void set_connection(struct transfer *transfer)
{
	const struct upstream *upstream = transfer->upstream;
	const struct libcurl *curl = upstream->curl;
	CURL *easy = transfer->easy;

	curl->easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl->easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl->easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl->easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl->easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	/* It asks for plain text, and decodes what comes encoded nevertheless. */
	curl->easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "identity");
	curl->easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
	curl->easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
	curl->easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl->easy_setopt(easy, CURLOPT_BUFFERSIZE, BUFFER_SIZE);
	curl->easy_setopt(easy, CURLOPT_MAXAGE_CONN, IDLE_SECONDS);
	curl->easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)upstream->options.connect_ms);
	if (upstream->ca_file)
		curl->easy_setopt(easy, CURLOPT_CAINFO, upstream->ca_file);
}

static void set_request(struct transfer *transfer, const struct upstream_request *request)
{
	const struct libcurl *curl = transfer->upstream->curl;
	CURL *easy = transfer->easy;

	curl->easy_setopt(easy, CURLOPT_URL, request->url);
	if (!strcmp(request->method, "HEAD")) {
		curl->easy_setopt(easy, CURLOPT_NOBODY, 1L);
	} else if (request->has_body) {
		curl->easy_setopt(easy, CURLOPT_UPLOAD, 1L);
		curl->easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->length);
	}
	curl->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
	for (const char *const *line = request->headers; *line; line++)
		transfer->headers = curl->slist_append(transfer->headers, *line);
	curl->easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
}

static struct transfer *add_transfer(
	struct upstream *upstream, const struct upstream_handlers *handlers, void *data)
{
	struct transfer *transfer = xcalloc(1, sizeof(*transfer));

	transfer->upstream = upstream;
	transfer->handlers = handlers;
	transfer->data = data;
	transfer->head = BUF_INIT_MAX(MAX_ANSWER);
	transfer->easy = upstream->curl->easy_init();
	if (!transfer->easy)
		out_of_memory();
	transfer->next = upstream->transfers;
	if (transfer->next)
		transfer->next->previous = transfer;
	upstream->transfers = transfer;
	uv_timer_init(upstream->options.loop, &transfer->silence);
	transfer->silence.data = transfer;
	return transfer;
}

int upstream_start(struct upstream *upstream, const struct upstream_request *request,
	const struct upstream_handlers *handlers, void *data, struct transfer **ret_transfer,
	struct error *err)
{
	struct transfer *transfer;

	if (set_up(upstream, err) < 0)
		return -1;
	transfer = add_transfer(upstream, handlers, data);
	set_handlers(transfer);
	set_connection(transfer);
	set_request(transfer, request);
	upstream->inside++;
	upstream->curl->multi_add_handle(upstream->multi, transfer->easy);
	upstream->inside--;
	heard(transfer);
	*ret_transfer = transfer;
	return 0;
}

void upstream_go_on(struct transfer *transfer)
{
	struct upstream *upstream = transfer->upstream;

	if (transfer->cancelled || (!transfer->gives_later && !transfer->takes_later))
		return;
	transfer->gives_later = transfer->takes_later = false;
	heard(transfer);
	upstream->inside++;
	upstream->curl->easy_pause(transfer->easy, CURLPAUSE_CONT);
	upstream->inside--;
	if (!upstream->inside)
		gather(upstream);
}
