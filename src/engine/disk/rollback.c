#include "engine/disk/rollback.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/disk/tx_file.h"
#include "fs/beneath.h"
#include "fs/sys.h"
#include "fs/tree.h"

#define KEPT_FOLDER ".nanoclaw/kept"
#define MOST_KEPT   1000

struct undoing {
	const struct project *project;
	int saved; /* .nanoclaw/tx/saved */
	int stage; /* .nanoclaw/tx/stage */
	enum rollback_mode mode;
	struct kept_list *kept;
	struct error *err;
};

/* --- the file in the tree --- */

enum present {
	PRESENT_NOTHING,
	PRESENT_OURS,   /* the file of the transaction */
	PRESENT_BEFORE, /* the saved file, which was not replaced yet */
	PRESENT_OTHER,  /* changed by another process */
};

/* `name` is the name of the saved file, if any; otherwise `saved_st` is empty. */
static int find_present(const struct undoing *u, const struct change *change, const char *name,
	const struct stat *saved_st, enum present *ret_present)
{
	static const struct hash none;
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(closep) int folder = -1;
	const char *base = relpath_base(&change->path);
	struct layer_file now, saved;
	struct stat st;
	bool is_link;

	*ret_present = PRESENT_OTHER;
	if (beneath_stat(u->project->root, &change->path, &st, &local) < 0) {
		if (!beneath_is_absent(&local))
			return error_move(u->err, &local);
		if (local.errnum == ENOENT)
			*ret_present = PRESENT_NOTHING;
		return 0;
	}
	if (saved_st->st_ino == st.st_ino && saved_st->st_dev == st.st_dev) {
		*ret_present = PRESENT_BEFORE;
		return 0;
	}
	is_link = S_ISLNK(st.st_mode);
	if (change->kind == CHANGE_FOLDER || (!is_link && !S_ISREG(st.st_mode))) {
		if (change->kind == CHANGE_FOLDER && S_ISDIR(st.st_mode))
			*ret_present = PRESENT_OURS;
		return 0;
	}
	if (beneath_open_parent(u->project->root, &change->path, 0, &folder, u->err) < 0 ||
		layer_file_at(folder, base, is_link, &now, u->err) < 0)
		return error_prefix(u->err, "'%s'", change->path.text);
	if (change->kind == (is_link ? CHANGE_LINK : CHANGE_PUT) &&
		hash_equal(&now.hash, &change->hash) &&
		(is_link || (st.st_mode & 07777) == change->mode))
		*ret_present = PRESENT_OURS;
	else if (!is_link && change->exposed && !hash_equal(&change->earlier, &none) &&
		 hash_equal(&now.hash, &change->earlier))
		*ret_present = PRESENT_OURS;
	/* Where it could only be saved as a copy. */
	else if (saved_st->st_mode == st.st_mode) {
		if (layer_file_at(u->saved, name, is_link, &saved, u->err) < 0)
			return error_prefix(
				u->err, "the saved version of '%s'", change->path.text);
		if (hash_equal(&now.hash, &saved.hash))
			*ret_present = PRESENT_BEFORE;
	}
	return 0;
}

/* --- saved and kept files --- */

