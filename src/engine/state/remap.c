#include "engine/state/remap.h"

#include <stdlib.h>
#include <string.h>

#include "engine/state/layer_names.h"
#include "engine/state/record.h"

#define KEY "path_remap"

/* --- reading ----------------------------------------------------------------------- */

static const struct yaml_node *remap_mapping(const struct state *state)
{
	const struct yaml_node *node = yaml_get(state->doc->root, KEY);

	return node && node->kind == YAML_MAPPING ? node : NULL;
}

/* The path that one entry leads to, or NULL. */
static const struct yaml_entry *remap_entry(const struct yaml_node *mapping, struct view path)
{
	CLEANUP(freep) char *key = layer_key(path);

	return mapping ? yaml_find(mapping, view_of(key)) : NULL;
}

static char *remap_target(const struct yaml_entry *entry)
{
	return layer_path(entry->value->text);
}

static int remap_check_path(const struct yaml_node *mapping, struct view text,
	struct yaml_place at, struct error *err)
{
	CLEANUP(freep) char *plain = layer_path(text);
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *shown = NULL;

	if (relpath_parse(view_of(plain), &path, &local) < 0)
		return yaml_error_at(mapping->doc, at, err, "'" KEY "': %s", local.message);
	shown = relpath_quote(&path);
	if (!layer_may_record(&path))
		return yaml_error_at(mapping->doc, at, err,
			"'" KEY "': %s is not a path that a skill may touch", shown);
	return 0;
}

/* Does the chain that begins here come to an end? */
static int remap_check_chain(
	const struct yaml_node *mapping, const struct yaml_entry *first, struct error *err)
{
	const struct yaml_entry *entry = first;

	for (size_t steps = 0; entry; steps++) {
		CLEANUP(freep) char *target = remap_target(entry);

		if (steps == mapping->count)
			return yaml_error_at(mapping->doc, first->key_at, err,
				"'" KEY "' has a cycle at '%s'", first->key.data);
		entry = remap_entry(mapping, view_of(target));
	}
	return 0;
}

int remap_check(const struct yaml_node *root, struct error *err)
{
	const struct yaml_node *mapping = yaml_get(root, KEY);
	const char *target;

	if (!mapping || yaml_is_null(mapping))
		return 0;
	if (yaml_expect(mapping, YAML_MAPPING, "'" KEY "'", err) < 0)
		return -1;
	for (size_t i = 0; i < mapping->count; i++) {
		const struct yaml_entry *entry = &mapping->entries[i];

		if (yaml_string(entry->value, "a new path in '" KEY "'", &target, err) < 0 ||
			remap_check_path(mapping, entry->key, entry->key_at, err) < 0 ||
			remap_check_path(mapping, entry->value->text, entry->value->at, err) <
				0)
			return -1;
	}
	for (size_t i = 0; i < mapping->count; i++)
		if (remap_check_chain(mapping, &mapping->entries[i], err) < 0)
			return -1;
	return 0;
}

/* --- resolving ------------------------------------------------------------------------ */

/* Does the path exist according to the last layer, including the one being staged? */
static bool is_recorded_present(
	const struct state *state, const struct yaml_node *layer, struct view path)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	struct layer on_its_way = {.node = (struct yaml_node *)(uintptr_t)layer};
	struct layer_file file;

	if (layer && layer_get(&on_its_way, path, &file))
		return file.kind != TX_ABSENT;
	if (layers_read(state, &layers, &ignored) < 0)
		return false;
	for (size_t i = layers.count; i > 0; i--)
		if (layer_get(&layers.list[i - 1], path, &file))
			return file.kind != TX_ABSENT;
	return false;
}

bool remap_is_reused(
	const struct state *state, const struct yaml_node *layer, const struct relpath *path)
{
	return remap_entry(remap_mapping(state), relpath_view(path)) &&
	       (state_adder_of(state, path) ||
		       (layer && record_lists(layer, RECORD_ADDED, relpath_view(path)))) &&
	       is_recorded_present(state, layer, relpath_view(path));
}

static struct relpath remap_walk(const struct state *state, const struct yaml_node *layer,
	const struct relpath *path, bool stop_at_reused)
{
	const struct yaml_node *mapping = remap_mapping(state);
	struct relpath now = relpath_copy(path);

	for (size_t steps = 0; mapping && steps < mapping->count; steps++) {
		const struct yaml_entry *entry = remap_entry(mapping, relpath_view(&now));
		CLEANUP(freep) char *target = entry ? remap_target(entry) : NULL;

		if (!entry || (stop_at_reused && remap_is_reused(state, layer, &now)))
			break;
		relpath_release(&now);
		now = relpath_of(target);
	}
	return now;
}

struct relpath remap_resolve(
	const struct state *state, const struct yaml_node *layer, const struct relpath *path)
{
	return remap_walk(state, layer, path, true);
}

struct relpath remap_follow(const struct state *state, const struct relpath *path)
{
	return remap_walk(state, NULL, path, false);
}

/* --- the inverse ------------------------------------------------------------------------ */

