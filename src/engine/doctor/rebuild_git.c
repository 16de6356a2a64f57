/* Uses git's history (core_git.h) as a source of lost files. */
#include <stdlib.h>
#include <string.h>

#include "engine/core/core_git.h"
#include "engine/doctor/internal.h"

#define GIT_MAX_OUTPUT   ((size_t)256 * 1024 * 1024)
#define GIT_MAX_VERSIONS "--max-count=100"

/* False if there is no repository, or git failed for any reason. */
static bool run_git(
	struct rebuild *r, const char *const *argv, struct view input, struct buf *out)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;

	if (core_git_run(r->project->root, argv, input, GIT_MAX_OUTPUT, out, &failed) == 0)
		return true;
	rebuild_judge(r, &failed);
	return false;
}

/* One answer of `git cat-file --batch`: "ID blob SIZE", the content, a newline. */
static bool next_blob(struct view *rest, struct view *ret_content)
{
	struct view line, word, size = {"", 0};
	bool blob = false;
	size_t len;

	if (!view_next(rest, '\n', &line))
		return false;
	for (size_t i = 0; view_next(&line, ' ', &word); i++) {
		blob |= i == 1 && view_equal_str(word, "blob");
		size = word;
	}
	ret_content->data = NULL;
	if (!blob)
		return true; /* "… missing": it has no content */
	len = strtoul(size.data, NULL, 10);
	if (len > rest->len)
		return false;
	*ret_content = view_slice(*rest, 0, len);
	*rest = view_slice(*rest, len < rest->len ? len + 1 : len, rest->len);
	return true;
}

void rebuild_versions_add(struct rebuild_versions *versions, struct view content)
{
	struct buf copy = BUF_INIT;

	buf_append(&copy, content.data, content.len);
	GROW(versions->list, versions->count, versions->cap);
	versions->list[versions->count++] = copy;
}

void rebuild_git_versions(
	struct rebuild *r, const char *path, struct rebuild_versions *ret_versions)
{
	const char *const list[] = {
		"--literal-pathspecs", "rev-list", GIT_MAX_VERSIONS, "HEAD", "--", path, NULL};
	const char *const read[] = {"cat-file", "--batch", NULL};
	CLEANUP(buf_release) struct buf commits = BUF_INIT;
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	CLEANUP(buf_release) struct buf blobs = BUF_INIT;
	struct view rest, commit, content;

	if (strchr(path, '\n') || !run_git(r, list, view_of(""), &commits))
		return;
	rest = view_of_buf(&commits);
	while (view_next(&rest, '\n', &commit))
		if (commit.len)
			buf_appendf(&names, "%.*s:%s\n", VIEW_ARGS(commit), path);
	if (!names.len || !run_git(r, read, view_of_buf(&names), &blobs))
		return;
	rest = view_of_buf(&blobs);
	while (rest.len && next_blob(&rest, &content))
		if (content.data)
			rebuild_versions_add(ret_versions, content);
}

void rebuild_versions_release(struct rebuild_versions *versions)
{
	for (size_t i = 0; i < versions->count; i++)
		buf_release(&versions->list[i]);
	free(versions->list);
}

void rebuild_git_paths(struct rebuild *r, bool executable, struct string_array *ret_paths)
{
	const char *const argv[] = {"ls-tree", "-r", "-z", "HEAD", NULL};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest, line, meta;

	if (!run_git(r, argv, view_of(""), &text))
		return;
	rest = view_of_buf(&text);
	while (view_next(&rest, '\0', &line)) {
		CLEANUP(freep) char *path = NULL;

		/* "100644 blob ID", a tab, the path. Links and submodules are left out. */
		if (!view_next(&line, '\t', &meta) ||
			!view_starts_with(meta, executable ? "100755" : "100"))
			continue;
		path = xmemdupz(line.data, line.len);
		string_array_add(ret_paths, path);
	}
}
