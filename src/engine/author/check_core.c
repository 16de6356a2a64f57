/*
 * A package and the core: what it modifies must be there, what it adds must not,
 * and what it was written against should still be what is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/author/check_parts.h"
#include "engine/core/base.h"
#include "engine/package/semver.h"
#include "engine/text/merge.h"
#include "util/beneath.h"
#include "util/utf8.h"

#define LINES_SHOWN 5

/* --- the core and its version ------------------------------------------------ */

/* NULL if no file says it. */
static int read_core_version(int core, char **ret_version, struct error *err)
{
	CLEANUP(freep) char *version = NULL;
	bool found;

	if (base_core_version(core, &version, &found, err) < 0)
		return -1;
	*ret_version = found ? TAKE(version) : NULL;
	return 0;
}

int check_open_core(struct check_context *context, struct error *err)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

	context->core = openat(context->project->root, ".nanoclaw/base", flags | O_NOFOLLOW);
	if (context->core >= 0 && context->skills.initialized)
		context->core_version = xstrdup(context->skills.state.core_version);
	else if (context->core < 0)
		context->core = openat(context->project->root, ".", flags);
	if (context->core < 0)
		return error_errno(err, "cannot open the project");
	if (context->core_version)
		return 0;
	return read_core_version(context->core, &context->core_version, err);
}

/* --- added files ------------------------------------------------------------- */

/* Do the package's own file operations take the path away, or bring it about? */
static bool is_moved_away(const struct manifest *manifest, const struct relpath *path)
{
	for (size_t i = 0; i < manifest->file_op_count; i++)
		if (!relpath_compare(&manifest->file_ops[i].from, path))
			return true;
	return false;
}

static bool is_moved_here(const struct manifest *manifest, const struct relpath *path)
{
	for (size_t i = 0; i < manifest->file_op_count; i++)
		if (manifest->file_ops[i].type == FILE_OP_RENAME &&
			!relpath_compare(&manifest->file_ops[i].to, path))
			return true;
	return false;
}

static void check_added(const struct check_context *context, const struct manifest *manifest,
	const struct manifest_path *added, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(&added->path);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct stat st;

	if (is_moved_away(manifest, &added->path))
		return;
	if (!beneath_stat(context->core, &added->path, &st, &err))
		check_fault(faults, FAULT_ERROR, added->at, "%s is already %s of the core",
			shown, S_ISDIR(st.st_mode) ? "a folder" : "a file");
	else if (err.errnum == ENOTDIR)
		check_fault(faults, FAULT_ERROR, added->at,
			"%s lies below something that is a file in the core", shown);
	else if (err.errnum != ENOENT)
		check_fault(faults, FAULT_ERROR, added->at, "%s", err.message);
}

/* --- modified files ---------------------------------------------------------- */

struct lines {
	struct view *list;
	size_t count;
	size_t cap;
};

static void lines_release(struct lines *lines)
{
	free(lines->list);
}

static int compare_lines(const void *a, const void *b)
{
	return view_compare(*(const struct view *)a, *(const struct view *)b);
}

static void sort_lines(struct view text, struct lines *lines)
{
	struct view line;

	while (view_next(&text, '\n', &line)) {
		GROW(lines->list, lines->count, lines->cap);
		lines->list[lines->count++] = view_trim(line);
	}
	if (lines->count)
		qsort(lines->list, lines->count, sizeof(*lines->list), compare_lines);
}

