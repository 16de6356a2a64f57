#include "agent/native/wire/failure.h"

#include <string.h>
#include <strings.h>

#include "agent/native/wire/wire.h"
#include "base/error.h"
#include "base/utf8.h"
#include "format/json.h"

#define MAX_DETAIL 300

static bool failure_says(struct view text, const char *const *words)
{
	CLEANUP(freep) char *string = xmemdupz(text.data, text.len);

	for (; *words; words++)
		if (strcasestr(string, *words))
			return true;
	return false;
}

#define SAYS(text, ...) failure_says((text), (const char *const[]){__VA_ARGS__, NULL})

static bool failure_is_quota(int status, struct view text)
{
	return status == 402 ||
	       SAYS(text, "insufficient_quota", "exceeded your current quota", "credit balance",
		       "insufficient balance", "billing", "insufficient credits",
		       "out of credits", "quota exceeded for the month");
}

static bool failure_is_too_long(int status, struct view text)
{
	return status == 413 ||
	       SAYS(text, "context length", "context_length", "context window", "context size",
		       "maximum context", "prompt is too long", "prompt too long",
		       "input is too long", "too many tokens",
		       "exceeds the maximum number of tokens", "reduce the length",
		       "maximum prompt length", "exceed_context_size", "request_too_large",
		       "input length and `max_tokens` exceed",
		       "tokens in request more than max tokens");
}

enum failure_kind failure_of(int status, struct view text)
{
	if (failure_is_quota(status, text))
		return FAILURE_QUOTA;
	if (failure_is_too_long(status, text))
		return FAILURE_TOO_LONG;
	if (SAYS(text, "does not support tools", "support tool use", "tools are not supported",
		    "tool use is not supported", "does not support function",
		    "tool calling is not supported"))
		return FAILURE_NO_TOOLS;
	if (status == 401 ||
		SAYS(text, "authentication_error", "invalid_api_key", "invalid api key"))
		return FAILURE_KEY;
	if (status == 429 || status == 529 || status == 503 ||
		SAYS(text, "overloaded", "rate_limit", "rate limit", "too many requests"))
		return FAILURE_BUSY;
	if (SAYS(text, "model_not_found", "model not found", "not a valid model",
		    "unknown model", "invalid model", "model does not exist",
		    "no such model") ||
		(SAYS(text, "model") && SAYS(text, "not found", "does not exist", "not_found")))
		return FAILURE_MODEL;
	if (status == 403)
		return FAILURE_FORBIDDEN;
	if (status == 404)
		return FAILURE_MODEL;
	if (status == 502 || status == 504)
		return FAILURE_AWAY;
	if (status < 400 || status == 408 || status == 409 || status == 425 || status >= 500)
		return FAILURE_BROKEN;
	if ((status == 400 || status == 422) &&
		SAYS(text, "stream_options", "max_tokens", "max_completion_tokens"))
		return FAILURE_OPTION;
	return FAILURE_REFUSED;
}

char *failure_message(struct view body)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	CLEANUP(json_decrefp) json_t *valid = NULL;
	const json_t *error;
	struct view text = view_trim(body);

	if (json_read(body, "answer", body.len + 1, &json, &ignored) == 0) {
		error = json_object_get(json, "error");
		if (json_is_string(error))
			text = view_of(json_string_value(error));
		else if (*wire_text(error, "message"))
			text = view_of(wire_text(error, "message"));
		else if (*wire_text(json, "message"))
			text = view_of(wire_text(json, "message"));
		else if (*wire_text(json, "detail"))
			text = view_of(wire_text(json, "detail"));
	}
	if (text.len > MAX_DETAIL)
		text.len = MAX_DETAIL;
	valid = json_text(text);
	return xstrdup(json_string_value(valid));
}

char *failure_advice(
	enum failure_kind kind, const char *provider, const char *model, const char *detail)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	switch (kind) {
	case FAILURE_KEY:
		buf_appendf(&text,
			"%s does not accept the API key. Whoever runs this assistant can check "
			"the key with 'nanoclaw doctor' and set a new one with 'nanoclaw "
			"setup'.",
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
			"The credit or quota at %s is used up, so I cannot answer. It has to be "
			"topped up there, or another model has to be chosen with 'nanoclaw "
			"setup'.",
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
	default:
		buf_appendf(&text, "%s refused the request.", provider);
		break;
	}
	if (detail && *detail)
		buf_appendf(&text, " (It says: %s)", detail);
	return buf_take(&text);
}
