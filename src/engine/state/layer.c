#include "engine/state/layer.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/state/record.h"

/* --- reading ----------------------------------------------------------------------- */

static void layers_append(struct layers *layers, struct layer layer)
{
	GROW(layers->list, layers->count, layers->cap);
	layers->list[layers->count++] = layer;
}

static int layers_append_patch(
	struct layers *layers, struct yaml_node *node, const char *skill, struct error *err)
{
	const struct yaml_node *file;
	const char *text = "", *slash;
	struct view name;

	if (yaml_expect(node, YAML_MAPPING, "a custom modification", err) < 0)
		return -1;
	file = yaml_get(node, "patch_file");
	if (file && yaml_string(file, "'patch_file'", &text, err) < 0)
		return -1;
	/* The name of the file, without its folder and ending. */
	slash = strrchr(text, '/');
	name = view_of(slash ? slash + 1 : text);
	if (view_ends_with(name, ".patch"))
		name.len -= strlen(".patch");
	layers_append(layers, (struct layer){.kind = LAYER_PATCH,
				      .name = xmemdupz(name.data, name.len),
				      .skill = skill,
				      .node = node});
	return 0;
}

/* A list in the state, or NULL; something else under its name is a fault. */
static int state_list(const struct yaml_node *mapping, const char *key,
	const struct yaml_node **ret_list, struct error *err)
{
	const struct yaml_node *node = yaml_get(mapping, key);

	*ret_list = NULL;
	if (!node || yaml_is_null(node))
		return 0;
	if (yaml_expect(node, YAML_SEQUENCE, key, err) < 0)
		return -1;
	*ret_list = node;
	return 0;
}

/* Was the patch recorded while `skill` (NULL: none) was the last one? */
static bool patch_comes_after(
	const struct state *state, const struct yaml_node *patch, const char *skill)
{
	const struct yaml_node *after = yaml_get(patch, "after");
	const char *last = state->skill_count ? state->skills[state->skill_count - 1].name : "";

	/* v0.1 did not record this, and the skill may be gone. */
	if (after && yaml_is_null(after))
		return !skill;
	if (!after || after->kind != YAML_SCALAR || !state_find(state, after->text.data))
		return skill ? !strcmp(skill, last) : !*last;
	return skill && view_equal_str(after->text, skill);
}

static int layers_append_after(
	const struct state *state, const char *skill, struct layers *layers, struct error *err)
{
	const struct yaml_node *baked, *list;

	if (state_list(state->doc->root, LAYER_BAKED_KEY, &baked, err) < 0)
		return -1;
	for (size_t i = 0; baked && i < baked->count; i++) {
		if (yaml_expect(baked->items[i], YAML_MAPPING, "the baked layer", err) < 0)
			return -1;
		if (patch_comes_after(state, baked->items[i], skill))
			layers_append(layers, (struct layer){.kind = LAYER_PATCH,
						      .name = xstrdup(LAYER_BAKED_NAME),
						      .baked = true,
						      .node = baked->items[i]});
	}
	if (state_list(state->doc->root, "custom_modifications", &list, err) < 0)
		return -1;
	for (size_t i = 0; list && i < list->count; i++)
		if (patch_comes_after(state, list->items[i], skill) &&
			layers_append_patch(layers, list->items[i], NULL, err) < 0)
			return -1;
	return 0;
}

static int layers_append_tied(
	const struct applied_skill *skill, struct layers *layers, struct error *err)
{
	const struct yaml_node *list;
	struct yaml_node *first;

	if (state_list(skill->node, "custom_patches", &list, err) < 0)
		return -1;
	first = list ? NULL : record_first_patch(skill->node);
	if (first && layers_append_patch(layers, first, skill->name, err) < 0)
		return -1;
	for (size_t i = 0; list && i < list->count; i++)
		if (layers_append_patch(layers, list->items[i], skill->name, err) < 0)
			return -1;
	return 0;
}

int layers_read(const struct state *state, struct layers *ret_layers, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_append_after(state, NULL, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < state->skill_count; i++) {
		const struct applied_skill *skill = &state->skills[i];

		layers_append(&layers, (struct layer){.kind = LAYER_SKILL,
					       .name = xstrdup(skill->name),
					       .node = skill->node});
		if (layers_append_tied(skill, &layers, err) < 0 ||
			layers_append_after(state, skill->name, &layers, err) < 0)
			return -1;
	}
	*ret_layers = layers;
	layers = LAYERS_INIT;
	return 0;
}

void layers_release(struct layers *layers)
{
	for (size_t i = 0; i < layers->count; i++)
		free(layers->list[i].name);
	free(layers->list);
}

/* --- checking ---------------------------------------------------------------------------- */

