#include "operation.h"

#include <jansson.h>
#include <string.h>

#include "edit.h"
#include "random.h"
#include "record.h"
#include "text.h"

enum drift_choice { DRIFT_UNSAID, DRIFT_RECORD, DRIFT_CONTINUE, DRIFT_ABORT };

static const char *const drift_options[] = {
	"", " --on-drift record", " --on-drift continue", " --on-drift abort"};

/* An apply under way. */
struct operation {
	struct world *world;
	bool chosen[SKILLS];
	bool done[SKILLS];
	enum drift_choice on_drift;
	bool yes;
	bool dry_run;
	bool failing_test;
	bool customize;
	bool resolver;
	bool ascending; /* the order of the skills on the command line */
	bool settled;   /* a person has settled conflicts */
	bool finished;
	struct ledger saved;   /* before it began */
	struct tree first;     /* the same, the files */
	struct tree start;     /* what abort brings back */
	struct tokens changed; /* paths that it has changed */
	struct tokens drifted; /* paths that had unrecorded changes, and still have them */
	struct tokens conflicts;
	struct tokens decisions; /* those of them that are about a deletion */
	struct tokens resolved;
	char *conflict_skill;
	struct tree renamed; /* the files before the command, under their new names */
	int reached[SKILLS]; /* by the command, in this order */
	size_t reached_count;
};

static void operation_release(struct operation *op)
{
	ledger_release(&op->saved);
	tree_release(&op->first);
	tree_release(&op->start);
	tokens_release(&op->changed);
	tokens_release(&op->drifted);
	tokens_release(&op->conflicts);
	tokens_release(&op->decisions);
	tokens_release(&op->resolved);
	tree_release(&op->renamed);
	free(op->conflict_skill);
}

static void choose_drift(enum drift_choice *choice, bool *yes)
{
	*choice = one_in(8) ? DRIFT_ABORT : below(3);
	*yes = one_in(2);
	if (*choice == DRIFT_UNSAID && one_in(4))
		*yes = true;
}

static bool records(enum drift_choice choice, bool yes)
{
	return choice == DRIFT_RECORD || (choice == DRIFT_UNSAID && yes);
}

/* --- the end of a customizing session ------------------------------------------------ */

static void expect_busy(struct world *w, const char *line)
{
	CLEANUP(command_result_release) struct command_result result = {0};

	world_query(w, line, &result);
	if (!world_failed(w) && result.status != 4)
		world_fail(w, "'%s': exit code %d, not 4", line, result.status);
}

static void check_nothing_lost(struct world *w, const struct tree *before)
{
	const struct tokens none = TOKENS_INIT;

	world_settle_ledger(w, before, &none, &none);
}

static void end_customizing(struct world *w)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree left = TREE_INIT;
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	bool commit = !one_in(4);

	tree_copy(&left, &w->now);
	if (!one_in(6))
		edit_some(w);
	if (one_in(6))
		expect_busy(w, "nanoclaw customize start 'once more'");
	if (world_failed(w))
		return;
	world_run(w, commit ? "nanoclaw customize commit" : "nanoclaw customize abort", &before,
		&result);
	if (world_failed(w))
		return;
	if (result.status)
		world_fail(w, "customize: exit code %d: %s", result.status, result.err.data);
	record_patches(w, &before, &before, &left, NULL);
	check_nothing_lost(w, &before);
}

static bool is_customizing(const struct world *w)
{
	return tree_find(&w->now, ".nanoclaw/customize.yaml");
}

static bool is_refusal(int status, enum drift_choice choice)
{
	return status == 2 || (status == 1 && choice == DRIFT_ABORT);
}

static const char *random_skill_option(const struct world *w, char *buffer, size_t size)
{
	const struct skill *skill = &w->skills[below(SKILLS)];

	if (!skill->applied || one_in(2))
		return "";
	snprintf(buffer, size, " --skill %s", skill->name);
	return buffer;
}

void operation_customize(struct world *w)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	enum drift_choice choice;
	char option[32];
	bool yes;
	CLEANUP(freep) char *line = NULL;

	choose_drift(&choice, &yes);
	line = xasprintf("nanoclaw%s customize start 'change %u'%s%s", yes ? " --yes" : "",
		below(100), drift_options[choice],
		random_skill_option(w, option, sizeof(option)));
	world_run(w, line, &before, &result);
	if (world_failed(w))
		return;
	if (is_refusal(result.status, choice)) {
		w->counts->refusals++;
		world_expect_same(w, &before, line);
		return;
	}
	if (result.status)
		world_fail(w, "exit code %d: %s", result.status, result.err.data);
	record_patches(w, &before, &before, NULL, NULL);
	check_nothing_lost(w, &before);
	if (!world_failed(w))
		end_customizing(w);
}

