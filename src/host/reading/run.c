/* A program that reads a file. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "host/agent/agent_program.h"
#include "host/reading/reading.h"

#define MAX_ERRORS 300

/* The last line that it wrote, or what its exit code says. */
static char *run_reason(const struct reading *reading, int exit_code)
{
	struct view errors = view_trim(view_of_buf(&reading->errors));
	struct view line = errors;
	struct view last = errors;

	while (view_next(&line, '\n', &last))
		;
	if (reading->killed)
		return xasprintf("'%s' was ended: %s", reading->program, reading->killed);
	if (last.len) {
		CLEANUP(freep) char *said = utf8_excerpt(last);

		return xasprintf("'%s' failed: %s", reading->program, said);
	}
	return xasprintf("'%s' failed with exit code %d", reading->program, exit_code);
}

static void run_ended(int exit_code, void *data)
{
	struct reading *reading = data;
	CLEANUP(freep) char *why = NULL;

	if (!reading->killed)
		reading->killed = sandbox_limit_reached(reading->sandbox, exit_code);
	sandbox_ended(TAKE(reading->sandbox));
	sandboxes_ended(reading->sandboxes);
	reading->child = NULL;
	why = run_reason(reading, exit_code);
	if (readings_stopping(reading->readings))
		reading_clear(reading);
	else if (exit_code && !reading->cut)
		reading_fail(reading, why);
	else
		reading_end(reading, view_of_buf(&reading->text), reading->cut);
}

/* A program that has written more than is kept has done its work. */
static void run_output(struct view bytes, void *data)
{
	struct reading *reading = data;
	size_t room = ATTACHMENT_MAX_TEXT - reading->text.len;

	reading->cut |= bytes.len > room;
	buf_append(&reading->text, bytes.data, bytes.len < room ? bytes.len : room);
	if (reading->cut)
		loop_child_signal(reading->child, SIGKILL);
}

static void run_errors(struct view bytes, void *data)
{
	struct reading *reading = data;
	struct buf *errors = &reading->errors;

	buf_append(errors, bytes.data, bytes.len);
	if (errors->len > MAX_ERRORS) {
		memmove(errors->data, errors->data + errors->len - MAX_ERRORS, MAX_ERRORS);
		buf_set_len(errors, MAX_ERRORS);
	}
}

static char *program_name(const char *command)
{
	const char *slash;
	size_t len = strcspn(command, " ");

	slash = memrchr(command, '/', len);
	return slash ? xmemdupz(slash + 1, len - (size_t)(slash + 1 - command))
		     : xmemdupz(command, len);
}

int reading_run(struct reading *reading, const char *command, struct error *err)
{
	static const char *const env[] = {"HOME=" SANDBOX_HOME, "LANG=C.UTF-8", NULL};
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	CLEANUP(string_array_release) struct string_array argv = {0};
	bool of_project = command[0] != '/' && memchr(command, '/', strcspn(command, " "));
	CLEANUP(freep) char *line = xasprintf("%s%s", of_project ? "../../" : "", command);
	struct loop_child_options options = {
		.loop = &reading->inst->loop,
		.handlers = {run_output, run_errors, run_ended},
		.data = reading,
	};

	if (sandboxes_choose(reading->sandboxes, &SANDBOX_WISH_OWN, &spec.kind, err) < 0 ||
		agent_program_words(reading->inst, line, &spec, &argv, err) < 0)
		return -1;
	spec.group = reading->about.group_folder;
	spec.image = sandboxes_image(reading->sandboxes);
	spec.argv = (const char *const *)argv.list;
	spec.env = env;
	spec.workdir = "/";
	spec.limits.seconds = (uint64_t)reading->inst->limits.reading_seconds;
	if (sandbox_prepare(
		    sandboxes_owner(reading->sandboxes), &spec, &reading->sandbox, err) < 0)
		return -1;
	options.request = sandbox_command(reading->sandbox);
	if (loop_child_start(&options, &reading->child, err) < 0) {
		sandbox_ended(TAKE(reading->sandbox));
		return -1;
	}
	sandbox_started(reading->sandbox, loop_child_pid(reading->child));
	reading->program = program_name(command);
	loop_child_write(reading->child, &reading->content);
	loop_child_close_input(reading->child);
	return 0;
}

static void run_kill(struct reading *reading, const char *why)
{
	if (reading->killed)
		return;
	reading->killed = xstrdup(why);
	loop_child_signal(reading->child, SIGKILL);
}

void reading_watch(struct reading *reading, const struct watch *watch)
{
	const char *why = reading->child ? watch_verdict(watch, reading->sandbox) : NULL;

	if (why)
		run_kill(reading, why);
}

void reading_stop(struct reading *reading)
{
	if (reading->child) {
		run_kill(reading, "the host ends");
		return;
	}
	http_call_cancel(reading->call);
	reading_clear(reading);
}
