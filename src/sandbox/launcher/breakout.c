/*
 * Runs inside, for a probe: tries to break out in the usual ways, and reports how many were
 * refused. Variables name the targets (probe.c). tests/sandbox tests the walls thoroughly; this
 * shows that they work on this machine.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs/sys.h"
#include "sandbox/launcher/launcher.h"

static const char *probe_setting(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

static bool file_opens(const char *path, int flags)
{
	CLEANUP(closep) int fd = open(path, flags | O_CLOEXEC);

	return fd >= 0;
}

static bool read_file_of_host(void)
{
	return file_opens(probe_setting("NANOCLAW_PROBE_FILE"), O_RDONLY);
}

static bool signal_host(void)
{
	/* Process numbers start again inside, so no process has a number this high. */
	return kill((pid_t)strtol(probe_setting("NANOCLAW_PROBE_PID"), NULL, 10), 0) == 0;
}

static bool reach_loopback(void)
{
	CLEANUP(closep) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in address = {.sin_family = AF_INET};

	address.sin_port =
		htons((in_port_t)strtol(probe_setting("NANOCLAW_PROBE_PORT"), NULL, 10));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
}

static bool reach_abstract_socket(void)
{
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s",
		probe_setting("NANOCLAW_PROBE_SOCKET"));

	return connect(fd, (struct sockaddr *)&address,
		       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len)) ==
	       0;
}

static bool have_route(void)
{
	CLEANUP(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};

	inet_pton(AF_INET, "169.254.169.254", &address.sin_addr);
	return connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
}

static bool send_raw(void)
{
	CLEANUP(closep) int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);

	return fd >= 0;
}

static bool write_system(void)
{
	int fd = sys.create(
		AT_FDCWD, "/usr/.nanoclaw-probe", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return false;
	close(fd);
	sys.unlink(AT_FDCWD, "/usr/.nanoclaw-probe", 0);
	return true;
}

static bool mount_something(void)
{
	return mount("x", "/tmp", "tmpfs", 0, NULL) == 0;
}

static bool make_namespace(void)
{
	return unshare(CLONE_NEWUSER) == 0;
}

static bool trace_process(void)
{
	int ends[2];
	long result;
	pid_t pid;
	char byte;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (!pid) {
		/* Until the other end is closed: it cannot be killed where signals are refused. */
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) < 0);
	}
	result = ptrace(PTRACE_SEIZE, pid, NULL, NULL);
	close(ends[0]);
	close(ends[1]);
	waitpid(pid, NULL, 0);
	return result == 0;
}

static bool use_keys(void)
{
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1) >= 0;
}

static bool change_kernel(void)
{
	return file_opens("/proc/sys/kernel/core_pattern", O_WRONLY);
}

static bool make_set_uid(void)
{
	CLEANUP(closep)
	int fd = sys.create(AT_FDCWD, "/tmp/set-uid", O_WRONLY | O_CREAT | O_CLOEXEC, 0700);

	return fd >= 0 && sys.chmod(fd, 04700) == 0;
}

static bool use_descriptor(void)
{
	for (int fd = STDERR_FILENO + 1; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return true;
	return false;
}

static const struct {
	const char *what;
	bool (*gets_through)(void);
} ways[] = {
	{"read a file of the host", read_file_of_host},
	{"signal the host", signal_host},
	{"reach the host's loopback", reach_loopback},
	{"reach an abstract socket of the host", reach_abstract_socket},
	{"reach the network", have_route},
	{"send raw packets", send_raw},
	{"write to the system", write_system},
	{"mount", mount_something},
	{"make a user namespace", make_namespace},
	{"trace a process", trace_process},
	{"use keys in the kernel", use_keys},
	{"change settings of the kernel", change_kernel},
	{"make a set-uid program", make_set_uid},
	{"use a descriptor of the host", use_descriptor},
};

int launch_breakout(void)
{
	size_t refused = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		if (ways[i].gets_through())
			printf("through: %s\n", ways[i].what);
		else
			refused++;
	}
	printf("refused %zu of %zu\n", refused, ARRAY_SIZE(ways));
	return 0;
}
