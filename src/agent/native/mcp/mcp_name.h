/*
 * The name of a server's tool in requests to a model: mcp__SERVER__TOOL.
 *
 * Providers take letters, digits, '_' and '-', and 64 of these. A name that is longer, or has
 * other characters, is changed and ends in a hash of what it was: always the same one, and another
 * one for another tool.
 */
#ifndef AGENT_NATIVE_MCP_MCP_NAME_H
#define AGENT_NATIVE_MCP_MCP_NAME_H

#define MCP_NAME_MAX 64

/* To be freed. */
char *mcp_name(const char *server, const char *tool);

#endif
