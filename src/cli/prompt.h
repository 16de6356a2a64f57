/*
 * Questions on the terminal.
 */
#ifndef CLI_PROMPT_H
#define CLI_PROMPT_H

#include "cli/command.h"
#include "engine/disk/ask.h"

/*
 * Ask the person, with numbers to type. With --yes the recommended choice is
 * taken; where nobody is there to answer it is ERROR_INVALID.
 */
struct ask prompt_for(const struct cli *cli);

#endif
