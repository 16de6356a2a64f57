#include "net/http.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "net/network_call.h"

#define IDLE_MS       60000
#define MAX_REDIRECTS 5L

struct http_transfer {
	struct network_call call;
	struct curl_slist *headers;
	const struct http_handlers *handlers;
	void *data;
	struct buf head; /* of the response, lines as they come */
	bool follows;    /* redirects */
	bool answered;   /* the handler has been called */
	bool gives_later;
	bool takes_later;
	bool odd; /* the response cannot be passed on */
	uint64_t idle_ms;
	uv_timer_t idle;
};

/* --- the end of a transfer --------------------------------------------------- */

static void idle_closed(uv_handle_t *handle)
{
	free(handle->data);
}

static void drop_transfer(struct network_call *call)
{
	struct http_transfer *transfer = (struct http_transfer *)call;
	const struct libcurl *curl = network_curl(call->network);

	network_call_close(call);
	/* A key may be among them. */
	for (struct curl_slist *line = transfer->headers; line; line = line->next)
		explicit_bzero(line->data, strlen(line->data));
	curl->slist_free_all(transfer->headers);
	buf_release(&transfer->head);
	uv_close((uv_handle_t *)&transfer->idle, idle_closed);
}

static void finish_transfer(struct http_transfer *transfer, const char *why)
{
	const struct http_handlers *handlers = transfer->handlers;
	void *data = transfer->data;
	CLEANUP(freep) char *reason = why ? xstrdup(why) : NULL;

	drop_transfer(&transfer->call);
	handlers->done(data, reason);
}

static void transfer_ended(struct network_call *call, const char *why)
{
	struct http_transfer *transfer = (struct http_transfer *)call;

	if (!why && !transfer->answered)
		finish_transfer(transfer, "it did not answer");
	else if (why && transfer->odd)
		finish_transfer(transfer, "its answer is not valid HTTP");
	else
		finish_transfer(transfer, why);
}

static const struct network_call_type http_type = {
	.ended = transfer_ended,
	.drop = drop_transfer,
};

void http_cancel(struct http_transfer *transfer)
{
	network_call_cancel(&transfer->call);
}

/* --- silence ----------------------------------------------------------------- */

static void too_silent(uv_timer_t *timer)
{
	struct http_transfer *transfer = timer->data;
	CLEANUP(freep)
	char *why = xasprintf("it said nothing for %llu seconds",
		(unsigned long long)transfer->idle_ms / 1000);

	finish_transfer(transfer, why);
}

/* Something came or went. While our own reader is slow, the server is not to blame. */
static void restart_idle(struct http_transfer *transfer)
{
	if (transfer->takes_later)
		uv_timer_stop(&transfer->idle);
	else
		uv_timer_start(&transfer->idle, too_silent, transfer->idle_ms, 0);
}

/* --- the response ------------------------------------------------------------ */

/* libcurl follows it, and the head of another response comes. */
static bool is_followed(const struct http_transfer *transfer, const struct http_answer *answer)
{
	return transfer->follows && answer->status / 100 == 3 &&
	       http_answer_header(answer, "location").data;
}

static bool take_answer(struct http_transfer *transfer)
{
	struct http_answer answer;

	if (http_answer_parse(view_of_buf(&transfer->head), &answer) < 0)
		return false;
	if (answer.status / 100 == 1 || is_followed(transfer, &answer))
		return true;
	transfer->answered = true;
	return transfer->handlers->answer(transfer->data, &answer);
}

/* A line of a head, or of the trailers. */
static size_t take_head(char *bytes, size_t size, size_t count, void *data)
{
	struct http_transfer *transfer = data;
	struct view line = {bytes, size * count};

	if (transfer->call.cancelled)
		return 0;
	restart_idle(transfer);
	if (transfer->answered)
		return line.len;
	if (view_starts_with(line, "HTTP/"))
		buf_clear(&transfer->head);
	if (!view_equal_str(line, "\r\n") && !view_equal_str(line, "\n")) {
		buf_append(&transfer->head, line.data, line.len);
		return transfer->head.overflow ? 0 : line.len;
	}
	transfer->odd = !take_answer(transfer);
	return transfer->odd ? 0 : line.len;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *data)
{
	struct http_transfer *transfer = data;

	/* Bytes before the answer follow a "101 Switching Protocols". */
	transfer->odd |= !transfer->answered;
	if (transfer->call.cancelled || transfer->odd)
		return CURL_WRITEFUNC_ERROR;
	transfer->takes_later =
		transfer->handlers->has_room && !transfer->handlers->has_room(transfer->data);
	restart_idle(transfer);
	if (transfer->takes_later)
		return CURL_WRITEFUNC_PAUSE;
	if (!transfer->handlers->bytes(transfer->data, (struct view){bytes, size * count}))
		return CURL_WRITEFUNC_ERROR;
	return size * count;
}

