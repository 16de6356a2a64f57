#include "engine/state/layer_names.h"

#include <stdlib.h>
#include <string.h>

#include "engine/state/record.h"

/* --- renames ----------------------------------------------------------------------------- */

struct layer_renames layer_renames_at(const struct yaml_node *node, const char *key)
{
	const struct yaml_node *mapping = yaml_get_kind(node, key, YAML_MAPPING);
	struct layer_renames renames = {0};

	for (size_t i = 0; i < mapping->count; i++) {
		CLEANUP(freep) char *from = layer_path(mapping->entries[i].key);
		CLEANUP(freep) char *to = layer_path(mapping->entries[i].value->text);

		string_array_add(&renames.from, from);
		string_array_add(&renames.to, to);
	}
	return renames;
}

/* Their order is in the list of operations of a skill; a patch has at most one for a file. */
struct layer_renames layer_renames(const struct layer *layer)
{
	CLEANUP(record_ops_release) struct record_ops ops = record_ops(layer->node);
	struct layer_renames renames = {0};

	if (!ops.count)
		return layer_renames_at(layer->node, "renames");
	for (size_t i = 0; i < ops.count; i++)
		if (ops.list[i].type == FILE_OP_RENAME) {
			string_array_add(&renames.from, ops.list[i].from.text);
			string_array_add(&renames.to, ops.list[i].to.text);
		}
	return renames;
}

void layer_renames_release(struct layer_renames *renames)
{
	string_array_release(&renames->from);
	string_array_release(&renames->to);
}

struct relpath layer_name_below(const struct layer *layer, const struct relpath *path)
{
	CLEANUP(layer_renames_release) struct layer_renames renames = layer_renames(layer);
	const char *name = path->text;

	for (size_t i = renames.to.count; i > 0; i--)
		if (!strcmp(renames.to.list[i - 1], name))
			name = renames.from.list[i - 1];
	return relpath_of(name);
}

struct relpath layer_name_above(const struct layer *layer, const struct relpath *path)
{
	CLEANUP(layer_renames_release) struct layer_renames renames = layer_renames(layer);
	const char *name = path->text;

	for (size_t i = 0; i < renames.from.count; i++)
		if (!strcmp(renames.from.list[i], name))
			name = renames.to.list[i];
	return relpath_of(name);
}

struct relpath layer_name_at(
	const struct state *state, const struct layer *layer, const struct relpath *path)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct relpath name = relpath_copy(path);

	if (layers_read(state, &layers, &ignored) < 0)
		return name;
	for (size_t i = layers.count; i > 0 && layers.list[i - 1].node != layer->node; i--) {
		struct relpath below = layer_name_below(&layers.list[i - 1], &name);

		relpath_release(&name);
		name = below;
	}
	return name;
}

bool layer_renames_away(const struct layer *layer, const struct relpath *path)
{
	CLEANUP(relpath_release) struct relpath above = layer_name_above(layer, path);

	return relpath_compare(&above, path) != 0;
}

bool layer_has_later_names(const struct layer *layer)
{
	return layer->skill || (layer->kind == LAYER_SKILL && record_was_updated(layer->node));
}

/* --- another name in the record --------------------------------------------------- */

static void rename_key(struct yaml_node *mapping, const char *from, const char *to)
{
	struct yaml_node *value = yaml_get(mapping, from);

	if (!value)
		return;
	yaml_remove(mapping, from);
	yaml_set(mapping, to, value);
}

static void rename_value(
	struct yaml_node *mapping, const char *key, const char *from, const char *to)
{
	const struct yaml_node *value = yaml_get(mapping, key);

	if (value && value->kind == YAML_SCALAR && view_equal_str(value->text, from))
		yaml_set_string(mapping, key, to);
}

/* A file of a patch, under its own name there. */
static void move_in_patch(struct yaml_node *entry, const char *from, const char *to)
{
	const struct yaml_node *contents = yaml_get(entry, "contents");
	const struct yaml_node *moved = yaml_get(entry, "moved");

	for (size_t i = 0; contents && contents->kind == YAML_MAPPING && i < contents->count;
		i++) {
		struct view key = contents->entries[i].key;
		const struct yaml_entry *now = moved ? yaml_find(moved, key) : NULL;

		if (view_equal_str(now ? now->value->text : key, from))
			yaml_set_view(yaml_need(entry, "moved", YAML_MAPPING), key,
				yaml_new_string(entry->doc, to));
	}
}

void layer_rename_file(
	struct layer *layer, const struct relpath *from, const struct relpath *to, bool moves)
{
	static const char *const mappings[] = {"file_hashes", "modes", "hashes"};
	static const char *const lists[] = {"files_added", "files_modified", "files_found",
		"files_deleted", "files_unsplit"};
	CLEANUP(freep) char *old = layer_key(relpath_view(from));
	CLEANUP(freep) char *new = layer_key(relpath_view(to));
	struct yaml_node *entry = layer->node;
	const struct yaml_node *ops;

	if (entry->kind != YAML_MAPPING)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(mappings); i++)
		rename_key(yaml_get(entry, mappings[i]), old, new);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		const struct yaml_node *list = yaml_get_kind(entry, lists[i], YAML_SEQUENCE);

		for (size_t j = 0; j < list->count; j++)
			if (list->items[j]->kind == YAML_SCALAR &&
				view_equal_str(list->items[j]->text, old))
				list->items[j] = yaml_new_string(list->doc, new);
	}
	if (layer->kind == LAYER_SKILL || layer->baked)
		rename_key(yaml_get(entry, "contents"), old, new);
	else if (moves)
		move_in_patch(entry, old, new);
	/* File operations of a skill that begin at the file. */
	ops = yaml_get_kind(entry, "file_ops", YAML_SEQUENCE);
	for (size_t i = 0; i < ops->count; i++) {
		rename_value(ops->items[i], "from", old, new);
		rename_value(ops->items[i], "path", old, new);
	}
	rename_key(yaml_get(entry, "renames"), old, new);
}
