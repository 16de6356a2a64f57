#include "channels/linear/api.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "format/json.h"
#include "net/http_call.h"
#include "net/retry_after.h"
#include "time/timestamp.h"

#define CALL_MS       30000
#define DEFAULT_RETRY 60000
#define LONGEST_RETRY ((int64_t)60 * 60 * 1000) /* limits are counted by the hour */

/* With fewer calls left, those that can wait do. */
#define SCARCE 50

/* Farther off than this, our clock would not do for certificates either. */
#define MOST_SKEW ((int64_t)12 * 60 * 60 * 1000)

struct linear_call {
	struct http_call *http;
	linear_call_function function;
	void *data;
};

const char *linear_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

int64_t linear_time(const json_t *object, const char *name)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *text = linear_text(object, name);
	int64_t ms;

	return text && timestamp_parse(view_of(text), &ms, &ignored) == 0 ? ms : 0;
}

/* --- the key ----------------------------------------------------------------- */

/* "lin_api_…" of a person, "lin_oauth_…" of an app: anything odd has no place in a header. */
static bool is_key(const char *key)
{
	for (const char *c = key; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
			return false;
	return *key;
}

int linear_api_init(struct linear_api *api, struct network *network, const char *url,
	const char *key, struct error *err)
{
	bool of_app = !strncmp(key, "lin_oauth_", strlen("lin_oauth_"));

	if (!is_key(key))
		return error_set(err, ERROR_INVALID,
			"LINEAR_API_KEY is not a key like 'lin_api_…', which Linear makes under "
			"'Settings', 'Security & access'");
	if (!url)
		url = LINEAR_API_URL;
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return error_set(
			err, ERROR_INVALID, "LINEAR_API_URL must begin with 'https://'");
	*api = (struct linear_api){network, xstrdup(url),
		xasprintf("Authorization: %s%s", of_app ? "Bearer " : "", key)};
	return 0;
}

void linear_api_release(struct linear_api *api)
{
	free(api->url);
	if (api->credential)
		explicit_bzero(api->credential, strlen(api->credential));
	free(api->credential);
	*api = (struct linear_api){0};
}

/* --- replies ----------------------------------------------------------------- */

static int64_t reply_number(const struct http_reply *http, const char *name)
{
	struct view header = http_answer_header(http->answer, name);
	int64_t number = 0;

	if (!header.len || header.len > 15)
		return -1;
	for (size_t i = 0; i < header.len; i++) {
		if (!isdigit((unsigned char)header.data[i]))
			return -1;
		number = number * 10 + (header.data[i] - '0');
	}
	return number;
}

/* Until Linear counts anew: what it says, in whichever header, within reason. */
static int64_t reply_wait(const struct http_reply *http)
{
	struct view header = http_answer_header(http->answer, "retry-after");
	int64_t now = timestamp_clock();
	int64_t wait = header.data ? retry_after_ms(header, now) : -1;
	int64_t reset = reply_number(http, "x-ratelimit-requests-reset");

	if (wait <= 0)
		wait = reset > now ? reset - now : DEFAULT_RETRY;
	return wait < LONGEST_RETRY ? wait : LONGEST_RETRY;
}

static bool reply_is_scarce(const struct http_reply *http)
{
	int64_t left = reply_number(http, "x-ratelimit-requests-remaining");

	return left >= 0 && left < SCARCE;
}

static int64_t reply_clock(const struct http_reply *http)
{
	struct view date = http_answer_header(http->answer, "date");
	int64_t early = timestamp_clock() - MOST_SKEW;
	int64_t ahead = date.len > 4 ? retry_after_ms(date, early) : -1;

	return ahead >= 0 ? early + ahead : 0;
}

static enum linear_outcome reply_outcome(const struct http_reply *http, const json_t *error)
{
	const json_t *extensions = json_object_get(error, "extensions");
	const char *code = linear_text(extensions, "code");
	const char *message = linear_text(error, "message");

	if (!code)
		code = "";
	if (http->status == 429 || !strcmp(code, "RATELIMITED"))
		return LINEAR_LATER;
	if (http->status == 401 || !strcmp(code, "AUTHENTICATION_ERROR"))
		return LINEAR_NO_KEY;
	if (!strcmp(code, "INPUT_ERROR") || !strcmp(code, "FORBIDDEN") ||
		(message && strcasestr(message, "not found")))
		return LINEAR_REFUSED;
	/* Also if our documents do not fit a newer API: nothing may be passed over for that. */
	return LINEAR_BUSY;
}

static void take_http_reply(void *data, const struct http_reply *http, const char *why)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	CLEANUP(freep) struct linear_call *call = data;
	struct linear_reply reply = {.outcome = LINEAR_UNANSWERED, .error = why};
	const json_t *error;
	const char *words;
	char status[64];

	if (!http) {
		call->function(call->data, &reply);
		return;
	}
	/* A proxy, or a network that wants a password first, says anything. */
	if (http_reply_json(http, &document, &ignored) < 0)
		document = NULL;
	error = json_array_get(json_object_get(document, "errors"), 0);
	reply.data = json_object_get(document, "data");
	reply.clock = reply_clock(http);
	if (http->status == 200 && !error && json_is_object(reply.data)) {
		reply.outcome = LINEAR_DONE;
		reply.error = NULL;
		reply.wait_ms = reply_is_scarce(http) ? reply_wait(http) : 0;
		call->function(call->data, &reply);
		return;
	}
	snprintf(status, sizeof(status), "HTTP status %d%s", http->status,
		document ? "" : ", without JSON");
	words = linear_text(json_object_get(error, "extensions"), "userPresentableMessage");
	if (!words)
		words = linear_text(error, "message");
	reply.data = NULL;
	reply.error = words ? words : status;
	/* What is not Linear's does not refuse anything. */
	reply.outcome =
		error || http->status != 200 ? reply_outcome(http, error) : LINEAR_UNANSWERED;
	if (reply.outcome == LINEAR_LATER)
		reply.wait_ms = reply_wait(http);
	call->function(call->data, &reply);
}

/* --- calls ------------------------------------------------------------------- */

int linear_call(const struct linear_api *api, const char *document, json_t *variables,
	linear_call_function function, void *data, struct linear_call **ret_call,
	struct error *err)
{
	CLEANUP(freep) struct linear_call *call = xcalloc(1, sizeof(*call));
	const char *const headers[] = {api->credential, NULL};
	struct http_call_request request = {
		.http = {.method = "POST",
			.url = api->url,
			.headers = headers,
			.total_ms = CALL_MS},
		.json = json_pack("{s:s, s:o}", "query", document, "variables",
			variables ? variables : json_object()),
	};

	call->function = function;
	call->data = data;
	if (http_call(api->network, &request, take_http_reply, call, &call->http, err) < 0)
		return -1;
	*ret_call = TAKE(call);
	return 0;
}

void linear_call_cancel(struct linear_call *call)
{
	http_call_cancel(call->http);
	free(call);
}
