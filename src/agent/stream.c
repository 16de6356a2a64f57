#include "agent/stream.h"

#include <string.h>

#include "util/error.h"
#include "util/json.h"

void stream_event_release(struct stream_event *event)
{
	free(event->session_id);
	free(event->text);
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

	json_array_foreach(content, i, block)
	{
		CLEANUP(freep) char *piece = string_of(json_object_get(block, "text"));

		if (piece)
			buf_append_str(&text, piece);
	}
	return buf_take(&text);
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
		.text = text ? text : reason_of(event),
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
		return (struct stream_event){.kind = STREAM_TEXT, .text = text_of(event)};
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
