#include "engine/continue.h"

#include <stdlib.h>
#include <string.h>

#include "engine/author/refresh.h"
#include "engine/commit/finish.h"
#include "engine/commit/pending.h"
#include "engine/conflict/lesson.h"
#include "engine/operation/apply.h"
#include "engine/operation/batch.h"
#include "engine/operation/custom_apply.h"
#include "engine/operation/remove.h"
#include "engine/operation/skill_update.h"
#include "engine/session/recorded.h"
#include "engine/stack/file_ops.h"
#include "engine/stack/resolve.h"
#include "engine/stack/skill_record.h"
#include "engine/stack/unrecorded.h"
#include "engine/structured/structured.h"
#include "engine/structured/structured_state.h"
#include "engine/text/lines.h"
#include "engine/update/core_update.h"

static int find_markers(struct session *s, const struct conflict *conflict, struct view text,
	bool *ret_found, struct error *err)
{
	CLEANUP(buf_release) struct buf ours = BUF_INIT;
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	const char *version = conflict->version ? conflict->version : "";
	CLEANUP(freep)
	char *label = xasprintf("%s%s%s", conflict->skill, *version ? " " : "", version);
	bool kept = conflict->has_inputs;

	if (kept && recorded_try_fetch(s, &conflict->inputs.current, &ours, &kept, err) < 0)
		return -1;
	if (kept && recorded_try_fetch(s, &conflict->inputs.skill, &theirs, &kept, err) < 0)
		return -1;
	*ret_found = kept ? markers_are_left(text,
				    &(struct markers_question){
					    .content = conflict->markers,
					    .ours = view_of_buf(&ours),
					    .theirs = view_of_buf(&theirs),
					    .label = label,
				    })
			  : lines_count_markers(text) > conflict->markers;
	return 0;
}

static int check_resolved(struct session *s, const struct conflict *conflict,
	bool *ret_resolved, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file beside = TX_FILE_INIT;
	CLEANUP(string_array_release) struct string_array problems = {0};
	bool marked;

	if (conflict->kind == CONFLICT_DELETE)
		return file_ops_resolve(s, conflict, ret_resolved, err);
	*ret_resolved = false;
	if (transaction_read(s->tx, &conflict->path, &file, err) < 0)
		return -1;
	/* Where two files cannot be merged, one of them may be a link. */
	if (file.kind != TX_FILE && !(file.kind == TX_SYMLINK && conflict->beside.text)) {
		session_warn(s, "'%s' is missing; restore the file in its resolved form",
			conflict->path.text);
		return 0;
	}
	if (conflict->beside.text) {
		if (transaction_read(s->tx, &conflict->beside, &beside, err) < 0)
			return -1;
		if (beside.kind != TX_ABSENT) {
			session_warn(s, "move '%s' over '%s', or delete it to keep yours",
				conflict->beside.text, conflict->path.text);
			return 0;
		}
	}
	if (find_markers(s, conflict, view_of_buf(&file.content), &marked, err) < 0)
		return -1;
	if (marked) {
		session_warn(s, "'%s' still has conflict markers", conflict->path.text);
		return 0;
	}
	structured_find_problems(
		&s->state, conflict->path.text, view_of_buf(&file.content), &problems);
	for (size_t i = 0; i < problems.count; i++)
		session_warn(s, "%s", problems.list[i]);
	if (problems.count)
		return 0;
	*ret_resolved = true;
	if (lesson_add(s, conflict, view_of_buf(&file.content), "user", err) < 0)
		return -1;
	if (conflict->recorded_apart)
		return 0;
	return skill_record_resolved(s, conflict, &file, err);
}

/* Collect the unresolved conflicts in the result. */
static int check_all_resolved(
	struct session *s, const struct pending *pending, struct error *err)
{
	struct operation_result *result = s->result;

	for (size_t i = 0; i < pending->conflict_count; i++) {
		const struct conflict *conflict = &pending->conflicts[i];
		bool resolved;

		if (check_resolved(s, conflict, &resolved, err) < 0)
			return -1;
		if (resolved)
			continue;
		GROW(result->conflicts, result->conflict_count, result->conflict_cap);
		result->conflicts[result->conflict_count++] = conflict_copy(conflict);
	}
	return 0;
}

static void name_skills(
	struct session *s, const struct string_array *skills, const struct state *before)
{
	for (size_t i = 0; i < skills->count; i++) {
		const struct applied_skill *applied = state_find(&s->state, skills->list[i]);
		const struct applied_skill *old = state_find(before, skills->list[i]);
		bool updated = applied && old && strcmp(applied->version, old->version) != 0;
		struct operation_result *result = s->result;

		GROW(result->skills, result->skill_count, result->skill_cap);
		result->skills[result->skill_count++] = (struct skill_result){
			.name = xstrdup(skills->list[i]),
			.version = xstrdup(applied ? applied->version : ""),
			.old_version = updated ? xstrdup(old->version) : NULL,
			.reached = true,
		};
	}
}

