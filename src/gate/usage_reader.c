#include "gate/usage_reader.h"

#include <string.h>
#include <strings.h>

#include "format/json.h"
#include "net/sse.h"

#define MAX_MODEL 128

enum form {
	FORM_OTHER,
	FORM_JSON,
	FORM_EVENTS,
};

struct usage_reader {
	enum form form;
	bool said;
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

static void take_figures(struct usage_reader *reader, const json_t *figures)
{
	const json_t *written = json_object_get(figures, "cache_creation");
	const json_t *tools = json_object_get(figures, "server_tool_use");
	struct api_usage *usage = &reader->usage;

	if (!json_is_object(figures))
		return;
	reader->said = true;
	number_take(figures, "input_tokens", &usage->input);
	number_take(figures, "output_tokens", &usage->output);
	number_take(figures, "cache_read_input_tokens", &usage->cache_read);
	number_take(figures, "cache_creation_input_tokens", &usage->cache_write);
	number_take(written, "ephemeral_1h_input_tokens", &usage->cache_write_1h);
	number_take(tools, "web_search_requests", &usage->web_searches);
}

static void take_message(struct usage_reader *reader, const json_t *message)
{
	const char *model = json_string_value(json_object_get(message, "model"));

	if (model && strlen(model) <= MAX_MODEL) {
		free(reader->usage.model);
		reader->usage.model = xstrdup(model);
	}
	take_figures(reader, json_object_get(message, "usage"));
}

/* --- forms of an answer ------------------------------------------------------ */

static void take_event(const struct sse_event *event, void *data)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct usage_reader *reader = data;
	json_t *json = NULL;
	const char *type;

	/* Most events are pieces of a text: these are not even read. */
	if (!view_equal_str(event->type, "message_start") &&
		!view_equal_str(event->type, "message_delta") &&
		!view_equal_str(event->type, "message"))
		return;
	if (json_read(event->data, "event", USAGE_MAX_EVENT, &json, &ignored) < 0)
		return;
	type = json_string_value(json_object_get(json, "type"));
	if (type && !strcmp(type, "message_start"))
		take_message(reader, json_object_get(json, "message"));
	else if (type && !strcmp(type, "message_delta"))
		take_figures(reader, json_object_get(json, "usage"));
	json_decref(json);
}

static void read_plain(struct usage_reader *reader)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	json_t *json = NULL;

	if (reader->text.overflow || json_read(view_of_buf(&reader->text), "answer",
					     USAGE_MAX_ANSWER, &json, &ignored) < 0)
		return;
	take_message(reader, json);
	json_decref(json);
}

void usage_reader_feed(struct usage_reader *reader, const char *bytes, size_t len)
{
	if (reader->form == FORM_EVENTS)
		sse_feed(&reader->sse, bytes, len, take_event, reader);
	else if (reader->form == FORM_JSON && !reader->text.overflow)
		buf_append(&reader->text, bytes, len);
}

bool usage_reader_end(struct usage_reader *reader, struct api_usage *ret_usage)
{
	if (reader->form == FORM_JSON)
		read_plain(reader);
	if (!reader->said)
		return false;
	if (!reader->usage.model)
		reader->usage.model = xstrdup("");
	if (reader->usage.cache_write_1h > reader->usage.cache_write)
		reader->usage.cache_write = reader->usage.cache_write_1h;
	*ret_usage = reader->usage;
	reader->usage = API_USAGE_INIT;
	return true;
}
