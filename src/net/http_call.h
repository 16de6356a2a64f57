/*
 * A call to a web API: one HTTP request and its whole response, in memory.
 *
 *	struct http_call_request request = {
 *		.http = {.method = "POST", .url = url, .headers = headers, .total_ms = 30000},
 *		.json = json_pack("{s:s}", "text", text),
 *	};
 *
 *	http_call(network, &request, take_reply, data, &call, err);
 *	… take_reply(data, &reply, NULL), from the loop; the call is gone after it
 *	… take_reply(data, NULL, why): there was no complete response
 *	http_call_cancel(call);		instead: it is never called
 *
 * The caller decides whether 404 or 429 is a failure; retry_after.h reads `retry-after`. After a
 * failure it is unknown whether the server has acted on the request.
 */
#ifndef NET_HTTP_CALL_H
#define NET_HTTP_CALL_H

#include <jansson.h>

#include "net/http.h"
#include "net/http_multipart.h"

#define HTTP_CALL_BODY_MAX ((size_t)8 * 1024 * 1024)

struct http_call;

struct http_call_request {
	struct http_request http; /* without `has_body` and `length` */
	struct view body;         /* copied; `data` is NULL: no body */
	json_t *json;             /* instead: taken, and sent as application/json */
	struct http_multipart
		*form;   /* instead: taken; `total_ms` should leave time for its files */
	size_t max_body; /* of the response: more is a failure; 0: HTTP_CALL_BODY_MAX */
};

/* Good during the callback only. */
struct http_reply {
	int status;
	const struct http_answer *answer; /* for http_answer_header() */
	struct view body;
};

typedef void (*http_call_function)(void *data, const struct http_reply *reply, const char *why);

int http_call(struct network *network, const struct http_call_request *request,
	http_call_function function, void *data, struct http_call **ret_call,
	struct error *err);

void http_call_cancel(struct http_call *call);

/* The body as JSON, read with the checks of json_read(). */
int http_reply_json(const struct http_reply *reply, json_t **ret_json, struct error *err);

#endif
