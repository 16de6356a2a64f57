/*
 * The fields of a manifest that hold paths.
 */
#include <string.h>
#include <strings.h>

#include "engine/package/manifest_parts.h"
#include "util/quote.h"

/* .env holds the user's secrets: no skill brings one, changes it or sees it. */
bool manifest_path_is_secret(const struct relpath *path)
{
	struct view rest = relpath_view(path);
	struct view component;

	while (relpath_next(&rest, &component))
		if (component.len == strlen(".env") &&
			!strncasecmp(component.data, ".env", component.len))
			return true;
	return false;
}

/* False, and a fault, if the text is no path that a skill may touch. */
static bool read_path(const struct yaml_doc *doc, struct view text, struct yaml_place at,
	struct relpath *ret_path, struct faults *faults)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *shown = NULL;

	if (relpath_parse(text, &path, &err) < 0) {
		manifest_fault(faults, FAULT_ERROR, doc, at, "%s", err.message);
		return false;
	}
	shown = relpath_quote(&path);
	if (relpath_protected(&path)) {
		manifest_fault(faults, FAULT_ERROR, doc, at,
			"path %s leads into '.git' or '.nanoclaw', which no skill may touch",
			shown);
		return false;
	}
	if (manifest_path_is_secret(&path)) {
		manifest_fault(faults, FAULT_ERROR, doc, at,
			"path %s leads to '.env', which belongs to the user (see "
			"'env_additions')",
			shown);
		return false;
	}
	ret_path->text = TAKE(path.text);
	return true;
}

/* The same, for a scalar node. */
static bool read_path_node(const struct yaml_node *node, const char *what,
	struct relpath *ret_path, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *text;

	if (yaml_string(node, what, &text, &err) < 0) {
		faults_add_error(faults, &err);
		return false;
	}
	return read_path(node->doc, node->text, node->at, ret_path, faults);
}

/* --- adds and modifies ------------------------------------------------------- */

static int compare_indexes(const void *a, const void *b, void *data)
{
	const struct manifest_paths *paths = data;
	size_t x = *(const size_t *)a;
	size_t y = *(const size_t *)b;
	int order = relpath_compare(&paths->list[x].path, &paths->list[y].path);

	return order ? order : (x > y) - (x < y);
}

static void sort(struct manifest_paths *paths)
{
	paths->sorted = xcalloc(paths->count + 1, sizeof(*paths->sorted));
	for (size_t i = 0; i < paths->count; i++)
		paths->sorted[i] = i;
	qsort_r(paths->sorted, paths->count, sizeof(*paths->sorted), compare_indexes, paths);
}

void manifest_read_paths(const struct yaml_node *node, const char *what,
	struct manifest_paths *ret_paths, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_expect(node, YAML_SEQUENCE, what, &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(freep) char *item = xasprintf("item %zu of %s", i + 1, what);
		struct manifest_path path = {.at = node->items[i]->at};

		if (!read_path_node(node->items[i], item, &path.path, faults))
			continue;
		GROW(ret_paths->list, ret_paths->count, ret_paths->cap);
		ret_paths->list[ret_paths->count++] = path;
	}
	sort(ret_paths);
}

