#include "engine/state/record.h"

#include <stdlib.h>

static const char *const lists[] = {
	[RECORD_ADDED] = "files_added",
	[RECORD_MODIFIED] = "files_modified",
	[RECORD_FOUND] = "files_found",
	[RECORD_DELETED] = "files_deleted",
	[RECORD_UNSPLIT] = "files_unsplit",
};

static struct yaml_node *record_path_node(struct yaml_doc *doc, struct view path)
{
	CLEANUP(freep) char *key = layer_key(path);

	return yaml_new_string(doc, key);
}

/* What a mapping in the entry has for a path, or NULL. */
static struct yaml_node *record_at(
	const struct yaml_node *entry, const char *mapping, struct view path)
{
	CLEANUP(freep) char *key = layer_key(path);

	return yaml_get(yaml_get(entry, mapping), key);
}

static bool record_hash(const struct yaml_node *mapping, const char *key, struct hash *ret_hash)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const struct yaml_node *node = yaml_get(mapping, key);

	return node && node->kind == YAML_SCALAR &&
	       hash_from_hex(node->text, ret_hash, &ignored) == 0;
}

static void record_set_hash(struct yaml_node *mapping, const char *key, const struct hash *hash)
{
	char hex[HASH_HEX_SIZE];

	hash_to_hex(hash, hex);
	yaml_set_string(mapping, key, hex);
}

/* All paths in a mapping of the entry. */
static struct string_array record_keys(const struct yaml_node *entry, const char *mapping)
{
	const struct yaml_node *node = yaml_get_kind(entry, mapping, YAML_MAPPING);
	struct string_array paths = {0};

	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(freep) char *path = layer_path(node->entries[i].key);

		string_array_add(&paths, path);
	}
	return paths;
}

/* --- lists of files ----------------------------------------------------------------- */

bool record_lists(const struct yaml_node *entry, enum record_list list, struct view path)
{
	CLEANUP(freep) char *key = layer_key(path);

	return yaml_has_item(yaml_get(entry, lists[list]), view_of(key));
}

struct string_array record_listed(const struct yaml_node *entry, enum record_list list)
{
	const struct yaml_node *node = yaml_get_kind(entry, lists[list], YAML_SEQUENCE);
	struct string_array paths = {0};

	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(freep) char *path = layer_path(node->items[i]->text);

		string_array_add(&paths, path);
	}
	return paths;
}

void record_list_add(struct yaml_node *entry, enum record_list list, struct view path)
{
	yaml_append(yaml_need(entry, lists[list], YAML_SEQUENCE),
		record_path_node(entry->doc, path));
}

/* Remove the items of a list that are this key; `list` may be NULL. */
static void list_remove(struct yaml_node *list, const char *key)
{
	size_t kept = 0;

	if (!list || list->kind != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < list->count; i++)
		if (!view_equal_str(list->items[i]->text, key))
			list->items[kept++] = list->items[i];
	list->count = kept;
}

void record_set_listed(
	struct yaml_node *entry, enum record_list list, struct view path, bool listed)
{
	struct yaml_node *node = yaml_get(entry, lists[list]);
	CLEANUP(freep) char *key = layer_key(path);

	list_remove(node, key);
	if (listed)
		record_list_add(entry, list, path);
	else if (node && !node->count)
		yaml_remove(entry, lists[list]);
}

/* --- the author's version of a file --------------------------------------------------- */

bool record_hashes(
	const struct yaml_node *entry, struct view path, struct record_hashes *ret_hashes)
{
	const struct yaml_node *three = record_at(entry, "hashes", path);

	*ret_hashes = (struct record_hashes){0};
	ret_hashes->has_base = record_hash(three, "base", &ret_hashes->base);
	ret_hashes->has_skill = record_hash(three, "skill", &ret_hashes->skill);
	return three != NULL;
}

bool record_has_hashes(const struct yaml_node *entry, struct view path)
{
	return record_at(entry, "hashes", path) != NULL;
}

