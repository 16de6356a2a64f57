#include "engine/disk/pause.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/disk/history.h"
#include "engine/disk/rollback.h"
#include "engine/disk/tx_file.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"

bool pause_is_there(int nanoclaw)
{
	return disk_exists(nanoclaw, "backup/journal");
}

static int keep_saved(int nanoclaw, const char *folder, const struct change *change,
	unsigned new_number, struct error *err)
{
	char from[32], to[32];

	if (!change->had_before)
		return 0;
	snprintf(from, sizeof(from), "%s/saved/%u", folder, change->number);
	snprintf(to, sizeof(to), "tx/next/saved/%u", new_number);
	return saved_link(nanoclaw, from, nanoclaw, to, err);
}

/* The change that would put the file under this name there. */
static int change_of(int folder, const char *name, struct change *ret_change, struct error *err)
{
	struct layer_file file = {0};
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "cannot read a saved file");
	if (layer_file_at(folder, name, S_ISLNK(st.st_mode), &file, err) < 0)
		return error_prefix(err, "'%s'", name);
	ret_change->kind = file.kind == TX_SYMLINK ? CHANGE_LINK : CHANGE_PUT;
	ret_change->hash = file.hash;
	ret_change->mode = st.st_mode & 07777;
	return 0;
}

/*
 * If a file of the earlier pause was edited before the transaction replaced it, its hash
 * must match nothing, so that abort keeps the file.
 */
static int mark_edit(int nanoclaw, const struct change *known, const struct change *change,
	struct hash *hash, struct error *err)
{
	struct change before = {0};
	char name[32];

	if (!change->had_before || !change_puts(known))
		return 0;
	snprintf(name, sizeof(name), "tx/saved/%u", change->number);
	if (change_of(nanoclaw, name, &before, err) < 0)
		return -1;
	if (before.kind != known->kind || !hash_equal(&before.hash, &known->hash))
		*hash = (struct hash){0};
	return 0;
}

/*
 * A file that the person edited was renamed, and maybe changed. We cannot know which of the new
 * files it is, so abort must keep all of them.
 */
static void mark_new(struct journal *all, size_t first)
{
	for (size_t i = first; i < all->change_count; i++) {
		struct change *change = &all->changes[i];

		if (change_puts(change) && !change->had_before &&
			!view_starts_with(relpath_view(&change->path), ".nanoclaw/"))
			change->hash = (struct hash){0};
	}
}

/* Add the changes of the transaction to those of an earlier pause. */
static int combine_journals(
	int nanoclaw, const struct journal *journal, struct journal *all, struct error *err)
{
	static const struct hash none;
	size_t first = all->change_count;
	bool moved = false;

	for (size_t i = 0; i < all->change_count; i++)
		if (keep_saved(nanoclaw, "backup", &all->changes[i], all->changes[i].number,
			    err) < 0)
			return -1;
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		struct change *known = journal_find(all, &change->path);

		if (known) {
			struct hash hash = change->hash;

			if (mark_edit(nanoclaw, known, change, &hash, err) < 0)
				return -1;
			moved |= change->kind == CHANGE_REMOVE && change_puts(known) &&
				 change->had_before && hash_equal(&hash, &none);
			known->kind = change->kind;
			known->hash = hash;
			known->mode = change->mode;
			known->exposed = change->exposed;
			known->earlier = change->earlier;
			continue;
		}
		known = journal_add(all, *change);
		known->path = relpath_copy(&change->path);
		known->number = (unsigned)all->change_count - 1;
		if (keep_saved(nanoclaw, "tx", change, known->number, err) < 0)
			return -1;
	}
	if (moved)
		mark_new(all, first);
	for (size_t i = 0; i < journal->folders.count; i++)
		relpath_list_add(&all->folders, relpath_copy(&journal->folders.list[i]));
	all->created_nanoclaw |= journal->created_nanoclaw;
	return 0;
}

/* --- a pause --- */

/* The open folder tx/next, with everything that the operation changed since it began. */
static int begin_next(int nanoclaw, const struct journal *journal, struct journal *all,
	int *ret_next, struct error *err)
{
	if (pause_is_there(nanoclaw) && journal_read(nanoclaw, "backup/journal", all, err) < 0)
		return -1;
	if (!all->operation)
		all->operation = xstrdup(journal->operation);
	if (sys.mkdir(nanoclaw, "tx/next", 0777) < 0 ||
		sys.mkdir(nanoclaw, "tx/next/saved", 0777) < 0 ||
		sys.mkdir(nanoclaw, "tx/next/stage", 0777) < 0)
		return error_errno(err, "cannot prepare the pause");
	*ret_next = disk_open_folder(nanoclaw, "tx/next");
	if (*ret_next < 0)
		return error_errno(err, "cannot prepare the pause");
	return combine_journals(nanoclaw, journal, all, err);
}

static int write_next(int next, const char *name, struct view text, struct error *err)
{
	return replace_file(next, name, text, 0644, NULL,
		REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err);
}

