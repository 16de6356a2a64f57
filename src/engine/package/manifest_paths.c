/*
 * The fields of a manifest that hold paths, and what contradicts itself in them.
 */
#include <string.h>

#include "base/quote.h"
#include "engine/package/manifest.h"

bool manifest_path_is_secret(const struct relpath *path)
{
	struct view rest = relpath_view(path);
	struct view component;

	while (relpath_next(&rest, &component))
		if (relpath_is_env(component))
			return true;
	return false;
}

/* False, and a fault, if a skill may not touch the path. */
static bool manifest_read_path(const struct yaml_doc *doc, struct view text,
	struct yaml_place at, struct relpath *ret_path, struct faults *faults)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *shown = NULL;

	if (relpath_parse(text, &path, &err) < 0) {
		faults_add_at(faults, FAULT_ERROR, doc, at, "%s", err.message);
		return false;
	}
	shown = relpath_quote(&path);
	if (relpath_protected(&path)) {
		faults_add_at(faults, FAULT_ERROR, doc, at,
			"path %s leads into '.git' or '.nanoclaw', which no skill may touch",
			shown);
		return false;
	}
	if (manifest_path_is_secret(&path)) {
		faults_add_at(faults, FAULT_ERROR, doc, at,
			"path %s leads to '.env' or a file like it, which belongs to the "
			"user (see 'env_additions')",
			shown);
		return false;
	}
	ret_path->text = TAKE(path.text);
	return true;
}

/* The same, for a scalar node. */
static bool manifest_read_path_node(const struct yaml_node *node, const char *what,
	struct relpath *ret_path, struct faults *faults)
{
	const char *text;

	return faults_string(faults, node, what, &text) &&
	       manifest_read_path(node->doc, node->text, node->at, ret_path, faults);
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

void manifest_read_paths(const struct yaml_node *node, const char *what,
	struct manifest_paths *ret_paths, struct faults *faults)
{
	if (!node || !faults_expect(faults, node, YAML_SEQUENCE, what))
		return;
	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(freep) char *item = xasprintf("item %zu of %s", i + 1, what);
		struct manifest_path path = {.at = node->items[i]->at};

		if (!manifest_read_path_node(node->items[i], item, &path.path, faults))
			continue;
		GROW(ret_paths->list, ret_paths->count, ret_paths->cap);
		ret_paths->list[ret_paths->count++] = path;
	}
	ret_paths->sorted = xcalloc(ret_paths->count + 1, sizeof(*ret_paths->sorted));
	for (size_t i = 0; i < ret_paths->count; i++)
		ret_paths->sorted[i] = i;
	qsort_r(ret_paths->sorted, ret_paths->count, sizeof(*ret_paths->sorted),
		compare_indexes, ret_paths);
}

