/*
 * A running operation: the project, its base and state, the transaction, and the result.
 */
#ifndef ENGINE_SESSION_SESSION_H
#define ENGINE_SESSION_SESSION_H

#include <stdbool.h>

#include "engine/core/gitindex.h"
#include "engine/disk/ask.h"
#include "engine/disk/command.h"
#include "engine/disk/project.h"
#include "engine/disk/stat_index.h"
#include "engine/disk/transaction.h"
#include "engine/package/pack.h"
#include "engine/resolution/resolution_meta.h"
#include "engine/resolution/rr_cache.h"
#include "engine/session/result.h"
#include "engine/state/state.h"

#define DEFAULT_TEST_SECONDS 120
#define BASE_FOLDER          ".nanoclaw/base"

/* What to do about changes that are not recorded. */
enum on_drift {
	ON_DRIFT_ASK,
	ON_DRIFT_RECORD,
	ON_DRIFT_CONTINUE,
	ON_DRIFT_ABORT,
};

/* Files rewritten by the resolver after a failed test (resolve.h). */
struct override {
	struct relpath path;
	char *skill;
	struct buf content;
};

struct overrides {
	struct override *list;
	size_t count;
	size_t cap;
};

struct operation_options {
	const char *resolver;              /* a command that resolves conflicts, or NULL */
	const struct overrides *overrides; /* or NULL */
	const char
		*source; /* where the package came from, if that is not its folder; or NULL */
	enum on_drift on_drift;
	const char *customize; /* open a session for changes to the skill afterwards; or NULL */
	bool dry_run;
	bool no_test;
	bool test_new; /* only the tests of the skills that it applies */
	bool no_install;
	bool allow_commands;        /* run the commands of packages without asking */
	bool allow_older_core;      /* than the one that a skill was written for */
	bool allow_conflicts;       /* skills that declare a conflict with each other */
	bool ancestor_is_base;      /* accept the present base where the right one is lost */
	bool flattened;             /* also remove skills that a rebase has flattened */
	bool live;                  /* commands write to the terminal */
	command_progress *progress; /* instead of that, it is told what runs; or NULL */
	bool rebase; /* after an update of the core: flatten all of it (rebase.h) */
	unsigned test_seconds;
	struct ask ask;
};

/* What to learn from a resolved conflict (lesson.h). */
struct lesson {
	struct relpath path;
	char *skill;
	char *version;
	char *source; /* "user", "claude" or "maintainer" */
	bool known;   /* it is recorded here already */
	struct resolution_inputs inputs;
	struct hash output;
	/* The skills involved, in their versions at the time of the conflict: a continued update
	 * has newer ones. */
	struct resolution_skills about;
};

void lesson_release(struct lesson *lesson);

/* A merged file, for a resolver that must find the cause of a failing test. */
struct merge_note {
	struct relpath path;
	char *skill;
	char *version;
	bool has_base;
	struct buf base;
	struct buf ours;
	struct buf theirs;
	struct buf merged;
	mode_t mode;
};

/* A folder with recorded resolutions: `path` below the open folder `root`. */
struct session_store {
	int root;
	const char *path;
};

#define SESSION_STORES 4

/* The files of an applied skill, with the hash of each: read once (origin.h). */
struct session_pack {
	char *skill;
	struct pack pack;
	struct hash *hashes; /* of its entries */
};

