#include "engine/stack/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/disk/project.h"
#include "engine/stack/recorded.h"
#include "util/beneath.h"
#include "util/escape.h"
#include "util/file.h"
#include "util/replace.h"
#include "util/sys.h"
#include "util/tree.h"
#include "util/walk.h"

#define COPIES ".nanoclaw/tx/guard"
#define LIST   "list"

/* Copies that recovery makes itself get numbers from here on. */
#define NO_NUMBER ((size_t)1 << 40)

struct guarded {
	struct relpath path;
	struct stat stat;
	size_t number;   /* the name of its copy */
	bool copied;     /* to COPIES; else it is as in the base */
	bool left_alone; /* it was not there, or no file */
	bool is_back;    /* recovery finds that it was put back before the crash */
};

struct guard {
	const struct project *project;
	const struct journal *journal;
	const struct recorded *recorded; /* while it is taken */
	int base;
	int copies; /* -1 until there is one */
	bool recovering;
	size_t listed; /* recovery: how many of the files come from the list */
	struct guarded *files;
	size_t count;
	size_t cap;
};

static void copy_name(size_t number, char ret_name[static 24])
{
	snprintf(ret_name, 24, "%zu", number);
}

static int open_copies(struct guard *guard, struct error *err)
{
	if (guard->copies >= 0)
		return 0;
	if (sys.mkdir(guard->project->root, COPIES, 0777) < 0)
		return error_errno(err, "cannot make the folder '%s'", COPIES);
	guard->copies =
		openat(guard->project->root, COPIES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return guard->copies < 0 ? error_errno(err, "cannot open '%s'", COPIES) : 0;
}

static bool same_times_and_size(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       !(a->st_mode & 0100) == !(b->st_mode & 0100);
}

static int copy_file(int fromfd, const char *from, int tofd, const char *to,
	const struct stat *st, struct error *err)
{
	const struct timespec times[2] = {st->st_atim, st->st_mtim};

	CLEANUP(closep) int fd = -1;

	if (tree_copy_file(fromfd, from, tofd, to, err) < 0)
		return -1;
	fd = openat(tofd, to, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || sys.chmod(fd, st->st_mode & 07777) < 0 ||
		sys.set_times(tofd, to, times) < 0)
		return error_errno(err, "cannot set permissions and times of '%s'", to);
	return 0;
}

/* A copy of a file, or a link with the same target, under the number. */
static int make_copy(struct guard *guard, const struct relpath *path,
	const struct guarded *file, struct error *err)
{
	CLEANUP(buf_release) struct buf target = BUF_INIT;
	CLEANUP(closep) int folder = -1;
	char name[24];

	copy_name(file->number, name);
	if (open_copies(guard, err) < 0)
		return -1;
	if (S_ISLNK(file->stat.st_mode)) {
		if (beneath_read_link(guard->project->root, path, &target, err) < 0)
			return -1;
		if (sys.symlink(target.data, guard->copies, name) < 0)
			return error_errno(err, "cannot copy the link '%s'", path->text);
		return 0;
	}
	if (beneath_open_parent(guard->project->root, path, 0, &folder, err) < 0)
		return -1;
	return copy_file(folder, relpath_base(path), guard->copies, name, &file->stat, err);
}

/* Remember a file, and copy it unless `in_base` says that the base has it. */
static int add_file(
	struct guard *guard, struct view text, const struct stat *in_base, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct guarded file = {.number = guard->count};

	if (relpath_parse(text, &path, err) < 0)
		return -1;
	if (journal_find(guard->journal, &path))
		return 0;
	file.left_alone = beneath_stat(guard->project->root, &path, &file.stat, &local) < 0 ||
			  (!S_ISREG(file.stat.st_mode) && !S_ISLNK(file.stat.st_mode));
	file.copied = !file.left_alone && (!in_base || !S_ISREG(file.stat.st_mode) ||
						  !same_times_and_size(&file.stat, in_base));
	if (file.copied && make_copy(guard, &path, &file, err) < 0)
		return -1;
	file.path = path;
	path = RELPATH_INIT;
	GROW(guard->files, guard->count, guard->cap);
	guard->files[guard->count++] = file;
	return 0;
}

static enum walk_result visit(const struct walk_entry *entry, void *data, struct error *err)
{
	struct guard *guard = data;
	struct view path = {entry->path, entry->path_len};

	if ((entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK) ||
		recorded_find(guard->recorded, path))
		return WALK_GO_ON;
	return add_file(guard, path, entry->kind == WALK_FILE ? &entry->stat : NULL, err) < 0
		       ? WALK_FAIL
		       : WALK_GO_ON;
}

/* Which file each copy is of, so that recovery knows too. */
static int write_list(struct guard *guard, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (open_copies(guard, err) < 0)
		return -1;
	for (size_t i = 0; i < guard->count; i++)
		if (guard->files[i].copied || guard->files[i].left_alone) {
			if (guard->files[i].copied)
				buf_appendf(&text, "%zu", guard->files[i].number);
			buf_append_char(&text, ' ');
			escape_append(&text, guard->files[i].path.text);
			buf_append_char(&text, '\n');
		}
	return replace_file(guard->copies, LIST, view_of_buf(&text), 0644, NULL,
		REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err);
}

/* Files of skills and patches: time and size do not tell them from those in the base. */
static int add_recorded(struct guard *guard, struct error *err)
{
	for (size_t i = 0; i < guard->recorded->count; i++)
		if (add_file(guard, view_of(guard->recorded->files[i].path), NULL, err) < 0)
			return -1;
	return 0;
}

static int open_guard(const struct project *project, const struct journal *journal,
	struct guard **ret_guard, struct error *err)
{
	CLEANUP(guard_freep) struct guard *guard = xcalloc(1, sizeof(*guard));

	*guard = (struct guard){
		.project = project, .journal = journal, .base = -1, .copies = -1};
	guard->base = openat(project->root, ".nanoclaw/base",
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (guard->base < 0) {
		error_errno(err, "cannot open the base");
		return damage_hint(err);
	}
	*ret_guard = TAKE(guard);
	return 0;
}

int guard_take(const struct project *project, const struct state *state,
	const struct transaction *tx, struct guard **ret_guard, struct error *err)
{
	CLEANUP(guard_freep) struct guard *guard = NULL;
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

	if (open_guard(project, transaction_journal(tx), &guard, err) < 0 ||
		recorded_collect(state, &recorded, err) < 0)
		return -1;
	guard->recorded = &recorded;
	if (walk(guard->base, visit, guard, err) < 0 || add_recorded(guard, err) < 0 ||
		write_list(guard, err) < 0)
		return -1;
	guard->recorded = NULL;
	*ret_guard = TAKE(guard);
	return 0;
}

/* Does the link lead where its copy does? */
static bool is_same_link(const struct guard *guard, const struct guarded *file)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(buf_release) struct buf target = BUF_INIT;
	char name[24], copy[PATH_MAX];
	ssize_t len;

	copy_name(file->number, name);
	len = readlinkat(guard->copies, name, copy, sizeof(copy));
	return len >= 0 &&
	       beneath_read_link(guard->project->root, &file->path, &target, &local) == 0 &&
	       view_equal(view_of_buf(&target), (struct view){copy, (size_t)len});
}

static bool is_untouched(const struct guard *guard, const struct guarded *file)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct stat now;

	if (file->is_back || file->left_alone)
		return true;
	if (S_ISLNK(file->stat.st_mode))
		return is_same_link(guard, file);
	if (beneath_stat(guard->project->root, &file->path, &now, &local) < 0 ||
		!same_times_and_size(&now, &file->stat))
		return false;
	/* After a crash the file itself is not known any more. */
	return guard->recovering ||
	       (now.st_ino == file->stat.st_ino && now.st_mode == file->stat.st_mode &&
		       now.st_ctim.tv_sec == file->stat.st_ctim.tv_sec &&
		       now.st_ctim.tv_nsec == file->stat.st_ctim.tv_nsec);
}

