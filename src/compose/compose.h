/*
 * The composed CLAUDE.md of a group and the files that it needs, rebuilt before each start of
 * an agent:
 *
 *  1. data/sessions/FOLDER/.claude/skills/NAME -> /app/skills/NAME, for each enabled skill
 *  2. groups/FOLDER/.claude-shared.md -> /app/CLAUDE.md
 *  3. .claude-fragments/NAME.md -> /app/skills/NAME/instructions.md, where a skill has it
 *  4. .claude-fragments/mcp-NAME.md and .claude-global-memory.md, which are files
 *  5. CLAUDE.md, which imports these (plan.h)
 *  6. stale files are removed
 *
 * and Claude Code's approval of all this. Because of this order, CLAUDE.md never
 * imports a missing file, old or new, wherever a composition is interrupted; the next one
 * completes it. A file that is already right is not written.
 *
 *	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
 *	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;
 *
 *	if (shared_read(root, &shared, err) < 0 ||
 *		compose_group(root, "family", &shared, 0, &composition, err) < 0)
 *		return -1;
 *
 * A group's CLAUDE.md of the older layout, in which it was the memory, becomes part of its
 * CLAUDE.local.md first (migrate.h); otherwise that file is never touched.
 */
#ifndef COMPOSE_COMPOSE_H
#define COMPOSE_COMPOSE_H

#include "base/hash.h"
#include "base/string_array.h"
#include "compose/changes.h"
#include "compose/shared.h"

enum compose_flags {
	COMPOSE_DRY_RUN = 1 << 0, /* change nothing, but report what would change */
};

struct composition {
	struct changes changes;
	struct hash inputs; /* of its sources */
	struct string_array
		warnings; /* about entries of this group that were left out; `shared` has the others */
};

#define COMPOSITION_INIT ((struct composition){0})

void composition_release(struct composition *composition);

/* ERROR_INVALID: its container.json is wrong. */
int compose_group(int root, const char *folder, const struct shared *shared, unsigned flags,
	struct composition *ret_composition, struct error *err);

/* The hash of its current sources. Only reads. */
int compose_inputs(int root, const char *folder, const struct shared *shared,
	struct hash *ret_inputs, struct error *err);

/*
 * The text as the agent will see it: each import with its name above it, and the memory of
 * the group at the end. At most `max` bytes; `*ret_cut` says whether there was more.
 */
int compose_text(int root, const char *folder, const struct shared *shared, size_t max,
	struct buf *ret_text, bool *ret_cut, struct error *err);

#endif
