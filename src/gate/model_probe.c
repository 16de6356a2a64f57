#include "gate/model_probe.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "format/json.h"
#include "gate/echo.h"
#include "net/http_call.h"
#include "net/network.h"

#define ANSWER_MAX ((size_t)8 * 1024 * 1024)
#define LIMIT_MS   120000
#define MAX_MODELS 2000
#define MAX_NAMED  8   /* models in a hint */
#define MAX_SHOWN  200 /* bytes of a server's message */

/* Plausible values of a server's context size. */
#define LEAST_CONTEXT 1024.0
#define MOST_CONTEXT  100000000.0

void model_entries_release(struct model_entries *entries)
{
	for (size_t i = 0; i < entries->count; i++)
		free(entries->list[i].name);
	free(entries->list);
	*entries = (struct model_entries){0};
}

const struct model_entry *model_entries_find(
	const struct model_entries *entries, const char *name)
{
	for (size_t i = 0; i < entries->count; i++)
		if (!strcmp(entries->list[i].name, name))
			return &entries->list[i];
	return NULL;
}

/* --- one call ---------------------------------------------------------------- */

struct exchange {
	int status;         /* 0: there was no answer */
	struct buf why;     /* the reason, from the server or the network */
	struct buf shown;   /* the same, for people */
	json_t *json;       /* of the answer, or NULL */
	const char *secret; /* that must not be shown */
};

static void exchange_release(struct exchange *exchange)
{
	buf_release(&exchange->why);
	buf_release(&exchange->shown);
	json_decref(exchange->json);
}

/* {"error": {"message": …}}, {"error": "…"}, {"message": …}, {"detail": …} */
static const char *complaint_of(const json_t *json)
{
	const json_t *error = json_object_get(json, "error");
	const char *texts[] = {
		json_string_value(json_object_get(error, "message")),
		json_string_value(error),
		json_string_value(json_object_get(json, "message")),
		json_string_value(json_object_get(json, "detail")),
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i] && *texts[i])
			return texts[i];
	return "";
}

/* Shown is its first line, without the key, and with letters that a terminal may get. */
static void complaint_note(struct exchange *exchange, const char *text)
{
	struct echo echo = {.secret = (char *)(uintptr_t)exchange->secret};

	echo_mask(&echo, view_of(text), &exchange->why);
	echo_end(&echo, &exchange->why);
	for (const char *c = exchange->why.data; *c && *c != '\r' && *c != '\n'; c++) {
		if (exchange->shown.len == MAX_SHOWN) {
			buf_append_str(&exchange->shown, "...");
			break;
		}
		buf_append_char(&exchange->shown, (char)(*c >= ' ' && *c <= '~' ? *c : '?'));
	}
}

static void exchange_take_reply(void *data, const struct http_reply *reply, const char *why)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct exchange *exchange = data;

	if (!reply) {
		complaint_note(exchange, why);
		return;
	}
	exchange->status = reply->status;
	if (http_reply_json(reply, &exchange->json, &ignored) == 0)
		complaint_note(exchange, complaint_of(exchange->json));
}

static char *credential_line(const struct credential *credential)
{
	if (credential->kind == CREDENTIAL_NONE)
		return NULL;
	return xasprintf("%s%s",
		credential->kind == CREDENTIAL_KEY ? "x-api-key: " : "authorization: Bearer ",
		credential->value);
}

/* On a loop that ends with it. `body` is taken; NULL: a GET. */
static int exchange_run(const struct model_probe *probe, const char *path, json_t *body,
	struct exchange *exchange, struct error *err)
{
	CLEANUP(freep) char *origin = api_address_origin(probe->address);
	CLEANUP(freep) char *prefix = provider_path(probe->provider, probe->address);
	CLEANUP(freep) char *url = xasprintf("%s%s%s", origin, prefix, path);
	char *key = credential_line(&probe->credential);
	bool oauth = probe->credential.kind == CREDENTIAL_OAUTH;
	const char *headers[4] = {0};
	struct http_call_request request = {
		.http = {.method = body ? "POST" : "GET",
			.url = url,
			.headers = headers,
			.total_ms = probe->limit_ms ? probe->limit_ms : LIMIT_MS},
		.json = body,
		.max_body = ANSWER_MAX,
	};
	struct network *network;
	struct http_call *call;
	size_t count = 0;
	uv_loop_t loop;
	int result;

	if (probe->provider->protocol == API_ANTHROPIC)
		headers[count++] = "anthropic-version: 2023-06-01";
	if (oauth)
		headers[count++] = "anthropic-beta: oauth-2025-04-20";
	headers[count++] = key;
	exchange->secret = probe->credential.value;
	uv_loop_init(&loop);
	network_new(&(struct network_options){&loop, probe->ca_file}, &network);
	result = http_call(network, &request, exchange_take_reply, exchange, &call, err);
	uv_run(&loop, UV_RUN_DEFAULT);
	network_close(network);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
	credentials_wipe(key);
	return result;
}

