#include "engine/operation/remove_files.h"

#include <stdlib.h>
#include <string.h>

#include "engine/conflict/file_merge.h"
#include "engine/disk/tx_file.h"
#include "engine/package/structured_format.h"
#include "engine/session/recorded.h"
#include "engine/stack/thread.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "engine/structured/structured_state.h"

struct removal {
	struct session *session;
	struct stack_drop *drop;
	struct recorded recorded; /* as it was before */
	struct error *err;
};

/* A file without the removed skills. */
struct removed_file {
	struct removal *removal;
	struct relpath then; /* its name in the tree */
	struct relpath name; /* and without the skills */
	const char *skill;   /* whose file it is, for messages */
	struct thread thread;
	struct tx_file was; /* as recorded */
	struct tx_file tree;
	struct tx_file now; /* as it comes out */
};

static void removed_file_release(struct removed_file *f)
{
	relpath_release(&f->then);
	relpath_release(&f->name);
	thread_release(&f->thread);
	tx_file_release(&f->was);
	tx_file_release(&f->tree);
	tx_file_release(&f->now);
}

static void note_outcome(
	struct removed_file *f, const struct relpath *path, enum file_outcome outcome)
{
	session_note_file(f->removal->session, path, f->skill, outcome);
}

static int stage_file(
	struct removed_file *f, const struct relpath *path, const struct tx_file *file)
{
	return tx_file_stage_over(
		f->removal->session->tx, path, file, &f->tree, f->removal->err);
}

static int stage_deletion(struct removed_file *f, const struct relpath *path)
{
	struct removal *r = f->removal;

	if (transaction_remove(r->session->tx, path, r->err) < 0)
		return -1;
	return session_prune_above(r->session, path, r->err);
}

/* --- edits of the person ---------------------------------------------------------------- */

static int refuse_edited(struct removed_file *f, const struct relpath *path)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	error_set(f->removal->err, ERROR_INVALID,
		"%s is not as recorded, and cannot be merged with the file that comes back",
		shown);
	return error_hint(f->removal->err, "move it away first");
}

/*
 * Removing the skill would delete a file that the person edited: ask them, or leave it to
 * them. `lost`: a layer that stays has the file, and what it was a change of is gone.
 */
static int decide_deletion(struct removed_file *f, bool lost)
{
	static const char *const choices[] = {"keep it", "delete it, with your changes"};
	struct session *s = f->removal->session;
	const struct ask *ask = &s->options->ask;
	CLEANUP(freep)
	char *question = xasprintf("Removing skill '%s' would delete '%s', which you edited.",
		f->skill, f->then.text);
	int answer = 0;

	if (ask->in_person)
		answer = ask->choose(
			ask->data, question, choices, ARRAY_SIZE(choices), 0, f->removal->err);
	if (answer < 0)
		return -1;
	for (size_t i = 0; lost && i < f->thread.count; i++) {
		f->thread.parts[i].state = PART_MADE;
		if (answer)
			f->thread.parts[i].now.kind = TX_ABSENT;
	}
	if (ask->in_person) {
		note_outcome(f, &f->then, answer ? OUTCOME_REMOVED : OUTCOME_KEPT);
		return answer ? stage_deletion(f, &f->then) : 0;
	}
	session_add_conflict(s, (struct conflict){
					.kind = CONFLICT_DELETE,
					.path = relpath_copy(&f->then),
					.skill = xstrdup(f->skill),
					.recorded_apart = !lost,
				});
	note_outcome(f, &f->then, OUTCOME_DECISION);
	/* So that abort can restore it. */
	return stage_file(f, &f->then, &f->tree);
}

/* Merge into the tree's file, including its unrecorded changes. */
static int merge_tree(struct session *s, const struct file_merge *merge,
	struct layer_file *ret_merged, struct error *err)
{
	bool drift_left = s->drift_left;
	int failed;

	s->drift_left = false;
	failed = file_merge(merge, ret_merged, err);
	s->drift_left = drift_left;
	return failed;
}

