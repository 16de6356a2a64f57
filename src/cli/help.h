/*
 * Help made from the descriptors of the commands.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

/* Help for one command on standard output, or the overview if it is NULL. */
void help_show(const struct cli *cli, const struct command *command);

/* The members of a group of commands such as "skill". */
void help_show_group(const struct cli *cli, const char *group);

#endif
