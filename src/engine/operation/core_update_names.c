/*
 * Names in the records of layers, when the core has renamed or deleted a file.
 */
#include <string.h>

#include "engine/operation/core_update_parts.h"
#include "engine/stack/layer.h"

static const char *const mappings[] = {"file_hashes", "modes", "hashes"};
static const char *const lists[] = {
	"files_added", "files_modified", "files_found", "files_deleted"};

static void rename_key(struct yaml_node *mapping, const char *from, const char *to)
{
	struct yaml_entry *entry = mapping && mapping->kind == YAML_MAPPING
					   ? yaml_find(mapping, view_of(from))
					   : NULL;
	struct yaml_node *value = entry ? entry->value : NULL;

	if (!value)
		return;
	yaml_remove(mapping, from);
	yaml_set(mapping, to, value);
}

static void rename_item(struct yaml_node *list, const char *from, const char *to)
{
	for (size_t i = 0; list && list->kind == YAML_SEQUENCE && i < list->count; i++)
		if (list->items[i]->kind == YAML_SCALAR &&
			view_equal_str(list->items[i]->text, from))
			list->items[i] = yaml_new_string(list->doc, to);
}

static void rename_value(
	struct yaml_node *mapping, const char *key, const char *from, const char *to)
{
	const struct yaml_node *value = yaml_get(mapping, key);

	if (value && value->kind == YAML_SCALAR && view_equal_str(value->text, from))
		yaml_set_string(mapping, key, to);
}

/* File operations of a skill that begin at the file. */
static void rename_in_ops(struct yaml_node *entry, const char *from, const char *to)
{
	struct yaml_node *ops = yaml_get(entry, "file_ops");

	for (size_t i = 0; ops && ops->kind == YAML_SEQUENCE && i < ops->count; i++) {
		rename_value(ops->items[i], "from", from, to);
		rename_value(ops->items[i], "path", from, to);
	}
	rename_key(yaml_get(entry, "renames"), from, to);
}

/* A patch knows files by its own names, and path_remap leads on from these. */
static bool has_own_names(const struct layer *layer)
{
	return layer->kind == LAYER_PATCH && !layer->baked;
}

/* True if the layer has renamed the file itself: what comes after knows its own name. */
static bool renames_away(const struct yaml_node *entry, const char *from)
{
	const struct yaml_node *renames = yaml_get(entry, "renames");

	return renames && renames->kind == YAML_MAPPING && yaml_find(renames, view_of(from));
}

void core_update_rename(
	struct state *state, const struct relpath *from, const struct relpath *to)
{
	CLEANUP(error_release) struct error impossible = ERROR_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(freep) char *old = layer_key(relpath_view(from));
	CLEANUP(freep) char *new = layer_key(relpath_view(to));
	bool away = false;

	if (layers_read(state, &layers, &impossible) < 0)
		return; /* it was read when the session began */
	for (size_t i = 0; i < layers.count && !away; i++) {
		struct yaml_node *entry = layers.list[i].node;

		if (entry->kind != YAML_MAPPING)
			continue;
		away = renames_away(entry, old);
		for (size_t j = 0; j < ARRAY_SIZE(mappings); j++)
			rename_key(yaml_get(entry, mappings[j]), old, new);
		for (size_t j = 0; j < ARRAY_SIZE(lists); j++)
			rename_item(yaml_get(entry, lists[j]), old, new);
		if (!has_own_names(&layers.list[i]))
			rename_key(yaml_get(entry, "contents"), old, new);
		rename_in_ops(entry, old, new);
	}
}

static void remove_item(struct yaml_node *list, const char *text)
{
	size_t kept = 0;

	if (!list || list->kind != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i]->kind != YAML_SCALAR ||
			!view_equal_str(list->items[i]->text, text))
			list->items[kept++] = list->items[i];
	list->count = kept;
}

/* The layer does without the file from now on, as if it had been left out. */
static void drop_file(struct yaml_node *entry, const char *key)
{
	struct yaml_node *contents = yaml_get(entry, "contents");

	if (contents && contents->kind == YAML_MAPPING)
		yaml_remove(contents, key);
	for (size_t i = 0; i < ARRAY_SIZE(mappings); i++) {
		struct yaml_node *mapping = yaml_get(entry, mappings[i]);

		if (mapping && mapping->kind == YAML_MAPPING)
			yaml_remove(mapping, key);
	}
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		remove_item(yaml_get(entry, lists[i]), key);
}

int core_update_drop(struct state *state, const struct relpath *path, struct error *err)
{
	const struct layer_file gone = {.kind = TX_ABSENT};
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(freep) char *key = layer_key(relpath_view(path));

	if (layers_read(state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];
		struct layer_file file;

		if (!layer_get(layer, relpath_view(path), &file))
			continue;
		if (!has_own_names(layer))
			drop_file(layer->node, key);
		else
			layer_set(layer->node, relpath_view(path), &gone);
	}
	return 0;
}
