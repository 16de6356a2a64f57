/*
 * The update package of a release: what leads from the old core to the new one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/commit/pending.h"
#include "engine/disk/tx_file.h"
#include "engine/maintain/internal.h"
#include "engine/resolution/resolution_folder.h"
#include "format/yaml_write.h"
#include "fs/beneath.h"
#include "fs/walk.h"

static void release_file_release(struct release_file *file)
{
	relpath_release(&file->path);
	tx_file_release(&file->file);
}

void release_files_release(struct release *r)
{
	for (size_t i = 0; i < r->file_count; i++)
		release_file_release(&r->files[i]);
	free(r->files);
}

/* Add `below/name`; takes ownership of the content. */
static int package_add(struct release *r, const char *below, const char *name,
	struct buf *content, mode_t mode, struct error *err)
{
	struct release_file file = {.file = {.kind = TX_FILE}};

	if (relpath_printf(&file.path, err, "%s/%s%s", r->result->package, below, name) < 0)
		return -1;
	file.file.mode = mode & 0100 ? 0755 : 0644;
	file.file.content = *content;
	*content = BUF_INIT;
	GROW(r->files, r->file_count, r->file_cap);
	r->files[r->file_count++] = file;
	return 0;
}

/* A file of our own with one key. */
static int add_yaml(struct release *r, const char *name, const char *key, struct yaml_doc *doc,
	struct yaml_node *value, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!value->count)
		return 0;
	doc->root = yaml_new_mapping(doc);
	yaml_set(doc->root, key, value);
	if (yaml_write(doc->root, &text, err) < 0)
		return -1;
	return package_add(r, "", name, &text, 0644, err);
}

/* --- names --- */

static void add_delete(struct yaml_doc *doc, struct yaml_node *ops, const char *path)
{
	struct yaml_node *op = yaml_new_mapping(doc);

	yaml_set_string(op, "type", "delete");
	yaml_set_string(op, "path", path);
	yaml_append(ops, op);
}

/*
 * Is a file with this name renamed? Renames marked in `done`, which may be NULL, do not count.
 */
static bool is_renamed(
	const struct core_source *change, const struct relpath *path, const bool *done)
{
	for (size_t i = 0; i < change->renames.count; i++)
		if (!relpath_compare(&change->renames.list[i].from, path) && !(done && done[i]))
			return true;
	return false;
}

/*
 * All renames happen at once, and operations one after the other: the new name must be free.
 * Renames in a ring cannot be expressed; these stay out of `done`, and their files are in the
 * package.
 */
static void add_renames(const struct core_source *change, struct yaml_doc *doc,
	struct yaml_node *ops, bool *done)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < change->renames.count; i++) {
			const struct core_rename *rename = &change->renames.list[i];
			struct yaml_node *op;

			if (done[i] || is_renamed(change, &rename->to, done))
				continue;
			op = yaml_new_mapping(doc);
			yaml_set_string(op, "type", "rename");
			yaml_set_string(op, "from", rename->from.text);
			yaml_set_string(op, "to", rename->to.text);
			yaml_append(ops, op);
			done[i] = more = true;
		}
	}
}

static int add_ops(struct release *r, bool *done, struct error *err)
{
	const struct core_source *change = &r->change;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("file_ops.yaml");
	struct yaml_node *ops = yaml_new_sequence(doc);

	for (size_t i = 0; i < change->deleted_count; i++)
		add_delete(doc, ops, change->deleted[i].text);
	for (size_t i = 0; i < change->renames.count; i++) {
		const struct relpath *to = &change->renames.list[i].to;
		CLEANUP(error_release) struct error missing = ERROR_INIT;
		struct stat st;

		/* A file that is in the way must go first. */
		if (!is_renamed(change, to, NULL) &&
			beneath_stat(r->base.root, to, &st, &missing) == 0)
			add_delete(doc, ops, to->text);
	}
	add_renames(change, doc, ops, done);
	for (size_t i = 0; i < change->packages.count; i++)
		if (change->packages.list[i].file.kind == TX_ABSENT)
			add_delete(doc, ops, change->packages.list[i].path.text);
	return add_yaml(r, "file_ops.yaml", "file_ops", doc, ops, err);
}

/* --- files --- */

static int add_core_file(struct release *r, const struct core_file *file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file read = TX_FILE_INIT;

	if (file->file.kind == TX_SYMLINK) {
		release_missing(r, RELEASE_UPDATE,
			xstrdup("give people the whole new core instead: 'nanoclaw update DIR'"),
			xasprintf(
				"'%s' is a symbolic link that has changed, and update packages "
				"have none",
				file->path.text));
		return 0;
	}
	if (core_source_read(&r->change, file, &read, err) < 0)
		return -1;
	return package_add(r, "files/", file->path.text, &read.content, read.mode, err);
}

/* Is a file that only moved renamed by an operation? */
static bool is_moved_by_op(
	const struct release *r, const bool *done, const struct core_file *file)
{
	for (size_t i = 0; i < r->change.renames.count; i++)
		if (!relpath_compare(&r->change.renames.list[i].to, &file->path))
			return done[i];
	return true;
}

/* Resolutions for the update go beside the files. */
static bool is_resolution_for_update(const struct release *r, const char *path)
{
	static const char folder[] = RESOLUTIONS_SHIPPED "/";
	CLEANUP(freep) char *key = NULL;

	if (strncmp(path, folder, strlen(folder)) != 0)
		return false;
	path += strlen(folder);
	key = xmemdupz(path, strcspn(path, "/"));
	return release_is_for_update(r, key);
}

