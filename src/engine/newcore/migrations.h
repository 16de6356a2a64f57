/*
 * migrations.yaml: breaking changes of the core, and the skill that preserves what was before.
 *
 *	- since: 0.6.0
 *	  skill: apple-containers@1.0.0
 *	  description: "Preserves Apple Containers (default changed to Docker in 0.6)"
 *
 *	CLEANUP(migrations_release) struct migrations list = MIGRATIONS_INIT;
 *
 *	migrations_parse(text, "migrations.yaml", &list, &faults);
 *	if (faults_as_error(&faults, err) < 0)
 *		return -1;
 *
 * The file only grows: whoever updates from an older core must find every entry that there
 * ever was.
 */
#ifndef ENGINE_NEWCORE_MIGRATIONS_H
#define ENGINE_NEWCORE_MIGRATIONS_H

#include "engine/newcore/core_source.h"
#include "engine/package/faults.h"

#define MIGRATIONS_NAME "migrations.yaml"
#define MIGRATIONS_MAX  10000

struct migrations {
	struct core_migration *list; /* in the order of the file */
	size_t count;
	size_t cap;
};

#define MIGRATIONS_INIT ((struct migrations){0})

/*
 * All faults go to `faults` with their places; entries with a fault are left out. An empty
 * file has no entries.
 */
void migrations_parse(
	struct view text, const char *name, struct migrations *ret_list, struct faults *faults);

/*
 * Is every entry of `old` in `new`, unchanged and in the same order? What is new may stand
 * anywhere: files that were merged have it in the middle. ERROR_INVALID with the place in
 * `name`, which is the file of `new`.
 */
int migrations_check_appended(const struct migrations *old, const struct migrations *new,
	const char *name, struct error *err);

void core_migration_release(struct core_migration *migration);
void migrations_release(struct migrations *list);

#endif
