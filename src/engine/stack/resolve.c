#include "engine/stack/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "engine/conflict/lesson.h"
#include "engine/conflict/resolver.h"
#include "engine/disk/command.h"
#include "engine/session/recorded.h"
#include "engine/stack/skill_record.h"

/* The contents that a request shows, for as long as it lasts. */
struct shown {
	struct buf base;
	struct buf current;
	struct buf skill;
	struct tx_file merged;
	size_t conflict; /* index into the result's */
};

struct asking {
	struct session *session;
	struct shown *shown;
	struct resolver_file *files;
	size_t count;
	size_t cap;
	size_t file_cap;
};

static void asking_release(struct asking *a)
{
	for (size_t i = 0; i < a->count; i++) {
		buf_release(&a->shown[i].base);
		buf_release(&a->shown[i].current);
		buf_release(&a->shown[i].skill);
		tx_file_release(&a->shown[i].merged);
	}
	free(a->shown);
	free(a->files);
}

/* --- asking --------------------------------------------------------------------------- */

static int ask_resolver(struct asking *a, const char *operation, struct view test_output,
	struct resolver_result *ret_result, struct error *err)
{
	CLEANUP(resolver_skills_release) struct resolver_skills skills = RESOLVER_SKILLS_INIT;
	CLEANUP(buf_release) struct buf state = BUF_INIT;
	struct session *s = a->session;
	const struct yaml_node *guide = s->notes ? yaml_get(s->notes->root, "guide") : NULL;
	struct resolver_request request = {
		.project = s->project,
		.state = &s->state,
		.base = s->base,
		.operation = operation,
		.files = a->files,
		.file_count = a->count,
		.skills = &skills,
		.test_output = test_output,
		.command = s->options->resolver,
		.live = s->options->live,
	};

	if (command_seconds("NANOCLAW_RESOLVER_TIMEOUT", RESOLVER_DEFAULT_SECONDS,
		    &request.seconds, err) < 0 ||
		resolver_skills_collect(
			&skills, s->project, &s->state, a->files, a->count, err) < 0 ||
		state_write(&s->state, &state, err) < 0)
		return -1;
	request.state_text = view_of_buf(&state);
	if (guide && guide->kind == YAML_SCALAR)
		request.migration = guide->text;
	if (resolver_run(&request, ret_result, err) < 0)
		return error_prefix(err, "the resolver");
	if (ret_result->refused) {
		struct view output = view_trim(view_of_buf(&ret_result->output));

		session_warn(s, "the resolver's result is discarded: %s%s%.*s",
			ret_result->refused, output.len ? "\n" : "", VIEW_ARGS(output));
		for (size_t i = 0; i < ret_result->kept.count; i++) {
			CLEANUP(error_release) struct error ignored = ERROR_INIT;
			CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

			if (relpath_parse(view_of(ret_result->kept.list[i].path), &path,
				    &ignored) == 0)
				transaction_observe_again(s->tx, &path, &ignored);
			session_warn(s,
				"the resolver changed '%s', which was restored; its version is in '%s'",
				ret_result->kept.list[i].path, ret_result->kept.list[i].where);
		}
	}
	return 0;
}

/* --- conflicts ---------------------------------------------------------------------------- */

static int show_conflict(struct asking *a, size_t number, struct error *err)
{
	struct session *s = a->session;
	const struct conflict *c = &s->result->conflicts[number];
	struct shown *shown;

	if (c->kind != CONFLICT_MERGE || !c->has_inputs)
		return 0;
	GROW(a->shown, a->count, a->cap);
	GROW(a->files, a->count, a->file_cap);
	shown = &a->shown[a->count];
	*shown = (struct shown){BUF_INIT, BUF_INIT, BUF_INIT, TX_FILE_INIT, number};
	a->files[a->count++] = (struct resolver_file){0};
	if (recorded_fetch(s, &c->inputs.current, &shown->current, err) < 0 ||
		recorded_fetch(s, &c->inputs.skill, &shown->skill, err) < 0 ||
		(c->inputs.has_base &&
			recorded_fetch(s, &c->inputs.base, &shown->base, err) < 0) ||
		transaction_read(s->tx, &c->path, &shown->merged, err) < 0)
		return -1;
	if (shown->merged.kind != TX_FILE) {
		tx_file_release(&shown->merged);
		a->count--; /* a person has put something else there */
	}
	return 0;
}

/* Views last: the array may have moved while it grew. */
static void name_conflicts(struct asking *a)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct shown *shown = &a->shown[i];
		const struct conflict *c = &a->session->result->conflicts[shown->conflict];

		a->files[i] = (struct resolver_file){
			.path = &c->path,
			.base = c->inputs.has_base ? view_of_buf(&shown->base)
						   : (struct view){0},
			.current = view_of_buf(&shown->current),
			.skill = view_of_buf(&shown->skill),
			.merged = view_of_buf(&shown->merged.content),
			.mode = shown->merged.mode,
			.markers = c->markers,
			.skill_name = c->skill,
			.skill_version = c->version ? c->version : "",
		};
	}
}

static int use_edit(struct session *s, const struct conflict *c, mode_t mode,
	struct view content, struct error *err)
{
	CLEANUP(tx_file_release)
	struct tx_file file = {.kind = TX_FILE, .mode = mode, .content = BUF_INIT};

