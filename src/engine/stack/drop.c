#include "engine/stack/drop.h"

#include <stdlib.h>
#include <string.h>

#include "engine/state/layer_list.h"
#include "engine/state/layer_names.h"
#include "engine/state/remap.h"

bool stack_drop_has(const struct stack_drop *drop, const struct layer *layer)
{
	const char *skill = layer->kind == LAYER_SKILL ? layer->name : layer->skill;

	if (drop->patches)
		return layer->kind == LAYER_PATCH;
	if (drop->patch)
		return layer->kind == LAYER_PATCH && !strcmp(layer->name, drop->patch);
	return skill && string_array_has(&drop->skills, skill);
}

const char *stack_drop_subject(const struct stack_drop *drop)
{
	return drop->patch ? drop->patch : drop->skills.list[0];
}

struct relpath stack_drop_name_now(const struct stack_drop *drop, const struct relpath *then)
{
	const char *name = then->text;

	for (size_t i = drop->to.count; i > 0; i--)
		if (!strcmp(drop->to.list[i - 1], name))
			name = drop->from.list[i - 1];
	return layer_known_path(name);
}

/* Layers above a rename know the file by its new name; those recorded later, too. */
static int rename_files(struct session *s, const struct stack_drop *drop, size_t dropped,
	const struct relpath *from, const struct relpath *to, struct error *err)
{
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	bool away = false;

	if (layers_read(&s->state, &now, err) < 0)
		return -1;
	for (size_t i = 0; i < drop->layers.count && !away; i++) {
		struct layer *layer;

		if (stack_drop_has(drop, &drop->layers.list[i]) ||
			(i < dropped && !layer_has_later_names(&drop->layers.list[i])))
			continue;
		layer = &now.list[drop->index[i]];
		away = i > dropped && layer_renames_away(layer, to);
		layer_rename_file(layer, to, from, true);
	}
	return 0;
}

static int undo_renames(struct session *s, struct stack_drop *drop, struct error *err)
{
	for (size_t i = drop->layers.count; i > 0; i--) {
		const struct layer *layer = &drop->layers.list[i - 1];
		CLEANUP(layer_renames_release) struct layer_renames renames = {0};

		if (!stack_drop_has(drop, layer))
			continue;
		renames = layer_renames(layer);
		for (size_t j = renames.to.count; j > 0; j--) {
			CLEANUP(relpath_release)
			struct relpath from = layer_known_path(renames.from.list[j - 1]);
			CLEANUP(relpath_release)
			struct relpath to = layer_known_path(renames.to.list[j - 1]);

			if (rename_files(s, drop, i - 1, &from, &to, err) < 0)
				return -1;
		}
	}
	return 0;
}

static void note_renames(struct stack_drop *drop)
{
	for (size_t i = 0; i < drop->layers.count; i++) {
		CLEANUP(layer_renames_release) struct layer_renames renames = {0};

		if (!stack_drop_has(drop, &drop->layers.list[i]))
			continue;
		renames = layer_renames(&drop->layers.list[i]);
		for (size_t j = 0; j < renames.to.count; j++) {
			string_array_add(&drop->from, renames.from.list[j]);
			string_array_add(&drop->to, renames.to.list[j]);
		}
	}
}

/* Where each layer is now. A patch of v0.1 has no entry of its own to know it by. */
static int find_layers(struct session *s, struct stack_drop *drop, const struct layers *then,
	struct error *err)
{
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	size_t next = 0;

	if (layers_read(&s->state, &now, err) < 0)
		return -1;
	drop->index = xcalloc(then->count + 1, sizeof(*drop->index));
	for (size_t i = 0; i < then->count; i++) {
		drop->index[i] = next;
		for (size_t j = 0; j < now.count; j++)
			if (now.list[j].node == then->list[i].node)
				drop->index[i] = j;
		next += !stack_drop_has(drop, &then->list[i]);
	}
	return 0;
}

int stack_drop(struct session *s, struct stack_drop *drop, struct error *err)
{
	CLEANUP(layers_release) struct layers then = LAYERS_INIT;

	if (state_from_node(s->state.doc->root, &drop->before, err) < 0 ||
		layers_read(&drop->before, &drop->layers, err) < 0 ||
		layers_read(&s->state, &then, err) < 0)
		return -1;
	note_renames(drop);
	if (drop->patches)
		layers_drop_patches(&s->state);
	else if (!drop->patch)
		layers_drop_skills(&s->state, &drop->skills);
	for (size_t i = 0; drop->patch && i < then.count; i++)
		if (stack_drop_has(drop, &then.list[i]))
			layers_drop_patch(&s->state, then.list[i].node);
	if (find_layers(s, drop, &then, err) < 0 || undo_renames(s, drop, err) < 0)
		return -1;
	return drop->to.count ? remap_rebuild(&s->state, &drop->layers, err) : 0;
}

void stack_drop_release(struct stack_drop *drop)
{
	string_array_release(&drop->skills);
	free(drop->patch);
	layers_release(&drop->layers);
	state_release(&drop->before);
	free(drop->index);
	string_array_release(&drop->from);
	string_array_release(&drop->to);
}
