#include "engine/stack/skill_record.h"

#include <errno.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/part.h"
#include "engine/stack/thread.h"
#include "engine/state/record.h"

/* The index of the applied version among the layers; `count` if it is not applied. */
static size_t find_layer(const struct layers *layers, const char *skill)
{
	size_t i = 0;

	while (i < layers->count && (layers->list[i].kind != LAYER_SKILL ||
					    strcmp(layers->list[i].name, skill) != 0))
		i++;
	return i;
}

/*
 * Does a person still have to resolve the file? Then the parts of the layers are not known yet.
 */
static bool is_in_conflict(const struct session *s, const struct relpath *path)
{
	for (size_t i = 0; i < s->result->conflict_count; i++)
		if (relpath_compare(&s->result->conflicts[i].path, path) == 0 &&
			!s->result->conflicts[i].recorded_apart)
			return true;
	return false;
}

/* Record `file` as the result of the skill's own part. */
static int record_own(const struct skill_record *r, const struct thread *t,
	const struct thread_part *own, const struct relpath *path, const struct tx_file *below,
	const struct tx_file *file, struct error *err)
{
	struct layer_file result = layer_file_of(file);
	struct record_hashes hashes;

	layer_set(r->entry, relpath_view(path), &result);
	if (part_has(&t->layers->list[own->layer], relpath_view(path)))
		return part_set(r->session, r->entry, path, below, file, err);
	/* The pack of the skill keeps the package's file. */
	if (file->kind == TX_ABSENT ||
		(record_hashes(r->entry, relpath_view(path), &hashes) && hashes.has_skill &&
			hash_equal(&result.hash, &hashes.skill)))
		return 0;
	return recorded_keep(r->session, view_of_buf(&file->content), err);
}

/* The parts stay recorded as they were before, if that is known. */
static int record_unsplit(const struct skill_record *r, const struct thread *t,
	const struct thread_part *own, const struct relpath *path,
	const struct layer_file *merged, bool in_conflict, struct error *err)
{
	record_set_listed(r->entry, RECORD_UNSPLIT, relpath_view(path), true);
	if (!in_conflict || !own || own->dropped || !own->old_known)
		return layers_note(
			&r->session->state, r->skill, relpath_view(path), merged, err);
	return record_own(
		r, t, own, path, thread_below_old(t, (size_t)(own - t->parts)), &own->old, err);
}

/* Record the parts of all layers, so that the file comes out as `merged`. */
static int record_parts(const struct skill_record *r, struct thread *t, size_t layer,
	const struct relpath *path, const struct layer_file *merged, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file wanted = TX_FILE_INIT;
	struct layer_file is = layer_file_of(thread_top(t));
	struct thread_part *own = thread_find(t, layer);

	if (!t->packages_stay && is_in_conflict(r->session, path))
		return record_unsplit(r, t, own, path, merged, true, err);
	if (recorded_find_file(r->session, path, merged, &wanted, &missing) < 0) {
		if (missing.errnum != ENOENT)
			return error_move(err, &missing);
		return record_unsplit(r, t, own, path, merged, false, err);
	}
	if ((t->stuck < t->count || !layer_file_equal(&is, merged)) &&
		thread_split(t, &wanted, err) < 0)
		return -1;
	if (own && !own->dropped && own->state != PART_OPEN) {
		size_t at = (size_t)(own - t->parts);

		if (record_own(r, t, own, path, thread_below_now(t, at), &own->now, err) < 0)
			return -1;
		own->state = PART_SAME; /* it is in the entry of the new version */
	}
	return thread_store(t, NULL, err);
}

/*
 * The skill is applied: replace its part of the file by `want`. `resolved` is true after a
 * conflict.
 */
static int record_in_layers(const struct skill_record *r, const struct relpath *path,
	const struct tx_file *old_want, const struct tx_file *want,
	const struct layer_file *merged, bool resolved, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(thread_release) struct thread t = THREAD_INIT;
	struct session *s = r->session;
	size_t layer;

	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	layer = find_layer(&layers, r->skill);
	t.packages_stay = resolved;
	if (thread_open(&t, s, &s->state, &layers, path, err) < 0 ||
		thread_replace(&t, layer, path, old_want, want, err) < 0 ||
		thread_carry(&t, err) < 0)
		return -1;
	return record_parts(r, &t, layer, path, merged, err);
}

