#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX (16 * 1024 * 1024)

void command_setup(void)
{
	umask(022);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/*
 * Standard output and error go into memory files and not into pipes: what a
 * background program holds open cannot make us wait for an end of file.
 */
static int memory_file(struct view content, struct error *err)
{
	CLEANUP(closep) int fd = memfd_create("standard stream", MFD_CLOEXEC);

	if (fd < 0)
		return error_errno(err, "cannot create a memory file");
	if (content.len && pwrite(fd, content.data, content.len, 0) != (ssize_t)content.len)
		return error_errno(err, "cannot fill a memory file");
	return TAKE_FD(fd);
}

static int read_memory_file(int fd, struct buf *out, struct error *err)
{
	*out = BUF_INIT_MAX(OUTPUT_MAX);
	for (;;) {
		size_t room = buf_reserve(out, 65536);
		ssize_t n;

		if (!room)
			return error_set(err, ERROR_FAILED, "output is too long");
		n = pread(fd, out->data + out->len, room, (off_t)out->len);
		if (n < 0)
			return error_errno(err, "cannot read the output");
		if (!n)
			return 0;
		buf_set_len(out, out->len + (size_t)n);
	}
}

static const char **join_environment(const char *const *env, const char *const *extra)
{
	size_t count = 0;
	size_t extra_count = 0;
	const char **all;

	while (env[count])
		count++;
	while (extra && extra[extra_count])
		extra_count++;
	all = xcalloc(count + extra_count + 1, sizeof(*all));
	for (size_t i = 0; i < count; i++)
		all[i] = env[i];
	for (size_t i = 0; i < extra_count; i++)
		all[count + i] = extra[i];
	return all;
}

static int spawn_shell(const struct command_request *request, int in, int out, int errors,
	pid_t *ret_pid, struct error *err)
{
	CLEANUP(freep) const char **env = join_environment(request->env, request->extra);
	const char *const argv[] = {"sh", "-c", request->line, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t usual;
	int errnum;

	/* Signals mean what they usually do, also below nohup. */
	sigemptyset(&usual);
	sigaddset(&usual, SIGHUP);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGTERM);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	if (in < 0)
		posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	else
		posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, errors, 2);
	posix_spawn_file_actions_addchdir_np(&actions, request->dir);
	errnum = posix_spawn(ret_pid, "/bin/sh", &actions, &attributes,
		(char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (errnum) {
		errno = errnum;
		return error_errno(err, "cannot run '%s'", request->line);
	}
	return 0;
}

static int wait_for(pid_t pid, int seconds, struct command_result *result, struct error *err)
{
	CLEANUP(closep) int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd end = {.fd = pidfd, .events = POLLIN};
	int status;
	int n;

	if (pidfd < 0)
		return error_errno(err, "cannot watch a process");
	do
		n = poll(&end, 1, seconds * 1000);
	while (n < 0 && errno == EINTR);
	if (n == 0) {
		result->timed_out = true;
		kill(pid, SIGKILL);
	}
	if (waitpid(pid, &status, 0) < 0)
		return error_errno(err, "cannot wait for a process");
	result->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (result->timed_out)
		command_end_all();
	return 0;
}

int command_run(
	const struct command_request *request, struct command_result *result, struct error *err)
{
	CLEANUP(closep) int in = -1;
	CLEANUP(closep) int out = -1;
	CLEANUP(closep) int errors = -1;
	pid_t pid;

	*result = (struct command_result){.out = BUF_INIT, .err = BUF_INIT};
	if (request->input.len) {
		in = memory_file(request->input, err);
		if (in < 0)
			return -1;
	}
	out = memory_file((struct view){0}, err);
	errors = memory_file((struct view){0}, err);
	if (out < 0 || errors < 0 || spawn_shell(request, in, out, errors, &pid, err) < 0)
		return -1;
	if (wait_for(pid, request->seconds ? request->seconds : COMMAND_SECONDS, result, err) <
		0)
		return -1;
	if (read_memory_file(out, &result->out, err) < 0)
		return -1;
	return read_memory_file(errors, &result->err, err);
}

static size_t kill_children(void)
{
	CLEANUP(freep) char *path = xasprintf("/proc/self/task/%d/children", getpid());
	FILE *children = fopen(path, "re");
	size_t count = 0;
	int pid;

	if (!children)
		return 0;
	while (fscanf(children, "%d", &pid) == 1) {
		kill(pid, SIGKILL);
		count++;
	}
	fclose(children);
	return count;
}

void command_end_all(void)
{
	/* The children of a killed process become ours when it ends, so check again. */
	while (kill_children())
		while (waitpid(-1, NULL, 0) > 0)
			kill_children();
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

void command_result_release(struct command_result *result)
{
	if (result->out.data)
		buf_release(&result->out);
	if (result->err.data)
		buf_release(&result->err);
}
