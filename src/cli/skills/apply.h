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
	{0, "allow-conflicts", NULL, "apply skills that declare a conflict with each other"}

#define OPTION_ANCESTOR                                                                        \
	{0, "ancestor", "base",                                                                \
		"merge with the present core where the one the skill was written for is lost"}

#define OPTION_DRY_RUN                                                                         \
	{0, "dry-run", NULL, "show what would be done, and do nothing"}

#define OPTION_ON_DRIFT                                                                        \
	{0, "on-drift", "record|continue|abort",                                               \
		"what to do about changes of yours that are not recorded"}

#define OPTION_RESOLVER                                                                        \
	{0, "resolver", "COMMAND",                                                             \
		"ask this command about conflicts first; 'claude' is Claude Code"}

#define OPTION_TEST_TIMEOUT                                                                    \
	{0, "test-timeout", "SECONDS", "how long a test may take (120)"}

#define OPTIONS_TESTING                                                                        \
	{0, "no-test", NULL, "do not run the skills' tests"},                                  \
	{0, "no-install", NULL, "do not install dependencies"},                                \
	OPTION_TEST_TIMEOUT
/* clang-format on */

/*
 * Read what was given of these options. Where --test-timeout is missing, the variable
 * NANOCLAW_TEST_TIMEOUT counts, and so does NANOCLAW_RESOLVER for a command that takes
 * --resolver. Without --on-drift the person is asked.
 */
int apply_options_read(const struct cli *cli, const struct arguments *args,
	struct apply_options *ret_options, struct error *err);

/*
 * Print what came of it, and if it has paused, lead a person through the conflicts
 * (conflict/walk.h). `typed` are packages as a person named them, ending in NULL; or NULL.
 * Returns the exit code.
 */
int apply_end(const struct cli *cli, const struct project *project,
	const struct apply_options *options, const char *const *typed,
	const struct apply_result *result, struct error *err);

#endif
