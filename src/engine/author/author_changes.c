/*
 * What has changed: the tree against what is recorded, and what of it is a rename.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/author/author_parts.h"
#include "engine/disk/tx_file.h"
#include "engine/session/drift.h"
#include "engine/stack/new_files.h"

const struct relpath *author_change_name(const struct author_change *change)
{
	return change->from.text ? &change->from : &change->path;
}

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

/* --- the tree ----------------------------------------------------------------------------- */

struct reading {
	struct author *author;
	struct custom_changes *changes;
};

static int add_new(
	const struct relpath *path, const struct stat *st, void *data, struct error *err)
{
	struct reading *r = data;

	(void)st;
	/* A package may be anywhere, but is no part of another one. */
	if (selection_below(relpath_view(path), relpath_view(&r->author->folder)))
		return 0;
	return custom_changes_add(
		&r->author->session, &r->author->recorded, path, r->changes, err);
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
	return new_files_each(&a->session, &a->recorded, add_new, &reading, err);
}

/* --- renames ------------------------------------------------------------------------------ */

static const struct custom_change *find(
	const struct custom_changes *changes, const struct relpath *path)
{
	for (size_t i = 0; i < changes->count; i++)
		if (relpath_compare(&changes->list[i].path, path) == 0)
			return &changes->list[i];
	return NULL;
}

static bool is_selected(const struct author *a, const struct author_change *change)
{
	return (change->from.text &&
		       selection_has(&a->selection, relpath_view(&change->from))) ||
	       (change->path.text && selection_has(&a->selection, relpath_view(&change->path)));
}

static void add_change(struct author *a, const struct relpath *from,
	const struct tx_file *before, const struct relpath *path, const struct tx_file *after)
{
	struct author_changes *changes = &a->changes;
	struct author_change change = {.before = TX_FILE_INIT, .after = TX_FILE_INIT};

	if (from && before->kind != TX_ABSENT)
		change.from = relpath_copy(from);
	if (path && after->kind != TX_ABSENT)
		change.path = relpath_copy(path);
	if (!is_selected(a, &change)) {
		change_release(&change);
		return;
	}
	tx_file_copy(before, &change.before);
	tx_file_copy(after, &change.after);
	GROW(changes->list, changes->count, changes->cap);
	changes->list[changes->count++] = change;
}

static bool comes_or_goes(const struct custom_change *change)
{
	return (change->before.kind == TX_ABSENT) != (change->after.kind == TX_ABSENT);
}

/* Only what came and what went can be one file under two names. */
static int find_renames(
	const struct custom_changes *changes, struct patch *patch, struct error *err)
{
	for (size_t i = 0; i < changes->count; i++) {
		const struct custom_change *c = &changes->list[i];
		struct patch_side before = custom_side(&c->before);
		struct patch_side after = custom_side(&c->after);

		if (comes_or_goes(c) &&
			patch_add_change(patch, &c->path, &before, &c->path, &after, err) < 0)
			return -1;
	}
	return patch_find_renames(patch, err);
}

static int by_name(const void *a, const void *b)
{
	return relpath_compare(author_change_name(a), author_change_name(b));
}

int author_take_changes(
	struct author *a, const struct custom_changes *changes, bool renames, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	author_changes_release(&a->changes);
	if (find_renames(changes, &patch, err) < 0)
		return -1;
	for (size_t i = 0; i < changes->count; i++) {
		const struct custom_change *c = &changes->list[i];

		if (!renames || !comes_or_goes(c))
			add_change(a, &c->path, &c->before, &c->path, &c->after);
	}
	for (size_t i = 0; renames && i < patch.count; i++) {
		const struct patch_change *p = &patch.changes[i];
		const struct custom_change *old =
			p->old.kind == PATCH_ABSENT ? NULL : find(changes, &p->old.path);
		const struct custom_change *new =
			p->new.kind == PATCH_ABSENT ? NULL : find(changes, &p->new.path);

		add_change(a, old ? &old->path : NULL, old ? &old->before : &new->before,
			new ? &new->path : NULL, new ? &new->after : &old->after);
	}
	if (a->changes.count)
		qsort(a->changes.list, a->changes.count, sizeof(*a->changes.list), by_name);
	return 0;
}
