/*
 * A package and the core: the core must have the files that it modifies, must not have the files
 * that it adds, and should still have the files that it was written against.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "engine/author/internal.h"
#include "engine/conflict/merge3.h"
#include "engine/core/base.h"
#include "engine/disk/tx_file.h"
#include "engine/package/semver.h"
#include "engine/text/merge.h"
#include "fs/beneath.h"

#define LINES_SHOWN 5

int check_open_core(struct check_context *context, struct error *err)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	CLEANUP(freep) char *version = NULL;
	bool found;

	context->core = openat(context->project->root, ".nanoclaw/base", flags | O_NOFOLLOW);
	if (context->core >= 0 && context->skills.initialized) {
		context->core_version = xstrdup(context->skills.state.core_version);
		return 0;
	}
	if (context->core < 0)
		context->core = openat(context->project->root, ".", flags);
	if (context->core < 0)
		return error_errno(err, "cannot open the project");
	if (base_core_version(context->core, &version, &found, err) < 0)
		return -1;
	context->core_version = found ? TAKE(version) : NULL;
	return 0;
}

/*
 * 0 if the core has the path, ENOENT if not, ENOTDIR if it has a file in place of a folder
 * above it. EIO: another error, which is a fault.
 */
static int stat_in_core(const struct check_context *context, const struct relpath *path,
	struct yaml_place at, struct stat *ret_stat, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!beneath_stat(context->core, path, ret_stat, &err))
		return 0;
	if (err.errnum == ENOENT || err.errnum == ENOTDIR)
		return err.errnum;
	check_fault(faults, FAULT_ERROR, at, "%s", err.message);
	return EIO;
}

/* --- modified files --- */

static int compare_lines(const void *a, const void *b)
{
	return view_compare(*(const struct view *)a, *(const struct view *)b);
}

/* The lines of `base` that `skill` has nowhere, for a message; NULL: none. */
static char *missing_lines(struct view base, struct view skill)
{
	CLEANUP(freep) struct view *present = NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t count = 0, cap = 0, missing = 0;
	struct view line;

	while (view_next(&skill, '\n', &line)) {
		GROW(present, count, cap);
		present[count++] = view_trim(line);
	}
	if (count)
		qsort(present, count, sizeof(*present), compare_lines);
	while (view_next(&base, '\n', &line)) {
		CLEANUP(freep) char *shown = NULL;

		line = view_trim(line);
		if (!line.len ||
			(count && bsearch(&line, present, count, sizeof(line), compare_lines)))
			continue;
		if (missing++ >= LINES_SHOWN)
			continue;
		shown = utf8_excerpt(line);
		buf_appendf(&text, "%s'%s'", missing > 1 ? ", " : "", shown);
	}
	if (missing > LINES_SHOWN)
		buf_appendf(&text, " and %zu more", missing - LINES_SHOWN);
	return missing ? buf_take(&text) : NULL;
}

/* Merge a package's file into `text`. Is that the file of this hash? */
static bool merges_to(const struct package *package, const struct relpath *path,
	const struct tx_file *base, struct tx_file *text, const struct hash *wanted)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file theirs = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file merged = TX_FILE_INIT;
	struct hash hash;
	bool clean;

	theirs.kind = TX_FILE;
	if (!manifest_modifies(&package->manifest, path) ||
		package_read_modify(package, path, &theirs.content, &theirs.mode, &err) < 0 ||
		merge3(base, text, &theirs, &merged, &clean, &err) < 0 || !clean)
		return false;
	tx_file_copy(&merged, text);
	hash = hash_of(view_of_buf(&text->content));
	return hash_equal(&hash, wanted);
}

/* Was it written on top of the file of one dependency, or of several together? */
static bool is_on_dependencies(const struct check_context *context,
	const struct manifest *manifest, const struct relpath *path, struct view base,
	const struct hash *wanted)
{
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file together = TX_FILE_INIT;

	core.kind = TX_FILE;
	core.mode = 0644;
	buf_append(&core.content, base.data, base.len);
	tx_file_copy(&core, &together);
	for (size_t i = 0; i < manifest->depends.count; i++) {
		const struct package *other =
			check_find(context, manifest->depends.list[i].skill);
		CLEANUP(tx_file_release) struct tx_file alone = TX_FILE_INIT;

		tx_file_copy(&core, &alone);
		if (other && (merges_to(other, path, &core, &alone, wanted) ||
				     merges_to(other, path, &core, &together, wanted)))
			return true;
	}
	return false;
}

