/*
 * Commands that run for the dashboard: nanoclaw itself with --json, as a child process, in the
 * project.
 *
 *	run_start(runs, words, input, timeout, ended, data, err)
 *	…
 *	ended(data, result)
 *
 * Some run at a time, the others wait their turn; too many are refused. A command has a time limit
 * and a limit on its output, and ends with this process. Without a time limit (jobs.h), it begins at
 * once and takes no place from the others.
 */
#ifndef WEB_RUNS_H
#define WEB_RUNS_H

#include <jansson.h>
#include <uv.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/string_array.h"
#include "base/view.h"

#define RUNS_AT_ONCE    4
#define RUNS_WAITING    256
#define RUN_OUTPUT_MAX  ((size_t)16 * 1024 * 1024)
#define RUN_MESSAGE_MAX ((size_t)64 * 1024)

struct runs;
struct run;

struct run_result {
	int exit;             /* -1: the time was up, or the output too long */
	struct view output;   /* one JSON document, or nothing */
	struct view messages; /* the end of standard error */
};

struct run_handlers {
	/* A line of standard error; may be NULL. */
	void (*message)(struct view line, void *data);
	/* The last that is heard of it. */
	void (*ended)(const struct run_result *result, void *data);
};

struct runs *runs_new(uv_loop_t *loop, int root);

/* Kills all; ended() is called for each. */
void runs_free(struct runs *runs);

/*
 * `timeout` is in ms; 0: none. ERROR_BUSY: too many are waiting. Without a failure, ended() is
 * called once, later.
 */
int run_start(struct runs *runs, const struct string_array *words, struct view input,
	uint64_t timeout, const struct run_handlers *handlers, void *data, struct run **ret_run,
	struct error *err);

/* The command's JSON; if it printed none, {success: false, error} with its messages. */
json_t *run_result_json(const struct run_result *result);

/* SIGINT, as Ctrl-C at a terminal; a command that has not started yet never does. */
void run_interrupt(struct run *run);

#endif
