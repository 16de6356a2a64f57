/*
 * Commands of a skill: its test, and what it wants to be run after it is applied.
 *
 * They run in the project's root, by sh, as any command of an operation (command.h).
 */
#ifndef ENGINE_SESSION_HOOKS_H
#define ENGINE_SESSION_HOOKS_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/disk/project.h"

struct hook {
	char *skill;
	char *command;
	bool is_test; /* it fails with ERROR_TEST, else with ERROR_FAILED */
	bool live;    /* its output goes to the terminal as it comes */
	unsigned seconds;
};

/* All commands of packages get this variable of our environment (command.h). */
int hook_pass_env(const char *name, struct error *err);

/* A command that fails is an error, with the end of what it wrote. */
int hook_run(const struct project *project, const struct hook *hook, struct error *err);

#endif
