/*
 * Names in the records of layers, when the core has renamed or deleted a file.
 */
#include <string.h>

#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "engine/update/internal.h"

int core_update_rename(struct state *state, const struct relpath *from,
	const struct relpath *to, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	bool away = false;

	if (layers_read(state, &layers, err) < 0)
		return -1;
	/* Those above one that renames the file itself know its name for it. */
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
		/* A patch knows files by its own names, and path_remap leads on from these. */
		if (layer->kind == LAYER_SKILL || layer->baked)
			record_drop_file(layer->node, relpath_view(path));
		else
			layer_set(layer->node, relpath_view(path), &gone);
	}
	return 0;
}
