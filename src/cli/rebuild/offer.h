/*
 * At the end of an operation that changed NanoClaw's own source: rebuild.
 */
#ifndef CLI_REBUILD_OFFER_H
#define CLI_REBUILD_OFFER_H

#include "cli/command.h"

/* clang-format off */
#define OPTION_INSTALL_PACKAGES                                                                \
	{0, "install-packages", NULL, "a rebuild installs packages of the system that skills need"}
#define OPTION_REBUILD                                                                         \
	{0, "rebuild", NULL, "in NanoClaw's own source: then 'nanoclaw rebuild', without asking"},     \
	OPTION_INSTALL_PACKAGES
/* clang-format on */

/*
 * For the descriptor of a command that changes the source (`after` in command.h): rebuild if
 * --rebuild says so or the person at the terminal wants it. Nothing happens with --no-rebuild,
 * in other projects, after --dry-run, and if the current build is of this source.
 */
int rebuild_offer(struct cli *cli, const struct arguments *args, int code, struct error *err);

#endif
