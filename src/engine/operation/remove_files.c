/*
 * The files of skills that are removed: as they come out without them (thread.h), brought into
 * the tree.
 *
 * Where a file cannot be made so, or would lose a line that a person wrote to settle a
 * conflict, the changes of the skill are merged out of the file as it is.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/conflict/file_merge.h"
#include "engine/disk/tx_file.h"
#include "engine/operation/internal.h"
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

/* One file on its way. */
struct file {
	struct removal *removal;
	struct relpath then; /* its name in the tree */
	struct relpath name; /* and without the skills */
	const char *skill;   /* whose file it is, for messages */
	struct thread thread;
	struct tx_file was; /* as recorded */
	struct tx_file tree;
	struct tx_file now; /* as it comes out */
};

static void file_release(struct file *f)
{
	relpath_release(&f->then);
	relpath_release(&f->name);
	thread_release(&f->thread);
	tx_file_release(&f->was);
	tx_file_release(&f->tree);
	tx_file_release(&f->now);
}

static void note(struct file *f, const struct relpath *path, enum file_outcome outcome)
{
	session_note_file(f->removal->session, path, f->skill, outcome);
}

static int put(struct file *f, const struct relpath *path, const struct tx_file *file)
{
	return tx_file_stage_over(
		f->removal->session->tx, path, file, &f->tree, f->removal->err);
}

static int take_away(struct file *f, const struct relpath *path)
{
	struct removal *r = f->removal;

	if (transaction_remove(r->session->tx, path, r->err) < 0)
		return -1;
	return session_prune_above(r->session, path, r->err);
}

/* --- what the person changed ------------------------------------------------------------ */

static int in_the_way(struct file *f, const struct relpath *path)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	error_set(f->removal->err, ERROR_INVALID,
		"%s is not as it is recorded, and cannot be merged with what comes back",
		shown);
	return error_hint(f->removal->err, "move it away first");
}

/* `apart`: the state has what it should, whatever the answer is. */
static int ask_to_delete(struct file *f, bool apart, bool *ret_delete, bool *ret_open)
{
	static const char *const choices[] = {"keep it", "delete it, with your changes"};
	struct session *s = f->removal->session;
	const struct ask *ask = &s->options->ask;
	CLEANUP(freep)
	char *question = xasprintf(
		"'%s' goes with skill '%s', and you have changed it.", f->then.text, f->skill);
	int answer;

	*ret_delete = false;
	*ret_open = !ask->in_person;
	if (*ret_open) {
		session_add_conflict(s, (struct conflict){
						.kind = CONFLICT_DELETE,
						.path = relpath_copy(&f->then),
						.skill = xstrdup(f->skill),
						.recorded_apart = apart,
					});
		note(f, &f->then, OUTCOME_DECISION);
		/* Abort can bring it back as it is. */
		return put(f, &f->then, &f->tree);
	}
	answer = ask->choose(
		ask->data, question, choices, ARRAY_SIZE(choices), 0, f->removal->err);
	*ret_delete = answer > 0;
	return answer < 0 ? -1 : 0;
}

static int decide(struct file *f)
{
	bool deleted, open;

	if (ask_to_delete(f, true, &deleted, &open) < 0)
		return -1;
	if (open)
		return 0;
	note(f, &f->then, deleted ? OUTCOME_REMOVED : OUTCOME_KEPT);
	return deleted ? take_away(f, &f->then) : 0;
}

/* Bring the person's changes over to the file as it comes out. */
static int merge_changes(struct file *f)
{
	char label[] = "as recorded";
	struct ancestor ancestor = {.file = f->was, .label = label};
	struct session *s = f->removal->session;
	size_t conflicts = s->result->conflict_count;
	bool drift_left = s->drift_left;
	struct layer_file merged;
	struct file_merge m = {
		.session = s,
		.skill = f->skill,
		.version = "",
		.path = &f->name,
		.ours = &f->tree,
		.ancestor = &ancestor,
		.theirs = view_of_buf(&f->now.content),
		.theirs_mode = f->now.mode,
	};
	int failed;

	if (f->tree.kind != TX_FILE || f->now.kind != TX_FILE || f->was.kind == TX_SYMLINK)
		return in_the_way(f, &f->name);
	s->drift_left = false;
	failed = file_merge(&m, &merged, f->removal->err);
	s->drift_left = drift_left;
	/* The state has what it should, however that is settled. */
	for (size_t i = conflicts; i < s->result->conflict_count; i++)
		s->result->conflicts[i].recorded_apart = true;
	return failed;
}

