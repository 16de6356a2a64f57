#include "engine/core/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"
#include "engine/core/ignore.h"
#include "engine/disk/descend.h"
#include "engine/disk/stat_index.h"
#include "fs/stamp.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "fs/walk.h"

/* --- walking the core ------------------------------------------------------------- */

struct core_walk {
	struct ignore *ignore; /* NULL: nothing is left out */
	base_function each;
	void *data;
	size_t others; /* neither files nor links nor folders */
};

static enum walk_result visit_core(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct core_walk *core = data;
	struct base_entry found = {
		.path = entry->path,
		.dirfd = entry->dirfd,
		.name = entry->name,
		.is_symlink = entry->kind == WALK_SYMLINK,
		.stat = &entry->stat,
	};
	bool excluded, enter;

	if (entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	if (!core->ignore)
		excluded = !(enter = true);
	else if (ignore_excludes(core->ignore, entry->path, entry->kind == WALK_DIR, &excluded,
			 &enter, err) < 0)
		return WALK_FAIL;
	if (entry->kind == WALK_DIR)
		return enter ? WALK_GO_ON : WALK_SKIP;
	if (excluded)
		return WALK_GO_ON;
	if (entry->kind == WALK_OTHER) {
		core->others++;
		return WALK_GO_ON;
	}
	return core->each(&found, core->data, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

int base_for_each(int root, base_function each, void *data, struct error *err)
{
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;

	if (ignore_open(root, &ignore, err) < 0)
		return -1;
	return base_for_each_by(root, ignore, each, data, err);
}

int base_for_each_by(
	int root, struct ignore *ignore, base_function each, void *data, struct error *err)
{
	struct core_walk core = {.ignore = ignore, .each = each, .data = data};

	return walk(root, visit_core, &core, err);
}

/* --- the copy -------------------------------------------------------------------- */

/* A file smaller than this is one read() and one write(). */
#define PIECE_SIZE ((size_t)128 * 1024)

#define READ_TRIES 3

struct copier {
	struct base_copy_result result;
	struct descend folders; /* each is made with its first file */
	mode_t umask;
	char *piece;
	struct stat_index *index; /* or NULL */
};

static void copier_release(struct copier *c)
{
	descend_release(&c->folders);
	free(c->piece);
}

static void copier_made_folder(const char *path, void *data)
{
	struct copier *c = data;

	if (c->index)
		stat_index_add_folder(c->index, path);
}

/* A file has changed while it was read if its stamp has. */
static bool is_unchanged(int fd, const struct stat *before)
{
	struct stamp was = stamp_of(before), is;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return false;
	is = stamp_of(&st);
	return stamp_equal(&was, &is);
}

/*
 * Copy a small file with one write. A file that is as long as its size says needs one read.
 * Returns -1 with errno; EBUSY if the file keeps changing.
 */
static int copier_write_small(struct copier *c, int from, struct stat *st, int to)
{
	for (int i = 0; i < READ_TRIES; i++) {
		size_t len = 0;
		ssize_t n;

		if (i && (lseek(from, 0, SEEK_SET) < 0 || fstat(from, st) < 0))
			return -1;
		do {
			n = read(from, c->piece + len, PIECE_SIZE - len);
			if (n < 0 && errno != EINTR)
				return -1;
			len += n > 0 ? (size_t)n : 0;
		} while (n && len < PIECE_SIZE && (off_t)len != st->st_size);
		if (len < PIECE_SIZE && is_unchanged(from, st)) {
			c->result.bytes += len;
			return sys_write_all(to, c->piece, len);
		}
	}
	errno = EBUSY;
	return -1;
}

static int copier_write_large(struct copier *c, int from, struct stat *st, int to)
{
	for (int i = 0; i < READ_TRIES; i++) {
		if (i && (lseek(from, 0, SEEK_SET) < 0 || lseek(to, 0, SEEK_SET) < 0 ||
				 sys.truncate(to, 0) < 0 || fstat(from, st) < 0))
			return -1;
		if (tree_copy_content(from, to) < 0)
			return -1;
		if (is_unchanged(from, st)) {
			c->result.bytes += (size_t)st->st_size;
			return 0;
		}
	}
	errno = EBUSY;
	return -1;
}

static int set_mtime(int dirfd, const char *name, struct timespec mtime)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, mtime};

	return sys.set_times(dirfd, name, times);
}

static int copier_copy_file(struct copier *c, const struct base_entry *entry, struct error *err)
{
	struct timespec before_reading = stat_index_clock();
	CLEANUP(freep) char *shown = NULL;
	CLEANUP(closep)
	int from = openat(entry->dirfd, entry->name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	CLEANUP(closep) int to = -1;
	const char *name;
	struct stat st;
	mode_t mode;
	bool small;
	int folder;

	if (from < 0 && errno == ENOENT)
		return 0;
	if (from < 0 || fstat(from, &st) < 0)
		return quote_errno(err, "open", entry->path);
	if (!S_ISREG(st.st_mode)) {
		shown = quote(view_of(entry->path));
		return error_set(err, ERROR_FAILED, "%s is no longer a file", shown);
	}
	if (descend_to(&c->folders, entry->path, &folder, &name) < 0)
		return quote_errno(err, "make in the copy the folder of", entry->path);
	mode = st.st_mode & S_IXUSR ? 0755 : 0644;
	to = sys.create(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
	if (to < 0 || (mode & c->umask && sys.chmod(to, mode) < 0))
		return quote_errno(err, "create the copy of", entry->path);
	small = (size_t)st.st_size < PIECE_SIZE;
	if ((small ? copier_write_small : copier_write_large)(c, from, &st, to) < 0) {
		if (errno != EBUSY)
			return quote_errno(err, "copy", entry->path);
		shown = quote(view_of(entry->path));
		return error_set(err, ERROR_FAILED, "%s changed while it was copied", shown);
	}
	/* Network file systems report write errors here. */
	if (close(TAKE_FD(to)) < 0 || set_mtime(folder, name, st.st_mtim) < 0)
		return quote_errno(err, "write the copy of", entry->path);
	if (c->index)
		stat_index_add_copied(c->index, entry->path, &st, before_reading);
	c->result.files++;
	return 0;
}

static int copier_copy_link(struct copier *c, const struct base_entry *entry, struct error *err)
{
	char target[PATH_MAX];
	struct timespec before_reading = stat_index_clock();
	ssize_t len = readlinkat(entry->dirfd, entry->name, target, sizeof(target) - 1);
	const char *name;
	int folder;

	if (len < 0 && errno == ENOENT)
		return 0;
	if (len < 0)
		return quote_errno(err, "read the symbolic link", entry->path);
	target[len] = '\0';
	if (descend_to(&c->folders, entry->path, &folder, &name) < 0)
		return quote_errno(err, "make in the copy the folder of", entry->path);
	if (sys.symlink(target, folder, name) < 0 ||
		set_mtime(folder, name, entry->stat->st_mtim) < 0)
		return quote_errno(err, "copy the symbolic link", entry->path);
	if (c->index)
		stat_index_add_copied(c->index, entry->path, entry->stat, before_reading);
	c->result.files++;
	return 0;
}

static int copy_entry(const struct base_entry *entry, void *data, struct error *err)
{
	return entry->is_symlink ? copier_copy_link(data, entry, err)
				 : copier_copy_file(data, entry, err);
}

/* `ignore` and `index` may be NULL. */
static int copy_all(int root, struct ignore *ignore, int to, struct stat_index *index,
	struct base_copy_result *ret_result, struct error *err)
{
	CLEANUP(copier_release)
	struct copier c = {.folders = DESCEND_INIT(to), .umask = umask(0), .index = index};
	struct core_walk core = {.ignore = ignore, .each = copy_entry, .data = &c};

	umask(c.umask);
	c.folders.made = copier_made_folder;
	c.folders.data = &c;
	c.piece = xmalloc(PIECE_SIZE);
	if (walk(root, visit_core, &core, err) < 0)
		return -1;
	*ret_result = c.result;
	ret_result->left_out = core.others;
	return 0;
}

int base_copy(int root, int to, struct stat_index *index, struct base_copy_result *ret_result,
	struct error *err)
{
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;

	if (index)
		stat_index_begin_copy(index);
	if (ignore_open(root, &ignore, err) < 0 ||
		copy_all(root, ignore, to, index, ret_result, err) < 0)
		return -1;
	ret_result->git_unknown = ignore_unknown(ignore);
	memcpy(ret_result->folders_left_out, ignore_left_out(ignore),
		sizeof(ret_result->folders_left_out));
	return 0;
}

int base_copy_whole(int base, int to, struct base_copy_result *ret_result, struct error *err)
{
	return copy_all(base, NULL, to, NULL, ret_result, err);
}
