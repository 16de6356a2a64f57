/*
 * The thread of a file: the layers that have a part in it (layer.h), from the bottom, with the
 * result of each. When something changes below a layer, its part is carried over here, and
 * nowhere else.
 *
 *	     then                      now
 *	core      ----- old ----->   core
 *	telegram  ----- old ----->   (dropped)
 *	discord   ----- old ----->   now	edit_carry() makes it
 *	001-mine  ----- old ----->   now
 *
 * A part is carried in this order:
 *
 *  1. nothing has changed below it: the recorded result;
 *  2. the author's change (from the package or the patch), merged with the file below;
 *  3. a known resolution of the conflict in that merge (ladder.h);
 *  4. the recorded result, merged with the change below it: so a resolved conflict stays
 *     resolved.
 *
 * If all of these fail, the thread is stuck at that layer. Then the caller merges into the file
 * at the top, and thread_split() gives each layer its part of the result.
 *
 *	CLEANUP(thread_release) struct thread thread = THREAD_INIT;
 *
 *	if (thread_open(&thread, s, &before, &layers, &path, err) < 0)
 *		return -1;
 *	… thread_drop() a layer, thread_replace() one, or set `core_now`
 *	if (thread_carry(&thread, err) < 0)
 *		return -1;
 *	if (thread.stuck < thread.count) …
 *	return thread_store(&thread, NULL, err);
 *
 * thread.c opens it, thread_carry.c carries, thread_record.c splits and records, and
 * thread_sides.c reads the changes of authors.
 */
#ifndef ENGINE_STACK_THREAD_H
#define ENGINE_STACK_THREAD_H

#include "base/string_array.h"
#include "engine/session/session.h"
#include "engine/state/layer.h"

struct stack_drop;

enum part_state {
	PART_OPEN,    /* its result is not known yet */
	PART_SAME,    /* the recorded result */
	PART_MADE,    /* follows from the package or patch */
	PART_CARRIED, /* does not follow from them, so it must be recorded */
};

/* The part of one layer in the file. */
struct thread_part {
	size_t layer;        /* index into `layers` of the thread */
	struct relpath name; /* of the file in that layer */
	bool dropped;
	bool inserted; /* the layer is new */
	bool old_known;
	struct tx_file old; /* the file with this layer and those below, before */
	struct tx_file now; /* and now */
	enum part_state state;
};

/* Which one counts if the author's change and the recorded result differ. */
enum thread_rule {
	THREAD_AUTHORS_FIRST,
	THREAD_AUTHORS_ONLY,
	THREAD_RECORDS_FIRST, /* and everything is recorded as the layer's part */
};

struct thread {
	struct session *session;     /* with the new state */
	struct state *before;        /* the old state */
	const struct layers *layers; /* of the old state */
	/* Below all layers. TX_ABSENT if a layer took the file from another name. */
	struct tx_file core_old;
	struct tx_file core_now;
	struct thread_part *parts;
	size_t count, cap;
	size_t stuck; /* the first part that could not be carried; `count`: none */
	enum thread_rule rule;
	/*
	 * After a conflict of two skills was resolved: the packages still define what their
	 * authors want, so that either skill can be removed.
	 */
	bool packages_stay;
	size_t lost; /* the first part whose file is gone below it, and which keeps it whole */
};

#define THREAD_INIT ((struct thread){.core_old = TX_FILE_INIT, .core_now = TX_FILE_INIT})

/*
 * Add the top names (above all layers) of the files that a layer has a part in. Entries in a
 * structured file are no part in it.
 */
void thread_tops(const struct layers *layers, size_t layer, struct string_array *tops);

/* `top` is the name of the file above all layers. */
int thread_open(struct thread *ret_thread, struct session *s, struct state *before,
	const struct layers *layers, const struct relpath *top, struct error *err);

/* The layer of the part is new: its recorded result is the one that it has now. */
void thread_insert(struct thread *thread, size_t part);

/*
 * The layer of the part is new, and the file is `wanted` with it: the changes of the layers above
 * are taken out of its part.
 */
int thread_place(
	struct thread *thread, size_t part, const struct tx_file *wanted, struct error *err);

/* Leave out the parts of the layer. */
void thread_drop(struct thread *thread, size_t layer);

/*
 * The layer has a new version: its author replaced `old_want` by `want`. A layer that had no
 * part in the file gets one, under the name at the top.
 */
int thread_replace(struct thread *thread, size_t layer, const struct relpath *top,
	const struct tx_file *old_want, const struct tx_file *want, struct error *err);

int thread_carry(struct thread *thread, struct error *err);

/* The file below a part: before, and now, without dropped parts. */
const struct tx_file *thread_below_old(const struct thread *thread, size_t part);
const struct tx_file *thread_below_now(const struct thread *thread, size_t part);

/* Is the old file below a part known? */
bool thread_below_known(const struct thread *thread, size_t part);

/* The file above all parts, now. */
const struct tx_file *thread_top(const struct thread *thread);

/*
 * The file is `wanted` in the end. The parts from the stuck one upwards, or the last part if
 * none is stuck, are made to add up to it.
 */
int thread_split(struct thread *thread, const struct tx_file *wanted, struct error *err);

/* Is every recorded content of it known? */
bool thread_is_known(const struct thread *thread);

/*
 * Record the result of each part in the session's state. `drop` lists the layers and names that
 * were removed from it, or is NULL.
 */
int thread_store(struct thread *thread, const struct stack_drop *drop, struct error *err);

/*
 * A person must resolve the file without the dropped layers: until then, the records of the
 * layers above them are marked as not split.
 */
int thread_mark_unsplit(
	struct thread *thread, const struct stack_drop *drop, struct error *err);

/* The part of a layer; NULL if it has none. */
struct thread_part *thread_find(struct thread *thread, size_t layer);

/*
 * The change of the author of a part's layer: as the layer was carried since, or, with
 * `packaged`, as in the package of the skill. `*ret_known` is false if the layer has no more
 * than a recorded result: a new name, or entries of a structured file.
 */
int thread_sides(struct thread *thread, size_t part, bool packaged, struct tx_file *ret_base,
	struct tx_file *ret_want, bool *ret_known, struct error *err);

/*
 * Is a line of `was` missing in `now` that neither the core nor an author wrote? Then a person
 * wrote it to resolve a conflict. In resolved_lines.c.
 */
int thread_loses_resolved(struct thread *thread, struct view was, struct view now,
	bool *ret_loses, struct error *err);

void thread_release(struct thread *thread);

#endif
