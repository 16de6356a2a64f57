/* The result of a call, as MCP has it, as text and at most one image. */
#ifndef AGENT_NATIVE_TOOLS_MCP_CONTENT_H
#define AGENT_NATIVE_TOOLS_MCP_CONTENT_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/native/tools/tools.h"

/*
 * Joins the texts; other content becomes a line that describes it. Takes the first image if
 * `images`. Uses structuredContent only if there is no content: servers repeat it as text.
 */
void mcp_content(const json_t *result, bool images, struct tool_result *ret_result);

#endif
