/*
 * Run a program and wait for its end.
 *
 *	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
 *	struct process_request request = PROCESS_REQUEST_INIT;
 *
 *	request.argv = (const char *const[]){"make", "check", NULL};
 *	request.timeout_ms = 60 * 1000;
 *	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, 64 * 1024};
 *	request.errors = (struct process_stream){PROCESS_WITH_OUTPUT};
 *	if (process_run(&request, &result, err) < 0)
 *		return -1;
 *	if (result.timed_out || result.signal || result.exit_code != 0)
 *		...
 *
 * A program that fails or runs out of time is a result, not an error. It is an error if the
 * program could not be run, if it wrote too much, or if we got a signal.
 *
 * How it is started: in a process group of its own, with default dispositions and no blocked
 * signals, and no descriptors but the first three and `fds`; standard input has the given bytes,
 * and then its end. An argv[0] without a slash is searched for in PATH, but not in entries that are empty
 * or relative: these would lead into the current folder, which may be full of other people's
 * files. Input never comes from the terminal, because a background process group must not read
 * from it.
 *
 * How it ends: when the program itself ends, the output that is in the pipes by then
 * is read and nothing more is waited for, so a daemon that it started and that has our
 * pipe cannot hold us up. On a timeout, on too much output, and when we get
 * SIGHUP, SIGINT, SIGQUIT or SIGTERM (unless ignored), the whole group gets
 * SIGTERM, and after the grace period SIGKILL; once the program itself has ended,
 * only processes that hold our pipes can be waited for, so the others get SIGKILL
 * then. The program is always reaped, and last, so that its number cannot mean
 * another group before that.
 *
 * While it runs, the four signals are blocked, and SIGCHLD has its default disposition. Call
 * this only in a single-threaded process. pidfd_open() detects its end or, if the kernel or a
 * filter does not allow that, SIGCHLD does.
 */
#ifndef PROC_PROCESS_H
#define PROC_PROCESS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

enum process_mode {
	PROCESS_INHERIT,      /* ours: seen live */
	PROCESS_DISCARD,      /* /dev/null */
	PROCESS_CAPTURE,      /* more than `max` bytes are an error */
	PROCESS_CAPTURE_TAIL, /* of more than `max` bytes the last ones are kept */
	PROCESS_WITH_OUTPUT,  /* `errors` only: goes where standard output goes */
};

struct process_stream {
	enum process_mode mode;
	size_t max;
};

struct process_request {
	const char *const *argv; /* ends in NULL */
	const char *const *env;  /* "NAME=value" sets, "NAME" unsets one of ours; or NULL */
	const char *cwd;         /* a path, or NULL */
	int cwd_fd;              /* an open directory, if `cwd` is NULL; or -1 */
	const int *fds;          /* it gets these as 3, 4 and so on */
	size_t fd_count;
	struct view input;
	struct process_stream output;
	struct process_stream errors;
	unsigned timeout_ms; /* 0: none */
	unsigned grace_ms;   /* between SIGTERM and SIGKILL */
	bool session;        /* of its own, so that it cannot type into our terminal */
	bool end_group;      /* SIGKILL to the rest of the group at a normal end, too */
	bool dies_with_us;   /* the program gets SIGKILL even if we get one (bound.h) */
	/* Called about once a second while it runs, or NULL. */
	void (*watch)(long long duration_ms, const void *data);
	const void *watch_data;
};

#define PROCESS_REQUEST_INIT ((struct process_request){.cwd_fd = -1, .grace_ms = 2000})

struct process_result {
	int exit_code; /* -1 if a signal ended it */
	int signal;    /* the signal that ended it, or 0 */
	bool timed_out;
	bool output_cut; /* the beginning is missing: PROCESS_CAPTURE_TAIL */
	bool errors_cut;
	struct buf output;
	struct buf errors;
	long long duration_ms;
};

#define PROCESS_RESULT_INIT ((struct process_result){.output = BUF_INIT, .errors = BUF_INIT})

/*
 * `*ret_result` must be empty. Errors to tell apart by errnum:
 *	ENOENT	there is no such program (or script interpreter)
 *	EINTR	we got one of the four signals; the group was ended
 *	EFBIG	it wrote more than PROCESS_CAPTURE allows; the group was ended
 */
int process_run(const struct process_request *request, struct process_result *ret_result,
	struct error *err);

/* Where process_run() would find a program, to be freed; NULL if it would not. */
char *process_find(const char *name);
char *process_find_in(const char *name, const char *const *env);

/*
 * The path of a program of NanoClaw, to be freed: beside the running one, where the build
 * or the installation puts it from there, or where it was installed. NULL and an error if
 * it is in none of these places.
 */
char *process_find_own(const char *name, struct error *err);

void process_result_release(struct process_result *result);

#endif
