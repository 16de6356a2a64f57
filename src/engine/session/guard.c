#include "engine/session/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "engine/core/base.h"
#include "engine/session/recorded.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/scratch.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "fs/walk.h"

#define COPIES   ".nanoclaw/tx/guard"
#define LIST     "list"
#define NANOCLAW ".nanoclaw/"

/* Copies that recovery makes itself get numbers from here on. */
#define NO_NUMBER ((size_t)1 << 40)

/* How a file can be put back. */
enum source {
	SOURCE_NONE, /* it cannot be restored */
	SOURCE_BASE,
	SOURCE_COPY, /* a file or link in `copies`, named by its number */
	LEFT_ALONE,  /* it did not exist, or was not a file */
	BACK,        /* recovery finds that it was put back before the crash */
};

struct guarded {
	struct relpath path;
	struct stat stat;
	enum source source;
	size_t number;
};

struct guard {
	const struct project *project;
	const struct journal *journal;   /* of the transaction; NULL: guards all files */
	const struct recorded *recorded; /* while it is taken */
	int base;
	int copies;             /* -1 until there is one */
	struct scratch scratch; /* of a guard of all files: where the copies are, */
	char *apart[2];         /* and folders in the project that do not count */
	bool recovering;
	size_t listed; /* recovery: how many of the files come from the list; they are sorted */
	struct guarded *files;
	size_t count;
	size_t cap;
};

static int guard_open(const struct project *project, const struct journal *journal, int base,
	struct guard **ret_guard, struct error *err)
{
	struct guard *guard = xcalloc(1, sizeof(*guard));

