#include "engine/operation/custom_apply.h"

#include <string.h>

#include "engine/commit/finish.h"
#include "engine/conflict/file_merge.h"
#include "engine/custom/custom.h"
#include "engine/custom/custom_there.h"
#include "engine/disk/project.h"
#include "engine/disk/tx_file.h"
#include "engine/patch/patch.h"
#include "engine/session/origin.h"
#include "engine/stack/part.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "engine/text/merge.h"

struct applying {
	struct session *session;
	const struct layer *layer;
	struct error *err;
};

/* One file of the patch: before, after, and in the tree. */
struct patched_file {
	struct tx_file before;
	struct tx_file after;
	struct tx_file ours;
};

static void patched_file_release(struct patched_file *f)
{
	tx_file_release(&f->before);
	tx_file_release(&f->after);
	tx_file_release(&f->ours);
}

/* --- both sides of a change ----------------------------------------------------------- */

static void set_side(struct tx_file *side, enum patch_kind kind, bool executable)
{
	side->kind = kind == PATCH_ABSENT    ? TX_ABSENT
		     : kind == PATCH_SYMLINK ? TX_SYMLINK
					     : TX_FILE;
	side->mode = executable ? 0755 : 0644;
}

static void set_side_from(struct tx_file *side, const struct patch_file *made)
{
	set_side(side, made->kind, made->executable);
	buf_clear(&side->content);
	buf_append(&side->content, made->content.data, made->content.len);
}

enum side {
	BEFORE,
	AFTER,
};

/* Read the stored content of one side, by its hash in the state. */
static int read_side(struct applying *a, const struct patch_end *end, enum side side,
	struct tx_file *ret_file, struct error *err)
{
	struct record_part part;
	const struct layer_file *file = side == BEFORE ? &part.before : &part.after;

	set_side(ret_file, end->kind, end->executable);
	if (end->kind == PATCH_ABSENT)
		return 0;
	record_part(a->layer->node, relpath_view(&end->path), &part);
	if (file->kind == TX_ABSENT)
		return error_set(err, ERROR_INVALID,
			"patch '%s': the state does not record '%s' before and after it",
			a->layer->name, end->path.text);
	if (recorded_find_content(
		    a->session, &end->path, &file->hash, &ret_file->content, err) < 0)
		return damage_hint(err);
	return 0;
}

/*
 * v0.1 stored no contents for a patch. Such a patch fits the tree exactly, is already in the
 * tree, or cannot be applied.
 */
static int fit_exactly(
	struct applying *a, const struct patch_change *change, struct patched_file *f)
{
	CLEANUP(error_release) struct error forward = ERROR_INIT;
	CLEANUP(error_release) struct error reverse = ERROR_INIT;
	CLEANUP(patch_file_release) struct patch_file other = PATCH_FILE_INIT;
	struct patch_side ours = custom_side(&f->ours);

	if (patch_apply(change, PATCH_FORWARD, &ours, &other, &forward) == 0) {
		tx_file_copy(&f->ours, &f->before);
		set_side_from(&f->after, &other);
		return 0;
	}
	if (patch_apply(change, PATCH_REVERSE, &ours, &other, &reverse) < 0)
		return error_set(a->err, ERROR_INVALID, "patch '%s' does not fit: %s",
			a->layer->name, forward.message);
	tx_file_copy(&f->ours, &f->after);
	set_side_from(&f->before, &other);
	return 0;
}

/* In a replay, record one side in the entry that replaces one of v0.1. */
static int record_side(struct applying *a, const struct patch_end *end, enum side side,
	const struct tx_file *file)
{
	struct yaml_node *entry = a->session->layer;
	struct record_part part;

	if (!entry || !end->path.text || file->kind == TX_ABSENT)
		return 0;
	record_part(entry, relpath_view(&end->path), &part);
	*(side == BEFORE ? &part.before : &part.after) = layer_file_of(file);
	record_set_part(entry, relpath_view(&end->path), &part);
	return recorded_keep(a->session, view_of_buf(&file->content), a->err);
}

static int read_sides(
	struct applying *a, const struct patch_change *change, struct patched_file *f)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(patch_file_release) struct patch_file made = PATCH_FILE_INIT;
	struct patch_side before;

	if (!record_part_count(a->layer->node)) {
		if (fit_exactly(a, change, f) < 0 ||
			record_side(a, &change->old, BEFORE, &f->before) < 0)
			return -1;
		return record_side(a, &change->new, AFTER, &f->after);
	}
	if (read_side(a, &change->old, BEFORE, &f->before, a->err) < 0)
		return -1;
	if (read_side(a, &change->new, AFTER, &f->after, &missing) == 0)
		return 0;
	/* The content is on another machine, so apply the patch itself. */
	before = custom_side(&f->before);
	if (patch_apply(change, PATCH_FORWARD, &before, &made, a->err) < 0)
		return error_prefix(a->err, "patch '%s'", a->layer->name);
	set_side_from(&f->after, &made);
	return 0;
}