int pause_prepare(
	int nanoclaw, const struct journal *journal, struct view notes, struct error *err)
{
	CLEANUP(journal_release) struct journal all = JOURNAL_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int next = -1;

	if (begin_next(nanoclaw, journal, &all, &next, err) < 0)
		return -1;
	journal_format(&all, &text);
	if (write_next(next, "journal", view_of_buf(&text), err) < 0 ||
		write_next(next, "pause.yaml", notes, err) < 0)
		return -1;
	return 0;
}

/* --- the end of a pause --- */

/*
 * Only the pause has changed this file. A person may have edited it since, to resolve a
 * conflict, and that is part of the operation.
 */
static int adopt_edit(const struct project *project, struct change *change, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(closep) int folder = -1;
	struct change now = {.kind = CHANGE_REMOVE};
	struct stat st;

	if (beneath_stat(project->root, &change->path, &st, &local) == 0) {
		/* A folder cannot be undone; it stays, and undoing will report it. */
		if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
			return 0;
		if (beneath_open_parent(project->root, &change->path, 0, &folder, err) < 0 ||
			change_of(folder, relpath_base(&change->path), &now, err) < 0)
			return -1;
	} else if (!beneath_is_absent(&local)) {
		return error_move(err, &local);
	}
	if (now.kind != change->kind || !hash_equal(&now.hash, &change->hash))
		change->edited = now.kind != CHANGE_REMOVE;
	change->kind = now.kind;
	change->hash = now.hash;
	change->mode = now.mode;
	return 0;
}

int pause_prepare_end(const struct project *project, int nanoclaw,
	const struct journal *journal, struct journal *ret_all, struct error *err)
{
	static const struct hash none; /* marks an edit: combine_journals() */
	CLEANUP(journal_release) struct journal all = JOURNAL_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int next = -1;

	if (begin_next(nanoclaw, journal, &all, &next, err) < 0)
		return -1;
	for (size_t i = 0; i < all.change_count; i++) {
		struct change *change = &all.changes[i];
		const struct change *last = journal_find(journal, &change->path);

		if (change->kind == CHANGE_FOLDER)
			continue;
		change->edited |= change_puts(change) && hash_equal(&change->hash, &none);
		if (!last && adopt_edit(project, change, err) < 0)
			return -1;
		if (last && change_puts(last))
			change->hash = last->hash;
	}
	journal_format(&all, &text);
	if (write_next(next, "done", view_of_buf(&text), err) < 0)
		return -1;
	*ret_all = all;
	all = JOURNAL_INIT;
	return 0;
}

/* --- after the commit --- */

/* Finish an undo or a redo; `mark` is its journal. */
static int finish_undo(
	const struct project *project, int nanoclaw, const char *mark, struct error *err)
{
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
	CLEANUP(freep) char *name = xasprintf("tx/%s", mark);
	CLEANUP(closep) int tx = -1;
	bool undone = !strcmp(mark, "undone");

	if (journal_read(nanoclaw, name, &journal, err) < 0)
		return -1;
	for (size_t i = journal.leaving.count; i > 0; i--)
		if (project_remove_empty(project, &journal.leaving.list[i - 1], err) < 0)
			return -1;
	if ((undone ? history_undone(nanoclaw, &journal, err) : history_redone(nanoclaw, err)) <
		0)
		return -1;
	if (!disk_exists(nanoclaw, "tx"))
		return 0; /* it is history/redo now */
	if (undone && tree_remove_empty(nanoclaw, "history", err) < 0)
		return -1;
	/* The mark goes after the entries were moved, and before the rest of tx goes. */
	tx = disk_open_folder(nanoclaw, "tx");
	if (tx < 0 || sys.sync_all(tx) < 0 || sys.unlink(tx, mark, 0) < 0 || sys.sync(tx) < 0)
		return error_errno(err, "cannot clean up '.nanoclaw/tx'");
	return 0;
}

int commit_clean_up(const struct project *project, int nanoclaw, struct error *err)
{
	if (disk_exists(nanoclaw, "tx/done")) {
		if (tree_remove(nanoclaw, "backup", err) < 0 ||
			history_add(nanoclaw,
				disk_exists(nanoclaw, "tx/next") ? "tx/next" : "tx", err) < 0)
			return -1;
	} else if (disk_exists(nanoclaw, "tx/undone")) {
		if (finish_undo(project, nanoclaw, "undone", err) < 0)
			return -1;
	} else if (disk_exists(nanoclaw, "tx/redone")) {
		if (finish_undo(project, nanoclaw, "redone", err) < 0)
			return -1;
	} else if (disk_exists(nanoclaw, "tx/paused") && disk_exists(nanoclaw, "tx/next")) {
		if (tree_remove(nanoclaw, "backup", err) < 0)
			return -1;
		if (sys.rename(nanoclaw, "tx/next", nanoclaw, "backup", 0) < 0)
			return error_errno(err, "cannot move the pause into place");
	}
	/* tx is deleted only when its results are on the disk. */
	if ((disk_exists(nanoclaw, "tx/done") || disk_exists(nanoclaw, "tx/paused")) &&
		sys.sync_all(nanoclaw) < 0)
		return error_errno(err, "cannot clean up '.nanoclaw/tx'");
	return tree_remove(nanoclaw, "tx", err);
}
