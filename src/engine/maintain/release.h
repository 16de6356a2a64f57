/*
 * A new version of the core: everything that has to be there before it is given to people, as
 * a checklist that ends in an update package under updates/A-to-B/.
 *
 *	version		it is newer than the one before
 *	packages	every package of the project is sound, and fits the new core (refresh.h)
 *	alone, pairs,	the test matrix on the new core (matrix_run.h)
 *	stacks
 *	migrations	there is a guide, and each breaking change that it declares has a
 *migration that brings back what was resolutions	those that are shipped are right
 *(resolution_check.h)
 *	update		the package, and the proof: installations of the old version with all
 *			skills take it, and are then what the new core with these skills is
 *
 * One call goes through all of it, so that it names all that is missing, each with what to
 * type. What does not depend on what has failed is looked at all the same.
 *
 * The packages are those of the project. The new core is the project's own (its base, or where
 * it has none, the tree), or any that is named. Everything happens in temporary folders; the
 * results of the matrix are kept in the project, so that a second call is quick, and one that
 * was interrupted goes on. Only the update package is written, in one transaction, and only if
 * nothing is missing.
 */
#ifndef ENGINE_MAINTAIN_RELEASE_H
#define ENGINE_MAINTAIN_RELEASE_H

#include "engine/disk/project.h"
#include "engine/maintain/matrix_run.h"

/* Where a core keeps the guide to what changed, which declares breaking changes. */
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
	RELEASE_MISSING, /* its items say what */
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
	bool unchanged; /* it was there already, as it should be */
	char **notes;   /* what is not looked at, and the like */
	size_t note_count, note_cap;
};

#define RELEASE_RESULT_INIT ((struct release_result){0})

/* Told while it runs; each may be NULL. */
struct release_watcher {
	void *data;
	void (*begun)(enum release_step_id id, void *data);
	void (*ended)(const struct release_step *step, void *data);
};

struct release_request {
	const char *core; /* the new one, as in core_source.h; NULL: the project's */
	const char *to;   /* its version, or NULL: as it says itself */
	/* The one before: a version that is kept or tagged, a folder, a git ref; or NULL. */
	const char *from;
	bool keep_going; /* write the package whatever is missing, if one can be made */
	struct matrix_run_options matrix;
	struct release_watcher watcher;
};

/*
 * -1 if there is nothing to begin with: no old core, no new one. What is missing is a result.
 * The project must not be locked.
 */
int release_run(struct project *project, const struct release_request *request,
	struct release_result *ret_result, struct error *err);

void release_result_release(struct release_result *result);

#endif
