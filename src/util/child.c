#include "util/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/buf.h"
#include "util/quote.h"
#include "util/view.h"

/* --- finding it -------------------------------------------------------------- */

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

static const char *path_of(const char *const *env)
{
	for (; *env; env++)
		if (!strncmp(*env, "PATH=", 5))
			return *env + 5;
	return "/usr/local/bin:/usr/bin:/bin";
}

static char *find_program(const char *name, const char *const *env)
{
	struct view rest = view_of(path_of(env));
	struct view entry;

	if (strchr(name, '/'))
		return xstrdup(name);
	while (*name && view_next(&rest, ':', &entry)) {
		CLEANUP(freep) char *found = NULL;

		if (!view_starts_with(entry, "/"))
			continue;
		found = xasprintf("%.*s/%s", VIEW_ARGS(entry), name);
		if (is_program(found))
			return TAKE(found);
	}
	return NULL;
}

/* --- starting it ------------------------------------------------------------- */

struct pipes {
	int in[2];
	int out[2];
	int errors[2];
};

static void close_pair(int pair[2])
{
	closep(&pair[0]);
	closep(&pair[1]);
	pair[0] = pair[1] = -1;
}

static void pipes_release(struct pipes *pipes)
{
	close_pair(pipes->in);
	close_pair(pipes->out);
	close_pair(pipes->errors);
}

static int open_pipes(struct pipes *pipes)
{
	if (pipe2(pipes->in, O_CLOEXEC) < 0 || pipe2(pipes->out, O_CLOEXEC) < 0 ||
		pipe2(pipes->errors, O_CLOEXEC) < 0)
		return -1;
	fcntl(pipes->in[1], F_SETFL, O_NONBLOCK);
	fcntl(pipes->out[0], F_SETFL, O_NONBLOCK);
	fcntl(pipes->errors[0], F_SETFL, O_NONBLOCK);
	return 0;
}

static void default_signals(void)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		sigaction(number, &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * In the child, which has our memory until it executes the program: it changes nothing
 * but `*ret_errnum`, and calls what is allowed after vfork() only.
 */
static void __attribute__((noreturn)) become(const struct child_request *request,
	const char *path, const struct pipes *pipes, pid_t parent, volatile int *ret_errnum)
{
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127); /* it died before the line above */
	default_signals();
	if (dup2(pipes->in[0], STDIN_FILENO) >= 0 && dup2(pipes->out[1], STDOUT_FILENO) >= 0 &&
		dup2(pipes->errors[1], STDERR_FILENO) >= 0 && !fchdir(request->cwd)) {
		close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
		execve(path, (char *const *)(uintptr_t)request->argv,
			(char *const *)(uintptr_t)request->env);
	}
	*ret_errnum = errno;
	_exit(127);
}

/*
 * vfork() copies no page tables, so the size of the host does not matter. We go on when
 * the program was executed, or could not be. Signals are held back meanwhile: a handler
 * must not run in the child, in our memory.
 */
static pid_t __attribute__((noinline)) start(const struct child_request *request,
	const char *path, const struct pipes *pipes, volatile int *ret_errnum)
{
	pid_t parent = getpid();
	sigset_t all;
	sigset_t before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = vfork(); /* NOLINT: posix_spawn() cannot make it die with us */
	if (!pid)
		/* NOLINTNEXTLINE: it keeps to what may be called here */
		become(request, path, pipes, parent, ret_errnum);
	if (pid < 0)
		*ret_errnum = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static int fail(const struct child_request *request, int errnum, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(request->argv[0]));

	errno = errnum;
	return error_errno(err, "cannot start %s", shown);
}

int child_start(const struct child_request *request, struct child *ret_child, struct error *err)
{
	CLEANUP(pipes_release) struct pipes pipes = {{-1, -1}, {-1, -1}, {-1, -1}};
	CLEANUP(freep) char *path = find_program(request->argv[0], request->env);
	struct child child = CHILD_INIT;
	volatile int errnum = 0;

	if (!path)
		return fail(request, ENOENT, err);
	if (open_pipes(&pipes) < 0)
		return fail(request, errno, err);
	child.pid = start(request, path, &pipes, &errnum);
	if (child.pid < 0)
		return fail(request, errnum, err);
	if (!errnum) {
		child.pidfd = (int)syscall(SYS_pidfd_open, child.pid, 0);
		errnum = child.pidfd < 0 ? errno : 0;
	}
	if (errnum) {
		kill(child.pid, SIGKILL);
		waitpid(child.pid, NULL, 0);
		return fail(request, errnum, err);
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

struct words {
	char **list;
	size_t count;
	size_t cap;
};

static void words_release(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
}

static void add_word(struct words *words, struct buf *word)
{
	GROW(words->list, words->count, words->cap);
	words->list[words->count++] = buf_take(word);
}

/* One word from `*at`, which is moved behind it. */
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
	CLEANUP(words_release) struct words words = {0};
	const char *at = line;

	for (;;) {
		CLEANUP(buf_release) struct buf word = BUF_INIT;

		at += strspn(at, " \t\n");
		if (!*at)
			break;
		if (read_word(&at, &word, err) < 0)
			return -1;
		add_word(&words, &word);
	}
	if (!words.count)
		return error_set(err, ERROR_INVALID, "there is no command in ''");
	GROW(words.list, words.count, words.cap);
	words.list[words.count] = NULL;
	*ret_argv = words.list;
	words = (struct words){0};
	return 0;
}

void child_free_argv(char ***argv)
{
	for (char **word = *argv; word && *word; word++)
		free(*word);
	free(*argv);
	*argv = NULL;
}