static int put_back(struct guard *guard, const struct guarded *file, struct kept_list *kept,
	struct error *err)
{
	const char *base = relpath_base(&file->path);
	CLEANUP(closep) int folder = -1;
	char name[24];

	copy_name(file->number, name);
	if (!file->copied) {
		CLEANUP(closep) int from = -1;
		CLEANUP(closep) int copy = -1;

		/* An earlier attempt may have been interrupted here. */
		if (open_copies(guard, err) < 0 ||
			(sys.unlink(guard->copies, name, 0) < 0 && errno != ENOENT) ||
			beneath_open_parent(guard->base, &file->path, 0, &from, err) < 0 ||
			copy_file(from, base, guard->copies, name, &file->stat, err) < 0)
			return -1;
		copy = openat(guard->copies, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (copy < 0 || sys.sync(copy) < 0)
			return error_errno(err, "cannot put back '%s'", file->path.text);
	}
	if (kept_aside(guard->project, &file->path, kept, err) < 0 ||
		beneath_open_parent(
			guard->project->root, &file->path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	if (sys.rename(guard->copies, name, folder, base, 0) < 0)
		return error_errno(err, "cannot put back '%s'", file->path.text);
	return 0;
}

/* Something that is no folder stands where a folder of the path has to be. */
static int make_way(const struct guard *guard, const struct relpath *path,
	struct kept_list *kept, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	struct stat st;

	if (!relpath_parent(path, &parent))
		return 0;
	if (make_way(guard, &parent, kept, err) < 0)
		return -1;
	if (beneath_stat(guard->project->root, &parent, &st, &local) < 0 || S_ISDIR(st.st_mode))
		return 0;
	return kept_aside(guard->project, &parent, kept, err);
}

int guard_restore(struct guard *guard, struct kept_list *kept, struct error *err)
{
	int result = 0;

	/* One that cannot be put back does not keep the others from it. */
	for (size_t i = 0; i < guard->count; i++) {
		const struct guarded *file = &guard->files[i];

		if (!is_untouched(guard, file) &&
			(make_way(guard, &file->path, kept, err) < 0 ||
				put_back(guard, file, kept, err) < 0))
			result = -1;
	}
	return result;
}

/* --- after a crash ------------------------------------------------------------- */

/* A copy has the size and times of its file; without the copy it is back already. */
static int add_copied(struct guard *guard, struct view line, struct error *err)
{
	struct view word;
	struct guarded file = {0};
	CLEANUP(freep) char *name = NULL;
	CLEANUP(freep) char *path = NULL;

	view_next(&line, ' ', &word);
	name = xmemdupz(word.data, word.len);
	path = escape_undo(line);
	file.copied = word.len > 0;
	file.left_alone = !file.copied;
	file.number = strtoul(name, NULL, 10);
	file.is_back = file.copied &&
		       fstatat(guard->copies, name, &file.stat, AT_SYMLINK_NOFOLLOW) < 0;
	if (relpath_parse(view_of(path), &file.path, err) < 0)
		return -1;
	GROW(guard->files, guard->count, guard->cap);
	guard->files[guard->count++] = file;
	return 0;
}

static bool is_listed(const struct guard *guard, const struct relpath *path)
{
	for (size_t i = 0; i < guard->listed; i++)
		if (relpath_compare(&guard->files[i].path, path) == 0)
			return true;
	return false;
}

/* A file of the base that had no copy was like the base. */
static enum walk_result visit_base(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct guard *guard = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (entry->kind != WALK_FILE)
		return WALK_GO_ON;
	if (relpath_parse((struct view){entry->path, entry->path_len}, &path, err) < 0)
		return WALK_FAIL;
	if (journal_find(guard->journal, &path) || is_listed(guard, &path))
		return WALK_GO_ON;
	GROW(guard->files, guard->count, guard->cap);
	guard->files[guard->count++] = (struct guarded){
		.path = path, .stat = entry->stat, .number = NO_NUMBER + guard->count};
	path = RELPATH_INIT;
	return WALK_GO_ON;
}

int guard_recover(const struct project *project, const struct journal *journal,
	struct kept_list *kept, struct error *err)
{
	CLEANUP(guard_freep) struct guard *guard = NULL;
	CLEANUP(closep) int list = openat(project->root, COPIES "/" LIST, O_RDONLY | O_CLOEXEC);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest, line;

	/* Without a base, undoing has come as far as that: there is nothing left for us. */
	if (list < 0 || faccessat(project->root, ".nanoclaw/base", F_OK, 0) < 0)
		return errno == ENOENT ? 0
				       : error_errno(err, "cannot read '%s'", COPIES "/" LIST);
	if (file_read_fd(list, COPIES "/" LIST, JOURNAL_MAX_SIZE, &text, err) < 0 ||
		open_guard(project, journal, &guard, err) < 0)
		return -1;
	guard->copies = openat(project->root, COPIES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (guard->copies < 0)
		return error_errno(err, "cannot open '%s'", COPIES);
	rest = view_of_buf(&text);
	while (view_next(&rest, '\n', &line))
		if (add_copied(guard, line, err) < 0)
			return -1;
	guard->listed = guard->count;
	if (walk(guard->base, visit_base, guard, err) < 0)
		return -1;
	guard->recovering = true;
	return guard_restore(guard, kept, err);
}

void guard_free(struct guard *guard)
{
	if (!guard)
		return;
	for (size_t i = 0; i < guard->count; i++)
		relpath_release(&guard->files[i].path);
	free(guard->files);
	closep(&guard->base);
	closep(&guard->copies);
	free(guard);
}

void guard_freep(struct guard **guard)
{
	guard_free(*guard);
}
