/*
 * The MCP servers of an agent, in the form of Claude Code's --mcp-config: the host's own, called
 * "nanoclaw" (agent/mcp/server.h), and those of the group's container.json.
 */
#ifndef HOST_AGENT_AGENT_SERVERS_H
#define HOST_AGENT_AGENT_SERVERS_H

#include "group/container.h"
#include "host/base/installation.h"
#include "sandbox/sandbox.h"

#define AGENT_SERVERS_INSIDE "/run/nanoclaw/mcp.json"

/*
 * Writes them to the file `servers` of the project, and mounts that at AGENT_SERVERS_INSIDE.
 * Their environment may hold keys, and everybody on the machine can see a command line.
 */
int agent_servers_mount(struct installation *inst, const struct container *container,
	const char *servers, struct sandbox_spec *spec, struct error *err);

#endif