/* --- one change -------------------------------------------------------------------------- */

static void note_outcome(
	struct applying *a, const struct relpath *path, enum file_outcome outcome)
{
	session_note_file(a->session, path, a->layer->name, outcome);
}

static int stage_file(
	struct applying *a, const struct relpath *path, const struct tx_file *file)
{
	return tx_file_stage(a->session->tx, path, file, a->err);
}

static int refuse_file(struct applying *a, const struct relpath *path)
{
	error_set(a->err, ERROR_INVALID,
		"'%s' is not what patch '%s' was made for, and cannot be merged with it",
		path->text, a->layer->name);
	return error_hint(a->err, "move it away first");
}

static int merge_file(struct applying *a, const struct relpath *path, struct patched_file *f)
{
	CLEANUP(buf_release) struct buf there = BUF_INIT;
	char label[] = "before your change";
	struct operation_result *result = a->session->result;
	size_t conflicts = result->conflict_count;
	struct ancestor ancestor = {.label = label};
	struct layer_file merged;
	struct file_merge m = {
		.session = a->session,
		.skill = a->layer->name,
		.version = "",
		.path = path,
		.ours = &f->ours,
		.ancestor = &ancestor,
		.theirs = view_of_buf(&f->after.content),
		.theirs_mode = f->after.mode,
	};

	if (f->ours.kind != TX_FILE || f->after.kind != TX_FILE || f->before.kind == TX_SYMLINK)
		return refuse_file(a, path);
	if (f->before.kind == TX_FILE && !merge_is_binary(view_of_buf(&f->ours.content)) &&
		custom_there(view_of_buf(&f->before.content), view_of_buf(&f->after.content),
			view_of_buf(&f->ours.content), &there, a->err) < 0)
		return -1;
	if (there.len) {
		buf_release(&f->before.content);
		f->before.content = there;
		there = BUF_INIT;
	}
	ancestor.file = f->before;
	if (file_merge(&m, &merged, a->err) < 0)
		return -1;
	/* The record is already right, however these conflicts are resolved. */
	for (size_t i = conflicts; i < result->conflict_count; i++)
		result->conflicts[i].recorded_apart = true;
	return 0;
}

static int delete_file(
	struct applying *a, const struct relpath *path, const struct patched_file *f)
{
	if (f->ours.kind == TX_ABSENT) {
		note_outcome(a, path, OUTCOME_SAME);
		return 0;
	}
	if (f->ours.kind != TX_FILE && f->ours.kind != TX_SYMLINK)
		return refuse_file(a, path);
	if (tx_file_equal(&f->ours, &f->before) || a->session->restaged) {
		note_outcome(a, path, OUTCOME_DELETED);
		return transaction_remove(a->session->tx, path, a->err);
	}
	/* The file has other changes too: a person decides. */
	if (stage_file(a, path, &f->ours) < 0)
		return -1;
	session_add_conflict(a->session, (struct conflict){
						 .kind = CONFLICT_DELETE,
						 .path = relpath_copy(path),
						 .skill = xstrdup(a->layer->name),
						 .recorded_apart = true,
					 });
	note_outcome(a, path, OUTCOME_DECISION);
	return 0;
}

static int change_file(struct applying *a, const struct relpath *path, struct patched_file *f)
{
	enum file_outcome outcome;

	if (tx_file_equal(&f->ours, &f->after)) {
		note_outcome(a, path, OUTCOME_SAME);
		return 0;
	}
	if (tx_file_equal(&f->ours, &f->before) || f->ours.kind == TX_ABSENT) {
		outcome = f->ours.kind != TX_ABSENT     ? OUTCOME_MERGED
			  : f->before.kind == TX_ABSENT ? OUTCOME_ADDED
							: OUTCOME_RESTORED;
		note_outcome(a, path, outcome);
		return stage_file(a, path, &f->after);
	}
	if (a->session->restaged &&
		(f->before.kind == TX_SYMLINK || f->after.kind == TX_SYMLINK))
		return stage_file(a, path, &f->after);
	return merge_file(a, path, f);
}

/* Give the file its new name first; then only its content is left to change. */
static int rename_file(struct applying *a, const struct relpath *from, const struct relpath *to,
	struct patched_file *f)
{
	CLEANUP(tx_file_release) struct tx_file target = TX_FILE_INIT;
	struct transaction *tx = a->session->tx;