int saved_link(int fromfd, const char *from, int tofd, const char *to, struct error *err)
{
	struct timespec times[2];
	struct stat st;
	int failed;

	if (sys.link(fromfd, from, tofd, to) == 0)
		return 0;
	/* Not every file system has hard links, and not every file may get one. */
	if ((errno != EPERM && errno != EMLINK && errno != EOPNOTSUPP) ||
		fstatat(fromfd, from, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "cannot save '%s'", from);
	failed = S_ISLNK(st.st_mode) ? tree_copy_link(fromfd, from, tofd, to, err)
				     : tree_copy_file(fromfd, from, tofd, to, err);
	if (failed)
		return -1;
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	if (sys.set_times(tofd, to, times) < 0)
		return error_errno(err, "cannot save '%s'", from);
	return 0;
}

static void kept_list_add(
	struct kept_list *kept, const struct relpath *path, char *where, bool edited_stays)
{
	if (!kept) {
		free(where);
		return;
	}
	GROW(kept->list, kept->count, kept->cap);
	kept->list[kept->count++] = (struct kept){
		.path = xstrdup(path->text), .where = where, .edited_stays = edited_stays};
}

/*
 * Move a file to .nanoclaw/kept, under its own path; if that is taken, or a file
 * is in the way, to .nanoclaw/kept.2 and so on.
 */
static int move_to_kept(const struct project *project, int fromfd, const char *from,
	const struct relpath *path, char **ret_where, struct error *err)
{
	for (unsigned n = 1; n < MOST_KEPT; n++) {
		CLEANUP(error_release) struct error local = ERROR_INIT;
		CLEANUP(freep)
		char *where = n == 1 ? xasprintf(KEPT_FOLDER "/%s", path->text)
				     : xasprintf(KEPT_FOLDER ".%u/%s", n, path->text);
		CLEANUP(relpath_release) struct relpath target = RELPATH_INIT;
		CLEANUP(closep) int folder = -1;

		if (relpath_parse(view_of(where), &target, err) < 0)
			return -1;
		if (beneath_open_parent(
			    project->root, &target, BENEATH_CREATE, &folder, &local) < 0) {
			if (local.errnum == ENOTDIR)
				continue;
			return error_move(err, &local);
		}
		if (sys.rename(fromfd, from, folder, relpath_base(&target), RENAME_NOREPLACE) ==
			0) {
			*ret_where = TAKE(where);
			return 0;
		}
		if (errno != EEXIST)
			break;
	}
	return error_errno(err, "cannot set '%s' aside", path->text);
}

int kept_aside(const struct project *project, const struct relpath *path,
	struct kept_list *kept, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(closep) int folder = -1;
	struct stat st;
	char *where;

	if (beneath_stat(project->root, path, &st, &local) < 0)
		return beneath_is_absent(&local) ? 0 : error_move(err, &local);
	if (beneath_open_parent(project->root, path, 0, &folder, err) < 0 ||
		move_to_kept(project, folder, relpath_base(path), path, &where, err) < 0)
		return -1;
	kept_list_add(kept, path, where, false);
	return 0;
}

/* --- undoing --- */

/*
 * Move the saved file back. If its folder was replaced meanwhile, the file goes to
 * .nanoclaw/kept. If the change has been made, the file that it displaced is in the stage. That
 * is the one to restore: somebody may have edited it since it was saved (T6). A second round
 * writes exposed files to the stage, so these are not taken from there.
 */
static int restore_saved(
	struct undoing *u, const struct change *change, const char *name, bool displaced)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(closep) int folder = -1;
	bool staged = displaced && !change->exposed && disk_exists(u->stage, name);
	char *where;

	if (beneath_open_parent(
		    u->project->root, &change->path, BENEATH_CREATE, &folder, &local) < 0) {
		if (local.errnum != ENOTDIR && local.errnum != ELOOP)
			return error_move(u->err, &local);
		if (move_to_kept(u->project, u->saved, name, &change->path, &where, u->err) < 0)
			return -1;
		kept_list_add(u->kept, &change->path, where, true);
		return 0;
	}
	if (sys.rename(staged ? u->stage : u->saved, name, folder, relpath_base(&change->path),
		    0) < 0)
		return error_errno(u->err, "cannot restore '%s'", change->path.text);
	return 0;
}

