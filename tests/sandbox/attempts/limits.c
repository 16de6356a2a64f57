/* More than its share. What is tried is bounded, so that it does no harm without a sandbox. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../attempt.h"

#define MEGABYTE  ((size_t)1024 * 1024)
#define MANY      150 /* processes; the sandbox of the test has 64 */
#define MEMORY    (200 * MEGABYTE)
#define DISK      (10 * MEGABYTE)
#define FILE_SIZE ((size_t)64 * 1024)

/*
 * The watchdog needs some time to notice excess use; the kernel ends this at once. Without a
 * sandbox there is no watchdog.
 */
static void stay(void)
{
	for (int i = 0; i < 100 && !getenv("NO_WATCHDOG"); i++)
		usleep(20000);
}

ATTEMPT(fork_bomb, "start many processes")
{
	pid_t pids[MANY];
	int count = 0;

	for (; count < MANY; count++) {
		pids[count] = fork();
		if (!pids[count]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
		if (pids[count] < 0)
			break;
	}
	if (count == MANY)
		stay();
	for (int i = 0; i < count; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	return count == MANY ? GOT_THROUGH : REFUSED;
}

static void *wait_for_ever(void *data)
{
	pause();
	return data;
}

ATTEMPT(thread_bomb, "start many threads")
{
	for (int i = 0; i < MANY; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, wait_for_ever, NULL))
			return REFUSED;
	}
	stay();
	return GOT_THROUGH;
}

ATTEMPT(memory_bomb, "use much memory")
{
	char *memory =
		mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return REFUSED;
	for (size_t i = 0; i < MEMORY; i += 4096)
		memory[i] = 1;
	stay();
	return GOT_THROUGH;
}

ATTEMPT(memory_bomb_in_parts, "use much memory in several processes")
{
	int status;
	bool through = true;

	for (int i = 0; i < 4; i++) {
		char *memory;

		if (fork())
			continue;
		memory = mmap(NULL, MEMORY / 4, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (size_t at = 0; at < MEMORY / 4; at += 4096)
			memory[at] = 1;
		stay();
		_exit(0);
	}
	while (wait(&status) > 0)
		through &= status == 0;
	return through ? GOT_THROUGH : REFUSED;
}

static bool fill(const char *path, size_t size)
{
	static const char block[65536] = {1};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	for (size_t at = 0; fd >= 0 && at < size; at += sizeof(block))
		if (write(fd, block, sizeof(block)) != sizeof(block)) {
			close(fd);
			return false;
		}
	return fd >= 0 && !close(fd);
}

ATTEMPT(large_file, "fill the disk with one file")
{
	return fill(place("AGENT", "large"), DISK) ? GOT_THROUGH : REFUSED;
}

ATTEMPT(many_files, "fill the disk with many files")
{
	for (size_t i = 0; i < DISK / FILE_SIZE; i++) {
		char name[32];

		snprintf(name, sizeof(name), "small-%zu", i);
		if (!fill(place("AGENT", name), FILE_SIZE))
			return REFUSED;
	}
	stay();
	return GOT_THROUGH;
}

ATTEMPT(fill_memory_files, "fill the memory with files in /dev/shm")
{
	char path[64];
	bool through;

	/* Other suites, of other users, do the same. */
	snprintf(path, sizeof(path), "/dev/shm/nanoclaw-escape-%d", (int)getpid());
	through = fill(path, 80 * MEGABYTE);
	unlink(path);
	return through ? GOT_THROUGH : REFUSED;
}

ATTEMPT(run_long, "run longer than it may")
{
	/* The sandbox of this one has one second. */
	for (int i = 0; i < 150; i++)
		usleep(20000);
	return GOT_THROUGH;
}

/* Of memory that is in no process's mappings. */
static bool fill_memfd(size_t size)
{
	static const char block[65536] = {1};
	int fd = memfd_create("escape", MFD_CLOEXEC);

	for (size_t at = 0; fd >= 0 && at < size; at += sizeof(block))
		if (write(fd, block, sizeof(block)) != sizeof(block))
			return false;
	return fd >= 0; /* and stays open */
}

ATTEMPT(memfd_bomb, "use much memory in a file without a name")
{
	if (!fill_memfd(MEMORY / 4))
		return REFUSED;
	for (int i = 0; i < 3; i++)
		if (!fill_memfd(MEMORY / 4))
			return REFUSED;
	stay();
	return GOT_THROUGH;
}

ATTEMPT(memfd_bomb_small, "use much memory in many files without a name")
{
	for (size_t i = 0; i < 200; i++)
		if (!fill_memfd(MEMORY / 200))
			return REFUSED;
	stay();
	return GOT_THROUGH;
}

ATTEMPT(memfd_bomb_in_parts, "use much memory in such files of several processes")
{
	int status;
	bool through = true;

	for (int i = 0; i < 4; i++) {
		if (fork())
			continue;
		if (!fill_memfd(MEMORY / 4))
			_exit(1);
		stay();
		_exit(0);
	}
	while (wait(&status) > 0)
		through &= status == 0;
	return through ? GOT_THROUGH : REFUSED;
}

ATTEMPT(memfd_bomb_unseen, "use much memory in such files of a process that hides its files")
{
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return REFUSED;
	return try_memfd_bomb_small();
}

/* Like those below, on a disk: each of half a megabyte. */
#define DELETED (DISK / (8 * FILE_SIZE))

static int open_deleted(size_t number)
{
	static const char block[65536] = {1};
	char name[32];
	const char *path;
	int fd;

	snprintf(name, sizeof(name), "deleted-%zu", number);
	path = place("AGENT", name);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || unlink(path) < 0)
		return -1;
	for (int k = 0; k < 8; k++)
		if (write(fd, block, sizeof(block)) != sizeof(block))
			return -1;
	return fd;
}

