/*
 * The thread of a file: the layers that have a part in it (layer.h), from the bottom, with
 * what each made of it. Whatever changes below a layer, its part is carried over here, and
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
 *  1. nothing has changed below it: what is recorded;
 *  2. the merge of what its author changed (the package, or the patch) with the file below;
 *  3. a conflict there that is known from before (ladder.h);
 *  4. the merge of what it made then with how the file below has changed: so what a person
 *     resolved stays resolved.
 *
 * Where none of these works the thread is stuck at that layer. Then the caller merges into the
 * file as it is at the top, and thread_split() gives each layer its part of the result.
 *
 *	CLEANUP(thread_release) struct thread thread = THREAD_INIT;
 *
 *	if (thread_open(&thread, s, &before, &layers, &path, err) < 0)
 *		return -1;
 *	… thread_drop() a layer, or set `core_now`
 *	if (thread_carry(&thread, err) < 0)
 *		return -1;
 *	if (thread.stuck < thread.count) …
 *	return thread_store(&thread, NULL, err);
 */
#ifndef ENGINE_STACK_THREAD_H
#define ENGINE_STACK_THREAD_H

#include "base/string_array.h"
#include "engine/session/session.h"
#include "engine/state/layer.h"

enum link_state {
	LINK_OPEN,    /* what it makes of the file now is not known */
	LINK_SAME,    /* what is recorded */
	LINK_MADE,    /* comes out of the package or patch */
	LINK_CARRIED, /* only the record can say so */
};

/* The part of one layer in the file. */
struct thread_link {
	size_t layer;        /* index into `layers` of the thread */
	struct relpath name; /* the file's in that layer */
	bool dropped;
	bool inserted; /* the layer was not there before */
	bool old_known;
	struct tx_file old; /* what it made of the file */
	struct tx_file now; /* what it makes of it now */
	enum link_state state;
};

/* What counts where the two differ. */
enum thread_rule {
	THREAD_AUTHORS_FIRST, /* what authors wanted, and then what came of it */
	THREAD_AUTHORS_ONLY,
	THREAD_RECORDS_FIRST, /* all of it is recorded as the layer's part */
};

struct thread {
	struct session *session;     /* with the state that is being made */
	struct state *before;        /* the state that the layers are from */
	const struct layers *layers; /* of that */
	/* Below all layers, before and now. TX_ABSENT if a layer took the file from another name. */
	struct tx_file core_old;
	struct tx_file core_now;
	struct thread_link *links;
	size_t count, cap;
	size_t stuck; /* the first that could not be carried; `count`: none */
	enum thread_rule rule;
	size_t lost; /* the first that changes a file which is gone now, and keeps it whole */
};

#define THREAD_INIT ((struct thread){.core_old = TX_FILE_INIT, .core_now = TX_FILE_INIT})

/*
 * Add the names above all layers of the files that a layer has a part in. Entries in a
 * structured file are no part in it.
 */
void thread_tops(const struct layers *layers, size_t layer, struct string_array *tops);

/* `top` is the name that the file has above all layers. */
int thread_open(struct thread *ret_thread, struct session *s, struct state *before,
	const struct layers *layers, const struct relpath *top, struct error *err);

/* The layer of the link is new: what it has recorded is what it makes of the file now. */
void thread_insert(struct thread *thread, size_t link);

/* Leave out the parts of the layer. */
void thread_drop(struct thread *thread, size_t layer);

/*
 * Another version of the layer: instead of `old_want` its author has `want`. If it had no part
 * in the file so far, it has one now, under the name at the top.
 */
int thread_replace(struct thread *thread, size_t layer, const struct relpath *top,
	const struct tx_file *old_want, const struct tx_file *want, struct error *err);

int thread_carry(struct thread *thread, struct error *err);

/* What was below a link, before. */
const struct tx_file *thread_below_old(const struct thread *thread, size_t link);

/* How the file comes out, and how it was. */
const struct tx_file *thread_top(const struct thread *thread);
const struct tx_file *thread_top_old(const struct thread *thread);

/*
 * The file is `wanted` in the end: the layers from the one that is stuck on make it so, or the
 * last one, if none is.
 */
int thread_split(struct thread *thread, const struct tx_file *wanted, struct error *err);

/* Is every recorded content of it known? */
bool thread_is_known(const struct thread *thread);

/*
 * Record what each layer makes of the file now, in the session's state. `drop` says which
 * layers are gone from that, and which names; NULL: none.
 */
struct stack_drop;
int thread_store(struct thread *thread, const struct stack_drop *drop, struct error *err);

/*
 * Where a person has to say what the file is without the dropped layers: what those above them
 * have recorded is not true any more.
 */
int thread_mark_unsplit(
	struct thread *thread, const struct stack_drop *drop, struct error *err);

/* The part of a layer; NULL if it has none. */
struct thread_link *thread_find(struct thread *thread, size_t layer);

/*
 * What the author of a link's layer changed: as the layer was carried over since, or, with
 * `packaged`, as it is in the package of the skill. `*ret_known` is false if the layer has no
 * more than what is recorded: a new name, or entries of a structured file.
 */
int thread_sides(struct thread *thread, size_t link, bool packaged, struct tx_file *ret_base,
	struct tx_file *ret_want, bool *ret_known, struct error *err);

/*
 * Is a line of `was` gone in `now` that neither the core nor an author has brought? A person
 * wrote it to resolve a conflict.
 */
int thread_loses_resolved(struct thread *thread, struct view was, struct view now,
	bool *ret_loses, struct error *err);

void thread_release(struct thread *thread);

#endif
