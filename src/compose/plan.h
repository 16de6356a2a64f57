/*
 * The contents of a group's composed files, from the shared files and its container.json.
 * Nothing is read or written here: the same inputs give the same plan.
 *
 *	CLEANUP(plan_release) struct plan plan = PLAN_INIT;
 *
 *	plan_make(&shared, &container, container_text, &plan);
 *
 * The entry, CLAUDE.md, is imports only, in this order:
 *
 *	<!-- Composed at spawn ... -->
 *	@./.claude-shared.md			the base
 *	@./.claude-global-memory.md		if there is something in it
 *	@./.claude-fragments/NAME.md		skills, by name
 *	@./.claude-fragments/mcp-NAME.md	MCP servers, by name
 *
 * Names of skills and servers are checked where they are read (group/container.h), so that
 * none can lead elsewhere or begin a line.
 */
#ifndef COMPOSE_PLAN_H
#define COMPOSE_PLAN_H

#include "base/hash.h"
#include "base/string_array.h"
#include "compose/shared.h"
#include "group/container.h"

#define COMPOSE_HEADER                                                                         \
	"<!-- Composed at spawn \u2014 do not edit. Edit CLAUDE.local.md for per-group "       \
	"content. -->"
#define COMPOSE_ENTRY     "CLAUDE.md"
#define COMPOSE_MEMORY    "CLAUDE.local.md"
#define COMPOSE_SHARED    ".claude-shared.md"
#define COMPOSE_GLOBAL    ".claude-global-memory.md"
#define COMPOSE_FRAGMENTS ".claude-fragments"

/* Where an agent finds the shared files. */
#define SEEN_BASE   "/app/CLAUDE.md"
#define SEEN_SKILLS "/app/skills"
#define SEEN_FOLDER "/workspace/agent"

struct plan_part {
	char *name;  /* of the file */
	char *owner; /* the skill or the server */
	bool is_link;
	char *text; /* where the link leads, or the content */
};

struct plan_list {
	struct plan_part *list; /* sorted by name */
	size_t count;
	size_t cap;
};

struct plan {
	struct plan_list skills;    /* links */
	struct plan_list fragments; /* links and files */
	const struct buf *global;   /* of `shared`, or NULL */
	struct buf entry;
	struct hash inputs; /* an agent started with a different hash is out of date */
	struct string_array warnings;
};

#define PLAN_INIT ((struct plan){.entry = BUF_INIT})

/* `container_text` is the file that `container` was read from. */
void plan_make(const struct shared *shared, const struct container *container,
	struct view container_text, struct plan *ret_plan);
void plan_release(struct plan *plan);

const struct plan_part *plan_find(const struct plan_list *list, const char *name);

/* Is this a composed CLAUDE.md that has not been edited since? */
bool plan_is_entry(struct view text);

#endif
