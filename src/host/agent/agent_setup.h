/*
 * The agent of a group: its program, the contents of its sandbox, and its start.
 *
 * The program is that of the group's container.json, else the one that the group was
 * registered with, else the setting NANOCLAW_AGENT, else "offline", the agent that needs no
 * model (agent_program.h, agent_claude.h, agent_native.h, agent/offline/offline.h). It speaks
 * stream-json (agent/stream.h).
 *
 * It always runs in a sandbox (sandbox/sandbox.h), which contains:
 *
 *	/workspace/agent		groups/FOLDER, where it works; container.json in it is
 *					read-only
 *	/workspace/extra/NAME		mounts of container.json that the allowlist permits
 *	/workspace/media		data/media/FOLDER, read-only
 *	/workspace/project		main only: the project, read-only
 *	/app/CLAUDE.md, /app/skills	container/CLAUDE.md and container/skills, read-only
 *	/home/node/.claude		data/sessions/FOLDER/.claude
 *	/run/nanoclaw/host.sock		the socket of the group (group_socket.h)
 *	/run/nanoclaw/api.sock		the way out (gate/gate.h), for agents that need it
 *	/opt/agent			its program, if that is not in /usr, and nanoclaw-mcp
 *
 * Its environment contains HOME, PATH, LANG, LC_ALL and TZ, the settings that NANOCLAW_AGENT_ENV
 * names (with commas), ASSISTANT_NAME, NANOCLAW_GROUP (the folder), NANOCLAW_TRIGGER,
 * NANOCLAW_MEDIA, NANOCLAW_SOCKET and NANOCLAW_MCP (the path of nanoclaw-mcp); and what it needs
 * to reach its model (gate_environment(), agent_native_environment()).
 */
#ifndef HOST_AGENT_AGENT_SETUP_H
#define HOST_AGENT_AGENT_SETUP_H

#include "agent/agent.h"
#include "fs/stamp.h"
#include "host/agent/agent_access.h"
#include "host/agent/agent_model.h"
#include "host/base/installation.h"

struct agent_gates;
struct memory;
struct sandboxes;

/* The parts of the host that agents are started with. */
struct agent_desk {
	struct installation *inst;
	struct memory *memory;
	struct sandboxes *sandboxes;
	struct agent_gates *gates;
};

/* The state of an agent while it runs. */
struct agent_setup {
	struct agent_access access; /* its folder and turn are set by the owner */
	int64_t turn_seconds;       /* as container.json limits a turn; 0: it does not */
	struct stamp settings;      /* of container.json, as it was started with */
	struct agent_model model;   /* that it reaches through its gate */
	char *servers;              /* the file with its MCP servers, or NULL */
	int root;                   /* the folder that it is below */
};

struct agent_start {
	const char *name;    /* of its socket … */
	int socket;          /* … which is open here */
	const char *session; /* to resume, or NULL */
	const struct agent_handlers *handlers;
	void *data;
};

/*
 * ERROR_INVALID if a retry cannot help: the command or container.json is wrong, or no sandbox
 * works.
 */
int agent_setup_start(const struct agent_desk *desk, const struct agent_start *start,
	struct agent_setup *setup, struct agent **ret_agent, struct error *err);

/*
 * Is it known which sandbox the agent can use? If not, a probe is running; when it ends, it
 * notifies the owner of the sandboxes (sandboxes.h).
 */
bool agent_setup_known(const struct agent_desk *desk, const struct agent_setup *setup);

/* After its end. */
void agent_setup_end(struct agent_setup *setup);

/* Has a person changed container.json since the agent was started? */
bool agent_setup_is_outdated(const struct agent_desk *desk, const struct agent_setup *setup);

#endif
