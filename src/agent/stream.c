#include "agent/stream.h"

#include <string.h>

#include "base/error.h"
#include "format/json.h"

void stream_event_release(struct stream_event *event)
{
	free(event->session_id);
	free(event->text);
	free(event->tools);
	*event = (struct stream_event){0};
}

/* A string without NUL; NULL if it is something else. */
static char *string_of(const json_t *value)
{
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) ? xstrdup(text) : NULL;
}

/* An id goes back to the agent as an argument: nothing that looks like an option. */
static char *session_of(const json_t *event)
{
	const char *id = json_string_value(json_object_get(event, "session_id"));
	size_t len = id ? strlen(id) : 0;

	if (!len || len > STREAM_MAX_SESSION || id[0] == '-')
		return NULL;
	for (const char *c = id; *c; c++)
		if (*c <= ' ' || *c > '~')
			return NULL;
	return xstrdup(id);
}

static char *text_of(const json_t *event)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *content = json_object_get(json_object_get(event, "message"), "content");
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block) {
		CLEANUP(freep) char *piece = string_of(json_object_get(block, "text"));

		if (piece)
			buf_append_str(&text, piece);
	}
	return buf_take(&text);
}

/* One line per tool: the input is JSON, which escapes line ends. */
static char *tools_of(const json_t *event)
{
	CLEANUP(buf_release) struct buf tools = BUF_INIT_MAX(STREAM_MAX_TOOLS);
	json_t *content = json_object_get(json_object_get(event, "message"), "content");
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block) {
		const char *type = json_string_value(json_object_get(block, "type"));
		CLEANUP(buf_release) struct buf name = BUF_INIT;
		CLEANUP(buf_release) struct buf input = BUF_INIT;

		if (!type || strcmp(type, "tool_use") != 0 ||
			!json_is_string(json_object_get(block, "name")))
			continue;
		json_write_ours(json_object_get(block, "name"), false, &name);
		if (json_is_object(json_object_get(block, "input")))
			json_write_ours(json_object_get(block, "input"), false, &input);
		buf_appendf(&tools, "%.*s %s\n", name.len > 2 ? (int)name.len - 2 : 0,
			name.data + 1, input.data);
	}
	return tools.len ? buf_take(&tools) : NULL;
}

static char *piece_of(const json_t *event)
{
	const json_t *delta = json_object_get(json_object_get(event, "event"), "delta");
	char *text = string_of(json_object_get(delta, "text"));

	return text ? text : xstrdup("");
}

/* A number that makes sense; else 0. */
static int64_t number_of(const json_t *object, const char *name, double scale)
{
	double number = json_number_value(json_object_get(object, name)) * scale;

	return number > 0 && number < 1e15 ? (int64_t)(number + 0.5) : 0;
}

static struct stream_usage usage_of(const json_t *event)
{
	const json_t *usage = json_object_get(event, "usage");

	return (struct stream_usage){
		.given = json_is_object(usage),
		.input_tokens = number_of(usage, "input_tokens", 1),
		.output_tokens = number_of(usage, "output_tokens", 1),
		.cache_read_tokens = number_of(usage, "cache_read_input_tokens", 1),
		.cache_write_tokens = number_of(usage, "cache_creation_input_tokens", 1),
		.cost_micro_usd = number_of(event, "total_cost_usd", 1000000),
	};
}

static char *reason_of(const json_t *event)
{
	const char *subtype = json_string_value(json_object_get(event, "subtype"));
	char *reason = string_of(json_array_get(json_object_get(event, "errors"), 0));

	return reason ? reason : xstrdup(subtype ? subtype : "a result without a text");
}

static struct stream_event result_of(const json_t *event)
{
	const char *subtype = json_string_value(json_object_get(event, "subtype"));
	char *text = string_of(json_object_get(event, "result"));

	return (struct stream_event){
		.kind = STREAM_RESULT,
		.session_id = session_of(event),
		.is_error = json_is_true(json_object_get(event, "is_error")) ||
			    (subtype && strcmp(subtype, "success") != 0) || !text,
		.is_said = text && *text,
		.is_final = json_is_false(json_object_get(event, "retry")),
		.text = text ? text : reason_of(event),
		.usage = usage_of(event),
	};
}

struct stream_event stream_read(struct view line)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *event = NULL;
	const char *type;

	if (json_read(line, "event", STREAM_MAX_LINE, &event, &ignored) < 0)
		return (struct stream_event){.kind = STREAM_GARBAGE};
	type = json_string_value(json_object_get(event, "type"));
	if (!type)
		return (struct stream_event){.kind = STREAM_GARBAGE};
	if (!strcmp(type, "result"))
		return result_of(event);
	if (!strcmp(type, "system"))
		return (struct stream_event){
			.kind = STREAM_INIT, .session_id = session_of(event)};
	if (!strcmp(type, "assistant"))
		return (struct stream_event){
			.kind = STREAM_TEXT, .text = text_of(event), .tools = tools_of(event)};
	if (!strcmp(type, "stream_event"))
		return (struct stream_event){.kind = STREAM_PARTIAL, .text = piece_of(event)};
	if (!strcmp(type, "user") && json_is_true(json_object_get(event, "isReplay")))
		return (struct stream_event){.kind = STREAM_ECHO};
	return (struct stream_event){.kind = STREAM_OTHER};
}

void stream_write_turn(struct view text, struct buf *out)
{
	CLEANUP(json_decrefp)
	json_t *line = json_pack("{s:s, s:n, s:s, s:{s:s, s:[{s:s, s:o}]}}", "type", "user",
		"parent_tool_use_id", "session_id", "", "message", "role", "user", "content",
		"type", "text", "text", json_text(text));

	json_write_ours(line, false, out);
	buf_append_char(out, '\n');
}
