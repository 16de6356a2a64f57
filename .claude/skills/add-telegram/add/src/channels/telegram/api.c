#include "channels/telegram/api.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "format/json.h"
#include "net/http.h"
#include "net/retry_after.h"
#include "time/timestamp.h"

/* Beyond this, a double is not exact. Ids of Telegram have at most 52 bits. */
#define NUMBER_MAX 9007199254740992.0

#define REPLY_MAX ((size_t)8 * 1024 * 1024)

/* The body of the request is `head`, the file if there is one, and `tail`. */
struct telegram_call {
	struct http_transfer *transfer;
	telegram_call_function function;
	void *data;
	struct buf head;
	struct buf tail;
	size_t given; /* of head and tail together */
	int file;
	int64_t file_left;
	int status;
	int64_t retry_after_ms; /* of its header */
	struct buf reply;
};

const char *telegram_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

int64_t telegram_number(const json_t *object, const char *name)
{
	double number = json_number_value(json_object_get(object, name));

	return fabs(number) < NUMBER_MAX ? (int64_t)number : 0;
}

/* --- addresses --------------------------------------------------------------- */

/* "123456:AAE-x9": anything else has no place in an address. */
static bool is_token(const char *token)
{
	size_t digits = strspn(token, "0123456789");

	if (!digits || token[digits] != ':' || !token[digits + 1])
		return false;
	for (const char *c = token + digits + 1; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
			return false;
	return true;
}

int telegram_api_init(struct telegram_api *api, struct network *network, const char *url,
	const char *token, struct error *err)
{
	size_t len;

	if (!is_token(token))
		return error_set(err, ERROR_INVALID,
			"this is not a token like '123456:ABC…', which @BotFather gives");
	if (!url)
		url = TELEGRAM_URL;
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return error_set(
			err, ERROR_INVALID, "TELEGRAM_API_URL must begin with 'https://'");
	for (len = strlen(url); url[len - 1] == '/';)
		len--;
	*api = (struct telegram_api){network, xmemdupz(url, len), xstrdup(token)};
	return 0;
}

void telegram_forget(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

void telegram_api_release(struct telegram_api *api)
{
	free(api->url);
	telegram_forget(api->token);
	*api = (struct telegram_api){0};
}

/* A Bot API server of one's own may name a file on its disk: that begins with a slash. */
char *telegram_file_url(const struct telegram_api *api, const char *path)
{
	if (*path == '/' || strstr(path, ".."))
		return NULL;
	for (const char *c = path; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_./", *c))
			return NULL;
	return xasprintf("%s/file/bot%s/%s", api->url, api->token, path);
}

/* --- replies ----------------------------------------------------------------- */

static void free_call(struct telegram_call *call)
{
	buf_release(&call->head);
	buf_release(&call->tail);
	buf_release(&call->reply);
	closep(&call->file);
	free(call);
}

void telegram_call_cancel(struct telegram_call *call)
{
	http_cancel(call->transfer);
	free_call(call);
}

static bool keep_answer(void *data, const struct http_answer *answer)
{
	struct telegram_call *call = data;
	struct view header = http_answer_header(answer, "retry-after");

	call->status = answer->status;
	call->retry_after_ms = header.data ? retry_after_ms(header, timestamp_clock()) : -1;
	return true;
}

static bool keep_bytes(void *data, struct view bytes)
{
	struct telegram_call *call = data;

	buf_append(&call->reply, bytes.data, bytes.len);
	return !call->reply.overflow;
}

/* A proxy, or a network that wants a password first, says anything. */
static void read_reply(
	const struct telegram_call *call, const json_t *document, struct telegram_reply *reply)
{
	const json_t *parameters = json_object_get(document, "parameters");
	int64_t seconds = telegram_number(parameters, "retry_after");
	const char *description = telegram_text(document, "description");

	reply->body = view_of_buf(&call->reply);
	if (description)
		reply->description = description;
	if (json_is_true(json_object_get(document, "ok"))) {
		reply->code = 200;
		reply->result = json_object_get(document, "result");
	} else {
		reply->code = (int)telegram_number(document, "error_code");
	}
	/* These two are also said by servers in front of Telegram's. */
	if (call->status == 429 || call->status == 413)
		reply->code = call->status;
	reply->migrate_to = telegram_number(parameters, "migrate_to_chat_id");
	if (reply->code == 429)
		reply->retry_after_ms = seconds <= 0 ? call->retry_after_ms
					: seconds * 1000 < RETRY_AFTER_MAX_MS
						? seconds * 1000
						: RETRY_AFTER_MAX_MS;
}

static void call_done(void *data, const char *why)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	struct telegram_call *call = data;
	char status[32];
	struct telegram_reply reply = {.description = why, .retry_after_ms = -1};

	snprintf(status, sizeof(status), "HTTP status %d", call->status);
	if (call->reply.overflow) {
		reply.description = "the response is too large";
		reply.body = view_of_buf(&call->reply);
	} else if (!why) {
		reply.description = status;
		if (json_read(view_of_buf(&call->reply), "the response", REPLY_MAX, &document,
			    &ignored) < 0)
			document = NULL;
		read_reply(call, document, &reply);
	}
	call->function(call->data, &reply);
	free_call(call);
}

/* --- requests ---------------------------------------------------------------- */

static size_t give_from(const struct buf *from, size_t at, char *bytes, size_t room)
{
	size_t len = from->len - at < room ? from->len - at : room;

	memcpy(bytes, from->data + at, len);
	return len;
}

static enum http_giving give_body(void *data, char *bytes, size_t room, size_t *ret_len)
{
	struct telegram_call *call = data;
	ssize_t n;

	if (call->given < call->head.len) {
		*ret_len = give_from(&call->head, call->given, bytes, room);
	} else if (call->file_left) {
		n = read(call->file, bytes,
			(int64_t)room < call->file_left ? room : (size_t)call->file_left);
		if (n <= 0)
			return HTTP_GIVE_UP;
		call->file_left -= n;
		*ret_len = (size_t)n;
		return HTTP_GIVE_BYTES;
	} else {
		*ret_len = give_from(&call->tail, call->given - call->head.len, bytes, room);
	}
	call->given += *ret_len;
	return HTTP_GIVE_BYTES;
}

static const struct http_handlers call_handlers = {
	.give = give_body,
	.answer = keep_answer,
	.bytes = keep_bytes,
	.done = call_done,
};

static void random_word(char word[33])
{
	unsigned char bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort();
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(word + 2 * i, 3, "%02x", bytes[i]);
}

/* multipart/form-data: a part for each parameter, and the file as the last. */
static char *form_body(struct telegram_call *call, const struct telegram_request *request)
{
	CLEANUP(freep) char *name = xstrdup(request->file_name ? request->file_name : "file");
	char boundary[33];
	const char *key;
	json_t *value;

	random_word(boundary);
	for (char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f || strchr("\"\\%", *c))
			*c = '_';
	json_object_foreach(request->parameters, key, value) {
		CLEANUP(freep) char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
		const char *text = json_is_string(value) ? json_string_value(value) : dumped;

		buf_appendf(&call->head,
			"--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n",
			boundary, key, text);
	}
	buf_appendf(&call->head,
		"--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
		"Content-Type: application/octet-stream\r\n\r\n",
		boundary, request->field, name);
	buf_appendf(&call->tail, "\r\n--%s--\r\n", boundary);
	call->file_left = request->file_size;
	return xasprintf("multipart/form-data; boundary=%s", boundary);
}

int telegram_call(const struct telegram_api *api, const struct telegram_request *request,
	telegram_call_function function, void *data, struct telegram_call **ret_call,
	struct error *err)
{
	CLEANUP(json_decrefp) json_t *parameters = request->parameters;
	CLEANUP(freep) char *type = NULL;
	struct telegram_call *call = xcalloc(1, sizeof(*call));
	char *url = xasprintf("%s/bot%s/%s", api->url, api->token, request->method);
	struct http_request http = {
		.method = "POST",
		.url = url,
		.has_body = true,
		.idle_ms = request->wait_ms ? request->wait_ms : TELEGRAM_CALL_MS,
	};
	int failed;

	call->function = function;
	call->data = data;
	call->head = call->tail = BUF_INIT;
	call->reply = BUF_INIT_MAX(REPLY_MAX);
	call->file = request->field ? request->file : -1;
	if (request->field)
		type = form_body(call, request);
	else
		json_write_ours(parameters, false, &call->head);
	http.content_type = type ? type : "application/json";
	http.length = (int64_t)(call->head.len + call->tail.len) + call->file_left;
	failed =
		http_start(api->network, &http, &call_handlers, call, &call->transfer, err) < 0;
	telegram_forget(url);
	if (failed) {
		free_call(call);
		return -1;
	}
	*ret_call = call;
	return 0;
}
