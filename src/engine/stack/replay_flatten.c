/*
 * What a skill has made of a file, as it is recorded.
 */
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/package/structured_format.h"
#include "engine/stack/origin.h"
#include "engine/stack/recorded.h"
#include "engine/stack/regenerate.h"
#include "engine/stack/replay_parts.h"

struct flattening {
	struct session *session;
	const struct layers *layers; /* of the old state */
	size_t at;                   /* the layer */
	const struct relpath *path;
	struct error *err;
};

static bool take_from_pack(const struct flattening *f, const char *skill,
	const struct hash *hash, struct buf *ret_content)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;

	if (origin_load_pack(f->session, skill, &pack, &ignored) < 0)
		return false;
	for (size_t i = 0; i < pack.count; i++) {
		struct view content = pack_content(&pack, &pack.entries[i]);
		struct hash found = hash_of(content);

		if (!hash_equal(&found, hash))
			continue;
		buf_append(ret_content, content.data, content.len);
		return true;
	}
	return false;
}

/* What a new version of a skill has recorded is the file with all that lies on top of it. */
static bool has_others(
	const struct flattening *f, const struct layer *layer, const struct relpath *path)
{
	struct layer_file ignored;

	if (layer->kind != LAYER_SKILL || !yaml_get(layer->node, "updated_from"))
		return false;
	for (size_t i = f->layers->count; &f->layers->list[i - 1] > layer; i--)
		if (layer_get(&f->layers->list[i - 1], relpath_view(path), &ignored))
			return true;
	return false;
}

/* The file as a layer left it; false if that is not known. */
static bool read_after(const struct flattening *f, const struct layer *layer,
	const struct relpath *path, const struct layer_file *file, struct tx_file *ret_file)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;

	if (regenerate_has(layer, relpath_view(path)))
		return regenerate_get(f->session, layer, path, &before, ret_file, &ignored) ==
		       0;
	if (has_others(f, layer, path))
		return false;
	ret_file->kind = file->kind;
	ret_file->mode = file->executable ? 0755 : 0644;
	if (file->kind == TX_ABSENT)
		return true;
	/* An older engine: what is recorded says nothing about the mode. */
	if (!file->mode_known)
		return false;
	return recorded_find_content(
		       f->session, path, &file->hash, &ret_file->content, &ignored) == 0 ||
	       (layer->kind == LAYER_SKILL &&
		       take_from_pack(f, layer->name, &file->hash, &ret_file->content));
}

/* The name that the file had before the layer. */
static int name_before(const struct flattening *f, struct relpath *ret_name)
{
	const struct yaml_node *renames = yaml_get(f->layers->list[f->at].node, "renames");
	CLEANUP(freep) char *key = layer_key(relpath_view(f->path));

	for (size_t i = 0; renames && renames->kind == YAML_MAPPING && i < renames->count;
		i++) {
		CLEANUP(freep) char *old = layer_path(renames->entries[i].key);

		if (renames->entries[i].value->kind == YAML_SCALAR &&
			view_equal_str(renames->entries[i].value->text, key))
			return relpath_parse(view_of(old), ret_name, f->err);
	}
	*ret_name = relpath_copy(f->path);
	return 0;
}

/* The file as it was before the layer, with the patches below it. */
static int read_before(const struct flattening *f, struct tx_file *ret_file, bool *ret_known)
{
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
	struct layer_file file;

	if (name_before(f, &name) < 0)
		return -1;
	for (size_t i = f->at; i > 0; i--) {
		const struct layer *below = &f->layers->list[i - 1];

		if (!layer_get(below, relpath_view(&name), &file))
			continue;
		*ret_known = read_after(f, below, &name, &file, ret_file);
		return 0;
	}
	*ret_known = true;
	return session_read_base(f->session, &name, ret_file, f->err);
}

static bool find_layer(struct flattening *f, const struct layer *layer)
{
	for (f->at = 0; f->at < f->layers->count; f->at++)
		if (f->layers->list[f->at].kind == LAYER_SKILL &&
			!strcmp(f->layers->list[f->at].name, layer->name))
			return true;
	return false;
}

static int set(const struct flattening *f, const struct tx_file *before,
	const struct tx_file *after, struct yaml_node *entry)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	struct transaction *tx = f->session->tx;
	bool clean;

	if (transaction_read(tx, f->path, &ours, f->err) < 0 ||
		regenerate_carry(&ours, before, after, &made, &clean, f->err) < 0)
		return -1;
	if (!clean)
		tx_file_copy(after, &made);
	if (!tx_file_same(&ours, &made) && tx_file_stage(tx, f->path, &made, f->err) < 0)
		return -1;
	return regenerate_set(f->session, entry, f->path, &ours, &made, f->err);
}

int replay_flatten(struct session *s, const struct replay *replay, const struct layer *layer,
	const struct relpath *path, struct yaml_node *entry, struct layer_file *ret_made,
	bool *ret_done, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	struct flattening f = {.session = s, .layers = &layers, .path = path, .err = err};
	const struct layer now = {.kind = LAYER_SKILL, .node = entry};
	struct layer_file file;

	*ret_done = false;
	if (structured_format_of(path->text))
		return 0;
	if (layers_read(&replay->old, &layers, err) < 0)
		return -1;
	if (!find_layer(&f, layer) || !layer_get(layer, relpath_view(path), &file) ||
		!read_after(&f, &layers.list[f.at], path, &file, &after))
		return 0;
	if (read_before(&f, &before, ret_done) < 0)
		return -1;
	if (!*ret_done)
		return 0;
	if (set(&f, &before, &after, entry) < 0)
		return -1;
	*ret_done = layer_get(&now, relpath_view(path), ret_made);
	return 0;
}
