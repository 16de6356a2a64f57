#include "timing.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

int64_t timing_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

int64_t timing_run(const char *const *argv)
{
	posix_spawn_file_actions_t actions;
	int64_t start = timing_now();
	int status, failed;
	pid_t child;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	failed = posix_spawnp(
		&child, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	if (failed) {
		fprintf(stderr, "bench: cannot run '%s': %s\n", argv[0], strerror(failed));
		exit(1);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	posix_spawn_file_actions_destroy(&actions);
	return timing_now() - start;
}

static int by_size(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double timing_median(int64_t *times, size_t count)
{
	qsort(times, count, sizeof(*times), by_size);
	return (double)times[count / 2];
}
