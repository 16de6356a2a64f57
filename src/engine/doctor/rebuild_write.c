/*
 * The transaction that puts the new record in place of what was left of the old one.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/disk/rollback.h"
#include "engine/doctor/internal.h"
#include "engine/stack/custom.h"
#include "fs/beneath.h"
#include "fs/walk.h"

#define KEPT_FOLDER ".nanoclaw/kept"

struct writing {
	struct rebuild *r;
	struct transaction *tx;
	char *kept; /* the folder for what is replaced */
	bool used;
	struct string_array put; /* paths, sorted when they are looked up */
	struct error *err;
};

/* --- what was there ---------------------------------------------------------------------- */

static char *choose_kept(const struct project *project)
{
	for (unsigned n = 1;; n++) {
		CLEANUP(freep)
		char *name = n == 1 ? xstrdup(KEPT_FOLDER "/rebuilt")
				    : xasprintf(KEPT_FOLDER "/rebuilt.%u", n);

		if (faccessat(project->root, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			return TAKE(name);
	}
}

static int move_away(struct writing *w, const char *text)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(text), &path, w->err) < 0)
		return -1;
	rebuild_note(w->r, REBUILD_SURE, "'%s' is in the way, and is moved to '%s'", text,
		KEPT_FOLDER);
	return kept_aside(w->r->project, &path, NULL, w->err);
}

static int clear_folders(struct writing *w)
{
	CLEANUP(string_array_release) struct string_array paths = {0};

	rebuild_find_obstacles(w->r->project, &paths);
	for (size_t i = 0; i < paths.count; i++)
		if (move_away(w, paths.list[i]) < 0)
			return -1;
	return 0;
}

/* Something that is no folder where one is needed, or the other way round, is moved away. */
static int clear_way(struct writing *w, const struct relpath *path)
{
	struct view rest = relpath_view(path), component;
	CLEANUP(buf_release) struct buf so_far = BUF_INIT;

	while (relpath_next(&rest, &component)) {
		CLEANUP(relpath_release) struct relpath above = RELPATH_INIT;
		CLEANUP(error_release) struct error local = ERROR_INIT;
		struct stat st;

		buf_appendf(&so_far, "%s%.*s", so_far.len ? "/" : "", VIEW_ARGS(component));
		if (relpath_parse(view_of_buf(&so_far), &above, w->err) < 0)
			return -1;
		if (beneath_stat(w->r->project->root, &above, &st, &local) < 0)
			return 0;
		if (rest.len ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
			continue;
		return move_away(w, above.text);
	}
	return 0;
}

static int keep(struct writing *w, const struct relpath *path, const struct tx_file *file)
{
	CLEANUP(relpath_release) struct relpath where = RELPATH_INIT;
	CLEANUP(freep)
	char *text = xasprintf("%s/%s", w->kept, path->text + strlen(".nanoclaw/"));

	if (relpath_parse(view_of(text), &where, w->err) < 0 || clear_way(w, &where) < 0)
		return -1;
	w->used = true;
	if (file->kind == TX_SYMLINK)
		return transaction_put_link(w->tx, &where, view_of_buf(&file->content), w->err);
	return transaction_put(
		w->tx, &where, view_of_buf(&file->content), file->mode | 0600, w->err);
}

/* --- what shall be there --------------------------------------------------------- */

static int put(struct writing *w, const struct relpath *path, const struct tx_file *file)
{
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct layer_file is, shall = layer_file_of(file);

	string_array_add(&w->put, path->text);
	if (clear_way(w, path) < 0 || transaction_read(w->tx, path, &there, w->err) < 0)
		return -1;
	is = layer_file_of(&there);
	if (there.kind != TX_ABSENT && layer_file_equal(&is, &shall))
		return 0;
	if (there.kind != TX_ABSENT && keep(w, path, &there) < 0)
		return -1;
	if (file->kind == TX_SYMLINK)
		return transaction_put_link(w->tx, path, view_of_buf(&file->content), w->err);
	return transaction_put(w->tx, path, view_of_buf(&file->content), file->mode, w->err);
}

static int put_text(struct writing *w, const char *text, const struct tx_file *file)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(text), &path, w->err) < 0)
		return -1;
	return put(w, &path, file);
}

static int put_base(struct writing *w)
{
	for (size_t i = 0; i < w->r->base.count; i++) {
		const struct rebuild_file *file = &w->r->base.list[i];
		CLEANUP(freep) char *path = xasprintf(".nanoclaw/base/%s", file->path);

		if (put_text(w, path, &file->file) < 0)
			return -1;
	}
	return 0;
}