static int check_recorded_path(
	const struct yaml_node *node, struct view key, struct yaml_place at, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *text = layer_path(key);
	CLEANUP(freep) char *shown = NULL;

	if (relpath_parse(view_of(text), &path, &local) < 0)
		return yaml_error_at(node->doc, at, err, "%s", local.message);
	shown = relpath_quote(&path);
	if (!layer_may_record(&path))
		return yaml_error_at(
			node->doc, at, err, "%s is not a path that is recorded", shown);
	return 0;
}

/* Paths, and one value for each. */
static int check_keys(const struct yaml_node *entry, const char *name, struct error *err)
{
	const struct yaml_node *node = yaml_get(entry, name);

	if (!node || yaml_is_null(node))
		return 0;
	if (yaml_expect(node, YAML_MAPPING, name, err) < 0)
		return -1;
	for (size_t i = 0; i < node->count; i++)
		if (check_recorded_path(
			    node, node->entries[i].key, node->entries[i].key_at, err) < 0 ||
			yaml_expect(node->entries[i].value, YAML_SCALAR, "a value", err) < 0)
			return -1;
	return 0;
}

static int check_items(const struct yaml_node *entry, const char *name, struct error *err)
{
	const struct yaml_node *node;

	if (state_list(entry, name, &node, err) < 0)
		return -1;
	for (size_t i = 0; node && i < node->count; i++)
		if (yaml_expect(node->items[i], YAML_SCALAR, "a path", err) < 0 ||
			check_recorded_path(
				node, node->items[i]->text, node->items[i]->at, err) < 0)
			return -1;
	return 0;
}

static int check_hash(const struct yaml_node *mapping, const char *key, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	const struct yaml_node *node = yaml_get(mapping, key);
	struct hash hash;

	if (!node)
		return 0;
	if (yaml_expect(node, YAML_SCALAR, key, err) < 0)
		return -1;
	if (hash_from_hex(node->text, &hash, &local) < 0)
		return yaml_error(node, err, "'%s': %s", key, local.message);
	return 0;
}

/* What files were before and after, without which the layer cannot be made again. */
static int check_contents(const struct yaml_node *entry, struct error *err)
{
	const struct yaml_node *contents = yaml_get(entry, "contents");

	if (check_hash(entry, "patch_hash", err) < 0)
		return -1;
	if (contents && yaml_expect(contents, YAML_MAPPING, "contents", err) < 0)
		return -1;
	for (size_t i = 0; contents && i < contents->count; i++) {
		const struct yaml_node *both = contents->entries[i].value;

		if (check_recorded_path(contents, contents->entries[i].key,
			    contents->entries[i].key_at, err) < 0 ||
			yaml_expect(both, YAML_MAPPING, "an entry of contents", err) < 0 ||
			check_hash(both, "before", err) < 0 ||
			check_hash(both, "after", err) < 0)
			return -1;
	}
	return 0;
}

static int check_recorded_path_at(
	const struct yaml_node *mapping, const char *key, struct error *err)
{
	const struct yaml_node *node = yaml_get(mapping, key);

	if (!node)
		return yaml_error(mapping, err, "'%s' is missing", key);
	if (yaml_expect(node, YAML_SCALAR, key, err) < 0)
		return -1;
	return check_recorded_path(node, node->text, node->at, err);
}

