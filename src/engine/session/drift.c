#include "engine/session/drift.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/core/base_sums.h"
#include "engine/disk/descend.h"
#include "engine/disk/project.h"
#include "engine/disk/stat_index.h"
#include "engine/session/recorded.h"
#include "fs/beneath.h"

/* The result of a comparison is a drift_change, or SAME. */
#define SAME (-1)

#define PIECE_SIZE ((size_t)64 * 1024)

struct search {
	struct descend tree;
	struct descend base;
	struct recorded recorded;
	struct stat_index index;
	struct drift_list *list;
	size_t checked;
	bool *unchanged; /* entries of the index that need no closer look */
	char *pieces;    /* two of PIECE_SIZE, when needed */
};

static void search_release(struct search *s)
{
	closep(&s->base.root);
	descend_release(&s->tree);
	descend_release(&s->base);
	recorded_release(&s->recorded);
	stat_index_release(&s->index);
	free(s->unchanged);
	free(s->pieces);
}

static void drift_add(struct drift_list *list, const char *path, enum drift_change change)
{
	GROW(list->list, list->count, list->cap);
	list->list[list->count++] = (struct drift){xstrdup(path), change};
}

/* --- files in the tree ----------------------------------------------------------- */

/* A file of the tree that is being looked at. */
struct found {
	int folder;
	const char *name;
	bool present;
	int missing; /* if it is not: the change that this is, if it should be there */
	struct stat stat;
	struct stat after; /* when its content had been read */
	bool was_read;
};

static int find_in_tree(
	struct search *s, const char *path, struct found *ret_found, struct error *err)
{
	*ret_found = (struct found){.folder = -1};
	if (descend_to(&s->tree, path, &ret_found->folder, &ret_found->name) == 0 &&
		fstatat(ret_found->folder, ret_found->name, &ret_found->stat,
			AT_SYMLINK_NOFOLLOW) == 0) {
		ret_found->present = true;
		return 0;
	}
	switch (errno) {
	case ENOENT:
		ret_found->missing = DRIFT_DELETED;
		return 0;
	case ENOTDIR:
		ret_found->missing = DRIFT_TYPE;
		return 0;
	case EACCES:
		ret_found->missing = DRIFT_EDITED;
		return 0;
	default:
		return quote_errno(err, "access", path);
	}
}

/*
 * Open a file that was looked at. `*ret_fd` is -1 if it is gone, or
 * cannot be read.
 */
