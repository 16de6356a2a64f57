/*
 * The MCP servers of the agent, all at once: started together, watched together.
 *
 *	mcp_client_open(&options, &client, err)
 *	…
 *	mcp_client_call(client, name, input, key, call)
 *	while (mcp_client_busy(client))
 *		mcp_client_wait(client, fds, count, most_ms)	answered() for each
 *	…
 *	mcp_client_close(client)
 *
 * If a server does not start, or ends, the client does not fail: it records the problem as text,
 * and starts the server again for the next call to one of its tools. If a call takes too long, the
 * client also cancels it at the server.
 */
#ifndef AGENT_NATIVE_MCP_MCP_CLIENT_H
#define AGENT_NATIVE_MCP_MCP_CLIENT_H

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

struct mcp_client;

/* A call has ended, with the server's result or with a description of the failure. */
typedef void (*mcp_answered)(
	void *call, const json_t *result, const char *failure, const char *note);

struct mcp_options {
	const char *path; /* of mcp.json */
	int folder;       /* where the servers start */
	int cancelled;    /* when this is readable, nothing is waited for */
	int64_t start_ms; /* for all of them */
	int64_t call_ms;
	mcp_answered answered;
};

/* Returns when all servers have listed their tools, or the time is up. */
int mcp_client_open(
	const struct mcp_options *options, struct mcp_client **ret_client, struct error *err);

/* Add what tools_describe() gives, in no order. */
void mcp_client_describe(const struct mcp_client *client, json_t *list);

bool mcp_client_has(const struct mcp_client *client, const char *name);
bool mcp_client_is_read_only(const struct mcp_client *client, const char *name);

/* A line for each server with a problem; and the servers' own instructions. */
void mcp_client_problems(const struct mcp_client *client, struct buf *out);
void mcp_client_instructions(const struct mcp_client *client, struct buf *out);

/* `name` is one that mcp_client_has(); `key` and `call` are as in mcp_peer.h. */
void mcp_client_call(struct mcp_client *client, const char *name, const json_t *input,
	const char *key, void *call);

/* Is a call running, or a running server listing its tools? A starting server does not count. */
bool mcp_client_busy(const struct mcp_client *client);

/*
 * Wait until there is something to do for a server or for one of `fds`, at most `most_ms`
 * milliseconds, and do it for the servers.
 */
void mcp_client_wait(
	struct mcp_client *client, struct pollfd *fds, size_t count, int64_t most_ms);

/* Give up all calls. */
void mcp_client_cancel(struct mcp_client *client, const char *why);

void mcp_client_close(struct mcp_client *client);

#endif
