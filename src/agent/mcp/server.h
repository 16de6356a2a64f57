/*
 * The Model Context Protocol, as far as a server with tools needs it. Nothing here reads or
 * writes: lines of the client come in by mcp_server_line(), answers of the host by
 * mcp_server_answer(), and what goes out goes through a `struct mcp_wire`.
 *
 *	struct mcp_server *server = mcp_server_new(&wire, data);
 *
 *	line of the client -> mcp_server_line()	-> wire.ask()		to the host
 *	reply of the host  -> mcp_server_answer() -> wire.say()		to the client
 *
 * Two eras are spoken. In the older one a session begins with `initialize`, which agrees on one
 * of 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05; the last two know batches. In the newer
 * one (2026-07-28) every request names its version by itself, and `server/discover` says what
 * there is.
 *
 * One question is with the host at a time, so that calls happen in their order. The others
 * wait in a line, out of which `notifications/cancelled` takes them. As long as the line is
 * full, mcp_server_takes() is false, and the owner reads no more.
 *
 * Whatever a line holds is answered or ignored, as JSON-RPC says; none of it ends the server.
 * The host has the tools and checks their arguments (host/ops/operation.h). A call that it refuses
 * says why in its result, for the model to read. A client that may make the same call twice, because
 * it was killed in between, names it in "_meta" as "nanoclaw/key": in the same turn a key has its
 * effect once.
 */
#ifndef AGENT_MCP_SERVER_H
#define AGENT_MCP_SERVER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"

#define MCP_MAX_LINE    ((size_t)1024 * 1024)
#define MCP_MAX_WAITING 64
#define MCP_MAX_BATCH   256

/* Longer results are cut, in bytes. */
#define MCP_MAX_RESULT ((size_t)256 * 1024)

struct mcp_server;

struct mcp_wire {
	/* A message for the client, which is released. */
	void (*say)(void *data, json_t *message);
	/* A question to the host, which is released. If it cannot be asked, -1. */
	int (*ask)(void *data, json_t *question, struct error *err);
};

struct mcp_server *mcp_server_new(const struct mcp_wire *wire, void *data);
void mcp_server_free(struct mcp_server *server);
void mcp_server_freep(struct mcp_server **server);

/* `too_long`: it had more than MCP_MAX_LINE bytes, and is not there. */
void mcp_server_line(struct mcp_server *server, struct view line, bool too_long);

/* Room for more lines? */
bool mcp_server_takes(const struct mcp_server *server);

/* Is a question with the host? */
bool mcp_server_waits(const struct mcp_server *server);

/* A reply of the host. A reply to a call that was cancelled is ignored. */
void mcp_server_answer(struct mcp_server *server, const json_t *reply);

/* There will be no reply. */
void mcp_server_lost(struct mcp_server *server, const struct error *why);

#endif
