/*
 * Commands of two words, for the scenarios in this folder: nanoclaw itself with
 * these in addition shows what a group of commands is, whichever it really has.
 */
#include <stdio.h>

#include "cli/command.h"

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	(void)cli;
	(void)args;
	(void)err;
	puts("run");
	return EXIT_DONE;
}

COMMAND(pair_left) = {
	.name = "pair left",
	.summary = "the left one",
	.section = SECTION_PLUMBING,
	.max_arguments = 1,
	.completes = {COMPLETE_FOLDERS},
	.run = run,
};

COMMAND(pair_right) = {
	.name = "pair right",
	.summary = "the right one",
	.section = SECTION_PLUMBING,
	.run = run,
};
