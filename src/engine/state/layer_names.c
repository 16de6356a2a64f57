#include "engine/state/layer_names.h"

#include <stdlib.h>
#include <string.h>

struct relpath layer_known_path(const char *text)
{
	CLEANUP(error_release) struct error impossible = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(text), &path, &impossible) < 0)
		abort();
	return path;
}

static const struct yaml_node *member(const struct layer *layer, const char *key)
{
	return layer->node->kind == YAML_MAPPING ? yaml_get(layer->node, key) : NULL;
}

/* --- renames ----------------------------------------------------------------------------- */

static void add_rename(struct layer_renames *renames, struct view from, struct view to)
{
	CLEANUP(freep) char *old = layer_path(from);
	CLEANUP(freep) char *new = layer_path(to);

	string_array_add(&renames->from, old);
	string_array_add(&renames->to, new);
}

/* Their order is in the list of operations of a skill; a patch has at most one for a file. */
struct layer_renames layer_renames(const struct layer *layer)
{
	const struct yaml_node *ops = member(layer, "file_ops");
	const struct yaml_node *mapping = member(layer, "renames");
	struct layer_renames renames = {0};

	for (size_t i = 0; ops && ops->kind == YAML_SEQUENCE && i < ops->count; i++) {
		const struct yaml_node *from = yaml_get(ops->items[i], "from");
		const struct yaml_node *to = yaml_get(ops->items[i], "to");

		if (from && to)
			add_rename(&renames, from->text, to->text);
	}
	for (size_t i = 0;
		!ops && mapping && mapping->kind == YAML_MAPPING && i < mapping->count; i++)
		add_rename(&renames, mapping->entries[i].key, mapping->entries[i].value->text);
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
	return layer_known_path(name);
}

struct relpath layer_name_above(const struct layer *layer, const struct relpath *path)
{
	CLEANUP(layer_renames_release) struct layer_renames renames = layer_renames(layer);
	const char *name = path->text;

	for (size_t i = 0; i < renames.from.count; i++)
		if (!strcmp(renames.from.list[i], name))
			name = renames.to.list[i];
	return layer_known_path(name);
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
	return layer->skill ||
	       (layer->kind == LAYER_SKILL && member(layer, "updated_from") != NULL);
}

/* --- another name in the record --------------------------------------------------- */

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
	static const char *const lists[] = {
		"files_added", "files_modified", "files_found", "files_deleted"};
	CLEANUP(freep) char *old = layer_key(relpath_view(from));
	CLEANUP(freep) char *new = layer_key(relpath_view(to));
	struct yaml_node *entry = layer->node;

	if (entry->kind != YAML_MAPPING)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(mappings); i++)
		rename_key(yaml_get(entry, mappings[i]), old, new);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		rename_item(yaml_get(entry, lists[i]), old, new);
	if (layer->kind == LAYER_SKILL || layer->baked)
		rename_key(yaml_get(entry, "contents"), old, new);
	else if (moves)
		move_in_patch(entry, old, new);
	rename_in_ops(entry, old, new);
}
