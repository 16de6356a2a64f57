#include "engine/newcore/core_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/string_array.h"
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
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	*ret_found = false;
	if (relpath_parse(view_of(name), &path, err) < 0)
		return -1;
	*ret_found = beneath_read(fd, &path, max, ret_text, err) == 0;
	if (*ret_found || (err->errnum != ENOENT && err->errnum != ENOTDIR))
		return *ret_found ? 0 : -1;
	error_clear(err);
	return 0;
}

/* What the base has: as it was recorded, or else as it is. */
static int read_sums(struct core_opening *o, int base, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	bool found, other;

	if (core_read_optional(o->project->root, BASE_SUMS_PATH, SUMS_MAX, &text, &found, err) <
		0)
		return -1;
	if (found && base_sums_parse(view_of_buf(&text), o->old_version, &sums, &other) &&
		!other) {
		o->sums = sums;
		sums = BASE_SUMS_INIT;
		return 0;
	}
	return base_sums_collect(base, &o->sums, err);
}

static int begin(struct core_opening *o, int base, struct error *err)
{
	CLEANUP(core_tree_release) struct core_tree tree = CORE_TREE_INIT;
	int fd = fcntl(base, F_DUPFD_CLOEXEC, 0);
	size_t folder;

	if (fd < 0)
		return error_errno(err, "cannot open the base");
	folder = core_reader_add_folder(o->source->reader, fd);
	if (read_sums(o, base, err) < 0)
		return -1;
	for (size_t i = 0; i < o->sums.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		size_t place;

		if (relpath_parse(view_of(o->sums.list[i].path), &path, err) < 0)
			return -1;
		place = core_reader_add(o->source->reader, folder, &path);
		core_tree_add(&tree, &path, &o->sums.list[i].file, place);
	}
	core_tree_sort(&tree);
	core_lineage_begin(&o->lineage, &tree);
	return 0;
}

/* --- migrations ------------------------------------------------------------------ */

static int read_core_file(const struct core_opening *o, const struct relpath *path,
	struct buf *ret_text, bool *ret_found, struct error *err)
{
	const struct core_file *file = core_tree_find(&o->lineage.now, path);
	CLEANUP(tx_file_release) struct tx_file content = TX_FILE_INIT;

	*ret_found = file && file->file.kind == TX_FILE;
	if (!*ret_found)
		return 0;
	if (core_reader_read_checked(o->source->reader, file, &content, err) < 0)
		return -1;
	buf_append(ret_text, content.content.data, content.content.len);
	return 0;
}

int core_migrations_step(struct core_opening *o, const char *where, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(migrations_release) struct migrations list = MIGRATIONS_INIT;
	CLEANUP(freep) char *name = xasprintf("%s/" MIGRATIONS_NAME, where);
	struct migrations old;
	bool found;

	if (relpath_parse(view_of(MIGRATIONS_NAME), &path, err) < 0 ||
		read_core_file(o, &path, &text, &found, err) < 0)
		return -1;
	if (found)
		migrations_parse(view_of_buf(&text), name, &list, &faults);
	if (faults_as_error(&faults, err) < 0)
		return -1;
	/* An older core, which is only looked at, has fewer. */
	if (!o->any_version && migrations_check_appended(&o->migrations, &list, name, err) < 0)
		return -1;
	old = o->migrations;
	o->migrations = list;
	list = old;
	return 0;
}

