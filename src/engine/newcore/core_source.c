#include "engine/newcore/core_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/core/base.h"
#include "engine/newcore/internal.h"
#include "engine/package/manifest.h"
#include "engine/package/semver.h"
#include "fs/beneath.h"

#define SUMS_MAX ((size_t)1024 * 1024 * 1024)

/* --- the base -------------------------------------------------------------------- */

int core_read_optional(int fd, const char *name, size_t max, struct buf *ret_text,
	bool *ret_found, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(name);

	*ret_found = beneath_read(fd, &path, max, ret_text, err) == 0;
	if (*ret_found || (err->errnum != ENOENT && err->errnum != ENOTDIR))
		return *ret_found ? 0 : -1;
	error_clear(err);
	return 0;
}

/* The files of the base: as recorded, or if there is no record, as they are. */
static int read_base_sums(struct core_opening *o, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	const struct core_request *request = o->request;
	bool found, other;

	if (core_read_optional(
		    request->project->root, BASE_SUMS_PATH, SUMS_MAX, &text, &found, err) < 0)
		return -1;
	if (found && base_sums_parse(view_of_buf(&text), request->old_version, &sums, &other) &&
		!other) {
		o->sums = sums;
		sums = BASE_SUMS_INIT;
		return 0;
	}
	return base_sums_collect(request->base, &o->sums, err);
}

/* The base is the core that the first step begins with. */
static int begin_with_base(struct core_opening *o, struct error *err)
{
	struct core_source *source = o->source;
	int fd = fcntl(o->request->base, F_DUPFD_CLOEXEC, 0);
	size_t folder;

	if (fd < 0)
		return error_errno(err, "cannot open the base");
	folder = core_reader_add_folder(source->reader, fd);
	if (read_base_sums(o, err) < 0)
		return -1;
	for (size_t i = 0; i < o->sums.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		struct relpath from;
		size_t place;

		if (relpath_parse(view_of(o->sums.list[i].path), &path, err) < 0)
			return -1;
		place = core_reader_add(source->reader, folder, &path);
		from = relpath_copy(&path);
		core_tree_add(&source->files, &path, &o->sums.list[i].file, place)->from = from;
	}
	core_tree_sort(&source->files);
	return 0;
}

/* --- migrations ------------------------------------------------------------------ */

static int read_core_file(const struct core_source *source, const struct relpath *path,
	struct buf *ret_text, bool *ret_found, struct error *err)
{
	const struct core_file *file = core_tree_find(&source->files, path);
	CLEANUP(tx_file_release) struct tx_file content = TX_FILE_INIT;

	*ret_found = file && file->file.kind == TX_FILE;
	if (!*ret_found)
		return 0;
	if (core_source_read(source, file, &content, err) < 0)
		return -1;
	buf_append(ret_text, content.content.data, content.content.len);
	return 0;
}

void core_migrations_swap(struct core_source *source, struct migrations *list)
{
	struct migrations old = source->migrations;

	source->migrations = *list;
	*list = old;
}

int core_migrations_step(struct core_opening *o, const char *where, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(MIGRATIONS_NAME);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(migrations_release) struct migrations list = MIGRATIONS_INIT;
	CLEANUP(freep) char *name = xasprintf("%s/" MIGRATIONS_NAME, where);
	bool found;

	if (read_core_file(o->source, &path, &text, &found, err) < 0)
		return -1;
	if (found)
		migrations_parse(view_of_buf(&text), name, &list, &faults);
	if (faults_as_error(&faults, err) < 0)
		return -1;
	/* An older core, which is only compared with, has fewer. */
	if (!o->request->any_version &&
		migrations_check_appended(&o->source->migrations, &list, name, err) < 0)
		return -1;
	core_migrations_swap(o->source, &list);
	return 0;
}

/* --- the version ----------------------------------------------------------------- */

static int read_for_version(
	const struct relpath *path, void *data, struct buf *ret_text, struct error *err)
{
	bool found;

	if (read_core_file(data, path, ret_text, &found, err) < 0)
		return -1;
	if (found)
		return 0;
	errno = ENOENT;
	return error_errno(err, "no file of the core");
}

static int find_core_version(struct core_opening *o, struct error *err)
{
	struct core_source *source = o->source;

	if (source->version)
		return 0;
	if (o->request->to) {
		source->version = xstrdup(o->request->to);
		source->version_known = true;
		return 0;
	}
	if (base_core_version_by(read_for_version, source, &source->version,
		    &source->version_known, err) == 0)
		return 0;
	error_prefix(err, "'%s'", source->shown);
	free(TAKE(err->hint));
	return error_hint(err, "name the version of the new core with --to");
}

