#include "engine/look/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/custom/new_files.h"
#include "engine/session/drift.h"
#include "fs/beneath.h"

int compare_open(struct comparison *c, const struct project *project, struct error *err)
{
	struct session *s = &c->session;

	c->options.dry_run = true;
	if (session_open(s, project, "diff", NULL, &c->options, &c->result, err) < 0)
		return -1;
	if (!s->found_state) {
		error_set(err, ERROR_INVALID, "nothing is recorded in '%s'", project->path);
		return error_hint(err, "'nanoclaw init' records the core as it is now");
	}
	if (session_open_base(s, err) < 0 ||
		pending_load(project, &c->pending, &c->paused, err) < 0)
		return -1;
	if (c->paused) {
		c->before = s->state;
		s->state = c->pending.state;
		c->pending.state = STATE_INIT;
		if (recorded_collect(&c->before, &c->recorded_before, err) < 0)
			return -1;
	}
	return recorded_collect(&s->state, &c->recorded, err);
}

bool compare_is_conflict(const struct comparison *c, struct view path)
{
	for (size_t i = 0; i < c->pending.conflict_count; i++)
		if (view_equal(relpath_view(&c->pending.conflicts[i].path), path))
			return true;
	return false;
}

void comparison_release(struct comparison *c)
{
	patch_release(&c->patch);
	drift_list_release(&c->unknown);
	recorded_release(&c->recorded);
	recorded_release(&c->recorded_before);
	state_release(&c->before);
	pending_release(&c->pending);
	session_release(&c->session);
	operation_result_release(&c->result);
}

/* --- paths on the command line -------------------------------------------------------- */

static bool is_recorded(const struct recorded *recorded, struct view path)
{
	for (size_t i = 0; i < recorded->count; i++)
		if (selection_below(view_of(recorded->files[i].path), path))
			return true;
	return false;
}

/* Whether it is in the base or the tree: a file, a link or a folder. */
static bool path_exists(int root, const struct relpath *path, mode_t *ret_mode)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct stat st;

	if (beneath_stat(root, path, &st, &ignored) < 0)
		return false;
	*ret_mode = st.st_mode;
	return true;
}

/* Add a file that is new, since it was named itself. */
static int check_named(struct comparison *c, const struct relpath *path,
	struct custom_changes *changes, struct error *err)
{
	struct view text = relpath_view(path);
	CLEANUP(freep) char *shown = relpath_quote(path);
	mode_t mode;

	if (is_recorded(&c->recorded, text) || is_recorded(&c->recorded_before, text) ||
		path_exists(c->session.base, path, &mode))
		return 0;
	if (!path_exists(c->session.project->root, path, &mode)) {
		error_set(err, ERROR_INVALID, "%s is neither in the records nor in the tree",
			shown);
		return error_hint(err,
			"'nanoclaw status' lists your changes; without a path, every file is compared");
	}
	if (S_ISDIR(mode) || compare_is_conflict(c, text))
		return 0;
	return custom_changes_add(&c->session, &c->recorded, path, changes, err);
}

/* --- differences ----------------------------------------------------------------------- */

static int compare_file(struct comparison *c, const struct recorded *recorded, const char *text,
	enum drift_change change, struct custom_changes *changes, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error local = ERROR_INIT;
	const struct recorded_file *file = recorded_find(recorded, view_of(text));
	size_t count = changes->count;
	struct custom_change *added;

	if (relpath_parse(view_of(text), &path, err) < 0)
		return -1;
	if (custom_changes_add(&c->session, recorded, &path, changes, &local) < 0) {
		if (local.errnum != ENOENT)
			return error_move(err, &local);
		GROW(c->unknown.list, c->unknown.count, c->unknown.cap);
		c->unknown.list[c->unknown.count++] = (struct drift){xstrdup(text), change};
	}
	if (changes->count == count)
		return 0;
	added = &changes->list[count];
	/* v0.1 did not record modes, so they are not compared. */
	if (file && !file->file.mode_known && added->before.kind == TX_FILE &&
		added->after.kind == TX_FILE)
		added->before.mode = added->after.mode;
	return 0;
}

/* Deleted files are needed even if not selected: one may have been moved to a selected path. */
static int add_drift(struct comparison *c, const struct selection *selection,
	struct custom_changes *changes, struct error *err)
{
	struct session *s = &c->session;

	if (drift_find(s->project, &s->state, &s->drift, err) < 0)
		return -1;
	for (size_t i = 0; i < s->drift.count; i++) {
		const struct drift *drift = &s->drift.list[i];
		struct view path = view_of(drift->path);

		if (compare_is_conflict(c, path) ||
			(!selection_has(selection, path) && drift->change != DRIFT_DELETED))
			continue;
		if (compare_file(c, &c->recorded, drift->path, drift->change, changes, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < c->pending.conflict_count; i++)
		if (compare_file(c, &c->recorded_before, c->pending.conflicts[i].path.text,
			    DRIFT_EDITED, changes, err) < 0)
			return -1;
	return 0;
}

static int compare_changes(const void *a, const void *b)
{
	const struct patch_change *x = a, *y = b;
	int order = relpath_compare(patch_path(x), patch_path(y));

	return order ? order : (x->new.kind != PATCH_ABSENT) - (y->new.kind != PATCH_ABSENT);
}

/* Selected by its new or its old name. The other changes are released. */
static void keep_selected(struct patch *patch, const struct selection *selection)
{
	struct patch rest = PATCH_INIT;
	size_t kept = 0;

	rest.changes = xcalloc(patch->count + 1, sizeof(*rest.changes));
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_change *change = &patch->changes[i];

		if (selection_has(selection, relpath_view(patch_path(change))) ||
			(change->old.path.text &&
				selection_has(selection, relpath_view(&change->old.path))))
			patch->changes[kept++] = *change;
		else
			rest.changes[rest.count++] = *change;
	}
	patch->count = kept;
	patch_release(&rest);
	if (kept)
		qsort(patch->changes, kept, sizeof(*patch->changes), compare_changes);
}

int compare_find(struct comparison *c, const struct selection *selection, struct error *err)
{
	CLEANUP(custom_changes_release) struct custom_changes changes = CUSTOM_CHANGES_INIT;

	for (size_t i = 0; i < selection->count; i++)
		if (check_named(c, &selection->list[i], &changes, err) < 0)
			return -1;
	if (add_drift(c, selection, &changes, err) < 0)
		return -1;
	/* Selected files are among the changes already, and are not added twice. */
	if (new_files_add_renamed(&c->session, &c->recorded, &changes, err) < 0)
		return -1;
	custom_changes_sort(&changes);
	for (size_t i = 1; i < changes.count; i++) {
		struct custom_change *change = &changes.list[i];

		if (relpath_compare(&change[-1].path, &change->path) == 0)
			change->after.kind = change->before.kind = TX_ABSENT;
	}
	if (custom_make_patch(&changes, &c->patch, err) < 0 ||
		patch_find_renames(&c->patch, err) < 0)
		return -1;
	keep_selected(&c->patch, selection);
	return 0;
}
