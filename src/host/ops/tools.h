/*
 * The MCP tools: the operations that have a title, as models see them. An agent's MCP server
 * (agent/mcp/server.h) gets the list from the operation list_tools, and calls one through
 * call_tool.
 */
#ifndef HOST_OPS_TOOLS_H
#define HOST_OPS_TOOLS_H

#include <jansson.h>

#include "host/ops/operation.h"

/* The tools and arguments for a caller with these rights, as tools/list has them. */
json_t *tools_list(const bool rights[RIGHT_COUNT]);

/* Adds to the reply of a call what a model needs: an example, other hints, the answer. */
void tools_complete(const struct operation *operation, json_t *reply);

#endif
