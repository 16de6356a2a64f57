#include "engine/stack/file_ops_record.h"

#include <errno.h>
#include <string.h>

#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"

static const struct layer_file nothing = {.kind = TX_ABSENT};

/* --- rename ------------------------------------------------------------------------------ */

/* How the file is supposed to be, with its content where that is still kept. */
static int find_recorded(struct session *s, const struct relpath *path,
	const struct tx_file *found, struct layer_file *ret_file, struct tx_file *ret_content,
	struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct layer own = {.node = s->layer};
	const struct recorded_file *file;

	/* An earlier operation of the same skill: its content is kept already. */
	if (layer_get(&own, relpath_view(path), ret_file))
		return 0;
	if (recorded_collect(&s->state, &recorded, err) < 0)
		return -1;
	file = recorded_find(&recorded, relpath_view(path));
	if (file) {
		*ret_file = file->file;
		if (recorded_read(s, &recorded, path, ret_content, &local) == 0)
			return 0;
		ret_content->kind = TX_ABSENT;
		return local.errnum == ENOENT ? 0 : error_move(err, &local);
	}
	if (origin_read_base(s, path, ret_content, NULL, err) < 0)
		return -1;
	/* The file belonged to no layer; from now on its present content is recorded. */
	if (!tx_file_exists(ret_content)) {
		buf_append(&ret_content->content, found->content.data, found->content.len);
		ret_content->kind = found->kind;
		ret_content->mode = found->mode;
	}
	*ret_file = layer_file_of(ret_content);
	return 0;
}

/* Give the layers above the file's new name. */
static int rename_above(struct session *s, const char *skill, const struct relpath *from,
	const struct relpath *to, const struct layer_file *recorded, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(relpath_release) struct relpath below = RELPATH_INIT;
	size_t at = 0;
	bool away = false;

	if (!state_find(&s->state, skill))
		return 0;
	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	while (layers.list[at].kind != LAYER_SKILL || strcmp(layers.list[at].name, skill) != 0)
		at++;
	/* As if the version before had done it, too: until the new one is recorded, it has its place. */
	below = layer_name_below(&layers.list[at], from);
	layer_rename_file(&layers.list[at], from, to, false);
	if (relpath_compare(&below, from) == 0)
		record_add_op(layers.list[at].node, from, to);
	/* Layers above one that renames the file itself use that layer's name for it. */
	for (size_t i = at + 1; i < layers.count && !away; i++) {
		struct layer *layer = &layers.list[i];
		struct layer_file file;

		away = layer_renames_away(layer, from);
		layer_rename_file(layer, from, to, false);
		if (!layer_get(layer, relpath_view(to), &file))
			continue;
		/* It may have deleted another file of that name, or this one had it before. */
		if (file.kind == TX_ABSENT && layer_renames_away(layer, to))
			file = *recorded;
		layer_set(layer->node, relpath_view(to), &file);
	}
	return 0;
}

int file_ops_record_rename(struct session *s, const char *skill, const struct relpath *from,
	const struct relpath *to, const struct tx_file *file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file content = TX_FILE_INIT;
	struct layer_file recorded;

	if (find_recorded(s, from, file, &recorded, &content, err) < 0)
		return -1;
	/* The base has it under another name, where it would not be found. */
	if (content.kind != TX_ABSENT &&
		recorded_keep(s, view_of_buf(&content.content), err) < 0)
		return -1;
	layer_set(s->layer, relpath_view(from), &nothing);
	layer_set(s->layer, relpath_view(to), &recorded);
	record_add_op(s->layer, from, to);
	if (rename_above(s, skill, from, to, &recorded, err) < 0)
		return -1;
	remap_add(&s->state, from, to);
	return 0;
}

/* --- delete ------------------------------------------------------------------------------- */

int file_ops_record_delete(
	struct session *s, const char *skill, const struct relpath *path, struct error *err)
{
	struct layer own = {.node = s->layer};
	struct layer_file before;

	/* As the version before has done it. */
	if (layer_get(&own, relpath_view(path), &before) && before.kind == TX_ABSENT)
		return 0;
	layer_set(s->layer, relpath_view(path), &nothing);
	record_add_op(s->layer, path, NULL);
	if (!state_find(&s->state, skill))
		return 0;
	return layers_note(&s->state, skill, relpath_view(path), &nothing, err);
}

int file_ops_record_resolved(
	struct state *state, const char *skill, const struct relpath *path, struct error *err)
{
	const struct applied_skill *applied = state_find(state, skill);

	if (applied)
		record_add_op(applied->node, path, NULL);
	return state_record_resolved(state, skill, path, &nothing, err);
}

/* --- updates ---------------------------------------------------------------------- */

/* Does the new version ask for it again? */
static bool is_asked_for(
	struct session *s, const struct manifest *manifest, const struct file_op *done)
{
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		const struct file_op *op = &manifest->file_ops[i];
		CLEANUP(relpath_release) struct relpath real = origin_resolve(s, &op->from);

		if (op->type == FILE_OP_DELETE
				? relpath_compare(&real, &done->from) == 0
				: done->to.text &&
					  (relpath_compare(&op->to, &done->to) == 0 ||
						  relpath_compare(&real, &done->to) == 0))
			return true;
	}
	return false;
}

static void record_again(struct session *s, const struct layer *old,
	const struct manifest *manifest, const struct file_op *op)
{
	bool is_rename = op->type == FILE_OP_RENAME;
	struct layer_file file = {.kind = TX_ABSENT};

	record_add_op(s->layer, &op->from, is_rename ? &op->to : NULL);
	layer_set(s->layer, relpath_view(&op->from), &nothing);
	if (is_rename) {
		if (layer_get(old, relpath_view(&op->to), &file))
			layer_set(s->layer, relpath_view(&op->to), &file);
		if (file.kind == TX_ABSENT)
			return;
	} else if (layer_get(old, relpath_view(&op->from), &file) && file.kind != TX_ABSENT) {
		/* A skill below was told to restore it. */
		layer_set(s->layer, relpath_view(&op->from), &file);
		return;
	}
	if (is_asked_for(s, manifest, op))
		return;
	if (is_rename)
		session_warn(s,
			"%s %s no longer renames '%s'; the file stays '%s', as the previous "
			"version left it",
			manifest->skill, manifest->version, op->from.text, op->to.text);
	else
		session_warn(s,
			"%s %s no longer deletes '%s'; it stays deleted, as the previous version "
			"left it",
			manifest->skill, manifest->version, op->from.text);
}

void file_ops_record_again(struct session *s, const struct manifest *manifest)
{
	const struct applied_skill *applied = state_find(&s->state, manifest->skill);
	struct layer old = {.node = applied ? applied->node : NULL};
	CLEANUP(record_ops_release) struct record_ops ops = record_ops(old.node);

	for (size_t i = 0; i < ops.count; i++)
		record_again(s, &old, manifest, &ops.list[i]);
}
