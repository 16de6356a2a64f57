#include "engine/stack/file_ops_record.h"

#include <errno.h>
#include <string.h>

#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/state/layer.h"
#include "engine/state/remap.h"

static const struct layer_file nothing = {.kind = TX_ABSENT};

static struct yaml_node *path_node(struct yaml_doc *doc, const struct relpath *path)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(path));

	return yaml_new_string(doc, key);
}

static void list_op(struct yaml_node *entry, const char *type, const struct relpath *from,
	const struct relpath *to)
{
	struct yaml_node *op = yaml_new_mapping(entry->doc);

	yaml_set(op, "type", yaml_new_string(entry->doc, type));
	yaml_set(op, to ? "from" : "path", path_node(entry->doc, from));
	if (to)
		yaml_set(op, "to", path_node(entry->doc, to));
	yaml_append(yaml_need(entry, "file_ops", YAML_SEQUENCE), op);
}

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
		return local.errnum == ENOENT ? 0
					      : error_set(err, local.kind, "%s", local.message);
	}
	if (origin_read_base(s, path, ret_content, NULL, err) < 0)
		return -1;
	/* Nobody's file so far: from now on it counts as it is. */
	if (ret_content->kind != TX_FILE && ret_content->kind != TX_SYMLINK) {
		buf_append(&ret_content->content, found->content.data, found->content.len);
		ret_content->kind = found->kind;
		ret_content->mode = found->mode;
	}
	*ret_file = layer_file_of(ret_content);
	return 0;
}

static void rename_key(struct yaml_node *mapping, const char *from, const char *to)
{
	struct yaml_node *value = mapping ? yaml_get(mapping, from) : NULL;

	if (!value)
		return;
	yaml_remove(mapping, from);
	yaml_set(mapping, to, value);
}

static void rename_item(struct yaml_node *list, const char *from, const char *to)
{
	for (size_t i = 0; list && list->kind == YAML_SEQUENCE && i < list->count; i++)
		if (view_equal_str(list->items[i]->text, from))
			list->items[i] = yaml_new_string(list->doc, to);
}

/* The layers above made what they made of the file under its new name. */
static int rename_above(struct session *s, const char *skill, const struct relpath *from,
	const struct relpath *to, struct error *err)
{
	static const char *const mappings[] = {"file_hashes", "hashes", "modes"};
	static const char *const lists[] = {"files_added", "files_modified"};
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(freep) char *old = layer_key(relpath_view(from));
	CLEANUP(freep) char *new = layer_key(relpath_view(to));

	if (!state_find(&s->state, skill))
		return 0;
	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	for (size_t i = layers.count; i > 0; i--) {
		struct layer *layer = &layers.list[i - 1];
		struct layer_file file;
		bool has_it;

		if (layer->kind == LAYER_SKILL && !strcmp(layer->name, skill))
			break;
		has_it = layer_get(layer, relpath_view(from), &file) && file.kind != TX_ABSENT;
		for (size_t j = 0; j < ARRAY_SIZE(mappings); j++)
			rename_key(yaml_get(layer->node, mappings[j]), old, new);
		for (size_t j = 0; j < ARRAY_SIZE(lists); j++)
			rename_item(yaml_get(layer->node, lists[j]), old, new);
		/* It may have renamed the file away from there itself. */
		if (has_it)
			layer_set(layer->node, relpath_view(to), &file);
	}
	return 0;
}

static void note_rename(
	struct yaml_node *entry, const struct relpath *from, const struct relpath *to)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(from));

	yaml_set(yaml_need(entry, "renames", YAML_MAPPING), key, path_node(entry->doc, to));
}

