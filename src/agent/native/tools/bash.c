/*
 * Run a command.
 *
 *	running --- ends by itself ----------------------------> its group is killed, reaped
 *	   |                                                        ^
 *	   +------- time is over, cancelled --> SIGTERM to the group, GRACE_MS, SIGKILL
 *
 * It has a session and process group of its own, nothing on standard input, and both outputs in
 * one pipe. When the shell itself has ended, only what is in the pipe by then is read: a process
 * in the background that has the pipe, too, cannot hold up the agent.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/native/tools/builtin.h"
#include "agent/native/tools/output_file.h"
#include "agent/native/tools/tool_input.h"
#include "base/bound.h"
#include "proc/process.h"
#include "time/timestamp.h"

#define BASH_DEFAULT_S 120
#define BASH_MAX_S     600

/* Between SIGTERM and SIGKILL. */
#define GRACE_MS 2000

/* The most to read from the pipe at the end: as much as a pipe can hold. */
#define LEFT_MAX ((size_t)1024 * 1024)

enum bash_state {
	BASH_RUNS,
	BASH_ENDED,     /* by itself */
	BASH_TIMED_OUT, /* these two got SIGTERM, and SIGKILL after the grace period */
	BASH_CANCELLED,
};

struct bash_run {
	pid_t pid;
	int pidfd;
	int out;
	struct output_file output;
	enum bash_state state;
	int64_t deadline; /* of the time limit, or of the grace period */
};

static void bash_release(struct bash_run *run)
{
	closep(&run->pidfd);
	closep(&run->out);
	output_file_release(&run->output);
}

static int bash_start(struct bash_run *run, const struct tool_place *place, const char *command,
	struct error *err)
{
	CLEANUP(freep) char *path = process_find("bash");
	CLEANUP(closep) int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CLEANUP(closep) int write_end = -1;
	int pipes[2];

	if (!path)
		path = process_find("sh");
	if (!path)
		return error_set(err, ERROR_FAILED, "there is neither 'bash' nor 'sh' in PATH");
	if (null < 0 || pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, "cannot start the command");
	run->out = pipes[0];
	write_end = pipes[1];
	fcntl(run->out, F_SETFL, O_NONBLOCK);
	run->pid = bound_start(&(struct bound_request){
		.path = path,
		.argv = (const char *const[]){path, "-c", command, NULL},
		.env = (const char *const *)environ,
		.in = null,
		.out = write_end,
		.errors = write_end,
		.cwd = place->dirfd,
		.session = true,
	});
	if (run->pid < 0)
		return error_errno(err, "cannot start '%s'", path);
	run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0);
	if (run->pidfd >= 0)
		return 0;
	error_errno(err, "cannot watch the command");
	kill(-run->pid, SIGKILL);
	waitpid(run->pid, NULL, 0);
	return -1;
}

/* Reads what is available, up to `max` bytes. Closes the pipe at its end. */
static void bash_read(struct bash_run *run, size_t max)
{
	char bytes[16 * 1024];

	while (run->out >= 0 && max) {
		ssize_t got = read(run->out, bytes, sizeof(bytes));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return;
		if (got <= 0) {
			closep(&run->out);
			run->out = -1;
			return;
		}
		output_file_add(&run->output, (struct view){bytes, (size_t)got});
		max -= (size_t)got < max ? (size_t)got : max;
	}
}

static void bash_stop(struct bash_run *run, enum bash_state why)
{
	run->state = why;
	run->deadline = timestamp_steady() + GRACE_MS;
	kill(-run->pid, SIGTERM);
}

/* Until the shell has ended or was killed. It is not reaped: its group is still its own. */
static void bash_watch(struct bash_run *run, int cancelled)
{
	for (;;) {
		int64_t left = run->deadline - timestamp_steady();
		struct pollfd fds[] = {
			{.fd = run->pidfd, .events = POLLIN},
			{.fd = run->out, .events = POLLIN},
			{.fd = run->state == BASH_RUNS ? cancelled : -1, .events = POLLIN},
		};

		poll(fds, ARRAY_SIZE(fds), left > 0 ? (int)left : 0);
		if (fds[0].revents)
			break;
		/* In pieces: a command that writes all the time does not hold up the clock. */
		if (fds[1].revents)
			bash_read(run, LEFT_MAX);
		if (fds[2].revents)
			bash_stop(run, BASH_CANCELLED);
		else if (timestamp_steady() >= run->deadline && run->state == BASH_RUNS)
			bash_stop(run, BASH_TIMED_OUT);
		else if (timestamp_steady() >= run->deadline)
			break;
	}
	if (run->state == BASH_RUNS)
		run->state = BASH_ENDED;
}

static void bash_say_end(
	const struct bash_run *run, int status, long long limit, struct tool_result *result)
{
	struct buf *out = &result->text;

	if (out->len && out->data[out->len - 1] != '\n')
		buf_append_char(out, '\n');
	result->is_error = run->state != BASH_ENDED || status != 0;
	if (run->state == BASH_CANCELLED)
		buf_append_str(out, "(ended, because the turn was cancelled)");
	else if (run->state == BASH_TIMED_OUT)
		buf_appendf(out,
			"(ended after %lld seconds; 'timeout' may be up to %d, and what runs "
			"longer is started with setsid, its output in a file)",
			limit, BASH_MAX_S);
	else if (WIFSIGNALED(status))
		buf_appendf(out, "(ended by signal %d)", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		buf_appendf(out, "(exit code %d)", WEXITSTATUS(status));
	else if (!out->len)
		buf_append_str(out, "(no output)");
}

int tool_bash(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err)
{
	CLEANUP(bash_release)
	struct bash_run run = {.pidfd = -1, .out = -1, .output = OUTPUT_FILE_INIT};
	const char *command;
	long long limit = BASH_DEFAULT_S;
	int status = 0;

	if (input_string(input, "command", &command, err) < 0 ||
		input_number(input, "timeout", 1, BASH_MAX_S, &limit, err) < 0 ||
		bash_start(&run, place, command, err) < 0)
		return -1;
	output_file_start(&run.output, place->outputs, place->max);
	run.deadline = timestamp_steady() + limit * 1000;
	bash_watch(&run, place->cancelled);
	kill(-run.pid, SIGKILL);
	while (waitpid(run.pid, &status, 0) < 0 && errno == EINTR)
		;
	bash_read(&run, LEFT_MAX);
	output_file_show(&run.output, &result->text);
	bash_say_end(&run, status, limit, result);
	return 0;
}
