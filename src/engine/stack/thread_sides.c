/*
 * The author's change to a file in a layer: both sides of the package's file or of the patch,
 * before any merge.
 */
#include <errno.h>

#include "engine/package/pack.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/ancestor.h"
#include "engine/stack/part.h"
#include "engine/stack/thread.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"

/* The file that the skill was written against: as it was merged then, where that is kept. */
static int find_skill_base(struct thread *t, const struct thread_part *l,
	const struct pack *pack, const struct pack_entry *entry, struct tx_file *ret_base,
	struct error *err)
{
	const struct layer *layer = &t->layers->list[l->layer];
	struct record_hashes hashes;
	const struct operation_options *options = t->session->options;
	struct operation_options accepting = *options;
	size_t warnings = t->session->result->warning_count;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
	struct pack none = PACK_INIT;
	bool kept = false;
	int failed;

	record_hashes(layer->node, relpath_view(&l->name), &hashes);
	/* Of an update it is the file of the version before. */
	if (hashes.has_base && !record_was_updated(layer->node) &&
		recorded_try_find(
			t->session, &l->name, &hashes.base, &ret_base->content, &kept, err) < 0)
		return -1;
	if (kept) {
		ret_base->kind = TX_FILE;
		ret_base->mode = t->core_old.kind == TX_FILE ? t->core_old.mode : entry->mode;
		return 0;
	}
	if (pack_read_manifest(pack, &manifest, err) < 0)
		return -1;
	accepting.ancestor_is_base = true; /* it was accepted then */
	t->session->options = &accepting;
	failed = ancestor_find(t->session, &manifest, &none, &entry->path,
		pack_content(pack, entry), &ancestor, err);
	t->session->options = options;
	while (t->session->result->warning_count > warnings)
		free(t->session->result->warnings[--t->session->result->warning_count]);
	if (failed)
		return -1;
	*ret_base = ancestor.file;
	ancestor.file = TX_FILE_INIT;
	return 0;
}

static int sides_of_skill(struct thread *t, const struct thread_part *l,
	struct tx_file *ret_base, struct tx_file *ret_want, bool *ret_known, struct error *err)
{
	const struct layer *layer = &t->layers->list[l->layer];
	bool added = record_lists(layer->node, RECORD_ADDED, relpath_view(&l->name));
	struct record_hashes hashes;
	const struct session_pack *pack;
	const struct pack_entry *entry;

	*ret_known = false;
	if (!record_hashes(layer->node, relpath_view(&l->name), &hashes) || !hashes.has_skill)
		return 0;
	pack = origin_pack(t->session, layer->name, err);
	if (!pack)
		return -1;
	entry = origin_find_content(pack, added ? PACK_ADD : PACK_MODIFY, &hashes.skill);
	if (!entry)
		return 0;
	pack_read_file(&pack->pack, entry, ret_want);
	*ret_known = true;
	return added ? 0 : find_skill_base(t, l, &pack->pack, entry, ret_base, err);
}

/* A patch has files by its own names. False if it does not have this one. */
static bool find_in_patch(struct thread *t, const struct layer *layer,
	const struct relpath *name, struct record_part *ret_part)
{
	CLEANUP(string_array_release)
	struct string_array paths = record_part_paths(layer->node);

	for (int resolve = 0; resolve < 2; resolve++)
		for (size_t i = 0; i < paths.count; i++) {
			CLEANUP(relpath_release)
			struct relpath own = relpath_of(paths.list[i]);
			CLEANUP(relpath_release)
			struct relpath moved = record_moved(layer->node, &own);
			CLEANUP(relpath_release)
			struct relpath now = resolve ? origin_resolve(t->session, &moved)
						     : relpath_copy(&moved);

			if (relpath_compare(&now, name) == 0)
				return record_part(layer->node, relpath_view(&own), ret_part);
		}
	return false;
}

/* `*known` becomes false if the content is lost. */
static int read_patch_side(struct thread *t, const struct relpath *path,
	const struct layer_file *side, struct tx_file *ret_file, bool *known, struct error *err)
{
	bool found;

	if (side->kind == TX_ABSENT)
		return 0;
	ret_file->kind = TX_FILE;
	if (recorded_try_find(t->session, path, &side->hash, &ret_file->content, &found, err) <
		0)
		return -1;
	*known &= found;
	return 0;
}

/* The mode, and whether it is a link, are in the record of the layer. */
static int sides_of_patch(struct thread *t, size_t part, const struct tx_file *below,
	struct tx_file *ret_base, struct tx_file *ret_want, bool *ret_known, struct error *err)
{
	const struct thread_part *l = &t->parts[part];
	const struct layer *layer = &t->layers->list[l->layer];
	CLEANUP(relpath_release) struct relpath from = layer_name_below(layer, &l->name);
	struct record_part sides, renamed;
	struct layer_file file;

	*ret_known = find_in_patch(t, layer, &l->name, &sides);
	if (!*ret_known)
		return 0;
	if (relpath_compare(&from, &l->name) != 0) {
		record_part(layer->node, relpath_view(&from), &renamed);
		sides.before = renamed.before;
	}
	layer_get(layer, relpath_view(&l->name), &file);
	if (read_patch_side(t, &from, &sides.before, ret_base, ret_known, err) < 0 ||
		read_patch_side(t, &l->name, &sides.after, ret_want, ret_known, err) < 0)
		return -1;
	if (ret_want->kind == TX_FILE)
		ret_want->kind = file.kind == TX_SYMLINK ? TX_SYMLINK : TX_FILE;
	ret_want->mode = file.executable ? 0755 : 0644;
	if (ret_base->kind == TX_FILE && below->kind == TX_SYMLINK)
		ret_base->kind = TX_SYMLINK;
	ret_base->mode = below->kind == TX_FILE ? below->mode : 0644;
	return 0;
}

int thread_sides(struct thread *t, size_t part, bool packaged, struct tx_file *ret_base,
	struct tx_file *ret_want, bool *ret_known, struct error *err)
{
	const struct thread_part *l = &t->parts[part];
	const struct layer *layer = &t->layers->list[l->layer];
	struct state now = t->session->state;
	bool swap = l->dropped && t->before != &t->session->state;
	int failed;

	/* Only the old state has a dropped layer. */
	if (swap)
		t->session->state = *t->before;
	if (part_has(layer, relpath_view(&l->name)) &&
		(!packaged || layer->kind == LAYER_PATCH)) {
		*ret_known = true;
		failed = part_get(t->session, layer, &l->name, ret_base, ret_want, err);
	} else if (layer->kind == LAYER_SKILL) {
		failed = sides_of_skill(t, l, ret_base, ret_want, ret_known, err);
	} else {
		failed = sides_of_patch(
			t, part, thread_below_old(t, part), ret_base, ret_want, ret_known, err);
	}
	if (swap) {
		*t->before = t->session->state;
		t->session->state = now;
	}
	return failed;
}
