/*
 * For the files of this room only.
 */
#ifndef ENGINE_DOCTOR_INTERNAL_H
#define ENGINE_DOCTOR_INTERNAL_H

#include "base/hash.h"
#include "engine/core/base_sums.h"
#include "engine/disk/history.h"
#include "engine/doctor/rebuild.h"
#include "engine/package/pack.h"
#include "engine/package/package.h"
#include "engine/patch/patch.h"
#include "engine/session/session.h"

#define APPLIED_FOLDER ".nanoclaw/applied"

/* --- contents by their hash: rebuild_contents.c ---------------------------------------- */

/* In a file of the project, or, if `path` is NULL, in memory. */
struct rebuild_content {
	struct hash hash;
	char *path;
	struct buf memory;
};

struct rebuild_contents {
	struct rebuild_content *list;
	size_t count, cap;
	bool sorted;
};

/* Versions of a file, the newest first. */
struct rebuild_versions {
	struct buf *list;
	size_t count, cap;
};

/* An operation of the history. */
struct rebuild_operation {
	struct history_entry entry;
	struct journal journal;
};

struct rebuild_past {
	struct rebuild_operation *list; /* the oldest first */
	size_t count, cap;
	struct string_array broken; /* the folders of entries that cannot be undone */
};

/* --- the parts of the record ---------------------------------------------------------------- */

struct rebuild_file {
	char *path;
	struct tx_file file;
	bool absorbed; /* it contains the changes of skills, and keeps them */
};

struct rebuild_files {
	struct rebuild_file *list; /* sorted by path */
	size_t count, cap;
};

struct rebuild_skill {
	struct pack pack; /* with the manifest */
	struct manifest manifest;
	struct yaml_node *old; /* its entry in the former state, or NULL */
	size_t rank;           /* in the order that notes list; SIZE_MAX if unknown */
	char *left_out;        /* why, or NULL */
};

struct rebuild_patch {
	char *name;
	char *description;
	char *skill; /* the patch is tied to it; or NULL */
	char *after; /* the last skill below it, or NULL */
	struct buf text;
	struct patch parsed;         /* empty if `fault` is set */
	char *fault;                 /* why the text cannot be used, or NULL */
	struct buf note;             /* the file for people, or empty */
	const struct yaml_node *old; /* its entry in the former state, or NULL */
	char *left_out;              /* why, or NULL */
};

struct rebuild {
	const struct project *project;
	struct rebuild_report *report;
	struct error unreadable;  /* the first one: rebuild_judge() */
	struct transaction *look; /* dry: to read through */
	struct state state;       /* the former one, if it can be read */
	bool has_state;
	/*
	 * If the former state is lost: an earlier one. Its entries still hold for unchanged
	 * layers.
	 */
	struct state older;
	bool has_older;
	bool older_committed; /* it is from git: what happened after it is unknown */
	struct rebuild_past past;
	struct base_sums sums;
	bool has_sums;
	char *core_version;
	struct rebuild_contents contents;
	struct package_list packages;
	struct rebuild_files base;
	struct rebuild_skill *skills; /* in their order */
	size_t skill_count, skill_cap;
	struct rebuild_patch *patches; /* the same */
	size_t patch_count, patch_cap;
	struct string_array discarded; /* files of discarded patches, which stay */
	/* Renames by skills and patches, in their order: from, to, from, to ... */
	struct string_array renames;
};

void rebuild_release(struct rebuild *r);

