#include "host/backup/restore_switch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "host/base/settings.h"
#include "proc/log.h"

#define JOURNAL_MAX ((size_t)4096)
#define FIRST_LINE  "nanoclaw-restore 1"

/* Move the log before the store: SQLite would apply a leftover log to the new store. */
static const char *const items[] = {
	"store/nanoclaw.db-shm",
	"store/nanoclaw.db-wal",
	"store/nanoclaw.db",
	"groups",
	"data",
};

#define ITEM_COUNT ARRAY_SIZE(items)

struct journal {
	bool undo;                   /* the other side is `before`, and not `stage` */
	uint64_t wanted[ITEM_COUNT]; /* the inode that is in place afterwards; 0: none */
};

static const char *journal_side(const struct journal *journal)
{
	return journal->undo ? RESTORE_BEFORE : RESTORE_STAGE;
}

/* 0: it does not exist. */
static int inode_of(int root, const char *path, uint64_t *ret_inode, struct error *err)
{
	struct stat st;

	*ret_inode = 0;
	if (fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot access '%s'", path);
	*ret_inode = st.st_ino;
	return 0;
}

static int sync_folder(int root, const char *path, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || sys.sync(fd) < 0)
		return error_errno(err, "cannot sync '%s'", path);
	return 0;
}

/* --- the journal ------------------------------------------------------------- */

