/*
 * Split a file among the parts of its thread, and record them (thread.h).
 */
#include "engine/conflict/merge3.h"
#include "engine/custom/custom_rewrite.h"
#include "engine/disk/tx_file.h"
#include "engine/session/recorded.h"
#include "engine/stack/drop.h"
#include "engine/stack/part.h"
#include "engine/stack/thread.h"
#include "engine/state/record.h"

/* --- splitting ---------------------------------------------------------------------------- */

/* The last part before `i` that is not dropped; SIZE_MAX: none. */
static size_t part_below(const struct thread *t, size_t i)
{
	while (i > 0 && t->parts[i - 1].dropped)
		i--;
	return i ? i - 1 : SIZE_MAX;
}

int thread_split(struct thread *t, const struct tx_file *wanted, struct error *err)
{
	size_t i = part_below(t, t->count), last = t->stuck < t->count ? t->stuck : i;

	if (i == SIZE_MAX)
		return 0;
	for (size_t j = last; j < i; j++)
		t->parts[j].state = PART_OPEN;
	tx_file_copy(wanted, &t->parts[i].now);
	t->parts[i].state = PART_CARRIED;
	/* Go down the stack, removing the change of each upper layer. */
	while (i > last) {
		size_t below = part_below(t, i);
		struct thread_part *upper = &t->parts[i], *lower = &t->parts[below];
		bool clean = upper->old_known && lower->old_known;

		if (clean && lower->old.kind == TX_ABSENT)
			lower->now.kind = TX_ABSENT;
		else if (clean && merge3(&upper->old, &upper->now, &lower->old, &lower->now,
					  &clean, err) < 0)
			return -1;
		if (!clean)
			break;
		lower->state = PART_CARRIED;
		i = below;
	}
	return 0;
}

int thread_place(struct thread *t, size_t part, const struct tx_file *wanted, struct error *err)
{
	thread_insert(t, part);
	t->stuck = part;
	if (thread_carry(t, err) < 0 || thread_split(t, wanted, err) < 0)
		return -1;
	if (t->parts[part].state == PART_OPEN)
		return 0;
	/* What follows from the package or patch of a layer need not be recorded. */
	for (size_t i = part + 1; i < t->count; i++) {
		tx_file_release(&t->parts[i].now);
		t->parts[i].now = TX_FILE_INIT;
		t->parts[i].state = PART_OPEN;
	}
	t->stuck = t->count;
	if (thread_carry(t, err) < 0)
		return -1;
	if (t->stuck == t->count && tx_file_same(thread_top(t), wanted))
		return 0;
	t->stuck = part;
	return thread_split(t, wanted, err);
}

/* --- recording --------------------------------------------------------------------------- */

/* A result that does not follow from the package becomes the layer's recorded part. */
static int store_part(struct thread *t, size_t part, const struct layer *layer,
	const struct relpath *name, struct error *err)
{
	const struct tx_file *before = thread_below_now(t, part), *after = &t->parts[part].now;

	if (recorded_keep_file(t->session, before, err) < 0)
		return -1;
	if (layer->kind == LAYER_PATCH && !layer->baked)
		return custom_rewrite(t->session, layer, name, before, after, err);
	if (!layer->baked && !record_has_hashes(layer->node, relpath_view(name)))
		return 0;
	if (t->packages_stay && layer->kind == LAYER_SKILL &&
		!part_has(layer, relpath_view(name)))
		return 0;
	return part_set(t->session, layer->node, name, before, after, err);
}

static bool is_part_known(const struct thread *t, size_t part)
{
	size_t below = part_below(t, part);

	return t->parts[part].state != PART_OPEN &&
	       (below == SIZE_MAX || t->parts[below].state != PART_OPEN);
}

int thread_mark_unsplit(struct thread *t, const struct stack_drop *drop, struct error *err)
{
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	bool above = false; /* a layer that is gone */

	if (layers_read(&t->session->state, &now, err) < 0)
		return -1;
	for (size_t i = 0; i < t->count; i++) {
		const struct thread_part *own = &t->parts[i];
		CLEANUP(relpath_release)
		struct relpath name = stack_drop_name_now(drop, own->layer, &own->name);

		above = above || own->dropped;
		if (above && !own->dropped)
			record_set_listed(now.list[drop->index[own->layer]].node,
				RECORD_UNSPLIT, relpath_view(&name), true);
	}
	return 0;
}

int thread_store(struct thread *t, const struct stack_drop *drop, struct error *err)
{
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	bool all = t->rule == THREAD_RECORDS_FIRST;

	if (layers_read(&t->session->state, &now, err) < 0)
		return -1;
	for (size_t i = 0; i < t->count; i++) {
		const struct thread_part *own = &t->parts[i];
		/* The layer's own result is not known, so its old record is no longer valid. */
		bool open = own->state == PART_OPEN;
		const struct tx_file *made = open ? thread_top(t) : &own->now;
		struct layer_file file = layer_file_of(made);
		CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
		const struct layer *layer;

		if (own->dropped || (own->state == PART_SAME && !all))
			continue;
		layer = &now.list[drop ? drop->index[own->layer] : own->layer];
		name = drop ? stack_drop_name_now(drop, own->layer, &own->name)
			    : relpath_copy(&own->name);
		if (recorded_keep_file(t->session, made, err) < 0)
			return -1;
		layer_set(layer->node, relpath_view(&name), &file);
		record_set_listed(layer->node, RECORD_UNSPLIT, relpath_view(&name), open);
		if ((all || own->state == PART_CARRIED) && is_part_known(t, i) &&
			store_part(t, i, layer, &name, err) < 0)
			return -1;
	}
	return 0;
}
