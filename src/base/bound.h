/*
 * Start a program that gets SIGKILL when this process ends, for any reason, unless it may
 * outlive us.
 *
 * It runs in its own process group unless it is in the foreground, with default signal
 * dispositions (but an ignored SIGHUP stays ignored, as under nohup), no blocked signals, and no
 * descriptors except the first three and `fds`. Processes that it starts may outlive this one.
 * Call this only in a single-threaded process.
 */
#ifndef BASE_BOUND_H
#define BASE_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct bound_request {
	const char *path;
	const char *const *argv; /* ends in NULL */
	const char *const *env;  /* "NAME=value", ends in NULL */
	int in;                  /* the descriptors that it gets; -1: ours */
	int out;
	int errors;
	int cwd;        /* an open folder; -1: ours */
	const int *fds; /* it gets these as 3, 4 and so on */
	size_t fd_count;
	bool session;     /* of its own, without a terminal */
	bool no_groups;   /* for root: without supplementary groups */
	bool may_outlive; /* it gets no signal at our end */
	bool foreground;  /* in our process group, which has the terminal */
};

/* Returns -1 with errno if it could not be executed. */
pid_t bound_start(const struct bound_request *request);

#endif
