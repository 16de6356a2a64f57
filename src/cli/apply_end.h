/*
 * The end of a command that changed the tree: what came of it is printed, and a person
 * is led through the conflicts if it has paused (conflict_walk.h).
 */
#ifndef CLI_APPLY_END_H
#define CLI_APPLY_END_H

#include "cli/command.h"
#include "engine/session/session.h"

/* `typed` are packages as a person named them, ending in NULL; or NULL. Returns the exit code.
 */
int apply_end(const struct cli *cli, const struct project *project,
	const struct apply_options *options, const char *const *typed,
	const struct apply_result *result, struct error *err);

#endif
