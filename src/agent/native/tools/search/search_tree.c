#include "agent/native/tools/search/search_tree.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "agent/native/tools/regular_file.h"
#include "base/quote.h"

struct search {
	size_t depth;
	bool from_root;
	walk_function function;
	void *data;
};

static bool search_skips(const struct search *search, const struct walk_entry *entry)
{
	static const char *const system[] = {"dev", "proc", "sys"};
	size_t depth = 0;

	if (!strcmp(entry->name, ".git") || !strcmp(entry->name, "node_modules"))
		return true;
	for (size_t i = 0; search->from_root && i < ARRAY_SIZE(system); i++)
		if (!strcmp(entry->path, system[i]))
			return true;
	for (const char *c = entry->path; *c; c++)
		depth += *c == '/';
	return depth >= search->depth ||
	       faccessat(entry->dirfd, entry->name, R_OK | X_OK, AT_EACCESS) < 0;
}

static enum walk_result search_visit(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct search *search = data;
	enum walk_result result;

	if (entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	result = search->function(entry, search->data, err);
	if (result == WALK_GO_ON && entry->kind == WALK_DIR && search_skips(search, entry))
		return WALK_SKIP;
	return result;
}

int search_tree(
	const char *folder, size_t depth, walk_function function, void *data, struct error *err)
{
	struct search search = {.depth = depth, .function = function, .data = data};
	CLEANUP(closep) int fd = -1;
	struct stat st;
	struct stat root;

	if (regular_file_open(folder, true, &fd, &st, err) < 0)
		return -1;
	search.from_root =
		!stat("/", &root) && st.st_dev == root.st_dev && st.st_ino == root.st_ino;
	return walk(fd, search_visit, &search, err);
}

char *search_tree_name(const char *working, const char *folder, const char *path)
{
	CLEANUP(buf_release) struct buf whole = BUF_INIT;
	size_t len = strlen(working);
	const char *name;

	buf_append_str(&whole, folder);
	if (*path && (!whole.len || whole.data[whole.len - 1] != '/'))
		buf_append_char(&whole, '/');
	buf_append_str(&whole, path);
	name = whole.data;
	if (!strncmp(name, working, len) && name[len] == '/' && name[len + 1])
		name += len + 1;
	return quote_command(view_of(name));
}
