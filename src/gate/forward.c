/*
 * One request of an agent to the API of its model, and the answer.
 *
 * The request goes to the address of the gate, whatever host it names, and only below its
 * path. The gate drops these headers: credentials of any kind, cookies, hop-by-hop headers,
 * names with an underscore (some servers take it for a dash), and the request for a compressed
 * answer. It adds the real credential. TRACE and other methods that no API needs are refused,
 * because an answer must not repeat our request.
 *
 * Both bodies are streamed. If the API breaks off in the middle, the gate breaks off the agent's
 * connection, so that the agent sees an error and not an end. (The end of an answer without a
 * length or chunks is the end of its connection, so nobody can tell whether it is complete. The
 * Messages API does not answer like that.)
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gate/echo.h"
#include "gate/gate.h"
#include "gate/request_lines.h"
#include "gate/usage_reader.h"
#include "net/http.h"
#include "net/link.h"
#include "net/parse/http_body.h"

#define API_IDLE_MS 600000 /* a model thinks for a long time */

struct forward {
	struct link *link;
	const struct gate_options *options;
	struct http_transfer *transfer;
	struct usage_reader *usage; /* or NULL */
	struct http_body body;
	struct http_fault fault; /* of the request's body */
	bool holds_back;         /* the agent waits for "100 Continue" */
	bool keep_alive;
	bool is_head;
	bool is_post;
	bool is_asked; /* it asks the model, so it uses tokens even if the answer does not say so */
	uint64_t sent;    /* bytes of the request's body */
	uint64_t began;   /* time of the loop, in ms */
	bool refused;     /* the answer is an error */
	bool ended;       /* the answer came to its end … */
	bool left;        /* … or the agent left before */
	bool answered;    /* the head of the answer is sent */
	bool chunked;     /* and its body is sent in chunks */
	struct echo echo; /* of the key that went with the request */
};

/* --- the request's body ------------------------------------------------------ */

static void tell_continue(struct forward *forward)
{
	static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";

	if (forward->holds_back)
		link_send(forward->link, &(struct view){text, strlen(text)}, 1);
	forward->holds_back = false;
}

static enum http_giving body_give(void *data, char *bytes, size_t room, size_t *ret_len)
{
	struct forward *forward = data;

	while (!http_body_is_done(&forward->body)) {
		struct view input = link_input(forward->link);
		struct view piece;
		ssize_t used;

		if (!input.len) {
			tell_continue(forward);
			return HTTP_GIVE_LATER;
		}
		input.len = input.len < room ? input.len : room;
		used = http_body_take(&forward->body, input, &piece, &forward->fault);
		if (used < 0)
			return HTTP_GIVE_UP;
		*ret_len = piece.len;
		memcpy(bytes, piece.data, piece.len);
		link_consume(forward->link, (size_t)used);
		forward->sent += piece.len;
		if (piece.len)
			return HTTP_GIVE_BYTES;
	}
	*ret_len = 0;
	return HTTP_GIVE_BYTES;
}

/* --- the answer -------------------------------------------------------------- */

