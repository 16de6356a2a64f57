#include "agent/native/mcp/mcp_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#define MCP_NAME_HASH (sizeof("_12345678") - 1)

static uint32_t mcp_name_hash(const char *text)
{
	uint32_t hash = 2166136261; /* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619;
	return hash;
}

char *mcp_name(const char *server, const char *tool)
{
	CLEANUP(freep) char *name = xasprintf("mcp__%s__%s", server, tool);
	uint32_t hash = mcp_name_hash(name);
	bool changed = strlen(name) > MCP_NAME_MAX;

	for (char *c = name; *c; c++)
		if (!isascii(*c) || (!isalnum(*c) && *c != '_' && *c != '-')) {
			*c = '_';
			changed = true;
		}
	if (!changed)
		return TAKE(name);
	return xasprintf("%.*s_%08" PRIx32, (int)(MCP_NAME_MAX - MCP_NAME_HASH), name, hash);
}
