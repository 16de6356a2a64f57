/*
 * Run one line of shell, and learn what it wrote and how it ended.
 *
 *	struct command_request request = {.line = "ls", .dir = …, .env = …};
 *	CLEANUP(command_result_release) struct command_result result = {0};
 *	command_run(&request, &result, &err);
 *
 * Nothing of our own environment reaches it but `env` and `extra`. A program
 * that a line leaves in the background lives on, so that the next lines can
 * talk to it, until command_end_all(): this process adopts all orphans below
 * it (command_setup) and ends them there.
 */
#ifndef HARNESS_COMMAND_H
#define HARNESS_COMMAND_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

/* A net under commands that hang, and not a measure of speed. */
#define COMMAND_SECONDS 300

struct command_request {
	const char *line;
	const char *dir;
	const char *const *env;   /* "NAME=value", NULL at the end */
	const char *const *extra; /* more of these, or NULL */
	struct view input;        /* standard input; empty: /dev/null */
	int seconds;              /* 0: COMMAND_SECONDS */
};

struct command_result {
	int status; /* exit code, or 128 + the signal as in a shell */
	bool timed_out;
	struct buf out;
	struct buf err;
};

/* Once, at the start of main. */
void command_setup(void);

/* -1 only if it could not be run at all. */
int command_run(const struct command_request *request, struct command_result *result,
	struct error *err);

/* End all that still runs below this process. */
void command_end_all(void);

void command_result_release(struct command_result *result);

#endif
