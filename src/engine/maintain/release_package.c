/*
 * The update package of a release: what leads from the old core to the new one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/commit/pending.h"
#include "engine/disk/transaction.h"
#include "engine/maintain/release_parts.h"
#include "engine/resolution/resolution_folder.h"
#include "util/beneath.h"
#include "util/replace.h"
#include "util/walk.h"
#include "util/yaml_write.h"

void release_files_release(struct release_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		relpath_release(&files->list[i].path);
		buf_release(&files->list[i].content);
	}
	free(files->list);
}

/* Takes over the content. */
static int add(struct release *r, const char *below, const char *name, struct buf *content,
	mode_t mode)
{
	CLEANUP(freep) char *text = xasprintf("%s%s", below, name);
	struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(text), &path, r->err) < 0)
		return -1;
	GROW(r->files.list, r->files.count, r->files.cap);
	r->files.list[r->files.count++] =
		(struct release_file){path, *content, mode & 0100 ? 0755 : 0644};
	*content = BUF_INIT;
	return 0;
}

/* --- names ------------------------------------------------------------------------ */

struct ops {
	struct yaml_doc *doc;
	struct yaml_node *list;
	bool *done; /* renames that are in the list */
};

static void ops_release(struct ops *ops)
{
	yaml_doc_free(ops->doc);
	free(ops->done);
}

static void add_delete(struct ops *ops, const char *path)
{
	struct yaml_node *op = yaml_new_mapping(ops->doc);

	yaml_set_string(op, "type", "delete");
	yaml_set_string(op, "path", path);
	yaml_append(ops->list, op);
}

static void add_rename(struct ops *ops, const struct core_rename *rename)
{
	struct yaml_node *op = yaml_new_mapping(ops->doc);

	yaml_set_string(op, "type", "rename");
	yaml_set_string(op, "from", rename->from.text);
	yaml_set_string(op, "to", rename->to.text);
	yaml_append(ops->list, op);
}

/* Is the name taken by a file that is still to be renamed? */
static bool is_taken(
	const struct core_source *change, const struct ops *ops, const struct relpath *name)
{
	for (size_t i = 0; i < change->rename_count; i++)
		if (!ops->done[i] && !relpath_compare(&change->renames[i].from, name))
			return true;
	return false;
}

/*
 * All renames happen at once, and operations one after the other: a name must be free. Those
 * that go round in a ring cannot be told; their files are in the package anyway.
 */
static void add_renames(const struct core_source *change, struct ops *ops)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < change->rename_count; i++) {
			if (ops->done[i] || is_taken(change, ops, &change->renames[i].to))
				continue;
			add_rename(ops, &change->renames[i]);
			ops->done[i] = more = true;
		}
	}
}

static bool renames_from(const struct core_source *change, const struct relpath *path)
{
	for (size_t i = 0; i < change->rename_count; i++)
		if (!relpath_compare(&change->renames[i].from, path))
			return true;
	return false;
}

/* A name that another file gets must be given up first. */
static bool is_in_the_way(struct release *r, const struct core_rename *rename)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	struct stat st;

	return !renames_from(&r->change, &rename->to) &&
	       beneath_stat(r->base.root, &rename->to, &st, &missing) == 0;
}

static int add_yaml(struct release *r, const char *name, struct yaml_node *root)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (yaml_write(root, &text, r->err) < 0)
		return -1;
	return add(r, "", name, &text, 0644);
}

static int add_ops(struct release *r, struct ops *ops)
{
	const struct core_source *change = &r->change;

	ops->doc = yaml_doc_new("file_ops.yaml");
	ops->list = yaml_new_sequence(ops->doc);
	ops->done = xcalloc(change->rename_count + 1, sizeof(bool));
	for (size_t i = 0; i < change->deleted_count; i++)
		add_delete(ops, change->deleted[i].text);
	for (size_t i = 0; i < change->rename_count; i++)
		if (is_in_the_way(r, &change->renames[i]))
			add_delete(ops, change->renames[i].to.text);
	add_renames(change, ops);
	for (size_t i = 0; i < change->package_count; i++)
		if (change->packages[i].file.kind == TX_ABSENT)
			add_delete(ops, change->packages[i].path.text);
	if (!ops->list->count)
		return 0;
	ops->doc->root = yaml_new_mapping(ops->doc);
	yaml_set(ops->doc->root, "file_ops", ops->list);
	return add_yaml(r, "file_ops.yaml", ops->doc->root);
}

