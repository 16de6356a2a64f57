/*
 * Questions on the terminal.
 */
#ifndef CLI_PROMPT_H
#define CLI_PROMPT_H

#include "cli/command.h"
#include "engine/disk/ask.h"

/*
 * Ask the person to type a number. --yes takes the recommended choice. Without a terminal,
 * returns ERROR_INVALID.
 */
struct ask prompt_for(const struct cli *cli);

/*
 * Ask before something is lost: `loss` is the choice that --yes makes; Enter alone keeps `name`.
 * Keeping it is ERROR_FAILED; without a terminal it is ERROR_INVALID, with the hint.
 */
int prompt_loss(const struct cli *cli, const char *question, const char *loss, const char *name,
	const char *hint, struct error *err);

#endif
