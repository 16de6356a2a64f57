/*
 * Which program an agent is, and how it gets into its sandbox.
 *
 * A command is "offline", "claude", "native", or a command line. How its program is found
 * depends on where it was set:
 *
 *  - In the installation (NANOCLAW_AGENT, `group add --agent`), it is a program on this machine.
 *    Every sandbox contains /usr. Any other program is mounted read-only at /opt/agent/N/NAME,
 *    where N is the number of the word; so is every other word that is the absolute path of a
 *    file. For a program in a node_modules folder, the whole folder is mounted. A path that
 *    begins with ../../ is relative to the project.
 *  - In container.json, it is a command line inside the sandbox. Nothing is mounted for it, so
 *    write access to container.json does not expose any other file.
 */
#ifndef HOST_AGENT_AGENT_PROGRAM_H
#define HOST_AGENT_AGENT_PROGRAM_H

#include "base/string_array.h"
#include "host/base/installation.h"
#include "sandbox/sandbox.h"

/* Where the socket of its group is (group_socket.h). */
#define AGENT_SOCKET_INSIDE "/run/nanoclaw/host.sock"

/* The MCP server of agents (agent/mcp/server.h): the same path in every kind of sandbox. */
#define AGENT_MCP_INSIDE "/opt/agent/nanoclaw-mcp"

int agent_program_mount_mcp(struct sandbox_spec *spec, struct error *err);

/*
 * The path of Claude Code: the setting NANOCLAW_CLAUDE, else in PATH or where npm installs it
 * next to a folder in PATH. NULL if it is not installed.
 */
char *agent_program_claude(const struct settings *settings);

/* The program that a word without a slash names, in the PATH of the host; NULL: none. */
char *agent_program_in_path(const char *name);

/*
 * Adds the words of a command line of the installation, as they are inside, with mounts for them.
 * ERROR_INVALID if it is not a command, or its program does not exist.
 */
int agent_program_words(struct installation *inst, const char *command,
	struct sandbox_spec *spec, struct string_array *argv, struct error *err);

/* Adds the word for one program of this machine. `number` is unique in the spec. */
int agent_program_mount(struct installation *inst, const char *path, size_t number,
	struct sandbox_spec *spec, struct string_array *argv, struct error *err);

#endif