const struct manifest_path *manifest_paths_find(
	const struct manifest_paths *paths, const struct relpath *path)
{
	size_t low = 0, high = paths->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct manifest_path *found = &paths->list[paths->sorted[middle]];
		int order = relpath_compare(&found->path, path);

		if (!order)
			return found;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/*
 * Paths that cannot be files beside each other: listed twice, the same but for case, or
 * one the folder of another. All paths are sorted by their folded text, with the slash
 * below every other byte: then equal ones are neighbours, and what is below a path
 * follows it.
 */
struct item {
	const struct manifest_path *path;
	bool is_added;
	char *folded;
};

static int compare_folded_and_place(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	struct yaml_place first = x->path->at, second = y->path->at;
	int order = strcmp(x->folded, y->folded);

	if (order)
		return order;
	if (first.line != second.line)
		return first.line < second.line ? -1 : 1;
	return (first.column > second.column) - (first.column < second.column);
}

/* Report that `second` collides with `first`: the same path, or a folder of it. */
static void report_collision(const struct yaml_doc *doc, const struct item *first,
	const struct item *second, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(&second->path->path);
	CLEANUP(freep) char *other = relpath_quote(&first->path->path);
	size_t line = first->path->at.line;

	if (strcmp(first->folded, second->folded) != 0)
		faults_add_at(faults, FAULT_ERROR, doc, second->path->at,
			"path %s is below %s, which is listed as a file on line %zu", shown,
			other, line);
	else if (relpath_compare(&first->path->path, &second->path->path) != 0)
		faults_add_at(faults, FAULT_ERROR, doc, second->path->at,
			"path %s differs from %s only in case", shown, other);
	else
		faults_add_at(faults, FAULT_ERROR, doc, second->path->at,
			"path %s is %s (first on line %zu)", shown,
			first->is_added != second->is_added ? "both added and modified"
							    : "listed twice",
			line);
}

void manifest_check_collisions(const struct manifest *manifest, struct faults *faults)
{
	const struct manifest_paths *adds = &manifest->adds, *modifies = &manifest->modifies;
	CLEANUP(freep)
	struct item *items = xcalloc(adds->count + modifies->count + 1, sizeof(*items));
	const struct item *top = NULL;
	size_t count = 0;

	for (size_t i = 0; i < adds->count; i++)
		items[count++] = (struct item){.path = &adds->list[i], .is_added = true};
	for (size_t i = 0; i < modifies->count; i++)
		items[count++] = (struct item){.path = &modifies->list[i]};
	/*
	 * As a file system that ignores the case of ASCII letters sees it. More letters
	 * fold on some, but there is no rule for them that all systems share.
	 */
	for (size_t i = 0; i < count; i++) {
		items[i].folded = xstrdup(items[i].path->path.text);
		for (char *p = items[i].folded; *p; p++) {
			if (*p >= 'A' && *p <= 'Z')
				*p = (char)(*p - 'A' + 'a');
			else if (*p == '/')
				*p = '\1';
		}
	}
	qsort(items, count, sizeof(*items), compare_folded_and_place);
	for (size_t i = 0; i < count; i++) {
		const struct item *item = &items[i];
		size_t len = top ? strlen(top->folded) : 0;

		if (top && !strncmp(top->folded, item->folded, len) &&
			(!item->folded[len] || item->folded[len] == '\1'))
			report_collision(manifest->doc,
				item->folded[len] && !strcmp(item[-1].folded, item->folded)
					? item - 1
					: top,
				item, faults);
		else
			top = item;
	}
	for (size_t i = 0; i < count; i++)
		free(items[i].folded);
}

/* --- file_ops ---------------------------------------------------------------- */

/* The path in a member of a file operation. */
static bool file_op_read_path(const struct yaml_node *mapping, const char *key,
	struct relpath *ret_path, struct faults *faults)
{
	CLEANUP(freep) char *what = xasprintf("'%s'", key);
	const struct yaml_node *node = yaml_get(mapping, key);

	if (node)
		return manifest_read_path_node(node, what, ret_path, faults);
	faults_add_at(faults, FAULT_ERROR, mapping->doc, mapping->at,
		"the file operation has no '%s'", key);
	return false;
}

static bool file_op_read_type(
	const struct yaml_node *mapping, enum file_op_type *ret_type, struct faults *faults)
{
	const struct yaml_node *node = yaml_get(mapping, "type");
	CLEANUP(freep) char *shown = NULL;

	if (!node || node->kind != YAML_SCALAR) {
		faults_add_at(faults, FAULT_ERROR, mapping->doc, node ? node->at : mapping->at,
			"the file operation has no 'type': rename, move or delete");
		return false;
	}
	*ret_type = view_equal_str(node->text, "delete") ? FILE_OP_DELETE : FILE_OP_RENAME;
	if (*ret_type == FILE_OP_DELETE || view_equal_str(node->text, "rename") ||
		view_equal_str(node->text, "move"))
		return true;
	shown = quote_start(node->text);
	faults_add_at(faults, FAULT_ERROR, node->doc, node->at,
		"%s is not a file operation: these are rename, move and delete", shown);
	return false;
}

static bool file_op_read(
	const struct yaml_node *node, struct file_op *ret_op, struct faults *faults)
{
	static const char *const rename_keys[] = {"from", "to", "type", NULL};
	static const char *const delete_keys[] = {"path", "type", NULL};
	CLEANUP(relpath_release) struct relpath from = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath to = RELPATH_INIT;
	enum file_op_type type;
	bool is_rename;

	if (!faults_expect(faults, node, YAML_MAPPING, "a file operation") ||
		!file_op_read_type(node, &type, faults))
		return false;
	is_rename = type == FILE_OP_RENAME;
	faults_note_unknown(faults, node, is_rename ? rename_keys : delete_keys);
	if (!file_op_read_path(node, is_rename ? "from" : "path", &from, faults) ||
		(is_rename && !file_op_read_path(node, "to", &to, faults)))
		return false;
	if (is_rename && !relpath_compare(&from, &to)) {
		faults_add_at(faults, FAULT_ERROR, node->doc, node->at,
			"the file operation renames a file to itself");
		return false;
	}
	*ret_op = (struct file_op){type, {TAKE(from.text)}, {TAKE(to.text)}, .at = node->at};
	return true;
}

/* What an operation and something else in the manifest, on `line`, cannot both do. */
static void file_op_report(const struct manifest *manifest, const struct file_op *op,
	const struct relpath *path, const char *what, size_t line, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	faults_add_at(faults, FAULT_ERROR, manifest->doc, op->at,
		"the file operation is about %s, which %s (on line %zu)", shown, what, line);
}

static void file_op_check_pair(const struct manifest *manifest, const struct file_op *first,
	const struct file_op *second, struct faults *faults)
{
	bool renames = first->type == FILE_OP_RENAME;
	size_t line = first->at.line;

	if (!relpath_compare(&first->from, &second->from))
		file_op_report(manifest, second, &second->from,
			renames ? "has been renamed before" : "has been deleted before", line,
			faults);
	if (second->type != FILE_OP_RENAME)
		return;
	/* Rings of renames among them: an old name means the old file, always. */
	if (!relpath_compare(&first->from, &second->to))
		file_op_report(manifest, second, &second->to,
			renames ? "is the old name of a renamed file"
				: "has been deleted before",
			line, faults);
	if (renames && !relpath_compare(&first->to, &second->to))
		file_op_report(
			manifest, second, &second->to, "is a new name already", line, faults);
}

/* The files of the skill come after all operations. */
static void file_op_check_files(
	const struct manifest *manifest, const struct file_op *op, struct faults *faults)
{
	bool renames = op->type == FILE_OP_RENAME;
	const struct relpath *path = renames ? &op->to : &op->from;
	const struct manifest_path *old = manifest_paths_find(&manifest->modifies, &op->from);
	const struct manifest_path *added = manifest_paths_find(&manifest->adds, path);

	if (!renames && old)
		file_op_report(
			manifest, op, path, "the skill also modifies", old->at.line, faults);
	if (added)
		file_op_report(
			manifest, op, path, "the skill also adds", added->at.line, faults);
	if (renames && old && manifest_paths_find(&manifest->modifies, &op->to))
		file_op_report(manifest, op, &op->from, "the skill modifies under both names",
			old->at.line, faults);
}

void manifest_read_file_ops(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults)
{
	if (!node || !faults_expect(faults, node, YAML_SEQUENCE, "'file_ops'"))
		return;
	manifest->file_ops = xcalloc(node->count + 1, sizeof(*manifest->file_ops));
	for (size_t i = 0; i < node->count; i++)
		if (file_op_read(node->items[i], &manifest->file_ops[manifest->file_op_count],
			    faults))
			manifest->file_op_count++;
	if (manifest->file_op_count > MANIFEST_MAX_FILE_OPS) {
		faults_add_at(faults, FAULT_ERROR, node->doc, manifest->file_ops[0].at,
			"there are more than %d file operations", MANIFEST_MAX_FILE_OPS);
		return;
	}
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		for (size_t j = 0; j < i; j++)
			file_op_check_pair(manifest, &manifest->file_ops[j],
				&manifest->file_ops[i], faults);
		file_op_check_files(manifest, &manifest->file_ops[i], faults);
	}
}

/* --- base_hashes ------------------------------------------------------------- */

void manifest_read_base_hashes(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults)
{
	struct manifest_base_hash *list;
	size_t count = 0;

	if (!node || !faults_expect(faults, node, YAML_MAPPING, "'base_hashes'"))
		return;
	list = xcalloc(node->count + 1, sizeof(*list));
	for (size_t i = 0; i < node->count; i++) {
		const struct yaml_entry *entry = &node->entries[i];
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct hash hash;
		const char *text;

		if (!manifest_read_path(node->doc, entry->key, entry->key_at, &path, faults) ||
			!faults_string(faults, entry->value, "a base hash", &text))
			continue;
		if (hash_from_hex(entry->value->text, &hash, &err) < 0) {
			faults_add_at(faults, FAULT_ERROR, node->doc, entry->value->at, "%s",
				err.message);
			continue;
		}
		if (!manifest_modifies(manifest, &path))
			faults_add_at(faults, FAULT_WARNING, node->doc, entry->key_at,
				"a base hash for a path that is not in 'modifies'");
		list[count++] =
			(struct manifest_base_hash){{TAKE(path.text)}, hash, entry->key_at};
	}
	manifest->base_hashes = list;
	manifest->base_hash_count = count;
}
