/*
 * A chat with the assistant of a group: on a terminal, or through a pipe.
 */
#ifndef CLI_CHAT_CHAT_H
#define CLI_CHAT_CHAT_H

#include <jansson.h>

#include "cli/command.h"

/* State that is kept when a chat continues with another host. */
struct chat_session {
	bool opened;      /* the person has been greeted */
	char *unfinished; /* what was typed when the host ended, or NULL */
	json_t *unstored; /* messages that no host has acknowledged, or NULL */
};

#define CHAT_SESSION_INIT ((struct chat_session){0})

void chat_session_release(struct chat_session *session);

/*
 * Runs until the person leaves, or the pipe ends. It is an error with ECONNRESET if the host
 * ends and does not come back within a moment, and with ECONNREFUSED if there is no host.
 * Returns the exit code, or -1.
 */
int chat_run(
	struct cli *cli, const char *group, struct chat_session *session, struct error *err);

#endif
