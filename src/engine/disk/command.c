#include "engine/disk/command.h"

#include <string.h>

#include "util/process.h"

#define TAIL_SIZE  ((size_t)16 * 1024)
#define TAIL_LINES 20

/* The last lines of a text. */
static struct view last_lines(const struct buf *text)
{
	size_t start = text->len;
	int lines = 0;

	while (start > 0) {
		if (text->data[start - 1] == '\n' && start < text->len && ++lines == TAIL_LINES)
			break;
		start--;
	}
	return view_slice(view_of_buf(text), start, text->len);
}

int command_run(const struct project *project, const struct command *command, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(freep) char *how = NULL;
	struct view tail;

	request.argv = command->argv;
	request.env = command->env;
	request.cwd_fd = project->root;
	request.timeout_ms = command->seconds * 1000;
	request.end_group = true;
	request.dies_with_us = true;
	if (!command->live) {
		request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, TAIL_SIZE};
		request.errors = (struct process_stream){.mode = PROCESS_WITH_OUTPUT};
	}
	if (process_run(&request, &result, err) < 0)
		return error_prefix(err, "cannot run '%s'", command->shown);
	if (result.timed_out)
		how = xasprintf("took more than %u seconds", command->seconds);
	else if (result.signal)
		how = xasprintf(
			"was ended by signal %d (%s)", result.signal, strsignal(result.signal));
	else if (result.exit_code)
		how = xasprintf("failed with exit code %d", result.exit_code);
	else
		return 0;
	tail = last_lines(&result.output);
	return error_set(err, command->kind, "%s %s: %s%s%.*s", command->what, how,
		command->shown, tail.len ? "\n" : "", VIEW_ARGS(view_trim(tail)));
}
