/* Find files by a pattern for their paths. */
#include <stdlib.h>
#include <string.h>

#include "agent/native/tools/builtin.h"
#include "agent/native/tools/search/path_pattern.h"
#include "agent/native/tools/search/search_tree.h"
#include "agent/native/tools/tool_input.h"

/* More than a model reads; beyond it only the number is known. */
#define GLOB_KEPT 20000

#define GLOB_NOTE 120

struct glob_found {
	char *path;
	struct timespec time;
};

struct glob_search {
	struct path_pattern *pattern;
	struct glob_found *found;
	size_t count; /* of the kept ones */
	size_t cap;
	size_t total;
};

static void glob_release(struct glob_search *search)
{
	path_pattern_freep(&search->pattern);
	for (size_t i = 0; i < search->count; i++)
		free(search->found[i].path);
	free(search->found);
}

static enum walk_result glob_visit(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct glob_search *search = data;

	(void)err;
	if (!path_pattern_matches(search->pattern, (struct view){entry->path, entry->path_len}))
		return WALK_GO_ON;
	search->total++;
	if (search->count >= GLOB_KEPT)
		return WALK_GO_ON;
	GROW(search->found, search->count, search->cap);
	search->found[search->count++] = (struct glob_found){
		xasprintf("%s%s", entry->path, entry->kind == WALK_DIR ? "/" : ""),
		entry->stat.st_mtim,
	};
	return WALK_GO_ON;
}

static int glob_newest_first(const void *a, const void *b)
{
	const struct glob_found *x = a;
	const struct glob_found *y = b;

	if (x->time.tv_sec != y->time.tv_sec)
		return x->time.tv_sec < y->time.tv_sec ? 1 : -1;
	if (x->time.tv_nsec != y->time.tv_nsec)
		return x->time.tv_nsec < y->time.tv_nsec ? 1 : -1;
	return strcmp(x->path, y->path);
}

/* "a/b/ *.c" is "*.c" in a/b: the folders before the first special character. */
static void glob_split(const char **pattern, char **folder)
{
	size_t len = strcspn(*pattern, "*?[{\\");
	char *start;

	while (len && (*pattern)[len - 1] != '/')
		len--;
	if (!len)
		return;
	start = **pattern == '/' ? xasprintf("%.*s", (int)len, *pattern)
				 : xasprintf("%s/%.*s", *folder, (int)len - 1, *pattern);
	free(*folder);
	*folder = start;
	*pattern += len;
}

int tool_glob(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err)
{
	CLEANUP(glob_release) struct glob_search search = {0};
	CLEANUP(freep) char *folder = NULL;
	const char *sort = "name";
	const char *pattern;
	struct buf *out = &result->text;
	size_t shown = 0;

	if (input_string(input, "pattern", &pattern, err) < 0 ||
		input_folder(input, place->folder, &folder, err) < 0 ||
		input_option(input, "sort", &sort, err) < 0)
		return -1;
	if (strcmp(sort, "name") != 0 && strcmp(sort, "time") != 0)
		return error_set(err, ERROR_INVALID, "'sort' is 'name' or 'time'");
	glob_split(&pattern, &folder);
	if (path_pattern_parse(pattern, &search.pattern, err) < 0 ||
		search_tree(folder, path_pattern_depth(search.pattern), glob_visit, &search,
			err) < 0)
		return -1;
	if (search.count && !strcmp(sort, "time"))
		qsort(search.found, search.count, sizeof(*search.found), glob_newest_first);
	for (; shown < search.count && out->len + GLOB_NOTE < place->max; shown++) {
		CLEANUP(freep)
		char *path = search_tree_name(place->folder, folder, search.found[shown].path);

		buf_appendf(out, "%s\n", path);
	}
	if (!search.total)
		buf_appendf(out, "no file matches");
	else if (shown < search.total)
		buf_appendf(out, "… (%zu more%s)", search.total - shown,
			search.count < search.total ? "; the order is that of these first ones"
						    : "");
	return 0;
}