	if (transaction_put(s->tx, &c->path, content, mode, err) < 0 ||
		lesson_add(s, c, content, "claude", err) < 0)
		return -1;
	for (size_t i = 0; i < s->result->file_count; i++)
		if (!strcmp(s->result->files[i].path, c->path.text) &&
			s->result->files[i].outcome == OUTCOME_CONFLICT)
			s->result->files[i].outcome = OUTCOME_RESOLVED;
	if (c->recorded_apart)
		return 0;
	buf_append(&file.content, content.data, content.len);
	return skill_record_resolved(s, c, &file, err);
}

int resolve_conflicts(struct session *s, const char *operation, struct error *err)
{
	CLEANUP(asking_release) struct asking a = {.session = s};
	CLEANUP(resolver_result_release) struct resolver_result result = RESOLVER_RESULT_INIT;
	struct operation_result *r = s->result;
	size_t kept = 0, next = 0;

	if (!s->options->resolver)
		return 0;
	for (size_t i = 0; i < s->result->conflict_count; i++)
		if (show_conflict(&a, i, err) < 0)
			return -1;
	if (!a.count)
		return 0;
	name_conflicts(&a);
	if (ask_resolver(&a, operation, (struct view){0}, &result, err) < 0)
		return -1;
	if (result.refused)
		return 0;
	for (size_t i = 0; i < a.count; i++)
		if (use_edit(s, &s->result->conflicts[a.shown[i].conflict], a.files[i].mode,
			    view_of_buf(&result.edits[i]), err) < 0)
			return -1;
	for (size_t i = 0; i < r->conflict_count; i++)
		if (next < a.count && a.shown[next].conflict == i) {
			conflict_release(&r->conflicts[i]);
			next++;
		} else {
			r->conflicts[kept++] = r->conflicts[i];
		}
	r->conflict_count = kept;
	return 0;
}

/* --- one file of a pause ---------------------------------------------------------- */

int resolve_paused(const struct project *project, const struct operation_options *options,
	const struct conflict *conflict, struct buf *ret_content, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(resolver_result_release) struct resolver_result answer = RESOLVER_RESULT_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(asking_release) struct asking a = {.session = &s};
	struct operation_options look = *options;

	look.dry_run = true; /* nothing is staged: the person resolves the rest */
	if (session_open(&s, project, "continue", NULL, &look, &result, err) < 0 ||
		session_open_base(&s, err) < 0)
		return -1;
	session_add_conflict(&s, conflict_copy(conflict));
	if (show_conflict(&a, 0, err) < 0)
		return -1;
	if (!a.count)
		return error_set(err, ERROR_FAILED,
			"a resolver can only be asked about files with conflict markers");
	name_conflicts(&a);
	if (ask_resolver(&a, "continue", (struct view){0}, &answer, err) < 0)
		return -1;
	if (answer.refused)
		return error_set(err, ERROR_FAILED, "the resolver's result is discarded: %s",
			answer.refused);
	buf_append(ret_content, answer.edits[0].data, answer.edits[0].len);
	return 0;
}

/* --- failed tests ----------------------------------------------------------------- */

void overrides_release(struct overrides *overrides)
{
	for (size_t i = 0; i < overrides->count; i++) {
		relpath_release(&overrides->list[i].path);
		free(overrides->list[i].skill);
		buf_release(&overrides->list[i].content);
	}
	free(overrides->list);
}

int resolve_failed_test(struct session *s, const char *operation, const char *output,
	struct overrides *ret_overrides, struct error *err)
{
	struct asking a = {.session = s};
	CLEANUP(freep) struct resolver_file *files = NULL;
	CLEANUP(resolver_result_release) struct resolver_result result = RESOLVER_RESULT_INIT;
	int failed;

	for (size_t i = 0; i < s->merge_count; i++) {
		const struct merge_note *m = &s->merges[i];

		GROW(a.files, a.count, a.file_cap);
		a.files[a.count++] = (struct resolver_file){
			.path = &m->path,
			.base = m->has_base ? view_of_buf(&m->base) : (struct view){0},
			.current = view_of_buf(&m->ours),
			.skill = view_of_buf(&m->theirs),
			.merged = view_of_buf(&m->merged),
			.mode = m->mode,
			.clean = true,
			.skill_name = m->skill,
			.skill_version = m->version,
		};
	}
	files = a.files;
	if (!a.count)
		return 0;
	failed = ask_resolver(&a, operation, view_of(output), &result, err);
	if (failed || result.refused)
		return failed;
	for (size_t i = 0; i < a.count; i++) {
		if (view_equal(view_of_buf(&result.edits[i]), files[i].merged))
			continue;
		GROW(ret_overrides->list, ret_overrides->count, ret_overrides->cap);
		ret_overrides->list[ret_overrides->count++] = (struct override){
			.path = relpath_copy(files[i].path),
			.skill = xstrdup(files[i].skill_name),
			.content = result.edits[i],
		};
		result.edits[i] = BUF_INIT;
	}
	return 0;
}

int resolve_use_overrides(struct session *s, struct error *err)
{
	const struct overrides *o = s->options->overrides;

	for (size_t i = 0; o && i < o->count; i++) {
		struct view content = view_of_buf(&o->list[i].content);
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
		struct layer_file resolved;

		if (transaction_read(s->tx, &o->list[i].path, &there, err) < 0)
			return -1;
		resolved = layer_file_of_content(content, there.mode);
		if (transaction_put(s->tx, &o->list[i].path, content, there.mode, err) < 0 ||
			recorded_keep(s, content, err) < 0 ||
			state_record_resolved(&s->state, o->list[i].skill, &o->list[i].path,
				&resolved, err) < 0)
			return -1;
		session_note_file(s, &o->list[i].path, o->list[i].skill, OUTCOME_RESOLVED);
	}
	return 0;
}
