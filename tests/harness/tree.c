#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static void entry_release(struct tree_entry *entry)
{
	free(entry->path);
	free(entry->data);
}

void tree_release(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		entry_release(&tree->entries[i]);
	free(tree->entries);
	*tree = TREE_INIT;
}

/* Where the path is, or where it would be inserted. */
static size_t position(const struct tree *tree, const char *path)
{
	size_t low = 0;
	size_t high = tree->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(tree->entries[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct tree_entry *tree_find(const struct tree *tree, const char *path)
{
	size_t at = position(tree, path);

	if (at < tree->count && !strcmp(tree->entries[at].path, path))
		return &tree->entries[at];
	return NULL;
}

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && path[len] == '/';
}

bool tree_remove(struct tree *tree, const char *path)
{
	size_t kept = 0;
	bool found = false;

	for (size_t i = 0; i < tree->count; i++) {
		struct tree_entry *entry = &tree->entries[i];

		if (!strcmp(entry->path, path) || is_below(entry->path, path)) {
			entry_release(entry);
			found = true;
		} else {
			tree->entries[kept++] = *entry;
		}
	}
	tree->count = kept;
	return found;
}

static void put_parents(struct tree *tree, const char *path)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		CLEANUP(freep) char *parent = xmemdupz(path, (size_t)(slash - path));
		const struct tree_entry *found = tree_find(tree, parent);

		if (!found || found->kind != TREE_DIR)
			tree_put(tree,
				(struct tree_entry){
					.path = TAKE(parent), .kind = TREE_DIR, .mode = 0755});
	}
}

void tree_put(struct tree *tree, struct tree_entry entry)
{
	const struct tree_entry *old;
	size_t at;

	put_parents(tree, entry.path);
	old = tree_find(tree, entry.path);
	if (old && (old->kind != TREE_DIR || entry.kind != TREE_DIR))
		tree_remove(tree, entry.path);
	at = position(tree, entry.path);
	if (at < tree->count && !strcmp(tree->entries[at].path, entry.path)) {
		entry_release(&tree->entries[at]);
		tree->entries[at] = entry;
		return;
	}
	GROW(tree->entries, tree->count, tree->cap);
	memmove(tree->entries + at + 1, tree->entries + at,
		(tree->count - at) * sizeof(*tree->entries));
	tree->entries[at] = entry;
	tree->count++;
}

void tree_copy(struct tree *to, const struct tree *from)
{
	for (size_t i = 0; i < from->count; i++) {
		struct tree_entry entry = from->entries[i];

		entry.path = xstrdup(entry.path);
		entry.data = entry.data ? xmemdupz(entry.data, entry.len) : NULL;
		tree_put(to, entry);
	}
}

/* --- reading ----------------------------------------------------------------- */

static int read_content(int dirfd, const char *name, struct tree_entry *entry)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(closep) int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -1;
	for (;;) {
		ssize_t n;

		buf_reserve(&content, 65536);
		n = read(fd, content.data + content.len, 65536);
		if (n < 0 && errno != EINTR)
			return -1;
		if (n == 0)
			break;
		if (n > 0)
			buf_set_len(&content, content.len + (size_t)n);
	}
	entry->len = content.len;
	entry->data = buf_take(&content);
	return 0;
}

static int read_target(int dirfd, const char *name, struct tree_entry *entry)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(dirfd, name, target, sizeof(target));

	if (len < 0)
		return -1;
	entry->data = xmemdupz(target, (size_t)len);
	entry->len = (size_t)len;
	return 0;
}

static int read_folder(struct tree *tree, int parentfd, const char *name, const char *prefix,
	struct error *err);

static int stat_entry(int dirfd, const char *name, struct tree_entry *entry)
{
	struct stat st;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	entry->kind = S_ISREG(st.st_mode)   ? TREE_FILE
		      : S_ISLNK(st.st_mode) ? TREE_LINK
		      : S_ISDIR(st.st_mode) ? TREE_DIR
					    : TREE_OTHER;
	entry->mode = entry->kind == TREE_LINK ? 0 : st.st_mode & 07777;
	entry->mtime = st.st_mtim;
	return 0;
}

static int read_file_or_link(int dirfd, const char *name, struct tree_entry *entry)
{
	if (entry->kind == TREE_FILE)
		return read_content(dirfd, name, entry);
	return entry->kind == TREE_LINK ? read_target(dirfd, name, entry) : 0;
}

/* Entries that we cannot read get more permissions while we read them. */
static bool is_closed_to_us(const struct tree_entry *entry)
{
	return (entry->kind == TREE_FILE && !(entry->mode & 0400)) ||
	       (entry->kind == TREE_DIR && (entry->mode & 0500) != 0500);
}

