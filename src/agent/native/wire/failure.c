#include "agent/native/wire/failure.h"

#include <string.h>
#include <strings.h>

#include "agent/native/wire/wire.h"
#include "base/error.h"
#include "format/json.h"

#define MAX_DETAIL 300  /* bytes of a message that a person sees … */
#define MAX_SEARCH 2000 /* … and that are searched for words */

/* An error as servers report it; the texts belong to `json` or to the body. */
struct report {
	json_t *json; /* NULL: it is not JSON */
	int status;   /* of HTTP, or the number that the report has; 0: neither */
	const char *code;
	const char *type;
	const char *param; /* the member of the request that it is about */
	struct view message;
};

/* --- reading ----------------------------------------------------------------- */

/* {"error":{…}}, {"error":"…"}, {"message":"…"}, {"detail":"…"}, or a plain text. */
static void report_read(struct report *report, int status, struct view body)
{
	static const char *const messages[] = {"message", "detail", "error"};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const json_t *error;
	double number;

	*report = (struct report){.status = status, .message = view_trim(body)};
	if (json_read(body, "answer", body.len + 1, &report->json, &ignored) < 0) {
		/* A page for people: its words are about anything. */
		if (view_starts_with(report->message, "<"))
			report->message.len = 0;
		report->code = report->type = report->param = "";
		return;
	}
	error = json_object_get(report->json, "error");
	if (!json_is_object(error))
		error = report->json;
	number = json_number_value(json_object_get(error, "code"));
	report->code = json_member(error, "code");
	report->type = json_member(error, "type");
	report->param = json_member(error, "param");
	if (!report->status && number >= 400 && number < 600)
		report->status = (int)number;
	report->message.len = 0;
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		if (*json_member(error, messages[i])) {
			report->message = view_of(json_member(error, messages[i]));
			return;
		}
	}
}

static char *report_message(const struct report *report)
{
	struct view text = report->message;
	CLEANUP(json_decrefp) json_t *valid = NULL;

	if (text.len > MAX_DETAIL)
		text.len = MAX_DETAIL;
	valid = json_text(text);
	return xstrdup(json_string_value(valid));
}

/* --- the meaning ------------------------------------------------------------- */

/* Codes and types that mean the same everywhere; others, such as "api_error", do not. */
static enum failure_kind report_named(const struct report *report)
{
	static const struct {
		const char *name;
		enum failure_kind kind;
	} names[] = {
		{"authentication_error", FAILURE_KEY},
		{"billing_error", FAILURE_QUOTA},
		{"billing_hard_limit_reached", FAILURE_QUOTA},
		{"context_length_exceeded", FAILURE_TOO_LONG},
		{"exceed_context_size_error", FAILURE_TOO_LONG},
		{"insufficient_quota", FAILURE_QUOTA},
		{"invalid_api_key", FAILURE_KEY},
		{"model_not_found", FAILURE_MODEL},
		{"overloaded_error", FAILURE_BUSY},
		{"rate_limit_error", FAILURE_BUSY},
		{"rate_limit_exceeded", FAILURE_BUSY},
		{"request_too_large", FAILURE_TOO_LONG},
		{"timeout_error", FAILURE_BROKEN},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcasecmp(names[i].name, report->code))
			return names[i].kind;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcasecmp(names[i].name, report->type))
			return names[i].kind;
	return FAILURE_NONE;
}

/* Many servers report everything as "invalid request", and only the message tells them apart. */
static enum failure_kind report_worded(const struct report *report)
{
	static const struct {
		const char *words;
		enum failure_kind kind;
	} table[] = {
		{"exceeded your current quota", FAILURE_QUOTA},
		{"credit balance", FAILURE_QUOTA},
		{"insufficient balance", FAILURE_QUOTA},
		{"insufficient credits", FAILURE_QUOTA},
		{"out of credits", FAILURE_QUOTA},
		{"context length", FAILURE_TOO_LONG},
		{"context limit", FAILURE_TOO_LONG},
		{"context size", FAILURE_TOO_LONG},
		{"context window", FAILURE_TOO_LONG},
		{"input is too long", FAILURE_TOO_LONG},
		{"maximum number of tokens", FAILURE_TOO_LONG},
		{"maximum prompt length", FAILURE_TOO_LONG},
		{"prompt is too long", FAILURE_TOO_LONG},
		{"prompt too long", FAILURE_TOO_LONG},
		{"reduce the length", FAILURE_TOO_LONG},
		{"too many tokens", FAILURE_TOO_LONG},
		{"does not support function", FAILURE_NO_TOOLS},
		{"does not support tools", FAILURE_NO_TOOLS},
		{"support tool use", FAILURE_NO_TOOLS},
		{"tool calling is not supported", FAILURE_NO_TOOLS},
		{"tool use is not supported", FAILURE_NO_TOOLS},
		{"tools are not supported", FAILURE_NO_TOOLS},
		{"api key not valid", FAILURE_KEY},
		{"invalid api key", FAILURE_KEY},
		{"overloaded", FAILURE_BUSY},
		{"rate limit", FAILURE_BUSY},
		{"too many requests", FAILURE_BUSY},
		{"invalid model", FAILURE_MODEL},
		{"model does not exist", FAILURE_MODEL},
		{"model not found", FAILURE_MODEL},
		{"no such model", FAILURE_MODEL},
		{"not a valid model", FAILURE_MODEL},
		{"unknown model", FAILURE_MODEL},
	};
	size_t len = report->message.len < MAX_SEARCH ? report->message.len : MAX_SEARCH;
	CLEANUP(freep) char *text = xmemdupz(report->message.data, len);

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strcasestr(text, table[i].words))
			return table[i].kind;
	if (strcasestr(text, "model") &&
		(strcasestr(text, "not found") || strcasestr(text, "does not exist")))
		return FAILURE_MODEL;
	if ((report->status == 400 || report->status == 422) &&
		(!*report->param || strcasestr(text, report->param)) &&
		(strstr(text, "max_tokens") || strstr(text, "max_completion_tokens") ||
			strstr(text, "stream_options")))
		return FAILURE_OPTION;
	return FAILURE_NONE;
}

