/* Anthropic's Messages API. */
#include <string.h>

#include "agent/native/wire/wire.h"
#include "base/error.h"
#include "format/json.h"

/* --- events ------------------------------------------------------------------ */

static struct part *anthropic_part(struct reply *reply, int64_t index)
{
	for (size_t i = 0; i < reply->count; i++)
		if (reply->parts[i].index == index)
			return &reply->parts[i];
	return NULL;
}

/* After a second beginning, the blocks start again or continue with the next number. */
static void anthropic_begin_block(struct reply *reply, int64_t index, json_t *block)
{
	const char *type = json_member(block, "type");
	json_t *input = json_object_get(block, "input");
	struct part *part;

	if (reply->restarted && anthropic_part(reply, index))
		reply_drop_parts(reply);
	reply->restarted = false;
	if (anthropic_part(reply, index))
		return;
	if (!strcmp(type, "text")) {
		part = reply_add(reply, PART_TEXT, index);
		reply_append(reply, part, json_member(block, "text"));
	} else if (!strcmp(type, "thinking")) {
		part = reply_add(reply, PART_THINKING, index);
		reply_append(reply, part, json_member(block, "thinking"));
		buf_append_str(&part->signature, json_member(block, "signature"));
	} else if (!strcmp(type, "tool_use")) {
		part = reply_add(reply, PART_CALL, index);
		part->name = xstrdup(json_member(block, "name"));
		if (json_object_size(input))
			json_write_ours(input, false, &part->text);
	} else if (!strcmp(type, "redacted_thinking")) {
		part = reply_add(reply, PART_VERBATIM, index);
		part->value = json_incref(block);
	}
}

static void anthropic_delta(struct reply *reply, int64_t index, const json_t *delta)
{
	const char *type = json_member(delta, "type");
	struct part *part = anthropic_part(reply, index);

	if (!part)
		return;
	if (!strcmp(type, "text_delta") && part->kind == PART_TEXT)
		reply_append(reply, part, json_member(delta, "text"));
	else if (!strcmp(type, "thinking_delta") && part->kind == PART_THINKING)
		reply_append(reply, part, json_member(delta, "thinking"));
	else if (!strcmp(type, "signature_delta") && part->kind == PART_THINKING)
		buf_append_str(&part->signature, json_member(delta, "signature"));
	else if (!strcmp(type, "input_json_delta") && part->kind == PART_CALL)
		reply_append(reply, part, json_member(delta, "partial_json"));
}

static void anthropic_count(int64_t *number, const json_t *usage, const char *name)
{
	const json_t *given = json_object_get(usage, name);
	double value = json_number_value(given);

	if (json_is_number(given) && value >= 0 && value < 1e12)
		*number = (int64_t)value;
}

/* The numbers of a later event replace those of an earlier one. */
static void anthropic_usage(struct reply *reply, const json_t *usage)
{
	struct reply_usage *total = &reply->usage;
	int64_t fresh = total->input - total->cache_read - total->cache_write;

	if (!json_is_object(usage))
		return;
	total->given = true;
	anthropic_count(&fresh, usage, "input_tokens");
	anthropic_count(&total->cache_read, usage, "cache_read_input_tokens");
	anthropic_count(&total->cache_write, usage, "cache_creation_input_tokens");
	anthropic_count(&total->output, usage, "output_tokens");
	total->input = fresh + total->cache_read + total->cache_write;
}

static void anthropic_stop_reason(struct reply *reply, const json_t *message)
{
	const char *reason = json_member(message, "stop_reason");

	reply->limited |= !strcmp(reason, "max_tokens");
	reply->paused |= !strcmp(reason, "pause_turn");
	reply->refused |= !strcmp(reason, "refusal");
}

static void anthropic_event(struct reply *reply, struct view data)
{
	CLEANUP(json_decrefp) json_t *event = reply_read_event(reply, data);
	const char *type;
	int64_t index;

	type = json_member(event, "type");
	index = (int64_t)json_number_value(json_object_get(event, "index"));
	if (!strcmp(type, "message_start")) {
		reply->restarted = reply->started;
		reply->started = true;
		anthropic_usage(
			reply, json_object_get(json_object_get(event, "message"), "usage"));
	} else if (!strcmp(type, "content_block_start")) {
		anthropic_begin_block(reply, index, json_object_get(event, "content_block"));
	} else if (!strcmp(type, "content_block_delta")) {
		anthropic_delta(reply, index, json_object_get(event, "delta"));
	} else if (!strcmp(type, "message_delta")) {
		anthropic_usage(reply, json_object_get(event, "usage"));
		anthropic_stop_reason(reply, json_object_get(event, "delta"));
	} else if (!strcmp(type, "message_stop")) {
		reply->ended = true;
	} else if (!strcmp(type, "error")) {
		reply_fail(reply, event);
	}
}

static void anthropic_whole(struct reply *reply, const json_t *message)
{
	json_t *block;
	size_t i;

	if (json_object_get(message, "error")) {
		reply_fail(reply, message);
		return;
	}
	if (!json_is_array(json_object_get(message, "content")))
		return;
	json_array_foreach(json_object_get(message, "content"), i, block)
		anthropic_begin_block(reply, (int64_t)i, block);
	anthropic_usage(reply, json_object_get(message, "usage"));
	anthropic_stop_reason(reply, message);
	reply->ended = true;
}