/* The file was edited after our change. */
static int undo_edited(struct undoing *u, const struct change *change, const char *name)
{
	char *where = NULL;

	/* An exposed file may have been changed by our own command, and does not stay. */
	if (u->mode == ROLLBACK_KEEP_EDITS && !change->exposed) {
		if (change->had_before && move_to_kept(u->project, u->saved, name,
						  &change->path, &where, u->err) < 0)
			return -1;
		kept_list_add(u->kept, &change->path, where, true);
		return 0;
	}
	if (kept_aside(u->project, &change->path, u->kept, u->err) < 0)
		return -1;
	if (u->kept && u->kept->count)
		u->kept->list[u->kept->count - 1].exposed = change->exposed;
	return change->had_before ? restore_saved(u, change, name, false) : 0;
}

static int undo_change(struct undoing *u, const struct change *change)
{
	CLEANUP(closep) int folder = -1;
	const char *base = relpath_base(&change->path);
	char name[CHANGE_NAME_SIZE];
	struct stat saved = {0};
	enum present present;

	change_file_name(change, name);
	/* Without its saved file, the change is already undone (T5). */
	if (change->had_before && fstatat(u->saved, name, &saved, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : error_errno(u->err, "cannot access a saved file");
	if (find_present(u, change, name, &saved, &present) < 0)
		return -1;
	switch (present) {
	case PRESENT_BEFORE:
		if (sys.unlink(u->saved, name, 0) < 0)
			return error_errno(u->err, "cannot clean up");
		return 0;
	case PRESENT_NOTHING:
		return change->had_before
			       ? restore_saved(u, change, name, change->kind == CHANGE_REMOVE)
			       : 0;
	case PRESENT_OURS:
		if (change->had_before)
			return restore_saved(u, change, name, true);
		if (beneath_open_parent(u->project->root, &change->path, 0, &folder, u->err) <
			0)
			return -1;
		/* An added folder goes back to the stage. */
		if (change->kind == CHANGE_FOLDER ? sys.rename(folder, base, u->stage, name, 0)
						  : sys.unlink(folder, base, 0))
			return error_errno(u->err, "cannot remove '%s'", change->path.text);
		return 0;
	case PRESENT_OTHER:
		break;
	}
	return undo_edited(u, change, name);
}

int rollback(const struct project *project, const struct journal *journal,
	enum rollback_mode mode, struct kept_list *kept, struct error *err)
{
	CLEANUP(relpath_release) struct relpath saved_path = relpath_of(".nanoclaw/tx/saved");
	CLEANUP(relpath_release) struct relpath stage_path = relpath_of(".nanoclaw/tx/stage");
	CLEANUP(closep) int saved = -1;
	CLEANUP(closep) int stage = -1;
	struct undoing u = {project, -1, -1, mode, kept, err};

	/* Never follow a link, in case the folder was replaced. */
	if (beneath_open_dir(project->root, &saved_path, &saved, err) < 0 ||
		beneath_open_dir(project->root, &stage_path, &stage, err) < 0) {
		error_prefix(err, "cannot undo");
		return damage_hint(err);
	}
	u.saved = saved;
	u.stage = stage;
	for (size_t i = journal->change_count; i > 0; i--)
		if (undo_change(&u, &journal->changes[i - 1]) < 0)
			return -1;
	for (size_t i = journal->folders.count; i > 0; i--)
		if (project_remove_empty(project, &journal->folders.list[i - 1], err) < 0)
			return -1;
	return 0;
}

int rollback_end(int nanoclaw, struct error *err)
{
	CLEANUP(closep) int tx = disk_open_folder(nanoclaw, "tx");

	if (tx < 0 || sys.sync_all(tx) < 0)
		return error_errno(err, "cannot write the restored files to disk");
	/* Files without a journal do no harm; a journal without its files does. */
	if ((sys.unlink(tx, "journal", 0) < 0 && errno != ENOENT) || sys.sync(tx) < 0)
		return error_errno(err, "cannot remove '.nanoclaw/tx/journal'");
	return tree_remove(nanoclaw, "tx", err);
}

void kept_list_release(struct kept_list *kept)
{
	for (size_t i = 0; i < kept->count; i++) {
		free(kept->list[i].path);
		free(kept->list[i].where);
	}
	free(kept->list);
}