struct session {
	const struct project *project;
	const struct operation_options *options;
	struct operation_result *result;
	struct transaction *tx;
	struct state state;
	bool found_state;          /* the project was initialized before */
	int base;                  /* the open base folder, which may still be staged */
	bool core_is_tree;         /* there is no base, and the tree stands in for it (below) */
	bool version_assumed;      /* no file states the version of the core */
	bool continued;            /* goes on after a pause */
	bool dependencies_changed; /* in package.json, so they must be installed */
	bool undoing;              /* files must end up as before, whatever an install does */
	bool untested;             /* the tree does not change: no test is run */
	bool only_tests;           /* of the skills: their other commands are not run again */
	struct drift_list drift;   /* files that were not as recorded when it began */
	bool drift_found;          /* they have been looked for */
	bool drift_left;           /* and are not to be recorded */
	struct gitindex *git;      /* what git tracks; read when it is first asked for */
	struct stat_index *copied; /* of a base that this operation creates; or NULL */
	/* The entry of the skill that is being staged (layer.h), until it is recorded. */
	struct yaml_node *layer;
	const struct manifest *manifest; /* of that skill, or of one that is checked */
	struct lesson *lessons;          /* of conflicts that were resolved in this operation */
	size_t lesson_count, lesson_cap;
	struct merge_note *merges; /* only if there is a resolver */
	size_t merge_count, merge_cap;
	struct rr_writes git_writes; /* for git's own rr-cache, after the commit */
	struct session_pack *packs;  /* read when they are first asked for */
	size_t pack_count, pack_cap;
	struct rr_cache *rr_cache;       /* opened when it is first asked for */
	struct resolutions *resolutions; /* the shared cache (resolutions.h); the same */
	void (*resolutions_free)(struct resolutions *resolutions);
	const struct state *restaged; /* all layers of this state are staged again; or NULL */
	struct session_store stores[SESSION_STORES]; /* more recorded resolutions */
	size_t store_count;
	bool base_staged; /* another base replaces the one on disk */
	/* Of an update of the core (core_update.h), or of a refresh (refresh.h); or NULL. */
	struct yaml_doc *notes;
	char *const *shipped; /* folders with resolutions, to be asked first */
	size_t shipped_count;
};

/*
 * Begin: read the state, or make one for a project that has none. The
 * project must be locked, and recovered. `core_version` may be NULL.
 */
int session_open(struct session *ret_session, const struct project *project,
	const char *operation, const char *core_version,
	const struct operation_options *options, struct operation_result *result,
	struct error *err);

/* Open the base, or create it, which is the first thing written. */
int session_open_base(struct session *s, struct error *err);

/*
 * The same for an operation that does not initialize a project: without a base, the tree itself
 * stands in for it, except for files that ignore.h excludes.
 */
int session_open_core(struct session *s, struct error *err);

/*
 * Stage a base that is a copy of the core in the open folder `core`; with `whole`, `core` is a
 * base itself. `ret_sums`, which may be NULL, lists its contents.
 */
struct base_sums;
int session_take_base(
	struct session *s, int core, bool whole, struct base_sums *ret_sums, struct error *err);

void session_warn(struct session *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void session_note_file(struct session *s, const struct relpath *path, const char *skill,
	enum file_outcome outcome);

void session_note_rename(struct session *s, const struct relpath *from,
	const struct relpath *to, const char *skill);

/* The result owns it from then on. */
void session_add_conflict(struct session *s, struct conflict conflict);

/* Call this when the skill's pack has been replaced. */
void session_forget_pack(struct session *s, const char *skill);

/* After the commit: files that were copied into the base need not be read once more. */
void session_save_index(struct session *s);

/* The store of resolved conflicts (rr_cache.h). */
const struct rr_cache *session_rr_cache(struct session *s);

/* A file of the base, which may be staged; TX_ABSENT if it has none. */
int session_read_base(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err);

/* When a file is removed: folders that the core does not have go with their last file. */
int session_prune_above(struct session *s, const struct relpath *path, struct error *err);

/* Where a file of the base is in the project. */
int session_base_path(const struct relpath *path, struct relpath *ret_full, struct error *err);

/*
 * Is the base of this file, which this very operation has taken, other than what
 * git has? Then it holds edits that are no part of the core.
 */
bool session_base_is_edited(struct session *s, const struct relpath *path, struct view content);

/* Was a change of the person's to this file left unrecorded, under this name or an earlier one?
 */
bool session_has_drift(const struct session *s, const struct relpath *path);

/* In an update of the core: does the update apply this skill to preserve old behavior? */
bool session_is_migration(const struct session *s, const char *skill);

/* Stage state.yaml. */
int session_put_state(struct session *s, struct error *err);

void session_release(struct session *s);

#endif
