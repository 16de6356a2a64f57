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
	output_event(json_build("type:s subtype:s session_id:s model:s tools:o", "system",
		"init", session, model, names));
}

void output_replay(const char *session, json_t *message)
{
	output_event(json_build(
		"type:s isReplay:b session_id:s message:O", "user", 1, session, message));
}

void output_piece(const char *session, struct view piece)
{
	output_event(json_build("type:s session_id:s event:o", "stream_event", session,
		json_build("type:s index:i delta:o", "content_block_delta", 0,
			json_build("type:s text:v", "text_delta", piece))));
}

/* `parent`: the call of a subagent's task, or NULL. */
static void output_assistant(
	const char *session, const char *parent, const char *model, json_t *content)
{
	output_event(json_build("type:s session_id:s parent_tool_use_id:s message:o",
		"assistant", session, parent,
		json_build("type:s role:s model:s content:o", "message", "assistant", model,
			content)));
}

void output_answer(const char *session, const char *model, const json_t *content)
{
	json_t *shown = json_array();
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block) {
		const char *type = json_member(block, "type");

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
		if (!strcmp(json_member(block, "type"), "tool_use"))
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
	output_event(json_build("type:s", "waiting"));
}

void output_result(const struct output_end *end)
{
	const struct reply_usage *usage = &end->usage;
	int64_t fresh = usage->input - usage->cache_read - usage->cache_write;
	json_t *event = json_build("type:s subtype:s is_error:b num_turns:i", "result",
		end->is_error ? "error_during_execution" : "success", end->is_error,
		end->requests);

	if (end->session)
		json_object_set_new(event, "session_id", json_text(view_of(end->session)));
	json_object_set_new(event, "result", json_text(view_of(end->text)));
	if (end->is_final)
		json_object_set_new(event, "retry", json_false());
	if (usage->given)
		json_put(event, "usage:o",
			json_build("input_tokens:I output_tokens:I cache_read_input_tokens:I "
				   "cache_creation_input_tokens:I",
				fresh > 0 ? fresh : 0, usage->output, usage->cache_read,
				usage->cache_write));
	output_event(event);
}
