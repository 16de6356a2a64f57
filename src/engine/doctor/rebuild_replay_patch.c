/*
 * A custom patch once more: by the contents of its files before and after, if the former state
 * lists them and they still exist; else by its text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/conflict/merge3.h"
#include "engine/custom/custom.h"
#include "engine/disk/tx_file.h"
#include "engine/doctor/internal.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"

/* The list owns both files afterwards. */
static void add_change(struct custom_changes *changes, const struct relpath *path,
	struct tx_file *before, struct tx_file *after)
{
	if (tx_file_equal(before, after) ||
		(before->kind == TX_ABSENT && after->kind == TX_ABSENT))
		return;
	GROW(changes->list, changes->count, changes->cap);
	changes->list[changes->count++] = (struct custom_change){
		.path = relpath_copy(path), .before = *before, .after = *after};
	*before = *after = TX_FILE_INIT;
}

/* --- by contents ---------------------------------------------------------------------- */

static bool fetch_side(
	struct rebuild *r, const struct layer_file *side, struct tx_file *ret_file)
{
	ret_file->kind = side->kind;
	ret_file->mode = 0644;
	return side->kind == TX_ABSENT ||
	       rebuild_contents_find(r, &side->hash, &ret_file->content);
}

static bool change_by_contents(struct rebuild *r, struct session *s, const struct layer *layer,
	const char *text, struct custom_changes *changes)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file merged = TX_FILE_INIT;
	struct record_part part;
	struct layer_file made;
	bool clean;

	if (relpath_parse(view_of(text), &path, &failed) < 0 ||
		!layer_get(layer, view_of(text), &made) || made.kind == TX_SYMLINK ||
		!record_part(layer->node, view_of(text), &part) ||
		!fetch_side(r, &part.before, &before) || !fetch_side(r, &part.after, &after))
		return false;
	if (transaction_read(s->tx, &path, &ours, &failed) < 0) {
		rebuild_judge(r, &failed);
		return false;
	}
	before.mode = ours.mode;
	after.mode = !made.mode_known ? ours.mode : made.executable ? 0755 : 0644;
	if (merge3(&before, &ours, &after, &merged, &clean, &failed) < 0) {
		rebuild_judge(r, &failed);
		return false;
	}
	if (clean)
		add_change(changes, &path, &ours, &merged);
	return clean;
}

static bool changes_by_contents(struct rebuild *r, struct session *s,
	const struct rebuild_patch *patch, struct custom_changes *changes)
{
	const struct layer layer = {.kind = LAYER_PATCH,
		.name = patch->name,
		.node = (struct yaml_node *)(uintptr_t)patch->old};
	CLEANUP(string_array_release)
	struct string_array paths = record_part_paths(patch->old);

	for (size_t i = 0; i < paths.count; i++)
		if (!change_by_contents(r, s, &layer, paths.list[i], changes))
			return false;
	return paths.count;
}

/* --- by the text ------------------------------------------------------------------------- */

static void take_result(const struct patch_file *from, mode_t mode, struct tx_file *ret_file)
{
	ret_file->kind = from->kind == PATCH_ABSENT    ? TX_ABSENT
			 : from->kind == PATCH_SYMLINK ? TX_SYMLINK
						       : TX_FILE;
	ret_file->mode = from->executable ? 0755 : mode & ~(mode_t)0111;
	buf_append(&ret_file->content, from->content.data, from->content.len);
}

/* Do the lines that the hunk expects begin here? `sign` marks the hunk's own lines. */
static bool fits_here(const struct patch_hunk *hunk, char sign, struct view text)
{
	struct view rest = view_of_buf(&hunk->lines), want, line;

	while (view_next(&rest, '\n', &want)) {
		if (!want.len || (*want.data != ' ' && *want.data != sign))
			continue;
		if (!text.len || !view_next(&text, '\n', &line) ||
			!view_equal(line, view_slice(want, 1, want.len)))
			return false;
	}
	return true;
}

/* The line nearest to `expected` at which the hunk fits, at `from` or after it. */
static bool find_place(const struct patch_hunk *hunk, char sign, struct view text, size_t from,
	size_t expected, size_t *ret_line)
{
	struct view rest = text, line;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < from && view_next(&rest, '\n', &line); i++)
		;
	for (size_t at = from;; at++) {
		size_t far = at > expected ? at - expected : expected - at;

		if (far < best && fits_here(hunk, sign, rest)) {
			best = far;
			*ret_line = at;
		}
		if (!view_next(&rest, '\n', &line) || !rest.len)
			return best != SIZE_MAX;
	}
}

/* Lines above were added or removed: move each hunk to where its lines are now. */
static void move_hunks(
	struct patch_change *change, enum patch_direction direction, struct view text)
{
	const bool forward = direction == PATCH_FORWARD;
	size_t from = 0, more = 0, less = 0;

