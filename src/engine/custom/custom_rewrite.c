#include "engine/custom/custom_rewrite.h"

#include <string.h>

#include "engine/custom/custom.h"
#include "engine/patch/patch.h"
#include "engine/session/origin.h"
#include "engine/state/layer_list.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"

struct rewriting {
	struct session *session;
	const struct layer *layer;
	struct patch patch; /* the present patch */
	struct error *err;
};

/* --- its files ------------------------------------------------------------------------- */

/* The side of the patch with this path: the old or the new one; NULL if there is none. */
static const struct patch_end *find_end(
	const struct patch *patch, const struct relpath *path, bool old)
{
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_end *end =
			old ? &patch->changes[i].old : &patch->changes[i].new;

		if (end->kind != PATCH_ABSENT && relpath_compare(&end->path, path) == 0)
			return end;
	}
	return NULL;
}

static int read_patch_end(struct rewriting *r, const struct relpath *path,
	const struct layer_file *side, bool old, struct tx_file *ret_file)
{
	const struct patch_end *end = find_end(&r->patch, path, old);

	if (side->kind == TX_ABSENT)
		return 0;
	ret_file->kind = end && end->kind == PATCH_SYMLINK ? TX_SYMLINK : TX_FILE;
	ret_file->mode = end && end->executable ? 0755 : 0644;
	return recorded_find_content(r->session, path, &side->hash, &ret_file->content, r->err);
}

/* All files of the patch except the new one. */
static int collect_others(
	struct rewriting *r, const struct relpath *path, struct custom_changes *changes)
{
	CLEANUP(string_array_release)
	struct string_array paths = record_part_paths(r->layer->node);

	for (size_t i = 0; i < paths.count; i++) {
		CLEANUP(relpath_release) struct relpath then = relpath_of(paths.list[i]);
		CLEANUP(relpath_release)
		struct relpath now = origin_resolve(r->session, &then);
		struct custom_change *change;
		struct record_part part;

		if (relpath_compare(&now, path) == 0 || relpath_compare(&then, path) == 0)
			continue;
		GROW(changes->list, changes->count, changes->cap);
		change = &changes->list[changes->count++];
		*change =
			(struct custom_change){relpath_copy(&then), TX_FILE_INIT, TX_FILE_INIT};
		record_part(r->layer->node, relpath_view(&then), &part);
		if (read_patch_end(r, &then, &part.before, true, &change->before) < 0 ||
			read_patch_end(r, &then, &part.after, false, &change->after) < 0)
			return -1;
	}
	return 0;
}

static void add_change(struct custom_changes *changes, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after)
{
	struct custom_change *change;

	GROW(changes->list, changes->count, changes->cap);
	change = &changes->list[changes->count++];
	*change = (struct custom_change){relpath_copy(path), TX_FILE_INIT, TX_FILE_INIT};
	tx_file_copy(before, &change->before);
	tx_file_copy(after, &change->after);
}

/* --- its entry -------------------------------------------------------------------- */

/* The patch may be what gives the file its name. */
static void add_rewritten(struct rewriting *r, struct custom_changes *changes,
	const struct relpath *path, const struct tx_file *before, const struct tx_file *after)
{
	CLEANUP(relpath_release) struct relpath below = layer_name_below(r->layer, path);
	struct layer_file x = layer_file_of(before), y = layer_file_of(after);
	const struct tx_file absent = TX_FILE_INIT;

	if (relpath_compare(&below, path) != 0 && before->kind != TX_ABSENT) {
		add_change(changes, &below, before, &absent);
		add_change(changes, path, &absent, after);
	} else if (!layer_file_equal(&x, &y)) {
		add_change(changes, path, before, after);
	}
}

static int rewrite_patch(struct rewriting *r, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after)
{
	CLEANUP(custom_changes_release) struct custom_changes changes = CUSTOM_CHANGES_INIT;
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(relpath_release) struct relpath file = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *named = record_patch_file(r->layer->node);
	CLEANUP(tx_file_release) struct tx_file old_text = TX_FILE_INIT;

	if (relpath_parse(view_of(named), &file, r->err) < 0 ||
		transaction_read(r->session->tx, &file, &old_text, r->err) < 0)
		return -1;
	if (old_text.kind != TX_FILE)
		return error_set(r->err, ERROR_INVALID, "the patch '%s' is gone", file.text);
	if (patch_parse(view_of_buf(&old_text.content), file.text, &r->patch, r->err) < 0 ||
		collect_others(r, path, &changes) < 0)
		return -1;
	add_rewritten(r, &changes, path, before, after);
	/* Nothing of it is left: the entry goes, and its file stays in its folder. */
	if (!changes.count) {
		layers_drop_patch(&r->session->state, r->layer->node);
		session_warn(r->session,
			"nothing is left of custom patch '%s': it is no longer recorded; "
			"its file stays in '" CUSTOM_FOLDER "'",
			r->layer->name);
		return 0;
	}
	custom_changes_sort(&changes);
	if (custom_make_patch(&changes, &patch, r->err) < 0 ||
		patch_find_renames(&patch, r->err) < 0 ||
		patch_write(&patch, &text, r->err) < 0 ||
		recorded_keep_file(r->session, before, r->err) < 0 ||
		recorded_keep_file(r->session, after, r->err) < 0 ||
		transaction_put(r->session->tx, &file, view_of_buf(&text), 0644, r->err) < 0)
		return -1;
	record_set_patch(r->layer->node, file.text, view_of_buf(&text));
	record_clear_parts(r->layer->node);
	for (size_t i = 0; i < changes.count; i++) {
		const struct custom_change *c = &changes.list[i];

		record_set_part(r->layer->node, relpath_view(&c->path),
			&(struct record_part){
				layer_file_of(&c->before), layer_file_of(&c->after)});
	}
	return 0;
}

int custom_rewrite(struct session *s, const struct layer *patch, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after, struct error *err)
{
	struct rewriting r = {s, patch, PATCH_INIT, err};
	int failed;

	if (!record_part_count(patch->node) || !record_patch_file(patch->node))
		return 0;
	failed = rewrite_patch(&r, path, before, after);
	patch_release(&r.patch);
	return failed ? error_prefix(err, "patch '%s'", patch->name) : 0;
}
