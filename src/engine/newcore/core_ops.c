#include "engine/newcore/core_ops.h"

#include <stdlib.h>

#include "engine/newcore/core_tree.h"
#include "engine/package/manifest.h"
#include "engine/state/layer.h"

#define MAP_MAX   10000
#define CHAIN_MAX 100

/* --- path_remap ------------------------------------------------------------------ */

static bool read_map_path(const struct yaml_doc *doc, struct view text, struct yaml_place at,
	struct relpath *ret_path, struct faults *faults)
{
	CLEANUP(freep) char *plain = layer_path(text);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(plain), &path, &err) < 0 ||
		core_path_check(&path, &err) < 0) {
		faults_add_at(faults, FAULT_ERROR, doc, at, "'path_remap': %s", err.message);
		return false;
	}
	ret_path->text = TAKE(path.text);
	return true;
}

static int compare_map_entries(const void *a, const void *b)
{
	const struct core_map_entry *x = a, *y = b;

	return relpath_compare(&x->from, &y->from);
}

static const struct core_map_entry *map_find(
	const struct core_map *map, const struct relpath *from)
{
	struct core_map_entry key = {.from = *from};

	return map->count ? bsearch(&key, map->list, map->count, sizeof(*map->list),
				    compare_map_entries)
			  : NULL;
}

const struct relpath *core_map_end(
	const struct core_map *map, const struct core_map_entry *entry)
{
	const struct core_map_entry *next = entry;

	for (size_t steps = 0; next && steps < CHAIN_MAX; steps++) {
		entry = next;
		next = map_find(map, &entry->to);
	}
	return next ? NULL : &entry->to;
}

static void read_map(const struct yaml_node *node, struct core_map *map, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_expect(node, YAML_MAPPING, "'path_remap'", &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	if (node->count > MAP_MAX) {
		faults_add_at(faults, FAULT_ERROR, node->doc, node->at,
			"'path_remap' has more than %d entries", MAP_MAX);
		return;
	}
	for (size_t i = 0; i < node->count; i++) {
		const struct yaml_entry *entry = &node->entries[i];
		CLEANUP(relpath_release) struct relpath from = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath to = RELPATH_INIT;
		const char *text;

		if (yaml_string(entry->value, "a new path in 'path_remap'", &text, &err) < 0) {
			faults_add_error(faults, &err);
			continue;
		}
		if (!read_map_path(node->doc, entry->key, entry->key_at, &from, faults) ||
			!read_map_path(
				node->doc, entry->value->text, entry->value->at, &to, faults))
			continue;
		GROW(map->list, map->count, map->cap);
		map->list[map->count++] = (struct core_map_entry){
			{TAKE(from.text)}, {TAKE(to.text)}, .at = entry->key_at};
	}
	if (map->count)
		qsort(map->list, map->count, sizeof(*map->list), compare_map_entries);
	for (size_t i = 0; i < map->count; i++) {
		CLEANUP(freep) char *shown = relpath_quote(&map->list[i].from);

		if (!core_map_end(map, &map->list[i]))
			faults_add_at(faults, FAULT_ERROR, node->doc, map->list[i].at,
				"'path_remap' has a cycle at %s, or a chain of more than %d names",
				shown, CHAIN_MAX);
	}
}

/* --- both ------------------------------------------------------------------------ */

/*
 * The part with this key, if the text has several parts; otherwise the text itself may be the
 * part.
 */
static const struct yaml_node *find_ops_part(
	const struct yaml_doc *doc, const char *key, bool alone, enum yaml_kind kind)
{
	const struct yaml_node *node = yaml_get(doc->root, key);

	if (node && (!alone || node->kind == kind || yaml_is_null(node)))
		return node;
	return alone ? doc->root : NULL;
}

static bool is_part_repeated(
	const char *first, const char *name, const char *key, struct faults *faults)
{
	if (first)
		faults_add(faults, FAULT_ERROR, name, "'%s' is in '%s', too", key, first);
	return first != NULL;
}

static void read_parts(
	struct yaml_doc **doc, unsigned parts, struct core_ops *ops, struct faults *faults)
{
	const struct yaml_node *map = NULL, *file_ops = NULL;
	const char *name = (*doc)->name;

	if (parts & CORE_OPS_REMAP)
		map = find_ops_part(*doc, "path_remap", parts == CORE_OPS_REMAP, YAML_MAPPING);
	if (parts & CORE_OPS_FILE_OPS)
		file_ops = find_ops_part(
			*doc, "file_ops", parts == CORE_OPS_FILE_OPS, YAML_SEQUENCE);
	if (map && !yaml_is_null(map) &&
		!is_part_repeated(ops->map_name, name, "path_remap", faults)) {
		ops->map_name = xstrdup(name);
		read_map(map, &ops->map, faults);
	}
	if (file_ops && !yaml_is_null(file_ops) &&
		!is_part_repeated(ops->ops_name, name, "file_ops", faults)) {
		ops->ops_name = xstrdup(name);
		ops->holder.doc = TAKE(*doc);
		manifest_read_file_ops(file_ops, &ops->holder, faults);
	}
}

void core_ops_parse(struct view text, const char *name, unsigned parts, struct core_ops *ops,
	struct faults *faults)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (yaml_parse(text, name, &doc, &err) < 0)
		faults_add_error(faults, &err);
	else if (!yaml_is_null(doc->root))
		read_parts(&doc, parts, ops, faults);
}

void core_ops_release(struct core_ops *ops)
{
	for (size_t i = 0; i < ops->map.count; i++) {
		relpath_release(&ops->map.list[i].from);
		relpath_release(&ops->map.list[i].to);
	}
	free(ops->map.list);
	free(ops->ops_name);
	free(ops->map_name);
	manifest_release(&ops->holder);
}