bool manifest_paths_contain(const struct manifest_paths *paths, const struct relpath *path)
{
	size_t low = 0;
	size_t high = paths->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = relpath_compare(&paths->list[paths->sorted[middle]].path, path);

		if (!order)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

void manifest_paths_release(struct manifest_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		relpath_release(&paths->list[i].path);
	free(paths->list);
	free(paths->sorted);
}

/* --- file_ops ---------------------------------------------------------------- */

/* The path in a member of a file operation. */
static bool read_member(const struct yaml_node *mapping, const char *key,
	struct relpath *ret_path, struct faults *faults)
{
	CLEANUP(freep) char *what = xasprintf("'%s'", key);
	const struct yaml_node *node = yaml_get(mapping, key);

	if (node)
		return read_path_node(node, what, ret_path, faults);
	manifest_fault(faults, FAULT_ERROR, mapping->doc, mapping->at,
		"the file operation has no '%s'", key);
	return false;
}

static bool read_type(
	const struct yaml_node *mapping, enum file_op_type *ret_type, struct faults *faults)
{
	const struct yaml_node *node = yaml_get(mapping, "type");
	CLEANUP(freep) char *shown = NULL;

	if (!node || node->kind != YAML_SCALAR) {
		manifest_fault(faults, FAULT_ERROR, mapping->doc, node ? node->at : mapping->at,
			"the file operation has no 'type': rename, move or delete");
		return false;
	}
	if (view_equal_str(node->text, "rename") || view_equal_str(node->text, "move"))
		*ret_type = FILE_OP_RENAME;
	else if (view_equal_str(node->text, "delete"))
		*ret_type = FILE_OP_DELETE;
	else {
		shown = quote(
			view_slice(node->text, 0, node->text.len < 60 ? node->text.len : 60));
		manifest_fault(faults, FAULT_ERROR, node->doc, node->at,
			"%s is no file operation: these are rename, move and delete", shown);
		return false;
	}
	return true;
}

static bool read_file_op(
	const struct yaml_node *node, struct file_op *ret_op, struct faults *faults)
{
	static const char *const rename_keys[] = {"from", "to", "type", NULL};
	static const char *const delete_keys[] = {"path", "type", NULL};
	CLEANUP(relpath_release) struct relpath from = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath to = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	enum file_op_type type;
	bool is_rename;

	if (yaml_expect(node, YAML_MAPPING, "a file operation", &err) < 0) {
		faults_add_error(faults, &err);
		return false;
	}
	if (!read_type(node, &type, faults))
		return false;
	is_rename = type == FILE_OP_RENAME;
	manifest_note_unknown(node, is_rename ? rename_keys : delete_keys, faults);
	if (!read_member(node, is_rename ? "from" : "path", &from, faults))
		return false;
	if (is_rename && !read_member(node, "to", &to, faults))
		return false;
	if (is_rename && !relpath_compare(&from, &to)) {
		manifest_fault(faults, FAULT_ERROR, node->doc, node->at,
			"the file operation renames a file to itself");
		return false;
	}
	*ret_op = (struct file_op){type, {TAKE(from.text)}, {TAKE(to.text)}, .at = node->at};
	return true;
}

void manifest_read_file_ops(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_expect(node, YAML_SEQUENCE, "'file_ops'", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	manifest->file_ops = xcalloc(node->count + 1, sizeof(*manifest->file_ops));
	for (size_t i = 0; i < node->count; i++)
		if (read_file_op(node->items[i], &manifest->file_ops[manifest->file_op_count],
			    faults))
			manifest->file_op_count++;
}

/* --- base_hashes ------------------------------------------------------------- */

static bool read_base_hash(const struct yaml_doc *doc, const struct yaml_entry *entry,
	struct manifest_base_hash *ret_base, struct faults *faults)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct hash hash;
	const char *text;

	if (!read_path(doc, entry->key, entry->key_at, &path, faults))
		return false;
	if (yaml_string(entry->value, "a base hash", &text, &err) < 0) {
		faults_add_error(faults, &err);
		return false;
	}
	if (hash_from_hex(entry->value->text, &hash, &err) < 0) {
		manifest_fault(faults, FAULT_ERROR, doc, entry->value->at, "%s", err.message);
		return false;
	}
	*ret_base = (struct manifest_base_hash){{TAKE(path.text)}, hash, entry->key_at};
	return true;
}

void manifest_read_base_hashes(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct manifest_base_hash *list;
	size_t count = 0;

	if (yaml_expect(node, YAML_MAPPING, "'base_hashes'", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	list = xcalloc(node->count + 1, sizeof(*list));
	for (size_t i = 0; i < node->count; i++) {
		if (!read_base_hash(node->doc, &node->entries[i], &list[count], faults))
			continue;
		if (!manifest_modifies(manifest, &list[count].path))
			manifest_fault(faults, FAULT_WARNING, node->doc, list[count].at,
				"a base hash for a path that is not in 'modifies'");
		count++;
	}
	manifest->base_hashes = list;
	manifest->base_hash_count = count;
}