	if (f->ours.kind == TX_ABSENT)
		return transaction_read(tx, to, &f->ours, a->err);
	if (transaction_read(tx, to, &target, a->err) < 0)
		return -1;
	if (target.kind != TX_ABSENT || (f->ours.kind != TX_FILE && f->ours.kind != TX_SYMLINK))
		return refuse_file(a, to);
	session_note_rename(a->session, from, to, a->layer->name);
	if (stage_file(a, to, &f->ours) < 0)
		return -1;
	return transaction_remove(tx, from, a->err);
}

static int apply_change(struct applying *a, const struct patch_change *change)
{
	CLEANUP(patched_file_release)
	struct patched_file f = {TX_FILE_INIT, TX_FILE_INIT, TX_FILE_INIT};
	const struct operation_result *result = a->session->result;
	const struct state *restaged = a->session->restaged;
	struct layer_file then;
	bool renames = patch_is_rename(change), deletes = change->new.kind == PATCH_ABSENT;
	/* A skill that had renamed the file may have been removed since. */
	CLEANUP(relpath_release)
	struct relpath moved = record_moved(a->layer->node,
		change->old.kind == PATCH_ABSENT ? &change->new.path : &change->old.path);
	CLEANUP(relpath_release)
	struct relpath first =
		restaged ? layer_name_at(restaged, a->layer, &moved) : relpath_copy(&moved);
	CLEANUP(relpath_release)
	struct relpath path = origin_resolve(a->session, renames ? &change->new.path : &first);

	/*
	 * In a replay, a file is skipped if the person gave it up later, or if a layer below left
	 * a conflict in it that has no known resolution.
	 */
	if (!deletes && restaged && layer_get(a->layer, relpath_view(&path), &then) &&
		then.kind == TX_ABSENT)
		return 0;
	if (transaction_read(a->session->tx, renames ? &first : &path, &f.ours, a->err) < 0)
		return -1;
	if (renames && rename_file(a, &first, &path, &f) < 0)
		return -1;
	for (size_t i = 0; restaged && i < result->conflict_count; i++)
		if (relpath_compare(&result->conflicts[i].path, &path) == 0)
			return 0;
	if (read_sides(a, change, &f) < 0)
		return -1;
	return deletes ? delete_file(a, &path, &f) : change_file(a, &path, &f);
}

int custom_apply(struct session *s, const struct layer *layer, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	struct applying a = {s, layer, err};
	const char *file = record_patch_file(layer->node);
	struct hash found, recorded;

	if (layer->baked)
		return part_stage_all(s, layer, err);
	if (!file || relpath_parse(view_of(file), &path, err) < 0 ||
		transaction_read(s->tx, &path, &text, err) < 0)
		return -1;
	if (text.kind != TX_FILE) {
		error_set(err, ERROR_INVALID, "the patch '%s' is gone", path.text);
		return damage_hint(err);
	}
	found = hash_of(view_of_buf(&text.content));
	if (record_patch_hash(layer->node, &recorded) && !hash_equal(&recorded, &found)) {
		error_set(err, ERROR_INVALID,
			"the patch '%s' was changed since it was recorded", path.text);
		return damage_hint(err);
	}
	if (patch_parse(view_of_buf(&text.content), path.text, &patch, err) < 0)
		return -1;
	for (size_t i = 0; i < patch.count; i++)
		if (apply_change(&a, &patch.changes[i]) < 0)
			return -1;
	return 0;
}

/* --- the command ------------------------------------------------------------------ */

int custom_apply_named(const struct project *project, const char *name,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(string_array_release) struct string_array all = {0};
	CLEANUP(freep) char *found = NULL;
	const struct layer *layer = NULL;

	if (session_open(&s, project, CUSTOM_APPLY_OPERATION, NULL, options, ret_result, err) <
			0 ||
		layers_read(&s.state, &layers, err) < 0 ||
		custom_find(&s.state, name, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		if (layers.list[i].kind == LAYER_PATCH && !strcmp(layers.list[i].name, found))
			layer = &layers.list[i];
	if (session_open_base(&s, err) < 0 || custom_apply(&s, layer, err) < 0)
		return finish_fail(&s, err);
	for (size_t i = 0; i < s.state.skill_count; i++)
		string_array_add(&all, s.state.skills[i].name);
	s.only_tests = true;
	if (options->dry_run)
		return finish_dry(&s, &all, err);
	if (s.result->conflict_count)
		return finish_paused(&s,
			&(struct pending){.operation = CUSTOM_APPLY_OPERATION, .skills = all},
			err);
	return finish(&s, &all, err);
}
