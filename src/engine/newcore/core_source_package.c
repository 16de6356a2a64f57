/*
 * Update packages, one after the other: each turns the previous core into a whole new one, first
 * by its file operations, then by its files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/newcore/core_chain.h"
#include "engine/newcore/core_source.h"
#include "engine/newcore/internal.h"
#include "engine/package/manifest.h"
#include "engine/package/package.h"
#include "fs/beneath.h"
#include "fs/walk.h"

#define GUIDE_MAX ((size_t)16 * 1024 * 1024)

/* --- is it a package? ----------------------------------------------------------------- */

static bool is_link_name(const char *name)
{
	struct core_link link;

	if (!core_link_parse(view_of(name), &link))
		return false;
	core_link_release(&link);
	return true;
}

/* A package whose name does not state its versions must not be mistaken for a whole core. */
static bool looks_like_one(int fd)
{
	static const char *const texts[] = {
		"file_ops", "file_ops.yaml", "path_remap", "path_remap.yaml", "update.yaml"};
	struct stat st;

	if (fstatat(fd, "files", &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (fstatat(fd, texts[i], &st, AT_SYMLINK_NOFOLLOW) == 0)
			return true;
	return false;
}

int core_package_is(int fd, const char *typed, bool *ret_is, struct error *err)
{
	CLEANUP(freep) char *real = realpath(typed, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	CLEANUP(freep) char *shown = quote(view_of(typed));

	*ret_is = slash && is_link_name(slash + 1);
	if (!*ret_is) {
		int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		DIR *dir = own < 0 ? NULL : fdopendir(own);
		const struct dirent *entry;

		if (!dir)
			return error_errno(err, "cannot open the folder");
		*ret_is = false;
		while (!*ret_is && (entry = readdir(dir)))
			*ret_is = is_link_name(entry->d_name);
		closedir(dir);
	}
	if (*ret_is || !looks_like_one(fd))
		return 0;
	error_set(err, ERROR_INVALID,
		"%s looks like an update package, but is not named after two versions", shown);
	return error_hint(err, "name the folder as in '0.5.0-to-0.6.0'");
}

/* --- texts ----------------------------------------------------------------------- */

/* One package, which makes a whole core out of the one before. */
struct step {
	struct core_opening *o;
	int fd;
	char *shown;  /* the folder, for messages */
	size_t files; /* the folder with its files; a number of the reader */
	struct core_ops ops;
	struct core_tree after;
	struct core_tree added;
};

static void step_release(struct step *s)
{
	free(s->shown);
	core_ops_release(&s->ops);
	core_tree_release(&s->after);
	core_tree_release(&s->added);
}

static int read_package_ops(struct step *s, struct error *err)
{
	static const struct {
		const char *name;
		unsigned parts;
	} texts[] = {
		{"file_ops", CORE_OPS_FILE_OPS},
		{"file_ops.yaml", CORE_OPS_FILE_OPS},
		{"path_remap", CORE_OPS_REMAP},
		{"path_remap.yaml", CORE_OPS_REMAP},
		{"update.yaml", CORE_OPS_FILE_OPS | CORE_OPS_REMAP},
	};
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(freep) char *name = xasprintf("%s/%s", s->shown, texts[i].name);
		bool found;

		if (core_read_optional(
			    s->fd, texts[i].name, YAML_MAX_SIZE, &text, &found, err) < 0)
			return error_prefix(err, "'%s'", s->shown);
		if (found)
			core_ops_parse(
				view_of_buf(&text), name, texts[i].parts, &s->ops, &faults);
	}
	return faults_as_error(&faults, err);
}

/* --- files that are not part of a core ----------------------------------------------------- */

/* A person's files, installed ones, and folders beside the core. */
static bool is_users_path(const struct step *s, const struct relpath *path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct view rest = relpath_view(path), name;
	bool suspect = view_starts_with(rest, "updates/"), excluded;

	while (relpath_next(&rest, &name))
		suspect |= view_equal_str(name, "node_modules");
	if (suspect &&
		(ignore_excludes_file(s->o->ignore, path, &excluded, &err) < 0 || excluded))
		return true;
	return ignore_is_persons(s->o->ignore, path);
}

/* --- file operations ------------------------------------------------------------- */

static int refuse_op(const struct step *s, const struct file_op *op, const struct relpath *path,
	const char *what, struct error *err)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	return error_set(err, ERROR_INVALID,
		"%s:%zu:%zu: the file operation is about %s, which %s", s->ops.ops_name,
		op->at.line, op->at.column, shown, what);
}

/* A file of a skill package may also be deleted. */
static int delete_from_package(struct step *s, const struct file_op *op, struct error *err)
{
	struct core_tree *packages = &s->o->source->packages;
	struct core_file *file = core_tree_find(packages, &op->from);
	struct relpath path;
	struct stat st;

	if (!core_skills_folder_len(relpath_view(&op->from)) &&
		!core_skills_is_resolution(relpath_view(&op->from)))
		return refuse_op(s, op, &op->from, "the core does not have", err);
	if (file)
		core_tree_drop(packages, file);
	if (beneath_stat(s->o->request->project->root, &op->from, &st, err) < 0) {
		error_clear(err);
		return file ? 0 : refuse_op(s, op, &op->from, "is not there", err);
	}
	path = relpath_copy(&op->from);
	core_skills_add_deleted(packages, &path);
	core_tree_sort(packages);
	return 0;
}

static int run_file_op(struct step *s, const struct file_op *op, struct error *err)
{
	struct core_file *file = core_tree_find(&s->after, &op->from);
	struct core_file moved;
	size_t at;

	if (!file && op->type == FILE_OP_DELETE)
		return delete_from_package(s, op, err);
	if (!file)
		return refuse_op(s, op, &op->from, "the core does not have", err);
	if (op->type == FILE_OP_DELETE) {
		core_tree_drop(&s->after, file);
		return 0;
	}
	if (core_tree_find(&s->after, &op->to))
		return refuse_op(s, op, &op->to, "already exists", err);
	if (is_users_path(s, &op->to))
		return refuse_op(
			s, op, &op->to, "is not part of a core, and belongs to the user", err);
	moved = *file;
	file->path = file->from = RELPATH_INIT;
	core_tree_drop(&s->after, file);
	relpath_release(&moved.path);
	moved.path = relpath_copy(&op->to);
	at = core_tree_place_of(&s->after, relpath_view(&op->to));
	core_tree_insert(&s->after, at, &moved);
	return 0;
}

static const struct file_op *find_delete(const struct step *s, const struct relpath *path)
{
	for (size_t i = 0; i < s->ops.holder.file_op_count; i++)
		if (s->ops.holder.file_ops[i].type == FILE_OP_DELETE &&
			!relpath_compare(&s->ops.holder.file_ops[i].from, path))
			return &s->ops.holder.file_ops[i];
	return NULL;
}

/* --- files ----------------------------------------------------------------------- */

/* Does any of the places where the package may be have its manifest? */
static bool is_in_package(const struct step *s, struct view path)
{
	size_t len = core_skills_folder_len(path);
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath manifest = RELPATH_INIT;
	CLEANUP(freep) char *text = xasprintf("%.*s/manifest.yaml", (int)len, path.data);
	struct stat st;

	if (!len || relpath_parse(view_of(text), &manifest, &ignored) < 0)
		return false;
	return core_tree_find(&s->o->source->packages, &manifest) ||
	       beneath_stat(s->o->source->reader->folders[s->files], &manifest, &st,
		       &ignored) == 0 ||
	       beneath_stat(s->o->request->project->root, &manifest, &st, &ignored) == 0;
}

/* The last file of `tree` replaces the one in `into`, if there is one. */
static bool overwrite_entry(struct core_tree *tree, struct core_tree *into)
{
	struct core_file *new = &tree->list[tree->count - 1];
	struct core_file *old = core_tree_find(into, &new->path);

	if (!old)
		return false;
	old->file = new->file;
	old->place = new->place;
	core_tree_drop(tree, new);
	return true;
}

static int add_package_file(struct step *s, const struct walk_entry *entry, struct error *err)
{
	struct core_reader *reader = s->o->source->reader;
	struct core_tree *packages = &s->o->source->packages;
	struct view path = view_of(entry->path);
	bool beside = core_skills_is_resolution(path) || is_in_package(s, path);
	const struct file_op *op;

	if (entry->stat.st_size > (off_t)CORE_MAX_FILE)
		return error_set(err, ERROR_INVALID,
			"%s/files: a file is larger than %zu bytes", s->shown, CORE_MAX_FILE);
	if (core_list_entry(reader, &s->added, s->files, entry, entry->path, err) < 0)
		return error_prefix(err, "%s/files", s->shown);
	op = find_delete(s, &s->added.list[s->added.count - 1].path);
	if (op)
		return refuse_op(s, op, &op->from, "the package also brings", err);
	if (!beside && is_users_path(s, &s->added.list[s->added.count - 1].path)) {
		CLEANUP(freep) char *shown = quote(path);

		return error_set(err, ERROR_INVALID,
			"%s/files: %s is not part of a core, and belongs to the user", s->shown,
			shown);
	}
	if (!overwrite_entry(&s->added, beside ? packages : &s->after) && beside)
		core_tree_insert(packages, core_tree_place_of(packages, path),
			&s->added.list[--s->added.count]);
	return 0;
}

static enum walk_result visit_package_file(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct step *s = data;
	CLEANUP(freep) char *shown = quote(view_of(entry->path));

	if (entry->kind == WALK_DIR || entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	if (entry->kind != WALK_FILE) {
		error_set(err, ERROR_INVALID, "%s/files: %s is not a regular file", s->shown,
			shown);
		return WALK_FAIL;
	}
	return add_package_file(s, entry, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

static int add_package_files(struct step *s, struct error *err)
{
	CLEANUP(relpath_release) struct relpath name = relpath_of("files");
	int fd;

	if (beneath_open_dir(s->fd, &name, &fd, err) < 0) {
		if (err->errnum != ENOENT)
			return error_prefix(err, "'%s'", s->shown);
		error_clear(err);
		return 0;
	}
	s->files = core_reader_add_folder(s->o->source->reader, fd);
	if (walk(fd, visit_package_file, s, err) < 0)
		return -1;
	core_tree_join(&s->after, &s->added);
	return 0;
}

/* --- the steps ------------------------------------------------------------------- */

static int run_package(struct core_opening *o, int parent, const char *real, const char *shown,
	const struct core_link *link, struct error *err)
{
	CLEANUP(step_release) struct step s = {.o = o};
	CLEANUP(closep)
	int fd = openat(parent, link->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(freep) char *resolutions = xasprintf("%s/%s/resolutions", real, link->name);
	struct string_array *all = &o->source->resolutions;
	struct stat st;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct buf *guide;
	bool found;

	s.shown = xasprintf("%s/%s", shown, link->name);
	if (fd < 0) {
		error_errno(err, "cannot open package '%s'", s.shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	s.fd = fd;
	core_tree_copy(&o->source->files, &s.after);
	if (read_package_ops(&s, err) < 0)
		return -1;
	for (size_t i = 0; i < s.ops.holder.file_op_count; i++)
		if (run_file_op(&s, &s.ops.holder.file_ops[i], err) < 0)
			return -1;
	if (add_package_files(&s, err) < 0)
		return -1;
	guide = &s.o->source->guide;
	if (core_read_optional(s.fd, "migration.md", GUIDE_MAX, &text, &found, err) < 0)
		return error_prefix(err, "'%s'", s.shown);
	if (found && guide->len)
		buf_append_char(guide, '\n');
	buf_append(guide, text.data, text.len);
	if (lstat(resolutions, &st) == 0 && S_ISDIR(st.st_mode)) {
		char *newest;

		string_array_add(all, resolutions);
		newest = all->list[all->count - 1];
		memmove(all->list + 1, all->list, (all->count - 1) * sizeof(*all->list));
		all->list[0] = newest;
	}
	if (core_lineage_step(o->source, &s.after, &s.ops.map, s.ops.map_name, err) < 0)
		return -1;
	return core_migrations_step(o, s.shown, err);
}

/*
 * Migrations may have come into the project with its skills, and not in a package. Then the
 * project has more of them than the base.
 */
static int take_migrations_of_project(struct core_opening *o, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(migrations_release) struct migrations list = MIGRATIONS_INIT;
	CLEANUP(error_release) struct error other = ERROR_INIT;
	bool found;

	if (core_read_optional(o->request->project->root, MIGRATIONS_NAME, YAML_MAX_SIZE, &text,
		    &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	migrations_parse(view_of_buf(&text), MIGRATIONS_NAME, &list, &faults);
	if (faults_as_error(&faults, &other) < 0 ||
		migrations_check_appended(
			&o->source->migrations, &list, MIGRATIONS_NAME, &other) < 0)
		return 0;
	core_migrations_swap(o->source, &list);
	return 0;
}

/* The folder that holds the packages, and the name of the one that was typed, or NULL. */
static int find_packages_folder(
	const char *typed, char **ret_parent, char **ret_name, struct error *err)
{
	CLEANUP(freep) char *real = realpath(typed, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	if (!slash)
		return error_errno(err, "cannot open '%s'", typed);
	if (is_link_name(slash + 1)) {
		*ret_name = xstrdup(slash + 1);
		*slash = '\0';
	}
	*ret_parent = xstrdup(*real ? real : "/");
	return 0;
}

/* The path that a person typed, without the name of a package at its end. */
static char *show_packages_folder(const char *typed, const char *real, const char *name)
{
	CLEANUP(freep) char *shown = package_show_folder(typed);
	size_t len = strlen(shown), name_len = name ? strlen(name) : 0;

	if (!name)
		return TAKE(shown);
	if (len > name_len + 1 && !strcmp(shown + len - name_len, name) &&
		shown[len - name_len - 1] == '/')
		return xmemdupz(shown, len - name_len - 1);
	return package_show_folder(!strcmp(shown, name) ? "." : real);
}

int core_package_open(struct core_opening *o, int fd, struct error *err)
{
	CLEANUP(core_chain_release) struct core_chain chain = CORE_CHAIN_INIT;
	CLEANUP(freep) char *real = NULL;
	CLEANUP(freep) char *name = NULL;
	CLEANUP(freep) char *shown = NULL;
	CLEANUP(closep) int parent = -1;
	struct core_source *source = o->source;

	source->kind = CORE_SOURCE_PACKAGE;
	source->shown = package_show_folder(o->request->typed);
	if (find_packages_folder(o->request->typed, &real, &name, err) < 0)
		return -1;
	parent = openat(fd, name ? ".." : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0)
		return error_errno(err, "cannot open '%s'", real);
	shown = show_packages_folder(o->request->typed, real, name);
	if (core_chain_find(parent, shown, o->request->old_version, name, o->request->to,
		    &chain, err) < 0)
		return -1;
	for (size_t i = 0; i < chain.count; i++)
		if (run_package(o, parent, real, shown, &chain.list[i], err) < 0)
			return -1;
	source->version =
		xstrdup(chain.count ? chain.list[chain.count - 1].to : o->request->old_version);
	source->version_known = true;
	return take_migrations_of_project(o, err);
}
