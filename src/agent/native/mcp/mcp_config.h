/*
 * mcp.json, the list of MCP servers:
 *
 *	{"mcpServers": {"NAME": {"type": "stdio", "command": "…", "args": […], "env": {…}}}}
 *
 * Keys that are not known are left alone. A server of another type, or one that is not written as
 * above, has a `problem` and no words.
 */
#ifndef AGENT_NATIVE_MCP_MCP_CONFIG_H
#define AGENT_NATIVE_MCP_MCP_CONFIG_H

#include <stddef.h>

#include "base/error.h"
#include "base/string_array.h"

#define MCP_SERVERS_MAX 64

struct mcp_config_server {
	char *name;
	char *problem;              /* or NULL */
	struct string_array words;  /* the command and its arguments */
	struct string_array values; /* "NAME=value", beside our environment */
};

struct mcp_config {
	struct mcp_config_server *servers; /* sorted by name */
	size_t count;
};

/* Fails if the file cannot be read or is not JSON. */
int mcp_config_read(const char *path, struct mcp_config *ret_config, struct error *err);

void mcp_config_release(struct mcp_config *config);

#endif
