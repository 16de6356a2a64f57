/* Chat Completions, as OpenAI has made it and many others speak it, each in its own way. */
#include <string.h>

#include "agent/native/wire/wire.h"
#include "base/error.h"
#include "format/json.h"

/* The fields in which servers put their reasoning; the first one found counts. */
static const char *const reasoning_fields[] = {
	"reasoning_content", "reasoning", "reasoning_text"};

#define DETAILS     "reasoning_details"
#define MAX_DETAILS 1000 /* pieces that are not joined yet */

/* --- events: reasoning and text ---------------------------------------------- */

/* The one part of this kind, made when it is first needed. */
static struct part *openai_part(struct reply *reply, enum part_kind kind, const char *field)
{
	struct part *part;

	for (size_t i = 0; i < reply->count; i++) {
		part = &reply->parts[i];
		if (part->kind == kind &&
			(!field || (part->field && !strcmp(part->field, field))))
			return part;
	}
	part = reply_add(reply, kind, -1);
	part->field = field ? xstrdup(field) : NULL;
	return part;
}

static void openai_add_text(struct reply *reply, const char *text)
{
	if (*text)
		reply_append(reply, openai_part(reply, PART_TEXT, NULL), text);
}

static void openai_add_thinking(struct reply *reply, const char *field, const char *text)
{
	if (*text)
		reply_append(reply, openai_part(reply, PART_THINKING, field), text);
}

/* A text, or Mistral's list of texts and thoughts. */
static void openai_add_content(struct reply *reply, const json_t *content)
{
	json_t *piece;
	json_t *thought;
	size_t i;
	size_t k;

	if (json_is_string(content))
		openai_add_text(reply, json_string_value(content));
	json_array_foreach(content, i, piece) {
		json_t *thoughts = json_object_get(piece, "thinking");

		if (!strcmp(json_member(piece, "type"), "text"))
			openai_add_text(reply, json_member(piece, "text"));
		if (json_is_string(thoughts))
			openai_add_thinking(reply, "", json_string_value(thoughts));
		json_array_foreach(thoughts, k, thought)
			openai_add_thinking(reply, "", json_member(thought, "text"));
	}
}

/* The pieces of one entry, from `at` to before `end`: their texts are one text. */
static json_t *openai_join_entry(const json_t *pieces, size_t at, size_t end)
{
	static const char *const texts[] = {"text", "summary", "data", "signature"};
	json_t *entry = json_copy(json_array_get(pieces, at));
	const char *name;
	json_t *value;

	for (size_t i = at + 1; i < end; i++)
		json_object_foreach(json_array_get(pieces, i), name, value)
			if (!json_is_null(value))
				json_object_set(entry, name, value);
	for (size_t k = 0; k < ARRAY_SIZE(texts); k++) {
		CLEANUP(buf_release) struct buf joined = BUF_INIT;

		for (size_t i = at; i < end; i++)
			buf_append_str(
				&joined, json_member(json_array_get(pieces, i), texts[k]));
		if (joined.len)
			json_object_set_new(entry, texts[k], json_text(view_of_buf(&joined)));
	}
	return entry;
}

/* Pieces of one entry have the same index and type. */
static void openai_join_details(struct part *part)
{
	json_t *entries = json_array();
	size_t count = json_array_size(part->value);
	size_t end;

	for (size_t at = 0; at < count; at = end) {
		const json_t *first = json_array_get(part->value, at);

		for (end = at + 1; end < count; end++) {
			const json_t *piece = json_array_get(part->value, end);
			const json_t *index = json_object_get(piece, "index");

			if (!index || !json_equal(json_object_get(first, "index"), index) ||
				strcmp(json_member(first, "type"),
					json_member(piece, "type")) != 0)
				break;
		}
		json_array_append_new(entries, openai_join_entry(part->value, at, end));
	}
	json_decref(part->value);
	part->value = entries;
}

static void openai_add_reasoning(struct reply *reply, const json_t *delta)
{
	json_t *details = json_object_get(delta, DETAILS);
	json_t *piece;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasoning_fields); i++)
		if (*json_member(delta, reasoning_fields[i])) {
			openai_add_thinking(reply, reasoning_fields[i],
				json_member(delta, reasoning_fields[i]));
			break;
		}
	json_array_foreach(details, i, piece) {
		struct part *part = openai_part(reply, PART_THINKING, DETAILS);

		if (!part->value)
			part->value = json_array();
		if (json_is_object(piece))
			json_array_append(part->value, piece);
		/* Now and then only: a text that grows would be copied for each piece. */
		if (json_array_size(part->value) >= MAX_DETAILS) {
			openai_join_details(part);
			reply->too_long |= json_array_size(part->value) > MAX_DETAILS / 2;
		}
	}
}

/* --- events: calls ----------------------------------------------------------- */

static bool openai_is_whole(const struct part *part)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *value = NULL;

	return part->text.len && json_read(view_of_buf(&part->text), "arguments",
					 REPLY_MAX_EVENT, &value, &ignored) == 0;
}