void remap_origins(
	const struct state *state, const struct relpath *path, struct relpath_list *ret_origins)
{
	CLEANUP(layer_renames_release) struct layer_renames pairs = remap_pairs(state);

	for (size_t i = 0; i < pairs.from.count; i++) {
		CLEANUP(relpath_release)
		struct relpath old = relpath_of(pairs.from.list[i]);
		CLEANUP(relpath_release) struct relpath now = remap_follow(state, &old);

		if (relpath_compare(&now, path) != 0)
			continue;
		relpath_list_add(ret_origins, old);
		old = RELPATH_INIT;
	}
}

const struct applied_skill *remap_adder(
	const struct state *state, const struct yaml_node *layer, const struct relpath *path)
{
	CLEANUP(relpath_list_release) struct relpath_list origins = {0};
	const struct applied_skill *adder = state_adder_of(state, path);

	if (adder)
		return adder;
	remap_origins(state, path, &origins);
	for (size_t i = 0; i < origins.count && !adder; i++)
		if (!remap_is_reused(state, layer, &origins.list[i]))
			adder = state_adder_of(state, &origins.list[i]);
	return adder;
}

/* --- adding ----------------------------------------------------------------------- */

bool remap_is_ambiguous(
	const struct state *state, const struct relpath *from, const struct relpath *to)
{
	CLEANUP(relpath_release) struct relpath there = remap_follow(state, to);

	if (remap_entry(remap_mapping(state), relpath_view(from)))
		return true;
	return remap_entry(remap_mapping(state), relpath_view(to)) &&
	       relpath_compare(&there, from) != 0;
}

void remap_add(struct state *state, const struct relpath *from, const struct relpath *to)
{
	struct yaml_node *mapping = yaml_need(state->doc->root, KEY, YAML_MAPPING);
	CLEANUP(freep) char *old = layer_key(relpath_view(from));
	CLEANUP(freep) char *new = layer_key(relpath_view(to));

	/* Nothing leads to itself, and what led to the old name leads to the new one. */
	yaml_remove(mapping, new);
	for (size_t i = 0; i < mapping->count; i++)
		if (view_equal_str(mapping->entries[i].value->text, old))
			mapping->entries[i].value = yaml_new_string(mapping->doc, new);
	yaml_set_string(mapping, old, new);
}

struct layer_renames remap_pairs(const struct state *state)
{
	return layer_renames_at(state->doc->root, KEY);
}

void remap_forget(struct state *state, struct view path)
{
	CLEANUP(freep) char *key = layer_key(path);
	struct yaml_node *mapping = yaml_get(state->doc->root, KEY);

	if (yaml_remove(mapping, key) && !mapping->count)
		yaml_remove(state->doc->root, KEY);
}

/* --- making it again ---------------------------------------------------------------------- */

/* The names before the layers renamed anything: where the core itself has the file. */
static struct relpath name_in_core(const struct layers *layers, const char *text)
{
	struct relpath name = relpath_of(text);

	for (size_t i = layers->count; i > 0; i--) {
		struct relpath below = layer_name_below(&layers->list[i - 1], &name);

		relpath_release(&name);
		name = below;
	}
	return name;
}

void remap_reset(struct state *state, const struct layers *before)
{
	CLEANUP(layer_renames_release) struct layer_renames pairs = remap_pairs(state);
	struct yaml_node *core = yaml_new_mapping(state->doc);

	for (size_t i = 0; i < pairs.from.count; i++) {
		CLEANUP(relpath_release)
		struct relpath from = relpath_of(pairs.from.list[i]);
		CLEANUP(relpath_release)
		struct relpath to = name_in_core(before, pairs.to.list[i]);
		CLEANUP(freep) char *key = layer_key(relpath_view(&from));
		CLEANUP(freep) char *value = layer_key(relpath_view(&to));
		bool renamed = false;

		for (size_t j = 0; j < before->count; j++)
			renamed |= layer_renames_away(&before->list[j], &from);
		if (!renamed && relpath_compare(&from, &to) != 0)
			yaml_set_string(core, key, value);
	}
	yaml_remove(state->doc->root, KEY);
	if (core->count)
		yaml_set(state->doc->root, KEY, core);
}

int remap_rebuild(struct state *state, const struct layers *before, struct error *err)
{
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;

	if (layers_read(state, &now, err) < 0)
		return -1;
	remap_reset(state, before);
	for (size_t i = 0; i < now.count; i++) {
		CLEANUP(layer_renames_release)
		struct layer_renames renames = layer_renames(&now.list[i]);

		for (size_t j = 0; j < renames.from.count; j++) {
			CLEANUP(relpath_release)
			struct relpath from = relpath_of(renames.from.list[j]);
			CLEANUP(relpath_release)
			struct relpath to = relpath_of(renames.to.list[j]);

			if (now.list[i].kind == LAYER_SKILL ||
				!remap_is_ambiguous(state, &from, &to))
				remap_add(state, &from, &to);
		}
	}
	return 0;
}