static bool is_passed_on(
	const struct http_answer *answer, const struct http_header *header, const char *secret)
{
	static const char *const names[] = {
		"alt-svc", "content-encoding", "content-length", "set-cookie"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (http_name_is(header->name, names[i]))
			return false;
	/* A server that echoes its request must not leak our key to the agent. */
	if (secret &&
		(memmem(header->value.data, header->value.len, secret, strlen(secret)) ||
			memmem(header->name.data, header->name.len, secret, strlen(secret))))
		return false;
	return !http_is_for_hop(answer->headers, answer->count, header->name);
}

/* False if there are several, or one that is not a number; NULL: none. */
static bool forward_length(
	const struct http_answer *answer, const struct http_header **ret_length)
{
	*ret_length = NULL;
	for (size_t i = 0; i < answer->count; i++) {
		const struct http_header *header = &answer->headers[i];

		if (!http_name_is(header->name, "content-length"))
			continue;
		if (*ret_length || !header->value.len)
			return false;
		for (size_t k = 0; k < header->value.len; k++)
			if (header->value.data[k] < '0' || header->value.data[k] > '9')
				return false;
		*ret_length = header;
	}
	return true;
}

/* libcurl sees to it that a body has the length that was said. */
static void add_framing(struct forward *forward, const struct http_answer *answer,
	const struct http_header *length, struct buf *head)
{
	if (length && answer->status != 204)
		buf_appendf(head, "content-length: %.*s\r\n", VIEW_ARGS(length->value));
	else if (!forward->is_head && answer->status != 204 && answer->status != 304)
		forward->chunked = true;
	if (forward->chunked)
		buf_append_str(head, "transfer-encoding: chunked\r\n");
	/* The rest of a body that the API did not wait for is not waited for here either. */
	if (!http_body_is_done(&forward->body))
		forward->keep_alive = false;
	if (!forward->keep_alive)
		buf_append_str(head, "connection: close\r\n");
}

/* An answer to what may cost something. */
static void begin_counting(struct forward *forward, const struct http_answer *answer)
{
	CLEANUP(freep) char *text = NULL;
	struct view type;

	forward->refused = answer->status != 200;
	if (!forward->is_post || forward->refused || !forward->options->handlers->used)
		return;
	type = http_answer_header(answer, "content-type");
	if (type.data)
		text = xmemdupz(type.data, type.len);
	forward->usage = usage_reader_new(text);
}

static bool forward_take_answer(void *data, const struct http_answer *answer)
{
	CLEANUP(buf_release) struct buf head = BUF_INIT;
	const struct http_header *length;
	struct forward *forward = data;

	if (answer->status < 200 || answer->status > 599 || !forward_length(answer, &length) ||
		(length && http_answer_header(answer, "transfer-encoding").data))
		return false;
	/* The body comes decoded, or the key could be in it unseen; that has another length. */
	if (http_answer_header(answer, "content-encoding").data)
		length = NULL;
	buf_appendf(&head, "HTTP/1.1 %d\x20\r\n", answer->status);
	for (size_t i = 0; i < answer->count; i++) {
		const struct http_header *header = &answer->headers[i];

		if (is_passed_on(answer, header, forward->echo.secret))
			buf_appendf(&head, "%.*s: %.*s\r\n", VIEW_ARGS(header->name),
				VIEW_ARGS(header->value));
	}
	add_framing(forward, answer, length, &head);
	buf_append_str(&head, "\r\n");
	begin_counting(forward, answer);
	forward->answered = true;
	link_send(forward->link, &(struct view){head.data, head.len}, 1);
	return true;
}

static bool has_room(void *data)
{
	struct forward *forward = data;

	return link_queued(forward->link) < LINK_QUEUED_MAX;
}

static void send_body(struct forward *forward, struct view bytes)
{
	char size[32];
	int len;

	if (!bytes.len)
		return;
	if (!forward->chunked) {
		link_send(forward->link, &bytes, 1);
		return;
	}
	len = snprintf(size, sizeof(size), "%zx\r\n", bytes.len);
	link_send(
		forward->link, (struct view[]){{size, (size_t)len}, bytes, view_of("\r\n")}, 3);
}

static bool forward_take_bytes(void *data, struct view bytes)
{
	CLEANUP(buf_release) struct buf masked = BUF_INIT;
	struct forward *forward = data;

	if (forward->usage)
		usage_reader_feed(forward->usage, bytes.data, bytes.len);
	echo_mask(&forward->echo, bytes, &masked);
	send_body(forward, view_of_buf(&masked));
	return true;
}

/* --- the end ----------------------------------------------------------------- */

/*
 * Counts what was read of the answer, however it ended. A complete request counts even if the
 * agent leaves before the answer begins.
 */
static void forward_count_used(struct forward *forward)
{
	CLEANUP(api_usage_release) struct api_usage usage = API_USAGE_INIT;
	const struct gate_options *options = forward->options;

	if (!options->handlers->used || forward->refused)
		return;
	if (!forward->usage && forward->left && forward->is_asked &&
		http_body_is_done(&forward->body))
		forward->usage = usage_reader_new(NULL);
	if (!forward->usage)
		return;
	if (forward->left)
		usage_reader_left(forward->usage, uv_now(options->loop) - forward->began);
	if (!usage_reader_end(forward->usage, forward->is_asked ? forward->sent : 0,
		    forward->ended, &usage))
		return;
	usage.is_free = provider_is_free(options->provider, options->address);
	usage.is_told &= options->provider->tells_price;
	options->handlers->used(options->data, &usage);
}

static void forward_free(struct forward *forward)
{
	forward_count_used(forward);
	usage_reader_free(forward->usage);
	if (forward->echo.secret)
		credentials_wipe(forward->echo.secret);
	free(forward);
}

static void tell_failure(struct forward *forward, const char *why)
{
	const struct gate_options *options = forward->options;
	CLEANUP(freep)
	char *text =
		xasprintf("the API at '%s' cannot be used: %s", options->address->host, why);

	if (options->handlers->failed)
		options->handlers->failed(options->data, options->address->host, why);
	if (!forward->answered)
		gate_refuse(forward->link, 502, text);
	else
		link_break(forward->link);
}

static void finish_well(struct forward *forward)
{
	CLEANUP(buf_release) struct buf rest = BUF_INIT;
	struct link *link = forward->link;

	echo_end(&forward->echo, &rest);
	send_body(forward, view_of_buf(&rest));
	if (forward->chunked)
		link_send(link, &(struct view){"0\r\n\r\n", 5}, 1);
	if (!forward->keep_alive) {
		link_close(link);
		return;
	}
	forward_free(forward);
	gate_next(link);
}

static void transfer_done(void *data, const char *why)
{
	struct forward *forward = data;

	forward->transfer = NULL;
	forward->ended = !why;
	if (!why)
		finish_well(forward);
	else if (forward->fault.status && !forward->answered)
		gate_forbid(
			forward->link, forward->fault.status, "a request", forward->fault.why);
	else
		tell_failure(forward, why);
}

static void agent_sent_more(struct link *link, void *data)
{
	struct forward *forward = data;

	if (link_has_ended(link))
		link_break(link); /* the agent has left */
	else
		http_go_on(forward->transfer);
}

static void agent_read_all(struct link *link, void *data)
{
	struct forward *forward = data;

	(void)link;
	http_go_on(forward->transfer);
}

static void agent_gone(struct link *link, void *data)
{
	struct forward *forward = data;

	(void)link;
	forward->left = forward->transfer;
	if (forward->transfer)
		http_cancel(forward->transfer);
	forward_free(forward);
}

/* --- the beginning ----------------------------------------------------------- */

static bool is_method(struct view method)
{
	static const char *const names[] = {"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (view_equal_str(method, names[i]))
			return true;
	return false;
}

static const char *forward_fault(
	const struct gate_options *options, const struct http_head *head, int *ret_status)
{
	*ret_status = 400;
	if (head->minor == 0) {
		*ret_status = 505;
		return "only HTTP/1.1 is supported";
	}
	if (!is_method(head->method))
		return "the API has no such method";
	if (!api_address_covers(options->address, head->target)) {
		*ret_status = 403;
		return "this path is not one of the API";
	}
	if (!provider_serves(options->provider, options->address, head->method, head->target)) {
		*ret_status = 403;
		return "agents reach messages and models of this API, and nothing else of the "
		       "account";
	}
	if (head->framing == HTTP_LENGTH && head->length > GATE_BODY_MAX) {
		*ret_status = 413;
		return "the body of the request is too large";
	}
	return NULL;
}

/* Asked before anything is sent. */
static int may_go(const struct gate_options *options, const struct http_head *head,
	struct credential *ret_credential, int *ret_status, struct error *err)
{
	*ret_status = 401;
	if (gate_credential(options, ret_credential, err) < 0)
		return -1;
	*ret_status = 403;
	if (view_equal_str(head->method, "POST") && options->handlers->may_spend)
		return options->handlers->may_spend(options->data, err);
	return 0;
}

static const struct link_owner owner = {
	.more = agent_sent_more,
	.drained = agent_read_all,
	.gone = agent_gone,
};

static const struct http_handlers handlers = {
	.give = body_give,
	.answer = forward_take_answer,
	.has_room = has_room,
	.bytes = forward_take_bytes,
	.done = transfer_done,
};

static void send_on(struct forward *forward, const struct http_head *head,
	const struct credential *credential, size_t len)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(request_lines_release) struct request_lines lines = {0};
	CLEANUP(freep) char *origin = api_address_origin(forward->options->address);
	CLEANUP(freep) char *url = xasprintf("%s%.*s", origin, VIEW_ARGS(head->target));
	CLEANUP(freep) char *method = xmemdupz(head->method.data, head->method.len);
	struct http_request request = {
		.method = method,
		.url = url,
		.has_body = head->framing != HTTP_NO_BODY || method[0] == 'P',
		.length = head->framing == HTTP_CHUNKED ? -1 : (int64_t)head->length,
		.idle_ms = forward->options->idle_ms ? forward->options->idle_ms : API_IDLE_MS,
	};

	request_lines_fill(head, credential, &lines);
	request.headers = (const char *const *)lines.list;
	link_give_to(forward->link, &owner, forward);
	link_consume(forward->link, len);
	if (http_start(forward->options->network, &request, &handlers, forward,
		    &forward->transfer, &err) < 0)
		tell_failure(forward, err.message);
}

void forward_start(struct link *link, const struct http_head *head, size_t len)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct gate_options *options = gate_options(link_home(link));
	struct credential credential;
	struct forward *forward;
	int status;
	const char *fault = forward_fault(options, head, &status);

	if (fault) {
		gate_forbid(link, status, "a request to the API", fault);
		return;
	}
	if (may_go(options, head, &credential, &status, &err) < 0) {
		gate_forbid(link, status, "a request to the API", err.message);
		return;
	}
	forward = xcalloc(1, sizeof(*forward));
	forward->link = link;
	forward->began = uv_now(options->loop);
	forward->options = options;
	forward->keep_alive = head->keep_alive;
	forward->is_head = view_equal_str(head->method, "HEAD");
	forward->is_post = view_equal_str(head->method, "POST");
	forward->is_asked = provider_is_asked(
		options->provider, options->address, head->method, head->target);
	forward->holds_back = head->expects_continue;
	forward->echo.secret = credential.value ? xstrdup(credential.value) : NULL;
	http_body_init(&forward->body, head, GATE_BODY_MAX);
	send_on(forward, head, &credential, len);
}