static int add_core_files(struct release *r, const bool *done, struct error *err)
{
	const struct core_source *change = &r->change;

	for (size_t i = 0; i < change->files.count; i++) {
		const struct core_file *file = &change->files.list[i];
		bool needed = file->change == CORE_ADDED || file->change == CORE_CHANGED ||
			      (file->change == CORE_MOVED && !is_moved_by_op(r, done, file));

		if (needed && add_core_file(r, file, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < change->packages.count; i++) {
		const struct core_file *file = &change->packages.list[i];

		if (file->file.kind == TX_FILE && file->change != CORE_SAME &&
			!is_resolution_for_update(r, file->path.text) &&
			add_core_file(r, file, err) < 0)
			return -1;
	}
	return 0;
}

static enum walk_result add_resolution(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct release *r = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	bool at_top = !strchr(entry->path, '/');

	if (entry->kind == WALK_DIR && at_top && !release_is_for_update(r, entry->path))
		return WALK_SKIP;
	if (entry->kind != WALK_FILE || at_top)
		return WALK_GO_ON;
	if (relpath_parse(view_of(entry->name), &path, err) < 0 ||
		beneath_read(entry->dirfd, &path, RESOLUTION_MAX_FILE, &content, err) < 0 ||
		package_add(r, "resolutions/", entry->path, &content, 0644, err) < 0)
		return WALK_FAIL;
	return WALK_GO_ON;
}

static int compare_files(const void *a, const void *b)
{
	return relpath_compare(&((const struct release_file *)a)->path,
		&((const struct release_file *)b)->path);
}

int release_build_package(struct release *r, struct error *err)
{
	/* Of two files with the same name one is enough: a shipped and an own resolution. */
	static const char *const resolutions[] = {RESOLUTIONS_SHIPPED, RESOLUTIONS_OWN};
	CLEANUP(freep) bool *done = xcalloc(r->change.renames.count + 1, sizeof(*done));
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("path_remap.yaml");
	CLEANUP(buf_release) struct buf guide = BUF_INIT;
	struct yaml_node *map = yaml_new_mapping(doc);
	const struct core_source *change = &r->change;
	size_t kept = 0;

	if (add_ops(r, done, err) < 0)
		return -1;
	/* Old names that are not renames of this step: of a split file, and earlier names. */
	for (size_t i = 0; i < change->remap.count; i++)
		if (!is_renamed(change, &change->remap.list[i].from, NULL))
			yaml_set_string(map, change->remap.list[i].from.text,
				change->remap.list[i].to.text);
	if (add_yaml(r, "path_remap.yaml", "path_remap", doc, map, err) < 0 ||
		add_core_files(r, done, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(resolutions); i++) {
		CLEANUP(closep)
		int folder = openat(r->project->root, resolutions[i],
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (folder >= 0 && walk(folder, add_resolution, r, err) < 0)
			return -1;
	}
	buf_append(&guide, r->guide.data, r->guide.len);
	if (guide.len && package_add(r, "", "migration.md", &guide, 0644, err) < 0)
		return -1;
	if (r->file_count)
		qsort(r->files, r->file_count, sizeof(*r->files), compare_files);
	for (size_t i = 0; i < r->file_count; i++)
		if (kept && !compare_files(&r->files[kept - 1], &r->files[i]))
			release_file_release(&r->files[i]);
		else
			r->files[kept++] = r->files[i];
	r->file_count = kept;
	return 0;
}

/* --- writing it to the project --- */

struct writing {
	struct release *release;
	struct transaction *tx;
};

/* Remove files that an earlier call has written and this one has not; other files stay. */
static enum walk_result drop_stale(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct writing *w = data;
	const struct release *r = w->release;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct view name = view_of(entry->path);
	struct release_file key;

	if ((entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK) ||
		!(view_starts_with(name, "files/") || view_starts_with(name, "resolutions/") ||
			view_equal_str(name, "file_ops.yaml") ||
			view_equal_str(name, "path_remap.yaml")))
		return WALK_GO_ON;
	if (relpath_printf(&path, err, "%s/%s", r->result->package, entry->path) < 0)
		return WALK_FAIL;
	key.path = path;
	if (r->file_count &&
		bsearch(&key, r->files, r->file_count, sizeof(*r->files), compare_files))
		return WALK_GO_ON;
	return transaction_remove(w->tx, &path, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

static int write_locked(struct release *r, struct error *err)
{
	CLEANUP(transaction_freep)
	struct transaction *tx = transaction_new(r->project, RELEASE_OPERATION);
	CLEANUP(freep) char *name = xasprintf("core %s", r->result->to);
	struct writing w = {.release = r, .tx = tx};
	CLEANUP(closep)
	int there = openat(r->project->root, r->result->package,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (there < 0 && errno != ENOENT)
		return error_errno(err, "cannot open '%s'", r->result->package);
	transaction_concerns(tx, name);
	if (pending_refuse(r->project, err) < 0 ||
		(there >= 0 && walk(there, drop_stale, &w, err) < 0))
		return -1;
	for (size_t i = 0; i < r->file_count; i++) {
		const struct release_file *file = &r->files[i];
		CLEANUP(tx_file_release) struct tx_file old = TX_FILE_INIT;

		if (transaction_read(tx, &file->path, &old, err) < 0 ||
			(!tx_file_equal(&old, &file->file) &&
				transaction_put(tx, &file->path,
					view_of_buf(&file->file.content), file->file.mode,
					err) < 0))
			return -1;
	}
	r->result->unchanged = !transaction_journal(tx)->change_count;
	r->result->written = true;
	if (r->result->unchanged)
		return 0;
	if (transaction_apply(tx, err) < 0)
		return -1;
	return transaction_commit(tx, TRANSACTION_DONE, view_of(""), err);
}

int release_write_package(struct release *r, struct error *err)
{
	int written;

	if (project_lock(r->project, err) < 0)
		return -1;
	written = write_locked(r, err);
	project_unlock(r->project);
	return written;
}
