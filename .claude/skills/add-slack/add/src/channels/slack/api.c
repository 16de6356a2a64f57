#include "channels/slack/api.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "format/json.h"
#include "net/http_call.h"
#include "net/retry_after.h"
#include "time/timestamp.h"

#define CALL_MS       30000
#define DEFAULT_RETRY 5000

struct slack_call {
	struct http_call *http;
	slack_call_function function;
	void *data;
};

const char *slack_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

/* --- tokens ------------------------------------------------------------------ */

/* Anything else has no place in a header. */
static bool is_token(const char *token, const char *prefix)
{
	if (strncmp(token, prefix, strlen(prefix)) != 0 || !token[strlen(prefix)])
		return false;
	for (; *token; token++)
		if (!isalnum((unsigned char)*token) && *token != '-')
			return false;
	return true;
}

static void forget_text(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

int slack_api_init(struct slack_api *api, struct network *network, const char *url,
	const char *bot_token, const char *app_token, struct error *err)
{
	size_t len;

	if (!is_token(bot_token, "xoxb-"))
		return error_set(err, ERROR_INVALID,
			"SLACK_BOT_TOKEN is not a token like 'xoxb-…', which the page 'OAuth & "
			"Permissions' of the app shows");
	if (!is_token(app_token, "xapp-"))
		return error_set(err, ERROR_INVALID,
			"SLACK_APP_TOKEN is not a token like 'xapp-…', which the page 'Basic "
			"Information' of the app makes");
	if (!url)
		url = SLACK_API_URL;
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return error_set(
			err, ERROR_INVALID, "SLACK_API_URL must begin with 'https://'");
	for (len = strlen(url); url[len - 1] == '/';)
		len--;
	api->network = network;
	api->url = xmemdupz(url, len);
	api->credentials[SLACK_BOT] = xasprintf("Authorization: Bearer %s", bot_token);
	api->credentials[SLACK_APP] = xasprintf("Authorization: Bearer %s", app_token);
	return 0;
}

void slack_api_release(struct slack_api *api)
{
	free(api->url);
	forget_text(api->credentials[SLACK_BOT]);
	forget_text(api->credentials[SLACK_APP]);
	*api = (struct slack_api){0};
}

bool slack_api_is_own(const struct slack_api *api, const char *url)
{
	const char *host = strstr(api->url, "://") + 3;
	size_t len = strcspn(host, "/");
	CLEANUP(freep) char *same = xasprintf("%.*s/", (int)(host + len - api->url), api->url);
	CLEANUP(freep) char *files = xasprintf("https://files.%.*s/", (int)len, host);

	return !strncmp(url, same, strlen(same)) || !strncmp(url, files, strlen(files));
}

/* --- replies ----------------------------------------------------------------- */

static enum slack_outcome outcome_of_error(const char *error)
{
	static const struct {
		const char *error;
		enum slack_outcome outcome;
	} known[] = {
		{"account_inactive", SLACK_NO_TOKEN},
		{"app_uninstalled", SLACK_NO_TOKEN},
		{"fatal_error", SLACK_BUSY},
		{"internal_error", SLACK_BUSY},
		{"invalid_auth", SLACK_NO_TOKEN},
		{"not_allowed_token_type", SLACK_NO_TOKEN},
		{"not_authed", SLACK_NO_TOKEN},
		{"rate_limited", SLACK_LATER},
		{"ratelimited", SLACK_LATER},
		{"request_timeout", SLACK_BUSY},
		{"service_unavailable", SLACK_BUSY},
		{"team_added_to_org", SLACK_BUSY},
		{"token_expired", SLACK_NO_TOKEN},
		{"token_revoked", SLACK_NO_TOKEN},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].error, error))
			return known[i].outcome;
	return SLACK_REFUSED;
}