/* --- applying: before ---------------------------------------------------------------- */

static void choose_skills(struct operation *op)
{
	struct world *w = op->world;

	for (unsigned n = 1 + below(3) / 2; n; n--)
		op->chosen[below(SKILLS)] = true;
	for (size_t i = SKILLS; i-- > 0;)
		if (op->chosen[i] && w->skills[i].depends && !w->skills[i].depends->applied &&
			!one_in(8))
			op->chosen[w->skills[i].depends - w->skills] = true;
}

static void write_packages(struct operation *op)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct world *w = op->world;

	for (size_t i = 0; i < SKILLS; i++)
		w->skills[i].in_batch = op->chosen[i];
	for (size_t i = 0; i < SKILLS; i++) {
		CLEANUP(freep)
		char *folder = xasprintf("%s/skills/%s", w->workspace.tree, w->skills[i].name);

		if (!op->chosen[i])
			continue;
		skill_invent(&w->skills[i], &w->base, &w->ledger.names);
		if (skill_write(&w->skills[i], folder, op->failing_test, &err) < 0)
			world_fail(w, "%s", err.message);
	}
	world_look(w);
}

static char *apply_line(const struct operation *op)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	buf_appendf(&line, "nanoclaw --json%s skill apply", op->yes ? " --yes" : "");
	for (size_t n = 0; n < SKILLS; n++) {
		size_t i = op->ascending ? n : SKILLS - 1 - n;

		if (op->chosen[i])
			buf_appendf(&line, " %s", op->world->skills[i].name);
	}
	buf_append_str(&line, drift_options[op->on_drift]);
	if (op->dry_run)
		buf_append_str(&line, " --dry-run");
	if (op->customize)
		buf_append_str(&line, " --customize mine");
	if (op->resolver)
		buf_append_str(&line, " --resolver take-both");
	return buf_take(&line);
}

/* --- applying: the outcome ----------------------------------------------------------- */

static int find_skill(const struct world *w, const char *name)
{
	for (int i = 0; name && i < SKILLS; i++)
		if (!strcmp(w->skills[i].name, name))
			return i;
	return -1;
}

static void read_paths(struct tokens *to, const json_t *paths)
{
	const json_t *path;
	size_t i;

	json_array_foreach(paths, i, path)
		tokens_add(to, view_of(json_string_value(path)));
}

static void read_outcomes(struct operation *op, const json_t *files)
{
	const json_t *file;
	size_t i;

	json_array_foreach(files, i, file) {
		const char *outcome = json_string_value(json_object_get(file, "outcome"));
		const char *path = json_string_value(json_object_get(file, "path"));

		if (outcome && path && !strcmp(outcome, "resolved"))
			tokens_add(&op->resolved, view_of(path));
	}
}

/* One object of the answer. Adds what was reached by this command. */
static void read_one_result(struct operation *op, const json_t *result)
{
	const char *name = json_string_value(json_object_get(result, "skill"));
	const json_t *conflicts = json_object_get(result, "mergeConflicts");
	int i = find_skill(op->world, name);

	if (i < 0) {
		world_fail(op->world, "the answer names no skill of ours");
		return;
	}
	if (json_is_true(json_object_get(result, "reached")) && !op->done[i]) {
		op->done[i] = true;
		op->reached[op->reached_count++] = i;
	}
	read_paths(&op->conflicts, conflicts);
	read_paths(&op->decisions, json_object_get(result, "decisions"));
	read_outcomes(op, json_object_get(result, "files"));
	if (json_array_size(conflicts)) {
		free(op->conflict_skill);
		op->conflict_skill = xstrdup(name);
	}
}

static void read_results(struct operation *op, const char *text)
{
	json_t *answer = json_loads(text, 0, NULL);
	const json_t *results = json_object_get(answer, "results");
	const json_t *result;
	size_t i;

	op->reached_count = 0;
	tokens_release(&op->conflicts);
	tokens_release(&op->decisions);
	tokens_release(&op->resolved);
	if (!answer)
		world_fail(op->world, "the answer is no JSON: %s", text);
	else if (!results)
		read_one_result(op, answer);
	json_array_foreach(results, i, result)
		read_one_result(op, result);
	json_decref(answer);
}

