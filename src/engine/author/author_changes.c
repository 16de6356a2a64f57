/*
 * Finds the changes: the tree against the recorded files or against HEAD, or one commit against
 * another. Also tells which of them are renames.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "engine/author/author.h"
#include "engine/author/internal.h"
#include "engine/core/base.h"
#include "engine/core/core_git.h"
#include "engine/core/ignore.h"
#include "engine/custom/new_files.h"
#include "engine/disk/tx_file.h"
#include "engine/session/drift.h"

#define LISTING_MAX  ((size_t)64 * 1024 * 1024)
#define CONTENTS_MAX ((size_t)512 * 1024 * 1024)
#define LINE_MAX_LEN 4096
#define FILES_MAX    ((size_t)20 * 1000)

const struct relpath *author_change_name(const struct author_change *change)
{
	return change->from.text ? &change->from : &change->path;
}

bool author_change_is_rename(const struct author_change *change)
{
	return change->from.text && change->path.text &&
	       relpath_compare(&change->from, &change->path) != 0;
}

/* --- the tree --- */

struct reading {
	struct author *author;
	struct custom_changes *changes;
};

static int add_new_file(
	const struct relpath *path, const struct stat *st, void *data, struct error *err)
{
	struct reading *r = data;
	struct author *a = r->author;

	(void)st;
	/* The folder of the package may be anywhere. */
	if (selection_below(relpath_view(path), relpath_view(&a->folder)))
		return 0;
	return custom_changes_add(&a->session, &a->recorded, path, r->changes, err);
}

int author_read_tree(struct author *a, struct custom_changes *ret_changes, struct error *err)
{
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;
	struct reading reading = {a, ret_changes};

	if (drift_find(a->project, &a->session.state, &drift, err) < 0)
		return -1;
	for (size_t i = 0; i < drift.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (relpath_parse(view_of(drift.list[i].path), &path, err) < 0 ||
			custom_changes_add(&a->session, &a->recorded, &path, ret_changes, err) <
				0)
			return -1;
	}
	return new_files_each(&a->session, &a->recorded, add_new_file, &reading, err);
}

/* --- two commits --- */

/* The one line that git prints. */
static int ask_git(
	const struct author *a, const char *const *argv, char **ret_line, struct error *err)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view line;

	if (core_git_run(a->project->root, argv, view_of(""), LINE_MAX_LEN, &out, err) < 0)
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
	error_set(err, ERROR_INVALID, "%s is not a commit in the project's repository", shown);
	return error_hint(err, "%s",
		said.hint ? said.hint
			  : "name a range as git does, such as main..HEAD, or one commit; put "
			    "paths after '--'");
}

/*
 * The commits before and after the changes. Before one commit is its first parent, or the empty
 * tree. Both are freed by the caller, also after an error.
 */
static int find_ends(
	const struct author *a, char **ret_before, char **ret_after, struct error *err)
{
	const char *range = a->request->range, *dots = strstr(range, "..");
	bool fork = dots && dots[2] == '.';
	CLEANUP(freep) char *start = NULL;

	if (!dots) {
		const char *const nothing[] = {"hash-object", "-t", "tree", "--stdin", NULL};
		CLEANUP(error_release) struct error none = ERROR_INIT;

		if (find_commit(a, view_of(range), ret_after, err) < 0)
			return -1;
		start = xasprintf("%s^1", *ret_after);
		return find_commit(a, view_of(start), ret_before, &none) < 0
			       ? ask_git(a, nothing, ret_before, err)
			       : 0;
	}
	if (find_commit(a, view_slice(view_of(range), 0, (size_t)(dots - range)), &start, err) <
			0 ||
		find_commit(a, view_of(dots + (fork ? 3 : 2)), ret_after, err) < 0)
		return -1;
	if (fork) {
		const char *const argv[] = {"merge-base", start, *ret_after, NULL};

		return ask_git(a, argv, ret_before, err);
	}
	*ret_before = TAKE(start);
	return 0;
}

/* The contents to read, in the order of the changes: of each the old one, then the new one. */
struct wanted {
	struct string_array objects;
	struct custom_changes *changes;
	bool from_tree; /* the new ones are in the tree */
	size_t side;    /* the next one: 2 * index of the change, and 1 more for the new one */
};