	for (size_t i = 0; i < change->hunk_count; i++) {
		struct patch_hunk *hunk = &change->hunks[i];
		size_t *found = forward ? &hunk->old_start : &hunk->new_start;
		size_t *other = forward ? &hunk->new_start : &hunk->old_start;
		size_t here = forward ? hunk->old_count : hunk->new_count;
		size_t at;

		if (!here || !find_place(hunk, forward ? '-' : '+', text, from, *found, &at))
			return;
		*found = at;
		*other = at + more - less;
		more += forward ? hunk->new_count : hunk->old_count;
		less += here;
		from = at + here;
	}
}

/* Apply a change, at the lines where it fits. */
static bool apply_change(struct patch_change *change, enum patch_direction direction,
	const struct tx_file *file, struct patch_file *ret_made, struct error *err)
{
	struct patch_side side = custom_side(file);

	if (change->body == PATCH_TEXT && file->kind == TX_FILE)
		move_hunks(change, direction, side.content);
	return patch_apply(change, direction, &side, ret_made, err) == 0;
}

/* Does the file already have the patch's change? */
static bool is_change_there(
	struct rebuild *r, struct patch_change *change, const struct tx_file *file)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(patch_file_release) struct patch_file made = PATCH_FILE_INIT;
	bool executable = file->mode & 0100;

	/* A patch applies with any mode, so a change of the mode is compared here. */
	if (patch_is_rename(change) ||
		(change->old.executable != change->new.executable &&executable !=
			change->new.executable))
		return false;
	if (apply_change(change, PATCH_REVERSE, file, &made, &unfit))
		return true;
	rebuild_judge(r, &unfit);
	return false;
}

static bool change_by_text(struct rebuild *r, struct session *s, struct patch_change *change,
	struct custom_changes *changes, struct error *err)
{
	const bool renamed = patch_is_rename(change);
	const struct relpath *from =
		change->old.kind == PATCH_ABSENT ? &change->new.path : &change->old.path;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file gone = TX_FILE_INIT;
	CLEANUP(patch_file_release) struct patch_file made = PATCH_FILE_INIT;
	struct custom_change *earlier = NULL;

	/* A file that becomes a link, or the other way round, is deleted and added in one patch. */
	for (size_t i = 0; i < changes->count; i++)
		if (relpath_compare(&changes->list[i].path, from) == 0)
			earlier = &changes->list[i];
	if (earlier)
		tx_file_copy(&earlier->after, &ours);
	else if (transaction_read(s->tx, from, &ours, err) < 0)
		return false;
	if (is_change_there(r, change, &ours))
		return true;
	if (!apply_change(change, PATCH_FORWARD, &ours, &made, err))
		return false;
	take_result(&made, ours.kind == TX_FILE ? ours.mode : 0644, &after);
	if (earlier && !renamed) {
		tx_file_copy(&after, &earlier->after);
		return true;
	}
	if (!renamed) {
		add_change(changes, from, &ours, &after);
		return true;
	}
	if (transaction_read(s->tx, &change->new.path, &there, err) < 0)
		return false;
	add_change(changes, from, &ours, &gone);
	add_change(changes, &change->new.path, &there, &after);
	return true;
}

/* --- recording ------------------------------------------------------------------- */

int rebuild_replay_patch(
	struct rebuild *r, struct session *s, struct rebuild_patch *patch, struct error *err)
{
	CLEANUP(custom_changes_release) struct custom_changes changes = CUSTOM_CHANGES_INIT;
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(relpath_release) struct relpath note = RELPATH_INIT;
	const struct yaml_node *date;

	if (!changes_by_contents(r, s, patch, &changes)) {
		custom_changes_release(&changes);
		changes = CUSTOM_CHANGES_INIT;
		if (patch->fault) {
			patch->left_out = xstrdup(patch->fault);
			return 0;
		}
		for (size_t i = 0; i < patch->parsed.count; i++)
			if (!change_by_text(
				    r, s, &patch->parsed.changes[i], &changes, &unfit)) {
				patch->left_out = xstrdup(unfit.message);
				rebuild_judge(r, &unfit);
				return 0;
			}
	}
	if (!changes.count) {
		patch->left_out = xstrdup("the files below it already have its change");
		return 0;
	}
	custom_changes_sort(&changes);
	for (size_t i = 0; i < changes.count; i++)
		if (tx_file_stage(s->tx, &changes.list[i].path, &changes.list[i].after, err) <
			0)
			return -1;
	if (custom_record_as(s, &changes, patch->description, patch->skill, patch->name, err) <
		0)
		return -1;
	/* The date of the former entry stays, and what a person may have written into the note. */
	date = patch->old ? yaml_get(patch->old, "applied_at") : NULL;
	if (date && layers_read(&s->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		if (layers.list[i].kind == LAYER_PATCH &&
			!strcmp(layers.list[i].name, patch->name))
			yaml_set(layers.list[i].node, "applied_at",
				yaml_copy(s->state.doc, date));
	if (!patch->note.len)
		return 0;
	if (relpath_printf(&note, err, CUSTOM_FOLDER "/%s.md", patch->name) < 0)
		return -1;
	return transaction_put(s->tx, &note, view_of_buf(&patch->note), 0644, err);
}