/* Was the file written against a different core file than the current one? */
static void check_stale(const struct check_context *context, const struct package *package,
	const struct manifest_path *modified, struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;
	const struct hash *wanted = manifest_base_hash(manifest, &modified->path);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	CLEANUP(buf_release) struct buf skill = BUF_INIT;
	CLEANUP(freep) char *shown = relpath_quote(&modified->path);
	CLEANUP(freep) char *stale = NULL;
	CLEANUP(freep) char *lines = NULL;
	struct view core;
	struct hash present;
	mode_t mode;

	/* package_check_files() reports a missing file. */
	if (package_read_modify(package, &modified->path, &skill, &mode, &err) < 0)
		return;
	if (beneath_read(context->core, &modified->path, PACKAGE_MAX_FILE, &base, &err) < 0) {
		check_fault(faults, FAULT_ERROR, modified->at, "%s", err.message);
		return;
	}
	core = view_of_buf(&base);
	present = hash_of(core);
	if (wanted ? hash_equal(wanted, &present) || is_on_dependencies(context, manifest,
							     &modified->path, core, wanted)
		   : !context->core_version || !manifest->core_version ||
				semver_compare_text(
					manifest->core_version, context->core_version) >= 0)
		return;
	stale = wanted ? xstrdup("the core's file does not match 'base_hashes'")
		       : xasprintf("written for core %s, and this core is %s",
				 manifest->core_version, context->core_version);
	if (!merge_is_binary(core))
		lines = missing_lines(core, view_of_buf(&skill));
	if (lines)
		check_fault(faults, FAULT_WARNING, modified->at,
			"%s is stale: %s; it lacks these lines of the core: %s", shown, stale,
			lines);
	else if (wanted)
		check_fault(
			faults, FAULT_WARNING, modified->at, "%s is stale: %s", shown, stale);
}

bool check_op_takes(const struct manifest *manifest, size_t end, const struct relpath *path)
{
	for (size_t i = 0; i < end; i++)
		if (!relpath_compare(&manifest->file_ops[i].from, path))
			return true;
	return false;
}

bool check_op_brings(const struct manifest *manifest, size_t end, const struct relpath *path)
{
	for (size_t i = 0; i < end; i++)
		if (manifest->file_ops[i].type == FILE_OP_RENAME &&
			!relpath_compare(&manifest->file_ops[i].to, path))
			return true;
	return false;
}

static void check_modified(const struct check_context *context, const struct package *package,
	const struct manifest_path *modified, struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;
	CLEANUP(freep) char *shown = relpath_quote(&modified->path);
	const struct package *other;
	struct stat st;
	int missing = stat_in_core(context, &modified->path, modified->at, &st, faults);

	if (!missing)
		check_stale(context, package, modified, faults);
	if (!missing || missing == EIO ||
		check_op_brings(manifest, manifest->file_op_count, &modified->path) ||
		check_dependency_adds(context, package, &modified->path))
		return;
	other = check_who_adds(context, package, &modified->path);
	if (other)
		check_fault(faults, FAULT_ERROR, modified->at,
			"%s is not in the core; the skill '%s' adds it and is not in 'depends'",
			shown, other->manifest.skill);
	else
		check_fault(faults, FAULT_ERROR, modified->at,
			"%s is neither in the core nor added by a dependency", shown);
}

/* --- added files and file operations --- */

/* A path that the skill adds, or that `op` renames to, must be free. */
static void check_free(const struct check_context *context, const struct relpath *path,
	struct yaml_place at, const struct file_op *op, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(path);
	struct stat st;
	int missing = stat_in_core(context, path, at, &st, faults);

	if (!missing && op)
		check_fault(faults, FAULT_ERROR, at,
			"the file operation renames to %s, which is in the core already",
			shown);
	else if (!missing)
		check_fault(faults, FAULT_ERROR, at, "%s is already %s of the core", shown,
			S_ISDIR(st.st_mode) ? "a folder" : "a file");
	else if (missing == ENOTDIR)
		check_fault(faults, FAULT_ERROR, at,
			"%s is below a path that is a file in the core", shown);
}

/* Names that an earlier operation has touched are no longer the core's. */
static void check_op(const struct check_context *context, const struct package *package,
	size_t number, struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;
	const struct file_op *op = &manifest->file_ops[number];
	CLEANUP(freep) char *shown = relpath_quote(&op->from);
	struct stat st;
	int missing;

	if (!check_op_takes(manifest, number, &op->from) &&
		!check_op_brings(manifest, number, &op->from)) {
		missing = stat_in_core(context, &op->from, op->at, &st, faults);
		if (!missing && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
			check_fault(faults, FAULT_ERROR, op->at,
				"the file operation is about %s, which is not a file", shown);
		else if (missing && missing != EIO &&
			 !check_dependency_adds(context, package, &op->from))
			check_fault(faults, FAULT_ERROR, op->at,
				"the file operation is about %s, which is neither in the core "
				"nor added by a dependency",
				shown);
	}
	if (op->type == FILE_OP_RENAME && !check_op_takes(manifest, number, &op->to) &&
		!check_op_brings(manifest, number, &op->to))
		check_free(context, &op->to, op->at, op, faults);
}

void check_against_core(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;

	if (manifest->core_version && context->core_version &&
		semver_compare_text(manifest->core_version, context->core_version) > 0)
		check_fault(faults, FAULT_WARNING,
			yaml_get(manifest->doc->root, "core_version")->at,
			"the skill is written for core %s, and this core is older: %s",
			manifest->core_version, context->core_version);
	for (size_t i = 0; i < manifest->file_op_count; i++)
		check_op(context, package, i, faults);
	for (size_t i = 0; i < manifest->adds.count; i++) {
		const struct manifest_path *added = &manifest->adds.list[i];

		if (!check_op_takes(manifest, manifest->file_op_count, &added->path))
			check_free(context, &added->path, added->at, NULL, faults);
	}
	for (size_t i = 0; i < manifest->modifies.count; i++)
		check_modified(context, package, &manifest->modifies.list[i], faults);
}
