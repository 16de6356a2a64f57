/*
 * File operations of a manifest that contradict each other, or the files that the
 * skill brings.
 */
#include "engine/package/manifest_parts.h"

static bool is_rename(const struct file_op *op)
{
	return op->type == FILE_OP_RENAME;
}

static bool same(const struct relpath *a, const struct relpath *b)
{
	return relpath_compare(a, b) == 0;
}

static void report(const struct manifest *manifest, const struct file_op *op,
	const struct relpath *path, const char *what, size_t line, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	manifest_fault(faults, FAULT_ERROR, manifest->doc, op->at,
		"the file operation is about %s, which %s (on line %zu)", shown, what, line);
}

/* What two operations, the one before the other, cannot both do. */
static void check_pair(const struct manifest *manifest, const struct file_op *first,
	const struct file_op *second, struct faults *faults)
{
	const char *gone =
		is_rename(first) ? "has been renamed before" : "has been deleted before";

	if (same(&first->from, &second->from))
		report(manifest, second, &second->from, gone, first->at.line, faults);
	/* Rings of renames among them: an old name means the old file, always. */
	if (is_rename(second) && same(&first->from, &second->to))
		report(manifest, second, &second->to,
			is_rename(first) ? "is the old name of a renamed file"
					 : "has been deleted before",
			first->at.line, faults);
	if (is_rename(first) && is_rename(second) && same(&first->to, &second->to))
		report(manifest, second, &second->to, "is a new name already", first->at.line,
			faults);
}

static const struct manifest_path *find(
	const struct manifest_paths *paths, const struct relpath *path)
{
	for (size_t i = 0; i < paths->count; i++)
		if (same(&paths->list[i].path, path))
			return &paths->list[i];
	return NULL;
}

/* The files of the skill come after all operations. */
static void check_files(
	const struct manifest *manifest, const struct file_op *op, struct faults *faults)
{
	const struct manifest_path *path;

	if (is_rename(op)) {
		const struct manifest_path *old = find(&manifest->modifies, &op->from);

		path = find(&manifest->adds, &op->to);
		if (path)
			report(manifest, op, &op->to, "the skill also adds", path->at.line,
				faults);
		path = find(&manifest->modifies, &op->to);
		if (old && path)
			report(manifest, op, &op->from, "the skill modifies under both names",
				old->at.line, faults);
		return;
	}
	path = find(&manifest->modifies, &op->from);
	if (path)
		report(manifest, op, &op->from, "the skill also modifies", path->at.line,
			faults);
	path = find(&manifest->adds, &op->from);
	if (path)
		report(manifest, op, &op->from, "the skill also adds", path->at.line, faults);
}

void manifest_check_file_ops(const struct manifest *manifest, struct faults *faults)
{
	if (manifest->file_op_count > MANIFEST_MAX_FILE_OPS) {
		manifest_fault(faults, FAULT_ERROR, manifest->doc, manifest->file_ops[0].at,
			"there are more than %d file operations", MANIFEST_MAX_FILE_OPS);
		return;
	}
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		for (size_t j = 0; j < i; j++)
			check_pair(manifest, &manifest->file_ops[j], &manifest->file_ops[i],
				faults);
		check_files(manifest, &manifest->file_ops[i], faults);
	}
}