/* --- in words ---------------------------------------------------------------- */

static bool exchange_mentions(const struct exchange *exchange, const char *word)
{
	return strcasestr(exchange->why.data, word);
}

static enum model_fault exchange_fault(const struct exchange *exchange)
{
	switch (exchange->status) {
	case 0:
		return MODEL_FAULT_ABSENT;
	case 401:
	case 403:
		return MODEL_FAULT_KEY;
	case 402:
		return MODEL_FAULT_MONEY;
	case 429:
		return exchange_mentions(exchange, "quota") ||
				       exchange_mentions(exchange, "billing") ||
				       exchange_mentions(exchange, "credit")
			       ? MODEL_FAULT_MONEY
			       : MODEL_FAULT_OTHER;
	default:
		if (exchange_mentions(exchange, "tool") ||
			exchange_mentions(exchange, "function call"))
			return MODEL_FAULT_TOOLS;
		return exchange->status == 404 || exchange_mentions(exchange, "model")
			       ? MODEL_FAULT_UNKNOWN
			       : MODEL_FAULT_OTHER;
	}
}

/* "a, b, c and 12 more" */
static char *entries_names(const struct model_entries *known)
{
	CLEANUP(buf_release) struct buf names = BUF_INIT;

	for (size_t i = 0; known && i < known->count && i < MAX_NAMED; i++)
		buf_appendf(&names, "%s%s", i ? ", " : "", known->list[i].name);
	if (known && known->count > MAX_NAMED)
		buf_appendf(&names, " and %zu more", known->count - MAX_NAMED);
	return buf_take(&names);
}

static int hint_absent(const struct model_probe *probe, struct error *err)
{
	if (!strcmp(probe->provider->name, "ollama"))
		return error_hint(
			err, "'ollama serve' starts it, 'ollama list' shows its models");
	if (!strcmp(probe->provider->name, "llamacpp"))
		return error_hint(err, "'llama-server --jinja -m MODEL.gguf' starts it");
	if (!strcmp(probe->provider->name, "lmstudio"))
		return error_hint(err, "start the server in LM Studio, under 'Developer'");
	if (!strcmp(probe->provider->name, "vllm"))
		return error_hint(err, "'vllm serve MODEL --enable-auto-tool-choice "
				       "--tool-call-parser PARSER' starts it");
	return error_hint(err, "check the address, and whether this machine is online");
}

static int hint_tools(const struct model_probe *probe, struct error *err)
{
	if (!strcmp(probe->provider->name, "llamacpp"))
		return error_hint(err, "start llama-server with '--jinja'");
	if (!strcmp(probe->provider->name, "vllm"))
		return error_hint(err, "start vllm with '--enable-auto-tool-choice' and "
				       "'--tool-call-parser'");
	return error_hint(err, "choose a model that can: its description says 'tools' or "
			       "'function calling'");
}

/* `model` is NULL where the list was asked for. */
static int exchange_refuse(struct model_probe *probe, const struct exchange *exchange,
	const char *model, const struct model_entries *known, struct error *err)
{
	CLEANUP(freep) char *origin = api_address_origin(probe->address);
	CLEANUP(freep) char *shown = quote(view_of(model ? model : ""));
	CLEANUP(freep) char *names = entries_names(known);
	const char *colon = exchange->shown.len ? ": " : "";

	probe->fault = exchange_fault(exchange);
	if (!model &&
		(probe->fault == MODEL_FAULT_TOOLS || probe->fault == MODEL_FAULT_UNKNOWN))
		probe->fault = MODEL_FAULT_OTHER;
	switch (probe->fault) {
	case MODEL_FAULT_ABSENT:
		error_set(err, ERROR_FAILED, "%s does not answer at %s%s%s", probe->title,
			origin, colon, exchange->shown.data);
		return hint_absent(probe, err);
	case MODEL_FAULT_KEY:
		if (probe->credential.kind == CREDENTIAL_NONE) {
			error_set(err, ERROR_FAILED, "%s wants a key (%d)%s%s", probe->title,
				exchange->status, colon, exchange->shown.data);
			return error_hint(err, "with '--key' it is read from standard input");
		}
		error_set(err, ERROR_FAILED, "%s refuses the key (%d)%s%s", probe->title,
			exchange->status, colon, exchange->shown.data);
		return error_hint(err, "copy the whole key again from your account");
	case MODEL_FAULT_MONEY:
		error_set(err, ERROR_FAILED, "%s has no credit left (%d)%s%s", probe->title,
			exchange->status, colon, exchange->shown.data);
		return error_hint(err, "add credit to your account there");
	case MODEL_FAULT_TOOLS:
		error_set(err, ERROR_FAILED, "the model %s cannot use tools (%d)%s%s", shown,
			exchange->status, colon, exchange->shown.data);
		return hint_tools(probe, err);
	case MODEL_FAULT_UNKNOWN:
		error_set(err, ERROR_FAILED, "%s has no model %s (%d)%s%s", probe->title, shown,
			exchange->status, colon, exchange->shown.data);
		return *names ? error_hint(err, "it has %s", names) : -1;
	default:
		error_set(err, ERROR_FAILED, "%s cannot answer (%d)%s%s", probe->title,
			exchange->status, colon, exchange->shown.data);
		return error_hint(err, "try again later, or choose another model");
	}
}

