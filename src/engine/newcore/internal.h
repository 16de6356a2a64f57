/* How core_source_open() works, for core_source*.c and core_lineage.c only. */
#ifndef ENGINE_NEWCORE_INTERNAL_H
#define ENGINE_NEWCORE_INTERNAL_H

#include "engine/core/base_sums.h"
#include "engine/core/ignore.h"
#include "engine/newcore/core_ops.h"
#include "engine/newcore/core_reader.h"

struct core_request;
struct core_source;
struct migrations;

/*
 * A source that is being opened. `source->files` is the newest core so far, at first the base.
 * Each step of a source replaces it (core_lineage_step()).
 */
struct core_opening {
	const struct core_request *request;
	struct core_source *source;
	struct base_sums sums; /* of the base */
	struct ignore *ignore; /* which files of the project are a person's */
};

/* These fill the source. `fd` is the folder that was typed, and stays open. */
int core_folder_open(struct core_opening *o, int fd, struct error *err);
int core_package_open(struct core_opening *o, int fd, struct error *err);
int core_git_open(struct core_opening *o, struct error *err);

/* Is the folder an update package, or one that holds some? */
int core_package_is(int fd, const char *typed, bool *ret_is, struct error *err);

/* --- core_lineage.c: from one core to the next ------------------------------------------ */

/*
 * Make `after`, which is sorted, the newest core, and update `source->remap`. `from` of its
 * files is a name in the previous core, or empty; in that case `map`, or else the content, is
 * used to find it. Afterwards `from` is the name in the base, however many steps back, and
 * `found` is true if any of the steps was found by content.
 *
 * A path in `map` must lead to a file of `after` or of `source->packages`, and must not be one
 * itself: otherwise ERROR_INVALID with its place in `name`.
 */
int core_lineage_step(struct core_source *source, struct core_tree *after,
	const struct core_map *map, const char *name, struct error *err);

/* Files of a whole new core come from those of the same name. */
void core_lineage_match(const struct core_source *source, struct core_tree *after);

/* --- core_source_skills.c: packages and shipped resolutions ----------------------------- */

/* List the packages in a folder with a whole core. */
int core_skills_list(struct core_opening *o, size_t folder, struct error *err);

/*
 * Add files below add/ or modify/ of a package in the project that the package of the same
 * folder in the new core does not have, as files to delete.
 */
int core_skills_add_stale(struct core_opening *o, struct error *err);

/* Add a file to delete. */
void core_skills_add_deleted(struct core_tree *packages, struct relpath *path);

/* Is it in .claude/resolutions? */
bool core_skills_is_resolution(struct view path);

/* --- core_source.c ----------------------------------------------------------------------- */

/* Read the migrations of the newest core, and compare them with the previous core's. */
int core_migrations_step(struct core_opening *o, const char *where, struct error *err);

/* Use `list`, which gets the earlier ones. */
void core_migrations_swap(struct core_source *source, struct migrations *list);

/* What a whole core declares beside itself: old names of files, and a guide to the update. */
#define CORE_META_REMAP ".nanoclaw-meta/path_remap.yaml"
#define CORE_META_GUIDE ".nanoclaw-meta/migration.md"

/* Read a text beside the core, such as migration.md; nothing if it does not exist. */
int core_read_optional(int fd, const char *name, size_t max, struct buf *ret_text,
	bool *ret_found, struct error *err);

/*
 * Drop the files of a whole core that belong to a person in the project. Note them, and the
 * files that the new core's own ignore rules (`own`, or NULL) already excluded.
 */
void core_leave_persons(
	struct core_opening *o, const struct ignore *own, struct core_tree *tree);

#endif