static int read_entry(
	struct tree *tree, int dirfd, const char *name, const char *prefix, struct error *err)
{
	struct tree_entry entry = {.path = xasprintf("%s%s", prefix, name)};
	CLEANUP(freep) char *below = xasprintf("%s/", entry.path);
	enum tree_kind kind;
	mode_t mode;
	bool closed;
	int result = 0;

	if (stat_entry(dirfd, name, &entry) < 0 ||
		(is_closed_to_us(&entry) && fchmodat(dirfd, name, 0700, 0) < 0) ||
		read_file_or_link(dirfd, name, &entry) < 0) {
		error_errno(err, "cannot read '%s'", entry.path);
		entry_release(&entry);
		return -1;
	}
	kind = entry.kind;
	mode = entry.mode;
	closed = is_closed_to_us(&entry);
	tree_put(tree, entry);
	if (kind == TREE_DIR)
		result = read_folder(tree, dirfd, name, below, err);
	if (closed && fchmodat(dirfd, name, mode, 0) < 0)
		return error_errno(err, "cannot close '%s' again", name);
	return result;
}

static void close_folder(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* The index, a cache with times and inode numbers in it, and the lock: there or not. */
static bool is_cache(const char *prefix, const char *name)
{
	struct view folder = view_of(prefix);

	return (view_equal_str(folder, ".nanoclaw/") ||
		       view_ends_with(folder, "/.nanoclaw/")) &&
	       (!strcmp(name, "index") || !strcmp(name, "index.new") || !strcmp(name, "lock"));
}

static int read_folder(struct tree *tree, int parentfd, const char *name, const char *prefix,
	struct error *err)
{
	CLEANUP(closep) int fd = -1;
	CLEANUP(close_folder) DIR *dir = NULL;
	struct dirent *found;

	fd = openat(parentfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, "cannot open '%s%s'", prefix, name);
	dir = fdopendir(fd);
	if (!dir)
		return error_errno(err, "cannot read '%s%s'", prefix, name);
	(void)TAKE_FD(fd);
	while ((found = readdir(dir))) {
		if (!strcmp(found->d_name, ".") || !strcmp(found->d_name, "..") ||
			is_cache(prefix, found->d_name))
			continue;
		if (read_entry(tree, dirfd(dir), found->d_name, prefix, err) < 0)
			return -1;
	}
	return 0;
}

int tree_read(struct tree *tree, const char *root, struct error *err)
{
	return read_folder(tree, AT_FDCWD, root, "", err);
}

/* --- writing ----------------------------------------------------------------- */

static int write_file(int rootfd, const struct tree_entry *entry)
{
	CLEANUP(closep) int fd = -1;
	size_t done = 0;

	fd = openat(rootfd, entry->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	while (done < entry->len) {
		ssize_t n = write(fd, entry->data + done, entry->len - done);

		if (n < 0)
			return -1;
		done += (size_t)n;
	}
	return fchmod(fd, entry->mode);
}

static int write_entry(int rootfd, const struct tree_entry *entry)
{
	switch (entry->kind) {
	case TREE_FILE:
		return write_file(rootfd, entry);
	case TREE_LINK:
		return symlinkat(entry->data, rootfd, entry->path);
	case TREE_DIR:
		return mkdirat(rootfd, entry->path, 0700);
	case TREE_OTHER:
		break;
	}
	return 0;
}

/* Backwards, so that the folder is done after what is in it. */
static int set_times_and_folder_modes(int rootfd, const struct tree *tree)
{
	for (size_t i = tree->count; i-- > 0;) {
		const struct tree_entry *entry = &tree->entries[i];
		struct timespec times[2] = {entry->mtime, entry->mtime};

		if (entry->kind == TREE_OTHER)
			continue;
		if (entry->kind == TREE_DIR &&
			fchmodat(rootfd, entry->path, entry->mode, 0) < 0)
			return -1;
		if (entry->mtime.tv_sec &&
			utimensat(rootfd, entry->path, times, AT_SYMLINK_NOFOLLOW) < 0)
			return -1;
	}
	return 0;
}

int tree_write(const struct tree *tree, const char *root, struct error *err)
{
	CLEANUP(closep) int rootfd = -1;

	if (mkdir(root, 0755) < 0 && errno != EEXIST)
		return error_errno(err, "cannot create '%s'", root);
	rootfd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (rootfd < 0)
		return error_errno(err, "cannot open '%s'", root);
	for (size_t i = 0; i < tree->count; i++)
		if (write_entry(rootfd, &tree->entries[i]) < 0)
			return error_errno(err, "cannot write '%s'", tree->entries[i].path);
	if (set_times_and_folder_modes(rootfd, tree) < 0)
		return error_errno(err, "cannot set modes and times in '%s'", root);
	return 0;
}

static int delete_at(int parentfd, const char *name)
{
	CLEANUP(close_folder) DIR *dir = NULL;
	struct dirent *found;
	int fd;

	if (!unlinkat(parentfd, name, 0) || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	/* A command may have taken away our own right to look into it. */
	if (fchmodat(parentfd, name, 0700, 0) < 0)
		return -1;
	fd = openat(parentfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -1;
	}
	while ((found = readdir(dir))) {
		if (!strcmp(found->d_name, ".") || !strcmp(found->d_name, ".."))
			continue;
		if (delete_at(dirfd(dir), found->d_name) < 0)
			return -1;
	}
	return unlinkat(parentfd, name, AT_REMOVEDIR);
}

int tree_delete(const char *root, struct error *err)
{
	if (delete_at(AT_FDCWD, root) < 0)
		return error_errno(err, "cannot delete '%s'", root);
	return 0;
}

/* --- comparing --------------------------------------------------------------- */

bool path_matches(const char *pattern, const char *path)
{
	for (;; pattern++, path++) {
		if (pattern[0] == '*') {
			bool any = pattern[1] == '*';

			pattern += any ? 2 : 1;
			for (;; path++) {
				if (path_matches(pattern, path))
					return true;
				if (!*path || (*path == '/' && !any))
					return false;
			}
		}
		if (!*pattern)
			return !*path || *path == '/';
		if (*pattern == '?' ? !*path || *path == '/' : *pattern != *path)
			return false;
	}
}

static bool matches_any(const struct lines *patterns, const char *path)
{
	for (size_t i = 0; patterns && i < patterns->count; i++)
		if (path_matches(patterns->items[i].text, path))
			return true;
	return false;
}

static const char *kind_name(enum tree_kind kind)
{
	static const char *const names[] = {
		[TREE_FILE] = "a file",
		[TREE_LINK] = "a symbolic link",
		[TREE_DIR] = "a folder",
		[TREE_OTHER] = "a special file",
	};

	return names[kind];
}

static void describe(struct buf *out, const struct tree_entry *entry, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void describe(struct buf *out, const struct tree_entry *entry, const char *format, ...)
{
	va_list args;

	if (entry->line)
		buf_appendf(out, "line %u: ", entry->line);
	buf_appendf(out, "'%s' ", entry->path);
	va_start(args, format);
	buf_appendv(out, format, args);
	va_end(args);
	buf_append_char(out, '\n');
}

static void diff_content(
	struct buf *out, const struct tree_entry *expected, const struct tree_entry *got)
{
	CLEANUP(lines_release) struct lines expected_lines = LINES_INIT;
	CLEANUP(lines_release) struct lines got_lines = LINES_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	lines_encode(&expected_lines, (struct view){expected->data, expected->len}, NULL);
	lines_encode(&got_lines, (struct view){got->data, got->len}, NULL);
	lines_diff(&text, &expected_lines, &got_lines);
	describe(out, expected, "has other content (- expected, + got)");
	buf_append(out, text.data, text.len);
}

/* Returns whether they differ. */
static bool diff_entry(
	struct buf *out, const struct tree_entry *expected, const struct tree_entry *got)
{
	bool same_content;

	if (expected->kind != got->kind) {
		describe(out, expected, "is %s, not %s", kind_name(got->kind),
			kind_name(expected->kind));
		return true;
	}
	same_content = expected->len == got->len &&
		       (!expected->len || !memcmp(expected->data, got->data, expected->len));
	if (!same_content)
		diff_content(out, expected, got);
	if (expected->mode != got->mode)
		describe(out, expected, "has mode %o, not %o", (unsigned)got->mode,
			(unsigned)expected->mode);
	return !same_content || expected->mode != got->mode;
}

size_t tree_diff(struct buf *out, const struct tree *expected, const struct tree *got,
	const struct lines *ignore, const struct lines *leftover)
{
	CLEANUP(buf_release) struct buf unused = BUF_INIT;
	size_t differences = 0;
	size_t e = 0;
	size_t g = 0;

	if (!out)
		out = &unused;
	while (e < expected->count || g < got->count) {
		const struct tree_entry *want = NULL;
		const struct tree_entry *have = NULL;
		int order = e == expected->count ? 1
			    : g == got->count
				    ? -1
				    : strcmp(expected->entries[e].path, got->entries[g].path);

		if (order <= 0)
			want = &expected->entries[e++];
		if (order >= 0)
			have = &got->entries[g++];
		if (matches_any(ignore, want ? want->path : have->path))
			continue;
		if (!want && !matches_any(leftover, have->path)) {
			differences++;
			describe(out, have, "is there and should not be");
		} else if (!have) {
			differences++;
			describe(out, want, "is missing");
		} else if (want && diff_entry(out, want, have)) {
			differences++;
		}
	}
	return differences;
}