/* Names before and after: in file operations, and in mappings from one to the other. */
static int check_names(const struct yaml_node *entry, struct error *err)
{
	static const char *const mappings[] = {"moved", "renames"};
	const struct yaml_node *ops;

	if (state_list(entry, "file_ops", &ops, err) < 0)
		return -1;
	for (size_t i = 0; ops && i < ops->count; i++) {
		const struct yaml_node *op = ops->items[i];
		bool is_rename = yaml_get(op, "from");

		if (yaml_expect(op, YAML_MAPPING, "a file operation", err) < 0 ||
			check_recorded_path_at(op, is_rename ? "from" : "path", err) < 0 ||
			(is_rename && check_recorded_path_at(op, "to", err) < 0))
			return -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(mappings); i++) {
		const struct yaml_node *names = yaml_get_kind(entry, mappings[i], YAML_MAPPING);

		if (check_keys(entry, mappings[i], err) < 0)
			return -1;
		for (size_t j = 0; j < names->count; j++) {
			const struct yaml_node *to = names->entries[j].value;

			if (check_recorded_path(to, to->text, to->at, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* A patch is in our folder of patches, and nowhere else. */
static int check_patch_file(const struct yaml_node *entry, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	const struct yaml_node *file = yaml_get(entry, "patch_file");

	if (!file)
		return 0;
	if (relpath_parse(file->text, &path, &local) < 0)
		return yaml_error(file, err, "'patch_file': %s", local.message);
	if (!utf8_all_printable(file->text))
		return yaml_error(file, err, "'patch_file' has control characters");
	if (view_starts_with(file->text, ".nanoclaw/custom/"))
		return 0;
	return yaml_error(file, err, "'patch_file': a patch is in '.nanoclaw/custom/'");
}

int layers_check(const struct state *state, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];

		if (layer->node->kind != YAML_MAPPING)
			continue;
		if (check_keys(layer->node, "file_hashes", err) < 0 ||
			check_keys(layer->node, "modes", err) < 0 ||
			check_items(layer->node, "files_deleted", err) < 0 ||
			check_names(layer->node, err) < 0 ||
			check_contents(layer->node, err) < 0 ||
			(layer->kind == LAYER_PATCH && check_patch_file(layer->node, err) < 0))
			return -1;
	}
	return 0;
}

/* --- the files of a layer -------------------------------------------------------------- */

static bool layer_read_file(
	const struct layer *layer, const struct yaml_entry *entry, struct layer_file *ret_file)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const struct yaml_node *modes = yaml_get(layer->node, "modes");
	const struct yaml_entry *mode = yaml_find(modes, entry->key);

	*ret_file = (struct layer_file){.kind = TX_FILE, .mode_known = modes != NULL};
	if (mode)
		layer_file_set_mode(ret_file, mode->value->text);
	return entry->value->kind == YAML_SCALAR &&
	       hash_from_hex(entry->value->text, &ret_file->hash, &ignored) == 0;
}

bool layer_get(const struct layer *layer, struct view path, struct layer_file *ret_file)
{
	CLEANUP(freep) char *key = layer_key(path);
	const struct yaml_entry *entry =
		yaml_find(yaml_get(layer->node, "file_hashes"), view_of(key));

	if (entry)
		return layer_read_file(layer, entry, ret_file);
	if (!record_lists(layer->node, RECORD_DELETED, path))
		return false;
	*ret_file = (struct layer_file){.kind = TX_ABSENT};
	return true;
}

bool layer_is_complete(const struct layer *layer)
{
	return yaml_get(layer->node, layer->kind == LAYER_SKILL ? "hashes" : "file_hashes");
}

void layer_each(const struct layer *layer, layer_function each, void *data)
{
	const struct yaml_node *hashes =
		yaml_get_kind(layer->node, "file_hashes", YAML_MAPPING);
	CLEANUP(string_array_release)
	struct string_array deleted = record_listed(layer->node, RECORD_DELETED);
	struct layer_file file;

	for (size_t i = 0; i < hashes->count; i++) {
		CLEANUP(freep) char *path = layer_path(hashes->entries[i].key);

		if (layer_read_file(layer, &hashes->entries[i], &file))
			each(view_of(path), &file, data);
	}
	file = (struct layer_file){.kind = TX_ABSENT};
	for (size_t i = 0; i < deleted.count; i++)
		each(view_of(deleted.list[i]), &file, data);
}

static void add_path(struct view path, const struct layer_file *file, void *data)
{
	(void)file;
	string_array_addf(data, "%.*s", VIEW_ARGS(path));
}

void layer_add_paths(const struct layer *layer, struct string_array *paths)
{
	layer_each(layer, add_path, paths);
}

/* --- writing ------------------------------------------------------------------------------ */

void layer_set(struct yaml_node *entry, struct view path, const struct layer_file *file)
{
	CLEANUP(freep) char *key = layer_key(path);
	struct yaml_node *hashes = yaml_need(entry, "file_hashes", YAML_MAPPING);
	/* In an entry of v0.1, adding `modes` would mark all other files as not executable. */
	bool unknown = hashes->count && !yaml_get(entry, "modes") && file->kind != TX_SYMLINK;
	struct yaml_node *modes = unknown ? NULL : yaml_need(entry, "modes", YAML_MAPPING);
	struct yaml_node *three;
	char hex[HASH_HEX_SIZE];

	record_set_listed(entry, RECORD_DELETED, path, file->kind == TX_ABSENT);
	if (modes)
		yaml_remove(modes, key);
	yaml_remove(hashes, key);
	if (file->kind == TX_ABSENT)
		return;
	hash_to_hex(&file->hash, hex);
	yaml_set_string(hashes, key, hex);
	/* A skill also has the three hashes of each merge. */
	three = yaml_get(yaml_get(entry, "hashes"), key);
	if (three && three->kind == YAML_MAPPING)
		yaml_set_string(three, "merged", hex);
	if (modes && (file->kind == TX_SYMLINK || file->executable))
		yaml_set_string(modes, key, layer_file_mode(file));
}

int layers_note(const struct state *state, const char *skill, struct view path,
	const struct layer_file *file, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	struct layer_file old;

	if (layers_read(state, &layers, err) < 0)
		return -1;
	for (size_t i = layers.count; i > 0; i--) {
		const struct layer *layer = &layers.list[i - 1];

		if (layer->kind == LAYER_SKILL && !strcmp(layer->name, skill))
			break;
		if (!layer_get(layer, path, &old))
			continue;
		layer_set(layer->node, path, file);
		break;
	}
	return 0;
}
