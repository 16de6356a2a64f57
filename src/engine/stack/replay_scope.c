/*
 * What has to be made again where some layers are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "engine/stack/remap.h"
#include "engine/stack/replay_parts.h"

/* --- sorted sets of paths ------------------------------------------------------------- */

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_once(struct string_array *array)
{
	size_t kept = 0;

	if (array->count)
		qsort(array->list, array->count, sizeof(*array->list), compare_text);
	for (size_t i = 0; i < array->count; i++) {
		if (kept && !strcmp(array->list[kept - 1], array->list[i]))
			free(array->list[i]);
		else
			array->list[kept++] = array->list[i];
	}
	array->count = kept;
}

bool replay_has(const struct replay *replay, struct view path)
{
	CLEANUP(freep) char *text = xmemdupz(path.data, path.len);

	return replay->paths.count && bsearch(&text, replay->paths.list, replay->paths.count,
					      sizeof(*replay->paths.list), compare_text);
}

bool replay_leaves_out(const struct replay *replay, const struct layer *layer)
{
	const char *skill = layer->kind == LAYER_SKILL ? layer->name : layer->skill;

	return skill && string_array_has(&replay->left_out, skill);
}

/* --- renames -------------------------------------------------------------------------- */

static const struct yaml_node *renames_of(const struct layer *layer)
{
	const struct yaml_node *node = yaml_get(layer->node, "renames");

	return node && node->kind == YAML_MAPPING ? node : NULL;
}

static void note_rename(struct replay *replay, struct view from, struct view to)
{
	GROW(replay->renames, replay->rename_count, replay->rename_cap);
	replay->renames[replay->rename_count++] =
		(struct replay_rename){layer_path(from), layer_path(to)};
}

/* In their order, which only the list of operations of a skill knows. */
static void note_renames(struct replay *replay, const struct layer *layer)
{
	const struct yaml_node *renames = renames_of(layer);
	const struct yaml_node *ops = yaml_get(layer->node, "file_ops");

	for (size_t i = 0; ops && ops->kind == YAML_SEQUENCE && i < ops->count; i++) {
		const struct yaml_node *from = yaml_get(ops->items[i], "from");
		const struct yaml_node *to = yaml_get(ops->items[i], "to");

		if (from && to)
			note_rename(replay, from->text, to->text);
	}
	for (size_t i = 0; !ops && renames && i < renames->count; i++)
		note_rename(replay, renames->entries[i].key, renames->entries[i].value->text);
}

/* Names in the state were checked when it was read. */
static struct relpath known_path(const char *text)
{
	CLEANUP(error_release) struct error impossible = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(text), &path, &impossible) < 0)
		abort();
	return path;
}

struct relpath replay_name_now(const struct replay *replay, const struct relpath *old)
{
	const char *name = old->text;

	for (size_t i = replay->rename_count; i > 0; i--)
		if (!strcmp(replay->renames[i - 1].to, name))
			name = replay->renames[i - 1].from;
	return known_path(name);
}

struct relpath replay_name_then(const struct replay *replay, const struct relpath *now)
{
	const char *name = now->text;

	for (size_t i = 0; i < replay->rename_count; i++)
		if (!strcmp(replay->renames[i].from, name))
			name = replay->renames[i].to;
	return known_path(name);
}

struct relpath replay_name_below(const struct layer *layer, const struct relpath *path)
{
	CLEANUP(replay_release) struct replay only = REPLAY_INIT;

	note_renames(&only, layer);
	return replay_name_now(&only, path);
}

struct relpath replay_name_at(
	const struct replay *replay, const struct layer *layer, const struct relpath *path)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct relpath name = relpath_copy(path);

	if (layers_read(&replay->old, &layers, &ignored) < 0)
		return name;
	for (size_t i = layers.count; i > 0 && layers.list[i - 1].node != layer->node; i--) {
		struct relpath below;

		if (replay_leaves_out(replay, &layers.list[i - 1]))
			continue;
		below = replay_name_below(&layers.list[i - 1], &name);
		relpath_release(&name);
		name = below;
	}
	return name;
}

/* Both names of a file, or neither. True if that was new. */
static bool add_pair(struct replay *replay, struct view from, struct view to)
{
	CLEANUP(freep) char *old = layer_path(from);
	CLEANUP(freep) char *new = layer_path(to);
	bool has_old = replay_has(replay, view_of(old));
	bool has_new = replay_has(replay, view_of(new));

	if (has_old == has_new)
		return false;
	string_array_add(&replay->paths, has_old ? new : old);
	sort_once(&replay->paths);
	return true;
}

