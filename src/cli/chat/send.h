/*
 * One message to the assistant of a group, over the local channel; and its answer.
 */
#ifndef CLI_CHAT_SEND_H
#define CLI_CHAT_SEND_H

#include <stdbool.h>

#include "cli/command.h"

/* Prints the result. Returns the exit code, or -1. The host must be running. */
int send_text(
	struct cli *cli, const char *group, const char *text, bool wait, struct error *err);

#endif
