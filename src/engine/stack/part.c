#include "engine/stack/part.h"

#include <errno.h>
#include <string.h>

#include "engine/conflict/file_merge.h"
#include "engine/disk/tx_file.h"
#include "engine/package/pack.h"
#include "engine/session/recorded.h"
#include "engine/stack/ancestor.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"

/* --- setting --------------------------------------------------------------------------- */

/* Anything except a file or a link counts as absent. */
static struct layer_file part_side(const struct tx_file *file)
{
	return tx_file_exists(file) ? layer_file_of(file)
				    : (struct layer_file){.kind = TX_ABSENT};
}

int part_set(struct session *s, struct yaml_node *entry, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after, struct error *err)
{
	const struct record_part part = {part_side(before), part_side(after)};

	if (recorded_keep_file(s, before, err) < 0 || recorded_keep_file(s, after, err) < 0)
		return -1;
	record_set_part(entry, relpath_view(path), &part);
	layer_set(entry, relpath_view(path), &part.after);
	return 0;
}

/* --- reading --------------------------------------------------------------------------- */

bool part_has(const struct layer *layer, struct view path)
{
	struct record_part part;

	return record_part(layer->node, path, &part) && !record_patch_file(layer->node);
}

static int part_read_side(struct session *s, const struct relpath *path,
	const struct layer_file *side, struct tx_file *ret_file, struct error *err)
{
	if (recorded_find_file(s, path, side, ret_file, err) < 0)
		return error_hint(
			err, "'nanoclaw verify' says what else is missing or damaged");
	return 0;
}

int part_get(struct session *s, const struct layer *layer, const struct relpath *path,
	struct tx_file *ret_before, struct tx_file *ret_after, struct error *err)
{
	struct record_part part;

	record_part(layer->node, relpath_view(path), &part);
	if (part_read_side(s, path, &part.before, ret_before, err) < 0)
		return -1;
	return part_read_side(s, path, &part.after, ret_after, err);
}

/* --- replaying ------------------------------------------------------------------------- */

static const char *part_version(const struct layer *layer)
{
	const struct yaml_node *version =
		layer->kind == LAYER_SKILL ? yaml_get(layer->node, "version") : NULL;

	return version && version->kind == YAML_SCALAR ? version->text.data : "";
}

int part_stage(struct session *s, const struct layer *layer, const struct relpath *then,
	const struct relpath *now, struct layer_file *ret_made, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	char label[] = "before";
	struct ancestor ancestor = {.label = label};

	if (part_get(s, layer, then, &before, &after, err) < 0 ||
		transaction_read(s->tx, now, &ours, err) < 0)
		return -1;
	ancestor.file = before;
	if (ours.kind == TX_FILE && after.kind == TX_FILE && before.kind != TX_SYMLINK &&
		!tx_file_same(&ours, &before) && !tx_file_same(&ours, &after))
		return file_merge(
			&(struct file_merge){
				.session = s,
				.skill = layer->name,
				.version = part_version(layer),
				.path = now,
				.ours = &ours,
				.ancestor = &ancestor,
				.theirs = view_of_buf(&after.content),
				.theirs_mode = after.mode,
			},
			ret_made, err);
	*ret_made = part_side(&after);
	return tx_file_same(&ours, &after) ? 0 : tx_file_stage(s->tx, now, &after, err);
}

int part_stage_all(struct session *s, const struct layer *layer, struct error *err)
{
	CLEANUP(string_array_release)
	struct string_array paths = record_part_paths(layer->node);

	for (size_t i = 0; i < paths.count; i++) {
		CLEANUP(relpath_release) struct relpath path = relpath_of(paths.list[i]);
		struct layer_file made;

		if (part_stage(s, layer, &path, &path, &made, err) < 0)
			return -1;
	}
	return 0;
}

/* --- the end of an operation ------------------------------------------------------ */

int part_follow_record(struct session *s, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

	if (recorded_collect(&s->state, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < recorded.count; i++) {
		const struct recorded_file *file = &recorded.files[i];
		const struct layer *layer = &recorded.layers.list[file->layer];
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;
		CLEANUP(error_release) struct error lost = ERROR_INIT;
		struct record_part part;

		if (!part_has(layer, view_of(file->path)))
			continue;
		/* If the part matches the record already, nothing has to be read. */
		record_part(layer->node, view_of(file->path), &part);
		if (layer_file_equal(&part.after, &file->file))
			continue;
		if (relpath_parse(view_of(file->path), &path, err) < 0)
			return -1;
		if (recorded_find_file(s, &path, &file->file, &is, &lost) < 0) {
			if (lost.errnum != ENOENT)
				return error_move(err, &lost);
			continue;
		}
		if (part_get(s, layer, &path, &before, &after, err) < 0)
			return -1;
		if (!tx_file_same(&after, &is) &&
			part_set(s, layer->node, &path, &before, &is, err) < 0)
			return -1;
	}
	return 0;
}
