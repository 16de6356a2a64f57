#include "net/http_call.h"

#include <stdlib.h>
#include <string.h>

#include "format/json.h"

struct http_call {
	struct http_transfer *transfer;
	http_call_function function;
	void *data;
	struct http_multipart *form; /* the body of the request: this, or … */
	struct buf body;
	size_t given;
	struct buf head; /* of the response, in lines */
	struct buf response;
};

static void free_call(struct http_call *call)
{
	http_multipart_free(call->form);
	buf_release(&call->body);
	buf_release(&call->head);
	buf_release(&call->response);
	free(call);
}

void http_call_cancel(struct http_call *call)
{
	http_cancel(call->transfer);
	free_call(call);
}

/* --- handlers ---------------------------------------------------------------- */

static enum http_giving give_body(void *data, char *bytes, size_t room, size_t *ret_len)
{
	struct http_call *call = data;
	size_t left = call->body.len - call->given;

	if (call->form)
		return http_multipart_give(call->form, bytes, room, ret_len);
	*ret_len = left < room ? left : room;
	memcpy(bytes, call->body.data + call->given, *ret_len);
	call->given += *ret_len;
	return HTTP_GIVE_BYTES;
}

/* The views of the answer are gone when the body is complete. */
static bool keep_answer(void *data, const struct http_answer *answer)
{
	struct http_call *call = data;

	buf_appendf(&call->head, "HTTP/1.1 %d\x20\n", answer->status);
	for (size_t i = 0; i < answer->count; i++)
		buf_appendf(&call->head, "%.*s: %.*s\n", VIEW_ARGS(answer->headers[i].name),
			VIEW_ARGS(answer->headers[i].value));
	return true;
}

static bool keep_bytes(void *data, struct view bytes)
{
	struct http_call *call = data;

	buf_append(&call->response, bytes.data, bytes.len);
	return !call->response.overflow;
}

static void call_done(void *data, const char *why)
{
	struct http_call *call = data;
	struct http_answer answer;
	struct http_reply reply = {.answer = &answer, .body = view_of_buf(&call->response)};

	if (call->response.overflow) {
		CLEANUP(freep)
		char *text = xasprintf("the response is larger than the limit of %zu bytes",
			call->response.max);

		call->function(call->data, NULL, text);
	} else if (why || http_answer_parse(view_of_buf(&call->head), &answer) < 0) {
		call->function(call->data, NULL, why ? why : "its answer is not valid HTTP");
	} else {
		reply.status = answer.status;
		call->function(call->data, &reply, NULL);
	}
	free_call(call);
}

static const struct http_handlers call_handlers = {
	.give = give_body,
	.answer = keep_answer,
	.bytes = keep_bytes,
	.done = call_done,
};

/* --- the request ------------------------------------------------------------- */

int http_call(struct network *network, const struct http_call_request *request,
	http_call_function function, void *data, struct http_call **ret_call, struct error *err)
{
	CLEANUP(json_decrefp) json_t *json = request->json;
	struct http_request http = request->http;
	struct http_call *call = xcalloc(1, sizeof(*call));

	call->function = function;
	call->data = data;
	call->form = request->form;
	call->body = call->head = BUF_INIT;
	call->response =
		BUF_INIT_MAX(request->max_body ? request->max_body : HTTP_CALL_BODY_MAX);
	if (json)
		json_write_ours(json, false, &call->body);
	else
		buf_append(&call->body, request->body.data, request->body.len);
	if (json)
		http.content_type = "application/json";
	if (call->form)
		http.content_type = http_multipart_type(call->form);
	http.has_body = json || call->form || request->body.data;
	http.length = call->form ? http_multipart_close(call->form) : (int64_t)call->body.len;
	if (http_start(network, &http, &call_handlers, call, &call->transfer, err) < 0) {
		free_call(call);
		return -1;
	}
	*ret_call = call;
	return 0;
}

int http_reply_json(const struct http_reply *reply, json_t **ret_json, struct error *err)
{
	return json_read(reply->body, "the response", JSON_MAX_SIZE, ret_json, err);
}
