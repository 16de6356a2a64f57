/*
 * Names in the records of layers, when the core has renamed or deleted a file.
 */
#include <string.h>

#include "engine/state/layer_names.h"
#include "engine/update/internal.h"

static const char *const mappings[] = {"file_hashes", "modes", "hashes"};
static const char *const lists[] = {
	"files_added", "files_modified", "files_found", "files_deleted"};

/* A patch knows files by its own names, and path_remap leads on from these. */
static bool has_own_names(const struct layer *layer)
{
	return layer->kind == LAYER_PATCH && !layer->baked;
}

void core_update_rename(
	struct state *state, const struct relpath *from, const struct relpath *to)
{
	CLEANUP(error_release) struct error impossible = ERROR_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	bool away = false;

	if (layers_read(state, &layers, &impossible) < 0)
		return; /* it was read when the session began */
	/* Those above one that renames the file itself know its name for it. */
	for (size_t i = 0; i < layers.count && !away; i++) {
		away = layer_renames_away(&layers.list[i], from);
		layer_rename_file(&layers.list[i], from, to, false);
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
