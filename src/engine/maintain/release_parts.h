/*
 * The parts of release_run(): for release*.c only.
 */
#ifndef ENGINE_MAINTAIN_RELEASE_PARTS_H
#define ENGINE_MAINTAIN_RELEASE_PARTS_H

#include "engine/maintain/release.h"
#include "engine/newcore/core_source.h"
#include "engine/newcore/core_tree.h"
#include "engine/package/package.h"
#include "engine/resolution/resolution_key.h"
#include "util/scratch.h"

/* A file of the update package. */
struct release_file {
	struct relpath path; /* below updates/A-to-B */
	struct buf content;
	mode_t mode;
};

struct release_files {
	struct release_file *list;
	size_t count, cap;
};

struct release {
	struct project *project;
	const struct release_request *request;
	struct release_result *result;
	struct scratch scratch;
	char *core; /* the new one, as it is named from anywhere; or NULL */
	struct matrix_core old_core, new_core;
	struct project base; /* the old core and nothing else */
	struct project old;  /* the same with its packages; not initialized */
	struct project new;  /* the new one, with those of the project */
	bool old_packages;   /* packages of the old version are known */
	bool needs_setup;    /* tests need more than what is in the core (matrix_list.h) */
	struct core_source change;              /* from the one to the other */
	struct string_array stale;              /* skills that do not fit the new core yet */
	struct resolution_skills before, after; /* all packages of both, sorted */
	struct buf guide;
	struct release_files files;
	struct error *err;
};

void release_missing(struct release *r, enum release_step_id step, char *command,
	const char *format, ...) __attribute__((format(printf, 4, 5)));
void release_summary(struct release *r, enum release_step_id step, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void release_note(struct release *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* -1 with errnum EINTR if a signal came: then all of it ends. */
int release_interrupted(struct error *err);

/* Does it lie between the two versions? */
bool release_is_new_since(const struct release *r, const char *since);

/* release_cores.c: find both cores, and bring them into temporary folders. */
int release_open_cores(struct release *r);

/*
 * Is a folder of resolutions of that name for nothing but the update? It is about the new core
 * itself, or about skills of which some are from before and some from after it: a migration,
 * beside what is not updated yet.
 */
bool release_is_for_update(const struct release *r, const char *key);

/* Copy a folder of the temporary ones, with all that is in it, and open it. */
int release_copy(struct release *r, const struct project *from, const char *name,
	struct project *ret_project, struct error *err);

/* release_migrations.c */
int release_check_migrations(struct release *r);

/* release_package.c: what the update package has, in `files`. */
int release_build_package(struct release *r);
void release_files_release(struct release_files *files);

/* Write it to a temporary folder; returns its path, to be freed. */
char *release_put_package(struct release *r, struct error *err);

/* Write it to the project. */
int release_write_package(struct release *r);

/* release_proof.c: installations take it. */
int release_prove(struct release *r, const char *package);

#endif
