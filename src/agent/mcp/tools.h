/*
 * The tools of the MCP server. Each is an operation of the host (host/operations.h) of the same
 * name, with the same arguments.
 *
 * What is published depends on the rights that the host says the group has. What is called does
 * not: a tool that a group does not have is refused by the host, in its own words, and is in
 * its audit log.
 */
#ifndef AGENT_MCP_TOOLS_H
#define AGENT_MCP_TOOLS_H

#include <jansson.h>

#include "agent/mcp/argument.h"

#define TOOL_MAX_ARGUMENTS 8

enum tool_effect {
	TOOL_READS,
	TOOL_ADDS,
	TOOL_CHANGES, /* what was before is lost; the same call twice is as once */
};

struct tool {
	const char *name;
	const char *title;
	const char *description;
	enum tool_effect effect;
	const char *right;   /* that a group needs; NULL: none */
	const char *example; /* arguments that are right, as JSON */
	const char *see;     /* what helps, where the host's own hint is for a terminal */
	const char *done;    /* the answer; NULL: what the host has said, as JSON */
	struct argument arguments[TOOL_MAX_ARGUMENTS]; /* ends with an empty one */
};

const struct tool *tool_find(const char *name);

/* Those for a group with these rights (an array of names), as tools/list has them. */
json_t *tools_list(const json_t *rights);

/*
 * Adds to `faults` all that is wrong with the arguments (an object), with what would be right,
 * for a model to read; false if there was something.
 */
bool tool_check(const struct tool *tool, const json_t *arguments, struct buf *faults);

/* What the host is asked. */
json_t *tool_request(const struct tool *tool, const json_t *arguments);

#endif