static size_t give_bytes(char *bytes, size_t size, size_t count, void *data)
{
	struct http_transfer *transfer = data;
	size_t len = 0;

	if (transfer->call.cancelled)
		return CURL_READFUNC_ABORT;
	restart_idle(transfer);
	switch (transfer->handlers->give(transfer->data, bytes, size * count, &len)) {
	case HTTP_GIVE_BYTES:
		return len;
	case HTTP_GIVE_LATER:
		transfer->gives_later = true;
		return CURL_READFUNC_PAUSE;
	default:
		return CURL_READFUNC_ABORT;
	}
}

/* --- a request --------------------------------------------------------------- */

static void set_handlers(struct http_transfer *transfer)
{
	const struct libcurl *curl = network_curl(transfer->call.network);
	CURL *easy = transfer->call.easy;

	curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
	curl->easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
	curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
	curl->easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
	curl->easy_setopt(easy, CURLOPT_READFUNCTION, give_bytes);
	curl->easy_setopt(easy, CURLOPT_READDATA, transfer);
}

static void add_header(struct http_transfer *transfer, const char *line)
{
	transfer->headers =
		network_curl(transfer->call.network)->slist_append(transfer->headers, line);
}

/* A plain server of this machine, such as Ollama, is not reached through a proxy. */
static bool is_on_this_machine(const char *url)
{
	static const char *const starts[] = {
		"http://localhost", "http://127.0.0.1", "http://[::1]"};

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t len = strlen(starts[i]);

		if (!strncasecmp(url, starts[i], len) && strchr(":/", url[len]))
			return true;
	}
	return false;
}

static void set_request(struct http_transfer *transfer, const struct http_request *request)
{
	const struct libcurl *curl = network_curl(transfer->call.network);
	bool is_head = !strcmp(request->method, "HEAD");
	bool is_get = !strcmp(request->method, "GET");
	CURL *easy = transfer->call.easy;

	assert(!request->follow_redirects || is_get);
	curl->easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	/* Asks for plain content, and still decodes an encoded answer. */
	curl->easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "identity");
	curl->easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
	if (is_on_this_machine(request->url))
		curl->easy_setopt(easy, CURLOPT_PROXY, "");
	curl->easy_setopt(easy, CURLOPT_FOLLOWLOCATION, (long)request->follow_redirects);
	curl->easy_setopt(easy, CURLOPT_MAXREDIRS, MAX_REDIRECTS);
	curl->easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)request->total_ms);
	if (is_head) {
		curl->easy_setopt(easy, CURLOPT_NOBODY, 1L);
	} else if (request->has_body) {
		curl->easy_setopt(easy, CURLOPT_UPLOAD, 1L);
		curl->easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->length);
	}
	/*
	 * libcurl repeats a request on a dead connection if it can. It cannot after giving away
	 * bytes of a body. Without any, only a new connection prevents it.
	 */
	if (!is_get && !is_head && (!request->has_body || !request->length))
		curl->easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
	curl->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
	for (const char *const *line = request->headers; line && *line; line++)
		add_header(transfer, *line);
	if (request->content_type) {
		CLEANUP(freep)
		char *line = xasprintf("content-type: %s", request->content_type);

		add_header(transfer, line);
	}
	/* Or libcurl waits up to a second for the server's "100 Continue". */
	add_header(transfer, "expect:");
	curl->easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
}

int http_start(struct network *network, const struct http_request *request,
	const struct http_handlers *handlers, void *data, struct http_transfer **ret_transfer,
	struct error *err)
{
	struct http_transfer *transfer;

	if (http_headers_check(request->headers, err) < 0)
		return -1;
	transfer = xcalloc(1, sizeof(*transfer));
	if (network_call_open(network, &transfer->call, &http_type, request->url,
		    request->connect_ms, err) < 0) {
		free(transfer);
		return -1;
	}
	transfer->handlers = handlers;
	transfer->data = data;
	transfer->head = BUF_INIT_MAX(HTTP_ANSWER_MAX);
	transfer->follows = request->follow_redirects;
	transfer->idle_ms = request->idle_ms ? request->idle_ms : IDLE_MS;
	uv_timer_init(network_loop(network), &transfer->idle);
	transfer->idle.data = transfer;
	set_handlers(transfer);
	set_request(transfer, request);
	network_call_start(&transfer->call);
	restart_idle(transfer);
	*ret_transfer = transfer;
	return 0;
}

void http_go_on(struct http_transfer *transfer)
{
	if (transfer->call.cancelled || (!transfer->gives_later && !transfer->takes_later))
		return;
	transfer->gives_later = transfer->takes_later = false;
	restart_idle(transfer);
	network_call_resume(&transfer->call);
}