static void want_content(
	struct wanted *w, struct tx_file *file, struct view mode, struct view object)
{
	if (view_equal_str(mode, "000000"))
		return;
	file->kind = view_equal_str(mode, "120000") ? TX_SYMLINK : TX_FILE;
	file->mode = view_equal_str(mode, "100755") ? 0755 : 0644;
	string_array_addf(&w->objects, "%.*s", VIEW_ARGS(object));
}

static int content_arrived(size_t number, struct view content, void *data, struct error *err)
{
	struct wanted *w = data;
	struct tx_file *file;

	(void)number;
	(void)err;
	do {
		struct custom_change *change = &w->changes->list[w->side / 2];

		file = w->side % 2 ? &change->after : &change->before;
		w->side++;
	} while (file->kind == TX_ABSENT);
	buf_append(&file->content, content.data, content.len);
	return 0;
}

/* ":100644 100755 OLD NEW M", followed by the path. */
static int add_listed(struct author *a, struct wanted *w, struct ignore *ignore,
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
		return error_set(err, ERROR_FAILED, "unexpected output from git");
	old_mode = view_slice(old_mode, 1, old_mode.len);
	if (relpath_parse(text, &path, err) < 0)
		return -1;
	if (view_equal_str(old_mode, "160000") || view_equal_str(new_mode, "160000")) {
		if (!selection_has(&a->selection, relpath_view(&path)))
			return 0;
		error_set(err, ERROR_INVALID, "'%s' is a submodule, which no package can hold",
			path.text);
		return error_hint(err, "name the paths to include after '--'");
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
	want_content(w, &change->before, old_mode, old);
	if (!w->from_tree)
		want_content(w, &change->after, new_mode, new);
	return 0;
}

/* `after` is NULL for the tree. */
static int list_changes(struct author *a, const char *before, const char *after,
	struct custom_changes *changes, struct error *err)
{
	const char *const argv[] = {after ? "diff-tree" : "diff-index", "-r", "-z",
		"--no-renames", "--full-index", before, after ? after : "--",
		after ? "--" : NULL, NULL};
	struct wanted wanted = {.changes = changes, .from_tree = !after};
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view rest, facts, path;
	int failed = 0;

	if (core_git_run(a->project->root, argv, view_of(""), LISTING_MAX, &out, err) < 0 ||
		ignore_open(a->project->root, &ignore, err) < 0)
		return -1;
	rest = view_of_buf(&out);
	while (!failed && view_next(&rest, '\0', &facts) && view_next(&rest, '\0', &path))
		failed = add_listed(a, &wanted, ignore, facts, path, err);
	if (!failed && wanted.objects.count)
		failed = core_git_contents(a->project->root,
			(const char *const *)wanted.objects.list, wanted.objects.count,
			CONTENTS_MAX, content_arrived, &wanted, err);
	for (size_t i = 0; !after && !failed && i < changes->count; i++)
		failed = custom_read_tree(
			&a->session, &changes->list[i].path, &changes->list[i].after, err);
	string_array_release(&wanted.objects);
	return failed;
}

/* Untracked files that git does not ignore. */
static int list_untracked(struct author *a, struct custom_changes *changes, struct error *err)
{
	const char *const argv[] = {"ls-files", "-z", "--others", "--exclude-standard", NULL};
	struct wanted wanted = {.changes = changes, .from_tree = true};
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view rest, path;

	if (core_git_run(a->project->root, argv, view_of(""), LISTING_MAX, &out, err) < 0 ||
		ignore_open(a->project->root, &ignore, err) < 0)
		return -1;
	rest = view_of_buf(&out);
	while (view_next(&rest, '\0', &path)) {
		size_t before = changes->count;

		if (add_listed(a, &wanted, ignore, view_of(":000000 100644 0 0 A"), path, err) <
				0 ||
			(changes->count > before &&
				custom_read_tree(&a->session, &changes->list[before].path,
					&changes->list[before].after, err) < 0))
			return -1;
	}
	return 0;
}

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
	if (none.kind != ERROR_INVALID)
		return error_move(err, &none);
	error_set(err, ERROR_FAILED, "%s", none.message);
	err->errnum = ENOENT;
	return -1;
}