/* --- a file as it comes out --------------------------------------------------------------- */

/* Was it there before a skill that is removed added the same? */
static bool was_found(const struct file *f)
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

/* The layer that has it is left, and what it was a change of is gone. */
static int decide_lost(struct file *f)
{
	bool deleted, open;

	if (ask_to_delete(f, false, &deleted, &open) < 0)
		return -1;
	for (size_t i = 0; i < f->thread.count; i++) {
		f->thread.links[i].state = LINK_MADE;
		if (deleted)
			f->thread.links[i].now.kind = TX_ABSENT;
	}
	if (open)
		return 0;
	note(f, &f->then, deleted ? OUTCOME_REMOVED : OUTCOME_KEPT);
	return deleted ? take_away(f, &f->then) : 0;
}

static int place_in_place(struct file *f)
{
	if (!tx_file_equal(&f->tree, &f->was)) {
		if (tx_file_equal(&f->tree, &f->now) || tx_file_equal(&f->was, &f->now) ||
			f->tree.kind == TX_ABSENT)
			return 0;
		return f->now.kind == TX_ABSENT ? decide(f) : merge_changes(f);
	}
	if (tx_file_equal(&f->tree, &f->now))
		return 0;
	if (f->now.kind == TX_ABSENT && was_found(f)) {
		note(f, &f->then, OUTCOME_KEPT);
		return 0;
	}
	if (f->now.kind == TX_ABSENT) {
		note(f, &f->then, OUTCOME_REMOVED);
		return take_away(f, &f->then);
	}
	note(f, &f->then, f->tree.kind == TX_ABSENT ? OUTCOME_RESTORED : OUTCOME_MERGED);
	return put(f, &f->then, &f->now);
}

