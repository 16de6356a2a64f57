/*
 * Run a command of a package in the project's root, and wait for it.
 *
 * The command has its own process group, which ends with it, and a time limit. It is killed
 * when we are. A failure is an error with the last lines of output, unless the output was
 * shown live.
 *
 * The command does not see the caller's secrets, in the environment or elsewhere (veil.h). A
 * test (ERROR_TEST) has its time limit in NANOCLAW_TEST_TIMEOUT.
 */
#ifndef ENGINE_DISK_COMMAND_H
#define ENGINE_DISK_COMMAND_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string_array.h"
#include "engine/disk/project.h"

/*
 * Tells a person about once a second what runs, for how long, and its time limit. `what` is NULL
 * at its end.
 */
typedef void command_progress(const char *what, long long duration_ms, unsigned seconds);

struct command_request {
	const char *const *argv; /* ends in NULL */
	const char *const *env;  /* added to ours; or NULL */
	const char *what;        /* for messages: "the test of skill 'telegram'" */
	const char *shown;       /* for messages: the command as a person would type it */
	enum error_kind kind;    /* of the error if it fails */
	const char *writes;      /* a path in .nanoclaw that it may write to; or NULL */
	bool installs;           /* it keeps the configuration of package managers */
	bool own;  /* our own program, which sees what we see but the environment */
	bool live; /* its output goes to the terminal as it comes */
	command_progress *progress; /* instead of that; or NULL */
	struct string_array *notes; /* gets the lines "note: …" of its output; or NULL */
	unsigned seconds;
};

/* A time limit in seconds from the environment; ERROR_INVALID if it is not one. */
int command_seconds(
	const char *variable, unsigned fallback, unsigned *ret_seconds, struct error *err);

/* If a signal arrives, the error has errnum EINTR. */
int command_run(const struct project *project, const struct command_request *command,
	struct error *err);

#endif
