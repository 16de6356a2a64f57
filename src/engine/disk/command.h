/*
 * A command that an operation runs in the project's root, and waits for.
 *
 * It runs in a process group of its own that is ended with it, has a limit on its time,
 * and is killed when we are. A command that fails is an error, with the end of what it
 * wrote unless that was seen live.
 *
 * It comes from a package, and gets of our environment what building needs, and no more: the
 * variables that command.c lists, and a proxy unless its address holds a password.
 * command_pass_env() adds to that for all commands of this process; `name` must stay.
 */
#ifndef ENGINE_DISK_COMMAND_H
#define ENGINE_DISK_COMMAND_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/disk/project.h"

struct command {
	const char *const *argv; /* ends in NULL */
	const char *const *env;  /* added to ours; or NULL */
	const char *what;        /* for messages: "the test of skill 'telegram'" */
	const char *shown;       /* the same: the command as a person would type it */
	enum error_kind kind;    /* of the error if it fails */
	bool live;               /* its output goes to the terminal as it comes */
	unsigned seconds;
};

int command_pass_env(const char *name, struct error *err);

/* An error with errnum EINTR: we got a signal. */
int command_run(
	const struct project *project, const struct command *command, struct error *err);

#endif