	*guard = (struct guard){
		.project = project, .journal = journal, .copies = -1, .scratch.fd = -1};
	guard->base = base >= 0 ? openat(base, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
				: openat(project->root, ".nanoclaw/base",
					  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	*ret_guard = guard;
	if (guard->base >= 0)
		return 0;
	error_errno(err, "cannot open the base");
	return damage_hint(err);
}

void guard_freep(struct guard **held)
{
	struct guard *guard = *held;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (!guard)
		return;
	for (size_t i = 0; i < guard->count; i++)
		relpath_release(&guard->files[i].path);
	free(guard->files);
	free(guard->apart[0]);
	free(guard->apart[1]);
	closep(&guard->base);
	if (guard->scratch.fd >= 0)
		scratch_remove(&guard->scratch, &ignored);
	else
		closep(&guard->copies);
	free(guard);
}

/* --- taking ---------------------------------------------------------------------- */

static void guard_copy_name(size_t number, char ret_name[static 24])
{
	snprintf(ret_name, 24, "%zu", number);
}

static int guard_open_copies(struct guard *guard, struct error *err)
{
	if (guard->copies >= 0)
		return 0;
	if (sys.mkdir(guard->project->root, COPIES, 0777) < 0)
		return error_errno(err, "cannot create the folder '%s'", COPIES);
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
static int guard_copy(struct guard *guard, const struct relpath *path,
	const struct guarded *file, struct error *err)
{
	CLEANUP(buf_release) struct buf target = BUF_INIT;
	CLEANUP(closep) int folder = -1;
	char name[24];

	guard_copy_name(file->number, name);
	if (guard_open_copies(guard, err) < 0)
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

/* Parts of .nanoclaw that may be larger than all the rest of the project. */
static bool is_large(const char *path)
{
	static const char *const large[] = {NANOCLAW "backup/", NANOCLAW "base/",
		NANOCLAW "cores/", NANOCLAW "history/", NANOCLAW "kept", NANOCLAW "objects/",
		NANOCLAW "tx/"};

	for (size_t i = 0; i < ARRAY_SIZE(large); i++)
		if (view_starts_with(view_of(path), large[i]))
			return true;
	return false;
}

/* Undoing changes the copy in the base, so recovery could not compare with it a second time. */
static bool is_base_changing(const struct guard *guard, const struct relpath *path)
{
	CLEANUP(freep) char *text = xasprintf(NANOCLAW "base/%s", path->text);
	CLEANUP(relpath_release) struct relpath copy = relpath_of(text);

	return guard->journal && journal_find(guard->journal, &copy);
}

/* Remember a file, and copy it unless it looks like its copy in the base. */
static int guard_add(
	struct guard *guard, struct view text, const struct stat *in_base, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct guarded file = {.number = guard->count};
	bool is_file, is_link;

	if (relpath_parse(text, &path, err) < 0)
		return -1;
	if (guard->journal && journal_find(guard->journal, &path))
		return 0;
	if (beneath_stat(guard->project->root, &path, &file.stat, &local) < 0) {
		if (!beneath_is_absent(&local))
			return error_move(err, &local);
		if (!guard->journal)
			return 0;
	}
	is_file = S_ISREG(file.stat.st_mode);
	is_link = S_ISLNK(file.stat.st_mode);
	if (!is_file && !is_link)
		file.source = guard->journal ? LEFT_ALONE : SOURCE_NONE;
	else if (!guard->journal && is_large(path.text))
		file.source = SOURCE_NONE;
	else if (is_file && in_base && same_times_and_size(&file.stat, in_base) &&
		 !is_base_changing(guard, &path))
		file.source = SOURCE_BASE;
	else
		file.source = SOURCE_COPY;
	if (file.source == SOURCE_COPY && guard_copy(guard, &path, &file, err) < 0)
		return -1;
	file.path = path;
	path = RELPATH_INIT;
	GROW(guard->files, guard->count, guard->cap);
	guard->files[guard->count++] = file;
	return 0;
}

static enum walk_result add_of_base(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct guard *guard = data;
	struct view path = {entry->path, entry->path_len};

	if ((entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK) ||
		recorded_find(guard->recorded, path))
		return WALK_GO_ON;
	return guard_add(guard, path, entry->kind == WALK_FILE ? &entry->stat : NULL, err) < 0
		       ? WALK_FAIL
		       : WALK_GO_ON;
}

/* Files of skills and patches: by time and size they may look like files in the base. */
static int add_recorded(struct guard *guard, struct error *err)
{
	for (size_t i = 0; i < guard->recorded->count; i++)
		if (guard_add(guard, view_of(guard->recorded->files[i].path), NULL, err) < 0)
			return -1;
	return 0;
}

int guard_take(const struct project *project, const struct state *state,
	const struct transaction *tx, struct guard **ret_guard, struct error *err)
{
	CLEANUP(guard_freep) struct guard *guard = NULL;
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (guard_open(project, transaction_journal(tx), -1, &guard, err) < 0 ||
		recorded_collect(state, &recorded, err) < 0)
		return -1;
	guard->recorded = &recorded;
	if (walk(guard->base, add_of_base, guard, err) < 0 || add_recorded(guard, err) < 0)
		return -1;
	/* Map each copy to its file, so that recovery can use it. */
	if (guard_open_copies(guard, err) < 0)
		return -1;
	for (size_t i = 0; i < guard->count; i++) {
		const struct guarded *file = &guard->files[i];

		if (file->source == SOURCE_BASE)
			continue;
		if (file->source == SOURCE_COPY)
			buf_appendf(&text, "%zu", file->number);
		buf_append_char(&text, ' ');
		escape_append(&text, file->path.text);
		buf_append_char(&text, '\n');
	}
	journal_seal(&text);
	if (replace_file(guard->copies, LIST, view_of_buf(&text), 0644, NULL,
		    REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err) < 0)
		return -1;
	if (sys.sync_all(guard->copies) < 0)
		return error_errno(err, "cannot write '%s' to disk", COPIES);
	guard->recorded = NULL;
	*ret_guard = TAKE(guard);
	return 0;
}

/* --- putting back ---------------------------------------------------------------- */

/* Does the link lead where its copy does? */
static bool is_same_link(const struct guard *guard, const struct guarded *file)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(buf_release) struct buf target = BUF_INIT;
	char name[24], copy[PATH_MAX];
	ssize_t len;

	guard_copy_name(file->number, name);
	len = readlinkat(guard->copies, name, copy, sizeof(copy));
	return len >= 0 &&
	       beneath_read_link(guard->project->root, &file->path, &target, &local) == 0 &&
	       view_equal(view_of_buf(&target), (struct view){copy, (size_t)len});
}

static bool is_same_file(
	const struct guard *guard, const struct stat *now, const struct guarded *file)
{
	const struct stat *then = &file->stat;

	if (!same_times_and_size(now, then))
		return false;
	/* After a crash, inode and change time are unknown; a copy has the mode, the base has not. */
	if (guard->recovering)
		return file->source != SOURCE_COPY || now->st_mode == then->st_mode;
	return now->st_dev == then->st_dev && now->st_ino == then->st_ino &&
	       now->st_mode == then->st_mode && now->st_ctim.tv_sec == then->st_ctim.tv_sec &&
	       now->st_ctim.tv_nsec == then->st_ctim.tv_nsec;
}

static int guard_find_touched(const struct guard *guard, const struct guarded *file,
	bool *ret_touched, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct stat now;

	*ret_touched = file->source != LEFT_ALONE && file->source != BACK;
	if (!*ret_touched)
		return 0;
	if (beneath_stat(guard->project->root, &file->path, &now, &local) < 0)
		return beneath_is_absent(&local) ? 0 : error_move(err, &local);
	*ret_touched = S_ISLNK(file->stat.st_mode) && file->source == SOURCE_COPY
			       ? !is_same_link(guard, file)
			       : !is_same_file(guard, &now, file);
	return 0;
}

/* Move away anything that blocks a folder of the path. */
static int guard_make_way(const struct guard *guard, const struct relpath *path,
	struct kept_list *kept, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	struct stat st;

	if (!relpath_parent(path, &parent))
		return 0;
	if (guard_make_way(guard, &parent, kept, err) < 0)
		return -1;
	if (beneath_stat(guard->project->root, &parent, &st, &local) < 0 || S_ISDIR(st.st_mode))
		return 0;
	return kept_aside(guard->project, &parent, kept, err);
}

/* Move the changed version aside, and open the folder of the file. */
static int guard_clear_place(const struct guard *guard, const struct relpath *path,
	struct kept_list *kept, int *ret_folder, struct error *err)
{
	if (guard_make_way(guard, path, kept, err) < 0 ||
		kept_aside(guard->project, path, kept, err) < 0)
		return -1;
	return beneath_open_parent(guard->project->root, path, BENEATH_CREATE, ret_folder, err);
}

/* By a rename out of the copies, so that it can be interrupted. */
static int guard_put_back(struct guard *guard, const struct guarded *file,
	struct kept_list *kept, struct error *err)
{
	const char *base = relpath_base(&file->path);
	CLEANUP(closep) int folder = -1;
	char name[24];

	guard_copy_name(file->number, name);
	if (file->source == SOURCE_BASE) {
		CLEANUP(closep) int from = -1;
		CLEANUP(closep) int copy = -1;

		/* An earlier attempt may have been interrupted here. */
		if (guard_open_copies(guard, err) < 0 ||
			(sys.unlink(guard->copies, name, 0) < 0 && errno != ENOENT) ||
			beneath_open_parent(guard->base, &file->path, 0, &from, err) < 0 ||
			copy_file(from, base, guard->copies, name, &file->stat, err) < 0)
			return -1;
		copy = openat(guard->copies, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (copy < 0 || sys.sync(copy) < 0)
			return error_errno(err, "cannot restore '%s'", file->path.text);
	}
	if (guard_clear_place(guard, &file->path, kept, &folder, err) < 0)
		return -1;
	if (sys.rename(guard->copies, name, folder, base, 0) < 0)
		return error_errno(err, "cannot restore '%s'", file->path.text);
	return 0;
}

int guard_restore(struct guard *guard, struct kept_list *kept, struct error *err)
{
	int result = 0;

	/* If one cannot be put back, go on with the others. */
	for (size_t i = 0; i < guard->count; i++) {
		CLEANUP(error_release) struct error local = ERROR_INIT;
		bool touched;

		if (guard_find_touched(guard, &guard->files[i], &touched, &local) < 0 ||
			(touched && guard_put_back(guard, &guard->files[i], kept, &local) < 0))
			result = error_move(err, &local);
	}
	return result;
}

/* --- after a crash --------------------------------------------------------------- */

static int compare_guarded(const void *a, const void *b)
{
	const struct guarded *x = a, *y = b;

	return relpath_compare(&x->path, &y->path);
}

/* A file of the base that is not listed was like the base. */
static enum walk_result add_unlisted(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct guard *guard = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct guarded key;

	if (entry->kind != WALK_FILE)
		return WALK_GO_ON;
	if (relpath_parse((struct view){entry->path, entry->path_len}, &path, err) < 0)
		return WALK_FAIL;
	key.path = path;
	if (journal_find(guard->journal, &path) ||
		(guard->listed && bsearch(&key, guard->files, guard->listed, sizeof(key),
					  compare_guarded)))
		return WALK_GO_ON;
	GROW(guard->files, guard->count, guard->cap);
	guard->files[guard->count++] =
		(struct guarded){path, entry->stat, SOURCE_BASE, NO_NUMBER + guard->count};
	path = RELPATH_INIT;
	return WALK_GO_ON;
}

/* A line of the list. */
static int guard_add_listed(struct guard *guard, struct view line, struct error *err)
{
	CLEANUP(freep) char *name = NULL;
	CLEANUP(freep) char *path = NULL;
	struct guarded file = {0};
	struct view word;

	view_next(&line, ' ', &word);
	name = xmemdupz(word.data, word.len);
	path = escape_undo(line);
	file.number = strtoul(name, NULL, 10);
	/* A copy has the size and times of its file; without the copy it is back already. */
	file.source = !word.len ? LEFT_ALONE
		      : fstatat(guard->copies, name, &file.stat, AT_SYMLINK_NOFOLLOW) < 0
			      ? BACK
			      : SOURCE_COPY;
	if (relpath_parse(view_of(path), &file.path, err) < 0)
		return -1;
	/* Later rounds of the transaction have changed it: undoing brings it back. */
	if (journal_find(guard->journal, &file.path))
		file.source = LEFT_ALONE;
	GROW(guard->files, guard->count, guard->cap);
	guard->files[guard->count++] = file;
	return 0;
}

int guard_recover(const struct project *project, const struct journal *journal, bool given_up,
	struct kept_list *kept, struct error *err)
{
	CLEANUP(guard_freep) struct guard *guard = NULL;
	CLEANUP(error_release) struct error broken = ERROR_INIT;
	CLEANUP(closep) int list = openat(project->root, COPIES "/" LIST, O_RDONLY | O_CLOEXEC);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t before = kept->count;
	struct view rest, line;
	int failed;

	/* Without a base, the rollback is already past the guard, which has nothing left to do. */
	if (list < 0 || faccessat(project->root, ".nanoclaw/base", F_OK, 0) < 0)
		return errno == ENOENT ? 0
				       : error_errno(err, "cannot read '%s'", COPIES "/" LIST);
	if (file_read_fd(list, COPIES "/" LIST, JOURNAL_MAX_SIZE, &text, err) < 0 ||
		guard_open(project, journal, -1, &guard, err) < 0)
		return -1;
	rest = view_of_buf(&text);
	/* Version 1.0 did not seal the list, and synced it before it gave up. */
	if (journal_unseal(&rest, &broken) < 0 && !given_up)
		return 0; /* no command has begun */
	guard->copies = openat(project->root, COPIES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (guard->copies < 0)
		return error_errno(err, "cannot open '%s'", COPIES);
	while (view_next(&rest, '\n', &line))
		if (guard_add_listed(guard, line, err) < 0)
			return -1;
	guard->listed = guard->count;
	if (guard->count)
		qsort(guard->files, guard->count, sizeof(*guard->files), compare_guarded);
	if (walk(guard->base, add_unlisted, guard, err) < 0)
		return -1;
	guard->recovering = true;
	failed = guard_restore(guard, kept, err);
	for (size_t i = before; i < kept->count; i++)
		kept->list[i].exposed = true;
	return failed;
}

/* --- all files ------------------------------------------------------------------- */

typedef int each_path(void *data, const char *path, struct error *err);

struct tour {
	const struct guard *guard;
	const char *folder; /* in which we are, beside the core */
	each_path *each;
	void *data;
};

static int tour_core(const struct base_entry *entry, void *data, struct error *err)
{
	const struct tour *tour = data;

	for (size_t i = 0; i < ARRAY_SIZE(tour->guard->apart); i++) {
		const char *apart = tour->guard->apart[i];

		if (apart && view_starts_with(view_of(entry->path), apart))
			return 0;
	}
	return tour->each(tour->data, entry->path, err);
}

static enum walk_result tour_folder(
	const struct walk_entry *entry, void *data, struct error *err)
{
	const struct tour *tour = data;
	CLEANUP(freep) char *path = NULL;

	if (entry->kind == WALK_DIR || entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	path = xasprintf("%s/%s", tour->folder, entry->path);
	if (!strcmp(path, NANOCLAW "index") || (view_starts_with(view_of(path), NANOCLAW) &&
						       replace_is_temporary(entry->name)))
		return WALK_GO_ON;
	return tour->each(tour->data, path, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

/* Call `each` for every path that is guarded. Some come twice. */
static int tour_all(const struct guard *guard, each_path *each, void *data, struct error *err)
{
	/* Not part of the core, but others may not change them either. */
	static const char *const folders[] = {
		".nanoclaw", ".claude/resolutions", ".claude/skills", "skills", "updates"};
	int root = guard->project->root;
	struct tour tour = {guard, NULL, each, data};

	if (base_for_each(root, tour_core, &tour, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(closep)
		int fd = openat(
			root, folders[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		tour.folder = folders[i];
		if (fd < 0 && i == 0)
			return error_errno(err, "cannot open '%s'", folders[i]);
		if (fd >= 0 && walk(fd, tour_folder, &tour, err) < 0)
			return -1;
	}
	return 0;
}

static int guard_add_path(void *data, const char *path, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	struct guard *guard = data;
	struct stat st;
	bool in_base = relpath_parse(view_of(path), &parsed, &local) == 0 &&
		       beneath_stat(guard->base, &parsed, &st, &local) == 0 &&
		       S_ISREG(st.st_mode);

	return guard_add(guard, view_of(path), in_base ? &st : NULL, err);
}

/* The path of an open folder below the project, with a slash; NULL: it is elsewhere. */
static char *path_below(const struct guard *guard, int folder)
{
	CLEANUP(freep) char *root_link = xasprintf("/proc/self/fd/%d", guard->project->root);
	CLEANUP(freep) char *link = xasprintf("/proc/self/fd/%d", folder);
	char root[PATH_MAX], path[PATH_MAX];
	ssize_t root_len = readlink(root_link, root, sizeof(root));
	ssize_t len = folder < 0 ? -1 : readlink(link, path, sizeof(path));

	if (root_len < 0 || len <= root_len || strncmp(root, path, (size_t)root_len) != 0 ||
		path[root_len] != '/')
		return NULL;
	return xasprintf("%.*s/", (int)(len - root_len - 1), path + root_len + 1);
}

int guard_take_all(const struct project *project, const struct state *state, int base,
	int apart, struct guard **ret_guard, struct error *err)
{
	CLEANUP(guard_freep) struct guard *guard = NULL;
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

	if (guard_open(project, NULL, base, &guard, err) < 0 ||
		scratch_make("nanoclaw-watch-", &guard->scratch, err) < 0 ||
		recorded_collect(state, &recorded, err) < 0)
		return -1;
	guard->copies = guard->scratch.fd;
	guard->apart[0] = path_below(guard, guard->copies);
	guard->apart[1] = path_below(guard, apart);
	guard->recorded = &recorded;
	if (tour_all(guard, guard_add_path, guard, err) < 0 || add_recorded(guard, err) < 0)
		return -1;
	guard->recorded = NULL;
	qsort(guard->files, guard->count, sizeof(*guard->files), compare_guarded);
	*ret_guard = TAKE(guard);
	return 0;
}

/* Out of the base or the copies, which may be on another file system. */
static int guard_write_back(struct guard *guard, const struct guarded *file,
	struct kept_list *kept, struct error *err)
{
	const struct timespec times[2] = {file->stat.st_atim, file->stat.st_mtim};
	const char *name = relpath_base(&file->path);
	CLEANUP(relpath_release) struct relpath copy = RELPATH_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(closep) int folder = -1;
	char number[24];

	if (file->source == SOURCE_NONE)
		return error_set(err, ERROR_FAILED,
			"'%s' was changed, and there is no copy to restore", file->path.text);
	guard_copy_name(file->number, number);
	if (relpath_parse(view_of(number), &copy, err) < 0)
		return -1;
	if (S_ISLNK(file->stat.st_mode)) {
		if (beneath_read_link(guard->copies, &copy, &content, err) < 0 ||
			guard_clear_place(guard, &file->path, kept, &folder, err) < 0)
			return -1;
		return replace_symlink(folder, name, content.data, REPLACE_NEW, err);
	}
	if ((file->source == SOURCE_BASE ? beneath_read(guard->base, &file->path,
						   TRANSACTION_MAX_FILE, &content, err)
					 : beneath_read(guard->copies, &copy,
						   TRANSACTION_MAX_FILE, &content, err)) < 0 ||
		guard_clear_place(guard, &file->path, kept, &folder, err) < 0)
		return -1;
	return replace_file(folder, name, view_of_buf(&content), file->stat.st_mode & 07777,
		times, REPLACE_NEW, err);
}

/* Files that did not exist when the guard was taken. */
struct new_files {
	const struct guard *guard;
	struct string_array *paths;
};

static int note_if_new(void *data, const char *path, struct error *err)
{
	struct new_files *found = data;
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	struct guarded key;

	/* Files that we keep aside are expected to be new. */
	if (view_starts_with(view_of(path), NANOCLAW "kept"))
		return 0;
	if (relpath_parse(view_of(path), &parsed, err) < 0)
		return -1;
	key.path = parsed;
	if (found->guard->count && bsearch(&key, found->guard->files, found->guard->count,
					   sizeof(key), compare_guarded))
		return 0;
	string_array_add(found->paths, path);
	return 0;
}

int guard_restore_all(
	struct guard *guard, char **ret_changed, struct kept_list *kept, struct error *err)
{
	CLEANUP(string_array_release) struct string_array paths = {0};
	struct new_files found = {guard, &paths};
	CLEANUP(error_release) struct error on_tour = ERROR_INIT;
	const char *changed = NULL;
	int result = 0;

	/* If one cannot be put back, go on with the others. */
	for (size_t i = 0; i < guard->count; i++) {
		CLEANUP(error_release) struct error local = ERROR_INIT;
		const struct guarded *file = &guard->files[i];
		bool touched = false;

		if (i && !compare_guarded(file - 1, file))
			continue;
		if (guard_find_touched(guard, file, &touched, &local) < 0 ||
			(touched && guard_write_back(guard, file, kept, &local) < 0))
			result = error_move(err, &local);
		if (touched && !changed)
			changed = file->path.text;
	}
	/* Only now: with another .gitignore, files would seem new that are not. */
	if (tour_all(guard, note_if_new, &found, &on_tour) < 0)
		return error_move(err, &on_tour);
	for (size_t i = 0; i < paths.count; i++) {
		CLEANUP(error_release) struct error local = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = relpath_of(paths.list[i]);

		changed = changed ? changed : paths.list[i];
		if (kept_aside(guard->project, &path, kept, &local) < 0)
			result = error_move(err, &local);
	}
	if (result == 0)
		*ret_changed = changed ? xstrdup(changed) : NULL;
	return result;
}
