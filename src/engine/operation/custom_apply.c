#include "engine/operation/custom_apply.h"

#include <string.h>

#include "engine/commit/finish.h"
#include "engine/conflict/file_merge.h"
#include "engine/disk/project.h"
#include "engine/disk/tx_file.h"
#include "engine/patch/patch.h"
#include "engine/stack/custom.h"
#include "engine/stack/custom_there.h"
#include "engine/stack/part.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "engine/text/merge.h"

struct applying {
	struct session *session;
	const struct layer *layer;
	struct error *err;
};

/* One file of the patch: before, after, and as it is in the tree. */
struct triple {
	struct tx_file before;
	struct tx_file after;
	struct tx_file ours;
};

static void triple_release(struct triple *t)
{
	tx_file_release(&t->before);
	tx_file_release(&t->after);
	tx_file_release(&t->ours);
}

/* --- the patch ------------------------------------------------------------------------ */

static int read_patch(struct applying *a, struct patch *ret_patch)
{
	const char *file = record_patch_file(a->layer->node);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	struct hash found, recorded;

	if (!file || relpath_parse(view_of(file), &path, a->err) < 0 ||
		transaction_read(a->session->tx, &path, &text, a->err) < 0)
		return -1;
	if (text.kind != TX_FILE) {
		error_set(a->err, ERROR_INVALID, "the patch '%s' is gone", path.text);
		return damage_hint(a->err);
	}
	found = hash_of(view_of_buf(&text.content));
	if (record_patch_hash(a->layer->node, &recorded) && !hash_equal(&recorded, &found)) {
		error_set(a->err, ERROR_INVALID,
			"the patch '%s' is not the one that was recorded", path.text);
		return damage_hint(a->err);
	}
	return patch_parse(view_of_buf(&text.content), path.text, ret_patch, a->err);
}

static enum tx_kind kind_of(enum patch_kind kind)
{
	static const enum tx_kind kinds[] = {
		[PATCH_ABSENT] = TX_ABSENT,
		[PATCH_FILE] = TX_FILE,
		[PATCH_SYMLINK] = TX_SYMLINK,
		[PATCH_ANY] = TX_FILE,
	};

	return kinds[kind];
}

enum side {
	BEFORE,
	AFTER,
};

/* One side as it is kept, by the hash in the state. */
static int read_side(struct applying *a, const struct patch_end *end, enum side side,
	struct tx_file *ret_file)
{
	struct record_part part;
	const struct layer_file *file = side == BEFORE ? &part.before : &part.after;

	ret_file->kind = kind_of(end->kind);
	ret_file->mode = end->executable ? 0755 : 0644;
	if (end->kind == PATCH_ABSENT)
		return 0;
	record_part(a->layer->node, relpath_view(&end->path), &part);
	if (file->kind == TX_ABSENT)
		return error_set(a->err, ERROR_INVALID,
			"patch '%s': what '%s' was before and after is not recorded",
			a->layer->name, end->path.text);
	if (recorded_find_content(
		    a->session, &end->path, &file->hash, &ret_file->content, a->err) < 0)
		return damage_hint(a->err);
	return 0;
}

/*
 * A patch of v0.1, which kept no contents: it fits exactly, or it is there
 * already, or it cannot be applied.
 */
static int fit_exactly(struct applying *a, const struct patch_change *change, struct triple *t)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(patch_file_release) struct patch_file other = PATCH_FILE_INIT;
	struct patch_side ours = custom_side(&t->ours);
	struct tx_file *same_as_ours = &t->before, *changed = &t->after;

	if (patch_apply(change, PATCH_FORWARD, &ours, &other, &local) < 0) {
		CLEANUP(error_release) struct error second = ERROR_INIT;

		if (patch_apply(change, PATCH_REVERSE, &ours, &other, &second) < 0)
			return error_set(a->err, ERROR_INVALID, "patch '%s' does not fit: %s",
				a->layer->name, local.message);
		same_as_ours = &t->after;
		changed = &t->before;
	}
	same_as_ours->kind = t->ours.kind;
	same_as_ours->mode = t->ours.mode;
	buf_append(&same_as_ours->content, t->ours.content.data, t->ours.content.len);
	changed->kind = kind_of(other.kind);
	changed->mode = other.executable ? 0755 : 0644;
	buf_append(&changed->content, other.content.data, other.content.len);
	return 0;
}

/* What comes out of the patch itself, where its contents are not kept: on another machine. */
static int make_after(struct applying *a, const struct patch_change *change, struct triple *t)
{
	CLEANUP(patch_file_release) struct patch_file made = PATCH_FILE_INIT;
	struct patch_side before = custom_side(&t->before);

	if (patch_apply(change, PATCH_FORWARD, &before, &made, a->err) < 0)
		return error_prefix(a->err, "patch '%s'", a->layer->name);
	t->after.kind = kind_of(made.kind);
	t->after.mode = made.executable ? 0755 : 0644;
	buf_append(&t->after.content, made.content.data, made.content.len);
	return 0;
}