/* Abort restores the file from before the operation's first change. */
static void note_changed_path(struct operation *op, const struct tree *before, const char *path)
{
	const struct tree_entry *entry = tree_find(before, path);

	if (tokens_have(&op->changed, view_of(path)))
		return;
	tokens_add(&op->changed, view_of(path));
	tree_remove(&op->start, path);
	if (entry && entry->kind != TREE_DIR)
		tree_put_copy(&op->start, entry);
}

static void note_changed(struct operation *op, const struct tree *before)
{
	const struct tree *now = &op->world->now;
	const struct tree *both[] = {before, now};

	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			const char *path = both[i]->entries[j].path;

			if (is_project_path(path) &&
				!same_entry(tree_find(before, path), tree_find(now, path)))
				note_changed_path(op, before, path);
		}
	for (size_t i = 0; i < op->conflicts.count; i++)
		note_changed_path(op, before, op->conflicts.list[i]);
}

/*
 * The skills' results are recorded now. If a person resolved a conflict in a file that the
 * skill then drops, the result stays the person's.
 */
static void note_recorded(struct operation *op, const struct skill_effect *effect)
{
	struct world *w = op->world;

	for (size_t i = 0; i < effect->touched.count; i++) {
		const char *path = effect->touched.list[i];

		if (tokens_have(&op->drifted, view_of(path)) ||
			tokens_have(&op->conflicts, view_of(path)) ||
			tokens_have(&effect->given_up, view_of(path)))
			record_unknown(w, path);
		if (!tokens_have(&w->ledger.unknown, view_of(path)))
			record_path(w, path, &w->now);
	}
}

static void note_rename(
	struct operation *op, struct skill_effect *effect, const char *real, const char *to)
{
	struct world *w = op->world;
	const struct tree_entry *entry = tree_find(&op->renamed, real);

	if (!strcmp(real, to))
		return;
	w->counts->renames++;
	if (entry) {
		struct tree_entry copy = *entry;

		copy.path = xstrdup(to);
		copy.data = xmemdupz(entry->data, entry->len);
		tree_put(&op->renamed, copy);
		tree_remove(&op->renamed, real);
	}
	if (!entry || tokens_have(&effect->touched, view_of(real)))
		tokens_add(&effect->touched, view_of(to)); /* by a skill of the same command */
	if (tokens_have(&op->drifted, view_of(real)))
		tokens_add(&op->drifted, view_of(to));
	record_rename(w, real, to);
}

/* The versions of a file that may be deleted without a question. */
static bool is_original(struct operation *op, const struct skill *skill, const char *path,
	struct skill_effect *effect)
{
	struct world *w = op->world;
	const struct names *names = &w->ledger.names;
	const struct tree_entry *entry = tree_find(&op->renamed, path);
	const struct tree_entry *originals[2 + 2 * SKILLS] = {
		find_core(&w->base, names, path), skill_find_applied(skill, names, path)};
	bool same = false;

	for (size_t i = 0; i < SKILLS; i++) {
		originals[2 + i] = skill_find_added(&w->skills[i].was, names, path);
		if (op->done[i])
			originals[2 + SKILLS + i] =
				skill_find_added(&w->skills[i].files, names, path);
	}
	for (size_t i = 0; i < ARRAY_SIZE(originals); i++) {
		same = same || (originals[i] && same_entry(originals[i], entry));
		tokens_add_all(&effect->removed, entry_view(originals[i]));
	}
	return same;
}

static void note_deletion(struct operation *op, const struct skill *skill,
	struct skill_effect *effect, const char *path)
{
	bool there = tree_find(&op->renamed, path);
	struct world *w = op->world;

	if (tokens_have(&op->decisions, view_of(path))) {
		w->counts->decisions++;
		return;
	}
	/* An earlier version deleted it, and somebody has brought it back since: it stays. */
	if (tree_find(&w->now, path))
		return;
	w->counts->deletions += there;
	if (!is_original(op, skill, path, effect) && there && op->reached_count == 1)
		world_fail(w, "'%s' had changes, and nobody was asked", path);
	tokens_add(&effect->touched, view_of(path));
}

