/*
 * Replay: stage the layers (layer.h) again, in their order, from the base on.
 *
 * A skill is taken from its pack (pack.h), as it was applied, and not from the package
 * on the disk; a custom patch from its file. What was decided then holds: a file that
 * was left out stays left out, one that was deleted is deleted. So nobody is asked.
 *
 * Some skills may be left out, with the patches that are tied to them. Then only what
 * they touched is made again, under all the names that it ever had; everything else
 * stays as it is recorded. So the cost is that of the change, and not of the tree. With
 * `all`, everything that any layer touched is made again, structured files (structured.h)
 * included.
 *
 *	CLEANUP(replay_release) struct replay replay = REPLAY_INIT;
 *
 *	string_array_add(&replay.left_out, "telegram");
 *	if (replay_run(s, &replay, err) < 0)
 *		return -1;
 *
 * With no skill left out, `only` says which paths are made again: for a base that is
 * another one.
 *
 * Afterwards the session's state is the new one, and `result` has the files, on top of
 * the session's transaction, in which nothing was staged. Without `all`, structured files
 * are made by the caller: only where a skill that is left out changed such a file as
 * text is it in `result`, and then without contributions.
 *
 * With `flatten`, which wants `all`, the custom patches and what was baked in are left out,
 * and each skill gets the part in its files that it has as things are recorded, with all
 * that was settled (regenerate.h). Nothing can be a conflict then.
 */
#ifndef ENGINE_STACK_REPLAY_H
#define ENGINE_STACK_REPLAY_H

#include "engine/stack/layer.h"
#include "engine/stack/session.h"
#include "util/string_array.h"

struct replay_rename {
	char *from;
	char *to;
};

/* A merge that is not known from before. */
struct replay_conflict {
	char *path;
	char *layer; /* the skill or patch that was merged */
};

struct replay {
	struct string_array left_out; /* skills */
	struct string_array only;     /* paths that are made again beside theirs */
	bool all;
	bool flatten;
	struct state old;          /* as it was before */
	struct string_array paths; /* what is made again; sorted */
	/* Renames of the layers that are left out, in their order. */
	struct replay_rename *renames;
	size_t rename_count, rename_cap;
	/* Paths that do not come out as they should: a conflict, or not all is known. */
	struct string_array hard;
	struct replay_conflict *conflicts;
	size_t conflict_count, conflict_cap;
	struct transaction *result;
};

#define REPLAY_INIT ((struct replay){.old = STATE_INIT})

/*
 * `*s` has the state as it is. Decisions that only a person can make are added to the
 * conflicts of the session's result.
 */
int replay_run(struct session *s, struct replay *replay, struct error *err);

bool replay_leaves_out(const struct replay *replay, const struct layer *layer);

/* Is it made again? */
bool replay_has(const struct replay *replay, struct view path);

/* The name of a file without the renames that are left out; and the other way round. */
struct relpath replay_name_now(const struct replay *replay, const struct relpath *old);
struct relpath replay_name_then(const struct replay *replay, const struct relpath *now);

/* The name that a file had before a layer. */
struct relpath replay_name_below(const struct layer *layer, const struct relpath *path);

/*
 * The name of a file when a layer is staged: layers that come after it have still to rename it.
 * So it is with a patch that is tied to a skill, and was made when others lay on top of it.
 */
struct relpath replay_name_at(
	const struct replay *replay, const struct layer *layer, const struct relpath *path);

void replay_release(struct replay *replay);

#endif
