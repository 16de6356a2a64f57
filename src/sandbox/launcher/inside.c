/* Inside: the first program in a sandbox. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/close_range.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs/sys.h"
#include "sandbox/launcher/launcher.h"
#include "sandbox/launcher/seccomp.h"

#define MAX_RECORD ((size_t)16 * 1024)

static int mount_compare(const char *mount, struct error *err)
{
	char *target;
	long fd = strtol(mount, &target, 10);
	struct stat wanted;
	struct stat found;

	if (*target++ != ':' || fd <= 0)
		return error_set(err, ERROR_INVALID, "'%s' is not a mount", mount);
	if (fstat((int)fd, &wanted) < 0 || lstat(target, &found) < 0)
		return error_errno(err, "cannot access the mount '%s'", target);
	if (wanted.st_dev != found.st_dev || wanted.st_ino != found.st_ino)
		return error_set(err, ERROR_FAILED,
			"the mount at '%s' was replaced while the sandbox started", target);
	return 0;
}

int launch_compare(const struct launch *launch, struct error *err)
{
	for (size_t i = 0; i < launch->mount_count; i++)
		if (mount_compare(launch->mounts[i], err) < 0)
			return -1;
	return 0;
}

/* The engine may be one of another machine, and then so are all mounts. */
static int record_compare(const struct launch *launch, struct error *err)
{
	CLEANUP(closep)
	int fd = launch->record ? open(launch->record, O_RDONLY | O_CLOEXEC) : -1;
	char text[MAX_RECORD + 1];
	ssize_t len;

	if (!launch->record)
		return 0;
	len = fd < 0 ? -1 : read(fd, text, MAX_RECORD);
	text[len > 0 ? len : 0] = '\0';
	if (len > 0 && launch->run && strstr(text, launch->run))
		return 0;
	return error_set(err, ERROR_FAILED,
		"the container has the files of another machine: its engine does not run on "
		"this one");
}

static int write_own_file(const char *path, const char *text, struct error *err)
{
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || sys_write_all(fd, text, strlen(text)) < 0)
		return error_errno(err, "cannot write '%s'", path);
	return 0;
}

/* Not every kernel has each of them, and AppArmor's profile for docker forbids all mounts. */
static void mask_path(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return;
	if (S_ISDIR(st.st_mode))
		mount("none", path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
			NULL);
	else
		mount("/dev/null", path, NULL, MS_BIND, NULL);
}

/*
 * Maps the user and group of this process to number `user`, alone in a new namespace. They
 * still own their files.
 */
static int become_user(const struct launch *launch, struct error *err)
{
	uint64_t user = launch->user;
	CLEANUP(freep) char *uids = xasprintf("%" PRIu64 " %u 1\n", user, (unsigned)geteuid());
	CLEANUP(freep) char *gids = xasprintf("%" PRIu64 " %u 1\n", user, (unsigned)getegid());

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return error_errno(err,
			"cannot map the user in the container, which needs a user namespace "
			"unless the host runs as user %" PRIu64,
			user);
	if (write_own_file("/proc/self/setgroups", "deny", err) < 0 ||
		write_own_file("/proc/self/uid_map", uids, err) < 0 ||
		write_own_file("/proc/self/gid_map", gids, err) < 0)
		return -1;
	for (size_t i = 0; i < launch->mask_count; i++)
		mask_path(launch->masks[i]);
	return launch_drop_capabilities(err);
}

/* A container's first process reaps the orphans, and ends with the agent. */
static int wait_for_agent(pid_t agent, struct error *err)
{
	int status;
	pid_t pid;

	/* Close these here: the agent cannot close descriptors of this process. */
	close_range(STDIN_FILENO, STDOUT_FILENO, 0);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	if (launch_drop_capabilities(err) < 0 || seccomp_apply(err) < 0)
		return -1;
	while ((pid = waitpid(-1, &status, 0)) != agent)
		if (pid < 0 && errno != EINTR)
			return error_errno(err, "cannot wait for the agent");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int launch_inside(const struct launch *launch, struct error *err)
{
	pid_t agent = 0;

	if (record_compare(launch, err) < 0 || launch_compare(launch, err) < 0 ||
		launch_limit(launch, 0, err) < 0)
		return -1;
	/* bwrap's process: the agent can write to its memory, and so make it work for itself. */
	if (getpid() != 1 && launch_limit(launch, 1, err) < 0)
		return -1;
	launch_be_first_to_go();
	if (getpid() == 1)
		agent = fork();
	if (agent < 0)
		return error_errno(err, "cannot start the agent");
	if (agent)
		return wait_for_agent(agent, err);
	if (launch->user && become_user(launch, err) < 0)
		return -1;
	/* bwrap has a filter already; the engines' own are not as strict as ours. */
	if (launch->filter && seccomp_apply(err) < 0)
		return -1;
	if (close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		return error_errno(err, "cannot close descriptors");
	execvp(launch->argv[0], launch->argv);
	return error_errno(err, "cannot run '%s' in the sandbox", launch->argv[0]);
}