static void note_file_ops(
	struct operation *op, const struct skill *skill, struct skill_effect *effect)
{
	for (size_t i = 0; i < skill->ops.count; i++) {
		const struct file_op *one = &skill->ops.list[i];
		CLEANUP(freep)
		char *real = xstrdup(names_where(&op->world->ledger.names, one->from));

		/* Its version before did it, and the file was renamed on since. */
		if (one->to && file_ops_mention(&skill->was_ops, one->to) &&
			names_same(&op->world->ledger.names, one->from, one->to))
			continue;
		if (one->to)
			note_rename(op, effect, real, one->to);
		else
			note_deletion(op, skill, effect, real);
	}
}

/* Lines that a person dropped when resolving the same conflict may be missing again. */
static void allow_dropped(struct operation *op, struct skill_effect *effect)
{
	const struct tokens *dropped = &op->world->dropped;

	op->world->counts->resolved += op->resolved.count;
	for (size_t i = 0; op->resolved.count && i < dropped->count; i++)
		tokens_add(&effect->removed, view_of(dropped->list[i]));
}

/* Skills have got into the tree, up to the first with a conflict. */
static void note_progress(struct operation *op, const struct tree *before, const char *answer)
{
	CLEANUP(skill_effect_release) struct skill_effect effect = {0};
	struct world *w = op->world;

	read_results(op, answer);
	tree_release(&op->renamed);
	op->renamed = TREE_INIT;
	tree_copy(&op->renamed, before);
	for (size_t i = 0; i < op->reached_count; i++) {
		const struct skill *skill = &w->skills[op->reached[i]];

		note_file_ops(op, skill, &effect);
		skill_effect_add(&effect, skill, &w->base, &op->renamed, &w->ledger.names);
	}
	allow_dropped(op, &effect);
	/* One skill of a batch may take out what another has brought. */
	for (size_t i = 0; i < effect.removed.count; i++)
		tokens_remove(&effect.introduced, effect.removed.list[i]);
	w->counts->conflicts += op->conflicts.count;
	world_settle_ledger(w, &op->renamed, &effect.introduced, &effect.removed);
	note_changed(op, before);
	note_recorded(op, &effect);
}

static void note_finished(struct operation *op)
{
	struct world *w = op->world;

	for (size_t i = 0; i < SKILLS; i++)
		if (op->chosen[i] && !op->done[i])
			world_fail(w, "%s was not applied", w->skills[i].name);
	op->finished = true;
}

/* --- a pause -------------------------------------------------------------------------- */

/* Files that the operation changed are as before it, and all others as they are. */
static void check_aborted(struct operation *op, const struct tree *before)
{
	const struct tree *now = &op->world->now;
	const struct tree *all[] = {&op->start, before, now};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		for (size_t j = 0; j < all[i]->count; j++) {
			const char *path = all[i]->entries[j].path;
			bool ours = !is_project_path(path) ||
				    tokens_have(&op->changed, view_of(path));
			const struct tree *expected = ours ? &op->start : before;

			if (path_matches(".nanoclaw/kept*", path) ||
				path_matches(".nanoclaw/index", path))
				continue;
			if (!same_entry(tree_find(expected, path), tree_find(now, path)))
				world_fail(op->world, "abort did not bring back '%s'", path);
		}
}

/* Text written during the pause is in the files or in .nanoclaw/kept. */
static void note_aborted(struct operation *op)
{
	struct ledger *ledger = &op->world->ledger;
	CLEANUP(tokens_release) struct tokens mine = TOKENS_INIT;

	for (size_t i = 0; i < ledger->must.count; i++)
		if (!strncmp(ledger->must.list[i], "<user:", 6))
			tokens_add(&mine, view_of(ledger->must.list[i]));
	ledger_copy(ledger, &op->saved);
	world_must_be_now(op->world);
	for (size_t i = 0; i < mine.count; i++)
		if (!tokens_have(&ledger->must, view_of(mine.list[i])))
			tokens_add(&ledger->aside, view_of(mine.list[i]));
}

static void abort_it(struct operation *op)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	struct world *w = op->world;

	world_run(w, "nanoclaw abort", &before, &result);
	if (world_failed(w))
		return;
	w->counts->aborts++;
	if (result.status)
		world_fail(w, "abort: exit code %d: %s", result.status, result.err.data);
	check_aborted(op, &before);
	note_aborted(op);
	check_nothing_lost(w, &w->now);
}

