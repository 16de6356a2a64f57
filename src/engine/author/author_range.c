/*
 * What changed between two commits of the project's repository.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/author/author_parts.h"
#include "engine/core/base.h"
#include "engine/core/core_git.h"
#include "engine/core/ignore.h"
#include "engine/disk/tx_file.h"
#include "util/quote.h"

#define LISTING_MAX  ((size_t)64 * 1024 * 1024)
#define CONTENTS_MAX ((size_t)512 * 1024 * 1024)
#define NAME_MAX_LEN 4096
#define FILES_MAX    ((size_t)20 * 1000)

/* --- the two commits -------------------------------------------------------------- */

/* What git prints on one line. */
static int ask_git(
	const struct author *a, const char *const *argv, char **ret_line, struct error *err)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view line;

	if (core_git_run(a->project->root, argv, view_of(""), NAME_MAX_LEN, &out, err) < 0)
		return -1;
	line = view_trim(view_of_buf(&out));
	*ret_line = xmemdupz(line.data, line.len);
	return 0;
}

static int find_commit(
	const struct author *a, struct view typed, char **ret_commit, struct error *err)
{
	CLEANUP(freep)
	char *name = xasprintf("%.*s^{commit}", VIEW_ARGS(typed.len ? typed : view_of("HEAD")));
	const char *const argv[] = {"rev-parse", "--verify", "--quiet", name, NULL};
	CLEANUP(error_release) struct error said = ERROR_INIT;
	CLEANUP(freep) char *shown = quote(typed);

	if (*name != '-' && ask_git(a, argv, ret_commit, &said) == 0)
		return 0;
	error_set(
		err, ERROR_INVALID, "%s is no commit that the project's repository has", shown);
	return error_hint(err, "%s",
		said.hint
			? said.hint
			: "name a range as git does, such as main..HEAD, or one commit; paths "
			  "stand behind '--'");
}

/* The first parent; of a first commit, the tree without any file. */
static int find_parent(
	const struct author *a, const char *commit, char **ret_before, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("%s^1", commit);
	const char *const parent[] = {"rev-parse", "--verify", "--quiet", name, NULL};
	const char *const nothing[] = {"hash-object", "-t", "tree", "--stdin", NULL};
	CLEANUP(error_release) struct error none = ERROR_INIT;

	if (ask_git(a, parent, ret_before, &none) == 0)
		return 0;
	return ask_git(a, nothing, ret_before, err);
}

static int find_ends(
	const struct author *a, char **ret_before, char **ret_after, struct error *err)
{
	const char *range = a->request->range;
	const char *dots = strstr(range, "..");
	bool fork = dots && dots[2] == '.';
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;

	if (!dots) {
		if (find_commit(a, view_of(range), &after, err) < 0 ||
			find_parent(a, after, &before, err) < 0)
			return -1;
	} else if (find_commit(a, view_slice(view_of(range), 0, (size_t)(dots - range)),
			   &before, err) < 0 ||
		   find_commit(a, view_of(dots + (fork ? 3 : 2)), &after, err) < 0) {
		return -1;
	}
	if (fork) {
		const char *const argv[] = {"merge-base", before, after, NULL};
		CLEANUP(freep) char *common = NULL;

		if (ask_git(a, argv, &common, err) < 0)
			return -1;
		free(before);
		before = TAKE(common);
	}
	*ret_before = TAKE(before);
	*ret_after = TAKE(after);
	return 0;
}

/* --- what differs ----------------------------------------------------------------- */

/* One side of a line of git's: where its content goes. */
struct wanted {
	struct string_array objects;
	size_t *places; /* 2 * index of the change, and 1 more for the new side */
	size_t count, cap;
	struct custom_changes *changes;
};

static void wanted_release(struct wanted *w)
{
	string_array_release(&w->objects);
	free(w->places);
}

static void want(struct wanted *w, struct tx_file *file, size_t place, struct view mode,
	struct view object)
{
	CLEANUP(freep) char *name = xmemdupz(object.data, object.len);

	if (view_equal_str(mode, "000000"))
		return;
	file->kind = view_equal_str(mode, "120000") ? TX_SYMLINK : TX_FILE;
	file->mode = view_equal_str(mode, "100755") ? 0755 : 0644;
	string_array_add(&w->objects, name);
	GROW(w->places, w->count, w->cap);
	w->places[w->count++] = place;
}