/* Merge the person's changes into the file as it comes out. */
static int merge_changes(struct removed_file *f)
{
	char label[] = "as recorded";
	struct ancestor ancestor = {.file = f->was, .label = label};
	struct session *s = f->removal->session;
	struct operation_result *result = s->result;
	size_t conflicts = result->conflict_count;
	struct layer_file merged;
	struct file_merge merge = {
		.session = s,
		.skill = f->skill,
		.version = "",
		.path = &f->name,
		.ours = &f->tree,
		.ancestor = &ancestor,
		.theirs = view_of_buf(&f->now.content),
		.theirs_mode = f->now.mode,
		.without = true,
	};

	if (f->tree.kind != TX_FILE || f->now.kind != TX_FILE || f->was.kind == TX_SYMLINK)
		return refuse_edited(f, &f->name);
	if (merge_tree(s, &merge, &merged, f->removal->err) < 0)
		return -1;
	/* The record is already right, however these conflicts are resolved. */
	for (size_t i = conflicts; i < result->conflict_count; i++)
		result->conflicts[i].recorded_apart = true;
	return 0;
}

/* --- a file that was carried -------------------------------------------------------------- */

/* Did it exist before a removed skill added the same file? */
static bool was_found(const struct removed_file *f)
{
	const struct stack_drop *drop = f->removal->drop;

	for (size_t i = 0; i < drop->skills.count; i++) {
		const struct applied_skill *skill =
			state_find(&drop->before, drop->skills.list[i]);

		if (record_lists(skill->node, RECORD_FOUND, relpath_view(&f->then)))
			return true;
	}
	return false;
}

