#include "proc/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bound.h"
#include "base/buf.h"
#include "base/quote.h"
#include "base/string_array.h"
#include "base/view.h"
#include "proc/process.h"

/* --- starting it ------------------------------------------------------------- */

struct pipes {
	int in[2];
	int out[2];
	int errors[2];
};

static void pipes_release(struct pipes *pipes)
{
	int *all[] = {pipes->in, pipes->out, pipes->errors};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		closep(&all[i][0]);
		closep(&all[i][1]);
	}
}

static int child_failed(const struct child_request *request, int errnum, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(request->argv[0]));

	errno = errnum;
	return error_errno(err, "cannot start %s", shown);
}

int child_start(const struct child_request *request, struct child *ret_child, struct error *err)
{
	CLEANUP(pipes_release) struct pipes pipes = {{-1, -1}, {-1, -1}, {-1, -1}};
	CLEANUP(freep) char *path = process_find_in(request->argv[0], request->env);
	struct child child = CHILD_INIT;

	if (!path)
		return child_failed(request, ENOENT, err);
	if (pipe2(pipes.in, O_CLOEXEC) < 0 || pipe2(pipes.out, O_CLOEXEC) < 0 ||
		pipe2(pipes.errors, O_CLOEXEC) < 0)
		return child_failed(request, errno, err);
	fcntl(pipes.in[1], F_SETFL, O_NONBLOCK);
	fcntl(pipes.out[0], F_SETFL, O_NONBLOCK);
	fcntl(pipes.errors[0], F_SETFL, O_NONBLOCK);
	child.pid = bound_start(&(struct bound_request){
		.path = path,
		.argv = request->argv,
		.env = request->env,
		.in = pipes.in[0],
		.out = pipes.out[1],
		.errors = pipes.errors[1],
		.cwd = request->cwd,
		.fds = request->fds,
		.fd_count = request->fd_count,
		.session = true,
		.no_groups = request->no_groups,
	});
	if (child.pid < 0)
		return child_failed(request, errno, err);
	child.pidfd = (int)syscall(SYS_pidfd_open, child.pid, 0);
	if (child.pidfd < 0) {
		int errnum = errno;

		kill(child.pid, SIGKILL);
		waitpid(child.pid, NULL, 0);
		return child_failed(request, errnum, err);
	}
	child.in = TAKE_FD(pipes.in[1]);
	child.out = TAKE_FD(pipes.out[0]);
	child.errors = TAKE_FD(pipes.errors[0]);
	*ret_child = child;
	return 0;
}

void child_signal(const struct child *child, int signal_number)
{
	if (child->pid > 0)
		kill(-child->pid, signal_number);
}

int child_reap(struct child *child)
{
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void child_release(struct child *child)
{
	closep(&child->pidfd);
	closep(&child->in);
	closep(&child->out);
	closep(&child->errors);
	*child = CHILD_INIT;
}

/* --- command lines ----------------------------------------------------------- */

/* Read one word at `*at`, which is moved past it. */
static int read_word(const char **at, struct buf *word, struct error *err)
{
	char open = 0;

	for (; **at && (open || !strchr(" \t\n", **at)); (*at)++) {
		char c = **at;

		if (open ? c == open : c == '\'' || c == '"') {
			open = open ? 0 : c;
		} else if (c == '\\' && open != '\'' && (*at)[1]) {
			(*at)++;
			buf_append_char(word, **at);
		} else {
			buf_append_char(word, c);
		}
	}
	if (open)
		return error_set(err, ERROR_INVALID, "a quote (%c) has no end", open);
	return 0;
}

int child_split(const char *line, char ***ret_argv, struct error *err)
{
	CLEANUP(string_array_release) struct string_array words = {0};
	const char *at = line;

	for (;;) {
		CLEANUP(buf_release) struct buf word = BUF_INIT;

		at += strspn(at, " \t\n");
		if (!*at)
			break;
		if (read_word(&at, &word, err) < 0)
			return -1;
		string_array_add(&words, word.data);
	}
	if (!words.count)
		return error_set(err, ERROR_INVALID, "there is no command in ''");
	GROW(words.list, words.count, words.cap);
	words.list[words.count] = NULL;
	*ret_argv = words.list;
	words = (struct string_array){0};
	return 0;
}

void child_free_argv(char ***argv)
{
	for (char **word = *argv; word && *word; word++)
		free(*word);
	free(*argv);
	*argv = NULL;
}
