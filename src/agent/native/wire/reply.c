#include "agent/native/wire/reply.h"

#include <ctype.h>
#include <string.h>

#include "agent/native/wire/wire.h"
#include "base/error.h"
#include "format/json.h"

#define TOOL_NAME_MAX 64

#define REFUSED "(The model has refused to answer this.)"

void reply_init(struct reply *reply, const struct wire *wire, const json_t *tools)
{
	*reply = (struct reply){
		.wire = wire, .tools = tools, .body = BUF_INIT_MAX(REPLY_MAX_EVENT)};
	sse_init(&reply->sse, REPLY_MAX_EVENT);
}

void reply_usage_add(struct reply_usage *total, const struct reply_usage *more)
{
	total->given |= more->given;
	total->input += more->input;
	total->output += more->output;
	total->cache_read += more->cache_read;
	total->cache_write += more->cache_write;
}

void reply_drop_parts(struct reply *reply)
{
	for (size_t i = 0; i < reply->count; i++) {
		struct part *part = &reply->parts[i];

		free(part->id);
		free(part->name);
		free(part->field);
		buf_release(&part->text);
		buf_release(&part->signature);
		json_decref(part->value);
	}
	reply->count = 0;
	reply->bytes = 0;
}

void reply_release(struct reply *reply)
{
	reply_drop_parts(reply);
	free(reply->parts);
	free(reply->error);
	buf_release(&reply->body);
	sse_release(&reply->sse);
	json_decref(reply->content);
}

/* --- parts ------------------------------------------------------------------- */

struct part *reply_add(struct reply *reply, enum part_kind kind, int64_t index)
{
	struct part *part;

	if (reply->count == REPLY_MAX_PARTS) {
		reply->too_long = true;
		return &reply->parts[reply->count - 1];
	}
	GROW(reply->parts, reply->count, reply->cap);
	part = &reply->parts[reply->count++];
	*part = (struct part){
		.kind = kind, .index = index, .text = BUF_INIT, .signature = BUF_INIT};
	return part;
}

void reply_append(struct reply *reply, struct part *part, const char *text)
{
	size_t len = strlen(text);

	reply->bytes += len;
	if (reply->bytes > REPLY_MAX_BYTES) {
		reply->too_long = true;
		return;
	}
	buf_append(&part->text, text, len);
	if (part->kind == PART_TEXT && len && reply->text)
		reply->text(reply->data, (struct view){text, len});
}

void reply_fail(struct reply *reply, const json_t *event)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (reply->error)
		return;
	json_write_ours((json_t *)(uintptr_t)event, false, &text);
	reply->error = buf_take(&text);
}

/* The number after "\\u", or 0. */
static unsigned reply_escape(const char *text)
{
	unsigned number = 0;

	if (text[0] != '\\' || text[1] != 'u')
		return 0;
	for (int i = 2; i < 6; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit =
			text[i] ? strchr(digits, tolower((unsigned char)text[i])) : NULL;

		if (!digit)
			return 0;
		number = number * 16 + (unsigned)(digit - digits);
	}
	return number;
}

/*
 * Some servers cut their texts within a character: half of one, escaped or not, becomes U+FFFD.
 * To be freed.
 */
static char *reply_mend_characters(struct view data)
{
	CLEANUP(json_decrefp) json_t *valid = json_text(data);
	char *text = xstrdup(json_string_value(valid));

	for (char *c = text; *c; c++) {
		unsigned half = reply_escape(c);

		if (half >= 0xd800 && half < 0xdc00 && reply_escape(c + 6) >= 0xdc00 &&
			reply_escape(c + 6) < 0xe000)
			c += 11;
		else if (half >= 0xd800 && half < 0xe000)
			memcpy(c + 2, "fffd", 4);
		else if (*c == '\\' && c[1])
			c++;
	}
	return text;
}

json_t *reply_read_event(struct reply *reply, struct view data)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *mended = NULL;
	json_t *event = NULL;

	if (json_read(data, "event", REPLY_MAX_EVENT, &event, &ignored) == 0)
		return event;
	error_clear(&ignored);
	mended = reply_mend_characters(data);
	if (json_read(view_of(mended), "event", 2 * REPLY_MAX_EVENT, &event, &ignored) == 0)
		return event;
	reply->damaged |= view_starts_with(view_trim(data), "{");
	return NULL;
}

/* --- input ------------------------------------------------------------------- */

static void reply_take_event(const struct sse_event *event, void *data)
{
	struct reply *reply = data;

	if (!reply->ended && !reply->error && !reply->too_long)
		reply->wire->event(reply, event->data);
}

