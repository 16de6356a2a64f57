/*
 * A new core, wherever it comes from, to update the project to:
 *
 *	updates/0.5.0-to-0.6.0/	an update package: `files/` has the files that are new or
 *				changed, `file_ops` and `path_remap` (a file of that name, with
 *				or without `.yaml`) what was renamed, moved and deleted,
 *				`resolutions/` and `migration.md` what helps with conflicts.
 *				One package leads on to the next, as far as `to`
 *	a folder		with the whole new core. What is core in it is decided as in
 *				any project (ignore.h); `.nanoclaw-meta/path_remap.yaml` and
 *				`.nanoclaw-meta/migration.md` are read if they are there. A
 *				base file that is missing is deleted
 *	a git ref		of the project's own repository: the same, read from git
 *
 *	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
 *
 *	if (core_source_open(s->project, s->base, typed, to, old_version, &source, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < source.file_count; i++)
 *		core_source_read(&source, &source.files[i], &file, err) …
 *
 * Whatever it is, it is told here as one whole core: all files that there will be in the new
 * base, with their hashes, and what happened to names on the way. Opening reads; nothing is
 * written, not even a temporary file. Other people's files: read below their folder only, never
 * through a link, with a limit on their size; no path leads out of the project, through a link,
 * or into .git, .nanoclaw or .env. Every fault is ERROR_INVALID with its place.
 */
#ifndef ENGINE_NEWCORE_CORE_SOURCE_H
#define ENGINE_NEWCORE_CORE_SOURCE_H

#include "engine/disk/project.h"
#include "engine/disk/tx_file.h"
#include "format/yaml.h"
#include "fs/relpath.h"

enum core_source_kind {
	CORE_SOURCE_PACKAGE,
	CORE_SOURCE_FOLDER,
	CORE_SOURCE_GIT,
};

/* A file of the new core, and how it differs from the base. */
enum core_change {
	CORE_SAME,    /* as in the base, under the same name */
	CORE_ADDED,   /* the base has no file that it was made of */
	CORE_CHANGED, /* other content, permissions or kind; also if it was renamed */
	CORE_MOVED,   /* renamed, and otherwise the same */
};

struct core_file {
	struct relpath path;
	struct relpath from; /* its name in the base: `path`, or an older one; empty if added */
	struct layer_file file;
	enum core_change change;
	bool found;   /* `from` is another name, and was found by content */
	size_t place; /* where core_source_read() finds it */
};

/* A name that a file had, and the one that it has in the new core. */
struct core_rename {
	struct relpath from;
	struct relpath to;
	bool found; /* by its content, and not declared */
};

/* migrations.yaml of the new core. */
struct core_migration {
	char *since;
	char *skill;       /* name of a skill, or of its folder */
	char *version;     /* the one that is named, or NULL */
	char *description; /* "" if there is none */
	struct yaml_place at;
};

struct core_source {
	enum core_source_kind kind;
	char *shown;   /* as it can be named in a message */
	char *version; /* of the new core */
	bool version_known;
	struct core_file *files; /* the whole new core; sorted by path */
	size_t file_count, file_cap;
	struct relpath *deleted; /* names in the base that have no file any more; sorted */
	size_t deleted_count, deleted_cap;
	/*
	 * Names of base files that have another one now, sorted by the old name. They change
	 * all at once: `a` to `b` and `b` to `c` are two files.
	 */
	struct core_rename *renames;
	size_t rename_count, rename_cap;
	/*
	 * All old names that a package may know, and what they are now: the renames, the names
	 * in between, and what path_remap says. Sorted by the old name. No new name is an old
	 * one, and no old name is one of a file in `files`.
	 */
	struct core_rename *remap;
	size_t remap_count, remap_cap;
	struct core_migration *migrations; /* in the order of the file */
	size_t migration_count, migration_cap;
	/*
	 * Files of skill packages and shipped resolutions in the new core, which are no part
	 * of the base; sorted by path. `change` and `from` are against the project's tree. One
	 * whose `file.kind` is TX_ABSENT has to go: it is below add/ or modify/ of a package
	 * that the new core has without it.
	 */
	struct core_file *packages;
	size_t package_count, package_cap;
	struct buf guide; /* migration.md, of several packages one after the other; or empty */
	/* Absolute paths of folders with shipped resolutions, the newest first. With a git ref
	 * there are none: what it has is in `packages`. */
	char **resolutions;
	size_t resolution_count, resolution_cap;
	size_t commits; /* of a git ref: how many lie between; 0 if that is not known */
	char **notes;   /* what a person should know: submodules that are left out */
	size_t note_count, note_cap;
	struct core_reader *reader;
};

#define CORE_SOURCE_INIT ((struct core_source){.guide = BUF_INIT})

/*
 * `base` is the open base folder, `old_version` the version of its core. `typed` is what a
 * person named; `to`, which may be NULL, is the version of the new core, and with packages how
 * far to go. A package that does not begin at `old_version`, and a gap between packages, is
 * ERROR_INVALID; so is a new core that is older.
 */
int core_source_open(const struct project *project, int base, const char *typed, const char *to,
	const char *old_version, struct core_source *ret_source, struct error *err);

/* The same, and an older core is fine: to compare with it, and not to update to it. */
int core_source_look(const struct project *project, int base, const char *typed, const char *to,
	const char *old_version, struct core_source *ret_source, struct error *err);

/* `file` is one of `files` or `packages`. What it is now must be what it was when it was
 * opened. */
int core_source_read(const struct core_source *source, const struct core_file *file,
	struct tx_file *ret_file, struct error *err);

/* One hash for all files of the new core, with their names and kinds. */
struct hash core_source_hash(const struct core_source *source);

/* NULL if the new core has no such file. */
const struct core_file *core_source_find(
	const struct core_source *source, const struct relpath *path);

void core_source_release(struct core_source *source);

#endif