/* The lines of `base` that `skill` has nowhere, for a message; NULL if there are none. */
static char *missing_lines(struct view base, struct view skill)
{
	CLEANUP(lines_release) struct lines present = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view line;
	size_t missing = 0;

	sort_lines(skill, &present);
	while (view_next(&base, '\n', &line)) {
		CLEANUP(freep) char *shown = NULL;

		line = view_trim(line);
		if (!line.len || (present.count && bsearch(&line, present.list, present.count,
							   sizeof(line), compare_lines)))
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

/* What a known package makes of the core's file; false if it does not change it. */
static bool merge_package(const struct package *package, const struct relpath *path,
	struct view base, struct buf *text)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	struct merge_options options = {.style = MERGE_STYLE_MERGE};
	mode_t mode;

	if (!manifest_modifies(&package->manifest, path) ||
		package_read_modify(package, path, &theirs, &mode, &err) < 0 ||
		merge_is_binary(base) || merge_is_binary(view_of_buf(&theirs)))
		return false;
	if (merge_contents(&(struct merge_input){view_of_buf(text), ""},
		    &(struct merge_input){base, ""},
		    &(struct merge_input){view_of_buf(&theirs), ""}, &options, &merged,
		    &err) < 0 ||
		merged.conflicts)
		return false;
	buf_release(text);
	*text = merged.content;
	merged.content = BUF_INIT;
	return true;
}

static bool has_hash(struct view text, const struct hash *wanted)
{
	struct hash hash = hash_of(text);

	return hash_equal(&hash, wanted);
}

/* Was it written on top of the file of one that it depends on, or of several together? */
static bool is_on_dependencies(const struct check_context *context,
	const struct manifest *manifest, const struct relpath *path, struct view base,
	const struct hash *wanted)
{
	CLEANUP(buf_release) struct buf together = BUF_INIT;

	buf_append(&together, base.data, base.len);
	for (size_t i = 0; i < manifest->depends.count; i++)
		for (size_t j = 0; j < context->known_count; j++) {
			const struct package *other = context->known[j];
			CLEANUP(buf_release) struct buf alone = BUF_INIT;

			if (!other->manifest.skill ||
				strcmp(other->manifest.skill,
					manifest->depends.list[i].skill) != 0)
				continue;
			buf_append(&alone, base.data, base.len);
			if ((merge_package(other, path, base, &alone) &&
				    has_hash(view_of_buf(&alone), wanted)) ||
				(merge_package(other, path, base, &together) &&
					has_hash(view_of_buf(&together), wanted)))
				return true;
			break;
		}
	return false;
}

/* What the file was written against, if that is not what the core has now. */
static char *describe_stale(const struct check_context *context,
	const struct manifest *manifest, const struct relpath *path, struct view base)
{
	const struct hash *wanted = manifest_base_hash(manifest, path);
	struct hash present = hash_of(base);

	if (wanted)
		return hash_equal(wanted, &present) ||
				       is_on_dependencies(context, manifest, path, base, wanted)
			       ? NULL
			       : xstrdup("the core's file is not the one of 'base_hashes'");
	if (!context->core_version || !manifest->core_version ||
		semver_compare_text(manifest->core_version, context->core_version) >= 0)
		return NULL;
	return xasprintf("written for core %s, and this core is %s", manifest->core_version,
		context->core_version);
}

static void check_stale(const struct check_context *context, const struct package *package,
	const struct manifest_path *modified, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	CLEANUP(buf_release) struct buf skill = BUF_INIT;
	CLEANUP(freep) char *shown = relpath_quote(&modified->path);
	CLEANUP(freep) char *stale = NULL;
	CLEANUP(freep) char *lines = NULL;
	mode_t mode;

	/* A file that is missing was reported with the files of the package. */
	if (package_read_modify(package, &modified->path, &skill, &mode, &err) < 0)
		return;
	if (beneath_read(context->core, &modified->path, PACKAGE_MAX_FILE, &base, &err) < 0) {
		check_fault(faults, FAULT_ERROR, modified->at, "%s", err.message);
		return;
	}
	stale = describe_stale(
		context, &package->manifest, &modified->path, view_of_buf(&base));
	if (!stale)
		return;
	if (!merge_is_binary(view_of_buf(&base)))
		lines = missing_lines(view_of_buf(&base), view_of_buf(&skill));
	if (lines)
		check_fault(faults, FAULT_WARNING, modified->at,
			"%s is stale: %s; it lacks these lines of the core: %s", shown, stale,
			lines);
	else if (manifest_base_hash(&package->manifest, &modified->path))
		check_fault(
			faults, FAULT_WARNING, modified->at, "%s is stale: %s", shown, stale);
}

static void report_absent(const struct check_context *context, const struct package *package,
	const struct manifest_path *modified, struct faults *faults)
{
	const struct package *other = check_who_adds(context, package, &modified->path);
	CLEANUP(freep) char *shown = relpath_quote(&modified->path);

	if (other)
		check_fault(faults, FAULT_ERROR, modified->at,
			"%s is not in the core; the skill '%s' adds it and is not in 'depends'",
			shown, other->manifest.skill);
	else
		check_fault(faults, FAULT_ERROR, modified->at,
			"%s is neither in the core nor added by a dependency", shown);
}

static void check_modified(const struct check_context *context, const struct package *package,
	const struct manifest_path *modified, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct stat st;

	if (!beneath_stat(context->core, &modified->path, &st, &err))
		check_stale(context, package, modified, faults);
	else if (err.errnum != ENOENT && err.errnum != ENOTDIR)
		check_fault(faults, FAULT_ERROR, modified->at, "%s", err.message);
	else if (!is_moved_here(&package->manifest, &modified->path) &&
		 !check_dependency_adds(context, package, &modified->path))
		report_absent(context, package, modified, faults);
}

/* --- file operations --------------------------------------------------------- */

/* Do the operations before this one bring a file there, or take it away? */
static bool is_moved_before(
	const struct manifest *manifest, size_t op, const struct relpath *path)
{
	for (size_t i = 0; i < op; i++)
		if (!relpath_compare(&manifest->file_ops[i].from, path) ||
			(manifest->file_ops[i].type == FILE_OP_RENAME &&
				!relpath_compare(&manifest->file_ops[i].to, path)))
			return true;
	return false;
}

static void check_source(const struct check_context *context, const struct package *package,
	const struct file_op *op, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(&op->from);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct stat st;

	if (!beneath_stat(context->core, &op->from, &st, &err)) {
		if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
			check_fault(faults, FAULT_ERROR, op->at,
				"the file operation is about %s, which is no file", shown);
	} else if (err.errnum != ENOENT && err.errnum != ENOTDIR) {
		check_fault(faults, FAULT_ERROR, op->at, "%s", err.message);
	} else if (!check_dependency_adds(context, package, &op->from)) {
		check_fault(faults, FAULT_ERROR, op->at,
			"the file operation is about %s, which is neither in the core nor added "
			"by a dependency",
			shown);
	}
}

static void check_target(
	const struct check_context *context, const struct file_op *op, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(&op->to);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct stat st;

	if (!beneath_stat(context->core, &op->to, &st, &err))
		check_fault(faults, FAULT_ERROR, op->at,
			"the file operation renames to %s, which is in the core already",
			shown);
	else if (err.errnum == ENOTDIR)
		check_fault(faults, FAULT_ERROR, op->at,
			"%s lies below something that is a file in the core", shown);
	else if (err.errnum != ENOENT)
		check_fault(faults, FAULT_ERROR, op->at, "%s", err.message);
}

static void check_file_op(const struct check_context *context, const struct package *package,
	size_t index, struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;
	const struct file_op *op = &manifest->file_ops[index];

	if (!is_moved_before(manifest, index, &op->from))
		check_source(context, package, op, faults);
	if (op->type == FILE_OP_RENAME && !is_moved_before(manifest, index, &op->to))
		check_target(context, op, faults);
}

/* --- the whole --------------------------------------------------------------- */

static void check_version(const struct check_context *context, const struct manifest *manifest,
	struct faults *faults)
{
	struct yaml_place at;

	if (!manifest->core_version || !context->core_version ||
		semver_compare_text(manifest->core_version, context->core_version) <= 0)
		return;
	at = yaml_get(manifest->doc->root, "core_version")->at;
	check_fault(faults, FAULT_WARNING, at,
		"the skill is written for core %s, and this core is older: %s",
		manifest->core_version, context->core_version);
}

void check_against_core(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;

	check_version(context, manifest, faults);
	for (size_t i = 0; i < manifest->file_op_count; i++)
		check_file_op(context, package, i, faults);
	for (size_t i = 0; i < manifest->adds.count; i++)
		check_added(context, manifest, &manifest->adds.list[i], faults);
	for (size_t i = 0; i < manifest->modifies.count; i++)
		check_modified(context, package, &manifest->modifies.list[i], faults);
}
