/*
 * Confine an agent without namespaces: Landlock for files, the strict filter of system calls
 * (seccomp.h) for everything that Landlock leaves open, no capabilities, no new privileges.
 *
 * The launcher stays as the parent: its command line carries the labels of the sandbox. Agent
 * and launcher share one process group, which nothing inside can leave, so the host ends all
 * of it with one signal. If the host dies, the launcher does that. It collects orphans, so that
 * every process of the agent stays below it, where watch.h counts them, and ends after the last
 * of them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/launcher/launcher.h"
#include "sandbox/launcher/seccomp.h"

/* Newer than some headers. */
#define FS_TRUNCATE  (1ULL << 14)
#define FS_IOCTL_DEV (1ULL << 15)
#define NET_TCP      3ULL /* bind and connect */
#define SCOPES       3ULL /* abstract sockets and signals */

#define FS_FIRST     ((1ULL << 13) - 1) /* the rights of version 1 */
#define ACCESS_READ  (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE)
#define ACCESS_WRITE (LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)
#define ACCESS_CHANGE                                                                          \
	(LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |                      \
		LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |                    \
		LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM |                   \
		LANDLOCK_ACCESS_FS_REFER)

/* struct landlock_ruleset_attr of version 6. */
struct ruleset {
	uint64_t files;
	uint64_t network;
	uint64_t scopes;
};

static int landlock_version(const struct launch *launch, struct error *err)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	if (version < 1)
		return error_set(err, ERROR_FAILED,
			errno == EPERM ? "an outer system call filter blocks Landlock"
				       : "this kernel has no Landlock, or it is disabled");
	if (launch->landlock_version && launch->landlock_version < (uint64_t)version)
		version = (long)launch->landlock_version;
	return (int)version;
}

static uint64_t known_accesses(int version)
{
	return FS_FIRST | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) |
	       (version >= 3 ? FS_TRUNCATE : 0) | (version >= 5 ? FS_IOCTL_DEV : 0);
}

static int rules_allow(int rules, int fd, bool writable, uint64_t known, struct error *err)
{
	struct landlock_path_beneath_attr rule = {.parent_fd = fd};
	uint64_t accesses = ACCESS_READ | (writable ? ACCESS_WRITE : 0);
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_errno(err, "cannot access a folder of the sandbox");
	if (S_ISDIR(st.st_mode))
		accesses |= LANDLOCK_ACCESS_FS_READ_DIR | (writable ? ACCESS_CHANGE : 0);
	rule.allowed_access = accesses & known;
	if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		return error_errno(err, "cannot allow a folder of the sandbox");
	return 0;
}

/* Allows a path of the system, if it exists. */
static int rules_allow_path(
	int rules, const char *path, bool writable, uint64_t known, struct error *err)
{
	CLEANUP(closep) int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	/* A regular file in place of a device must not become writable. */
	if (fd < 0 || (writable && (fstat(fd, &st) < 0 || !S_ISCHR(st.st_mode))))
		return 0;
	return rules_allow(rules, fd, writable, known, err);
}

static int rules_make(
	const struct launch *launch, int version, int *ret_rules, struct error *err)
{
	static const char *const devices[] = {
		"/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"};
	const struct ruleset attributes = {known_accesses(version), NET_TCP, SCOPES};
	size_t size = sizeof(uint64_t) * (version < 4 ? 1 : version < 6 ? 2 : 3);
	CLEANUP(closep)
	int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);

	if (rules < 0)
		return error_errno(err, "cannot create the Landlock rules");
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		if (rules_allow_path(rules, devices[i], true, attributes.files, err) < 0)
			return -1;
	for (size_t i = 0; i < launch->system_count; i++)
		if (rules_allow_path(rules, launch->system[i], false, attributes.files, err) <
			0)
			return -1;
	for (size_t i = 0; i < launch->grant_count; i++)
		if (launch->grants[i].kind != GRANT_CONNECTION &&
			rules_allow(rules, launch->grants[i].fd,
				launch->grants[i].kind == GRANT_WRITE, attributes.files,
				err) < 0)
			return -1;
	*ret_rules = TAKE_FD(rules);
	return 0;
}

/* No socket can be made inside, so the given ones are connected here. */
static int connect_to(int socket_file, struct error *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", socket_file);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return error_errno(err, "cannot connect a socket of the sandbox");
	return TAKE_FD(fd);
}

