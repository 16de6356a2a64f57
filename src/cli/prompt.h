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

#endif
