#include "proc/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bound.h"
#include "base/quote.h"
#include "fs/sys.h"
#include "time/timestamp.h"

#define READ_SIZE (64 * 1024)
#define REAP_MS   1000

/* How much to read from a pipe after the end: more than any pipe holds by default. */
#define DRAIN_MAX (1024 * 1024)

#define WATCH_MS 1000

static const int held_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/* One captured stream. */
struct capture {
	int fd;       /* -1: not captured, or at its end */
	int child_fd; /* the child's end */
	bool tail;
	bool cut;
	bool too_much;
	size_t max;
	struct buf text;
};

#define CAPTURE_INIT ((struct capture){.fd = -1, .child_fd = -1, .text = BUF_INIT})

struct run {
	const struct process_request *request;
	struct capture output;
	struct capture errors;
	pid_t pid; /* also the process group; 0: not started */
	int pidfd;
	int signal_fd;
	bool ended;    /* the program; it is not reaped yet */
	bool stopping; /* the group got SIGTERM */
	bool killed;   /* the group got SIGKILL */
	bool timed_out;
	int interrupted;    /* the signal that we got, or 0 */
	long long start;    /* all times in milliseconds */
	long long deadline; /* of the next step: SIGTERM or SIGKILL; -1: none */
	long long next_watch;
	sigset_t held;
	sigset_t old_mask;
	struct sigaction old_child;
	bool signals_held;
};

static const char *program_of(const struct run *run)
{
	return run->request->argv[0];
}

/* `what` could not be done because of errno; NULL: running it as such. */
static int run_errno(const struct run *run, const char *what, struct error *err)
{
	int errnum = errno;
	CLEANUP(freep) char *shown = quote(view_of(program_of(run)));

	errno = errnum;
	return error_errno(err, "cannot run %s%s%s", shown, what ? ": " : "", what ? what : "");
}

static int run_missing(const struct run *run, const char *why, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(program_of(run)));

	error_set(err, ERROR_FAILED, "cannot run %s: %s", shown, why);
	err->errnum = ENOENT;
	return -1;
}

/* --- descriptors ------------------------------------------------------------- */

/*
 * If we were started with standard streams closed, a new descriptor may be 0, 1
 * or 2, and would be overwritten when the child's streams are put in place.
 */
static int above_standard(int fd)
{
	int moved;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	closep(&fd);
	return moved;
}

static int open_null(int flags)
{
	return above_standard(open("/dev/null", flags | O_CLOEXEC));
}

static int capture_open(struct capture *c, const struct process_stream *stream)
{
	int ends[2];

	c->max = stream->max;
	c->tail = stream->mode == PROCESS_CAPTURE_TAIL;
	switch (stream->mode) {
	case PROCESS_DISCARD:
		c->child_fd = open_null(O_WRONLY);
		return c->child_fd < 0 ? -1 : 0;
	case PROCESS_CAPTURE:
	case PROCESS_CAPTURE_TAIL:
		if (pipe2(ends, O_CLOEXEC) < 0)
			return -1;
		c->fd = above_standard(ends[0]);
		c->child_fd = above_standard(ends[1]);
		if (c->fd < 0 || c->child_fd < 0)
			return -1;
		/* Only our end: the flag belongs to the end, not to the pipe. */
		return fcntl(c->fd, F_SETFL, O_NONBLOCK);
	case PROCESS_INHERIT:
	case PROCESS_WITH_OUTPUT:
		break;
	}
	return 0;
}

static void capture_release(struct capture *c)
{
	closep(&c->fd);
	closep(&c->child_fd);
	buf_release(&c->text);
}

/*
 * Puts the input into a file in memory. A pipe would have to be filled while the output is
 * drained, and would raise SIGPIPE if the program does not read all of it.
 */
static int open_input(struct view input)
{
	CLEANUP(closep) int fd = -1;

	if (!input.len)
		return open_null(O_RDONLY);
	fd = above_standard(memfd_create("input", MFD_CLOEXEC));
	if (fd < 0 || sys_write_all(fd, input.data, input.len) < 0)
		return -1;
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	return TAKE_FD(fd);
}

