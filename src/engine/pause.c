#include "engine/pause.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "util/file.h"
#include "util/replace.h"
#include "util/sys.h"
#include "util/tree.h"

static int read_old_journal(int nanoclaw, struct journal *ret_journal, struct error *err)
{
	CLEANUP(closep) int fd = openat(nanoclaw, "backup/journal", O_RDONLY | O_CLOEXEC);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (fd < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot read '.nanoclaw/backup'");
	if (file_read_fd(fd, ".nanoclaw/backup/journal", JOURNAL_MAX_SIZE, &text, err) < 0)
		return -1;
	return journal_parse(view_of_buf(&text), ret_journal, err);
}

/* Both are on one file system, so a second name is always possible, but for FAT. */
static int link_or_copy(int nanoclaw, const char *from, const char *to, struct error *err)
{
	struct stat st;

	if (sys.link(nanoclaw, from, nanoclaw, to) == 0)
		return 0;
	if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK)
		return error_errno(err, "cannot keep a saved file");
	if (fstatat(nanoclaw, from, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "cannot keep a saved file");
	return S_ISLNK(st.st_mode) ? tree_copy_link(nanoclaw, from, nanoclaw, to, err)
				   : tree_copy_file(nanoclaw, from, nanoclaw, to, err);
}

static int keep_saved(int nanoclaw, const char *folder, const struct change *change,
	unsigned new_number, struct error *err)
{
	char from[32], to[32];

	if (!change->had_before)
		return 0;
	snprintf(from, sizeof(from), "%s/saved/%u", folder, change->number);
	snprintf(to, sizeof(to), "tx/next/saved/%u", new_number);
	return link_or_copy(nanoclaw, from, to, err);
}

/* What a saved file or link is, as a change that would put it there. */
static int hash_saved(int nanoclaw, const char *name, enum change_kind *ret_kind,
	struct hash *ret_hash, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	char target[PATH_MAX];
	ssize_t len = readlinkat(nanoclaw, name, target, sizeof(target));

	if (len >= 0) {
		*ret_kind = CHANGE_LINK;
		*ret_hash = hash_of((struct view){target, (size_t)len});
		return 0;
	}
	*ret_kind = CHANGE_PUT;
	fd = openat(nanoclaw, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, "cannot read a saved file");
	return hash_of_fd(fd, ret_hash, err);
}

/*
 * Was a file of the earlier pause edited before the transaction replaced it? Then
 * its hash must match nothing, so that abort puts aside what became of it.
 */
static int note_edit(int nanoclaw, const struct change *known, const struct change *change,
	struct hash *hash, struct error *err)
{
	struct hash before = {0};
	enum change_kind kind;
	char name[32];

	if (!change->had_before || !change_puts(known))
		return 0;
	snprintf(name, sizeof(name), "tx/saved/%u", change->number);
	if (hash_saved(nanoclaw, name, &kind, &before, err) < 0)
		return -1;
	if (kind != known->kind || !hash_equal(&before, &known->hash))
		*hash = (struct hash){0};
	return 0;
}

/* Add what the transaction changed to what an earlier pause kept. */
static int combine(
	int nanoclaw, const struct journal *journal, struct journal *all, struct error *err)
{
	for (size_t i = 0; i < all->change_count; i++)
		if (keep_saved(nanoclaw, "backup", &all->changes[i], all->changes[i].number,
			    err) < 0)
			return -1;
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		struct change *known = journal_find(all, &change->path);

		if (known) {
			struct hash hash = change->hash;

			if (note_edit(nanoclaw, known, change, &hash, err) < 0)
				return -1;
			known->kind = change->kind;
			known->hash = hash;
			known->mode = change->mode;
			continue;
		}
		known = journal_add(all, *change);
		known->path = relpath_copy(&change->path);
		known->number = (unsigned)all->change_count - 1;
		if (keep_saved(nanoclaw, "tx", change, known->number, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < journal->folder_count; i++)
		journal_add_folder(all, relpath_copy(&journal->folders[i]));
	all->created_nanoclaw |= journal->created_nanoclaw;
	return 0;
}

int pause_prepare(
	int nanoclaw, const struct journal *journal, struct view notes, struct error *err)
{
	CLEANUP(journal_release) struct journal all = JOURNAL_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int next = -1;
	unsigned flags = REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC;

	if (read_old_journal(nanoclaw, &all, err) < 0)
		return -1;
	if (!all.operation)
		all.operation = xstrdup(journal->operation);
	if (sys.mkdir(nanoclaw, "tx/next", 0777) < 0 ||
		sys.mkdir(nanoclaw, "tx/next/saved", 0777) < 0 ||
		sys.mkdir(nanoclaw, "tx/next/stage", 0777) < 0)
		return error_errno(err, "cannot prepare the pause");
	if (combine(nanoclaw, journal, &all, err) < 0)
		return -1;
	next = openat(nanoclaw, "tx/next", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (next < 0)
		return error_errno(err, "cannot prepare the pause");
	journal_write(&all, &text);
	if (replace_file(next, "journal", view_of_buf(&text), 0644, NULL, flags, err) < 0 ||
		replace_file(next, "pause.yaml", notes, 0644, NULL, flags, err) < 0)
		return -1;
	return 0;
}

static bool exists(int nanoclaw, const char *name)
{
	return faccessat(nanoclaw, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

int pause_finish(int nanoclaw, struct error *err)
{
	if (exists(nanoclaw, "tx/done")) {
		if (tree_remove(nanoclaw, "backup", err) < 0)
			return -1;
	} else if (exists(nanoclaw, "tx/paused") && exists(nanoclaw, "tx/next")) {
		if (tree_remove(nanoclaw, "backup", err) < 0)
			return -1;
		if (sys.rename(nanoclaw, "tx/next", nanoclaw, "backup", 0) < 0)
			return error_errno(err, "cannot put the pause in place");
	}
	return tree_remove(nanoclaw, "tx", err);
}