static int check_core_version(const struct core_opening *o, struct error *err)
{
	const struct core_source *source = o->source;
	const char *old = o->request->old_version;

	if (o->request->any_version || semver_compare_text(source->version, old) >= 0)
		return 0;
	if (source->version_known)
		return error_set(err, ERROR_INVALID,
			"'%s' has core %s, which is older than the current one, %s",
			source->shown, source->version, old);
	error_set(err, ERROR_INVALID,
		"'%s' does not say which version of the core it is, and the current one is %s",
		source->shown, old);
	return error_hint(err, "name the version of the new core with --to");
}

/* --- the comparison -------------------------------------------------------------- */

static void compare_core_files(const struct core_opening *o)
{
	struct core_source *source = o->source;
	CLEANUP(freep) const char **used = NULL;
	size_t count;
	struct core_tree *files = &o->source->files;
	CLEANUP(freep) const char **taken = core_tree_origins(files, &count);

	/*
	 * A file that was gone for some steps and is back has its old name as its origin again.
	 */
	for (size_t i = 0; i < files->count; i++) {
		struct core_file *revived = &files->list[i];

		if (!revived->from.text && base_sums_find(&o->sums, revived->path.text) &&
			!core_names_have(taken, count, revived->path.text))
			revived->from = relpath_copy(&revived->path);
	}
	for (size_t i = 0; i < source->files.count; i++) {
		struct core_file *file = &source->files.list[i];
		const struct layer_file *old =
			file->from.text ? base_sums_find(&o->sums, file->from.text) : NULL;

		if (!old)
			file->change = CORE_ADDED;
		else if (!layer_file_equal(old, &file->file))
			file->change = CORE_CHANGED;
		else
			file->change = relpath_compare(&file->from, &file->path) ? CORE_MOVED
										 : CORE_SAME;
	}
	used = core_tree_origins(&source->files, &count);
	for (size_t i = 0; i < o->sums.count; i++) {
		if (core_names_have(used, count, o->sums.list[i].path))
			continue;
		GROW(source->deleted, source->deleted_count, source->deleted_cap);
		source->deleted[source->deleted_count++] =
			(struct relpath){xstrdup(o->sums.list[i].path)};
	}
	core_tree_moves(&source->files, &source->renames);
}

/* Files of packages, against the tree. */
static int compare_package_files(const struct core_opening *o, struct error *err)
{
	struct core_tree *packages = &o->source->packages;

	for (size_t i = 0; i < packages->count; i++) {
		struct core_file *file = &packages->list[i];
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
		struct layer_file is;

		if (file->file.kind == TX_ABSENT)
			continue;
		file->change = CORE_ADDED;
		if (core_read_file(o->request->project->root, &file->path, &there, err) < 0) {
			if (err->errnum != ENOENT && err->errnum != ENOTDIR)
				return -1;
			error_clear(err);
			continue;
		}
		is = layer_file_of(&there);
		relpath_release(&file->from);
		file->from = relpath_copy(&file->path);
		file->change = layer_file_equal(&is, &file->file) ? CORE_SAME : CORE_CHANGED;
	}
	return 0;
}

/* Only changed files will be read. */
static void want_changed(struct core_reader *reader, const struct core_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->list[i].file.kind != TX_ABSENT)
			reader->places[tree->list[i].place].wanted =
				tree->list[i].change != CORE_SAME;
}

static int compare_with_base(struct core_opening *o, struct error *err)
{
	CLEANUP(core_tree_release) struct core_tree base = CORE_TREE_INIT;
	struct core_source *source = o->source;

	for (size_t i = 0; i < o->sums.count; i++) {
		struct relpath path = {xstrdup(o->sums.list[i].path)};

		core_tree_add(&base, &path, &o->sums.list[i].file, 0);
	}
	if (core_tree_check(&source->files, &base, source->shown, err) < 0 ||
		find_core_version(o, err) < 0 || check_core_version(o, err) < 0 ||
		compare_package_files(o, err) < 0)
		return -1;
	compare_core_files(o);
	want_changed(source->reader, &source->files);
	want_changed(source->reader, &source->packages);
	return 0;
}

/* --- opening --------------------------------------------------------------------- */

