#include "engine/maintain/matrix_attempt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/conflict/settled.h"
#include "engine/look/verify.h"
#include "engine/maintain/matrix_copy.h"
#include "engine/operation/apply.h"
#include "engine/operation/remove.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/session/drift.h"

/* --- results ---------------------------------------------------------------------------- */

static void fail_with(struct matrix_result *result, enum matrix_outcome outcome, char *message)
{
	result->outcome = outcome;
	free(result->message);
	result->message = message;
}

static void fail(struct matrix_result *result, const struct error *err)
{
	/* Hints are for whoever typed the command, and here that is nobody. */
	fail_with(result, err->kind == ERROR_TEST ? MATRIX_TEST_FAILED : MATRIX_FAILED,
		xstrdup(err->message));
}

static void append_list(struct buf *out, const struct string_array *list)
{
	for (size_t i = 0; i < list->count; i++)
		buf_appendf(out, "%s'%s'", i ? ", " : "", list->list[i]);
}

static void note_conflicts(const struct matrix_attempt *attempt,
	const struct apply_result *told, const char *what, struct matrix_result *result)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < told->conflict_count; i++)
		if (!string_array_has(&result->conflicts, told->conflicts[i].path.text))
			string_array_add(&result->conflicts, told->conflicts[i].path.text);
	buf_appendf(&text, "%s: a conflict in ", what);
	append_list(&text, &result->conflicts);
	buf_append_str(&text, attempt->known ? " that nothing settles that is known here"
					     : " that no shipped resolution settles");
	for (size_t i = 0; i < told->warning_count && attempt->known; i++)
		buf_appendf(&text, "\n%s", told->warnings[i]);
	fail_with(result, MATRIX_CONFLICT, buf_take(&text));
}

static void note_settled(const struct apply_result *told, struct matrix_result *result)
{
	for (size_t i = 0; i < told->file_count; i++)
		if (told->files[i].outcome == OUTCOME_RESOLVED &&
			!string_array_has(&result->settled, told->files[i].path))
			string_array_add(&result->settled, told->files[i].path);
}

/* --- the log ------------------------------------------------------------------------------ */

static void log_files(const struct apply_result *told)
{
	for (size_t i = 0; i < told->file_count; i++)
		printf("  %-9s %s (%s)\n", outcome_names[told->files[i].outcome],
			told->files[i].path, told->files[i].skill);
	for (size_t i = 0; i < told->warning_count; i++)
		printf("warning: %s\n", told->warnings[i]);
	fflush(stdout);
}

/* --- applying --------------------------------------------------------------------- */

static int nobody(void *data, const char *question, const char *const *choices, size_t count,
	size_t recommended, struct error *err)
{
	(void)data;
	(void)choices;
	(void)count;
	(void)recommended;
	return error_set(err, ERROR_INVALID, "nobody is there to answer: %s", question);
}

/* With a resolver, the error has the output of a failed test, because it is asked about it. */
static struct apply_options options_of(const struct matrix_attempt *attempt)
{
	const struct matrix_run_options *run = attempt->work->options;
	const char *resolver = attempt->known ? run->resolver : NULL;

	return (struct apply_options){
		.resolver = resolver,
		.learn_again = attempt->known,
		.on_drift = ON_DRIFT_CONTINUE,
		.no_install = run->no_install,
		.live = !resolver,
		.test_seconds = run->test_seconds,
		.ask = {.choose = nobody},
	};
}

/* What is given to apply, which puts dependencies first. Ends with NULL. */
static const char **order_of(const struct matrix_attempt *attempt)
{
	const struct matrix_entry *entry = attempt->work->entry;
	const char *last = entry->skills.list[attempt->last];
	const char **typed = xcalloc(entry->order.count + 1, sizeof(*typed));
	size_t count = 0;

	for (size_t i = 0; i < entry->order.count; i++)
		if (strcmp(entry->order.list[i], last) != 0)
			typed[count++] = entry->order.list[i];
	typed[count] = last;
	return typed;
}

static char *describe(const struct matrix_attempt *attempt)
{
	CLEANUP(freep) const char **order = order_of(attempt);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_append_str(&text, "apply");
	for (size_t i = 0; order[i]; i++)
		buf_appendf(&text, " %s", order[i]);
	return buf_take(&text);
}

static bool apply(const struct matrix_attempt *attempt, const struct project *project,
	struct matrix_result *result)
{
	CLEANUP(apply_result_release) struct apply_result told = APPLY_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) const char **typed = order_of(attempt);
	CLEANUP(freep) char *what = describe(attempt);
	struct apply_options options = options_of(attempt);

	printf("== %s%s\n", what, attempt->known ? ", with what is known here" : "");
	fflush(stdout);
	if (apply_skills(project, typed, attempt->work->entry->order.count, &options, &told,
		    &err) < 0) {
		log_files(&told);
		fail(result, &err);
		return false;
	}
	log_files(&told);
	note_settled(&told, result);
	if (told.paused) {
		note_conflicts(attempt, &told, what, result);
		return false;
	}
	return true;
}