static void take_http_reply(void *data, const struct http_reply *http, const char *why)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	CLEANUP(freep) struct slack_call *call = data;
	struct slack_reply reply = {.outcome = SLACK_UNANSWERED, .error = why};
	char status[32];

	if (!http) {
		call->function(call->data, &reply);
		return;
	}
	snprintf(status, sizeof(status), "HTTP status %d", http->status);
	/* A proxy, or a network that wants a password first, says anything. */
	if (http_reply_json(http, &document, &ignored) < 0)
		document = NULL;
	reply.document = document;
	reply.error = slack_text(document, "error");
	reply.needed = slack_text(document, "needed");
	reply.scopes = http_answer_header(http->answer, "x-oauth-scopes");
	if (http->status == 429)
		reply.outcome = SLACK_LATER;
	else if (http->status == 200 && !document)
		reply.outcome = SLACK_UNREADABLE;
	else if (json_is_true(json_object_get(document, "ok")))
		reply.outcome = SLACK_DONE;
	else if (reply.error)
		reply.outcome = outcome_of_error(reply.error);
	if (!reply.error && reply.outcome != SLACK_DONE)
		reply.error = status;
	if (reply.outcome == SLACK_LATER) {
		struct view header = http_answer_header(http->answer, "retry-after");

		reply.retry_after_ms =
			header.data ? retry_after_ms(header, timestamp_clock()) : -1;
		if (reply.retry_after_ms <= 0)
			reply.retry_after_ms = DEFAULT_RETRY;
	}
	call->function(call->data, &reply);
}

bool slack_reply_is(const struct slack_reply *reply, const char *const *errors)
{
	for (; *errors; errors++)
		if (!strcmp(reply->error, *errors))
			return true;
	return false;
}

char *slack_reply_refusal(const struct slack_reply *reply)
{
	static const struct {
		const char *error;
		const char *words;
	} known[] = {
		{"channel_not_found", "Slack does not know this chat, or the app is not in it"},
		{"is_archived", "the chat is archived"},
		{"missing_scope", "the app lacks a scope"},
		{"not_in_channel", "the app is not in the chat: invite it"},
		{"restricted_action", "the workspace does not allow the app to write there"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].error, reply->error))
			return xasprintf("%s (%s%s%s)", known[i].words, reply->error,
				reply->needed ? " " : "", reply->needed ? reply->needed : "");
	return xasprintf("Slack refuses it (%s)", reply->error);
}

/* --- calls ------------------------------------------------------------------- */

static void append_encoded(struct buf *form, const char *text)
{
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || strchr("-._~", *text))
			buf_append_char(form, *text);
		else
			buf_appendf(form, "%%%02X", (unsigned char)*text);
}

static void append_form(struct buf *form, json_t *parameters)
{
	const char *name;
	json_t *value;

	json_object_foreach(parameters, name, value) {
		CLEANUP(freep)
		char *text = json_is_string(value) ? xstrdup(json_string_value(value))
						   : json_dumps(value, JSON_ENCODE_ANY);

		if (form->len)
			buf_append_char(form, '&');
		append_encoded(form, name);
		buf_append_char(form, '=');
		append_encoded(form, text);
	}
}

int slack_call(const struct slack_api *api, enum slack_token token, const char *method,
	json_t *parameters, slack_call_function function, void *data,
	struct slack_call **ret_call, struct error *err)
{
	CLEANUP(json_decrefp) json_t *taken = parameters;
	CLEANUP(buf_release) struct buf form = BUF_INIT;
	CLEANUP(freep) struct slack_call *call = xcalloc(1, sizeof(*call));
	CLEANUP(freep) char *url = xasprintf("%s/%s", api->url, method);
	const char *const headers[] = {api->credentials[token], NULL};
	struct http_call_request request = {
		.http = {.method = "POST",
			.url = url,
			.headers = headers,
			.content_type = "application/x-www-form-urlencoded",
			.total_ms = CALL_MS},
	};

	append_form(&form, taken);
	request.body = view_of_buf(&form);
	call->function = function;
	call->data = data;
	if (http_call(api->network, &request, take_http_reply, call, &call->http, err) < 0)
		return -1;
	*ret_call = TAKE(call);
	return 0;
}

void slack_call_cancel(struct slack_call *call)
{
	http_call_cancel(call->http);
	free(call);
}
