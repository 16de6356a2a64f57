#include "channels/telegram/api.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "format/json.h"
#include "net/http_call.h"
#include "net/retry_after.h"
#include "time/timestamp.h"

/* Beyond this, a double is not exact. Ids of Telegram have at most 52 bits. */
#define NUMBER_MAX 9007199254740992.0

struct telegram_call {
	struct http_call *http;
	telegram_call_function function;
	void *data;
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
			"TELEGRAM_BOT_TOKEN is not a token like '123456:ABC…', which @BotFather "
			"gives");
	if (!url)
		url = API_URL;
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return error_set(
			err, ERROR_INVALID, "TELEGRAM_API_URL must begin with 'https://'");
	for (len = strlen(url); url[len - 1] == '/';)
		len--;
	api->network = network;
	api->address = xasprintf("%.*s/bot%s/", (int)len, url, token);
	return 0;
}

void telegram_api_release(struct telegram_api *api)
{
	if (api->address)
		explicit_bzero(api->address, strlen(api->address));
	free(api->address);
	*api = (struct telegram_api){0};
}

/* --- replies ----------------------------------------------------------------- */

static int64_t retry_after(const struct http_reply *reply, const json_t *parameters)
{
	struct view header = http_answer_header(reply->answer, "retry-after");
	int64_t seconds = telegram_number(parameters, "retry_after");

	if (seconds > 0)
		return seconds * 1000 < RETRY_AFTER_MAX_MS ? seconds * 1000
							   : RETRY_AFTER_MAX_MS;
	return header.data ? retry_after_ms(header, timestamp_clock()) : -1;
}

static void take_http_reply(void *data, const struct http_reply *reply, const char *why)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	CLEANUP(freep) struct telegram_call *call = data;
	char status[32];
	struct telegram_reply answer = {.description = why, .retry_after_ms = -1};
	const json_t *parameters;

	if (!reply) {
		call->function(call->data, &answer);
		return;
	}
	snprintf(status, sizeof(status), "HTTP status %d", reply->status);
	/* A proxy, or a network that wants a password first, says anything. */
	if (http_reply_json(reply, &document, &ignored) < 0)
		document = NULL;
	parameters = json_object_get(document, "parameters");
	answer.body = reply->body;
	answer.description = telegram_text(document, "description");
	if (!answer.description)
		answer.description = status;
	if (json_is_true(json_object_get(document, "ok"))) {
		answer.code = 200;
		answer.result = json_object_get(document, "result");
	} else {
		answer.code = (int)telegram_number(document, "error_code");
	}
	if (reply->status == 429)
		answer.code = 429;
	answer.migrate_to = telegram_number(parameters, "migrate_to_chat_id");
	if (answer.code == 429)
		answer.retry_after_ms = retry_after(reply, parameters);
	call->function(call->data, &answer);
}

int telegram_call(const struct telegram_api *api, const char *method, json_t *parameters,
	uint64_t wait_ms, telegram_call_function function, void *data,
	struct telegram_call **ret_call, struct error *err)
{
	struct telegram_call *call = xcalloc(1, sizeof(*call));
	char *url = xasprintf("%s%s", api->address, method);
	struct http_call_request request = {
		.http = {.method = "POST", .url = url, .idle_ms = wait_ms, .total_ms = wait_ms},
		.json = parameters,
	};
	int failed;

	call->function = function;
	call->data = data;
	failed = http_call(api->network, &request, take_http_reply, call, &call->http, err) < 0;
	explicit_bzero(url, strlen(url));
	free(url);
	if (failed) {
		free(call);
		return -1;
	}
	*ret_call = call;
	return 0;
}

void telegram_call_cancel(struct telegram_call *call)
{
	http_call_cancel(call->http);
	free(call);
}