/* Old names that are no renames of this step: a file that was split, and what came before. */
static int add_remap(struct release *r)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("path_remap.yaml");
	struct yaml_node *map = yaml_new_mapping(doc);
	const struct core_source *change = &r->change;

	for (size_t i = 0; i < change->remap_count; i++)
		if (!renames_from(change, &change->remap[i].from))
			yaml_set_string(
				map, change->remap[i].from.text, change->remap[i].to.text);
	if (!map->count)
		return 0;
	doc->root = yaml_new_mapping(doc);
	yaml_set(doc->root, "path_remap", map);
	return add_yaml(r, "path_remap.yaml", doc->root);
}

/* --- files ------------------------------------------------------------------------ */

static bool is_declared(
	const struct release *r, const struct ops *ops, const struct core_file *file)
{
	for (size_t i = 0; i < r->change.rename_count; i++)
		if (!relpath_compare(&r->change.renames[i].to, &file->path))
			return ops->done[i];
	return true;
}

/* Resolutions for an update to this core go beside the files. */
static bool is_shipped_for_update(const struct release *r, const char *path)
{
	static const char folder[] = RESOLUTIONS_SHIPPED "/";
	CLEANUP(freep) char *key = NULL;

	if (strncmp(path, folder, strlen(folder)) != 0)
		return false;
	path += strlen(folder);
	key = xmemdupz(path, strcspn(path, "/"));
	return release_is_for_update(r, key);
}

static int add_file(struct release *r, const struct core_file *file)
{
	CLEANUP(tx_file_release) struct tx_file content = TX_FILE_INIT;

	if (file->file.kind == TX_SYMLINK) {
		release_missing(r, RELEASE_UPDATE,
			xstrdup("give people the whole new core instead: 'nanoclaw update DIR'"),
			"'%s' is a symbolic link that has changed, and update packages have "
			"none",
			file->path.text);
		return 0;
	}
	if (core_source_read(&r->change, file, &content, r->err) < 0)
		return -1;
	return add(r, "files/", file->path.text, &content.content, content.mode);
}

static int add_files(struct release *r, const struct ops *ops)
{
	const struct core_source *change = &r->change;

	for (size_t i = 0; i < change->file_count; i++) {
		const struct core_file *file = &change->files[i];
		bool needed = file->change == CORE_ADDED || file->change == CORE_CHANGED ||
			      (file->change == CORE_MOVED && !is_declared(r, ops, file));

		if (needed && add_file(r, file) < 0)
			return -1;
	}
	for (size_t i = 0; i < change->package_count; i++) {
		const struct core_file *file = &change->packages[i];

		if (file->file.kind == TX_FILE && file->change != CORE_SAME &&
			!is_shipped_for_update(r, file->path.text) && add_file(r, file) < 0)
			return -1;
	}
	return 0;
}

/* --- resolutions ------------------------------------------------------------------ */

static enum walk_result add_resolution(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct release *r = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (entry->kind == WALK_DIR && !strchr(entry->path, '/') &&
		!release_is_for_update(r, entry->path))
		return WALK_SKIP;
	if (entry->kind != WALK_FILE || !strchr(entry->path, '/'))
		return WALK_GO_ON;
	if (relpath_parse(view_of(entry->name), &path, err) < 0 ||
		beneath_read(entry->dirfd, &path, RESOLUTION_MAX_FILE, &content, err) < 0 ||
		add(r, "resolutions/", entry->path, &content, 0644) < 0)
		return WALK_FAIL;
	return WALK_GO_ON;
}

/* Those that are shipped, and those that the project has recorded for itself. */
static int add_resolutions(struct release *r)
{
	static const char *const places[] = {RESOLUTIONS_SHIPPED, RESOLUTIONS_OWN};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		CLEANUP(closep)
		int folder = openat(r->project->root, places[i],
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (folder >= 0 && walk(folder, add_resolution, r, r->err) < 0)
			return -1;
	}
	return 0;
}

/* Of two with the same name, the first counts. */
static int by_path(const void *a, const void *b)
{
	return relpath_compare(&((const struct release_file *)a)->path,
		&((const struct release_file *)b)->path);
}

static void sort_files(struct release_files *files)
{
	size_t kept = 0;

	if (files->count)
		qsort(files->list, files->count, sizeof(*files->list), by_path);
	for (size_t i = 0; i < files->count; i++) {
		if (kept && !by_path(&files->list[kept - 1], &files->list[i])) {
			relpath_release(&files->list[i].path);
			buf_release(&files->list[i].content);
			continue;
		}
		files->list[kept++] = files->list[i];
	}
	files->count = kept;
}