/* They become 3, 4 and so on, and every other descriptor is closed. */
static int hand_on_connections(const struct launch *launch, struct error *err)
{
	int connected[LAUNCHER_MAX_CONNECTIONS];
	int count = 0;

	for (size_t i = 0; i < launch->grant_count; i++) {
		if (launch->grants[i].kind != GRANT_CONNECTION)
			continue;
		if (count == LAUNCHER_MAX_CONNECTIONS)
			return error_set(err, ERROR_INVALID, "too many sockets for a sandbox");
		connected[count] = connect_to(launch->grants[i].fd, err);
		if (connected[count] < 0)
			return -1;
		count++;
	}
	/* First move them away from the numbers that are needed. */
	for (int i = 0; i < count; i++) {
		connected[i] =
			fcntl(connected[i], F_DUPFD_CLOEXEC, LAUNCHER_MAX_CONNECTIONS + 3);
		if (connected[i] < 0)
			return error_errno(err, "cannot hand on a socket");
	}
	for (int i = 0; i < count; i++)
		if (dup2(connected[i], STDERR_FILENO + 1 + i) < 0)
			return error_errno(err, "cannot hand on a socket");
	if (close_range(STDERR_FILENO + 1 + (unsigned)count, ~0U, 0) < 0)
		return error_errno(err, "cannot close descriptors");
	return 0;
}

static int become_agent(const struct launch *launch, pid_t launcher, struct error *err)
{
	int version = landlock_version(launch, err);
	int rules = -1;

	if (version < 0)
		return -1;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != launcher)
		return error_set(err, ERROR_FAILED, "the launcher is gone");
	launch_be_first_to_go();
	if (rules_make(launch, version, &rules, err) < 0 || launch_drop_capabilities(err) < 0)
		return -1;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_errno(err, "cannot give up new privileges");
	/* From here on errors can still be said, on a descriptor that is open. */
	if (syscall(SYS_landlock_restrict_self, rules, 0) < 0)
		return error_errno(err, "cannot apply the Landlock rules");
	if (hand_on_connections(launch, err) < 0 || seccomp_apply_strict(version < 6, err) < 0)
		return -1;
	execvp(launch->argv[0], launch->argv);
	return error_errno(err, "cannot run '%s' in the sandbox", launch->argv[0]);
}

static bool is_child(const char *pid)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%s/stat", pid);
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[512];
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *name_end;

	if (len <= 0)
		return false;
	text[len] = '\0';
	/* "12 (name, which may hold anything) S 1 …": the parent follows the state. */
	name_end = strrchr(text, ')');
	return name_end && strlen(name_end) > 4 && strtol(name_end + 4, NULL, 10) == getpid();
}

/*
 * Orphans of the agent become children of this process, their nearest subreaper. A child keeps
 * its pid until it is waited for, so no other process is hit.
 */
static void end_orphans(void)
{
	while (waitpid(-1, NULL, WNOHANG) >= 0) {
		DIR *all = opendir("/proc");
		struct dirent *entry;

		while (all && (entry = readdir(all)))
			if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
				is_child(entry->d_name))
				kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
		if (all)
			closedir(all);
		waitpid(-1, NULL, 0);
	}
}

int launch_landlock(const struct launch *launch, struct error *err)
{
	pid_t host = getppid();
	pid_t launcher = getpid();
	sigset_t held;
	sigset_t before;
	int status;
	pid_t ended;
	pid_t pid;

	if (launch_limit(launch, 0, err) < 0)
		return -1;
	sigemptyset(&held);
	sigaddset(&held, SIGCHLD);
	sigaddset(&held, SIGTERM);
	sigprocmask(SIG_BLOCK, &held, &before);
	/* Until now the death of the host meant SIGKILL. */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != host)
		return error_set(err, ERROR_FAILED, "the host is gone");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return error_errno(err, "cannot collect orphans");
	pid = fork();
	if (pid < 0)
		return error_errno(err, "cannot start the agent");
	if (!pid) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		return become_agent(launch, launcher, err);
	}
	/* The agent has the connections; what this process held open would keep them open. */
	close_range(STDIN_FILENO, STDOUT_FILENO, 0);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	while ((ended = waitpid(-1, &status, WNOHANG)) != pid) {
		if (ended > 0)
			continue;
		sigwaitinfo(&held, NULL);
		/* A SIGTERM of a living host went to the agent, too. */
		if (getppid() != host)
			kill(0, SIGKILL);
	}
	end_orphans();
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