static int put_ancestors(struct writing *w)
{
	for (size_t i = 0; i < w->r->ancestors.count; i++) {
		const struct tx_file file = {
			.kind = TX_FILE, .mode = 0444, .content = w->r->ancestors.list[i]};
		struct hash hash = hash_of(view_of_buf(&file.content));
		char hex[HASH_HEX_SIZE];
		CLEANUP(freep) char *path = NULL;

		hash_to_hex(&hash, hex);
		path = xasprintf(".nanoclaw/objects/%.2s/%s", hex, hex + 2);
		if (put_text(w, path, &file) < 0)
			return -1;
	}
	return 0;
}

/* All that the replay has staged in .nanoclaw: packs, patches, contents. */
static int put_replayed(struct writing *w, struct session *replayed)
{
	const struct journal *journal = transaction_journal(replayed->tx);

	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (!view_starts_with(relpath_view(&change->path), ".nanoclaw/") ||
			!change_puts(change))
			continue;
		if (transaction_read(replayed->tx, &change->path, &file, w->err) < 0 ||
			put(w, &change->path, &file) < 0)
			return -1;
	}
	return 0;
}

static int put_state(struct writing *w, struct session *replayed)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(tx_file_release) struct tx_file state = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file list = TX_FILE_INIT;

	state.kind = list.kind = TX_FILE;
	state.mode = list.mode = 0644;
	if (base_sums_collect(replayed->base, &sums, w->err) < 0 ||
		state_write(&replayed->state, &state.content, w->err) < 0)
		return -1;
	base_sums_render(&sums, w->r->core_version, &list.content);
	if (put_text(w, BASE_SUMS_PATH, &list) < 0)
		return -1;
	return put_text(w, STATE_PATH, &state);
}

/* --- what shall not -------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct dropping {
	struct writing *w;
	const char *folder;
	struct string_array paths;
};

static enum walk_result visit(const struct walk_entry *entry, void *data, struct error *err)
{
	struct dropping *d = data;
	CLEANUP(freep) char *path = xasprintf("%s/%s", d->folder, entry->path);
	char *const key = path;

	(void)err;
	if (entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK)
		return WALK_GO_ON;
	if (!bsearch(&key, d->w->put.list, d->w->put.count, sizeof(*d->w->put.list), by_text))
		string_array_add(&d->paths, path);
	return WALK_GO_ON;
}

static int drop(struct writing *w, const char *text)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

	if (relpath_parse(view_of(text), &path, w->err) < 0 ||
		transaction_read(w->tx, &path, &there, w->err) < 0)
		return -1;
	if (there.kind != TX_FILE && there.kind != TX_SYMLINK)
		return 0;
	if (keep(w, &path, &there) < 0)
		return -1;
	return transaction_remove(w->tx, &path, w->err);
}

/* Everything in the folder that was not put there. */
static int drop_rest(struct writing *w, const char *folder)
{
	struct dropping d = {.w = w, .folder = folder};
	CLEANUP(closep)
	int fd = openat(
		w->r->project->root, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int failed = 0;

	if (fd < 0)
		return 0;
	if (w->put.count)
		qsort(w->put.list, w->put.count, sizeof(*w->put.list), by_text);
	failed = walk(fd, visit, &d, w->err) < 0;
	for (size_t i = 0; i < d.paths.count && !failed; i++)
		failed = drop(w, d.paths.list[i]) < 0;
	string_array_release(&d.paths);
	return failed ? -1 : 0;
}

/* --- all of it ------------------------------------------------------------------- */

static void writing_release(struct writing *w)
{
	free(w->kept);
	string_array_release(&w->put);
	transaction_free(w->tx);
}

int rebuild_write(struct rebuild *r, struct session *replayed, struct error *err)
{
	CLEANUP(writing_release)
	struct writing w = {
		.r = r,
		.tx = transaction_new(r->project, REBUILD_OPERATION),
		.kept = choose_kept(r->project),
		.err = err,
	};

	if (clear_folders(&w) < 0 || put_base(&w) < 0 || put_ancestors(&w) < 0 ||
		put_replayed(&w, replayed) < 0 || put_state(&w, replayed) < 0)
		return -1;
	for (size_t i = 0; i < r->discarded.count; i++)
		string_array_add(&w.put, r->discarded.list[i]);
	if (drop_rest(&w, ".nanoclaw/base") < 0 || drop_rest(&w, ".nanoclaw/applied") < 0 ||
		drop_rest(&w, CUSTOM_FOLDER) < 0)
		return -1;
	/* Nothing but leftovers: that is no step of undo. */
	if (!transaction_journal(w.tx)->change_count)
		return 0;
	if (transaction_apply(w.tx, err) < 0 ||
		transaction_commit(w.tx, TRANSACTION_DONE, view_of(""), err) < 0)
		return -1;
	if (w.used)
		r->report->kept = TAKE(w.kept);
	return 0;
}
