/*
 * How a command that applies, removes or updates skills begins and ends: with the options that
 * all of them share, and with its result. A command lists the options it takes in its table:
 *
 *	static const struct option options[] = {
 *		OPTION_DRY_RUN,
 *		OPTION_ON_DRIFT,
 *		OPTIONS_TESTING,
 *		{0},
 *	};
 */
#ifndef CLI_SKILLS_APPLY_H
#define CLI_SKILLS_APPLY_H

#include "cli/command.h"
#include "engine/session/session.h"

/* clang-format off */
#define OPTION_ALLOW_CONFLICTS                                                                 \
	{0, "allow-conflicts", NULL, "apply skills even if they declare a conflict"}

#define OPTION_ALLOW_OLDER_CORE                                                                \
	{0, "allow-older-core", NULL, "apply skills that were written for a newer core"}

#define OPTION_ANCESTOR                                                                        \
	{0, "ancestor", "base",                                                                \
		"use the current core as the ancestor if the skill's own core is lost"}

#define OPTION_DRY_RUN                                                                         \
	{0, "dry-run", NULL, "show the result without changing anything"}

#define OPTION_ON_DRIFT                                                                        \
	{0, "on-drift", "record|continue|abort",                                               \
		"how to handle your unrecorded changes"}

#define OPTION_RESOLVER                                                                        \
	{0, "resolver", "COMMAND",                                                             \
		"let this command resolve conflicts; 'claude' is Claude Code"}

#define OPTIONS_COMMANDS                                                                       \
	{0, "allow-commands", NULL, "run the commands of packages without asking"},        \
	{0, "pass-env", "NAME", "also pass this environment variable to these commands"}

#define OPTION_TEST_TIMEOUT                                                                    \
	{0, "test-timeout", "SECONDS", "time limit for a test (120)"}

/* Of all commands that change the tree. */
#define OPTIONS_TESTING                                                                        \
	OPTIONS_COMMANDS,                                                                      \
	{0, "test", "all|new", "whose tests to run: of all skills, or only of new ones"},      \
	{0, "no-test", NULL, "skip the skills' tests"},                                        \
	{0, "no-install", NULL, "skip installing dependencies"},                               \
	OPTION_TEST_TIMEOUT
/* clang-format on */

/*
 * Read these options. Variables replace missing ones: NANOCLAW_TEST_TIMEOUT,
 * NANOCLAW_ALLOW_COMMANDS (if it is 1), and NANOCLAW_RESOLVER for a command that takes
 * --resolver. Without --on-drift the person is asked.
 */
int operation_options_read(const struct cli *cli, const struct arguments *args,
	struct operation_options *ret_options, struct error *err);

/*
 * Print the result, and if the operation has paused, lead a person through the conflicts
 * (conflict/walk.h). `typed` are packages as a person named them, ending in NULL; or NULL.
 * Returns the exit code.
 */
int apply_end(const struct cli *cli, const struct project *project,
	const struct operation_options *options, const char *const *typed,
	const struct operation_result *result, struct error *err);

#endif
