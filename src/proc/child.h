/*
 * A program that runs in parallel, for an event loop, with pipes to it and a pidfd to wait on.
 * process.h runs a program and waits for it.
 *
 *	struct child child;
 *
 *	if (child_start(&request, &child, err) < 0)
 *		return -1;
 *	… child.in, child.out and child.errors are non-blocking; child.pidfd becomes
 *	  readable when it has ended …
 *	exit_code = child_reap(&child);
 *
 * It runs in a session and process group of its own, with default signal dispositions
 * and no descriptors but the first three and `fds`, and gets SIGKILL when this process ends,
 * for any reason. Its environment is `env` and nothing else.
 *
 * An argv[0] without a slash is looked for in the PATH of that environment, in absolute entries
 * only. child_start() fails if it could not be executed. Call this only in a single-threaded
 * process.
 */
#ifndef PROC_CHILD_H
#define PROC_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct child_request {
	const char *const *argv; /* ends in NULL */
	const char *const *env;  /* "NAME=value", ends in NULL */
	int cwd;                 /* an open folder */
	const int *fds;          /* it gets these as 3, 4 and so on */
	size_t fd_count;
	bool no_groups; /* for root: without supplementary groups */
};

struct child {
	pid_t pid;
	int pidfd;
	int in;     /* we write */
	int out;    /* we read */
	int errors; /* we read */
};

#define CHILD_INIT ((struct child){.pidfd = -1, .in = -1, .out = -1, .errors = -1})

/* errnum is ENOENT if there is no such program. */
int child_start(
	const struct child_request *request, struct child *ret_child, struct error *err);

/* Sent to the whole group. Does nothing once the child was reaped. */
void child_signal(const struct child *child, int signal);

/* After its end: the exit code, or 128 + N for signal N. Waits if need be. */
int child_reap(struct child *child);

/* Close the descriptors that are still open. */
void child_release(struct child *child);

/*
 * A command line as people write it in a setting: words, with quotes and backslashes
 * as in a shell, and nothing else of a shell. ERROR_INVALID if a quote is open, or if
 * there is no word at all.
 */
int child_split(const char *line, char ***ret_argv, struct error *err);
void child_free_argv(char ***argv);

#endif