int skill_record_file(const struct skill_record *r, bool added, const struct relpath *path,
	const struct tx_file *ancestor, const struct tx_file *want,
	const struct layer_file *merged, struct error *err)
{
	struct hash base = hash_of(view_of_buf(&ancestor->content));

	state_record_file(&r->session->state, r->entry,
		&(struct file_record){
			.added = added,
			.path = path,
			.base = ancestor->kind == TX_FILE ? &base : NULL,
			.skill = hash_of(view_of_buf(&want->content)),
			.merged = *merged,
		});
	if (!state_find(&r->session->state, r->skill))
		return 0;
	return record_in_layers(r, path, ancestor, want, merged, false, err);
}

int skill_record_dropped(const struct skill_record *r, const struct relpath *path,
	const struct layer_file *merged, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(thread_release) struct thread t = THREAD_INIT;
	struct session *s = r->session;
	struct layer own = {.node = r->entry};
	struct layer_file renamed;
	size_t layer;

	/* A rename by the skill itself still counts. */
	if (layer_get(&own, relpath_view(path), &renamed))
		layer_set(r->entry, relpath_view(path), merged);
	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	layer = find_layer(&layers, r->skill);
	if (thread_open(&t, s, &s->state, &layers, path, err) < 0)
		return -1;
	thread_drop(&t, layer);
	if (thread_carry(&t, err) < 0)
		return -1;
	return record_parts(r, &t, layer, path, merged, err);
}

/* --- after a conflict ------------------------------------------------------------------- */

/* The change between the two versions: the old package's file and the new one's. */
static int read_change(const struct skill_record *r, const struct relpath *path,
	struct tx_file *ret_old_want, struct tx_file *ret_want, bool *ret_known,
	struct error *err)
{
	bool added = record_lists(r->entry, RECORD_ADDED, relpath_view(path));
	struct layer own = {.node = r->entry};
	const struct session_pack *pack = origin_pack(r->session, r->skill, err);
	const struct pack_entry *packed;
	struct record_hashes hashes;
	struct layer_file old;

	*ret_known = false;
	if (!pack)
		return -1;
	if (!record_hashes(r->entry, relpath_view(path), &hashes) || !hashes.has_skill)
		return 0;
	packed = origin_find_content(pack, added ? PACK_ADD : PACK_MODIFY, &hashes.skill);
	if (!packed)
		return 0;
	pack_read_file(&pack->pack, packed, ret_want);
	*ret_known = true;
	if (!hashes.has_base)
		return 0;
	if (recorded_try_find(
		    r->session, path, &hashes.base, &ret_old_want->content, ret_known, err) < 0)
		return -1;
	if (!*ret_known)
		return 0;
	ret_old_want->kind = TX_FILE;
	ret_old_want->mode =
		layer_get(&own, relpath_view(path), &old) && old.executable ? 0755 : 0644;
	return 0;
}

int skill_record_resolved(struct session *s, const struct conflict *conflict,
	const struct tx_file *resolved, struct error *err)
{
	const struct applied_skill *applied = state_find(&s->state, conflict->skill);
	const struct relpath *path = &conflict->path;
	CLEANUP(tx_file_release) struct tx_file old_want = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file want = TX_FILE_INIT;
	struct skill_record r = {.session = s, .skill = conflict->skill};
	struct layer_file recorded;
	bool known = false;

	if (file_merge_resolved(s, conflict, resolved, &recorded, err) < 0)
		return -1;
	r.entry = applied ? applied->node : NULL;
	if (r.entry && record_lists(r.entry, RECORD_UNSPLIT, relpath_view(path)) &&
		read_change(&r, path, &old_want, &want, &known, err) < 0)
		return -1;
	if (!known)
		return state_record_resolved(&s->state, conflict->skill, path, &recorded, err);
	record_set_listed(r.entry, RECORD_UNSPLIT, relpath_view(path), false);
	return record_in_layers(&r, path, &old_want, &want, &recorded, true, err);
}