/* --- the list ---------------------------------------------------------------- */

static int64_t model_context(const json_t *model)
{
	static const char *const names[] = {
		"context_length", "context_window", "max_context_length", "max_model_len"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		double number = json_number_value(json_object_get(model, names[i]));

		if (number >= LEAST_CONTEXT && number <= MOST_CONTEXT)
			return (int64_t)number;
	}
	return 0;
}

static bool model_takes_images(const json_t *model)
{
	const json_t *kinds =
		json_object_get(json_object_get(model, "architecture"), "input_modalities");

	for (size_t i = 0; i < json_array_size(kinds); i++) {
		const char *kind = json_string_value(json_array_get(kinds, i));

		if (kind && !strcmp(kind, "image"))
			return true;
	}
	return json_is_true(json_object_get(json_object_get(model, "capabilities"), "vision"));
}

/* One that can be written to .env, in quotes. */
static bool is_name(const char *name)
{
	for (const char *c = name; *c; c++)
		if (*c <= ' ' || *c > '~' || strchr("'\"\\#", *c))
			return false;
	return *name && strlen(name) <= 256;
}

int model_probe_list(
	struct model_probe *probe, struct model_entries *ret_entries, struct error *err)
{
	CLEANUP(exchange_release)
	struct exchange exchange = {.why = BUF_INIT, .shown = BUF_INIT};
	struct model_entries entries = {0};
	const json_t *models;

	probe->fault = MODEL_FAULT_NONE;
	if (exchange_run(probe, "/models", NULL, &exchange, err) < 0)
		return -1;
	if (exchange.status != 200 && exchange.status != 404)
		return exchange_refuse(probe, &exchange, NULL, NULL, err);
	models = json_object_get(exchange.json, "data");
	for (size_t i = 0; i < json_array_size(models) && entries.count < MAX_MODELS; i++) {
		const json_t *model = json_array_get(models, i);
		const char *name = json_string_value(json_object_get(model, "id"));

		if (!name || !is_name(name))
			continue;
		GROW(entries.list, entries.count, entries.cap);
		entries.list[entries.count++] = (struct model_entry){
			xstrdup(name), model_context(model), model_takes_images(model)};
	}
	*ret_entries = entries;
	return 0;
}

/* --- the trial --------------------------------------------------------------- */

#define TRIAL_TEXT "Answer with the word OK."
#define TRIAL_TOOL "note"

static json_t *trial_body(enum api_protocol protocol, const char *model)
{
	json_t *schema = json_pack(
		"{s:s, s:{s:{s:s}}}", "type", "object", "properties", "text", "type", "string");

	if (protocol == API_ANTHROPIC)
		return json_pack("{s:s, s:i, s:[{s:s, s:s}], s:[{s:s, s:s, s:o}]}", "model",
			model, "max_tokens", 64, "messages", "role", "user", "content",
			TRIAL_TEXT, "tools", "name", TRIAL_TOOL, "description", "Keeps a note.",
			"input_schema", schema);
	return json_pack("{s:s, s:[{s:s, s:s}], s:[{s:s, s:{s:s, s:s, s:o}}]}", "model", model,
		"messages", "role", "user", "content", TRIAL_TEXT, "tools", "type", "function",
		"function", "name", TRIAL_TOOL, "description", "Keeps a note.", "parameters",
		schema);
}

int model_probe_try(struct model_probe *probe, const char *model,
	const struct model_entries *known, struct error *err)
{
	CLEANUP(exchange_release)
	struct exchange exchange = {.why = BUF_INIT, .shown = BUF_INIT};
	enum api_protocol protocol = probe->provider->protocol;
	const char *answer = protocol == API_ANTHROPIC ? "content" : "choices";

	probe->fault = MODEL_FAULT_NONE;
	if (!is_name(model)) {
		CLEANUP(freep) char *shown = quote(view_of(model));

		probe->fault = MODEL_FAULT_UNKNOWN;
		return error_set(err, ERROR_INVALID, "%s cannot be the name of a model", shown);
	}
	if (exchange_run(probe, protocol == API_ANTHROPIC ? "/messages" : "/chat/completions",
		    trial_body(protocol, model), &exchange, err) < 0)
		return -1;
	if (exchange.status != 200)
		return exchange_refuse(probe, &exchange, model, known, err);
	if (json_is_array(json_object_get(exchange.json, answer)))
		return 0;
	probe->fault = MODEL_FAULT_OTHER;
	error_set(err, ERROR_FAILED, "%s answers, but not like a model", probe->title);
	return error_hint(err, "check its address: it usually ends in '/v1'");
}
