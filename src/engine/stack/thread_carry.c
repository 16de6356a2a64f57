/*
 * Carry the part of a layer onto another file below it (thread.h).
 */
#include "engine/conflict/ladder.h"
#include "engine/conflict/merge3.h"
#include "engine/custom/custom_there.h"
#include "engine/disk/tx_file.h"
#include "engine/stack/thread.h"

/* A conflict that is known from before. */
static int use_known_resolution(struct thread *t, struct thread_part *own,
	const struct tx_file *base, const struct tx_file *ours, const struct tx_file *want,
	bool *ret_clean, struct error *err)
{
	CLEANUP(ladder_result_release) struct ladder_result known = LADDER_RESULT_INIT;
	const struct layer *layer = &t->layers->list[own->layer];
	const struct applied_skill *skill = state_find(&t->session->state, layer->name);
	char label[] = "before";
	struct ancestor ancestor = {.file = *base, .label = label};
	const struct file_merge merge = {
		.session = t->session,
		.skill = layer->name,
		.version = layer->kind == LAYER_SKILL && skill ? skill->version : "",
		.path = &own->name,
		.ours = ours,
		.ancestor = &ancestor,
		.theirs = view_of_buf(&want->content),
		.theirs_mode = want->mode,
	};

	*ret_clean = false;
	if (!merge3_is_text(ours) || !merge3_is_text(want) ||
		(base->kind != TX_ABSENT && !merge3_is_text(base)))
		return 0;
	if (ladder_climb(&merge, &known, err) < 0)
		return error_prefix(err, "'%s'", own->name.text);
	if (!known.known || known.left)
		return 0;
	*ret_clean = true;
	buf_release(&own->now.content);
	own->now.content = known.content;
	known.content = BUF_INIT;
	own->now.kind = TX_FILE;
	own->now.mode = (base->mode ^ want->mode) & 0100 ? want->mode : ours->mode;
	return 0;
}

/* If the file already has some changes of the patch, reduce the patch to the rest. */
static int shrink_patch(struct tx_file *base, const struct tx_file *ours,
	const struct tx_file *want, struct error *err)
{
	CLEANUP(buf_release) struct buf there = BUF_INIT;

	if (!merge3_is_text(base) || !merge3_is_text(ours) || !merge3_is_text(want))
		return 0;
	if (custom_there(view_of_buf(&base->content), view_of_buf(&want->content),
		    view_of_buf(&ours->content), &there, err) < 0)
		return -1;
	if (there.len) {
		buf_release(&base->content);
		base->content = there;
		there = BUF_INIT;
	}
	return 0;
}

/* From the package or patch. */
static int carry_authored(
	struct thread *t, size_t part, const struct tx_file *ours, struct error *err)
{
	struct thread_part *own = &t->parts[part];
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file want = TX_FILE_INIT;
	bool known, clean = false;

	if (thread_sides(t, part, false, &base, &want, &known, err) < 0)
		return -1;
	/* It has given the file a name, or entries of its own (structured.h). */
	if (!known && t->rule == THREAD_AUTHORS_ONLY) {
		tx_file_copy(ours, &own->now);
		own->state = PART_SAME;
	}
	if (!known)
		return 0;
	if (t->layers->list[own->layer].kind == LAYER_PATCH &&
		shrink_patch(&base, ours, &want, err) < 0)
		return -1;
	/* The file that the layer changed is gone: keep the layer's version of it. */
	if (ours->kind == TX_ABSENT && base.kind != TX_ABSENT) {
		tx_file_copy(own->old_known ? &own->old : &want, &own->now);
		own->state = PART_CARRIED;
		t->lost = part < t->lost ? part : t->lost;
		return 0;
	}
	/*
	 * A link has no lines, and stays, or is replaced, as a whole. But if the core has turned
	 * a link into a file, or a file into a link, that must not drop out of the record.
	 */
	if ((want.kind == TX_SYMLINK || base.kind == TX_SYMLINK || ours->kind == TX_SYMLINK) &&
		t->core_old.kind == t->core_now.kind) {
		tx_file_copy(&want, &own->now);
		clean = true;
	} else if (merge3(&base, ours, &want, &own->now, &clean, err) < 0) {
		return -1;
	}
	if (!clean && use_known_resolution(t, own, &base, ours, &want, &clean, err) < 0)
		return -1;
	if (clean)
		own->state = PART_MADE;
	return 0;
}

/* Carry the recorded result, and merge the changes below it where they fit. */
static int carry_recorded(
	struct thread *t, size_t part, const struct tx_file *ours, struct error *err)
{
	struct thread_part *own = &t->parts[part];
	bool clean;

	if (merge3(thread_below_old(t, part), ours, &own->old, &own->now, &clean, err) < 0)
		return -1;
	if (clean)
		own->state = PART_CARRIED;
	return 0;
}

/* Carry one part onto one file; `ours` is the file below it now. */
static int edit_carry(
	struct thread *t, size_t part, const struct tx_file *ours, struct error *err)
{
	struct thread_part *own = &t->parts[part];
	bool known =
		own->old_known && thread_below_known(t, part) && t->rule != THREAD_AUTHORS_ONLY;

	if (known && tx_file_same(ours, thread_below_old(t, part))) {
		tx_file_copy(&own->old, &own->now);
		own->state = PART_SAME;
		return 0;
	}
	if (own->old_known && own->old.kind == TX_ABSENT) {
		own->now.kind = TX_ABSENT;
		own->state = PART_MADE;
		return 0;
	}
	if (t->rule == THREAD_RECORDS_FIRST && known) {
		if (carry_recorded(t, part, ours, err) < 0)
			return -1;
		if (own->state == PART_OPEN)
			tx_file_copy(&own->old, &own->now);
		own->state = PART_CARRIED;
		return 0;
	}
	if (carry_authored(t, part, ours, err) < 0)
		return -1;
	if (own->state == PART_OPEN && t->rule == THREAD_RECORDS_FIRST) {
		tx_file_copy(ours, &own->now);
		own->state = PART_CARRIED;
	}
	return own->state == PART_OPEN && known ? carry_recorded(t, part, ours, err) : 0;
}

int thread_carry(struct thread *thread, struct error *err)
{
	for (size_t i = 0; i < thread->stuck; i++) {
		struct thread_part *own = &thread->parts[i];

		if (own->dropped || own->state != PART_OPEN)
			continue;
		if (edit_carry(thread, i, thread_below_now(thread, i), err) < 0)
			return -1;
		if (own->state != PART_OPEN)
			continue;
		thread->stuck = i;
		return 0;
	}
	return 0;
}
