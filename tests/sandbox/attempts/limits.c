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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../attempt.h"

#define MEGABYTE  ((size_t)1024 * 1024)
#define MANY      150 /* processes; the sandbox of the test has 64 */
#define MEMORY    (200 * MEGABYTE)
#define DISK      (40 * MEGABYTE)
#define FILE_SIZE ((size_t)64 * 1024)

/* What a watchdog sees has to stay for a while; what the kernel sees ends this at once. */
static void stay(void)
{
	for (int i = 0; i < 100; i++)
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
	char path[] = "/dev/shm/nanoclaw-escape";
	bool through = fill(path, 80 * MEGABYTE);

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