/* --- the request ------------------------------------------------------------- */

static void anthropic_mark(json_t *block)
{
	json_put(block, "cache_control:o", json_build("type:s", "ephemeral"));
}

static json_t *anthropic_text(const char *text)
{
	return json_build("type:s text:s", "text", text);
}

static json_t *anthropic_tools(const json_t *tools)
{
	json_t *list = json_array();
	json_t *tool;
	size_t i;

	json_array_foreach(tools, i, tool)
		json_add(list, "name:O description:O input_schema:O",
			json_object_get(tool, "name"), json_object_get(tool, "description"),
			json_object_get(tool, "input_schema"));
	if (json_array_size(list))
		anthropic_mark(json_array_get(list, json_array_size(list) - 1));
	return list;
}

static void anthropic_add_assistant(
	json_t *content, const struct wire_request *request, const json_t *message)
{
	bool reasoning = wire_keeps_reasoning(&wire_anthropic, request, message);
	json_t *block;
	size_t i;

	json_array_foreach(json_object_get(message, "content"), i, block) {
		const char *type = json_member(block, "type");

		if (!strcmp(type, "text"))
			json_array_append_new(
				content, anthropic_text(json_member(block, "text")));
		else if (!strcmp(type, "tool_use"))
			json_add(content, "type:s id:O name:O input:O", type,
				json_object_get(block, "id"), json_object_get(block, "name"),
				json_object_get(block, "input"));
		else if (reasoning && strcmp(type, "reasoning") != 0)
			json_array_append(content, block);
	}
	/* A message must not end in a thought. */
	for (i = json_array_size(content); i-- > 0;) {
		const char *type = json_member(json_array_get(content, i), "type");

		if (!strcmp(type, "text") || !strcmp(type, "tool_use"))
			break;
		json_array_remove(content, i);
	}
}

static void anthropic_add_results(
	json_t *content, const struct wire_request *request, const json_t *message)
{
	json_t *result;
	size_t i;

	json_array_foreach(json_object_get(message, "results"), i, result) {
		const char *text = json_member(result, "text");
		json_t *image = json_object_get(result, "image");
		json_t *inside = json_pack("[o]", anthropic_text(wire_shown(text)));
		json_t *block = json_build("type:s tool_use_id:O content:o", "tool_result",
			json_object_get(result, "id"), inside);

		if (image && request->vision)
			json_add(inside, "type:s source:o", "image",
				json_build("type:s media_type:O data:O", "base64",
					json_object_get(result, "image_type"), image));
		if (json_is_true(json_object_get(result, "is_error")))
			json_object_set_new(block, "is_error", json_true());
		json_array_append_new(content, block);
	}
}

/* Messages of the same side that follow each other are one. */
static json_t *anthropic_messages(const struct wire_request *request)
{
	json_t *list = json_array();
	json_t *content = NULL;
	const char *side = "";
	json_t *message;
	size_t i;

	json_array_foreach(request->messages, i, message) {
		const char *role = json_member(message, "role");
		const char *now = !strcmp(role, "assistant") ? role : "user";

		if (strcmp(side, now) != 0) {
			content = json_array();
			json_add(list, "role:s content:o", now, content);
			side = now;
		}
		if (!strcmp(role, "assistant"))
			anthropic_add_assistant(content, request, message);
		else if (!strcmp(role, "results"))
			anthropic_add_results(content, request, message);
		else
			json_array_append_new(
				content, anthropic_text(json_member(message, "text")));
	}
	return list;
}

/* The last two messages of the person's side: the earlier one was the last one before. */
static void anthropic_mark_messages(json_t *messages)
{
	size_t marks = 0;

	for (size_t i = json_array_size(messages); i-- > 0 && marks < 2;) {
		json_t *message = json_array_get(messages, i);
		json_t *content = json_object_get(message, "content");

		if (strcmp(json_member(message, "role"), "user") != 0)
			continue;
		anthropic_mark(json_array_get(content, json_array_size(content) - 1));
		marks++;
	}
}

static json_t *anthropic_request(const struct wire_request *request)
{
	json_t *body = json_build("model:s stream:b max_tokens:I", request->model, 1,
		(json_int_t)request->max_output);
	json_t *messages = anthropic_messages(request);

	anthropic_mark_messages(messages);
	if (json_array_size(request->tools))
		json_object_set_new(body, "tools", anthropic_tools(request->tools));
	if (*request->system) {
		json_t *system = anthropic_text(request->system);

		anthropic_mark(system);
		json_object_set_new(body, "system", json_pack("[o]", system));
	}
	json_object_set_new(body, "messages", messages);
	return body;
}

const struct wire wire_anthropic = {
	.name = "anthropic",
	.path = "/messages",
	.header = "anthropic-version: 2023-06-01",
	.request = anthropic_request,
	.event = anthropic_event,
	.whole = anthropic_whole,
};
