/*
 * Which tools the model is offered. Every request carries the descriptions of all offered tools, so
 * MCP tools that are rarely needed are not offered directly. Instead one tool, "mcp", lists their
 * names, describes them on request, and calls them.
 *
 *	{"tool":"mcp__nanoclaw__pause_task"}			its description
 *	{"tool":"mcp__nanoclaw__pause_task","input":{…}}	a call; or "arguments"
 *
 * The offer depends on the tools only, and keeps their order.
 */
#ifndef AGENT_NATIVE_OFFER_H
#define AGENT_NATIVE_OFFER_H

#include <jansson.h>
#include <stddef.h>

#include "agent/native/tools/tools.h"
#include "base/buf.h"

/* Bytes of MCP tools that are offered with their full description. */
#define OFFER_ROOM ((size_t)3000)

/* Of all tools (tools_describe()); to be released. */
json_t *offer_choose(const json_t *all, size_t room);

/*
 * The call that a "tool_use" block means. Its input is NULL if the model asks only for a
 * description.
 */
struct tool_call offer_resolve(const json_t *call);

/* The description of a tool, which is one of these, as a result. */
void offer_describe(const json_t *all, const char *name, struct buf *out);

#endif