/* Give the file back its old name, if there is a file. */
static int rename_back(struct removed_file *f)
{
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct removal *r = f->removal;

	if (transaction_read(r->session->tx, &f->name, &there, r->err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return refuse_edited(f, &f->name);
	if (f->tree.kind == TX_ABSENT)
		return 0;
	session_note_rename(r->session, &f->then, &f->name, f->skill);
	if (stage_deletion(f, &f->then) < 0)
		return -1;
	return stage_file(f, &f->name, &f->tree);
}

static int place_file(struct removed_file *f)
{
	bool renamed = relpath_compare(&f->then, &f->name) != 0;
	bool edited = !tx_file_equal(&f->tree, &f->was);

	if (f->thread.lost < f->thread.count)
		return decide_deletion(f, true);
	if (renamed && f->now.kind != TX_ABSENT) {
		if (rename_back(f) < 0)
			return -1;
		if (f->tree.kind == TX_ABSENT || tx_file_equal(&f->was, &f->now))
			return 0;
		return edited ? merge_changes(f) : stage_file(f, &f->name, &f->now);
	}
	if (tx_file_equal(&f->tree, &f->now) ||
		(edited && (tx_file_equal(&f->was, &f->now) || f->tree.kind == TX_ABSENT)))
		return 0;
	if (edited)
		return f->now.kind == TX_ABSENT ? decide_deletion(f, false) : merge_changes(f);
	if (f->now.kind == TX_ABSENT && was_found(f)) {
		note_outcome(f, &f->then, OUTCOME_KEPT);
		return 0;
	}
	if (f->now.kind == TX_ABSENT) {
		note_outcome(f, &f->then, OUTCOME_REMOVED);
		return stage_deletion(f, &f->then);
	}
	note_outcome(
		f, &f->then, f->tree.kind == TX_ABSENT ? OUTCOME_RESTORED : OUTCOME_MERGED);
	return stage_file(f, &f->then, &f->now);
}

/* --- a file that the skills are merged out of ---------------------------------------------- */

static int refuse_several(const struct removed_file *f)
{
	const struct string_array *names = &f->removal->drop->skills;
	struct error *err = f->removal->err;

	error_set(err, ERROR_FAILED, "the changes to '%s' cannot be separated all at once",
		f->name.text);
	if (names->count < 2)
		return -1;
	return error_hint(
		err, "remove '%s' first, and then the others", names->list[names->count - 1]);
}

/* The recorded part of a skill may have lines that a person wrote: then its package counts. */
static int read_sides(struct removed_file *f, size_t part, struct tx_file *ret_base,
	struct tx_file *ret_want, bool *ret_known)
{
	struct error *err = f->removal->err;
	bool loses = false;

	if (thread_sides(&f->thread, part, false, ret_base, ret_want, ret_known, err) < 0)
		return -1;
	if (*ret_known && thread_loses_resolved(&f->thread, view_of_buf(&ret_want->content),
				  view_of_buf(&ret_base->content), &loses, err) < 0)
		return -1;
	if (!loses)
		return 0;
	tx_file_release(ret_base);
	tx_file_release(ret_want);
	*ret_base = *ret_want = TX_FILE_INIT;
	return thread_sides(&f->thread, part, true, ret_base, ret_want, ret_known, err);
}

static int merge_out(struct removed_file *f, size_t part, struct layer_file *merged)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file with = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;
	const struct layer *layer = &f->thread.layers->list[f->thread.parts[part].layer];
	CLEANUP(freep) char *label = xasprintf("with %s", layer->name);
	struct session *s = f->removal->session;
	struct ancestor ancestor;
	bool known;

	if (read_sides(f, part, &without, &with, &known) < 0)
		return -1;
	if (!known || tx_file_same(&with, &without))
		return 0;
	if (transaction_read(s->tx, &f->name, &ours, f->removal->err) < 0 ||
		recorded_keep_file(s, &without, f->removal->err) < 0)
		return -1;
	ancestor = (struct ancestor){.file = with, .label = label};
	return merge_tree(s,
		&(struct file_merge){
			.session = s,
			.skill = stack_drop_subject(f->removal->drop),
			.version = "",
			.path = &f->name,
			.ours = &ours,
			.ancestor = &ancestor,
			.theirs = view_of_buf(&without.content),
			.theirs_mode = without.kind == TX_FILE ? without.mode : with.mode,
			.without = true,
		},
		merged, f->removal->err);
}

/* The last layer first. After a conflict nothing more can be merged out. */
static int merge_all_out(struct removed_file *f)
{
	struct removal *r = f->removal;
	const struct operation_result *result = r->session->result;
	size_t conflicts = result->conflict_count;
	struct layer_file merged = layer_file_of(&f->tree);
	CLEANUP(error_release) struct error lost = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file wanted = TX_FILE_INIT;

	if (f->tree.kind != TX_FILE)
		return refuse_several(f);
	if (relpath_compare(&f->then, &f->name) != 0 && rename_back(f) < 0)
		return -1;
	for (size_t i = f->thread.count; i > 0; i--) {
		if (!f->thread.parts[i - 1].dropped)
			continue;
		if (result->conflict_count > conflicts)
			return refuse_several(f);
		if (merge_out(f, i - 1, &merged) < 0)
			return -1;
	}
	if (layers_note(&r->session->state, "", relpath_view(&f->name), &merged, r->err) < 0)
		return -1;
	if (result->conflict_count > conflicts)
		return thread_mark_unsplit(&f->thread, r->drop, r->err);
	/* Give each layer its part of the merged file, where the parts can be distinguished. */
	if (!thread_is_known(&f->thread) || structured_format_of(f->name.text) ||
		recorded_find_file(r->session, &f->name, &merged, &wanted, &lost) < 0)
		return thread_mark_unsplit(&f->thread, r->drop, r->err);
	if (thread_carry(&f->thread, r->err) < 0 ||
		thread_split(&f->thread, &wanted, r->err) < 0)
		return -1;
	return thread_store(&f->thread, r->drop, r->err);
}

/* --- all files -------------------------------------------------------------------- */

/* The last removed skill that has the file, for messages. */
static const char *find_skill(const struct removed_file *f)
{
	const struct thread *t = &f->thread;

	for (size_t i = t->count; i > 0; i--) {
		const struct layer *layer = &t->layers->list[t->parts[i - 1].layer];

		if (t->parts[i - 1].dropped && !f->removal->drop->one_patch)
			return layer->kind == LAYER_SKILL ? layer->name : layer->skill;
	}
	return stack_drop_subject(f->removal->drop);
}

static int open_file(struct removed_file *f, struct removal *r, const char *top)
{
	const struct stack_drop *drop = r->drop;

	*f = (struct removed_file){
		.removal = r,
		.then = relpath_of(top),
		.thread = THREAD_INIT,
		.was = TX_FILE_INIT,
		.tree = TX_FILE_INIT,
		.now = TX_FILE_INIT,
	};
	f->name = stack_drop_name_now(drop, drop->layers.count, &f->then);
	if (thread_open(&f->thread, r->session, &r->drop->before, &drop->layers, &f->then,
		    r->err) < 0)
		return -1;
	for (size_t i = 0; i < drop->layers.count; i++)
		if (stack_drop_has(drop, &drop->layers.list[i]))
			thread_drop(&f->thread, i);
	f->skill = find_skill(f);
	for (size_t i = 0; i < f->thread.count; i++) {
		const struct layer *layer = &drop->layers.list[f->thread.parts[i].layer];

		/* Entries of v0.1 do not record the files of a skill. */
		if (layer->kind != LAYER_SKILL || layer_is_complete(layer))
			continue;
		error_set(r->err, ERROR_INVALID, "the applied files of skill '%s' are not kept",
			layer->name);
		return error_hint(r->err,
			"nothing was changed; 'nanoclaw replay' restores them from its package, if "
			"it still exists");
	}
	if (recorded_read(r->session, &r->recorded, &f->then, &f->was, r->err) < 0)
		return -1;
	/* The last: the file that changes is the one that was read. */
	return transaction_read(r->session->tx, &f->then, &f->tree, r->err);
}

/* `*ret_carried` is false if the thread is stuck, or would lose a line of a person's. */
static int carry_file(struct removed_file *f, bool *ret_carried)
{
	struct removal *r = f->removal;
	bool loses = false, is_structured = structured_format_of(f->then.text);

	*ret_carried = false;
	/* The record of a structured file has the entries of all skills in it. */
	if (is_structured)
		f->thread.rule = THREAD_AUTHORS_ONLY;
	for (size_t i = 0; is_structured && i < f->thread.count; i++)
		if (f->thread.layers->list[f->thread.parts[i].layer].kind == LAYER_PATCH)
			return 0;
	if (thread_carry(&f->thread, r->err) < 0)
		return -1;
	if (f->thread.stuck < f->thread.count)
		return 0;
	tx_file_copy(thread_top(&f->thread), &f->now);
	if (f->thread.lost == f->thread.count && !is_structured && f->was.kind == TX_FILE &&
		f->tree.kind == TX_FILE && f->now.kind == TX_FILE &&
		thread_loses_resolved(&f->thread, view_of_buf(&f->was.content),
			view_of_buf(&f->now.content), &loses, r->err) < 0)
		return -1;
	*ret_carried = !loses;
	/* The result has no entries of skills; they are added again later. */
	if (is_structured && *ret_carried)
		yaml_remove(structured_files(&r->session->state), f->then.text);
	return 0;
}

static int by_name_now(const void *a, const void *b, void *data)
{
	const struct stack_drop *drop = data;
	size_t top = drop->layers.count;
	CLEANUP(relpath_release) struct relpath x = relpath_of(*(char *const *)a);
	CLEANUP(relpath_release) struct relpath y = relpath_of(*(char *const *)b);
	CLEANUP(relpath_release) struct relpath x_now = stack_drop_name_now(drop, top, &x);
	CLEANUP(relpath_release) struct relpath y_now = stack_drop_name_now(drop, top, &y);

	return relpath_compare(&x_now, &y_now);
}

int remove_stage_files(struct session *s, struct stack_drop *drop,
	struct string_array *ret_handled, struct error *err)
{
	CLEANUP(string_array_release) struct string_array tops = {0};
	CLEANUP(string_array_release) struct string_array stuck = {0};
	struct removal r = {.session = s, .drop = drop, .err = err};
	int failed = recorded_collect(&drop->before, &r.recorded, err) < 0;

	for (size_t i = 0; i < drop->layers.count; i++)
		if (stack_drop_has(drop, &drop->layers.list[i]))
			thread_tops(&drop->layers, i, &tops);
	string_array_sort_once(&tops);
	if (tops.count)
		qsort_r(tops.list, tops.count, sizeof(*tops.list), by_name_now, drop);
	for (size_t i = 0; i < tops.count && !failed; i++) {
		struct removed_file f;
		bool carried = false;

		failed = open_file(&f, &r, tops.list[i]) < 0 || carry_file(&f, &carried) < 0;
		if (!failed && !carried)
			string_array_add(&stuck, tops.list[i]);
		if (!failed && carried)
			failed = place_file(&f) < 0 || thread_store(&f.thread, drop, err) < 0;
		string_array_add(ret_handled, f.name.text);
		removed_file_release(&f);
	}
	for (size_t i = 0; i < stuck.count && !failed; i++) {
		struct removed_file f;

		failed = open_file(&f, &r, stuck.list[i]) < 0 || merge_all_out(&f) < 0;
		removed_file_release(&f);
	}
	recorded_release(&r.recorded);
	return failed ? -1 : 0;
}