void rebuild_note(struct rebuild *r, enum rebuild_certainty certainty, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * After a failed read or merge. A file that is absent or malformed is lost, and something else
 * takes its place. A file that cannot be read now (an I/O error, no permission) may be intact: the
 * first such error is kept in `unreadable`, and then nothing is written. `failed` is cleared.
 */
void rebuild_judge(struct rebuild *r, struct error *failed);
/* The same for errno, after a system call about `path`. */
void rebuild_judge_errno(struct rebuild *r, const char *path);
/* Fails with the error in `unreadable`, if there is one. */
int rebuild_check_readable(struct rebuild *r, struct error *err);

/* A file of the project; absent also if it cannot be read. */
void rebuild_read(struct rebuild *r, const char *path, struct tx_file *ret_file);
void rebuild_read_at(
	struct rebuild *r, const char *folder, const char *path, struct tx_file *ret_file);

/*
 * The names in a folder of the project, sorted, without hidden ones; empty if it does not
 * exist.
 */
void rebuild_list(struct rebuild *r, const char *folder, struct string_array *ret_names);

/* Every file of the tree, the base, packs, packages and objects. */
int rebuild_contents_collect(struct rebuild *r, struct error *err);
void rebuild_contents_add(struct rebuild *r, struct view content);
bool rebuild_contents_find(struct rebuild *r, const struct hash *hash, struct buf *ret_content);
void rebuild_contents_release(struct rebuild_contents *contents);

/* --- git: rebuild_git.c ------------------------------------------------------------------ */

void rebuild_git_versions(
	struct rebuild *r, const char *path, struct rebuild_versions *ret_versions);
void rebuild_versions_add(struct rebuild_versions *versions, struct view content);
void rebuild_versions_release(struct rebuild_versions *versions);

/* The files of HEAD, or only the executable ones. */
void rebuild_git_paths(struct rebuild *r, bool executable, struct string_array *ret_paths);

/* --- the history: rebuild_history.c ------------------------------------------------------ */

void rebuild_past_load(struct rebuild *r);
/* The hash of the state that the last operation has left. */
bool rebuild_past_state_hash(const struct rebuild_past *past, struct hash *ret_hash);
void rebuild_past_release(struct rebuild_past *past);

/* A path as it was before each operation that changed it, the oldest first. */
void rebuild_history_versions(
	struct rebuild *r, const char *path, struct rebuild_versions *ret_versions);

/* The state that the last operation has left, found by its hash. */
bool rebuild_history_state(struct rebuild *r, struct state *ret_state);

/* The newest state before that. `*ret_where` says where it was found. */
bool rebuild_history_older(struct rebuild *r, struct state *ret_state, const char **ret_where);

/* The position of a skill in the order of `older` and the last operation, or SIZE_MAX. */
size_t rebuild_history_rank(const struct rebuild *r, const char *skill);

/* How the last operation that touched the skill's pack changed it, or NULL. */
const struct change *rebuild_history_pack(const struct rebuild *r, const char *skill);

/* All skills whose packs were added or removed; some more than once. */
void rebuild_history_skills(const struct rebuild *r, struct string_array *ret_skills);

/* --- layers: rebuild_skills.c, rebuild_patches.c --------------------------------- */

int rebuild_find_skills(struct rebuild *r, struct error *err);
struct rebuild_skill *rebuild_skill_find(const struct rebuild *r, const char *name);
int rebuild_find_patches(struct rebuild *r, struct error *err);
/* After the patches are found, because their notes list the skills in order. */
void rebuild_order_skills(struct rebuild *r);
void rebuild_skill_release(struct rebuild_skill *skill);
void rebuild_patch_release(struct rebuild_patch *patch);

/* --- the base: rebuild_base.c ---------------------------------------------------- */

int rebuild_find_base(struct rebuild *r, struct error *err);
struct rebuild_file *rebuild_base_find(const struct rebuild *r, const char *path);
void rebuild_files_release(struct rebuild_files *files);

/* --- the stack: rebuild_replay.c, rebuild_replay_patch.c ------------------------- */

/*
 * Stage the base, and all layers on top of it, in `s`: a dry session in an empty folder, which
 * therefore contains only the stack. The paths staged in .nanoclaw are the new record. A layer
 * that does not fit is left out, and `*ret_again` is set to true: the stack must be built again
 * without it.
 */
int rebuild_replay(struct rebuild *r, struct session *s, bool *ret_again, struct error *err);

/* 0: staged, or left out with its reason. */
int rebuild_replay_patch(
	struct rebuild *r, struct session *s, struct rebuild_patch *patch, struct error *err);

/* Paths where a folder of ours should be, and something else is: rebuild_survey.c. */
void rebuild_find_obstacles(const struct project *project, struct string_array *ret_paths);

/* --- the tree: rebuild_tree.c ------------------------------------------------------------- */

/* A text without its conflicts: of each, the side that was there before. */
void rebuild_unmark(struct view text, struct buf *out);

/* --- the transaction: rebuild_write.c -------------------------------------------- */

/* Write the paths staged in .nanoclaw of the session. */
int rebuild_write(struct rebuild *r, struct session *replayed, struct error *err);

#endif
