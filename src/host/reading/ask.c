/* A server that reads a file. */
#include "host/reading/reading.h"

#define TOO_MANY_REQUESTS 429

static void ask_ended(void *data, const struct http_reply *reply, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	CLEANUP(freep) char *reason = NULL;
	struct reading *reading = data;
	const char *text = NULL;

	reading->call = NULL;
	if (!reply)
		reason = xasprintf("no answer from the server: %s", why);
	else if (reply->status != 200)
		reason = xasprintf("the server answered with status %d", reply->status);
	else if (http_reply_json(reply, &document, &err) < 0 ||
		 !(text = reading->text_of(document)))
		reason = xstrdup("the server's answer has no text");
	if (!reply || reply->status == TOO_MANY_REQUESTS || reply->status >= 500)
		reading_again(reading, reason);
	else if (reason)
		reading_fail(reading, reason);
	else
		reading_end(reading, view_of(text), false);
}

int reading_ask(struct reading *reading, const struct reader_server *server, const char *path,
	const struct http_call_request *request, const char *(*text_of)(const json_t *reply),
	struct error *err)
{
	CLEANUP(freep) char *url = reader_address(server, path);
	CLEANUP(freep)
	char *key = server->key ? xasprintf("Authorization: Bearer %s", server->key) : NULL;
	const char *const headers[] = {key, NULL};
	struct http_call_request whole = *request;

	whole.http.method = "POST";
	whole.http.url = url;
	whole.http.headers = headers;
	whole.http.idle_ms = whole.http.total_ms =
		(uint64_t)reading->inst->limits.reading_seconds * 1000;
	reading->text_of = text_of;
	return http_call(
		reading->inst->network, &whole, ask_ended, reading, &reading->call, err);
}