/* By the index, else by the id, else the last one; NULL: it is a new one. The latest counts. */
static struct part *openai_find_call(
	struct reply *reply, int64_t index, const char *id, const char *name)
{
	struct part *part, *last = NULL;

	for (size_t i = reply->count; i-- > 0;) {
		part = &reply->parts[i];
		if (part->kind != PART_CALL)
			continue;
		last = last ? last : part;
		/* Some number all their calls 0: another id begins another call. */
		if (index >= 0 && part->index == index &&
			!(*id && *name && part->id && strcmp(part->id, id) != 0 && part->name))
			return part;
		if (index < 0 && *id && part->id && !strcmp(part->id, id))
			return part;
	}
	if (index >= 0 || !last || (*id && last->id) ||
		(*name && last->name && openai_is_whole(last)))
		return NULL;
	return last;
}

static void openai_add_call(struct reply *reply, const json_t *call, bool legacy)
{
	const json_t *function = legacy ? call : json_object_get(call, "function");
	const json_t *number = json_object_get(call, "index");
	int64_t index = json_is_number(number) ? (int64_t)json_number_value(number) : -1;
	const char *id = json_member(call, "id");
	const char *name = json_member(function, "name");
	struct part *part = openai_find_call(reply, index, id, name);
	json_t *extra = json_object_get(call, "extra_content");
	json_t *arguments = json_object_get(function, "arguments");

	if (!part)
		part = reply_add(reply, PART_CALL, index);
	if (*id && !part->id)
		part->id = xstrdup(id);
	if (*name) {
		free(part->name);
		part->name = xstrdup(name);
	}
	if (extra && !part->value)
		part->value = json_incref(extra);
	if (json_is_string(arguments))
		reply_append(reply, part, json_string_value(arguments));
	else if (json_is_object(arguments))
		json_write_ours(arguments, false, &part->text);
}

static void openai_delta(struct reply *reply, const json_t *delta)
{
	json_t *legacy = json_object_get(delta, "function_call");
	json_t *call;
	size_t i;

	openai_add_reasoning(reply, delta);
	openai_add_content(reply, json_object_get(delta, "content"));
	openai_add_text(reply, json_member(delta, "refusal"));
	json_array_foreach(json_object_get(delta, "tool_calls"), i, call)
		openai_add_call(reply, call, false);
	if (json_is_object(legacy))
		openai_add_call(reply, legacy, true);
}

/* --- events: the rest -------------------------------------------------------- */

static int64_t openai_number(const json_t *object, const char *name)
{
	double value = json_number_value(json_object_get(object, name));

	return value > 0 && value < 1e12 ? (int64_t)value : 0;
}

static void openai_usage(struct reply *reply, const json_t *usage)
{
	const json_t *details = json_object_get(usage, "prompt_tokens_details");
	struct reply_usage *total = &reply->usage;

	if (!json_is_object(usage) || !json_object_get(usage, "prompt_tokens"))
		return;
	total->given = true;
	total->input = openai_number(usage, "prompt_tokens");
	total->output = openai_number(usage, "completion_tokens");
	total->cache_read = openai_number(details, "cached_tokens");
	if (!total->cache_read)
		total->cache_read = openai_number(usage, "prompt_cache_hit_tokens");
	if (!total->cache_read)
		total->cache_read = openai_number(usage, "cached_tokens");
	if (total->cache_read > total->input)
		total->cache_read = total->input;
}

static void openai_take(struct reply *reply, const json_t *event)
{
	const json_t *choice = json_array_get(json_object_get(event, "choices"), 0);
	const json_t *error = json_object_get(event, "error");
	const char *reason = json_member(choice, "finish_reason");

	if (json_is_object(error) || json_is_string(error) ||
		!strcmp(json_member(event, "object"), "error")) {
		reply_fail(reply, event);
		return;
	}
	openai_delta(reply, json_object_get(choice, "delta"));
	openai_delta(reply, json_object_get(choice, "message"));
	reply->finished |= *reason != '\0';
	reply->limited |= !strcmp(reason, "length");
	reply->refused |= !strcmp(reason, "content_filter");
	openai_usage(reply, json_object_get(json_object_get(event, "x_groq"), "usage"));
	openai_usage(reply, json_object_get(choice, "usage"));
	openai_usage(reply, json_object_get(event, "usage"));
}

static void openai_event(struct reply *reply, struct view data)
{
	CLEANUP(json_decrefp) json_t *event = NULL;

	if (view_equal_str(view_trim(data), "[DONE]")) {
		reply->ended = true;
		return;
	}
	event = reply_read_event(reply, data);
	if (event)
		openai_take(reply, event);
}

static void openai_whole(struct reply *reply, const json_t *message)
{
	openai_take(reply, message);
	reply->ended = json_array_size(json_object_get(message, "choices")) > 0;
}

static void openai_end(struct reply *reply)
{
	for (size_t i = 0; i < reply->count; i++)
		if (reply->parts[i].field && !strcmp(reply->parts[i].field, DETAILS))
			openai_join_details(&reply->parts[i]);
}

/* --- the request ------------------------------------------------------------- */