/* In a replay, for the entry that takes the place of one of v0.1. */
static int keep_side(struct applying *a, const struct patch_end *end, enum side side,
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

static int read_sides(struct applying *a, const struct patch_change *change, struct triple *t)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	struct applying try = {a->session, a->layer, &missing};

	if (!record_part_count(a->layer->node)) {
		if (fit_exactly(a, change, t) < 0 ||
			keep_side(a, &change->old, BEFORE, &t->before) < 0)
			return -1;
		return keep_side(a, &change->new, AFTER, &t->after);
	}
	if (read_side(a, &change->old, BEFORE, &t->before) < 0)
		return -1;
	if (read_side(&try, &change->new, AFTER, &t->after) == 0)
		return 0;
	buf_clear(&t->after.content);
	return make_after(a, change, t);
}

/* --- one change -------------------------------------------------------------------------- */

static void note(struct applying *a, const struct relpath *path, enum file_outcome outcome)
{
	session_note_file(a->session, path, a->layer->name, outcome);
}

static int put(struct applying *a, const struct relpath *path, const struct tx_file *file)
{
	struct transaction *tx = a->session->tx;

	if (file->kind == TX_SYMLINK)
		return transaction_put_link(tx, path, view_of_buf(&file->content), a->err);
	return transaction_put(tx, path, view_of_buf(&file->content), file->mode, a->err);
}

static int in_the_way(struct applying *a, const struct relpath *path)
{
	error_set(a->err, ERROR_INVALID,
		"'%s' is not what patch '%s' was made for, and cannot be merged with it",
		path->text, a->layer->name);
	return error_hint(a->err, "move it away first");
}

/* What the state says about these files stays as it is, however that is settled. */
static void record_apart(struct session *s, size_t first)
{
	for (size_t i = first; i < s->result->conflict_count; i++)
		s->result->conflicts[i].recorded_apart = true;
}

static int merge(struct applying *a, const struct relpath *path, struct triple *t)
{
	CLEANUP(buf_release) struct buf there = BUF_INIT;
	char label[] = "before your change";
	struct ancestor ancestor = {.file = t->before, .label = label};
	size_t conflicts = a->session->result->conflict_count;
	struct layer_file merged;
	struct file_merge m = {
		.session = a->session,
		.skill = a->layer->name,
		.version = "",
		.path = path,
		.ours = &t->ours,
		.ancestor = &ancestor,
		.theirs = view_of_buf(&t->after.content),
		.theirs_mode = t->after.mode,
	};

	if (t->ours.kind != TX_FILE || t->after.kind != TX_FILE || t->before.kind == TX_SYMLINK)
		return in_the_way(a, path);
	if (t->before.kind == TX_FILE && !merge_is_binary(view_of_buf(&t->ours.content)) &&
		custom_there(view_of_buf(&t->before.content), view_of_buf(&t->after.content),
			view_of_buf(&t->ours.content), &there, a->err) < 0)
		return -1;
	if (there.len) {
		buf_release(&t->before.content);
		t->before.content = there;
		there = BUF_INIT;
		ancestor.file = t->before;
	}
	if (file_merge(&m, &merged, a->err) < 0)
		return -1;
	record_apart(a->session, conflicts);
	return 0;
}

/* A file that the patch deletes and that has other changes: to be decided. */
static int leave_open(struct applying *a, const struct relpath *path, const struct triple *t)
{
	if (put(a, path, &t->ours) < 0)
		return -1;
	session_add_conflict(a->session, (struct conflict){
						 .kind = CONFLICT_DELETE,
						 .path = relpath_copy(path),
						 .skill = xstrdup(a->layer->name),
						 .recorded_apart = true,
					 });
	note(a, path, OUTCOME_DECISION);
	return 0;
}

static int delete_file(struct applying *a, const struct relpath *path, const struct triple *t)
{
	if (t->ours.kind == TX_ABSENT) {
		note(a, path, OUTCOME_SAME);
		return 0;
	}
	if (t->ours.kind != TX_FILE && t->ours.kind != TX_SYMLINK)
		return in_the_way(a, path);
	if (!tx_file_equal(&t->ours, &t->before) && !a->session->restaged)
		return leave_open(a, path, t);
	note(a, path, OUTCOME_DELETED);
	return transaction_remove(a->session->tx, path, a->err);
}

