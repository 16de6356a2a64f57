/*
 * The protocol with one MCP server, revision 2025-06-18 or an older one that the server names:
 * what to send, and what its lines mean. Knows nothing of processes and clocks (mcp_link.h,
 * mcp_client.h).
 *
 *	          begin            result of initialize        last page of tools/list
 *	[CLOSED] -------> [STARTING] -----------------> [LISTING] -------------> [READY]
 *	    ^                 |                             |                       |
 *	    +--- end or failure of initialize --------------+-----------------------+
 *
 * Calls may be made in every state but CLOSED; they are sent once the server is initialized. Once
 * listed, the tools stay known even after the server ends. When the server reports that they have
 * changed, they are listed again.
 */
#ifndef AGENT_NATIVE_MCP_MCP_PEER_H
#define AGENT_NATIVE_MCP_MCP_PEER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/view.h"

enum mcp_state {
	MCP_CLOSED,
	MCP_STARTING,
	MCP_LISTING,
	MCP_READY,
};

struct mcp_tool {
	char *name; /* at the server */
	char *full; /* mcp_name() */
	char *description;
	json_t *schema;
	bool read_only;
};

struct mcp_tools {
	struct mcp_tool *list;
	size_t count;
	size_t cap;
};

struct mcp_request;

struct mcp_wire {
	/* A line for the server, without newline. */
	void (*send)(void *data, struct view line);
	/* A call has ended: with a result, or with words about what went wrong. */
	void (*answered)(void *data, void *call, const json_t *result, const char *failure);
};

struct mcp_peer {
	char *name;
	const struct mcp_wire *wire;
	void *data;
	enum mcp_state state;
	char *problem; /* why it is closed or has no tools, or NULL */
	char *instructions;
	struct mcp_tools tools;
	struct mcp_tools listed; /* by the pages so far */
	size_t pages;
	bool stale; /* the tools have changed while they were listed */
	size_t changes;
	struct mcp_request *requests;
	size_t count;
	size_t cap;
	long long last_id;
};

void mcp_peer_init(
	struct mcp_peer *peer, const char *name, const struct mcp_wire *wire, void *data);
void mcp_peer_release(struct mcp_peer *peer);

/* The server was started. */
void mcp_peer_begin(struct mcp_peer *peer);

/* A line from the server. Lines that are not protocol messages are skipped. */
void mcp_peer_line(struct mcp_peer *peer, struct view line, bool too_long);

/*
 * `call` is what answered() gets; a NULL input is an empty object. `key`, or NULL, is the same when
 * a call is repeated: the host's own server does it once then.
 */
void mcp_peer_call(struct mcp_peer *peer, const char *tool, const json_t *input,
	const char *key, void *call);

/* Tell the server that the answer is no longer needed; calls answered() with `why`. */
void mcp_peer_cancel(struct mcp_peer *peer, const void *call, const char *why);

/* The server has ended: so have all calls. */
void mcp_peer_end(struct mcp_peer *peer, const char *why);

/* Does the server owe a response to anything other than a call? */
bool mcp_peer_lists(const struct mcp_peer *peer);

#endif
