/*
 * Checks a new version of the core before it is released, and writes its update package to
 * updates/A-to-B/.
 *
 *	version		it is newer than the previous one
 *	packages	every package of the project is sound, and fits the new core (refresh.h)
 *	alone, pairs,	the test matrix on the new core (matrix_run.h)
 *	stacks
 *	migrations	there is a guide, and each breaking change that it declares has a
 *			migration that brings back the old behaviour
 *	resolutions	the shipped ones are right (resolution_check.h)
 *	update		the package, and the proof: installations of the old version with all
 *			skills can update, and then equal the new core with these skills
 *
 * One call runs all steps and names everything that is missing, each with the command to run.
 * After a failure, the steps that do not depend on it still run.
 *
 * The packages are the project's. The new core is the project's own (its base, or without one
 * the tree), or a named one. Everything happens in temporary folders; the results of the matrix
 * are kept in the project, so that a second call is quick, and an interrupted one continues.
 * Only the update package is written, in one transaction, and only if nothing is missing.
 */
#ifndef ENGINE_MAINTAIN_RELEASE_H
#define ENGINE_MAINTAIN_RELEASE_H

#include "engine/disk/project.h"
#include "engine/maintain/matrix_run.h"

/* The guide to what changed in a core, which declares breaking changes. */
#define RELEASE_GUIDE ".nanoclaw-meta/migration.md"

#define RELEASE_OPERATION "release"

enum release_step_id {
	RELEASE_VERSION,
	RELEASE_PACKAGES,
	RELEASE_ALONE,
	RELEASE_PAIRS,
	RELEASE_STACKS,
	RELEASE_MIGRATIONS,
	RELEASE_RESOLUTIONS,
	RELEASE_UPDATE,
	RELEASE_STEPS,
};

extern const char *const release_step_names[];

enum release_state {
	RELEASE_NOT_REACHED,
	RELEASE_OK,
	RELEASE_MISSING, /* see `items` */
};

struct release_item {
	char *what;
	char *command; /* what to type, or to do; or NULL */
};

struct release_step {
	enum release_step_id id;
	enum release_state state;
	char *summary; /* or NULL */
	struct release_item *items;
	size_t count, cap;
};

struct release_result {
	char *from;
	char *to;
	struct release_step steps[RELEASE_STEPS];
	bool ready;
	char *package; /* "updates/0.5.0-to-0.6.0" */
	bool written;
	bool unchanged;            /* it was there already, with the same content */
	struct string_array notes; /* omissions and other remarks */
};

#define RELEASE_RESULT_INIT ((struct release_result){0})

/* Called while it runs; each may be NULL. */
struct release_watcher {
	void *data;
	void (*begun)(enum release_step_id id, void *data);
	void (*ended)(const struct release_step *step, void *data);
};

struct release_request {
	const char *core; /* the new one, as in core_source.h; NULL: the project's */
	const char *to;   /* its version; NULL: the one that the core states */
	/* The one before: a version that is kept or tagged, a folder, a git ref; or NULL. */
	const char *from;
	bool keep_going; /* write the package although something is missing */
	struct matrix_run_options matrix;
	struct release_watcher watcher;
};

/*
 * -1 if there is no old or no new core; anything else that is missing is a result. The project
 * must not be locked.
 */
int release_run(struct project *project, const struct release_request *request,
	struct release_result *ret_result, struct error *err);

void release_result_release(struct release_result *result);

#endif
