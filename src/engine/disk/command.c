#include "engine/disk/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/string_array.h"
#include "proc/process.h"
#include "veil/veil.h"

#define TAIL_SIZE  ((size_t)16 * 1024)
#define TAIL_LINES 20
#define NOTE       "note: "

#define SECONDS_MAX (24 * 60 * 60)

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

/* An earlier command may have moved the project's folder, and its secrets with it. */
static int check_place(const struct project *project, struct error *err)
{
	struct stat held, named;

	if (fstat(project->root, &held) < 0 || stat(project->path, &named) < 0 ||
		held.st_dev != named.st_dev || held.st_ino != named.st_ino)
		return error_set(err, ERROR_FAILED, "the folder '%s' was moved", project->path);
	return 0;
}

/* Git runs what a repository names. A new one may also be the person's, so it stays. */
static int check_repository(const struct project *project, bool had_git, struct error *err)
{
	if (had_git || faccessat(project->root, ".git", F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	return error_set(err, ERROR_FAILED,
		"'%s/.git' has appeared while a command ran: git would run what it names, so "
		"delete it if it is not yours",
		project->path);
}

static void show_progress(long long duration_ms, const void *data)
{
	const struct command_request *command = data;

	command->progress(command->what, duration_ms, command->seconds);
}

static int take_notes(const struct command_request *command, struct view output)
{
	struct view line;

	while (command->notes && view_next(&output, '\n', &line))
		if (view_starts_with(line, NOTE))
			string_array_addf(command->notes, "%s: %.*s", command->what,
				VIEW_ARGS(view_slice(line, strlen(NOTE), line.len)));
	return 0;
}

static int command_interrupted(const struct command_request *command, struct error *err)
{
	CLEANUP(freep) char *message = TAKE(err->message);
	const char *why = strstr(message, " was ended");

	err->message = xasprintf("'%s'%s", command->shown, why ? why : " was ended");
	return -1;
}

int command_run(
	const struct project *project, const struct command_request *command, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(string_array_release) struct string_array env = {0};
	CLEANUP(veil_release) struct veil veil = VEIL_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(freep) char *program = NULL;
	CLEANUP(freep) const char **names = NULL;
	CLEANUP(freep) char *how = NULL;
	bool had_git = faccessat(project->root, ".git", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	struct view tail;
	bool failed;

	/* As process_request wants it: names of variables to unset, then the added ones. */
	for (char **variable = environ; *variable; variable++)
		if (!veil_passes(*variable))
			string_array_addf(
				&env, "%.*s", (int)strcspn(*variable, "="), *variable);
	if (command->kind == ERROR_TEST)
		string_array_addf(&env, "NANOCLAW_TEST_TIMEOUT=%u", command->seconds);
	for (const char *const *added = command->env; added && *added; added++)
		string_array_add(&env, *added);
	names = xcalloc(env.count + 1, sizeof(*names));
	for (size_t i = 0; i < env.count; i++)
		names[i] = env.list[i];
	request.argv = command->argv;
	program = process_find(command->argv[0]);
	if (program && !command->own) {
		if (check_place(project, err) < 0 ||
			veil_put_on(&veil,
				&(struct veil_request){.argv = command->argv,
					.folder = project->path,
					.writes = command->writes,
					.installs = command->installs},
				err) < 0)
			return -1;
		request.argv = (const char *const *)veil.argv.list;
		request.fds = veil.fds;
		request.fd_count = veil.fd_count;
		request.session = true;
	}
	request.env = names;
	request.cwd_fd = project->root;
	request.timeout_ms = command->seconds * 1000;
	request.end_group = true;
	request.dies_with_us = true;
	if (command->progress) {
		request.watch = show_progress;
		request.watch_data = command;
	}
	if (!command->live || command->progress) {
		request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, TAIL_SIZE};
		request.errors = (struct process_stream){.mode = PROCESS_WITH_OUTPUT};
	}
	failed = process_run(&request, &result, err) < 0;
	if (command->progress)
		command->progress(NULL, 0, 0);
	if (failed && err->errnum == EINTR) /* it names the sandbox, which nobody has typed */
		return command_interrupted(command, err);
	if (failed)
		return error_prefix(err, "cannot run '%s'", command->shown);
	if (program && !command->own &&
		(veil_check(&veil, err) < 0 || check_repository(project, had_git, err) < 0))
		return -1;
	if (result.timed_out)
		how = xasprintf("took more than %u seconds", command->seconds);
	else if (result.signal)
		how = xasprintf("was killed by signal %d (%s)", result.signal,
			strsignal(result.signal));
	else if (veil.on && result.exit_code > 128 && result.exit_code < 128 + NSIG)
		how = xasprintf("failed with exit code %d, as after signal %d (%s)",
			result.exit_code, result.exit_code - 128,
			strsignal(result.exit_code - 128));
	else if (result.exit_code)
		how = xasprintf("failed with exit code %d", result.exit_code);
	else
		return take_notes(command, view_of_buf(&result.output));
	tail = last_lines(&result.output);
	return error_set(err, command->kind, "%s %s: %s%s%.*s", command->what, how,
		command->shown, tail.len ? "\n" : "", VIEW_ARGS(view_trim(tail)));
}

int command_seconds(
	const char *variable, unsigned fallback, unsigned *ret_seconds, struct error *err)
{
	const char *text = getenv(variable);
	CLEANUP(freep) char *shown = NULL;
	unsigned long seconds = fallback;
	char *end;

	if (text && *text) {
		errno = 0;
		seconds = strtoul(text, &end, 10);
		if (errno || *end || text[0] < '0' || text[0] > '9' || !seconds ||
			seconds > SECONDS_MAX) {
			shown = quote(view_of(text));
			return error_set(err, ERROR_INVALID,
				"%s is %s: it must be a number of seconds, from 1 to %d",
				variable, shown, SECONDS_MAX);
		}
	}
	*ret_seconds = (unsigned)seconds;
	return 0;
}
