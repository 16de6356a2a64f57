/*
 * Layers whose part in a file is set, when something below them or in them changes.
 */
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/stack/recorded.h"
#include "engine/stack/regenerate.h"

/* --- a new version of a skill ------------------------------------------------------------- */

/* Put a layer on top of another file: what it makes then is in `now` afterwards. */
static int carry_layer(struct session *s, const struct layer *layer, const struct relpath *path,
	struct tx_file *now, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	struct layer_file recorded;
	bool clean, known = layer_get(layer, relpath_view(path), &recorded);

	if (regenerate_get(s, layer, path, &before, &after, err) < 0 ||
		regenerate_carry(now, &before, &after, &made, &clean, err) < 0)
		return -1;
	if (!clean)
		tx_file_copy(&after, &made);
	if (regenerate_set(s, layer->node, path, now, &made, err) < 0)
		return -1;
	/* What is recorded for the file is said by others. */
	if (known)
		layer_set(layer->node, relpath_view(path), &recorded);
	tx_file_copy(&made, now);
	return 0;
}

static int carry_above(struct session *s, const struct layers *layers, size_t below,
	const struct relpath *path, struct tx_file *now, struct error *err)
{
	for (size_t i = below + 1; i < layers->count; i++)
		if (regenerate_has(&layers->list[i], relpath_view(path)) &&
			carry_layer(s, &layers->list[i], path, now, err) < 0)
			return -1;
	return 0;
}

static bool find_skill(const struct layers *layers, const char *skill, size_t *ret_at)
{
	for (size_t i = 0; i < layers->count; i++)
		if (layers->list[i].kind == LAYER_SKILL &&
			!strcmp(layers->list[i].name, skill)) {
			*ret_at = i;
			return true;
		}
	return false;
}

int regenerate_update(struct session *s, const char *skill, const struct relpath *path,
	const struct tx_file *old, struct view theirs, struct yaml_node *entry,
	struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file new = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	bool clean;
	size_t at;

	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	if (!find_skill(&layers, skill, &at) ||
		!regenerate_has(&layers.list[at], relpath_view(path)))
		return 0;
	new.kind = TX_FILE;
	new.mode = old->mode;
	buf_append(&new.content, theirs.data, theirs.len);
	if (regenerate_get(s, &layers.list[at], path, &before, &after, err) < 0 ||
		regenerate_carry(&after, old, &new, &made, &clean, err) < 0)
		return -1;
	/* What is new then comes in with the layer on top: regenerate_settle(). */
	if (!clean)
		tx_file_copy(&after, &made);
	if (regenerate_set(s, entry, path, &before, &made, err) < 0)
		return -1;
	return carry_above(s, &layers, at, path, &made, err);
}

/* --- the end ------------------------------------------------------------------------------ */

/* As it is recorded; false if that is not kept. */
static bool read_recorded(struct session *s, const struct relpath *path,
	const struct layer_file *file, struct tx_file *ret_file)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	ret_file->kind = file->kind;
	ret_file->mode = file->executable ? 0755 : 0644;
	return file->kind == TX_ABSENT ||
	       recorded_find_content(s, path, &file->hash, &ret_file->content, &ignored) == 0;
}

static int settle(struct session *s, const struct layer *layer,
	const struct recorded_file *recorded, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;

	if (relpath_parse(view_of(recorded->path), &path, err) < 0)
		return -1;
	if (!read_recorded(s, &path, &recorded->file, &is))
		return 0;
	if (regenerate_get(s, layer, &path, &before, &after, err) < 0)
		return -1;
	return tx_file_same(&after, &is)
		       ? 0
		       : regenerate_set(s, layer->node, &path, &before, &is, err);
}

/* Does it say already what is recorded? Then nothing has to be read. */
static bool is_settled(const struct layer *layer, const struct recorded_file *recorded)
{
	CLEANUP(freep) char *key = layer_key(view_of(recorded->path));
	const struct yaml_entry *both =
		yaml_find(yaml_get(layer->node, "contents"), view_of(key));
	const struct yaml_node *after = yaml_get(both->value, "after");
	const struct yaml_node *mode = yaml_get(both->value, "after_mode");
	char hex[HASH_HEX_SIZE];

	if (!after || recorded->file.kind == TX_ABSENT)
		return !after && recorded->file.kind == TX_ABSENT;
	hash_to_hex(&recorded->file.hash, hex);
	return view_equal_str(after->text, hex) &&
	       (recorded->file.executable || recorded->file.kind == TX_SYMLINK) ==
		       (mode != NULL);
}

int regenerate_settle(struct session *s, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

	if (recorded_collect(&s->state, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < recorded.count; i++) {
		const struct recorded_file *file = &recorded.files[i];
		const struct layer *layer = &recorded.layers.list[file->layer];

		if (regenerate_has(layer, view_of(file->path)) && !is_settled(layer, file) &&
			settle(s, layer, file, err) < 0)
			return -1;
	}
	return 0;
}