ATTEMPT(deleted_files, "fill the disk with files that are deleted and still open")
{
	for (size_t i = 0; i < DELETED; i++)
		if (open_deleted(i) < 0)
			return REFUSED;
	stay();
	return GOT_THROUGH;
}

ATTEMPT(deleted_files_unseen, "do so in a process that hides its files")
{
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return REFUSED;
	return try_deleted_files();
}

static bool copy_program(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	char block[65536];
	ssize_t n;

	while ((n = read(from, block, sizeof(block))) > 0)
		if (write(to, block, (size_t)n) != n)
			return false;
	return n == 0 && fchmod(to, 0111) == 0 && close(to) == 0;
}

ATTEMPT(deleted_files_unreadable, "do so in a program that nobody may read")
{
	char path[512];
	int status = 0;

	snprintf(path, sizeof(path), "%s", place("AGENT", "unreadable"));
	if (!copy_program(path))
		return REFUSED;
	if (!fork()) {
		execl(path, path, "deleted_files", NULL);
		_exit(REFUSED);
	}
	wait(&status);
	unlink(path);
	return WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : REFUSED;
}

ATTEMPT(deleted_files_mapped, "fill the disk with deleted files of which a page is mapped")
{
	for (size_t i = 0; i < DELETED; i++) {
		int fd = open_deleted(i);

		if (fd < 0 || mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
			return REFUSED;
		close(fd);
	}
	stay();
	return GOT_THROUGH;
}

static bool send_file(int to, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = {0};
	char byte = 0;
	struct iovec data = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(to, &message, 0) == 1;
}

ATTEMPT(deleted_files_sent, "fill the disk with deleted files that are on the way in a socket")
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return REFUSED;
	for (size_t i = 0; i < DELETED; i++) {
		int fd = open_deleted(i);

		if (fd < 0 || !send_file(pair[0], fd))
			return REFUSED;
		close(fd);
	}
	stay();
	return GOT_THROUGH;
}

/* The kernel keeps unread data in memory. */
ATTEMPT(socket_bomb, "use much memory in sockets that nobody reads")
{
	static const char block[65536] = {1};
	size_t sent = 0;

	while (sent < MEMORY) {
		int pair[2];

		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) <
			0)
			return REFUSED;
		for (int i = 0; i < 2; i++)
			for (ssize_t n; (n = write(pair[i], block, sizeof(block))) > 0;)
				sent += (size_t)n;
	}
	stay();
	return GOT_THROUGH;
}

/* In a folder of its own, which is locked or not; what is left goes with the world. */
static enum outcome fill_folder(const char *name, mode_t mode)
{
	char folder[512];

	snprintf(folder, sizeof(folder), "%s", place("AGENT", name));
	if (mkdir(folder, 0700) < 0 && errno != EEXIST)
		return REFUSED;
	for (size_t i = 0; i < DISK / FILE_SIZE; i++) {
		char path[600];

		snprintf(path, sizeof(path), "%s/%zu", folder, i);
		if (!fill(path, FILE_SIZE))
			return REFUSED;
	}
	if (chmod(folder, mode) < 0)
		return REFUSED;
	stay();
	return GOT_THROUGH;
}

ATTEMPT(locked_files, "fill the disk in a folder that nobody may read")
{
	return fill_folder("locked", 0);
}

ATTEMPT(write_only_files, "fill the disk in a folder that may only be written")
{
	return fill_folder("write-only", 0200);
}

ATTEMPT(search_only_files, "fill the disk in a folder that may not be listed")
{
	return fill_folder("search-only", 0100);
}

ATTEMPT(sparse_files, "fill a backup with files that are all holes")
{
	char path[512];

	for (size_t i = 0; i < 8; i++) {
		char name[32];
		int fd;

		snprintf(name, sizeof(name), "sparse-%zu", i);
		snprintf(path, sizeof(path), "%s", place("AGENT", name));
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (fd < 0 || ftruncate(fd, (off_t)DISK / 8) < 0)
			return REFUSED;
		close(fd);
	}
	stay();
	return GOT_THROUGH;
}

ATTEMPT(deep_files, "fill the disk far below")
{
	char path[4096];
	size_t len = (size_t)snprintf(path, sizeof(path), "%s", place("AGENT", "deep"));

	for (int i = 0; i < 150; i++) {
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			return REFUSED;
		len += (size_t)snprintf(path + len, sizeof(path) - len, "/d");
	}
	stay();
	return GOT_THROUGH;
}

ATTEMPT(empty_folders, "fill the disk with empty folders")
{
	for (size_t i = 0; i < DISK / 4096; i++) {
		char name[32];

		snprintf(name, sizeof(name), "folder-%zu", i);
		if (mkdir(place("AGENT", name), 0700) < 0 && errno != EEXIST)
			return REFUSED;
	}
	stay();
	return GOT_THROUGH;
}

ATTEMPT(many_links, "fill the disk with symbolic links")
{
	for (size_t i = 0; i < DISK / 4096; i++) {
		char name[32];

		snprintf(name, sizeof(name), "link-%zu", i);
		if (symlink("x", place("AGENT", name)) < 0 && errno != EEXIST)
			return REFUSED;
	}
	stay();
	return GOT_THROUGH;
}
