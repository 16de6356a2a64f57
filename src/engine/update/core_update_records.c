/*
 * Record the parts of layers in files that the core has changed, for the new core.
 *
 * The thread of each file (thread.h) is carried onto the new core. If the result is the file in
 * the tree, the carried parts are recorded. Otherwise somebody has resolved a conflict: then
 * each layer gets its part of the file in the tree, and the resolved lines belong to the layer
 * that did not fit.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/session/recorded.h"
#include "engine/stack/thread.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "engine/update/internal.h"

/* The file to record for the last layer. */
static int read_wanted(struct session *s, const struct placed_file *placed,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	struct layer_file is;

	if (placed->file.kind == TX_ABSENT)
		return 0;
	if (transaction_read(s->tx, &placed->path, &tree, err) < 0)
		return -1;
	is = layer_file_of(&tree);
	if (layer_file_equal(&is, &placed->file)) {
		*ret_file = tree;
		tree = TX_FILE_INIT;
		return 0;
	}
	ret_file->kind = placed->file.kind;
	ret_file->mode = placed->file.executable ? 0755 : 0644;
	return recorded_fetch(s, &placed->file.hash, &ret_file->content, err);
}

/*
 * v0.1 kept no contents, so for its entries only the resulting file can be recorded. From now
 * on such an entry counts as a complete one, so all its contents are kept, as far as the tree
 * has them.
 */
static int record_last(struct session *s, const struct placed_file *placed, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	struct layer_file file, is;

	if (layers_note(&s->state, "", relpath_view(&placed->path), &placed->file, err) < 0 ||
		layers_read(&s->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		CLEANUP(string_array_release) struct string_array paths = {0};

		if (layer_get(&layers.list[i], relpath_view(&placed->path), &file))
			layer_add_paths(&layers.list[i], &paths);
		for (size_t j = 0; j < paths.count; j++) {
			CLEANUP(relpath_release)
			struct relpath path = relpath_of(paths.list[j]);
			CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;

			if (!layer_get(&layers.list[i], relpath_view(&path), &file) ||
				file.kind == TX_ABSENT)
				continue;
			if (transaction_read(s->tx, &path, &tree, err) < 0)
				return -1;
			is = layer_file_of(&tree);
			if (layer_file_equal(&is, &file) &&
				recorded_keep(s, view_of_buf(&tree.content), err) < 0)
				return -1;
		}
	}
	return 0;
}

static int record_file(struct session *s, struct state *before, const struct layers *layers,
	const struct placed_file *placed, struct error *err)
{
	CLEANUP(thread_release) struct thread t = THREAD_INIT;
	CLEANUP(tx_file_release) struct tx_file wanted = TX_FILE_INIT;
	struct layer_file is;
	bool given_up;

	/* Carry the layers from the old core onto the new one and its migrations. */
	if (thread_open(&t, s, before, layers, &placed->path, err) < 0)
		return -1;
	tx_file_copy(&placed->old, &t.core_old);
	tx_file_release(&t.core_now);
	t.core_now = TX_FILE_INIT;
	if (placed->in_base.text &&
		session_read_base(s, &placed->in_base, &t.core_now, err) < 0)
		return -1;
	for (size_t i = 0; i < t.count; i++)
		if (session_is_migration(s, layers->list[t.parts[i].layer].name))
			thread_insert(&t, i);
	if (thread_carry(&t, err) < 0)
		return -1;
	/* If the core has given the file up, it belongs to the layers from now on. */
	given_up = t.core_now.kind == TX_ABSENT && !(t.count && t.parts[0].inserted);
	is = layer_file_of(thread_top(&t));
	if (t.stuck == t.count && !given_up &&
		(!placed->recorded || layer_file_equal(&is, &placed->file)))
		return thread_store(&t, NULL, err);
	if (!thread_is_known(&t))
		return record_last(s, placed, err);
	if (read_wanted(s, placed, &wanted, err) < 0 || thread_split(&t, &wanted, err) < 0)
		return -1;
	return thread_store(&t, NULL, err);
}

int core_update_record(
	struct session *s, struct placed_file *placed, size_t count, struct error *err)
{
	CLEANUP(state_release) struct state before = STATE_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (!count)
		return 0;
	if (state_from_node(s->state.doc->root, &before, err) < 0 ||
		layers_read(&before, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (record_file(s, &before, &layers, &placed[i], err) < 0)
			return error_prefix(err, "'%s'", placed[i].path.text);
	return 0;
}

int core_update_find_failing(struct session *s, const struct placed_file *placed,
	struct string_array *ret_patches, struct error *err)
{
	CLEANUP(thread_release) struct thread t = THREAD_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	const struct layer *layer;
	size_t first;

	if (layers_read(&s->state, &layers, err) < 0 ||
		thread_open(&t, s, &s->state, &layers, &placed->path, err) < 0)
		return -1;
	tx_file_copy(&placed->old, &t.core_old);
	tx_file_copy(&placed->new, &t.core_now);
	if (thread_carry(&t, err) < 0)
		return -1;
	first = t.stuck < t.lost ? t.stuck : t.lost;
	if (first == t.count)
		return 0;
	layer = &layers.list[t.parts[first].layer];
	if (layer->kind == LAYER_PATCH)
		string_array_add_new(ret_patches, layer->name);
	return 0;
}

/* --- names ------------------------------------------------------------------------ */

int core_update_rename(struct state *state, const struct relpath *from,
	const struct relpath *to, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	bool away = false;

	if (layers_read(state, &layers, err) < 0)
		return -1;
	/* Layers above one that renames the file itself use that layer's name for it. */
	for (size_t i = 0; i < layers.count && !away; i++) {
		away = layer_renames_away(&layers.list[i], from);
		layer_rename_file(&layers.list[i], from, to, false);
	}
	return 0;
}

int core_update_drop(struct state *state, const struct relpath *path, struct error *err)
{
	const struct layer_file gone = {.kind = TX_ABSENT};
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];
		struct layer_file file;

		if (!layer_get(layer, relpath_view(path), &file))
			continue;
		/* A patch keeps its own names for files, and path_remap leads on from these. */
		if (layer->kind == LAYER_SKILL || layer->baked)
			record_drop_file(layer->node, relpath_view(path));
		else
			layer_set(layer->node, relpath_view(path), &gone);
	}
	return 0;
}