/* Nothing but the patch has changed the file, or it is there already, or it is gone. */
static int put_whole(
	struct applying *a, const struct relpath *path, const struct triple *t, bool *ret_done)
{
	*ret_done = true;
	if (tx_file_equal(&t->ours, &t->after)) {
		note(a, path, OUTCOME_SAME);
		return 0;
	}
	if (tx_file_equal(&t->ours, &t->before)) {
		note(a, path, t->before.kind == TX_ABSENT ? OUTCOME_ADDED : OUTCOME_MERGED);
		return put(a, path, &t->after);
	}
	if (t->ours.kind == TX_ABSENT) {
		note(a, path, OUTCOME_RESTORED);
		return put(a, path, &t->after);
	}
	if (a->session->restaged &&
		(t->before.kind == TX_SYMLINK || t->after.kind == TX_SYMLINK))
		return put(a, path, &t->after);
	*ret_done = false;
	return 0;
}

/* Bring the file to its new name first; then there is only its content to change. */
static int rename_file(struct applying *a, const struct relpath *from, const struct relpath *to,
	struct triple *t)
{
	CLEANUP(tx_file_release) struct tx_file target = TX_FILE_INIT;
	struct transaction *tx = a->session->tx;

	if (t->ours.kind == TX_ABSENT)
		return transaction_read(tx, to, &t->ours, a->err);
	if (transaction_read(tx, to, &target, a->err) < 0)
		return -1;
	if (target.kind != TX_ABSENT || (t->ours.kind != TX_FILE && t->ours.kind != TX_SYMLINK))
		return in_the_way(a, to);
	session_note_rename(a->session, from, to, a->layer->name);
	if (put(a, to, &t->ours) < 0)
		return -1;
	return transaction_remove(tx, from, a->err);
}

/* Where a file of the patch is now, if a skill that had renamed it is gone since. */
static struct relpath find_moved(struct applying *a, const struct relpath *path)
{
	CLEANUP(relpath_release) struct relpath name = record_moved(a->layer->node, path);

	return a->session->restaged ? layer_name_at(a->session->restaged, a->layer, &name)
				    : relpath_copy(&name);
}

/* When layers are staged again: was the file not given up since? */
static bool is_wanted(struct applying *a, const struct relpath *path, bool puts)
{
	struct layer_file then;

	return !a->session->restaged || !puts ||
	       !layer_get(a->layer, relpath_view(path), &then) || then.kind != TX_ABSENT;
}

/* When layers are staged again: has the file a conflict that nobody knows how to settle? */
static bool is_lost(const struct applying *a, const struct relpath *path)
{
	const struct apply_result *result = a->session->result;

	for (size_t i = 0; a->session->restaged && i < result->conflict_count; i++)
		if (relpath_compare(&result->conflicts[i].path, path) == 0)
			return true;
	return false;
}

static int apply_change(struct applying *a, const struct patch_change *change)
{
	CLEANUP(triple_release)
	struct triple t = {TX_FILE_INIT, TX_FILE_INIT, TX_FILE_INIT};
	bool renames = patch_is_rename(change);
	CLEANUP(relpath_release)
	struct relpath first = find_moved(
		a, change->old.kind == PATCH_ABSENT ? &change->new.path : &change->old.path);
	CLEANUP(relpath_release)
	struct relpath path = session_resolve(a->session, renames ? &change->new.path : &first);
	bool done;

	if (!is_wanted(a, &path, change->new.kind != PATCH_ABSENT))
		return 0;
	if (transaction_read(a->session->tx, renames ? &first : &path, &t.ours, a->err) < 0)
		return -1;
	if (renames && rename_file(a, &first, &path, &t) < 0)
		return -1;
	if (is_lost(a, &path))
		return 0;
	if (read_sides(a, change, &t) < 0)
		return -1;
	if (change->new.kind == PATCH_ABSENT)
		return delete_file(a, &path, &t);
	if (put_whole(a, &path, &t, &done) < 0)
		return -1;
	return done ? 0 : merge(a, &path, &t);
}

int custom_apply(struct session *s, const struct layer *layer, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	struct applying a = {s, layer, err};

	if (layer->baked)
		return part_stage_all(s, layer, err);
	if (read_patch(&a, &patch) < 0)
		return -1;
	for (size_t i = 0; i < patch.count; i++)
		if (apply_change(&a, &patch.changes[i]) < 0)
			return -1;
	return 0;
}

/* --- the command ------------------------------------------------------------------ */

static int finish_or_pause(struct session *s, struct error *err)
{
	CLEANUP(string_array_release) struct string_array all = {0};

	for (size_t i = 0; i < s->state.skill_count; i++)
		string_array_add(&all, s->state.skills[i].name);
	s->only_tests = true;
	if (s->options->dry_run)
		return finish_dry(s, &all, err);
	if (s->result->conflict_count)
		return finish_paused(s,
			&(struct pending){.operation = CUSTOM_APPLY_OPERATION, .skills = all},
			err);
	return finish(s, &all, err);
}

int custom_apply_named(const struct project *project, const char *name,
	const struct apply_options *options, struct apply_result *ret_result, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
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
	return finish_or_pause(&s, err);
}
