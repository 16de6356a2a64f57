/* The first minute with the assistant: choose its name, and show what it can do. */
#ifndef CLI_SERVICE_WELCOME_H
#define CLI_SERVICE_WELCOME_H

#include "cli/assistant/assistant.h"

/* Is this the first start: no name and no store yet? */
bool welcome_is_due(const struct assistant *assistant);

/* Greet, ask for a name, write it to .env, and list what to try. */
int welcome(const struct cli *cli, struct assistant *assistant, struct error *err);

struct welcome_setting {
	const char *name;
	const char *value; /* NULL: it has none */
};

/*
 * Each NAME=value as one of the last lines of .env, in the place of the line that it had; the
 * other lines stay as they are. All of them are written at once. Others than the owner cannot
 * read the file then.
 */
int welcome_set(
	int root, const struct welcome_setting *settings, size_t count, struct error *err);

#endif