static void settle_all(struct operation *op)
{
	for (size_t i = 0; i < op->conflicts.count && !world_failed(op->world); i++) {
		const char *path = op->conflicts.list[i];

		if (tokens_have(&op->decisions, view_of(path)))
			edit_decide(op->world, path);
		else
			edit_settle(op->world, path, op->conflict_skill);
		op->settled = true;
	}
}

/*
 * The person's resolution is recorded, unless the file has other changes too. A file to be
 * deleted is deleted, or kept and recorded unchanged.
 */
static void record_settled(struct operation *op, const struct tree *settled)
{
	struct world *w = op->world;

	for (size_t i = 0; i < op->conflicts.count; i++) {
		const char *path = op->conflicts.list[i];

		if (tokens_have(&op->decisions, view_of(path))) {
			if (!tree_find(settled, path))
				record_path(w, path, settled);
		} else if (!tokens_have(&op->drifted, view_of(path)) &&
			   !tokens_have(&op->saved.unknown, view_of(path))) {
			record_path(w, path, settled);
		}
	}
}

/* Returns whether it is over. */
static bool continue_it(struct operation *op)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	struct world *w = op->world;

	world_run(w, "nanoclaw --json --yes continue", &before, &result);
	if (world_failed(w))
		return true;
	if (result.status == 2 || result.status == 5) {
		w->counts->failed_tests += result.status == 5;
		if (result.status == 5 && !op->failing_test)
			world_fail(w, "there was no test to fail");
		world_expect_same(w, &before, "a refused continue");
		return false;
	}
	if (result.status && result.status != 3)
		world_fail(w, "continue: exit code %d: %s", result.status, result.err.data);
	if (result.status == 3 && tree_diff(NULL, &before, &w->now, NULL, NULL) == 0)
		return false; /* not settled yet */
	record_settled(op, &before);
	record_drift(w, &before, &op->drifted);
	note_progress(op, &before, result.out.data);
	if (result.status == 0)
		note_finished(op);
	return result.status == 0;
}

/* Tokens that a person removed from conflicting files before these counted as resolved. */
static void note_dropped(struct operation *op, const struct tree *paused)
{
	struct world *w = op->world;

	for (size_t i = 0; i < op->conflicts.count; i++)
		tokens_add_difference(&w->dropped,
			entry_view(tree_find(paused, op->conflicts.list[i])),
			entry_view(tree_find(&w->now, op->conflicts.list[i])));
}

static void go_through_pause(struct operation *op)
{
	CLEANUP(tree_release) struct tree paused = TREE_INIT;
	struct world *w = op->world;
	bool over = false;

	for (unsigned rounds = 4; rounds && !over && !world_failed(w); rounds--) {
		w->counts->pauses++;
		tree_release(&paused);
		paused = TREE_INIT;
		tree_copy(&paused, &w->now);
		if (one_in(3))
			edit_some(w);
		if (one_in(8))
			expect_busy(w, "nanoclaw customize start 'in between'");
		if (world_failed(w) || one_in(4))
			break;
		if (!one_in(8))
			settle_all(op);
		note_dropped(op, &paused);
		if (!world_failed(w))
			over = continue_it(op);
	}
	if (!over && !world_failed(w))
		abort_it(op);
}

/* --- applying ------------------------------------------------------------------------- */

static bool is_expected(const struct operation *op, int status)
{
	if (is_refusal(status, op->on_drift))
		return true;
	if (op->failing_test && !op->dry_run && status == 5)
		return true;
	return status == 3 || (status == 0 && (op->dry_run || !op->failing_test));
}

static void note_drift(struct operation *op, const struct tree *before)
{
	CLEANUP(tokens_release) struct tokens updated = TOKENS_INIT;

	record_drift(op->world, before, &op->drifted);
	if (records(op->on_drift, op->yes)) {
		for (size_t i = 0; i < SKILLS; i++)
			if (op->chosen[i] && op->world->skills[i].applied)
				skill_add_paths(&op->world->skills[i], &updated);
		record_patches(op->world, before, before, NULL, &updated);
		tokens_release(&op->drifted);
	}
}

static void follow(
	struct operation *op, const struct tree *before, const struct command_result *result)
{
	struct world *w = op->world;

