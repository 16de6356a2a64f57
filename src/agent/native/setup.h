/*
 * The agent's configuration: the environment variables that the host sets.
 *
 *	NANOCLAW_API		"anthropic" or "openai"
 *	NANOCLAW_API_SOCKET	where the API is: a socket, or "tcp:127.0.0.1:PORT"
 *	NANOCLAW_API_PATH	what paths of the API begin with; "/v1" if it is not set
 *	NANOCLAW_MODEL		the model
 *	NANOCLAW_CONTEXT	its window in tokens; 0: not known
 *	NANOCLAW_MAX_OUTPUT	the most tokens of one answer; 0: as the server has it
 *	NANOCLAW_VISION		"1": it takes images
 *	NANOCLAW_PROVIDER	the server's name in messages to people
 *	NANOCLAW_RETRY_MS	the first wait before another attempt
 *	NANOCLAW_STALL_MS	how long a server may be silent
 *	HOME			sessions are in its folder .claude/native
 */
#ifndef AGENT_NATIVE_SETUP_H
#define AGENT_NATIVE_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/native/wire/wire.h"
#include "base/error.h"

struct setup {
	const struct wire *wire;
	const char *address;
	const char *prefix;
	const char *model;
	const char *provider;
	const char *servers; /* the path of mcp.json, or NULL */
	char *home;          /* …/.claude */
	char *sessions;      /* …/.claude/native */
	char *outputs;       /* for output that is too long for a result */
	int64_t window;
	int64_t max_output;
	int64_t retry_ms;
	int stall_ms;
	bool vision;
};

/* ERROR_INVALID, with a message for the person, if something is missing or wrong. */
int setup_read(struct setup *setup, struct error *err);
void setup_release(struct setup *setup);

#endif
