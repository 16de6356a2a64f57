/* The parts of core_source_open(), for core_source*.c only. */
#ifndef ENGINE_NEWCORE_INTERNAL_H
#define ENGINE_NEWCORE_INTERNAL_H

#include "engine/core/base_sums.h"
#include "engine/core/ignore.h"
#include "engine/newcore/core_lineage.h"
#include "engine/newcore/migrations.h"

/* A source that is being opened. */
struct core_opening {
	const struct project *project;
	const char *typed;
	const char *to;
	const char *old_version;
	bool any_version; /* an older one will do */
	struct core_source *source;
	struct base_sums sums; /* of the base */
	struct core_lineage lineage;
	struct core_tree packages; /* files that are no part of the base; sorted */
	struct migrations migrations;
	struct ignore *ignore; /* what is a person's in the project */
};

/*
 * These fill the source but for what follows from `lineage`, `packages` and `migrations`.
 * `fd` is the folder that was typed, and stays open.
 */
int core_folder_open(struct core_opening *o, int fd, struct error *err);
int core_package_open(struct core_opening *o, int fd, struct error *err);
int core_git_open(struct core_opening *o, struct error *err);

/* Is the folder an update package, or one that holds some? */
int core_package_is(int fd, const char *typed, bool *ret_is, struct error *err);

/* core_source_listing.c: hash what a walk has found, and add it as `path`. */
struct walk_entry;
int core_list_entry(struct core_reader *reader, struct core_tree *tree, size_t folder,
	const struct walk_entry *entry, const char *path, struct error *err);

/* core_source_skills.c: packages and shipped resolutions of a folder with a whole core. */
int core_skills_list(struct core_opening *o, size_t folder, struct error *err);

/*
 * Every file below add/ or modify/ of a package in the project that the package of the same
 * folder in `packages` does not have: as one that has to go.
 */
int core_skills_add_stale(struct core_opening *o, struct error *err);

/* "skills/x" or ".claude/skills/x" at the beginning of a path: its length, or 0. */
size_t core_skills_folder_len(struct view path);

/* Is it in .claude/resolutions? */
bool core_skills_is_resolution(struct view path);

/* Of the newest core: read, and compare with those of the one before. */
int core_migrations_step(struct core_opening *o, const char *where, struct error *err);

/* A text beside the core, such as migration.md; nothing if it is not there. */
int core_read_optional(int fd, const char *name, size_t max, struct buf *ret_text,
	bool *ret_found, struct error *err);

/*
 * Take what is a person's in the project out of a whole core, and note that, and what the rules
 * of the new core have left out already. `own` are these rules, or NULL.
 */
void core_leave_persons(
	struct core_opening *o, const struct ignore *own, struct core_tree *tree);

void core_source_note(struct core_source *source, char *text);

#endif
