#include "builds/build_source.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/quote.h"
#include "engine/core/base.h"
#include "fs/beneath.h"

#define MAX_MESON_BUILD ((size_t)1024 * 1024)

bool build_source_is_own(int root)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	return beneath_path_read(root, "meson.build", MAX_MESON_BUILD, &text, &ignored) == 0 &&
	       view_starts_with(view_of_buf(&text), "project('nanoclaw'") &&
	       faccessat(root, "tools/build", X_OK, 0) == 0;
}

/* A line is 'PATH', a tab, the kind, a space and the hash. */
static struct view path_of_line(struct view line)
{
	struct view path = line;

	view_next(&line, '\t', &path);
	return path.len > 1 ? view_slice(path, 1, path.len - 1) : path;
}

/* --- reading ------------------------------------------------------------------- */

/* Can the programs depend on this file? At the root, people keep files of their own. */
static bool concerns_programs(struct view path)
{
	static const char *const others[] = {
		".claude/", ".github/", "bridges/", "docs/", "skills/", "tests/"};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (view_starts_with(path, others[i]))
			return false;
	return memchr(path.data, '/', path.len) || view_starts_with(path, "meson") ||
	       view_equal_str(path, "VERSION");
}

static int hash_file(const struct base_entry *entry, struct hash *ret_hash, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(entry->dirfd, entry->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return quote_errno(err, "read", entry->path);
	return hash_of_fd(fd, ret_hash, err);
}

static int hash_link(const struct base_entry *entry, struct hash *ret_hash, struct error *err)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(entry->dirfd, entry->name, target, sizeof(target));

	if (len < 0)
		return quote_errno(err, "read", entry->path);
	*ret_hash = hash_of((struct view){target, (size_t)len});
	return 0;
}

static int list_file(const struct base_entry *entry, void *data, struct error *err)
{
	struct string_array *lines = data;
	CLEANUP(freep) char *path = quote(view_of(entry->path));
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	if (entry->is_symlink ? hash_link(entry, &hash, err) < 0
			      : hash_file(entry, &hash, err) < 0)
		return -1;
	hash_to_hex(&hash, hex);
	string_array_addf(lines, "%s\t%c %s", path,
		entry->is_symlink                ? 'l'
		: entry->stat->st_mode & S_IXUSR ? 'x'
						 : '-',
		hex);
	return 0;
}

int build_source_read(int root, struct build_source *ret_source, struct error *err)
{
	CLEANUP(string_array_release) struct string_array lines = {0};
	struct hasher *hasher;
	struct hash hash;
	char hex[HASH_HEX_SIZE];

	if (base_for_each(root, list_file, &lines, err) < 0)
		return -1;
	string_array_sort_once(&lines);
	buf_clear(&ret_source->list);
	hasher = hasher_new();
	for (size_t i = 0; i < lines.count; i++) {
		const char *line = lines.list[i];

		buf_appendf(&ret_source->list, "%s\n", line);
		if (concerns_programs(path_of_line(view_of(line))))
			hasher_add(hasher, line, strlen(line) + 1);
	}
	hash = hasher_end(&hasher);
	hash_to_hex(&hash, hex);
	memcpy(ret_source->name, hex, BUILD_NAME_SIZE - 1);
	ret_source->name[BUILD_NAME_SIZE - 1] = '\0';
	return 0;
}

struct newer {
	struct timespec than;
	bool found;
};

static int look_whether_newer(const struct base_entry *entry, void *data, struct error *err)
{
	struct newer *newer = data;
	const struct timespec *time = &entry->stat->st_mtim;

	(void)err;
	if (concerns_programs(view_of(entry->path)) &&
		(time->tv_sec > newer->than.tv_sec ||
			(time->tv_sec == newer->than.tv_sec &&
				time->tv_nsec > newer->than.tv_nsec)))
		newer->found = true;
	return 0;
}

bool build_source_has_newer(int root, struct timespec time)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct newer newer = {.than = time};

	return base_for_each(root, look_whether_newer, &newer, &ignored) == 0 && newer.found;
}

void build_source_release(struct build_source *source)
{
	buf_release(&source->list);
}

/* --- comparing ----------------------------------------------------------------- */

/* As the lines are sorted: by their paths with the quotes. */
static int order_of(struct view a, struct view b)
{
	struct view path_a = a, path_b = b;

	view_next(&a, '\t', &path_a);
	view_next(&b, '\t', &path_b);
	return view_compare(path_a, path_b);
}

void build_source_changes(struct view before, struct view now, struct string_array *ret_paths)
{
	struct view a, b;
	bool more_a = view_next(&before, '\n', &a);
	bool more_b = view_next(&now, '\n', &b);

	while (more_a || more_b) {
		int order = !more_a ? 1 : !more_b ? -1 : order_of(a, b);

		if (order || !view_equal(a, b))
			string_array_addf(
				ret_paths, "%.*s", VIEW_ARGS(path_of_line(order <= 0 ? a : b)));
		if (order <= 0)
			more_a = view_next(&before, '\n', &a);
		if (order >= 0)
			more_b = view_next(&now, '\n', &b);
	}
	string_array_sort_once(ret_paths);
}