/* --- what comes after it ---------------------------------------------------------- */

static bool was_so(const struct drift_list *before, const char *path)
{
	for (size_t i = 0; i < before->count; i++)
		if (!strcmp(before->list[i].path, path))
			return true;
	return false;
}

/* Is everything as recorded, but for what was otherwise before? */
static int check(const struct project *project, const struct drift_list *before,
	const char *when, struct error *err)
{
	CLEANUP(verify_result_release) struct verify_result found = VERIFY_RESULT_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool there;

	if (state_load(project, &state, &there, err) < 0 ||
		verify(project, &state, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++)
		if (!was_so(before, found.list[i].path))
			return error_set(err, ERROR_FAILED, "%s '%s' is not as recorded (%s)",
				when, found.list[i].path, found.list[i].change);
	return 0;
}

static bool remove_one(const struct matrix_attempt *attempt, const struct project *project,
	const char *skill, struct matrix_result *result)
{
	CLEANUP(apply_result_release) struct apply_result told = APPLY_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *what = xasprintf("remove %s", skill);
	struct apply_options options = options_of(attempt);

	printf("== %s\n", what);
	fflush(stdout);
	if (remove_skills(project, &skill, 1, false, &options, &told, &err) < 0) {
		error_prefix(&err, "%s", what);
		fail(result, &err);
		return false;
	}
	log_files(&told);
	if (told.paused)
		note_conflicts(attempt, &told, what, result);
	return !told.paused;
}

/* The last one that was applied goes first. */
static bool remove_all(const struct matrix_attempt *attempt, const struct project *project,
	struct matrix_result *result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool found;

	if (state_load(project, &state, &found, &err) < 0) {
		fail(result, &err);
		return false;
	}
	for (size_t i = state.skill_count; i > 0; i--)
		if (!remove_one(attempt, project, state.skills[i - 1].name, result))
			return false;
	return true;
}

static bool finish(const struct matrix_attempt *attempt, const struct project *project,
	const struct drift_list *before, struct matrix_result *result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (check(project, before, "after the skills were applied", &err) < 0) {
		fail(result, &err);
		return false;
	}
	if (!attempt->work->options->removal)
		return true;
	if (!remove_all(attempt, project, result))
		return false;
	if (check(project, before, "after the skills were removed", &err) < 0) {
		fail(result, &err);
		return false;
	}
	return true;
}

/* --- what was settled
 * --------------------------------------------------------------------------
 */

static int record(
	const struct project *project, struct matrix_result *result, struct error *err)
{
	CLEANUP(settled_record_result_release) struct settled_record_result recorded = {0};
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;

	if (relpath_parse(view_of(RESOLUTIONS_SHIPPED), &folder, err) < 0 ||
		settled_record(project, &folder, NULL, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < recorded.key_count; i++)
		string_array_add(&result->learned, recorded.keys[i]);
	return 0;
}

/* --- the whole -------------------------------------------------------------------- */

static int open_copy(const struct matrix_attempt *attempt, struct project *ret_project,
	struct drift_list *ret_before, struct error *err)
{
	const struct matrix_work *work = attempt->work;
	struct matrix_copy_request request = {
		.project = work->project,
		.matrix = work->matrix,
		.entry = work->entry,
		.core = work->core,
		.resolutions = attempt->resolutions,
		.memory = attempt->known,
	};
	CLEANUP(freep) char *path = xasprintf("%s/%s", work->path, attempt->name);
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool found;

	if (matrix_copy(&request, work->folder, attempt->name, err) < 0 ||
		project_open_folder(path, ret_project, err) < 0 ||
		project_lock(ret_project, err) < 0 ||
		state_load(ret_project, &state, &found, err) < 0)
		return -1;
	return drift_find(ret_project, &state, ret_before, err);
}

void matrix_attempt(const struct matrix_attempt *attempt, struct matrix_result *ret_result)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(drift_list_release) struct drift_list before = DRIFT_LIST_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (open_copy(attempt, &project, &before, &err) < 0) {
		fail(ret_result, &err);
		return;
	}
	if (!apply(attempt, &project, ret_result) ||
		!finish(attempt, &project, &before, ret_result))
		return;
	if (attempt->known && record(&project, ret_result, &err) < 0) {
		fail(ret_result, &err);
		return;
	}
	ret_result->outcome = MATRIX_PASSED;
}