bool restore_is_pending(int root)
{
	return faccessat(root, RESTORE_JOURNAL, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int restore_journal_write(int root, const struct journal *journal, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep)
	int dir = openat(root, RESTORE_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir < 0)
		return error_errno(err, "cannot open '%s'", RESTORE_FOLDER);
	buf_appendf(&text, FIRST_LINE "\nundo %d\n", journal->undo);
	for (size_t i = 0; i < ITEM_COUNT; i++)
		buf_appendf(&text, "%" PRIu64 " %s\n", journal->wanted[i], items[i]);
	return replace_file(dir, "journal", view_of_buf(&text), 0600, NULL, 0, err);
}

static int restore_journal_read(int root, struct journal *journal, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest, line;
	bool valid;

	if (relpath_parse(view_of(RESTORE_JOURNAL), &path, err) < 0 ||
		beneath_read(root, &path, JOURNAL_MAX, &text, err) < 0)
		return -1;
	rest = view_of_buf(&text);
	valid = view_next(&rest, '\n', &line) && view_equal_str(line, FIRST_LINE) &&
		view_next(&rest, '\n', &line);
	journal->undo = valid && view_equal_str(line, "undo 1");
	for (size_t i = 0; i < ITEM_COUNT && valid; i++) {
		size_t digits = 0;

		valid = view_next(&rest, '\n', &line);
		journal->wanted[i] = 0;
		for (; valid && digits < line.len && isdigit((unsigned char)line.data[digits]);
			digits++)
			journal->wanted[i] =
				journal->wanted[i] * 10 + (uint64_t)(line.data[digits] - '0');
		valid = valid && digits && digits < line.len &&
			view_equal_str(view_slice(line, digits + 1, line.len), items[i]);
	}
	return valid ? 0 : error_set(err, ERROR_FAILED, "'%s' is damaged", RESTORE_JOURNAL);
}

static int remove_journal(int root, struct error *err)
{
	if (sys.unlink(root, RESTORE_JOURNAL, 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot remove '%s'", RESTORE_JOURNAL);
	return sync_folder(root, RESTORE_FOLDER, err);
}

/* --- items ------------------------------------------------------------------- */

static int move_item(int root, const char *from, const char *to, struct error *err)
{
	if (sys.rename(root, from, root, to, 0) < 0)
		return error_errno(err, "cannot move '%s' to '%s'", from, to);
	return 0;
}

static char *aside_path(const char *there)
{
	return xasprintf("%s-aside", there);
}

static int exchange_folders(int root, const char *here, const char *there, struct error *err)
{
	CLEANUP(freep) char *aside = aside_path(there);

	if (sys.rename(root, here, root, there, RENAME_EXCHANGE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return error_errno(err, "cannot exchange '%s' and '%s'", here, there);
	/* Where the file system cannot exchange two names in one step, in three. */
	if (move_item(root, here, aside, err) < 0 || move_item(root, there, here, err) < 0)
		return -1;
	return move_item(root, aside, there, err);
}

/* The remains of a crash between the three steps. */
static int finish_slow(int root, const char *here, const char *there, struct error *err)
{
	CLEANUP(freep) char *aside = aside_path(there);
	uint64_t former, present;

	if (inode_of(root, aside, &former, err) < 0 || inode_of(root, here, &present, err) < 0)
		return -1;
	if (!former)
		return 0;
	if (!present && move_item(root, there, here, err) < 0)
		return -1;
	return move_item(root, aside, there, err);
}

static int switch_item(int root, const char *here, const char *there, struct error *err)
{
	uint64_t present, other;

	if (inode_of(root, here, &present, err) < 0 || inode_of(root, there, &other, err) < 0)
		return -1;
	if (present && other)
		return exchange_folders(root, here, there, err);
	if (present)
		return move_item(root, here, there, err);
	return other ? move_item(root, there, here, err) : 0;
}

static char *other_path(const struct journal *journal, size_t index)
{
	return xasprintf("%s/%s", journal_side(journal), items[index]);
}

/* --- the whole --------------------------------------------------------------- */

static int sync_places(int root, const struct journal *journal, struct error *err)
{
	CLEANUP(freep) char *store = xasprintf("%s/store", journal_side(journal));

	if (sync_folder(root, ".", err) < 0 || sync_folder(root, "store", err) < 0 ||
		sync_folder(root, journal_side(journal), err) < 0)
		return -1;
	return sync_folder(root, store, err);
}

/* R3 */
static int switch_all(int root, const struct journal *journal, struct error *err)
{
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		CLEANUP(freep) char *other = other_path(journal, i);
		uint64_t present;

		if (finish_slow(root, items[i], other, err) < 0 ||
			inode_of(root, items[i], &present, err) < 0 ||
			(present != journal->wanted[i] &&
				switch_item(root, items[i], other, err) < 0))
			return -1;
	}
	return sync_places(root, journal, err);
}

/* R4. An item that was not switched yet is not in the place that the journal says. */
static int switch_back(int root, const struct journal *journal, struct error *err)
{
	for (size_t i = ITEM_COUNT; i > 0; i--) {
		CLEANUP(freep) char *other = other_path(journal, i - 1);
		uint64_t present, there;

		if (finish_slow(root, items[i - 1], other, err) < 0 ||
			inode_of(root, items[i - 1], &present, err) < 0 ||
			inode_of(root, other, &there, err) < 0)
			return -1;
		if (present == journal->wanted[i - 1] && (present || there) &&
			switch_item(root, items[i - 1], other, err) < 0)
			return -1;
	}
	if (sync_places(root, journal, err) < 0)
		return -1;
	return remove_journal(root, err);
}

/* Settings without secrets that ours does not have. It is never the reason to give up. */
static void fill_env(int root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep)
	int stage =
		openat(root, RESTORE_STAGE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (settings_add_missing(root, stage, &err) < 0)
		log_warning("'.env' stays as it is: %s", err.message);
}

/* The .env of the backup, if the project has none. */
static int place_env(int root, struct error *err)
{
	if (sys.rename(root, RESTORE_STAGE "/.env", root, ".env", RENAME_NOREPLACE) < 0 &&
		errno != ENOENT && errno != EEXIST) {
		/* Where that flag is not known, a link does the same. */
		if (errno != EINVAL ||
			(sys.link(root, RESTORE_STAGE "/.env", root, ".env") < 0 &&
				errno != ENOENT && errno != EEXIST))
			return error_errno(err, "cannot write '.env'");
	}
	fill_env(root);
	/* Do not leave old secrets on the disk. */
	if (sys.unlink(root, RESTORE_STAGE "/.env", 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot remove '%s/.env'", RESTORE_STAGE);
	return 0;
}

/* After a restore, the old data replaces that of an earlier restore. */
static int finish_restore(int root, const struct journal *journal, struct error *err)
{
	uint64_t stage = 0; /* 0 also if a crash came after the move */

	if (!journal->undo && inode_of(root, RESTORE_STAGE, &stage, err) < 0)
		return -1;
	if (stage && (place_env(root, err) < 0 || tree_remove(root, RESTORE_BEFORE, err) < 0 ||
			     move_item(root, RESTORE_STAGE, RESTORE_BEFORE, err) < 0 ||
			     sync_folder(root, ".", err) < 0 ||
			     sync_folder(root, RESTORE_FOLDER, err) < 0))
		return -1;
	return remove_journal(root, err);
}

int restore_recover(int root, struct error *err)
{
	struct journal journal = {0};
	uint64_t other;

	if (!restore_is_pending(root))
		return 0;
	if (restore_journal_read(root, &journal, err) < 0)
		return -1;
	if (inode_of(root, journal_side(&journal), &other, err) < 0)
		return -1;
	/* Without a stage, everything is done except deleting the journal. */
	if ((other && switch_all(root, &journal, err) < 0) ||
		finish_restore(root, &journal, err) < 0)
		return error_prefix(err, "a restore that was interrupted cannot be finished");
	return 0;
}

/* Names are exchanged on one file system only; and inodes are compared. */
static int check_device(int root, const char *path, dev_t device, struct error *err)
{
	struct stat st;

	if (fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot access '%s'", path);
	if (S_ISLNK(st.st_mode))
		return error_set(err, ERROR_FAILED, "'%s' is a symbolic link", path);
	if (st.st_dev != device)
		return error_set(
			err, ERROR_FAILED, "'%s' is on another file system than 'store'", path);
	return 0;
}

static int journal_prepare(int root, struct journal *journal, struct error *err)
{
	struct stat st;

	if (fstatat(root, journal_side(journal), &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "cannot access '%s'", journal_side(journal));
	for (size_t i = 0; i < ITEM_COUNT; i++)
		if (check_device(root, items[i], st.st_dev, err) < 0)
			return -1;
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		CLEANUP(freep) char *other = other_path(journal, i);

		if (inode_of(root, other, &journal->wanted[i], err) < 0)
			return -1;
	}
	return 0;
}

static int switch_sides(int root, bool undo, struct error *err)
{
	struct journal journal = {.undo = undo};
	CLEANUP(error_release) struct error worse = ERROR_INIT;

	if (journal_prepare(root, &journal, err) < 0)
		return -1;
	if (restore_journal_write(root, &journal, err) < 0) {
		/* The journal may exist anyway, if only the last sync failed. */
		if (remove_journal(root, &worse) < 0)
			error_hint(err, "the next command finishes the restore");
		return -1;
	}
	if (switch_all(root, &journal, err) < 0) {
		if (switch_back(root, &journal, &worse) < 0)
			error_hint(err, "the next command finishes it");
		return -1;
	}
	if (finish_restore(root, &journal, &worse) < 0)
		log_warning("%s; the next command cleans up", worse.message);
	return 0;
}

int restore_switch(int root, struct error *err)
{
	return switch_sides(root, false, err);
}

int restore_undo(int root, struct error *err)
{
	uint64_t before;

	if (inode_of(root, RESTORE_BEFORE, &before, err) < 0)
		return -1;
	if (!before) {
		error_set(err, ERROR_INVALID, "there is nothing to undo: no '%s'",
			RESTORE_BEFORE);
		return error_hint(err,
			"only 'nanoclaw restore FILE' creates it, with the data that it replaces");
	}
	return switch_sides(root, true, err);
}
