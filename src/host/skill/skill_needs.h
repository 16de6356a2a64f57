/*
 * Requirements of a skill that a group does not meet. The person learns about them before an
 * agent gets the message.
 *
 *	text after the command	"Input: ..." in Context Required
 *	a file in the group's folder	"File: PATH"
 *	an MCP server of the group	"Connector: NAME", and MCP Connectors Required
 *	other skills			IDs in Dependencies: assigned to the group, and in use
 *
 * An optional requirement is never reported.
 */
#ifndef HOST_SKILL_SKILL_NEEDS_H
#define HOST_SKILL_SKILL_NEEDS_H

#include "host/base/installation.h"
#include "userskill/lookup.h"

/* A line for each thing; "" if nothing is missing. `words` are those of the person. */
int skill_needs_missing(struct installation *inst, const char *folder,
	const struct skill_found *found, struct view words, struct buf *ret_lines,
	struct error *err);

#endif