/* The meaning of the status alone, if the report has nothing better. */
static enum failure_kind report_usual(int status)
{
	switch (status) {
	case 429:
	case 503:
	case 529:
		return FAILURE_BUSY;
	case 502:
	case 504:
		return FAILURE_AWAY;
	case 403:
		return FAILURE_FORBIDDEN;
	case 404:
		return FAILURE_MODEL;
	case 408:
	case 409:
	case 425:
		return FAILURE_BROKEN;
	default:
		return status < 400 || status >= 500 ? FAILURE_BROKEN : FAILURE_REFUSED;
	}
}

enum failure_kind failure_of(int status, struct view body, char **ret_message)
{
	struct report report;
	enum failure_kind kind;

	report_read(&report, status, body);
	kind = report.status == 401   ? FAILURE_KEY
	       : report.status == 402 ? FAILURE_QUOTA
	       : report.status == 413 ? FAILURE_TOO_LONG
				      : report_named(&report);
	if (kind == FAILURE_NONE)
		kind = report_worded(&report);
	if (kind == FAILURE_NONE)
		kind = report_usual(report.status);
	*ret_message = report_message(&report);
	json_decref(report.json);
	return kind;
}

/* --- advice ------------------------------------------------------------------ */

char *failure_advice(
	enum failure_kind kind, const char *provider, const char *model, const char *detail)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	switch (kind) {
	case FAILURE_KEY:
		buf_appendf(&text,
			"%s does not accept the API key. 'nanoclaw doctor' checks the key, and "
			"'nanoclaw setup' sets a new one.",
			provider);
		break;
	case FAILURE_FORBIDDEN:
		buf_appendf(&text,
			"I may not use %s for this: the API key is not allowed to, or a limit "
			"is reached.",
			provider);
		break;
	case FAILURE_QUOTA:
		buf_appendf(&text,
			"The credit or quota at %s is used up, so I cannot answer. "
			"Top it up there, or choose another model with 'nanoclaw setup'.",
			provider);
		break;
	case FAILURE_MODEL:
		buf_appendf(&text,
			"%s does not have the model '%s'. Choose one that it has with "
			"'nanoclaw setup'; for Ollama, 'ollama pull %s' downloads it.",
			provider, model, model);
		break;
	case FAILURE_NO_TOOLS:
		buf_appendf(&text,
			"The model '%s' at %s cannot use tools, which I need. Choose a model "
			"that can with 'nanoclaw setup'.",
			model, provider);
		break;
	case FAILURE_AWAY:
		buf_appendf(&text,
			"I cannot reach %s, where my model runs. Is it started, and is its "
			"address right? 'nanoclaw doctor' checks it.",
			provider);
		break;
	case FAILURE_BUSY:
		buf_appendf(&text,
			"%s is overloaded or wants fewer requests. Please ask again later.",
			provider);
		break;
	case FAILURE_TOO_LONG:
		buf_appendf(&text,
			"This is too long for the model '%s', even after I have shortened our "
			"conversation. Please send less at once, or choose a model with a "
			"larger context window.",
			model);
		break;
	case FAILURE_SMALL:
		buf_appendf(&text,
			"The window of the model '%s' at %s is too small for me to work in. %s "
			"Raise its context length there (for Ollama that is num_ctx or "
			"OLLAMA_CONTEXT_LENGTH), or choose a model with a larger one with "
			"'nanoclaw setup'.",
			model, provider, detail);
		return buf_take(&text);
	default:
		buf_appendf(&text, "%s refused the request.", provider);
		break;
	}
	if (detail && *detail)
		buf_appendf(&text, " (It says: %s)", detail);
	return buf_take(&text);
}