/* Without an installation the commit before is the core. */
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
			"the core has no version (in VERSION, package.json or meson.build); "
			"assuming 0.0.0");
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

int author_read_head(struct author *a, struct custom_changes *ret_changes, bool *ret_found,
	struct error *err)
{
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(freep) char *head = NULL;

	*ret_found = find_commit(a, view_of("HEAD"), &head, &none) == 0;
	if (!*ret_found)
		return 0;
	if (list_changes(a, head, NULL, ret_changes, err) < 0 ||
		list_untracked(a, ret_changes, err) < 0)
		return -1;
	custom_changes_sort(ret_changes);
	return stage_core(a, head, ret_changes, err);
}

/* --- selecting, and renames --- */

static void change_release(struct author_change *change)
{
	relpath_release(&change->from);
	relpath_release(&change->path);
	tx_file_release(&change->before);
	tx_file_release(&change->after);
}

void author_changes_release(struct author_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		change_release(&changes->list[i]);
	free(changes->list);
	*changes = (struct author_changes){0};
}

/* From the file `old`, with its name, to the file `new`; NULL: no file. */
static void add_change(
	struct author *a, const struct custom_change *old, const struct custom_change *new)
{
	struct author_changes *changes = &a->changes;
	struct author_change change = {.before = TX_FILE_INIT, .after = TX_FILE_INIT};

	if (old && old->before.kind != TX_ABSENT)
		change.from = relpath_copy(&old->path);
	if (new &&new->after.kind != TX_ABSENT)
		change.path = relpath_copy(&new->path);
	if (!(change.from.text && selection_has(&a->selection, relpath_view(&change.from))) &&
		!(change.path.text &&
			selection_has(&a->selection, relpath_view(&change.path)))) {
		change_release(&change);
		return;
	}
	tx_file_copy(old ? &old->before : &new->before, &change.before);
	tx_file_copy(new ? &new->after : &old->after, &change.after);
	GROW(changes->list, changes->count, changes->cap);
	changes->list[changes->count++] = change;
}

/* Only files that came or went can be one file under two names. */
static bool comes_or_goes(const struct custom_change *change)
{
	return (change->before.kind == TX_ABSENT) != (change->after.kind == TX_ABSENT);
}

static int add_renames(
	struct author *a, const struct custom_changes *changes, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	for (size_t i = 0; i < changes->count; i++) {
		const struct custom_change *c = &changes->list[i];
		struct patch_side before = custom_side(&c->before);
		struct patch_side after = custom_side(&c->after);

		if (comes_or_goes(c) &&
			patch_add_change(&patch, &c->path, &before, &c->path, &after, err) < 0)
			return -1;
	}
	if (patch_find_renames(&patch, err) < 0)
		return -1;
	for (size_t i = 0; i < patch.count; i++) {
		const struct patch_change *p = &patch.changes[i];
		const struct custom_change *old = NULL, *new = NULL;

		for (size_t j = 0; j < changes->count; j++) {
			const struct custom_change *c = &changes->list[j];

			if (p->old.kind != PATCH_ABSENT &&
				!relpath_compare(&c->path, &p->old.path))
				old = c;
			if (p->new.kind != PATCH_ABSENT &&
				!relpath_compare(&c->path, &p->new.path))
				new = c;
		}
		add_change(a, old, new);
	}
	return 0;
}

static int compare_changes(const void *a, const void *b)
{
	return relpath_compare(author_change_name(a), author_change_name(b));
}

int author_select_changes(
	struct author *a, const struct custom_changes *changes, bool renames, struct error *err)
{
	author_changes_release(&a->changes);
	for (size_t i = 0; i < changes->count; i++) {
		const struct custom_change *c = &changes->list[i];

		if (!renames || !comes_or_goes(c))
			add_change(a, c, c);
	}
	if (renames && add_renames(a, changes, err) < 0)
		return -1;
	if (a->changes.count)
		qsort(a->changes.list, a->changes.count, sizeof(*a->changes.list),
			compare_changes);
	return 0;
}
