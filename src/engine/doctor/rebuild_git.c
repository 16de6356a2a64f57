/*
 * Uses git's history as a source of lost files. Only the git program itself reads it, with
 * commands that write nothing, take no lock, and never contact another machine.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/core/gitdir.h"
#include "engine/doctor/internal.h"
#include "proc/process.h"

#define GIT_SECONDS      60
#define GIT_MAX_OUTPUT   ((size_t)256 * 1024 * 1024)
#define GIT_MAX_VERSIONS "--max-count=100"

bool rebuild_git_there(const struct rebuild *r)
{
	struct gitdir gitdir = GITDIR_INIT;
	CLEANUP(freep) char *program = process_find("git");
	bool there;

	gitdir_open(r->project->root, &gitdir);
	there = gitdir.fd >= 0 && program;
	gitdir_release(&gitdir);
	return there;
}

/* False if git failed for any reason. */
static bool run_git(
	struct rebuild *r, const char *const *argv, struct view input, struct buf *out)
{
	/* No transport may be used: nothing is fetched, also by older versions. */
	static const char *const env[] = {"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
		"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", NULL};
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	if (!r->has_git)
		return false;
	request.argv = argv;
	request.env = env;
	request.cwd_fd = r->project->root;
	request.input = input;
	request.timeout_ms = GIT_SECONDS * 1000;
	request.output = (struct process_stream){PROCESS_CAPTURE, GIT_MAX_OUTPUT};
	request.errors = (struct process_stream){.mode = PROCESS_DISCARD};
	if (process_run(&request, &result, &failed) < 0) {
		rebuild_judge(r, &failed);
		return false;
	}
	if (result.timed_out || result.signal || result.exit_code != 0)
		return false;
	buf_append(out, result.output.data, result.output.len);
	return true;
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
	const char *const list[] = {"git", "--literal-pathspecs", "rev-list", GIT_MAX_VERSIONS,
		"HEAD", "--", path, NULL};
	const char *const read[] = {"git", "cat-file", "--batch", NULL};
	CLEANUP(buf_release) struct buf commits = BUF_INIT;
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	CLEANUP(buf_release) struct buf blobs = BUF_INIT;
	struct view rest, commit, content;

	if (strchr(path, '\n') || !run_git(r, list, view_of(""), &commits))
		return;
	rest = view_of_buf(&commits);
	while (view_next(&rest, '\n', &commit))
		if (commit.len)
			buf_appendf(&names, "%.*s:./%s\n", VIEW_ARGS(commit), path);
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
	const char *const argv[] = {"git", "ls-tree", "-r", "-z", "HEAD", NULL};
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
