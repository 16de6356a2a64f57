/* For the files of this room only. */
#ifndef ENGINE_REPLAY_INTERNAL_H
#define ENGINE_REPLAY_INTERNAL_H

#include "engine/core/base_sums.h"
#include "engine/replay/replay.h"
#include "engine/replay/restage.h"
#include "engine/session/recorded.h"
#include "engine/state/layer.h"

/* --- rebase_contents.c: hashes that something names --------------------------------- */

struct hash_set {
	struct hash *list; /* sorted by hash_set_sort() */
	size_t count;
	size_t cap;
};

void hash_set_add(struct hash_set *set, const struct hash *hash);

/* All hashes in a state, whatever they refer to. */
int hash_set_scan_state(struct hash_set *set, struct state *state, struct error *err);

/* Sort the list, and keep each hash once. hash_set_has() needs this. */
void hash_set_sort(struct hash_set *set);
bool hash_set_has(const struct hash_set *set, const struct hash *hash);
void hash_set_release(struct hash_set *set);

struct rebase_result;

/* --- rebase.c --------------------------------------------------------------------- */

/*
 * rebase_contents.c: from a transaction on top of the session's, copy the contents that the
 * session's state names.
 */
int rebase_take_contents(struct session *s, struct transaction *from, struct error *err);

/* How many bytes of contents come with all that is staged. */
int rebase_count_contents(struct session *s, struct rebase_result *result, struct error *err);

/* Stage that contents go which nothing refers to. The last step, when the state is final. */
int rebase_drop_contents(struct session *s, struct rebase_result *result, struct error *err);

/* Stage that a file goes, and its folder if that is empty then; count its bytes. */
int rebase_drop_file(struct session *s, const struct relpath *path,
	struct rebase_result *result, struct error *err);

/* --- replay_source.c: the sources of a replay ------------------------------------------ */

struct source {
	struct state state;
	char *shown;         /* the file of the state, for messages */
	int kit;             /* the folder with it: .nanoclaw, or one that is like it */
	struct project from; /* the project whose resolutions are used; may be closed */
	int core;            /* the folder with the core */
	bool core_is_base;   /* nothing of it is left out */
	int core_root;       /* the folder that was named for it; or -1 */
	bool own;            /* it is the project's own state */
};

#define SOURCE_INIT                                                                            \
	((struct source){.state = STATE_INIT,                                                  \
		.kit = -1,                                                                     \
		.from = PROJECT_INIT,                                                          \
		.core = -1,                                                                    \
		.core_root = -1})

int source_open(const struct project *project, const struct replay_request *request,
	struct source *ret_source, struct error *err);
void source_release(struct source *source);

/* --- replay_place.c: where it goes ------------------------------------------------ */

struct place {
	struct project project;
	bool made;  /* the folder is new: it goes again after a failure */
	bool dummy; /* of a dry run: some empty folder */
};

#define PLACE_INIT ((struct place){.project = PROJECT_INIT})

/*
 * Open the folder of `request`, or create it. The folder is locked and empty. It must not be
 * inside an installation, inside the core (`project` if the request names no other), or inside
 * a .git or .nanoclaw.
 */
int place_open(const struct project *project, const struct replay_request *request,
	bool dry_run, struct place *ret_place, struct error *err);

/* After a failure, `keep` is false. */
void place_close(struct place *place, bool keep);

/* --- all of them ------------------------------------------------------------------ */

struct replaying {
	struct session *session;
	const struct project *project; /* where the command runs: has the packages */
	struct source *source;
	struct replay_result *result;
	bool in_place;
	bool aside;
	struct restage restage;
	struct recorded recorded;
	struct base_sums core; /* the files of the base */
	/*
	 * Some layers are from v0.1, and do not record their results: the new state does, and
	 * `was` holds the records of the old one.
	 */
	bool incomplete;
	struct recorded was;
	char *failure; /* the layers could not be staged all; why, or NULL */
};

/* The strings are copied; `path` and `note` may be formatted by xasprintf() before. */
void replay_note(struct replaying *r, const char *path, enum replay_why why,
	const char *recorded, const char *got, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/* Is one of the differences fatal? */
bool replay_has_failed(const struct replay_result *result);

/*
 * replay_inputs.c: stage packs, patches, contents and resolutions that the target folder lacks.
 * Missing ones are noted.
 */
int replay_stage_inputs(struct replaying *r, struct error *err);

/*
 * Packages are not part of the core, but tests are in them. Copy them from where the command
 * was given, and from the folder of the core.
 */
int replay_stage_packages(struct replaying *r, struct error *err);

/* replay_source.c: create the base, or open it, and compare it with its record. */
int replay_take_core(struct replaying *r, struct error *err);

/* replay_files.c: when the layers are staged aside: compare, and put into the place. */
int replay_stage_files(struct replaying *r, struct error *err);

#endif
