/*
 * The name of a server's tool in requests to a model: mcp__SERVER__TOOL.
 *
 * Providers accept up to 64 letters, digits, '_' and '-'. A name that is longer or has other
 * characters is changed and ends in a hash of the original name, so the same tool always gets the
 * same name and no other tool gets it.
 */
#ifndef AGENT_NATIVE_MCP_MCP_NAME_H
#define AGENT_NATIVE_MCP_MCP_NAME_H

#define MCP_NAME_MAX 64

/* To be freed. */
char *mcp_name(const char *server, const char *tool);

#endif