/* The file gets back the name that it had; `*ret_gone`: there is none to rename. */
static int rename_back(struct file *f, bool *ret_gone)
{
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct removal *r = f->removal;

	*ret_gone = f->tree.kind == TX_ABSENT;
	if (transaction_read(r->session->tx, &f->name, &there, r->err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return in_the_way(f, &f->name);
	if (*ret_gone)
		return 0;
	session_note_rename(r->session, &f->then, &f->name, f->skill);
	if (take_away(f, &f->then) < 0)
		return -1;
	return put(f, &f->name, &f->tree);
}

static int place(struct file *f)
{
	bool gone;

	if (f->thread.lost < f->thread.count)
		return decide_lost(f);
	if (relpath_compare(&f->then, &f->name) == 0 || f->now.kind == TX_ABSENT)
		return place_in_place(f);
	if (rename_back(f, &gone) < 0)
		return -1;
	if (gone || tx_file_equal(&f->was, &f->now))
		return 0;
	return tx_file_equal(&f->tree, &f->was) ? put(f, &f->name, &f->now) : merge_changes(f);
}

/* --- a file that has to be taken as it is ----------------------------------------- */

static int refuse(const struct file *f)
{
	const struct string_array *names = &f->removal->drop->skills;
	struct error *err = f->removal->err;

	error_set(err, ERROR_FAILED, "the changes to '%s' cannot be told apart all at once",
		f->name.text);
	if (names->count < 2)
		return -1;
	return error_hint(
		err, "remove '%s' first, and then the others", names->list[names->count - 1]);
}

/* The part of a skill may have lines that a person wrote: then its package counts. */
static int read_sides(struct file *f, size_t link, struct tx_file *ret_base,
	struct tx_file *ret_want, bool *ret_known)
{
	struct error *err = f->removal->err;
	bool loses = false;

	if (thread_sides(&f->thread, link, false, ret_base, ret_want, ret_known, err) < 0)
		return -1;
	if (!*ret_known)
		return 0;
	if (thread_loses_settled(&f->thread, view_of_buf(&ret_want->content),
		    view_of_buf(&ret_base->content), &loses, err) < 0)
		return -1;
	if (!loses)
		return 0;
	tx_file_release(ret_base);
	tx_file_release(ret_want);
	*ret_base = *ret_want = TX_FILE_INIT;
	return thread_sides(&f->thread, link, true, ret_base, ret_want, ret_known, err);
}

static int merge_out(struct file *f, size_t link, struct layer_file *merged)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file with = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;
	const struct layer *layer = &f->thread.layers->list[f->thread.links[link].layer];
	CLEANUP(freep) char *label = xasprintf("with %s", layer->name);
	struct session *s = f->removal->session;
	bool drift_left = s->drift_left, known;
	struct ancestor ancestor;
	int failed;

	if (read_sides(f, link, &without, &with, &known) < 0)
		return -1;
	if (!known || tx_file_same(&with, &without))
		return 0;
	if (transaction_read(s->tx, &f->name, &ours, f->removal->err) < 0)
		return -1;
	ancestor = (struct ancestor){.file = with, .label = label};
	s->drift_left = false;
	failed = file_merge(
		&(struct file_merge){
			.session = s,
			.skill = stack_drop_subject(f->removal->drop),
			.version = "",
			.path = &f->name,
			.ours = &ours,
			.ancestor = &ancestor,
			.theirs = view_of_buf(&without.content),
			.theirs_mode = without.kind == TX_FILE ? without.mode : with.mode,
		},
		merged, f->removal->err);
	s->drift_left = drift_left;
	return failed;
}

/* Each layer gets its part of what came out, where that can be told. */
static int settle(struct file *f, const struct layer_file *merged)
{
	CLEANUP(error_release) struct error lost = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file wanted = TX_FILE_INIT;
	struct removal *r = f->removal;

	wanted.kind = merged->kind;
	wanted.mode = merged->executable ? 0755 : 0644;
	if (!thread_is_known(&f->thread) || structured_format_of(f->name.text) ||
		recorded_find_content(
			r->session, &f->name, &merged->hash, &wanted.content, &lost) < 0)
		return thread_mark_unsplit(&f->thread, r->drop, r->err);
	if (thread_carry(&f->thread, r->err) < 0 ||
		thread_settle(&f->thread, &wanted, r->err) < 0)
		return -1;
	return thread_store(&f->thread, r->drop, r->err);
}

/* The last layer first. After a conflict nothing more can be merged out. */
static int merge_all_out(struct file *f)
{
	const struct apply_result *result = f->removal->session->result;
	size_t conflicts = result->conflict_count;
	struct layer_file merged = layer_file_of(&f->tree);
	bool gone;

	if (f->tree.kind != TX_FILE)
		return refuse(f);
	if (relpath_compare(&f->then, &f->name) != 0 && rename_back(f, &gone) < 0)
		return -1;
	for (size_t i = f->thread.count; i > 0; i--) {
		if (!f->thread.links[i - 1].dropped)
			continue;
		if (result->conflict_count > conflicts)
			return refuse(f);
		if (merge_out(f, i - 1, &merged) < 0)
			return -1;
	}
	if (layers_note(&f->removal->session->state, "", relpath_view(&f->name), &merged,
		    f->removal->err) < 0)
		return -1;
	if (result->conflict_count > conflicts)
		return thread_mark_unsplit(&f->thread, f->removal->drop, f->removal->err);
	return settle(f, &merged);
}

/* --- all of them ------------------------------------------------------------------ */

/* The last of the skills that had to do with the file, for messages. */
static const char *find_skill(const struct file *f)
{
	const struct thread *t = &f->thread;

	for (size_t i = t->count; i > 0; i--) {
		const struct layer *layer = &t->layers->list[t->links[i - 1].layer];

		if (t->links[i - 1].dropped && !f->removal->drop->one_patch)
			return layer->kind == LAYER_SKILL ? layer->name : layer->skill;
	}
	return stack_drop_subject(f->removal->drop);
}

/* Entries of v0.1 do not say what a skill made of which file. */
static int check_entries(const struct file *f)
{
	const struct thread *t = &f->thread;

	for (size_t i = 0; i < t->count; i++) {
		const struct layer *layer = &t->layers->list[t->links[i].layer];

		if (layer->kind != LAYER_SKILL || layer_is_complete(layer))
			continue;
		error_set(f->removal->err, ERROR_INVALID,
			"the files of skill '%s', as it was applied, are not kept",
			layer->name);
		return error_hint(f->removal->err,
			"nothing was changed; 'nanoclaw replay' takes them from its package, if "
			"that is still there");
	}
	return 0;
}

static int open_file(struct file *f, struct removal *r, const char *top)
{
	const struct stack_drop *drop = r->drop;

	*f = (struct file){
		.removal = r,
		.then = layer_known_path(top),
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
	if (check_entries(f) < 0 ||
		recorded_read(r->session, &r->recorded, &f->then, &f->was, r->err) < 0)
		return -1;
	/* The last: what is changed is what was read. */
	return transaction_read(r->session->tx, &f->then, &f->tree, r->err);
}

static bool has_patch(const struct thread *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->layers->list[t->links[i].layer].kind == LAYER_PATCH)
			return true;
	return false;
}

/* It comes out without the entries that skills have in it; they are brought in again. */
static void forget_entries(struct file *f)
{
	yaml_remove(structured_files(&f->removal->session->state), f->then.text);
}

/* Can it be made, with all that a person wrote? */
static int make_file(struct file *f, bool *ret_made)
{
	bool loses = false, is_structured;

	*ret_made = false;
	/* What is recorded of a structured file has the entries of all skills in it. */
	is_structured = structured_format_of(f->then.text);
	if (is_structured)
		f->thread.rule = THREAD_AUTHORS_ONLY;
	if (is_structured && has_patch(&f->thread))
		return 0;
	if (thread_carry(&f->thread, f->removal->err) < 0)
		return -1;
	if (f->thread.stuck < f->thread.count)
		return 0;
	tx_file_copy(thread_top(&f->thread), &f->now);
	if (f->thread.lost == f->thread.count && !is_structured && f->was.kind == TX_FILE &&
		f->tree.kind == TX_FILE && f->now.kind == TX_FILE &&
		thread_loses_settled(&f->thread, view_of_buf(&f->was.content),
			view_of_buf(&f->now.content), &loses, f->removal->err) < 0)
		return -1;
	*ret_made = !loses;
	if (is_structured && *ret_made)
		forget_entries(f);
	return 0;
}

static int by_name_now(const void *a, const void *b, void *data)
{
	const struct stack_drop *drop = data;
	size_t top = drop->layers.count;
	CLEANUP(relpath_release) struct relpath x = layer_known_path(*(char *const *)a);
	CLEANUP(relpath_release) struct relpath y = layer_known_path(*(char *const *)b);
	CLEANUP(relpath_release) struct relpath x_now = stack_drop_name_now(drop, top, &x);
	CLEANUP(relpath_release) struct relpath y_now = stack_drop_name_now(drop, top, &y);

	return relpath_compare(&x_now, &y_now);
}

int remove_stage_files(struct session *s, struct stack_drop *drop,
	struct string_array *ret_handled, struct error *err)
{
	CLEANUP(string_array_release) struct string_array tops = {0};
	CLEANUP(string_array_release) struct string_array hard = {0};
	struct removal r = {.session = s, .drop = drop, .err = err};
	int failed = recorded_collect(&drop->before, &r.recorded, err) < 0;

	for (size_t i = 0; i < drop->layers.count; i++)
		if (stack_drop_has(drop, &drop->layers.list[i]))
			thread_tops(&drop->layers, i, &tops);
	string_array_sort_once(&tops);
	if (tops.count)
		qsort_r(tops.list, tops.count, sizeof(*tops.list), by_name_now, drop);
	for (size_t i = 0; i < tops.count && !failed; i++) {
		struct file f;
		bool made = false;

		failed = open_file(&f, &r, tops.list[i]) < 0 || make_file(&f, &made) < 0;
		if (!failed && !made)
			string_array_add(&hard, tops.list[i]);
		if (!failed && made)
			failed = place(&f) < 0 || thread_store(&f.thread, drop, err) < 0;
		string_array_add(ret_handled, f.name.text);
		file_release(&f);
	}
	for (size_t i = 0; i < hard.count && !failed; i++) {
		struct file f;

		failed = open_file(&f, &r, hard.list[i]) < 0 || merge_all_out(&f) < 0;
		file_release(&f);
	}
	recorded_release(&r.recorded);
	return failed ? -1 : 0;
}