struct string_array record_hashed_paths(const struct yaml_node *entry)
{
	return record_keys(entry, "hashes");
}

bool record_was_updated(const struct yaml_node *entry)
{
	return yaml_get(entry, "updated_from") != NULL;
}

/* --- the layer's result for a file ---------------------------------------------------- */

static struct layer_file record_side(
	const struct yaml_node *both, const char *side, const char *mode_key)
{
	const char *mode = yaml_get_text(both, mode_key);
	struct layer_file file = {.kind = TX_ABSENT};

	if (!record_hash(both, side, &file.hash))
		return file;
	layer_file_set_mode(&file, view_of(mode ? mode : ""));
	file.mode_known = true;
	return file;
}

bool record_part(const struct yaml_node *entry, struct view path, struct record_part *ret_part)
{
	const struct yaml_node *both = record_at(entry, "contents", path);

	ret_part->before = record_side(both, "before", "before_mode");
	ret_part->after = record_side(both, "after", "after_mode");
	return both && both->kind == YAML_MAPPING;
}

static void record_set_side(struct yaml_node *both, const char *side, const char *mode_key,
	const struct layer_file *file)
{
	if (file->kind != TX_FILE && file->kind != TX_SYMLINK)
		return;
	record_set_hash(both, side, &file->hash);
	if (mode_key && (file->kind == TX_SYMLINK || file->executable))
		yaml_set_string(both, mode_key, layer_file_mode(file));
}

void record_set_part(struct yaml_node *entry, struct view path, const struct record_part *part)
{
	CLEANUP(freep) char *key = layer_key(path);
	struct yaml_node *both = yaml_new_mapping(entry->doc);
	bool modes = !record_patch_file(entry);

	record_set_side(both, "before", modes ? "before_mode" : NULL, &part->before);
	record_set_side(both, "after", modes ? "after_mode" : NULL, &part->after);
	yaml_set(yaml_need(entry, "contents", YAML_MAPPING), key, both);
}

size_t record_part_count(const struct yaml_node *entry)
{
	return yaml_get_kind(entry, "contents", YAML_MAPPING)->count;
}

struct string_array record_part_paths(const struct yaml_node *entry)
{
	return record_keys(entry, "contents");
}

void record_clear_parts(struct yaml_node *entry)
{
	yaml_set(entry, "contents", yaml_new_mapping(entry->doc));
}

/* --- renames and deletions ------------------------------------------------------------ */

static struct relpath record_op_path(const struct yaml_node *op, const char *key)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *text = yaml_get_text(op, key);
	CLEANUP(freep) char *plain = text ? layer_path(view_of(text)) : NULL;
	struct relpath path = RELPATH_INIT;

	if (plain)
		relpath_parse(view_of(plain), &path, &ignored);
	return path;
}

struct record_ops record_ops(const struct yaml_node *entry)
{
	const struct yaml_node *list = yaml_get_kind(entry, "file_ops", YAML_SEQUENCE);
	struct record_ops ops = {0};

	for (size_t i = 0; i < list->count; i++) {
		const struct yaml_node *item = list->items[i];
		bool is_rename = yaml_get(item, "from") != NULL;
		struct file_op op = {
			.type = is_rename ? FILE_OP_RENAME : FILE_OP_DELETE,
			.from = record_op_path(item, is_rename ? "from" : "path"),
			.to = record_op_path(item, "to"),
		};

		GROW(ops.list, ops.count, ops.cap);
		ops.list[ops.count++] = op;
	}
	return ops;
}

void record_ops_release(struct record_ops *ops)
{
	for (size_t i = 0; i < ops->count; i++) {
		relpath_release(&ops->list[i].from);
		relpath_release(&ops->list[i].to);
	}
	free(ops->list);
}

void record_add_op(
	struct yaml_node *entry, const struct relpath *from, const struct relpath *to)
{
	struct yaml_node *op = yaml_new_mapping(entry->doc);

