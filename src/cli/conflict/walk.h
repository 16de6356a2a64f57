/*
 * Lead a person through the conflicts of a paused operation.
 *
 *	code = apply_output(cli, &result, false);
 *	if (code == EXIT_PAUSED)
 *		return conflict_walk(&(struct conflict_walk){...}, err);
 *
 * Each hunk is shown with both sides and the intents of the skills, and a letter
 * resolves it. Each choice is written to the file at once, in one step; the other hunks
 * keep their markers. So nothing is lost when the person leaves, even by Ctrl-C or by
 * closing the terminal: resolved hunks stay resolved, the rest is still paused, and
 * 'nanoclaw continue' walks through it again.
 *
 * When everything is resolved, the operation continues if the person agrees. If it
 * pauses again, so does the walk.
 *
 * The project is locked meanwhile: 'nanoclaw abort' in another terminal reports a
 * running operation. Files may be edited elsewhere at any time: a choice about a file
 * that has changed since it was shown is not made, and the file is shown again.
 */
#ifndef CLI_CONFLICT_WALK_H
#define CLI_CONFLICT_WALK_H

#include "cli/command.h"
#include "engine/session/session.h"

struct conflict_walk {
	const struct cli *cli;
	const struct project *project;
	const struct operation_options *options;
	const char *const *typed; /* packages as a person named them, ending in NULL; or NULL */
	/* Set by conflict_walk() itself, if the options name a resolver. */
	int (*ask_resolver)(void *data, const struct conflict *conflict, struct error *err);
	void *resolver_data;
};

/*
 * Call this after printing the pause. Returns the exit code of the command: EXIT_PAUSED if
 * there is no terminal (or with --yes or --quiet), and if something is left for later;
 * otherwise that of the continued operation.
 */
int conflict_walk(const struct conflict_walk *walk, struct error *err);

#endif
