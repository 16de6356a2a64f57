#include "engine/conflict/resolver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "engine/conflict/internal.h"
#include "engine/session/guard.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/scratch.h"
#include "proc/log.h"
#include "proc/process.h"

#define OUTPUT_MAX ((size_t)16 * 1024)

/* --- the copies ---------------------------------------------------------------------- */

static void scratch_drop(struct scratch *scratch)
{
	CLEANUP(error_release) struct error left = ERROR_INIT;

	if (scratch->fd >= 0 && scratch_remove(scratch, &left) < 0)
		log_debug("%s", left.message);
}

static int put_copies(
	const struct resolver_request *request, struct scratch *ret_scratch, struct error *err)
{
	CLEANUP(scratch_drop) struct scratch scratch = {.fd = -1};

	if (scratch_make("nanoclaw-resolver-", &scratch, err) < 0)
		return -1;
	for (size_t i = 0; i < request->file_count; i++) {
		const struct resolver_file *file = &request->files[i];
		CLEANUP(closep) int parent = -1;

		if (beneath_open_parent(scratch.fd, file->path, BENEATH_CREATE, &parent, err) <
			0)
			return error_prefix(
				err, "cannot copy '%s' for the resolver", file->path->text);
		if (replace_file(parent, relpath_base(file->path), file->merged,
			    0600 | (file->mode & 0111), NULL,
			    REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err) < 0)
			return error_prefix(
				err, "cannot copy '%s' for the resolver", file->path->text);
	}
	*ret_scratch = scratch;
	scratch.fd = -1;
	return 0;
}

/* --- the command --------------------------------------------------------------------- */

static bool is_claude(const struct resolver_request *request)
{
	return !strcmp(request->command, RESOLVER_CLAUDE);
}

static char *how_it_failed(
	const struct resolver_request *request, const struct process_result *result)
{
	if (result->timed_out)
		return xasprintf("it took more than %u seconds", request->seconds);
	if (result->signal)
		return xasprintf("it was killed by signal %d (%s)", result->signal,
			strsignal(result->signal));
	if (result->exit_code != 0)
		return xasprintf("it failed with exit code %d", result->exit_code);
	return NULL;
}

/* The program and its options, which are not copied. */
static const char **claude_argv(const char *program)
{
	size_t count = 0;
	const char **argv;

	while (resolver_claude_options[count])
		count++;
	argv = xcalloc(count + 2, sizeof(*argv));
	argv[0] = program;
	for (size_t i = 0; i < count; i++)
		argv[i + 1] = resolver_claude_options[i];
	return argv;
}

static int run_command(const struct resolver_request *request, int folder, struct view input,
	struct resolver_result *ret_result, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(freep) char *program = resolver_claude_program();
	CLEANUP(freep) const char **claude = claude_argv(program);
	const char *const shell[] = {"/bin/sh", "-c", request->command, NULL};
	struct process_request process = PROCESS_REQUEST_INIT;

	process.argv = is_claude(request) ? claude : shell;
	process.env = is_claude(request) ? resolver_claude_env : NULL;
	process.cwd_fd = folder;
	process.input = input;
	process.timeout_ms = request->seconds * 1000;
	process.end_group = true;
	if (!request->live) {
		process.output = (struct process_stream){PROCESS_CAPTURE_TAIL, OUTPUT_MAX};
		process.errors = (struct process_stream){.mode = PROCESS_WITH_OUTPUT};
	}
	if (process_run(&process, &result, &local) < 0) {
		/* A missing program is for the person to fix, and no reason to undo anything. */
		if (local.errnum == ENOENT || local.errnum == EACCES ||
			local.errnum == ENOEXEC) {
			ret_result->refused =
				xasprintf("it could not be started: %s", local.message);
			return 0;
		}
		return error_move(err, &local);
	}
	ret_result->output = result.output;
	result.output = BUF_INIT;
	ret_result->refused = how_it_failed(request, &result);
	return 0;
}

/* --- the outcome ---------------------------------------------------------------------- */

static void drop_edits(struct resolver_result *result)
{
	for (size_t i = 0; i < result->edit_count; i++)
		buf_release(&result->edits[i]);
	free(result->edits);
	result->edits = NULL;
	result->edit_count = 0;
}

static int run_guarded(const struct resolver_request *request, const struct scratch *scratch,
	struct view input, struct resolver_result *result, struct error *err)
{
	CLEANUP(error_release) struct error failure = ERROR_INIT;
	CLEANUP(guard_freep) struct guard *guard = NULL;
	CLEANUP(freep) char *changed = NULL;
	bool failed;

	if (guard_take_all(request->project, request->state, request->base, scratch->fd, &guard,
		    err) < 0)
		return -1;
	failed = run_command(request, scratch->fd, input, result, &failure) < 0;
	if (!failed && !result->refused) {
		result->edits = xcalloc(request->file_count + 1, sizeof(*result->edits));
		result->edit_count = request->file_count;
		for (size_t i = 0; i < request->file_count; i++)
			result->edits[i] = BUF_INIT;
		if (resolver_read_back(request, scratch->fd, result->edits, &result->refused) <
			0)
			drop_edits(result);
	}
	/* Also if we were interrupted. */
	if (guard_restore_all(guard, &changed, &result->kept, err) < 0)
		return error_prefix(err, "the resolver has changed the project");
	if (failed)
		return error_move(err, &failure);
	if (changed) {
		CLEANUP(freep) char *shown = quote(view_of(changed));

		/* Above all, the person must know that the resolver changed the project. */
		drop_edits(result);
		free(result->refused);
		result->refused = xasprintf(
			"it changed %s in the project, but may only edit its copies", shown);
	}
	return 0;
}

int resolver_run(const struct resolver_request *request, struct resolver_result *ret_result,
	struct error *err)
{
	CLEANUP(resolver_result_release) struct resolver_result result = RESOLVER_RESULT_INIT;
	CLEANUP(scratch_drop) struct scratch scratch = {.fd = -1};
	CLEANUP(buf_release) struct buf input = BUF_INIT;
	CLEANUP(freep) char *absolute = NULL;

	if (put_copies(request, &scratch, err) < 0)
		return -1;
	absolute = realpath(scratch.path, NULL);
	if (!absolute)
		return error_errno(err, "cannot find '%s'", scratch.path);
	if (is_claude(request))
		resolver_write_prompt(request, &input, &result.refused);
	else
		resolver_write_request(request, absolute, &input, &result.refused);
	if (!result.refused &&
		run_guarded(request, &scratch, view_of_buf(&input), &result, err) < 0)
		return -1;
	*ret_result = result;
	result = RESOLVER_RESULT_INIT;
	return 0;
}

void resolver_result_release(struct resolver_result *result)
{
	drop_edits(result);
	free(result->refused);
	buf_release(&result->output);
	kept_list_release(&result->kept);
}