void reply_feed(struct reply *reply, struct view bytes, bool is_stream)
{
	reply->is_stream = is_stream;
	if (is_stream)
		sse_feed(&reply->sse, bytes.data, bytes.len, reply_take_event, reply);
	else
		buf_append(&reply->body, bytes.data, bytes.len);
}

/* A server that does not stream has sent the message as one document, or events after all. */
static void reply_read_body(struct reply *reply, bool whole)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *message = NULL;
	struct view body = view_trim(view_of_buf(&reply->body));

	if (view_starts_with(body, "data:") || view_starts_with(body, "event:") ||
		view_starts_with(body, ":")) {
		body = view_of_buf(&reply->body);
		sse_feed(&reply->sse, body.data, body.len, reply_take_event, reply);
		return;
	}
	if (!whole || json_read(body, "answer", REPLY_MAX_EVENT, &message, &ignored) < 0 ||
		!json_is_object(message))
		return;
	reply->wire->whole(reply, message);
}

/* --- the message ------------------------------------------------------------- */

static bool reply_is_name(const char *name)
{
	size_t len = strspn(
		name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return len && len <= TOOL_NAME_MAX && !name[len];
}

/* `arguments` is taken over; NULL if they are not whole. */
static void reply_add_call(
	json_t *content, const char *name, json_t *arguments, const char *broken, json_t *extra)
{
	json_t *block = json_build("type:s name:s input:o", "tool_use",
		reply_is_name(name) ? name : "invalid", arguments ? arguments : json_object());

	if (!reply_is_name(name))
		broken = "its name is not the name of a tool";
	if (broken) {
		json_object_clear(json_object_get(block, "input"));
		json_object_set_new(block, "broken", json_string(broken));
	}
	if (extra)
		json_object_set(block, "extra", extra);
	json_array_append_new(content, block);
}

/* A JSON object; empty text counts as an empty object. NULL for anything else. */
static json_t *reply_arguments(struct view text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	json_t *arguments = NULL;

	text = view_trim(text);
	if (!text.len || view_equal_str(text, "null"))
		return json_object();
	if (json_read(text, "arguments", REPLY_MAX_EVENT, &arguments, &ignored) < 0)
		return NULL;
	if (!json_is_object(arguments)) {
		json_decref(arguments);
		return NULL;
	}
	return arguments;
}

/* {"name":…, "arguments":{…}}; false if it is something else. */
static bool reply_add_text_call(const json_t *tools, json_t *calls, const json_t *call)
{
	const char *name = json_member(call, "name");
	json_t *given = json_object_get(call, "arguments");
	json_t *arguments;

	if (!given)
		given = json_object_get(call, "parameters");
	arguments = json_is_string(given)   ? reply_arguments(view_of(json_string_value(given)))
		    : json_is_object(given) ? json_incref(given)
					    : NULL;
	if (!wire_tool(tools, name) || !arguments || json_object_size(call) != 2) {
		json_decref(arguments);
		return false;
	}
	reply_add_call(calls, name, arguments, NULL, NULL);
	return true;
}

/* The calls that a text consists of; NULL if it is a text. */
static json_t *reply_calls_in_text(const json_t *tools, struct view text)
{
	static const char open[] = "<tool_call>";
	static const char close[] = "</tool_call>";
	static const char list[] = "[TOOL_CALLS]";
	CLEANUP(json_decrefp) json_t *calls = json_array();
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	text = view_trim(text);
	if (view_starts_with(text, "{")) {
		CLEANUP(json_decrefp) json_t *call = NULL;

		return json_read(text, "call", REPLY_MAX_EVENT, &call, &ignored) == 0 &&
				       reply_add_text_call(tools, calls, call)
			       ? TAKE(calls)
			       : NULL;
	}
	if (view_starts_with(text, list)) {
		CLEANUP(json_decrefp) json_t *array = NULL;
		json_t *call;
		size_t i;

		text = view_slice(text, strlen(list), text.len);
		if (json_read(text, "calls", REPLY_MAX_EVENT, &array, &ignored) < 0 ||
			!json_is_array(array))
			return NULL;
		json_array_foreach(array, i, call)
			if (!reply_add_text_call(tools, calls, call))
				return NULL;
		return json_array_size(calls) ? TAKE(calls) : NULL;
	}
	while (view_starts_with(text, open)) {
		CLEANUP(json_decrefp) json_t *call = NULL;
		const char *end = memmem(text.data, text.len, close, strlen(close));
		struct view inside;

		if (!end)
			return NULL;
		inside = view_slice(text, strlen(open), (size_t)(end - text.data));
		if (json_read(inside, "call", REPLY_MAX_EVENT, &call, &ignored) < 0 ||
			!reply_add_text_call(tools, calls, call))
			return NULL;
		text = view_trim(
			view_slice(text, (size_t)(end - text.data) + strlen(close), text.len));
		if (!text.len)
			return TAKE(calls);
	}
	return NULL;
}

/* Models whose server does not separate it begin with <think>…</think>. */
static struct view reply_without_thoughts(struct view text, struct view *ret_thoughts)
{
	static const char open[] = "<think>";
	static const char close[] = "</think>";
	struct view trimmed = view_trim(text);
	const char *end = memmem(trimmed.data, trimmed.len, close, strlen(close));

	*ret_thoughts = (struct view){"", 0};
	if (!view_starts_with(trimmed, open) || !end)
		return text;
	*ret_thoughts = view_slice(trimmed, strlen(open), (size_t)(end - trimmed.data));
	return view_trim(
		view_slice(trimmed, (size_t)(end - trimmed.data) + strlen(close), trimmed.len));
}

static void reply_add_text(const struct reply *reply, struct view text, bool alone)
{
	json_t *content = reply->content;
	CLEANUP(json_decrefp) json_t *calls = NULL;
	json_t *before = json_array_get(content, json_array_size(content) - 1);
	struct view thoughts;

	/* Texts that follow each other are one text, blanks between them included. */
	if (!strcmp(json_member(before, "type"), "text")) {
		json_object_set_new(before, "text",
			json_sprintf("%s%.*s", json_member(before, "text"), VIEW_ARGS(text)));
		return;
	}
	text = reply_without_thoughts(text, &thoughts);
	if (thoughts.len)
		json_array_append_new(content,
			json_build("type:s field:s text:v", "reasoning", "", thoughts));
	if (!view_trim(text).len)
		return;
	calls = alone ? reply_calls_in_text(reply->tools, text) : NULL;
	if (calls)
		json_array_extend(content, calls);
	else
		json_array_append_new(content, json_build("type:s text:v", "text", text));
}

static void reply_add_thinking(json_t *content, const struct part *part)
{
	json_t *block;

	if (part->field && part->value)
		block = json_build(
			"type:s field:s value:O", "reasoning", part->field, part->value);
	else if (part->field)
		block = json_build("type:s field:s text:v", "reasoning", part->field,
			view_of_buf(&part->text));
	else
		block = json_build("type:s thinking:v signature:v", "thinking",
			view_of_buf(&part->text), view_of_buf(&part->signature));
	if (part->text.len || part->value || part->signature.len)
		json_array_append_new(content, block);
	else
		json_decref(block);
}

/* Without arguments, a complete call cannot be distinguished from one that was cut. */
static bool reply_is_cut(const struct reply *reply, const struct part *part)
{
	return reply->limited && part == &reply->parts[reply->count - 1] &&
	       !view_trim(view_of_buf(&part->text)).len;
}

static void reply_add_part(const struct reply *reply, const struct part *part, bool alone)
{
	json_t *arguments;

	switch (part->kind) {
	case PART_TEXT:
		reply_add_text(reply, view_of_buf(&part->text), alone);
		break;
	case PART_THINKING:
		reply_add_thinking(reply->content, part);
		break;
	case PART_VERBATIM:
		json_array_append(reply->content, part->value);
		break;
	case PART_CALL:
		if (!part->name && !part->text.len)
			break; /* nothing came of it */
		arguments = reply_is_cut(reply, part)
				    ? NULL
				    : reply_arguments(view_of_buf(&part->text));
		reply_add_call(reply->content, part->name ? part->name : "", arguments,
			arguments ? NULL : "its arguments are not whole", part->value);
		break;
	}
}

static bool reply_says_something(const json_t *content)
{
	const json_t *block;
	size_t i;

	json_array_foreach(content, i, block) {
		const char *type = json_member(block, "type");

		if (!strcmp(type, "text") || !strcmp(type, "tool_use"))
			return true;
	}
	return false;
}

enum reply_state reply_end(struct reply *reply, bool whole)
{
	size_t spoken = 0;

	if (!reply->is_stream)
		reply_read_body(reply, whole);
	if (reply->error)
		return REPLY_ERROR;
	/* Not every server has an end marker; then it has ended the answer properly. */
	if (reply->damaged || reply->too_long || reply->sse.skipped ||
		!(reply->ended || (whole && reply->finished)))
		return REPLY_CUT;
	if (reply->wire->end)
		reply->wire->end(reply);
	for (size_t i = 0; i < reply->count; i++)
		spoken += reply->parts[i].kind != PART_THINKING;
	reply->content = json_array();
	for (size_t i = 0; i < reply->count; i++)
		reply_add_part(reply, &reply->parts[i], spoken == 1);
	if (!reply_says_something(reply->content) && reply->refused)
		json_array_append_new(
			reply->content, json_build("type:s text:s", "text", REFUSED));
	return reply_says_something(reply->content) ? REPLY_DONE : REPLY_EMPTY;
}