	if (!is_expected(op, result->status)) {
		world_fail(w, "exit code %d: %s", result->status, result->err.data);
		return;
	}
	w->counts->dry_runs += op->dry_run;
	w->counts->refusals += result->status == 1 || result->status == 2;
	w->counts->failed_tests += result->status == 5;
	if (op->dry_run || (result->status != 0 && result->status != 3)) {
		world_expect_same(w, before, "what should change nothing");
		return;
	}
	ledger_copy(&op->saved, &w->ledger);
	tree_copy(&op->first, before);
	tree_copy(&op->start, before);
	note_drift(op, before);
	note_progress(op, before, result->out.data);
	if (result->status == 0)
		note_finished(op);
	else if (!world_failed(w))
		go_through_pause(op);
	if (is_customizing(w) && !world_failed(w))
		end_customizing(w);
}

static void run_apply(struct operation *op)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	CLEANUP(freep) char *line = apply_line(op);

	world_run(op->world, line, &before, &result);
	if (!world_failed(op->world))
		follow(op, &before, &result);
}

/* A backup of all files is put back, but what is remembered of conflicts stays. */
static void go_back(struct operation *op)
{
	struct world *w = op->world;

	world_log(w, "back to the files before");
	for (size_t i = 0; i < w->now.count; i++)
		if (path_matches(".nanoclaw/rr-cache", w->now.entries[i].path) &&
			w->now.entries[i].kind == TREE_FILE)
			tree_put_copy(&op->first, &w->now.entries[i]);
	tree_release(&w->now);
	w->now = op->first;
	op->first = TREE_INIT;
	world_restore(w);
	ledger_copy(&w->ledger, &op->saved);
	world_must_be_now(w);
}

/* The same skills once more, maybe in the other order: what was settled is so again. */
static void apply_again(struct operation *op)
{
	CLEANUP(operation_release)
	struct operation again = {.world = op->world, .failing_test = op->failing_test};

	memcpy(again.chosen, op->chosen, sizeof(again.chosen));
	again.on_drift = DRIFT_RECORD + below(2);
	again.ascending = one_in(2);
	again.resolver = one_in(4);
	run_apply(&again);
	op->finished = again.finished;
}

void operation_apply(struct world *w)
{
	CLEANUP(operation_release) struct operation op = {.world = w};

	choose_drift(&op.on_drift, &op.yes);
	op.dry_run = one_in(8);
	op.failing_test = one_in(10);
	op.customize = one_in(10);
	op.resolver = one_in(4);
	choose_skills(&op);
	write_packages(&op);
	if (!world_failed(w))
		run_apply(&op);
	if (op.settled && !world_failed(w) && one_in(2)) {
		if (op.finished)
			go_back(&op);
		apply_again(&op);
	}
	for (size_t i = 0; i < SKILLS; i++) {
		if (op.finished && op.chosen[i])
			skill_note_applied(&w->skills[i]);
		w->skills[i].in_batch = false;
	}
}

/* --- a patch again -------------------------------------------------------------------- */

static const char *pick_patch(const struct world *w)
{
	const char *patch = NULL;
	unsigned seen = 0;

	for (size_t i = 0; i < w->now.count; i++)
		if (path_matches(".nanoclaw/custom/*.patch", w->now.entries[i].path) &&
			one_in(++seen))
			patch = w->now.entries[i].path;
	return patch;
}

/* The tokens in lines that the patch adds, and in those that it takes out. */
static void read_patch(struct view patch, struct skill_effect *effect)
{
	CLEANUP(tokens_release) struct tokens removed = TOKENS_INIT;

	while (patch.len) {
		const char *newline = memchr(patch.data, '\n', patch.len);
		size_t len = newline ? (size_t)(newline + 1 - patch.data) : patch.len;
		struct view line = {patch.data, len};

		if (*line.data == '+')
			tokens_add_all(&effect->introduced, line);
		else if (*line.data == '-')
			tokens_add_all(&removed, line);
		patch = view_slice(patch, len, patch.len);
	}
	for (size_t i = 0; i < removed.count; i++)
		if (!tokens_have(&effect->introduced, view_of(removed.list[i])))
			tokens_add(&effect->removed, view_of(removed.list[i]));
}

/*
 * A file of the core that the patch replaces by a binary one may go, and a binary one that
 * it deletes: such a patch does not show their lines.
 */
static void allow_replaced(const struct world *w, const struct tree *before,
	const struct tree_entry *patch, struct skill_effect *effect)
{
	for (size_t i = 0; i < w->base.count; i++) {
		const struct tree_entry *core = &w->base.entries[i];
		const struct tree_entry *now = tree_find(&w->now, core->path);

		if (is_binary(entry_view(now ? now : core)) &&
			same_entry(core, tree_find(before, core->path)) &&
			memmem(patch->data, patch->len, core->path, strlen(core->path)))
			tokens_add_difference(
				&effect->removed, entry_view(core), entry_view(now));
	}
}

