/* The transaction that replaces the damaged record with the new one. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/custom/custom.h"
#include "engine/disk/rollback.h"
#include "engine/disk/tx_file.h"
#include "engine/doctor/internal.h"
#include "fs/beneath.h"
#include "fs/walk.h"

#define KEPT_FOLDER ".nanoclaw/kept"

struct writing {
	struct rebuild *r;
	struct transaction *replayed; /* with the new record */
	struct transaction *tx;
	char *kept; /* the folder for files that are replaced or removed */
	bool used;
	struct error *err;
};

/* --- the former record -------------------------------------------------------------------- */

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

/* A file where a folder is needed, or the other way round, is moved away. */
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

static int keep_former(
	struct writing *w, const struct relpath *path, const struct tx_file *file)
{
	CLEANUP(relpath_release) struct relpath where = RELPATH_INIT;

	if (relpath_printf(
		    &where, w->err, "%s/%s", w->kept, path->text + strlen(".nanoclaw/")) < 0 ||
		clear_way(w, &where) < 0)
		return -1;
	w->used = true;
	if (file->kind == TX_SYMLINK)
		return transaction_put_link(w->tx, &where, view_of_buf(&file->content), w->err);
	return transaction_put(
		w->tx, &where, view_of_buf(&file->content), file->mode | 0600, w->err);
}

/* --- the new record -------------------------------------------------------------- */

static bool is_new_record(const struct change *change)
{
	return change_puts(change) &&
	       view_starts_with(relpath_view(&change->path), ".nanoclaw/");
}

static int put_replayed(struct writing *w)
{
	const struct journal *journal = transaction_journal(w->replayed);

	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

		if (!is_new_record(change))
			continue;
		if (transaction_read(w->replayed, &change->path, &file, w->err) < 0 ||
			clear_way(w, &change->path) < 0 ||
			transaction_read(w->tx, &change->path, &there, w->err) < 0)
			return -1;
		if (tx_file_equal(&there, &file))
			continue;
		if ((there.kind != TX_ABSENT && keep_former(w, &change->path, &there) < 0) ||
			tx_file_stage(w->tx, &change->path, &file, w->err) < 0)
			return -1;
	}
	return 0;
}

/* --- files that the new record does not have ------------------------------------- */

struct dropping {
	struct writing *w;
	const char *folder;
};

static enum walk_result drop_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct dropping *d = data;
	CLEANUP(freep) char *text = xasprintf("%s/%s", d->folder, entry->path);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	const struct change *change;

	if (entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK)
		return WALK_GO_ON;
	if (relpath_parse(view_of(text), &path, err) < 0)
		return WALK_FAIL;
	change = journal_find(transaction_journal(d->w->replayed), &path);
	if ((change && is_new_record(change)) || string_array_has(&d->w->r->discarded, text))
		return WALK_GO_ON;
	if (transaction_read(d->w->tx, &path, &there, err) < 0 ||
		keep_former(d->w, &path, &there) < 0 ||
		transaction_remove(d->w->tx, &path, err) < 0)
		return WALK_FAIL;
	return WALK_GO_ON;
}

/* Remove everything in the folder that is not part of the new record. */
static int drop_rest(struct writing *w, const char *folder)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(folder);
	CLEANUP(closep) int fd = -1;

	if (beneath_open_dir(w->r->project->root, &path, &fd, &failed) < 0)
		return beneath_is_absent(&failed) ? 0 : error_move(w->err, &failed);
	return walk(fd, drop_entry, &(struct dropping){w, folder}, w->err);
}

/* --- all of it ------------------------------------------------------------------- */

static void writing_release(struct writing *w)
{
	free(w->kept);
	transaction_free(w->tx);
}

int rebuild_write(struct rebuild *r, struct session *replayed, struct error *err)
{
	CLEANUP(string_array_release) struct string_array obstacles = {0};
	CLEANUP(writing_release)
	struct writing w = {
		.r = r,
		.replayed = replayed->tx,
		.tx = transaction_new(r->project, REBUILD_OPERATION),
		.kept = choose_kept(r->project),
		.err = err,
	};

	rebuild_find_obstacles(r->project, &obstacles);
	for (size_t i = 0; i < obstacles.count; i++)
		if (move_away(&w, obstacles.list[i]) < 0)
			return -1;
	if (put_replayed(&w) < 0 || drop_rest(&w, BASE_FOLDER) < 0 ||
		drop_rest(&w, APPLIED_FOLDER) < 0 || drop_rest(&w, CUSTOM_FOLDER) < 0)
		return -1;
	/* If only leftovers were moved away, there is no step to undo. */
	if (!transaction_journal(w.tx)->change_count)
		return 0;
	if (transaction_apply(w.tx, err) < 0 ||
		transaction_commit(w.tx, TRANSACTION_DONE, view_of(""), err) < 0)
		return -1;
	if (w.used)
		r->report->kept = TAKE(w.kept);
	return 0;
}
