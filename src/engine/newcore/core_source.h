/*
 * A new core to update the project to. It comes from one of these sources:
 *
 *	updates/0.5.0-to-0.6.0/	an update package: `files/` has the files that are new or
 *				changed, `file_ops` and `path_remap` (a file of that name, with
 *				or without `.yaml`) the renames, moves and deletions;
 *				`resolutions/` and `migration.md` help with conflicts. One
 *				package leads to the next, as far as `to`
 *	a folder		with the whole new core. ignore.h decides what is core in it,
 *				as in any project; `.nanoclaw-meta/path_remap.yaml` and
 *				`.nanoclaw-meta/migration.md` are read if they exist. A base
 *				file that is missing is deleted
 *	a git ref		of the project's own repository: the same, read from git
 *
 *	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
 *
 *	if (core_source_open(&request, &source, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < source.files.count; i++)
 *		core_source_read(&source, &source.files.list[i], &file, err) …
 *
 * Every kind of source becomes one whole core: all files of the new base with their hashes, and
 * all renames on the way. Opening only reads: not even a temporary file is written. These are
 * other people's files, so they are read below their folder only, never through a link, with a
 * limit on their size; no path leads out of the project, through a link, or into .git,
 * .nanoclaw or .env. Every fault is ERROR_INVALID with its place.
 */
#ifndef ENGINE_NEWCORE_CORE_SOURCE_H
#define ENGINE_NEWCORE_CORE_SOURCE_H

#include "base/string_array.h"
#include "engine/disk/project.h"
#include "engine/newcore/core_tree.h"
#include "engine/newcore/migrations.h"

enum core_source_kind {
	CORE_SOURCE_PACKAGE,
	CORE_SOURCE_FOLDER,
	CORE_SOURCE_GIT,
};

struct core_source {
	enum core_source_kind kind;
	char *shown;   /* as it can be named in a message */
	char *version; /* of the new core */
	bool version_known;
	struct core_tree files;  /* the whole new core */
	struct relpath *deleted; /* files of the base that the new core does not have; sorted */
	size_t deleted_count, deleted_cap;
	/*
	 * Renamed files of the base. They change all at once: `a` to `b` and `b` to `c` are two
	 * files.
	 */
	struct core_moves renames;
	/*
	 * All old names that a package may know: the renames, the names in between, and those
	 * in path_remap. No new name is an old one, and no old name is one of a file in `files`.
	 */
	struct core_moves remap;
	struct migrations migrations; /* migrations.yaml of the new core */
	/*
	 * Files of skill packages and shipped resolutions in the new core, which are not part of
	 * the base. `change` and `from` are against the project's tree. A file whose `file.kind`
	 * is TX_ABSENT is deleted: it is below add/ or modify/ of a package that the new core has
	 * without it.
	 */
	struct core_tree packages;
	struct buf guide; /* migration.md, of several packages one after the other; or empty */
	/* Absolute paths of folders with shipped resolutions, the newest first. A git ref has
	 * none: its resolutions are in `packages`. */
	struct string_array resolutions;
	size_t commits;            /* of a git ref: commits in between; 0 if unknown */
	struct string_array notes; /* warnings for the person, as about submodules */
	struct core_reader *reader;
};

#define CORE_SOURCE_INIT ((struct core_source){.guide = BUF_INIT})

struct core_request {
	const struct project *project;
	int base;                /* the open base folder */
	const char *old_version; /* of its core */
	const char *typed;       /* what a person named */
	const char *to;          /* version of the new core; how far packages go; or NULL */
	bool any_version;        /* to compare, not to update: the core may be an older one */
};

/*
 * A package that does not begin at `old_version`, and a gap between packages, is
 * ERROR_INVALID; so is an older core.
 */
int core_source_open(
	const struct core_request *request, struct core_source *ret_source, struct error *err);

/* `file` is one of `files` or `packages`. It must not have changed since the source was
 * opened. */
int core_source_read(const struct core_source *source, const struct core_file *file,
	struct tx_file *ret_file, struct error *err);

/* One hash for all files of the new core, with their names and kinds. */
struct hash core_source_hash(const struct core_source *source);

/* NULL if the new core has no such file. */
const struct core_file *core_source_find(
	const struct core_source *source, const struct relpath *path);

/* "skills/x" or ".claude/skills/x" at the beginning of a path: its length, or 0. */
size_t core_skills_folder_len(struct view path);

void core_source_release(struct core_source *source);

#endif