static int open_cwd(const struct run *run, int *ret_fd, struct error *err)
{
	const struct process_request *request = run->request;
	int fd = -1;

	if (request->cwd) {
		fd = open(request->cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0) {
			CLEANUP(freep) char *shown = quote(view_of(request->cwd));
			CLEANUP(freep) char *what = xasprintf("cannot enter folder %s", shown);

			return run_errno(run, what, err);
		}
	} else if (request->cwd_fd >= 0) {
		fd = fcntl(request->cwd_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (fd < 0)
			return run_errno(run, "cannot enter the folder", err);
	}
	*ret_fd = above_standard(fd);
	return 0;
}

/* --- environment and PATH ---------------------------------------------------- */

/* Ours without what `extra` names, and the values of `extra`. The strings are not copied. */
static const char **merge_environment(const char *const *extra)
{
	const char **merged;
	size_t extra_count = 0;
	size_t count = 0;
	size_t used = 0;

	while (extra && extra[extra_count])
		extra_count++;
	while (environ[count])
		count++;
	merged = xcalloc(count + extra_count + 1, sizeof(*merged));
	for (size_t i = 0; i < count; i++) {
		bool replaced = false;

		for (size_t k = 0; k < extra_count; k++) {
			size_t len = strcspn(extra[k], "=");

			replaced |= len == strcspn(environ[i], "=") &&
				    !strncmp(extra[k], environ[i], len);
		}
		if (!replaced)
			merged[used++] = environ[i];
	}
	for (size_t i = 0; i < extra_count; i++)
		if (strchr(extra[i], '='))
			merged[used++] = extra[i];
	return merged;
}

/* NULL if the program is in no absolute entry of PATH. */
char *process_find_in(const char *name, const char *const *env)
{
	struct view rest = view_of("/usr/local/bin:/usr/bin:/bin");
	struct view entry;

	if (strchr(name, '/'))
		return xstrdup(name);
	for (; *env; env++)
		if (view_starts_with(view_of(*env), "PATH=")) {
			rest = view_of(*env + strlen("PATH="));
			break;
		}
	while (*name && view_next(&rest, ':', &entry)) {
		CLEANUP(freep) char *found = xasprintf("%.*s/%s", VIEW_ARGS(entry), name);
		struct stat st;

		if (view_starts_with(entry, "/") && !stat(found, &st) && S_ISREG(st.st_mode) &&
			!faccessat(AT_FDCWD, found, X_OK, AT_EACCESS))
			return TAKE(found);
	}
	return NULL;
}

char *process_find(const char *name)
{
	return process_find_in(name, (const char *const *)environ);
}

char *process_find_own(const char *name, struct error *err)
{
	static const char *const places[] = {"", "/../libexec/nanoclaw", "/..", "/../.."};
	static char *self; /* known for good: an update may delete the file that we run */
	CLEANUP(freep) char *installed = xasprintf(NANOCLAW_LIBEXEC "/%s", name);

	if (!self) {
		self = realpath("/proc/self/exe", NULL);
		if (self)
			*strrchr(self, '/') = '\0';
	}
	for (size_t i = 0; self && i < ARRAY_SIZE(places); i++) {
		CLEANUP(freep) char *path = xasprintf("%s%s/%s", self, places[i], name);

		if (!access(path, X_OK))
			return realpath(path, NULL);
	}
	if (!access(installed, X_OK))
		return TAKE(installed);
	error_set(err, ERROR_FAILED, "the program '%s' is missing", name);
	error_hint(
		err, "it must be in the same folder as nanoclaw; 'make install' installs both");
	return NULL;
}

/* --- signals ----------------------------------------------------------------- */

static int run_hold_signals(struct run *run)
{
	struct sigaction child = {.sa_handler = SIG_DFL};

	sigemptyset(&run->held);
	for (size_t i = 0; i < ARRAY_SIZE(held_signals); i++) {
		struct sigaction action;

		sigaction(held_signals[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			sigaddset(&run->held, held_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &run->held, &run->old_mask);
	/* With SIGCHLD ignored the kernel would throw the exit code away. */
	sigaction(SIGCHLD, &child, &run->old_child);
	run->signals_held = true;
	run->signal_fd = signalfd(-1, &run->held, SFD_CLOEXEC | SFD_NONBLOCK);
	return run->signal_fd < 0 ? -1 : 0;
}

/* Has the program ended? It is not reaped by this. */
static void run_check_end(struct run *run)
{
	siginfo_t info = {0};

	if (!waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid)
		run->ended = true;
}

/* --- starting ---------------------------------------------------------------- */

static int run_start(struct run *run, struct error *err)
{
	CLEANUP(freep) const char **env = merge_environment(run->request->env);
	CLEANUP(freep) char *path = process_find_in(program_of(run), env);
	bool joined = run->request->errors.mode == PROCESS_WITH_OUTPUT;
	CLEANUP(closep) int input = -1;
	CLEANUP(closep) int cwd = -1;
	pid_t pid;

	if (!path)
		return run_missing(run, "not found in PATH", err);
	if (open_cwd(run, &cwd, err) < 0)
		return -1;
	input = open_input(run->request->input);
	if (input < 0)
		return run_errno(run, "cannot prepare its input", err);
	if (capture_open(&run->output, &run->request->output) < 0 ||
		capture_open(&run->errors, &run->request->errors) < 0)
		return run_errno(run, "cannot prepare its output", err);
	if (run_hold_signals(run) < 0)
		return run_errno(run, "cannot wait for signals", err);

	pid = bound_start(&(struct bound_request){
		.path = path,
		.argv = run->request->argv,
		.env = env,
		.in = input,
		.out = run->output.child_fd,
		.errors = joined ? STDOUT_FILENO : run->errors.child_fd,
		.cwd = cwd,
		.fds = run->request->fds,
		.fd_count = run->request->fd_count,
		.session = run->request->session,
		.may_outlive = !run->request->dies_with_us,
	});
	if (pid < 0 && errno == ENOENT) {
		if (!faccessat(cwd >= 0 ? cwd : AT_FDCWD, path, F_OK, 0))
			return run_missing(
				run, "the interpreter that it names is missing", err);
		errno = ENOENT;
	}
	if (pid < 0)
		return run_errno(run, NULL, err);
	run->pid = pid;
	/* Only the child holds the writing ends now, so their end can be seen. */
	closep(&run->output.child_fd);
	closep(&run->errors.child_fd);
	run->output.child_fd = run->errors.child_fd = -1;
	run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0);
	if (run->pidfd >= 0)
		return 0;
	/* On a kernel without pidfd_open(), SIGCHLD reports the end. */
	sigaddset(&run->held, SIGCHLD);
	sigprocmask(SIG_BLOCK, &run->held, NULL);
	if (signalfd(run->signal_fd, &run->held, SFD_CLOEXEC | SFD_NONBLOCK) < 0)
		return run_errno(run, "cannot wait for its end", err);
	run_check_end(run); /* it may have come before it was held */
	return 0;
}

/* --- while it runs ----------------------------------------------------------- */

static void capture_cut(struct capture *c)
{
	memmove(c->text.data, c->text.data + c->text.len - c->max, c->max);
	buf_set_len(&c->text, c->max);
	c->cut = true;
}

/* One read. Returns false when there is nothing (more) at the moment. */
static bool capture_read(struct capture *c)
{
	char piece[READ_SIZE];
	ssize_t n;

	if (c->fd < 0)
		return false;
	n = read(c->fd, piece, sizeof(piece));
	if (n > 0 && c->tail) {
		buf_append(&c->text, piece, (size_t)n);
		/* Moving the tail only when there is twice as much makes it cheap. */
		if (c->text.len / 2 > c->max)
			capture_cut(c);
		return true;
	}
	if (n > 0) {
		size_t room = c->max - c->text.len;

		c->too_much = c->too_much || (size_t)n > room;
		buf_append(&c->text, piece, (size_t)n < room ? (size_t)n : room);
		return true;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return errno == EINTR;
	closep(&c->fd);
	c->fd = -1;
	return false;
}

/* Reads what is in the pipe now. Bounded, since a daemon may keep writing. */
static void capture_drain(struct capture *c)
{
	for (size_t taken = 0; taken < DRAIN_MAX && capture_read(c); taken += READ_SIZE)
		;
	if (c->tail && c->text.len > c->max)
		capture_cut(c);
}

static void run_terminate(struct run *run)
{
	if (run->stopping)
		return;
	assert(run->pid > 1); /* -1 would be everybody, and 0 our own group */
	run->stopping = true;
	kill(-run->pid, SIGTERM);
	kill(-run->pid, SIGCONT); /* a stopped process would not see it */
	run->deadline = timestamp_steady() + run->request->grace_ms;
}

static void run_kill(struct run *run)
{
	assert(run->pid > 1);
	if (!run->killed)
		kill(-run->pid, SIGKILL);
	run->killed = true;
	run->deadline = -1;
}

/* Without a descriptor poll() skips the entry. */
static void run_wait(struct run *run)
{
	struct pollfd fds[] = {
		{.fd = run->output.fd, .events = POLLIN},
		{.fd = run->errors.fd, .events = POLLIN},
		{.fd = run->ended ? -1 : run->pidfd, .events = POLLIN},
		{.fd = run->signal_fd, .events = POLLIN},
	};
	long long left = run->deadline < 0 ? -1 : run->deadline - timestamp_steady();
	int longest = run->request->watch ? WATCH_MS : 60 * 1000;
	int timeout = left < 0 || left > longest ? longest : (int)left;
	struct signalfd_siginfo info;

	if (run->deadline >= 0 && left <= 0) {
		if (run->stopping) {
			run_kill(run);
		} else {
			run->timed_out = true;
			run_terminate(run);
		}
		return;
	}
	if (poll(fds, ARRAY_SIZE(fds), timeout) <= 0)
		return;
	if (fds[0].revents)
		capture_read(&run->output);
	if (fds[1].revents)
		capture_read(&run->errors);
	if (fds[2].revents)
		run->ended = true;
	if (fds[3].revents && read(run->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			run_check_end(run);
		else
			run->interrupted = (int)info.ssi_signo;
	}
	if (run->interrupted || run->output.too_much || run->errors.too_much)
		run_terminate(run);
}

static void run_tell(struct run *run)
{
	long long now = timestamp_steady();

	if (!run->request->watch || now < run->next_watch)
		return;
	run->next_watch = now + WATCH_MS;
	run->request->watch(now - run->start, run->request->watch_data);
}

static void run_supervise(struct run *run)
{
	unsigned timeout = run->request->timeout_ms;

	run->deadline = timeout ? run->start + timeout : -1;
	/*
	 * After a normal end there is nothing to wait for. A group that got SIGTERM may have
	 * members that are still shutting down: while they hold our pipes, they get the rest of
	 * the grace period.
	 */
	while (!run->ended || (run->stopping && !run->killed &&
				      (run->output.fd >= 0 || run->errors.fd >= 0))) {
		run_wait(run);
		run_tell(run);
	}
	if (run->stopping || run->request->end_group)
		run_kill(run);
	capture_drain(&run->output);
	capture_drain(&run->errors);
	if (run->output.too_much || run->errors.too_much)
		run_kill(run);
}

/* --- the end ----------------------------------------------------------------- */

/*
 * From here on run->pid is not ours. The others of its group that were killed end a moment later,
 * and the first process of a pid namespace only after all in it: they are waited for, but not
 * forever, because somebody else has to reap them.
 */
static siginfo_t run_reap(struct run *run)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	siginfo_t info = {0};

	while (waitid(P_PID, (id_t)run->pid, &info, WEXITED) < 0 && errno == EINTR)
		;
	for (int i = 0; run->killed && i < REAP_MS && kill(-run->pid, 0) == 0; i++)
		nanosleep(&moment, NULL);
	run->pid = 0;
	return info;
}

static void run_release(struct run *run)
{
	if (run->pid) {
		run_kill(run);
		run_reap(run);
	}
	closep(&run->pidfd);
	closep(&run->signal_fd);
	capture_release(&run->output);
	capture_release(&run->errors);
	/* Drop a pending SIGCHLD instead of passing it to the caller's handler. */
	if (run->signals_held) {
		sigprocmask(SIG_SETMASK, &run->old_mask, NULL);
		sigaction(SIGCHLD, &run->old_child, NULL);
	}
}

static struct buf capture_take(struct capture *c)
{
	struct buf text = c->text;

	c->text = BUF_INIT;
	return text;
}

int process_run(const struct process_request *request, struct process_result *ret_result,
	struct error *err)
{
	CLEANUP(run_release)
	struct run run = {
		.request = request,
		.output = CAPTURE_INIT,
		.errors = CAPTURE_INIT,
		.pidfd = -1,
		.signal_fd = -1,
		.start = timestamp_steady(),
	};
	CLEANUP(freep) char *shown = quote(view_of(request->argv[0]));
	siginfo_t info;

	assert(request->output.mode != PROCESS_WITH_OUTPUT);
	if (run_start(&run, err) < 0)
		return -1;
	run_supervise(&run);
	info = run_reap(&run);
	if (run.interrupted) {
		error_set(err, ERROR_FAILED, "%s was ended because we got SIG%s", shown,
			sigabbrev_np(run.interrupted));
		err->errnum = EINTR;
		return -1;
	}
	if (run.output.too_much || run.errors.too_much) {
		error_set(err, ERROR_FAILED, "%s wrote more than %zu bytes", shown,
			run.output.too_much ? run.output.max : run.errors.max);
		err->errnum = EFBIG;
		return -1;
	}
	*ret_result = (struct process_result){
		.exit_code = info.si_code == CLD_EXITED ? info.si_status : -1,
		.signal = info.si_code == CLD_EXITED ? 0 : info.si_status,
		.timed_out = run.timed_out,
		.output_cut = run.output.cut,
		.errors_cut = run.errors.cut,
		.output = capture_take(&run.output),
		.errors = capture_take(&run.errors),
		.duration_ms = timestamp_steady() - run.start,
	};
	return 0;
}

void process_result_release(struct process_result *result)
{
	buf_release(&result->output);
	buf_release(&result->errors);
}
