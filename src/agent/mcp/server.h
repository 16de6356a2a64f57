/*
 * The Model Context Protocol, as far as a server with tools needs it. This file does no input or
 * output itself: the owner passes lines from the client to mcp_server_line() and replies from the
 * host to mcp_server_answer(), and the server writes through a `struct mcp_wire`.
 *
 *	struct mcp_server *server = mcp_server_new(&wire, data);
 *
 *	line of the client -> mcp_server_line()	-> wire.ask()		to the host
 *	reply of the host  -> mcp_server_answer() -> wire.say()		to the client
 *
 * The server speaks two generations of the protocol. In the older one, a session begins with
 * `initialize`, which agrees on 2025-11-25, 2025-06-18, 2025-03-26 or 2024-11-05; the last two have
 * batches. In the newer one (2026-07-28), every request names its own version, and
 * `server/discover` lists the capabilities.
 *
 * The server sends one question to the host at a time, so calls happen in order. The others wait in
 * a queue, and `notifications/cancelled` removes them from it. While the queue is full,
 * mcp_server_takes() is false, and the owner stops reading.
 *
 * The server answers or ignores any line, as JSON-RPC requires; no line can end the server. The
 * host has the tools and checks their arguments (host/ops/operation.h). If the host refuses a call,
 * the result gives the reason to the model. A client that may repeat a call after it was killed
 * gives the call a key in "_meta", as "nanoclaw/key": a key takes effect once per turn.
 */
#ifndef AGENT_MCP_SERVER_H
#define AGENT_MCP_SERVER_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/mcp/result.h"
#include "base/error.h"
#include "base/view.h"

#define MCP_MAX_LINE    ((size_t)1024 * 1024)
#define MCP_MAX_WAITING 64
#define MCP_MAX_BATCH   256

struct mcp_server;

struct mcp_wire {
	/* A message for the client, which is released. */
	void (*say)(void *data, json_t *message);
	/* A question to the host, which is released. If it cannot be asked, -1. */
	int (*ask)(void *data, json_t *question, struct error *err);
};

struct mcp_server *mcp_server_new(const struct mcp_wire *wire, void *data);
void mcp_server_free(struct mcp_server *server);

/* `too_long`: the line had more than MCP_MAX_LINE bytes and was dropped. */
void mcp_server_line(struct mcp_server *server, struct view line, bool too_long);

/* Room for more lines? */
bool mcp_server_takes(const struct mcp_server *server);

/* Is a question waiting for the host's reply? */
bool mcp_server_waits(const struct mcp_server *server);

/* A reply of the host. A reply to a call that was cancelled is ignored. */
void mcp_server_answer(struct mcp_server *server, const json_t *reply);

/* There will be no reply. */
void mcp_server_lost(struct mcp_server *server, const struct error *why);

#endif
