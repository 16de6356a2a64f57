/*
 * Migrates the older layout, in which CLAUDE.md was the memory of a group:
 *
 *	groups/F/CLAUDE.md		-> groups/F/CLAUDE.local.md, after its content
 *	groups/F/.claude-global.md	a link: removed
 *	groups/global/CLAUDE.md		-> the end of container/CLAUDE.md, without the text that
 *					   it shipped with (stub.h)
 *	groups/global/			removed; anything else in it is kept as
 *					   groups/global.kept-N
 *
 * A moved text disappears from its old place, so a second migration has nothing to do. A crash
 * leaves a text in its old place, in its new one, or in both; if it is in both, the migration
 * does not add it again. The memory under data/sessions stays where it is.
 */
#ifndef COMPOSE_MIGRATE_H
#define COMPOSE_MIGRATE_H

#include "compose/changes.h"
#include "compose/folder.h"

/*
 * Migrates a group that has never been composed. Later, an edited CLAUDE.md is not its memory,
 * and the composition moves it aside.
 */
int migrate_group(struct folder *group, struct error *err);

/* groups/global, with the base in its place (defaults.h). */
int migrate_global(int root, bool dry_run, struct changes *changes, struct error *err);

#endif