/* Has somebody resolved a conflict about this line without it? */
static bool is_resolved_without(const struct world *w, const char *token)
{
	for (size_t i = 0; i < w->now.count; i++) {
		const struct tree_entry *before = &w->now.entries[i];
		CLEANUP(freep) char *name = NULL;
		const struct tree_entry *after;

		if (!path_matches(".nanoclaw/rr-cache/*/preimage", before->path) ||
			!memmem(before->data, before->len, token, strlen(token)))
			continue;
		name = xasprintf("%.*s/postimage",
			(int)(strrchr(before->path, '/') - before->path), before->path);
		after = tree_find(&w->now, name);
		if (after && !memmem(after->data, after->len, token, strlen(token)))
			return true;
	}
	return false;
}

/* What was resolved once is resolved so again: those lines of the patch do not come back. */
static void leave_out_resolved(const struct world *w, struct skill_effect *effect)
{
	CLEANUP(tokens_release) struct tokens there = TOKENS_INIT;

	for (size_t i = 0; i < w->now.count; i++)
		if (is_project_path(w->now.entries[i].path))
			tokens_add_all(&there, entry_view(&w->now.entries[i]));
	for (size_t i = effect->introduced.count; i > 0; i--) {
		const char *token = effect->introduced.list[i - 1];

		if (!tokens_have(&there, view_of(token)) && is_resolved_without(w, token))
			tokens_remove(&effect->introduced, token);
	}
}

/* Resolve the conflicts; the record stays the same. */
static void end_reapplying(struct world *w, const char *name)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;

	w->counts->pauses++;
	for (size_t i = 0; i < w->now.count; i++) {
		CLEANUP(freep) char *path = xstrdup(w->now.entries[i].path);
		struct view content = entry_view(&w->now.entries[i]);
		CLEANUP(freep) char *beside = xasprintf("%s.from-%s", path, name);

		if (is_project_path(path) &&
			(tree_find(&w->now, beside) ||
				memmem(content.data, content.len, "<<<<<<< ", 8)))
			edit_settle(w, path, name);
	}
	world_run(w, "nanoclaw --yes continue", &before, &result);
	if (world_failed(w))
		return;
	if (result.status)
		world_fail(w, "continue: exit code %d: %s", result.status, result.err.data);
	check_nothing_lost(w, &before);
}

static void abort_reapplying(struct world *w, const struct tree *start)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;

	world_run(w, "nanoclaw abort", &before, &result);
	if (world_failed(w))
		return;
	w->counts->aborts++;
	world_expect_same(w, start, "an aborted 'customize apply'");
}

void operation_reapply(struct world *w)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(skill_effect_release) struct skill_effect effect = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	CLEANUP(ledger_release) struct ledger saved = {0};
	CLEANUP(freep) char *patch = NULL;
	CLEANUP(freep) char *name = NULL;
	CLEANUP(freep) char *line = NULL;

	if (!pick_patch(w))
		return;
	patch = xstrdup(pick_patch(w));
	name = xstrdup(strrchr(patch, '/') + 1);
	name[strlen(name) - strlen(".patch")] = '\0';
	edit_revert(w, patch);
	line = xasprintf("nanoclaw --yes customize apply %s", name);
	world_run(w, line, &before, &result);
	if (world_failed(w))
		return;
	if (result.status == 2 || result.status == 1) {
		w->counts->refusals++;
		world_expect_same(w, &before, line);
		return;
	}
	w->counts->reapplied++;
	ledger_copy(&saved, &w->ledger);
	read_patch(entry_view(tree_find(&w->now, patch)), &effect);
	allow_replaced(w, &before, tree_find(&w->now, patch), &effect);
	leave_out_resolved(w, &effect);
	world_settle_ledger(w, &before, &effect.introduced, &effect.removed);
	if (world_failed(w) || result.status == 0)
		return;
	if (result.status != 3)
		world_fail(w, "exit code %d: %s", result.status, result.err.data);
	else if (one_in(3)) {
		abort_reapplying(w, &before);
		ledger_copy(&w->ledger, &saved);
	} else {
		end_reapplying(w, name);
	}
}