static int open_found(
	const struct found *found, const char *path, int *ret_fd, struct error *err)
{
	*ret_fd = openat(found->folder, found->name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (*ret_fd < 0 && errno != ENOENT && errno != EACCES && errno != EPERM &&
		errno != ELOOP)
		return quote_errno(err, "read", path);
	return 0;
}

/* The target of a link; false if it cannot be read. */
static bool read_target(
	int folder, const char *name, char target[static PATH_MAX], struct view *ret_target)
{
	ssize_t len = readlinkat(folder, name, target, PATH_MAX);

	if (len < 0 || len == PATH_MAX)
		return false;
	*ret_target = (struct view){target, (size_t)len};
	return true;
}

/* If the file did not change meanwhile, remember that it is as recorded. */
static void note_unchanged(struct search *s, struct index_entry *entry, const char *path,
	const struct found *found, const struct hash *hash)
{
	if (found->was_read && found->stat.st_dev == found->after.st_dev &&
		found->stat.st_ino == found->after.st_ino &&
		found->stat.st_mode == found->after.st_mode)
		stat_index_note(&s->index, entry, path, &found->after, hash);
}

/* --- against a hash -------------------------------------------------------------- */

static int compare_link_hash(struct found *found, const struct hash *hash)
{
	char buffer[PATH_MAX];
	struct view target;
	struct hash now;

	if (!read_target(found->folder, found->name, buffer, &target))
		return DRIFT_TYPE;
	found->was_read =
		fstatat(found->folder, found->name, &found->after, AT_SYMLINK_NOFOLLOW) == 0;
	now = hash_of(target);
	return hash_equal(&now, hash) ? SAME : DRIFT_TYPE;
}

static int compare_hash(struct found *found, const struct layer_file *file, const char *path,
	int *ret_change, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct hash now;

	*ret_change = DRIFT_EDITED;
	if (open_found(found, path, &fd, err) < 0)
		return -1;
	if (fd < 0)
		return 0;
	if (hash_of_fd(fd, &now, err) < 0)
		return error_prefix(err, "'%s'", path);
	found->was_read = fstat(fd, &found->after) == 0;
	if (hash_equal(&now, &file->hash))
		*ret_change = SAME;
	return 0;
}

/* Compare the content of an existing file. */
static int compare_layered(struct search *s, const struct recorded_file *file,
	struct index_entry *entry, struct found *found, int *ret_change, struct error *err)
{
	const struct layer_file *want = &file->file;
	mode_t type = want->kind == TX_SYMLINK ? S_IFLNK : S_IFREG;

	*ret_change = DRIFT_TYPE;
	if ((found->stat.st_mode & S_IFMT) != type)
		return 0;
	*ret_change = SAME;
	if (!stat_index_knows(entry, &found->stat, &want->hash)) {
		if (want->kind == TX_SYMLINK)
			*ret_change = compare_link_hash(found, &want->hash);
		else if (compare_hash(found, want, file->path, ret_change, err) < 0)
			return -1;
		if (*ret_change == SAME)
			note_unchanged(s, entry, file->path, found, &want->hash);
	}
	if (*ret_change == SAME && type == S_IFREG && want->mode_known &&
		!(found->stat.st_mode & 0100) == want->executable)
		*ret_change = DRIFT_MODE;
	return 0;
}

/* A file that a layer has recorded; `entry` may be NULL. */
static int check_layered(struct search *s, const struct recorded_file *file,
	struct index_entry *entry, struct error *err)
{
	CLEANUP(relpath_release) struct relpath checked = RELPATH_INIT;
	int change = SAME;
	struct found found;

	/* It comes from state.yaml, which a person may have edited. */
	if (relpath_parse(view_of(file->path), &checked, err) < 0 ||
		find_in_tree(s, file->path, &found, err) < 0)
		return -1;
	if (file->file.kind == TX_ABSENT)
		change = found.present && (S_ISREG(found.stat.st_mode) ||
						  S_ISLNK(found.stat.st_mode))
				 ? DRIFT_APPEARED
				 : SAME;
	else if (!found.present)
		change = found.missing;
	else if (compare_layered(s, file, entry, &found, &change, err) < 0)
		return -1;
	if (change != SAME)
		drift_add(s->list, file->path, (enum drift_change)change);
	return 0;
}

/* --- against the base ------------------------------------------------------------ */

static bool same_link(struct found *found, int base_folder, const char *base_name)
{
	char ours[PATH_MAX], theirs[PATH_MAX];
	struct view a, b;

	if (!read_target(found->folder, found->name, ours, &a) ||
		!read_target(base_folder, base_name, theirs, &b))
		return false;
	found->was_read =
		fstatat(found->folder, found->name, &found->after, AT_SYMLINK_NOFOLLOW) == 0;
	return view_equal(a, b);
}

/* As much as fits, less only at the end. Returns -1 with errno. */
static ssize_t read_file_piece(int fd, char *piece)
{
	size_t len = 0;

	while (len < PIECE_SIZE) {
		ssize_t n = read(fd, piece + len, PIECE_SIZE - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

static int same_bytes(struct search *s, int a, int b, bool *ret_same)
{
	char *of_a, *of_b;

	if (!s->pieces)
		s->pieces = xmalloc(2 * PIECE_SIZE);
	of_a = s->pieces;
	of_b = s->pieces + PIECE_SIZE;
	for (;;) {
		ssize_t len = read_file_piece(a, of_a), other = read_file_piece(b, of_b);

		if (len < 0 || other < 0)
			return -1;
		*ret_same = len == other && !memcmp(of_a, of_b, (size_t)len);
		if (!*ret_same || (size_t)len < PIECE_SIZE)
			return 0;
	}
}

static int compare_with_copy(struct search *s, struct found *found, const char *path,
	int base_folder, const char *base_name, int *ret_change, struct error *err)
{
	CLEANUP(closep)
	int copy = openat(base_folder, base_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(closep) int fd = -1;
	struct stat st;
	bool same;

	*ret_change = DRIFT_EDITED;
	if (copy < 0 || fstat(copy, &st) < 0)
		return quote_errno(err, "read the base of", path);
	if (st.st_size != found->stat.st_size)
		return 0;
	if (open_found(found, path, &fd, err) < 0)
		return -1;
	if (fd < 0)
		return 0;
	if (same_bytes(s, copy, fd, &same) < 0)
		return quote_errno(err, "read", path);
	found->was_read = fstat(fd, &found->after) == 0;
	if (same)
		*ret_change = !(st.st_mode & 0100) == !(found->stat.st_mode & 0100)
				      ? SAME
				      : DRIFT_MODE;
	return 0;
}

/* Compare the content of an existing file. */
static int compare_base(struct search *s, struct index_entry *entry, const char *path,
	struct found *found, int *ret_change, struct error *err)
{
	mode_t type = entry->flags & INDEX_SYMLINK ? S_IFLNK : S_IFREG;
	const char *name;
	int folder;

	*ret_change = DRIFT_TYPE;
	if ((found->stat.st_mode & S_IFMT) != type)
		return 0;
	*ret_change = SAME;
	if (stat_index_knows(entry, &found->stat, NULL))
		return 0;
	if (descend_to(&s->base, path, &folder, &name) < 0)
		return quote_errno(err, "read the base of", path);
	if (type == S_IFLNK)
		*ret_change = same_link(found, folder, name) ? SAME : DRIFT_TYPE;
	else if (compare_with_copy(s, found, path, folder, name, ret_change, err) < 0)
		return -1;
	if (*ret_change == SAME)
		note_unchanged(s, entry, path, found, NULL);
	return 0;
}

/* A file of the base that no layer has recorded. */
static int check_base(struct search *s, struct index_entry *entry, struct error *err)
{
	const char *path = stat_index_path(&s->index, entry);
	int change = SAME;
	struct found found;

	if (!(entry->flags & INDEX_IN_BASE)) {
		entry->flags = 0; /* of a layer that is gone */
		return 0;
	}
	if (s->unchanged[entry - s->index.entries])
		return 0;
	if (find_in_tree(s, path, &found, err) < 0)
		return -1;
	if (!found.present)
		change = found.missing;
	else if (compare_base(s, entry, path, &found, &change, err) < 0)
		return -1;
	if (change != SAME)
		drift_add(s->list, path, (enum drift_change)change);
	return 0;
}

/* --- all of them ---------------------------------------------------------------- */

/* Both lists are sorted; where both have a path, the layer counts. */
static int check_files(struct search *s, struct error *err)
{
	size_t i = 0, j = 0;

	while (i < s->index.count || j < s->recorded.count) {
		struct index_entry *entry = i < s->index.count ? &s->index.entries[i] : NULL;
		const struct recorded_file *file =
			j < s->recorded.count ? &s->recorded.files[j] : NULL;
		int order = !file    ? -1
			    : !entry ? 1
				     : strcmp(stat_index_path(&s->index, entry), file->path);
		int failed = order < 0 ? check_base(s, entry, err)
				       : check_layered(s, file, order ? NULL : entry, err);

		if (failed)
			return -1;
		i += order <= 0;
		j += order >= 0;
		s->checked++;
	}
	return 0;
}

/*
 * How many files are missing from the base: they would look as if the core never had them.
 * That the others are as they were takes reading them: verify.h does that. An index that
 * was read was written only when no file was missing.
 */
static size_t count_missing(
	const struct search *s, const struct project *project, const struct state *state)
{
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(BASE_SUMS_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t listed, there = 0;

	if (stat_index_was_read(&s->index) ||
		beneath_read(project->root, &path, STATE_MAX_SIZE, &text, &none) < 0)
		return 0;
	listed = base_sums_count(view_of_buf(&text), state->core_version);
	for (size_t i = 0; i < s->index.count; i++)
		there += (s->index.entries[i].flags & INDEX_IN_BASE) != 0;
	return there < listed ? listed - there : 0;
}

/* `index`: files that were found unchanged earlier are not read again. */
static int drift_search(const struct project *project, const struct state *state, bool index,
	struct drift_list *ret_list, size_t *ret_checked, struct error *err)
{
	CLEANUP(search_release)
	struct search s = {
		.tree = DESCEND_INIT(project->root),
		.base = DESCEND_INIT(openat(project->root, ".nanoclaw/base",
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)),
		.recorded = RECORDED_INIT,
		.index = STAT_INDEX_INIT,
		.list = ret_list,
	};
	size_t missing;
	int failed;

	if (s.base.root < 0) {
		error_errno(err, "cannot open the base, '.nanoclaw/base'");
		return damage_hint(err);
	}
	if (recorded_collect(state, &s.recorded, err) < 0)
		return -1;
	failed = index ? stat_index_open(&s.index, project, s.base.root, err)
		       : stat_index_collect(&s.index, s.base.root, err);
	if (failed)
		return -1;
	missing = count_missing(&s, project, state);
	if (missing && index) {
		error_set(err, ERROR_INVALID, "files are missing from '.nanoclaw/base': %zu",
			missing);
		return damage_hint(err);
	}
	s.unchanged = stat_index_sweep(&s.index, project->root);
	if (check_files(&s, err) < 0)
		return -1;
	if (!missing)
		stat_index_save(&s.index, project);
	if (ret_checked)
		*ret_checked = s.checked;
	return 0;
}

int drift_find(const struct project *project, const struct state *state,
	struct drift_list *ret_list, struct error *err)
{
	return drift_search(project, state, true, ret_list, NULL, err);
}

int drift_find_reading(const struct project *project, const struct state *state,
	struct drift_list *ret_list, size_t *ret_checked, struct error *err)
{
	return drift_search(project, state, false, ret_list, ret_checked, err);
}
