/* The parts of release_run(): for release*.c only. */
#ifndef ENGINE_MAINTAIN_INTERNAL_H
#define ENGINE_MAINTAIN_INTERNAL_H

#include "engine/maintain/release.h"
#include "engine/newcore/core_source.h"
#include "engine/package/package.h"
#include "engine/resolution/resolution_key.h"
#include "fs/scratch.h"

/* A file of the update package. */
struct release_file {
	struct relpath path; /* in the project: "updates/A-to-B/files/x" */
	struct tx_file file;
};

struct release {
	struct project *project;
	const struct release_request *request;
	struct release_result *result;
	struct scratch scratch;
	char *core; /* the new one: an absolute path or a git ref; NULL: the project's */
	struct matrix_core old_core, new_core;
	struct project base;       /* the old core and nothing else */
	struct project old;        /* the same with its packages; not initialized */
	struct project new;        /* the new core, with the project's packages */
	bool old_packages;         /* packages of the old version are known */
	bool needs_setup;          /* tests need the setup command (matrix_list.h) */
	struct core_source change; /* from the old core to the new one */
	struct string_array stale; /* skills that do not fit the new core yet */
	struct resolution_skills before, after; /* all packages of both, sorted */
	struct buf guide;
	struct release_file *files; /* of the update package, sorted */
	size_t file_count, file_cap;
};

/* Report a missing item. Takes ownership of both texts; `command` may be NULL. */
void release_missing(struct release *r, enum release_step_id step, char *command, char *what);

/* -1 with errnum EINTR if a signal came: then everything ends. */
int release_interrupted(struct error *err);

/* release_cores.c: find both cores, and bring them into temporary folders. */
int release_open_cores(struct release *r, struct error *err);

/*
 * Is a folder of resolutions with this name only for the update? It then names the new core
 * itself, or both old and new versions of skills: a migration, together with skills that are
 * not updated yet.
 */
bool release_is_for_update(const struct release *r, const char *key);

/* Copy one of the temporary projects, and open the copy. */
int release_copy(struct release *r, const struct project *from, const char *name,
	struct project *ret_project, struct error *err);

/* release_migrations.c */
int release_check_migrations(struct release *r, struct error *err);

/* release_package.c: make the files of the update package, and write it to the project. */
int release_build_package(struct release *r, struct error *err);
int release_write_package(struct release *r, struct error *err);
void release_files_release(struct release *r);

/*
 * release_proof.c: make the update package, and prove that installations can apply it. A package
 * that lacks resolutions is tried, too: the attempt shows which ones are missing.
 */
int release_make_update(struct release *r, struct error *err);

#endif