static json_t *openai_tools(const json_t *tools)
{
	json_t *list = json_array();
	json_t *tool;
	size_t i;

	json_array_foreach(tools, i, tool)
		json_add(list, "type:s function:o", "function",
			json_build("name:O description:O parameters:O",
				json_object_get(tool, "name"),
				json_object_get(tool, "description"),
				json_object_get(tool, "input_schema")));
	return list;
}

static json_t *openai_call(const json_t *block, bool keeps_extra)
{
	CLEANUP(buf_release) struct buf input = BUF_INIT;
	json_t *extra = json_object_get(block, "extra");
	json_t *call;

	json_write_ours(json_object_get(block, "input"), false, &input);
	call = json_build("id:O type:s function:o", json_object_get(block, "id"), "function",
		json_build("name:O arguments:s", json_object_get(block, "name"), input.data));
	if (extra && keeps_extra)
		json_object_set(call, "extra_content", extra);
	return call;
}

static json_t *openai_assistant(const struct wire_request *request, const json_t *message)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool reasoning = wire_keeps_reasoning(&wire_openai, request, message);
	json_t *result = json_build("role:s content:o", "assistant", json_null());
	json_t *calls = json_array();
	json_t *block;
	size_t i;

	json_array_foreach(json_object_get(message, "content"), i, block) {
		const char *type = json_member(block, "type");
		const char *field = json_member(block, "field");

		if (!strcmp(type, "text"))
			buf_appendf(&text, "%s%s", text.len ? "\n\n" : "",
				json_member(block, "text"));
		else if (!strcmp(type, "tool_use"))
			json_array_append_new(calls, openai_call(block, reasoning));
		else if (reasoning && *field)
			json_object_set(result, field,
				json_object_get(
					block, strcmp(field, DETAILS) ? "text" : "value"));
	}
	if (text.len)
		json_object_set_new(result, "content", json_string(text.data));
	if (json_array_size(calls))
		json_object_set(result, "tool_calls", calls);
	json_decref(calls);
	return result;
}

/*
 * A tool message holds text only. Images go into a user message, and because some servers
 * refuse one right after a tool message, an assistant message goes in between.
 */
static void openai_add_results(
	json_t *list, const struct wire_request *request, const json_t *message)
{
	CLEANUP(json_decrefp) json_t *images = json_array();
	json_t *result;
	size_t i;

	json_array_foreach(json_object_get(message, "results"), i, result) {
		const char *text = json_member(result, "text");
		json_t *image = json_object_get(result, "image");

		json_add(list, "role:s tool_call_id:O content:s", "tool",
			json_object_get(result, "id"), wire_shown(text));
		if (image && request->vision)
			json_add(images, "type:s image_url:o", "image_url",
				json_build("url:o", json_sprintf("data:%s;base64,%s",
							    json_member(result, "image_type"),
							    json_string_value(image))));
	}
	if (!json_array_size(images))
		return;
	json_array_insert_new(
		images, 0, json_build("type:s text:s", "text", "Images of the tool results:"));
	json_add(list, "role:s content:s", "assistant", "I need to see it.");
	json_add(list, "role:s content:O", "user", images);
}

/* Merges consecutive user texts: some templates require alternating roles. */
static void openai_add_user(json_t *list, const char *text)
{
	json_t *last = json_array_get(list, json_array_size(list) - 1);
	json_t *content = json_object_get(last, "content");

	if (strcmp(json_member(last, "role"), "user") != 0)
		json_add(list, "role:s content:s", "user", text);
	else if (json_is_array(content))
		json_add(content, "type:s text:s", "text", text);
	else
		json_object_set_new(last, "content",
			json_sprintf("%s\n\n%s", json_string_value(content), text));
}

static json_t *openai_messages(const struct wire_request *request)
{
	json_t *list = json_array();
	json_t *message;
	size_t i;

	if (*request->system)
		json_add(list, "role:s content:s", "system", request->system);
	json_array_foreach(request->messages, i, message) {
		const char *role = json_member(message, "role");

		if (!strcmp(role, "assistant"))
			json_array_append_new(list, openai_assistant(request, message));
		else if (!strcmp(role, "results"))
			openai_add_results(list, request, message);
		else
			openai_add_user(list, json_member(message, "text"));
	}
	return list;
}

static json_t *openai_request(const struct wire_request *request)
{
	json_t *body = json_build("model:s stream:b", request->model, 1);

	if (!request->quirks.no_stream_options)
		json_put(body, "stream_options:o", json_build("include_usage:b", 1));
	if (request->max_output && !request->quirks.no_limit)
		json_object_set_new(body,
			request->quirks.max_completion_tokens ? "max_completion_tokens"
							      : "max_tokens",
			json_integer(request->max_output));
	if (json_array_size(request->tools))
		json_object_set_new(body, "tools", openai_tools(request->tools));
	json_object_set_new(body, "messages", openai_messages(request));
	return body;
}

const struct wire wire_openai = {
	.name = "openai",
	.path = "/chat/completions",
	.request = openai_request,
	.event = openai_event,
	.whole = openai_whole,
	.end = openai_end,
};
