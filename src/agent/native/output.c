#include "agent/native/output.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/native/wire/wire.h"
#include "format/json.h"

/* In results only their beginning is shown; the model has all of it. */
#define MAX_SHOWN 2000

static void output_event(json_t *event)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	json_write_ours(event, false, &line);
	json_decref(event);
	buf_append_char(&line, '\n');
	if (fwrite(line.data, 1, line.len, stdout) != line.len || fflush(stdout))
		exit(EXIT_SUCCESS);
}

bool output_is_gone(void)
{
	struct pollfd pipe = {.fd = STDOUT_FILENO};

	return poll(&pipe, 1, 0) > 0 && (pipe.revents & (POLLERR | POLLHUP));
}

void output_init(const char *session, const char *model, const json_t *tools)
{
	json_t *names = json_array();
	json_t *tool;
	size_t i;

	json_array_foreach(tools, i, tool)
		json_array_append(names, json_object_get(tool, "name"));
	output_event(json_pack("{s:s, s:s, s:s, s:o, s:o}", "type", "system", "subtype", "init",
		"session_id", session, "model", json_text(view_of(model)), "tools", names));
}

void output_replay(const char *session, json_t *message)
{
	output_event(json_pack("{s:s, s:b, s:s, s:O}", "type", "user", "isReplay", 1,
		"session_id", session, "message", message));
}

void output_piece(const char *session, struct view piece)
{
	output_event(json_pack("{s:s, s:s, s:{s:s, s:i, s:{s:s, s:o}}}", "type", "stream_event",
		"session_id", session, "event", "type", "content_block_delta", "index", 0,
		"delta", "type", "text_delta", "text", json_text(piece)));
}

/* `parent`: the call of a subagent's task, or NULL. */
static void output_assistant(
	const char *session, const char *parent, const char *model, json_t *content)
{
	output_event(json_pack("{s:s, s:s, s:s?, s:{s:s, s:s, s:s, s:o}}", "type", "assistant",
		"session_id", session, "parent_tool_use_id", parent, "message", "type",
		"message", "role", "assistant", "model", model, "content", content));
}

void output_answer(const char *session, const char *model, const json_t *content)
{
	json_t *shown = json_array();
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block) {
		const char *type = wire_text(block, "type");

		if (!strcmp(type, "text") || !strcmp(type, "tool_use"))
			json_array_append(shown, block);
	}
	output_assistant(session, NULL, model, shown);
}

void output_calls(
	const char *session, const char *parent, const char *model, const json_t *content)
{
	json_t *calls = json_array();
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block)
		if (!strcmp(wire_text(block, "type"), "tool_use"))
			json_array_append(calls, block);
	if (json_array_size(calls))
		output_assistant(session, parent, model, calls);
	else
		json_decref(calls);
}

void output_note(const char *session, const char *model, const char *text)
{
	output_assistant(session, NULL, model,
		json_pack("[{s:s, s:o}]", "type", "text", "text", json_text(view_of(text))));
}

void output_tool_result(const char *session, const char *id, const char *text, bool is_error)
{
	struct view shown = {text, strnlen(text, MAX_SHOWN)};

	output_event(json_pack("{s:s, s:s, s:n, s:{s:s, s:[{s:s, s:s, s:o, s:b}]}}", "type",
		"user", "session_id", session, "parent_tool_use_id", "message", "role", "user",
		"content", "type", "tool_result", "tool_use_id", id, "content",
		json_text(shown), "is_error", is_error));
}

void output_alive(void)
{
	output_event(json_pack("{s:s}", "type", "waiting"));
}

void output_result(const struct output_end *end)
{
	const struct reply_usage *usage = &end->usage;
	int64_t fresh = usage->input - usage->cache_read - usage->cache_write;
	json_t *event = json_pack("{s:s, s:s, s:b, s:i}", "type", "result", "subtype",
		end->is_error ? "error_during_execution" : "success", "is_error", end->is_error,
		"num_turns", end->requests);

	if (end->session)
		json_object_set_new(event, "session_id", json_text(view_of(end->session)));
	json_object_set_new(event, "result", json_text(view_of(end->text)));
	if (end->is_final)
		json_object_set_new(event, "retry", json_false());
	if (usage->given)
		json_object_set_new(event, "usage",
			json_pack("{s:I, s:I, s:I, s:I}", "input_tokens",
				(json_int_t)(fresh > 0 ? fresh : 0), "output_tokens",
				(json_int_t)usage->output, "cache_read_input_tokens",
				(json_int_t)usage->cache_read, "cache_creation_input_tokens",
				(json_int_t)usage->cache_write));
	output_event(event);
}