/* Report the removed skills, with their former versions. */
static void name_removed(struct session *s, const struct pending *pending)
{
	struct operation_result *result = s->result;
	size_t next = 0;

	for (size_t i = 0; i < pending->skills.count; i++) {
		if (state_find(&s->state, pending->skills.list[i]))
			continue;
		GROW(result->skills, result->skill_count, result->skill_cap);
		result->skills[result->skill_count++] = (struct skill_result){
			.name = xstrdup(pending->skills.list[i]),
			.version = xstrdup(next < pending->versions.count
						   ? pending->versions.list[next]
						   : ""),
			.removed = true,
			.reached = true,
		};
		transaction_concerns(s->tx, pending->skills.list[i]);
		next++;
	}
}

/* The skills applied now must be the ones that were requested before the pause. */
static int check_same_versions(
	const struct pending *pending, const struct batch *batch, struct error *err)
{
	for (size_t i = 0; i < batch->count && i < pending->versions.count; i++) {
		const struct manifest *m = &batch->packages[i].manifest;

		if (!strcmp(m->version, pending->versions.list[i]))
			continue;
		error_set(err, ERROR_INVALID,
			"the package of skill '%s' was %s when the operation began and "
			"is now %s",
			m->skill, pending->versions.list[i], m->version);
		return error_hint(err,
			"it is still paused; restore %s and run 'nanoclaw continue', or 'nanoclaw abort'",
			pending->versions.list[i]);
	}
	return 0;
}

int continue_paused(const struct project *project, const struct operation_options *options,
	struct operation_result *ret_result, struct error *err)
{
	CLEANUP(pending_release) struct pending pending = PENDING_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(batch_release) struct batch batch = BATCH_INIT;
	CLEANUP(state_release) struct state before = STATE_INIT;
	struct operation_options as_begun = *options;
	size_t open;
	bool found;

	if (pending_load(project, &pending, &found, err) < 0)
		return -1;
	if (!found)
		return error_set(err, ERROR_INVALID,
			"no operation is paused: there is nothing to continue");
	as_begun.no_test |= pending.no_test;
	as_begun.test_new |= pending.test_new;
	as_begun.no_install |= pending.no_install;
	as_begun.allow_older_core = pending.allow_older_core;
	as_begun.allow_conflicts = pending.allow_conflicts;
	as_begun.ancestor_is_base = pending.ancestor_is_base;
	as_begun.customize = pending.customize;
	if (session_open(&s, project, "continue", NULL, &as_begun, ret_result, err) < 0)
		return -1;
	before = s.state;
	s.state = pending.state;
	pending.state = STATE_INIT;
	s.continued = true;
	s.lessons = TAKE(pending.lessons);
	s.lesson_count = pending.lesson_count;
	s.lesson_cap = pending.lesson_cap;
	pending.lesson_count = 0;
	s.only_tests = !strcmp(pending.operation, CUSTOM_APPLY_OPERATION) ||
		       remove_is_operation(pending.operation);
	s.notes = TAKE(pending.notes);
	s.core_is_tree = !s.found_state && !strcmp(pending.operation, REFRESH_OPERATION);
	if (!strcmp(pending.operation, CORE_UPDATE_OPERATION))
		core_update_fill_result(&s);
	if (!strcmp(pending.operation, REFRESH_OPERATION))
		refresh_fill_result(&s);
	if (remove_is_operation(pending.operation))
		name_removed(&s, &pending);
	else if (!s.only_tests)
		name_skills(&s, &pending.skills, &before);
	if (session_open_base(&s, err) < 0 || check_all_resolved(&s, &pending, err) < 0)
		return finish_fail(&s, err);
	open = ret_result->conflict_count;
	if (resolve_conflicts(&s, pending.operation, err) < 0)
		return finish_fail(&s, err);
	if (ret_result->conflict_count && ret_result->conflict_count < open)
		return finish_paused(&s, &pending, err); /* including the resolver's work */
	if (ret_result->conflict_count) {
		ret_result->paused = true;
		return 0;
	}
	if (!strcmp(pending.operation, REFRESH_OPERATION))
		return refresh_continue(&s, err);
	for (size_t i = 0; i < pending.conflict_count; i++)
		if (structured_note_resolved(&s, &pending.conflicts[i], err) < 0)
			return finish_fail(&s, err);
	if (batch_load(project, (const char *const *)pending.remaining.list,
		    pending.remaining.count, &batch, err) < 0)
		return error_hint(err,
			"it is still paused; restore the package and run 'nanoclaw continue', or 'nanoclaw abort'");
	if (check_same_versions(&pending, &batch, err) < 0)
		return -1;
	if (!strcmp(pending.operation, CORE_UPDATE_OPERATION))
		return core_update_continue(&s, &batch, &pending.skills, err);
	if (batch_check(&s, &batch, err) < 0)
		return -1;
	if (unrecorded_leave(&s, err) < 0 || batch_check_files(&s, &batch, err) < 0)
		return finish_fail(&s, err);
	return apply_batch(&s, pending.operation, &batch, &pending.skills, err);
}