int release_build_package(struct release *r)
{
	CLEANUP(ops_release) struct ops ops = {0};
	CLEANUP(buf_release) struct buf guide = BUF_INIT;

	buf_append(&guide, r->guide.data, r->guide.len);
	if (add_ops(r, &ops) < 0 || add_remap(r) < 0 || add_files(r, &ops) < 0 ||
		add_resolutions(r) < 0 ||
		(guide.len && add(r, "", "migration.md", &guide, 0644) < 0))
		return -1;
	sort_files(&r->files);
	return 0;
}

/* --- writing ---------------------------------------------------------------------- */

char *release_put_package(struct release *r, struct error *err)
{
	const unsigned flags = REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC;

	for (size_t i = 0; i < r->files.count; i++) {
		const struct release_file *file = &r->files.list[i];
		CLEANUP(relpath_release) struct relpath package = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(closep) int folder = -1;

		if (relpath_parse(view_of(r->result->package), &package, err) < 0 ||
			relpath_join(&package, relpath_view(&file->path), &path, err) < 0 ||
			beneath_open_parent(
				r->scratch.fd, &path, BENEATH_CREATE, &folder, err) < 0 ||
			replace_file(folder, relpath_base(&path), view_of_buf(&file->content),
				file->mode, NULL, flags, err) < 0)
			return NULL;
	}
	return xasprintf("%s/%s", r->scratch.path, r->result->package);
}

struct writing {
	struct release *release;
	struct transaction *tx;
	struct relpath package;
	bool changed;
};

static bool is_listed(const struct release_files *files, const char *path)
{
	struct release_file key = {.path = {xstrdup(path)}};
	bool found = files->count &&
		     bsearch(&key, files->list, files->count, sizeof(*files->list), by_path);

	free(key.path.text);
	return found;
}

/* What an earlier call has written, and is not in it any more. What else is there stays. */
static enum walk_result drop_stale(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct writing *w = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	bool ours = !strncmp(entry->path, "files/", 6) ||
		    !strncmp(entry->path, "resolutions/", 12) ||
		    !strcmp(entry->path, "file_ops.yaml") ||
		    !strcmp(entry->path, "path_remap.yaml");

	if ((entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK) || !ours ||
		is_listed(&w->release->files, entry->path))
		return WALK_GO_ON;
	w->changed = true;
	if (relpath_join(&w->package, view_of(entry->path), &path, err) < 0 ||
		transaction_remove(w->tx, &path, err) < 0)
		return WALK_FAIL;
	return WALK_GO_ON;
}

static int put_file(struct writing *w, const struct release_file *file, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

	if (relpath_join(&w->package, relpath_view(&file->path), &path, err) < 0 ||
		transaction_read(w->tx, &path, &there, err) < 0)
		return -1;
	if (there.kind == TX_FILE && (there.mode & 0100) == (file->mode & 0100) &&
		view_equal(view_of_buf(&there.content), view_of_buf(&file->content)))
		return 0;
	w->changed = true;
	return transaction_put(w->tx, &path, view_of_buf(&file->content), file->mode, err);
}

static int stage(struct writing *w, struct error *err)
{
	struct release *r = w->release;
	CLEANUP(closep)
	int there = openat(r->project->root, r->result->package,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (there >= 0 && walk(there, drop_stale, w, err) < 0)
		return -1;
	for (size_t i = 0; i < r->files.count; i++)
		if (put_file(w, &r->files.list[i], err) < 0)
			return -1;
	return 0;
}

static int write_locked(struct release *r)
{
	CLEANUP(transaction_freep)
	struct transaction *tx = transaction_new(r->project, RELEASE_OPERATION);
	CLEANUP(freep) char *name = xasprintf("core %s", r->result->to);
	struct writing w = {.release = r, .tx = tx};
	int failed = relpath_parse(view_of(r->result->package), &w.package, r->err) < 0 ||
		     pending_refuse(r->project, r->err) < 0 || stage(&w, r->err) < 0;

	transaction_concerns(tx, name);
	relpath_release(&w.package);
	if (failed)
		return -1;
	r->result->unchanged = !w.changed;
	r->result->written = true;
	if (!w.changed)
		return 0;
	if (transaction_apply(tx, r->err) < 0)
		return -1;
	return transaction_commit(tx, TRANSACTION_DONE, view_of(""), r->err);
}

int release_write_package(struct release *r)
{
	int failed;

	if (project_lock(r->project, r->err) < 0)
		return -1;
	failed = write_locked(r);
	project_unlock(r->project);
	return failed;
}