static bool add_pairs(struct replay *replay, const struct yaml_node *mapping)
{
	bool more = false;

	for (size_t i = 0; mapping && mapping->kind == YAML_MAPPING && i < mapping->count; i++)
		more |= add_pair(
			replay, mapping->entries[i].key, mapping->entries[i].value->text);
	return more;
}

static void close_over_renames(struct replay *replay, const struct layers *layers)
{
	const struct yaml_node *remap = yaml_get(replay->old.doc->root, "path_remap");
	bool more = true;

	while (more) {
		more = add_pairs(replay, remap);
		for (size_t i = 0; i < layers->count; i++)
			more |= add_pairs(replay, renames_of(&layers->list[i]));
	}
}

/* --- the scope ------------------------------------------------------------------------ */

static bool is_in_scope(const struct replay *replay, const struct layer *layer)
{
	return replay->all || replay_leaves_out(replay, layer);
}

struct adding {
	struct replay *replay;
	const struct layer *layer;
};

/* Entries of a structured file are taken out in another way; text is not. */
static bool is_only_structured(const struct layer *layer, struct view path)
{
	CLEANUP(freep) char *text = xmemdupz(path.data, path.len);
	CLEANUP(freep) char *key = layer_key(path);
	const struct yaml_node *hashes = yaml_get(layer->node, "hashes");

	return layer->kind == LAYER_SKILL && structured_format_of(text) &&
	       !(hashes && yaml_find(hashes, view_of(key)));
}

static void add_path(struct view path, const struct layer_file *file, void *data)
{
	struct adding *a = data;
	CLEANUP(freep) char *text = xmemdupz(path.data, path.len);

	(void)file;
	if (a->replay->all || !is_only_structured(a->layer, path))
		string_array_add(&a->replay->paths, text);
}

int replay_find_scope(struct replay *replay, const struct layers *layers, struct error *err)
{
	(void)err;
	for (size_t i = 0; i < layers->count; i++) {
		struct adding a = {replay, &layers->list[i]};

		if (!is_in_scope(replay, &layers->list[i]))
			continue;
		layer_each(&layers->list[i], add_path, &a);
		if (replay_leaves_out(replay, &layers->list[i]))
			note_renames(replay, &layers->list[i]);
	}
	for (size_t i = 0; i < replay->only.count; i++)
		string_array_add(&replay->paths, replay->only.list[i]);
	sort_once(&replay->paths);
	close_over_renames(replay, layers);
	return 0;
}

struct looking {
	const struct replay *replay;
	bool found;
};

static void look_at(struct view path, const struct layer_file *file, void *data)
{
	struct looking *l = data;

	(void)file;
	l->found = l->found || replay_has(l->replay, path);
}

bool replay_concerns(const struct replay *replay, const struct layer *layer)
{
	struct looking l = {replay, false};

	layer_each(layer, look_at, &l);
	return l.found;
}

/* --- path_remap ------------------------------------------------------------------------- */

/* Did some layer rename the file away from this name? Else the core did. */
static bool is_renamed_by_layer(const struct layers *layers, struct view key)
{
	for (size_t i = 0; i < layers->count; i++) {
		const struct yaml_node *renames = renames_of(&layers->list[i]);

		if (renames && yaml_find(renames, key))
			return true;
	}
	return false;
}

/* Where the core itself has the file that is at `to` now. */
static struct view without_layers(const struct layers *layers, struct view to)
{
	for (size_t i = layers->count; i > 0; i--) {
		const struct yaml_node *renames = renames_of(&layers->list[i - 1]);

		for (size_t j = 0; renames && j < renames->count; j++)
			if (view_equal(renames->entries[j].value->text, to))
				to = renames->entries[j].key;
	}
	return to;
}

void replay_reset_remap(
	const struct replay *replay, const struct layers *layers, struct state *state)
{
	const struct yaml_node *old = yaml_get(replay->old.doc->root, "path_remap");
	struct yaml_node *core = yaml_new_mapping(state->doc);

	for (size_t i = 0; old && old->kind == YAML_MAPPING && i < old->count; i++) {
		const struct yaml_entry *entry = &old->entries[i];
		struct view to = without_layers(layers, entry->value->text);

		if (!is_renamed_by_layer(layers, entry->key) && !view_equal(to, entry->key))
			yaml_set_view(core, entry->key, yaml_new_string_view(state->doc, to));
	}
	yaml_remove(state->doc->root, "path_remap");
	if (core->count)
		yaml_set(state->doc->root, "path_remap", core);
}
