/*
 * Claude Code as an agent: its command line and its settings.
 *
 *	claude -p --verbose --input-format stream-json --output-format stream-json
 *		--replay-user-messages --include-partial-messages
 *		--permission-mode bypassPermissions
 *		--mcp-config /run/nanoclaw/mcp.json --strict-mcp-config
 *		--disallowedTools=…		tools that the host replaces
 *		--session-id ID			the first time
 *		--resume ID			later
 *
 * It calls the host through one of its MCP servers, "nanoclaw" (agent/mcp/server.h).
 *
 * It does not ask before it uses a tool; the sandbox confines it instead. Its sessions and its
 * own memory are in CLAUDE_CONFIG_DIR, /home/node/.claude.
 */
#ifndef HOST_AGENT_AGENT_CLAUDE_H
#define HOST_AGENT_AGENT_CLAUDE_H

#include "base/string_array.h"
#include "group/container.h"
#include "host/base/installation.h"
#include "sandbox/sandbox.h"

/*
 * `session_id` NULL begins a new session. ERROR_INVALID if Claude Code is not installed. This
 * function writes its MCP servers to the file `servers` of the project, because their environment
 * may hold keys and everybody on the machine can see a command line.
 */
int agent_claude_words(struct installation *inst, const struct container *container,
	const char *servers, const char *session_id, struct sandbox_spec *spec,
	struct string_array *argv, struct error *err);

/* Variables for it: NAME and value in turn, ends with NULL. */
extern const char *const agent_claude_env[];

/* The version that we know, and how it is installed: npm has a package for each kind of machine. */
#define AGENT_CLAUDE_VERSION "2.1.325"
#ifdef __aarch64__
#define AGENT_CLAUDE_MACHINE "arm64"
#else
#define AGENT_CLAUDE_MACHINE "x64"
#endif
#ifdef __GLIBC__
#define AGENT_CLAUDE_LIBC ""
#else
#define AGENT_CLAUDE_LIBC "-musl"
#endif
#define AGENT_CLAUDE_INSTALL                                                                   \
	"npm install -g @anthropic-ai/claude-code-linux-" AGENT_CLAUDE_MACHINE                 \
		AGENT_CLAUDE_LIBC "@" AGENT_CLAUDE_VERSION

#endif
