/*
 * Builds of an installation's own source, in .nanoclaw/builds, and the switch between them:
 *
 *	NAME/		the programs of a build, and `source`, the list of files that it is made
 *			of; NAME is that of the source (build_source.h). If its tests were
 *			skipped, `untested` is the list of the source that was tested last
 *	first/		the programs that ran before the first rebuild
 *	current		a link to the build that hosts start with
 *	before		a link to the build to go back to
 *	starts		how often the current build was started and did not end well; the file
 *			is gone once the build has proved itself
 *	failed		the name of the build that was taken back last, and the reason
 *	new/, trial/	unfinished work; the next rebuild removes it
 *	lock		held by a rebuild
 *
 * What always holds, also after a crash:
 *
 *  B1. NAME/ is complete: it is filled as new/, synced, and gets its name by one rename.
 *  B2. `current` leads to a complete build, or is not there. It changes by one rename.
 *  B3. When `current` changes, `before` already leads to the last build that has proved itself,
 *	and `starts` is there. If there is no way back, `before` leads to the new build itself.
 *  B4. The builds that `current` and `before` lead to are never removed.
 */
#ifndef BUILDS_BUILDS_H
#define BUILDS_BUILDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "builds/build_source.h"

#define BUILDS_FOLDER  ".nanoclaw/builds"
#define BUILDS_WORK    "build-run" /* where ./run builds, too */
#define BUILDS_PROGRAM "nanoclaw"
#define BUILDS_TRIAL   "trial"

/* A new build that was started so often without success is taken back. */
#define BUILDS_MAX_STARTS 3

struct builds {
	int root; /* the caller's */
	int fd;   /* of the folder; -1: it does not exist */
	int lock;
	char *path; /* of the folder */
};

#define BUILDS_INIT ((struct builds){.root = -1, .fd = -1, .lock = -1})

/*
 * Opens for reading only: `fd` is -1 if the folder does not exist. ERROR_INVALID if other users
 * can write to it.
 */
int builds_open(int root, const char *root_path, struct builds *ret_builds, struct error *err);

/*
 * To change something: the folder is made, locked (ERROR_BUSY), and cleaned of what killed
 * rebuilds have left.
 */
int builds_open_locked(
	int root, const char *root_path, struct builds *ret_builds, struct error *err);
void builds_release(struct builds *builds);

/* The name of a build, to be freed, or NULL. */
char *builds_current(const struct builds *builds);
char *builds_before(const struct builds *builds);

/* The last one that has proved itself: a switch to another build could be taken back to it. */
char *builds_way_back(const struct builds *builds);

bool builds_has(const struct builds *builds, const char *name);

/* The path of the program of a build, to be freed. */
char *builds_program(const struct builds *builds, const char *name);

/*
 * The name of the build that a program belongs to, to be freed; NULL if it belongs to none.
 * `program` is an absolute path without links.
 */
char *builds_name_of(const struct builds *builds, const char *program);

/*
 * Was it tested? `*ret_list` is the list of the source that was tested last: its own, or an
 * earlier one.
 */
bool builds_tested(const struct builds *builds, const char *name, struct buf *ret_list);
int builds_set_tested(const struct builds *builds, const char *name, struct error *err);

/*
 * Unless there is a current build: keep `program`, an absolute path, and the programs beside it
 * as the build `first`, and make it the current one.
 */
int builds_keep_first(const struct builds *builds, const char *program, struct error *err);

/*
 * Make a build from the programs in the work folder: builds_copy() copies them, and
 * builds_add() names the build. `untested` is NULL, or a list for builds_tested().
 */
int builds_copy(const struct builds *builds, const struct build_source *source,
	const struct buf *untested, struct error *err);
int builds_add(const struct builds *builds, const char *name, struct error *err);

/* `one_way`: it is never taken back. */
int builds_switch(
	const struct builds *builds, const char *name, bool one_way, struct error *err);

/*
 * Back to `before`, and record the reason. `*ret_name` is the build that is current then, to
 * be freed; NULL: somebody has removed it, so every program runs by itself again.
 */
int builds_switch_back(
	const struct builds *builds, const char *reason, char **ret_name, struct error *err);

/* Remove all but the current build, the one before, and the newest of the others: three in all. */
int builds_prune(const struct builds *builds, struct error *err);

/* --- starts of the current build ------------------------------------------------- */

/* How often it was started without success; -1 once it has proved itself. */
int builds_starts(const struct builds *builds);

/*
 * This process starts a host, with the current build. The start is counted once, although the
 * process may become another program, and fork, before the host runs.
 */
int builds_count_start(const struct builds *builds, struct error *err);
bool builds_has_counted(const struct builds *builds);

/* The last start was no failure: count from 0. */
int builds_forget_starts(const struct builds *builds, struct error *err);

/* The current build has proved itself. */
int builds_settle(const struct builds *builds, struct error *err);

/* The build that was taken back last, and why; both to be freed, or NULL. */
void builds_failed(const struct builds *builds, char **ret_name, char **ret_reason);

#endif
