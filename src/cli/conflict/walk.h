/*
 * Lead a person through the conflicts of a paused operation.
 *
 *	code = apply_output(cli, &result, false);
 *	if (code == EXIT_PAUSED)
 *		return conflict_walk(&(struct conflict_walk){...}, err);
 *
 * Hunk after hunk is shown with both sides and with what the skills mean by them, and
 * a letter says what becomes of it. Each choice is in the file at once, in one step;
 * the other hunks keep their markers. So nothing is lost whenever the person leaves,
 * also by Ctrl-C or by closing the terminal: what is resolved is resolved, the rest is
 * still paused, and 'nanoclaw continue' leads through it again.
 *
 * When all is resolved the operation goes on, if the person says so, and where it
 * pauses again the walk does, too.
 *
 * The project is locked all the while: whoever types 'nanoclaw abort' elsewhere is
 * told that somebody is at work. Files may be edited elsewhere at any time: a choice
 * about a file that is not as it was shown is not made, and it is shown again.
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
 * To be called after the pause was printed. Returns the exit code of the command:
 * EXIT_PAUSED where nobody is there to be led (or --yes or --quiet says so), and where
 * something is left for later; that of the operation if it went on.
 */
int conflict_walk(const struct conflict_walk *walk, struct error *err);

#endif