static void opening_release(struct core_opening *o)
{
	base_sums_release(&o->sums);
	ignore_free(o->ignore);
}

static int open_source_of_kind(struct core_opening *o, struct error *err)
{
	const char *typed = o->request->typed;
	CLEANUP(closep) int fd = open(typed, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(freep) char *shown = quote(view_of(typed));
	bool is_package;

	if (fd < 0 && errno != ENOENT && errno != ENOTDIR) {
		error_errno(err, "cannot open %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	if (fd < 0)
		return core_git_open(o, err);
	if (core_package_is(fd, typed, &is_package, err) < 0)
		return -1;
	return (is_package ? core_package_open : core_folder_open)(o, fd, err);
}

int core_source_open(
	const struct core_request *request, struct core_source *ret_source, struct error *err)
{
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(opening_release)
	struct core_opening o = {.request = request, .source = &source};
	struct semver version;
	CLEANUP(error_release) struct error other = ERROR_INIT;

	if (request->to) {
		if (semver_parse(view_of(request->to), &version, err) < 0)
			return error_prefix(err, "--to");
		semver_release(&version);
	}
	source.reader = core_reader_new(request->project->root);
	if (ignore_open(request->project->root, &o.ignore, err) < 0 ||
		begin_with_base(&o, err) < 0)
		return -1;
	/* The migrations of the base. If the file there is something else, it has none. */
	if (core_migrations_step(&o, ".nanoclaw/base", &other) < 0 &&
		other.kind != ERROR_INVALID)
		return error_move(err, &other);
	if (open_source_of_kind(&o, err) < 0 || compare_with_base(&o, err) < 0)
		return -1;
	*ret_source = source;
	source = CORE_SOURCE_INIT;
	return 0;
}

int core_source_read(const struct core_source *source, const struct core_file *file,
	struct tx_file *ret_file, struct error *err)
{
	return core_reader_read_checked(source->reader, file, ret_file, err);
}

struct hash core_source_hash(const struct core_source *source)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < source->files.count; i++) {
		const struct core_file *file = &source->files.list[i];
		char hex[HASH_HEX_SIZE];

		hash_to_hex(&file->file.hash, hex);
		buf_appendf(&text, "%s %s %s",
			file->file.kind == TX_SYMLINK ? "link"
			: file->file.executable       ? "program"
						      : "file",
			hex, file->path.text);
		buf_append_char(&text, '\0');
	}
	return hash_of(view_of_buf(&text));
}

const struct core_file *core_source_find(
	const struct core_source *source, const struct relpath *path)
{
	return core_tree_find(&source->files, path);
}

void core_leave_persons(
	struct core_opening *o, const struct ignore *own, struct core_tree *tree)
{
	CLEANUP(string_array_release) struct string_array left_out = {0};
	size_t kept = 0;

	for (size_t i = 0; own && i < IGNORE_FOLDERS; i++)
		if (ignore_left_out(own)[i])
			string_array_add(&left_out, ignore_left_out(own)[i]);
	for (size_t i = 0; i < tree->count; i++) {
		struct core_file *file = &tree->list[i];
		struct view shown = relpath_view(&file->path);

		if (!ignore_is_persons(o->ignore, &file->path)) {
			tree->list[kept++] = *file;
			continue;
		}
		/* For a folder its name is enough. */
		if (!manifest_path_is_secret(&file->path))
			relpath_next(&(struct view){shown.data, shown.len}, &shown);
		string_array_addf(&left_out, "%.*s", VIEW_ARGS(shown));
		core_file_release(file);
	}
	tree->count = kept;
	string_array_sort_once(&left_out);
	for (size_t i = 0; i < left_out.count; i++) {
		CLEANUP(freep) char *shown = quote(view_of(left_out.list[i]));

		string_array_addf(&o->source->notes,
			"%s of the new core is left out, since it is not part of yours; a line '!NAME' in '.nanoclaw-ignore' includes it",
			shown);
	}
}

void core_source_release(struct core_source *source)
{
	free(source->shown);
	free(source->version);
	core_tree_release(&source->files);
	core_tree_release(&source->packages);
	for (size_t i = 0; i < source->deleted_count; i++)
		relpath_release(&source->deleted[i]);
	free(source->deleted);
	core_moves_release(&source->renames);
	core_moves_release(&source->remap);
	migrations_release(&source->migrations);
	buf_release(&source->guide);
	string_array_release(&source->resolutions);
	string_array_release(&source->notes);
	core_reader_free(source->reader);
}
