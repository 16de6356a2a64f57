/* The result of a call, as MCP has it, as text and at most one image. */
#ifndef AGENT_NATIVE_TOOLS_MCP_CONTENT_H
#define AGENT_NATIVE_TOOLS_MCP_CONTENT_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/native/tools/tools.h"

/*
 * Texts one after the other; of what is no text, a line that says what it is. The first image is
 * taken if `images`. structuredContent stands only where there is no content: servers repeat it
 * as text.
 */
void mcp_content(const json_t *result, bool images, struct tool_result *ret_result);

#endif
