#include "gate/usage_reader.h"

#include <string.h>
#include <strings.h>

#include "format/json.h"
#include "net/parse/sse.h"

#define MAX_MODEL 128

/* The most that a server may report as the cost of one answer. */
#define MAX_DOLLARS 10000.0

enum form {
	FORM_OTHER,
	FORM_JSON,
	FORM_EVENTS,
};

struct usage_reader {
	enum form form;
	bool said;        /* there were figures */
	bool done;        /* the answer has marked its end */
	bool failed;      /* it is an error */
	uint64_t written; /* bytes of text in it … */
	uint64_t pieces;  /* … in this many pieces, each of at least a token */
	uint64_t waited;  /* ms; 0: the agent has not hung up */
	struct api_usage usage;
	struct buf text; /* of a plain answer */
	struct sse sse;
};

void api_usage_release(struct api_usage *usage)
{
	free(usage->model);
	*usage = API_USAGE_INIT;
}

static bool has_type(const char *content_type, const char *type)
{
	size_t len = strlen(type);

	content_type += strspn(content_type, " \t");
	return !strncasecmp(content_type, type, len) &&
	       strchr("; \t", content_type[len]); /* its end is among these, too */
}

static enum form form_of(const char *content_type)
{
	if (content_type && has_type(content_type, "text/event-stream"))
		return FORM_EVENTS;
	if (!content_type || has_type(content_type, "application/json"))
		return FORM_JSON;
	return FORM_OTHER;
}

struct usage_reader *usage_reader_new(const char *content_type)
{
	struct usage_reader *reader = xcalloc(1, sizeof(*reader));

	reader->form = form_of(content_type);
	reader->text = (struct buf)BUF_INIT_MAX(USAGE_MAX_ANSWER);
	sse_init(&reader->sse, USAGE_MAX_EVENT);
	return reader;
}

void usage_reader_free(struct usage_reader *reader)
{
	if (!reader)
		return;
	api_usage_release(&reader->usage);
	buf_release(&reader->text);
	sse_release(&reader->sse);
	free(reader);
}

/* --- figures ----------------------------------------------------------------- */

/* A member that is missing or not a number changes nothing. */
static void number_take(const json_t *object, const char *name, int64_t *number)
{
	const json_t *value = json_object_get(object, name);
	double given = json_number_value(value);

	if (!json_is_number(value) || given < 0)
		return;
	*number = given < (double)USAGE_MAX_TOKENS ? (int64_t)given : USAGE_MAX_TOKENS;
}

static void usage_take_anthropic(struct api_usage *usage, const json_t *figures)
{
	const json_t *written = json_object_get(figures, "cache_creation");
	const json_t *tools = json_object_get(figures, "server_tool_use");

	number_take(figures, "input_tokens", &usage->input);
	number_take(figures, "output_tokens", &usage->output);
	number_take(figures, "cache_read_input_tokens", &usage->cache_read);
	number_take(figures, "cache_creation_input_tokens", &usage->cache_write);
	number_take(written, "ephemeral_1h_input_tokens", &usage->cache_write_1h);
	number_take(tools, "web_search_requests", &usage->web_searches);
}

/*
 * Tokens of the cache are among those of the prompt. Some servers leave the tokens of thoughts
 * out of `completion_tokens`, but not out of the total.
 */
static void usage_take_openai(struct api_usage *usage, const json_t *figures)
{
	const json_t *details = json_object_get(figures, "prompt_tokens_details");
	const json_t *cost = json_object_get(figures, "cost");
	int64_t prompt = 0, total = 0, cached = 0, written = 0, out = 0;

	number_take(figures, "prompt_tokens", &prompt);
	number_take(figures, "completion_tokens", &out);
	number_take(figures, "total_tokens", &total);
	number_take(figures, "cached_tokens", &cached);
	number_take(figures, "prompt_cache_hit_tokens", &cached);
	number_take(details, "cached_tokens", &cached);
	number_take(details, "cache_write_tokens", &written);
	cached = cached < prompt ? cached : prompt;
	written = written < prompt - cached ? written : prompt - cached;
	usage->input = prompt - cached - written;
	usage->cache_read = cached;
	usage->cache_write = written;
	usage->output = out > total - prompt ? out : total - prompt;
	if (json_is_number(cost) && json_number_value(cost) >= 0 &&
		json_number_value(cost) <= MAX_DOLLARS) {
		usage->told_micro_usd = (int64_t)(json_number_value(cost) * 1e6 + 0.5);
		usage->is_told = true;
	}
}

static void usage_take_figures(struct usage_reader *reader, const json_t *figures)
{
	if (!json_is_object(figures))
		return;
	reader->said = true;
	if (json_object_get(figures, "prompt_tokens"))
		usage_take_openai(&reader->usage, figures);
	else
		usage_take_anthropic(&reader->usage, figures);
}