int file_ops_record_rename(struct session *s, const char *skill, const struct relpath *from,
	const struct relpath *to, const struct tx_file *file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file content = TX_FILE_INIT;
	struct layer_file recorded;

	if (find_recorded(s, from, file, &recorded, &content, err) < 0)
		return -1;
	/* The base has it under another name, where nobody looks. */
	if (content.kind != TX_ABSENT &&
		recorded_keep(s, view_of_buf(&content.content), err) < 0)
		return -1;
	layer_set(s->layer, relpath_view(from), &nothing);
	layer_set(s->layer, relpath_view(to), &recorded);
	note_rename(s->layer, from, to);
	list_op(s->layer, "rename", from, to);
	if (rename_above(s, skill, from, to, err) < 0)
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
	list_op(s->layer, "delete", path, NULL);
	if (!state_find(&s->state, skill))
		return 0;
	return layers_note(&s->state, skill, relpath_view(path), &nothing, err);
}

int file_ops_record_settled(
	struct state *state, const char *skill, const struct relpath *path, struct error *err)
{
	const struct applied_skill *applied = state_find(state, skill);

	if (applied)
		list_op(applied->node, "delete", path, NULL);
	return state_settle(state, skill, path, &nothing, err);
}

/* --- updates ---------------------------------------------------------------------- */

/* Does the new version ask for it again? */
static bool is_asked_for(
	struct session *s, const struct manifest *manifest, const char *from, const char *to)
{
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		const struct file_op *op = &manifest->file_ops[i];
		CLEANUP(relpath_release) struct relpath real = session_resolve(s, &op->from);

		if (op->type == FILE_OP_DELETE
				? !strcmp(real.text, from)
				: !strcmp(op->to.text, to) || !strcmp(real.text, to))
			return true;
	}
	return false;
}

static struct view member(const struct yaml_node *op, const char *key)
{
	const struct yaml_node *node = yaml_get(op, key);

	return node && node->kind == YAML_SCALAR ? node->text : view_of("");
}

static void record_again(struct session *s, const struct layer *old,
	const struct manifest *manifest, const struct yaml_node *op)
{
	bool is_rename = view_equal_str(member(op, "type"), "rename");
	CLEANUP(freep) char *from = layer_path(member(op, is_rename ? "from" : "path"));
	CLEANUP(freep) char *to = layer_path(member(op, "to"));
	struct layer_file file = {.kind = TX_ABSENT};

	if (!*from || (is_rename && !*to))
		return;
	yaml_append(
		yaml_need(s->layer, "file_ops", YAML_SEQUENCE), yaml_copy(s->layer->doc, op));
	layer_set(s->layer, view_of(from), &nothing);
	if (is_rename) {
		CLEANUP(freep) char *key = layer_key(view_of(from));

		yaml_set(yaml_need(s->layer, "renames", YAML_MAPPING), key,
			yaml_new_string_view(s->layer->doc, member(op, "to")));
		if (layer_get(old, view_of(to), &file))
			layer_set(s->layer, view_of(to), &file);
		if (file.kind == TX_ABSENT)
			return;
	}
	if (is_asked_for(s, manifest, from, to))
		return;
	if (is_rename)
		session_warn(s,
			"%s %s does not rename '%s' any more; the file stays '%s', as the "
			"version before made it",
			manifest->skill, manifest->version, from, to);
	else
		session_warn(s,
			"%s %s does not delete '%s' any more; it stays deleted, as the version "
			"before left it",
			manifest->skill, manifest->version, from);
}

int file_ops_record_again(struct session *s, const struct manifest *manifest, struct error *err)
{
	const struct applied_skill *applied = state_find(&s->state, manifest->skill);
	struct layer old = {.node = applied ? applied->node : NULL};
	const struct yaml_node *ops;

	if (!applied || applied->node->kind != YAML_MAPPING)
		return 0;
	ops = yaml_get(applied->node, "file_ops");
	if (!ops || yaml_is_null(ops))
		return 0;
	if (yaml_expect(ops, YAML_SEQUENCE, "'file_ops'", err) < 0)
		return -1;
	for (size_t i = 0; i < ops->count; i++)
		record_again(s, &old, manifest, ops->items[i]);
	return 0;
}
