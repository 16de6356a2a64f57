/*
 * Which program is the agent of a group, and what it is given.
 *
 * The program is that of the group, else the setting NANOCLAW_AGENT: a command line
 * of a program that speaks stream-json (agent/stream.h), such as
 *
 *	claude -p --verbose --input-format stream-json --output-format stream-json
 *
 * or "offline", which is also what is taken when nothing is set: nanoclaw-offline, the
 * agent that needs no model (agent/offline/offline.h), from beside this program.
 *
 * It works in the folder of its group. Of the environment it gets HOME, LANG, LC_ALL,
 * PATH, TMPDIR and TZ, the settings that NANOCLAW_AGENT_ENV names (with commas),
 * ASSISTANT_NAME, NANOCLAW_GROUP (the folder), NANOCLAW_TRIGGER and NANOCLAW_SOCKET
 * (host/group_socket.h).
 */
#ifndef HOST_AGENT_SETUP_H
#define HOST_AGENT_SETUP_H

#include "agent/agent.h"
#include "host/parts.h"

#define AGENT_OFFLINE "offline"

/* ERROR_INVALID if trying again is of no use: the command is none. */
int agent_setup_start(struct host *host, const char *folder, const char *socket_path,
	const char *session_id, const struct agent_handlers *handlers, void *data,
	struct agent **ret_agent, struct error *err);

#endif
