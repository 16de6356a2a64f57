/* The first minute with the assistant: choose its name, and show what it can do. */
#ifndef CLI_SERVICE_WELCOME_H
#define CLI_SERVICE_WELCOME_H

#include "cli/assistant/assistant.h"

/* Is this the first start: no name and no store yet? */
bool welcome_is_due(const struct assistant *assistant);

/* Greet, ask for a name, write it to .env, and list what to try. */
int welcome(const struct cli *cli, struct assistant *assistant, struct error *err);

#endif
