/*
 * migrations.yaml: breaking changes of the core, each with the skill that preserves the old
 * behavior.
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
 * Entries are only ever added: an update from an older core must find all of them.
 */
#ifndef ENGINE_NEWCORE_MIGRATIONS_H
#define ENGINE_NEWCORE_MIGRATIONS_H

#include "engine/package/faults.h"
#include "format/yaml.h"

#define MIGRATIONS_NAME "migrations.yaml"
#define MIGRATIONS_MAX  10000

struct core_migration {
	char *since;
	char *skill;       /* name of a skill, or of its folder */
	char *version;     /* if one is named, or NULL */
	char *description; /* "" if not given */
	struct yaml_place at;
};

struct migrations {
	struct core_migration *list; /* in the order of the file */
	size_t count;
	size_t cap;
};

#define MIGRATIONS_INIT ((struct migrations){0})

/*
 * All faults go to `faults` with their places; an entry with a fault is skipped. An empty
 * file has no entries.
 */
void migrations_parse(
	struct view text, const char *name, struct migrations *ret_list, struct faults *faults);

/*
 * Is every entry of `old` in `new`, unchanged and in the same order? New entries may stand
 * anywhere: in merged files they are in the middle. ERROR_INVALID with the place in `name`,
 * the file of `new`.
 */
int migrations_check_appended(const struct migrations *old, const struct migrations *new,
	const char *name, struct error *err);

void migrations_release(struct migrations *list);

#endif