/* --- text -------------------------------------------------------------------- */

static bool is_text(const char *name)
{
	static const char *const others[] = {
		"finish_reason", "id", "logprobs", "role", "signature", "type"};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(name, others[i]))
			return false;
	return true;
}

/* Bytes of everything that a model may have written. */
static uint64_t text_size(const json_t *json)
{
	uint64_t size = json_string_length(json);
	const char *name;
	json_t *value;
	size_t i;

	json_array_foreach(json, i, value) {
		size += text_size(value);
	}
	json_object_foreach((json_t *)(uintptr_t)json, name, value) {
		if (is_text(name))
			size += text_size(value);
	}
	return size;
}

/* --- forms of an answer ------------------------------------------------------ */

/* A plain answer, a chunk of a stream, or the message in an event. */
static void reader_take_message(struct usage_reader *reader, const json_t *message)
{
	const char *model = json_string_value(json_object_get(message, "model"));
	const json_t *choices = json_object_get(message, "choices");
	uint64_t size = text_size(json_object_get(message, "content")) + text_size(choices) +
			text_size(json_object_get(message, "delta"));

	if (model && *model && strlen(model) <= MAX_MODEL) {
		free(reader->usage.model);
		reader->usage.model = xstrdup(model);
	}
	usage_take_figures(reader, json_object_get(message, "usage"));
	usage_take_figures(
		reader, json_object_get(json_object_get(message, "x_groq"), "usage"));
	usage_take_figures(reader, json_object_get(json_array_get(choices, 0), "usage"));
	reader->failed |= json_object_get(message, "error") != NULL;
	reader->written += size;
	reader->pieces += size > 0;
}

static void take_event(const struct sse_event *event, void *data)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	struct usage_reader *reader = data;

	if (view_equal_str(event->type, "message_stop") ||
		view_equal_str(event->data, "[DONE]"))
		reader->done = true;
	else if (!view_equal_str(event->type, "ping") &&
		 json_read(event->data, "event", USAGE_MAX_EVENT, &json, &ignored) == 0) {
		reader_take_message(reader, json);
		reader_take_message(reader, json_object_get(json, "message"));
	}
}

static void reader_read_plain(struct usage_reader *reader)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;

	if (reader->text.overflow || json_read(view_of_buf(&reader->text), "answer",
					     USAGE_MAX_ANSWER, &json, &ignored) < 0)
		return;
	reader->written = 0;
	reader_take_message(reader, json);
}

void usage_reader_feed(struct usage_reader *reader, const char *bytes, size_t len)
{
	if (reader->form == FORM_EVENTS) {
		sse_feed(&reader->sse, bytes, len, take_event, reader);
		return;
	}
	/* Until the answer is complete, every byte counts as text. */
	reader->written += len;
	if (reader->form == FORM_JSON && !reader->text.overflow)
		buf_append(&reader->text, bytes, len);
}

/* --- the end ----------------------------------------------------------------- */

void usage_reader_left(struct usage_reader *reader, uint64_t ms)
{
	reader->waited = ms;
}

static int64_t tokens_of(uint64_t bytes)
{
	uint64_t tokens = bytes / USAGE_BYTES_PER_TOKEN + (bytes % USAGE_BYTES_PER_TOKEN != 0);

	return tokens < (uint64_t)USAGE_MAX_TOKENS ? (int64_t)tokens : USAGE_MAX_TOKENS;
}

/* Figures that are missing, and those of an answer that went on after it gave them. */
static void reader_fill_in(struct usage_reader *reader, uint64_t sent, bool whole)
{
	struct api_usage *usage = &reader->usage;
	int64_t out = tokens_of(reader->written);
	int64_t hidden = (int64_t)(reader->waited * USAGE_TOKENS_PER_SECOND / 1000);

	if (out < (int64_t)reader->pieces)
		out = (int64_t)reader->pieces;
	if (out < hidden && !reader->done)
		out = hidden;
	if (usage->input + usage->cache_read + usage->cache_write == 0) {
		usage->input = tokens_of(sent);
		usage->is_estimate = true;
	}
	if (out > usage->output && (usage->output == 0 || !(whole || reader->done))) {
		usage->output = out;
		usage->is_estimate = true;
	}
}

bool usage_reader_end(
	struct usage_reader *reader, uint64_t sent, bool whole, struct api_usage *ret_usage)
{
	struct api_usage *usage = &reader->usage;

	if (reader->form == FORM_JSON)
		reader_read_plain(reader);
	if (!reader->said && (!sent || (reader->failed && !reader->written)))
		return false;
	if (sent)
		reader_fill_in(reader, sent, whole);
	if (!usage->model)
		usage->model = xstrdup("");
	if (usage->cache_write_1h > usage->cache_write)
		usage->cache_write = usage->cache_write_1h;
	*ret_usage = *usage;
	*usage = API_USAGE_INIT;
	return true;
}