/* Those of the base. A file that is something else has none. */
static int begin_migrations(struct core_opening *o, struct error *err)
{
	CLEANUP(error_release) struct error other = ERROR_INIT;

	if (core_migrations_step(o, ".nanoclaw/base", &other) < 0 &&
		other.kind != ERROR_INVALID)
		return error_move(err, &other);
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

static int find_version(struct core_opening *o, struct error *err)
{
	struct core_source *source = o->source;

	if (source->version)
		return 0;
	if (o->to) {
		source->version = xstrdup(o->to);
		source->version_known = true;
		return 0;
	}
	if (base_core_version_by(
		    read_for_version, o, &source->version, &source->version_known, err) == 0)
		return 0;
	error_prefix(err, "'%s'", source->shown);
	free(TAKE(err->hint));
	return error_hint(err, "name the version of the new core with --to");
}

static int check_version(const struct core_opening *o, struct error *err)
{
	const struct core_source *source = o->source;

	if (o->any_version || semver_compare_text(source->version, o->old_version) >= 0)
		return 0;
	if (source->version_known)
		return error_set(err, ERROR_INVALID,
			"'%s' has core %s, which is older than the present one, %s",
			source->shown, source->version, o->old_version);
	error_set(err, ERROR_INVALID,
		"'%s' does not say which version of the core it is, and the present one is %s",
		source->shown, o->old_version);
	return error_hint(err, "name the version of the new core with --to");
}

/* --- what comes of it ------------------------------------------------------------ */

static void note_change(const struct core_opening *o, struct core_file *file)
{
	const struct layer_file *old =
		file->from.text ? base_sums_find(&o->sums, file->from.text) : NULL;

	if (!old)
		file->change = CORE_ADDED;
	else if (!layer_file_equal(old, &file->file))
		file->change = CORE_CHANGED;
	else
		file->change =
			relpath_compare(&file->from, &file->path) ? CORE_MOVED : CORE_SAME;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All names in the base that a file comes from; sorted. */
static const char **names_used(const struct core_tree *now, size_t *ret_count)
{
	const char **used = xcalloc(now->count + 1, sizeof(*used));
	size_t count = 0;

	for (size_t i = 0; i < now->count; i++)
		if (now->list[i].from.text)
			used[count++] = now->list[i].from.text;
	qsort(used, count, sizeof(*used), by_text);
	*ret_count = count;
	return used;
}

static bool is_used(const char **used, size_t count, const char *name)
{
	return bsearch(&name, used, count, sizeof(*used), by_text) != NULL;
}

/* A file that was gone for some steps and is there again goes on where it was. */
static void revive(const struct core_opening *o, struct core_tree *now)
{
	size_t count;
	CLEANUP(freep) const char **used = names_used(now, &count);

	for (size_t i = 0; i < now->count; i++) {
		struct core_file *file = &now->list[i];

		if (!file->from.text && base_sums_find(&o->sums, file->path.text) &&
			!is_used(used, count, file->path.text))
			file->from = relpath_copy(&file->path);
	}
}

static void add_deleted(struct core_opening *o)
{
	struct core_source *source = o->source;
	size_t count;
	CLEANUP(freep) const char **used = names_used(&o->lineage.now, &count);

	for (size_t i = 0; i < o->sums.count; i++) {
		if (is_used(used, count, o->sums.list[i].path))
			continue;
		GROW(source->deleted, source->deleted_count, source->deleted_cap);
		source->deleted[source->deleted_count++] =
			(struct relpath){xstrdup(o->sums.list[i].path)};
	}
}

static int by_old_name(const void *a, const void *b)
{
	const struct core_rename *x = a, *y = b;

	return relpath_compare(&x->from, &y->from);
}

static void add_renames(struct core_opening *o)
{
	struct core_source *source = o->source;

	for (size_t i = 0; i < o->lineage.now.count; i++) {
		const struct core_file *file = &o->lineage.now.list[i];

		if (!file->from.text || !relpath_compare(&file->from, &file->path))
			continue;
		GROW(source->renames, source->rename_count, source->rename_cap);
		source->renames[source->rename_count++] = (struct core_rename){
			relpath_copy(&file->from), relpath_copy(&file->path), file->found};
	}
	if (source->rename_count)
		qsort(source->renames, source->rename_count, sizeof(*source->renames),
			by_old_name);
}

static void hand_over(struct core_opening *o)
{
	struct core_source *source = o->source;

	source->files = TAKE(o->lineage.now.list);
	source->file_count = o->lineage.now.count;
	source->file_cap = o->lineage.now.cap;
	o->lineage.now = CORE_TREE_INIT;
	source->remap = TAKE(o->lineage.moves.list);
	source->remap_count = o->lineage.moves.count;
	source->remap_cap = o->lineage.moves.cap;
	o->lineage.moves = (struct core_moves){0};
	source->packages = TAKE(o->packages.list);
	source->package_count = o->packages.count;
	source->package_cap = o->packages.cap;
	o->packages = CORE_TREE_INIT;
	source->migrations = TAKE(o->migrations.list);
	source->migration_count = o->migrations.count;
	source->migration_cap = o->migrations.cap;
	o->migrations = MIGRATIONS_INIT;
}

/* A file of a package, against the tree. */
static int compare_package_file(
	const struct core_opening *o, struct core_file *file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct layer_file is;

	file->change = CORE_ADDED;
	if (core_read_file(o->project->root, &file->path, &there, err) < 0) {
		if (err->errnum != ENOENT && err->errnum != ENOTDIR)
			return -1;
		error_clear(err);
		return 0;
	}
	is = layer_file_of(&there);
	relpath_release(&file->from);
	file->from = relpath_copy(&file->path);
	file->change = layer_file_equal(&is, &file->file) ? CORE_SAME : CORE_CHANGED;
	return 0;
}

/* What is the same as before is never asked for. */
static void want_changed(struct core_reader *reader, const struct core_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->list[i].file.kind != TX_ABSENT)
			reader->places[tree->list[i].place].wanted =
				tree->list[i].change != CORE_SAME;
}

static int finish(struct core_opening *o, struct error *err)
{
	CLEANUP(core_tree_release) struct core_tree base = CORE_TREE_INIT;

	for (size_t i = 0; i < o->sums.count; i++) {
		struct relpath path = {xstrdup(o->sums.list[i].path)};

		core_tree_add(&base, &path, &o->sums.list[i].file, 0);
	}
	if (core_tree_check(&o->lineage.now, &base, o->source->shown, err) < 0 ||
		find_version(o, err) < 0 || check_version(o, err) < 0)
		return -1;
	for (size_t i = 0; i < o->packages.count; i++)
		if (o->packages.list[i].file.kind != TX_ABSENT &&
			compare_package_file(o, &o->packages.list[i], err) < 0)
			return -1;
	revive(o, &o->lineage.now);
	for (size_t i = 0; i < o->lineage.now.count; i++)
		note_change(o, &o->lineage.now.list[i]);
	want_changed(o->source->reader, &o->lineage.now);
	want_changed(o->source->reader, &o->packages);
	add_deleted(o);
	add_renames(o);
	hand_over(o);
	return 0;
}

/* --- opening --------------------------------------------------------------------- */

static void opening_release(struct core_opening *o)
{
	base_sums_release(&o->sums);
	core_lineage_release(&o->lineage);
	core_tree_release(&o->packages);
	migrations_release(&o->migrations);
	ignore_free(o->ignore);
}

static int open_kind(struct core_opening *o, struct error *err)
{
	CLEANUP(closep) int fd = open(o->typed, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(freep) char *shown = quote(view_of(o->typed));
	bool is_package;

	if (fd < 0 && errno != ENOENT && errno != ENOTDIR) {
		error_errno(err, "cannot open %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	if (fd < 0)
		return core_git_open(o, err);
	if (core_package_is(fd, o->typed, &is_package, err) < 0)
		return -1;
	return (is_package ? core_package_open : core_folder_open)(o, fd, err);
}

static int check_to(const char *to, struct error *err)
{
	struct semver version;

	if (!to)
		return 0;
	if (semver_parse(view_of(to), &version, err) < 0)
		return error_prefix(err, "--to");
	semver_release(&version);
	return 0;
}

static int open_source(
	struct core_opening *o, int base, struct core_source *ret_source, struct error *err)
{
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	o->source = &source;
	source.reader = core_reader_new(o->project->root);
	if (check_to(o->to, err) < 0 || ignore_open(o->project->root, &o->ignore, err) < 0 ||
		begin(o, base, err) < 0 || begin_migrations(o, err) < 0 ||
		open_kind(o, err) < 0 || finish(o, err) < 0)
		return -1;
	*ret_source = source;
	source = CORE_SOURCE_INIT;
	return 0;
}

int core_source_open(const struct project *project, int base, const char *typed, const char *to,
	const char *old_version, struct core_source *ret_source, struct error *err)
{
	CLEANUP(opening_release)
	struct core_opening o = {
		.project = project, .typed = typed, .to = to, .old_version = old_version};

	return open_source(&o, base, ret_source, err);
}

int core_source_look(const struct project *project, int base, const char *typed, const char *to,
	const char *old_version, struct core_source *ret_source, struct error *err)
{
	CLEANUP(opening_release)
	struct core_opening o = {.project = project,
		.typed = typed,
		.to = to,
		.old_version = old_version,
		.any_version = true};

	return open_source(&o, base, ret_source, err);
}

int core_source_read(const struct core_source *source, const struct core_file *file,
	struct tx_file *ret_file, struct error *err)
{
	return core_reader_read_checked(source->reader, file, ret_file, err);
}

struct hash core_source_hash(const struct core_source *source)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < source->file_count; i++) {
		const struct core_file *file = &source->files[i];
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
	const struct core_tree tree = {source->files, source->file_count, source->file_cap};

	return core_tree_find(&tree, path);
}

static void note_left_out(struct core_source *source, const char *path)
{
	CLEANUP(freep) char *shown = quote(view_of(path));

	core_source_note(source,
		xasprintf(
			"%s of the new core is left out, since it is no part of yours; a line "
			"'!NAME' in '.nanoclaw-ignore' takes it in",
			shown));
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
		/* Of a folder its name says enough. */
		if (!manifest_path_is_secret(&file->path))
			relpath_next(&(struct view){shown.data, shown.len}, &shown);
		string_array_addf(&left_out, "%.*s", VIEW_ARGS(shown));
		core_file_release(file);
	}
	tree->count = kept;
	string_array_sort_once(&left_out);
	for (size_t i = 0; i < left_out.count; i++)
		note_left_out(o->source, left_out.list[i]);
}

void core_source_note(struct core_source *source, char *text)
{
	GROW(source->notes, source->note_count, source->note_cap);
	source->notes[source->note_count++] = text;
}

static void release_texts(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

static void release_moves(struct core_rename *list, size_t count)
{
	struct core_moves moves = {list, count, count};

	core_moves_release(&moves);
}

static void release_files(struct core_file *list, size_t count)
{
	struct core_tree tree = {list, count, count};

	core_tree_release(&tree);
}

void core_source_release(struct core_source *source)
{
	struct migrations migrations = {
		source->migrations, source->migration_count, source->migration_cap};

	free(source->shown);
	free(source->version);
	release_files(source->files, source->file_count);
	release_files(source->packages, source->package_count);
	for (size_t i = 0; i < source->deleted_count; i++)
		relpath_release(&source->deleted[i]);
	free(source->deleted);
	release_moves(source->renames, source->rename_count);
	release_moves(source->remap, source->remap_count);
	migrations_release(&migrations);
	buf_release(&source->guide);
	release_texts(source->resolutions, source->resolution_count);
	release_texts(source->notes, source->note_count);
	core_reader_free(source->reader);
}
