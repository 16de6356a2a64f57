/*
 * Which agent a group has: "offline", "claude", or a command line (agent_program.h).
 */
#ifndef HOST_BASE_AGENT_COMMAND_H
#define HOST_BASE_AGENT_COMMAND_H

#include "group/container.h"
#include "host/base/settings.h"
#include "ledger/groups.h"

#define AGENT_OFFLINE "offline"
#define AGENT_CLAUDE  "claude"

/*
 * The command of a group: that of its container.json, else the one that it was registered with,
 * else the setting NANOCLAW_AGENT, else "offline".
 */
const char *agent_command_of(const struct container *container, const struct group *group,
	const struct settings *settings);

#endif