	yaml_set_string(op, "type", to ? "rename" : "delete");
	yaml_set(op, to ? "from" : "path", record_path_node(entry->doc, relpath_view(from)));
	if (to)
		yaml_set(op, "to", record_path_node(entry->doc, relpath_view(to)));
	yaml_append(yaml_need(entry, "file_ops", YAML_SEQUENCE), op);
	if (to)
		record_add_rename(entry, from, to);
}

void record_add_rename(
	struct yaml_node *entry, const struct relpath *from, const struct relpath *to)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(from));

	yaml_set(yaml_need(entry, "renames", YAML_MAPPING), key,
		record_path_node(entry->doc, relpath_view(to)));
}

/* --- patches -------------------------------------------------------------------------- */

const char *record_patch_file(const struct yaml_node *entry)
{
	return yaml_get_text(entry, "patch_file");
}

bool record_patch_hash(const struct yaml_node *entry, struct hash *ret_hash)
{
	return record_hash(entry, "patch_hash", ret_hash);
}

void record_set_patch(struct yaml_node *entry, const char *file, struct view text)
{
	struct hash hash = hash_of(text);

	yaml_set_string(entry, "patch_file", file);
	record_set_hash(entry, "patch_hash", &hash);
}

struct relpath record_moved(const struct yaml_node *entry, const struct relpath *path)
{
	const struct yaml_node *now = record_at(entry, "moved", relpath_view(path));
	CLEANUP(freep) char *text = now ? layer_path(now->text) : NULL;

	return text ? relpath_of(text) : relpath_copy(path);
}

struct yaml_node *record_first_patch(const struct yaml_node *skill)
{
	struct yaml_node *file = yaml_get(skill, "custom_patch");
	struct yaml_node *description = yaml_get(skill, "custom_patch_description");
	struct yaml_node *entry = file ? yaml_new_mapping(skill->doc) : NULL;

	if (file)
		yaml_set(entry, "patch_file", file);
	if (file && description)
		yaml_set(entry, "description", description);
	return entry;
}

/* --- all of an entry ------------------------------------------------------------------ */

void record_drop_file(struct yaml_node *entry, struct view path)
{
	static const char *const mappings[] = {"contents", "file_hashes", "hashes", "modes"};
	CLEANUP(freep) char *key = layer_key(path);

	for (size_t i = 0; i < ARRAY_SIZE(mappings); i++)
		yaml_remove(yaml_get(entry, mappings[i]), key);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		list_remove(yaml_get(entry, lists[i]), key);
}

void record_take_files(struct yaml_node *entry, const struct yaml_node *from)
{
	static const struct {
		const char *key;
		bool always;
		enum yaml_kind kind;
	} keys[] = {
		{"contents", false, YAML_MAPPING},
		{"file_hashes", true, YAML_MAPPING},
		{"file_ops", false, YAML_SEQUENCE},
		{"files_added", true, YAML_SEQUENCE},
		{"files_deleted", false, YAML_SEQUENCE},
		{"files_found", false, YAML_SEQUENCE},
		{"files_unsplit", false, YAML_SEQUENCE},
		{"files_modified", true, YAML_SEQUENCE},
		{"hashes", true, YAML_MAPPING},
		{"modes", true, YAML_MAPPING},
		{"renames", false, YAML_MAPPING},
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct yaml_node *value = yaml_get(from, keys[i].key);

		yaml_remove(entry, keys[i].key);
		if (value)
			yaml_set(entry, keys[i].key, value);
		else if (keys[i].always)
			yaml_need(entry, keys[i].key, keys[i].kind);
	}
}

void record_keep_facts(struct yaml_node *entry, const struct yaml_node *old)
{
	static const char *const facts[] = {
		"applied_at",
		"core_version_at_apply",
		"files_found",
		"source",
		"source_sha256",
		"structured_outcomes",
	};

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const struct yaml_node *value = yaml_get(old, facts[i]);

		if (value)
			yaml_set(entry, facts[i], yaml_copy(entry->doc, value));
	}
}

bool record_has_declared(const struct yaml_node *entry)
{
	return yaml_get(entry, "structured_outcomes") != NULL;
}