/* ":100644 100755 OLD NEW M", and the path behind it. */
static int add_line(struct author *a, struct wanted *w, struct ignore *ignore,
	struct view facts, struct view text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct view old_mode, new_mode, old, new;
	struct custom_changes *changes = w->changes;
	struct custom_change *change;
	bool excluded;

	if (!view_starts_with(facts, ":") || !view_next(&facts, ' ', &old_mode) ||
		!view_next(&facts, ' ', &new_mode) || !view_next(&facts, ' ', &old) ||
		!view_next(&facts, ' ', &new))
		return error_set(err, ERROR_FAILED, "git has answered something unexpected");
	old_mode = view_slice(old_mode, 1, old_mode.len);
	if (relpath_parse(text, &path, err) < 0)
		return -1;
	if (view_equal_str(old_mode, "160000") || view_equal_str(new_mode, "160000")) {
		if (!selection_has(&a->selection, relpath_view(&path)))
			return 0;
		error_set(err, ERROR_INVALID, "'%s' is a submodule, which no package can hold",
			path.text);
		return error_hint(err, "name the paths that are to be in it, behind '--'");
	}
	if (ignore_excludes_file(ignore, &path, &excluded, err) < 0)
		return -1;
	if (excluded || selection_below(relpath_view(&path), relpath_view(&a->folder)))
		return 0;
	if (changes->count == FILES_MAX)
		return error_set(
			err, ERROR_INVALID, "more than %zu files have changed", FILES_MAX);
	GROW(changes->list, changes->count, changes->cap);
	change = &changes->list[changes->count++];
	*change = (struct custom_change){path, TX_FILE_INIT, TX_FILE_INIT};
	path = RELPATH_INIT;
	want(w, &change->before, 2 * (changes->count - 1), old_mode, old);
	want(w, &change->after, 2 * (changes->count - 1) + 1, new_mode, new);
	return 0;
}

static int take_content(size_t number, struct view content, void *data, struct error *err)
{
	struct wanted *w = data;
	struct custom_change *change = &w->changes->list[w->places[number] / 2];
	struct tx_file *file = w->places[number] % 2 ? &change->after : &change->before;

	(void)err;
	buf_append(&file->content, content.data, content.len);
	return 0;
}

static int list_changes(struct author *a, const char *before, const char *after,
	struct custom_changes *changes, struct error *err)
{
	const char *const argv[] = {"diff-tree", "-r", "-z", "--no-renames", "--full-index",
		before, after, "--", NULL};
	CLEANUP(wanted_release) struct wanted wanted = {.changes = changes};
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view rest, facts, path;

	if (core_git_run(a->project->root, argv, view_of(""), LISTING_MAX, &out, err) < 0 ||
		ignore_open(a->project->root, &ignore, err) < 0)
		return -1;
	rest = view_of_buf(&out);
	while (view_next(&rest, '\0', &facts) && view_next(&rest, '\0', &path))
		if (add_line(a, &wanted, ignore, facts, path, err) < 0)
			return -1;
	if (!wanted.count)
		return 0;
	return core_git_contents(a->project->root, (const char *const *)wanted.objects.list,
		wanted.objects.count, CONTENTS_MAX, take_content, &wanted, err);
}

/* --- without an installation the first commit is the core
 * --------------------------------------
 */

struct commit {
	const struct author *author;
	const char *name;
};

static int read_blob(
	const struct relpath *path, void *data, struct buf *ret_text, struct error *err)
{
	const struct commit *commit = data;
	CLEANUP(freep) char *name = xasprintf("%s:%s", commit->name, path->text);
	const char *const argv[] = {"cat-file", "blob", name, NULL};
	CLEANUP(error_release) struct error none = ERROR_INIT;

	if (core_git_run(commit->author->project->root, argv, view_of(""), LISTING_MAX,
		    ret_text, &none) == 0)
		return 0;
	error_set(err, ERROR_FAILED, "%s", none.message);
	err->errnum = ENOENT;
	return -1;
}

static int stage_core(struct author *a, const char *before,
	const struct custom_changes *changes, struct error *err)
{
	struct commit commit = {a, before};
	struct session *s = &a->session;
	bool found;

	for (size_t i = 0; i < changes->count; i++) {
		const struct custom_change *c = &changes->list[i];
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (session_base_path(&c->path, &path, err) < 0 ||
			tx_file_stage(s->tx, &path, &c->before, err) < 0)
			return -1;
	}
	s->base_staged = true;
	free(TAKE(a->core_version));
	if (base_core_version_by(read_blob, &commit, &a->core_version, &found, err) < 0)
		return -1;
	if (!found)
		string_array_add(&a->result->warnings,
			"the core has no version (in VERSION, package.json or meson.build); it is "
			"taken for 0.0.0");
	return 0;
}

int author_read_range(struct author *a, struct custom_changes *ret_changes, struct error *err)
{
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;

	if (find_ends(a, &before, &after, err) < 0 ||
		list_changes(a, before, after, ret_changes, err) < 0)
		return -1;
	return a->session.found_state ? 0 : stage_core(a, before, ret_changes, err);
}
