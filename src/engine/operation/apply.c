#include "engine/operation/apply.h"

#include <stdlib.h>
#include <string.h>

#include "engine/commit/finish.h"
#include "engine/commit/pending.h"
#include "engine/conflict/resolve.h"
#include "engine/operation/already_there.h"
#include "engine/operation/batch.h"
#include "engine/operation/customize.h"
#include "engine/operation/skill_update.h"
#include "engine/stack/skill_files.h"
#include "engine/stack/unrecorded.h"
#include "engine/structured/structured.h"

/* Pause after a skill with conflicts; the others of the batch are still to do. */
static int pause_here(struct session *s, const char *operation, const struct batch *batch,
	size_t next, const struct string_array *skills, struct error *err)
{
	CLEANUP(string_array_release) struct string_array remaining = {0};
	CLEANUP(string_array_release) struct string_array versions = {0};

	for (size_t i = next; i < batch->count; i++) {
		CLEANUP(freep) char *folder = package_path(&batch->packages[i]);

		string_array_add(&remaining, folder);
		string_array_add(&versions, batch->packages[i].manifest.version);
	}
	return finish_paused(s,
		&(struct pending){
			.operation = operation,
			.skills = *skills,
			.remaining = remaining,
			.versions = versions,
		},
		err);
}

static void mark_reached(struct session *s, const char *skill)
{
	for (size_t i = 0; i < s->result->skill_count; i++)
		if (!strcmp(s->result->skills[i].name, skill))
			s->result->skills[i].reached = true;
}

int apply_batch(struct session *s, const char *operation, const struct batch *batch,
	struct string_array *skills, struct error *err)
{
	for (size_t i = 0; i < batch->count; i++) {
		if (skill_files_stage(s, &batch->packages[i], err) < 0)
			return finish_fail(s, err);
		mark_reached(s, batch->packages[i].manifest.skill);
		string_array_add(skills, batch->packages[i].manifest.skill);
		if (s->result->conflict_count && s->options->dry_run)
			return finish_dry(s, skills, err); /* the rest depends on it */
		if (s->result->conflict_count && resolve_conflicts(s, operation, err) < 0)
			return finish_fail(s, err);
		if (s->result->conflict_count)
			return pause_here(s, operation, batch, i + 1, skills, err);
	}
	if (resolve_use_overrides(s, err) < 0 || structured_stage(s, skills, err) < 0)
		return finish_fail(s, err);
	if (s->result->conflict_count && s->options->dry_run)
		return finish_dry(s, skills, err);
	if (s->result->conflict_count && resolve_conflicts(s, operation, err) < 0)
		return finish_fail(s, err);
	if (s->result->conflict_count)
		return pause_here(s, operation, batch, batch->count, skills, err);
	if (structured_adopt(s, err) < 0)
		return finish_fail(s, err);
	if (s->options->customize && customize_stage(s, s->options->customize,
					     skills->list[skills->count - 1], err) < 0)
		return finish_fail(s, err);
	return s->options->dry_run ? finish_dry(s, skills, err) : finish(s, skills, err);
}

int apply_finish(struct session *s, const char *operation, struct string_array *skills,
	struct error *err)
{
	const struct batch nothing = BATCH_INIT;

	return apply_batch(s, operation, &nothing, skills, err);
}

/* After a failed test, `ret_overrides` has what the resolver offers for a second try. */
static int try_apply(const struct project *project, const char *operation,
	const char *const *typed, size_t count, const struct apply_options *options,
	struct apply_result *ret_result, struct overrides *ret_overrides, struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(batch_release) struct batch batch = BATCH_INIT;

	if (batch_load(project, typed, count, &batch, err) < 0 ||
		session_open(&s, project, operation, NULL, options, ret_result, err) < 0 ||
		batch_check(&s, &batch, err) < 0)
		return -1;
	if (!batch.count && options->customize)
		return customize_start(project, options->customize, ret_result->skills[0].name,
			options, ret_result, err);
	if (!batch.count) {
		ret_result->initialized = false;
		return 0;
	}
	/* The base is written if there is none, and then nothing can be unrecorded. */
	if (!s.found_state && batch_check_files(&s, &batch, err) < 0)
		return -1;
	if (session_open_base(&s, err) < 0 || unrecorded_find(&s, err) < 0 ||
		already_there(&s, &batch, err) < 0 || unrecorded_decide(&s, err) < 0 ||
		(s.found_state && batch_check_files(&s, &batch, err) < 0))
		return finish_fail(&s, err);
	if (apply_batch(&s, operation, &batch, &skills, err) == 0)
		return 0;
	if (err->kind == ERROR_TEST && options->resolver && !options->overrides) {
		CLEANUP(error_release) struct error second = ERROR_INIT;

		if (resolve_failed_test(&s, operation, err->message, ret_overrides, &second) <
			0)
			session_warn(&s, "%s", second.message);
	}
	return -1;
}

static int apply_as(const struct project *project, const char *operation,
	const char *const *typed, size_t count, const struct apply_options *options,
	struct apply_result *ret_result, struct error *err)
{
	CLEANUP(overrides_release) struct overrides overrides = {0};
	struct apply_options again = *options;

	if (try_apply(project, operation, typed, count, options, ret_result, &overrides, err) ==
		0)
		return 0;
	if (!overrides.count)
		return -1;
	again.overrides = &overrides;
	error_clear(err);
	apply_result_release(ret_result);
	*ret_result = APPLY_RESULT_INIT;
	return try_apply(project, operation, typed, count, &again, ret_result, &overrides, err);
}

int apply_skills(const struct project *project, const char *const *typed, size_t count,
	const struct apply_options *options, struct apply_result *ret_result, struct error *err)
{
	return apply_as(project, "skill apply", typed, count, options, ret_result, err);
}

int apply_newer(const struct project *project, const char *const *typed, size_t count,
	const struct apply_options *options, struct apply_result *ret_result, struct error *err)
{
	return apply_as(
		project, SKILL_UPDATE_OPERATION, typed, count, options, ret_result, err);
}

int apply_init(const struct project *project, const char *core_version,
	struct apply_result *ret_result, struct error *err)
{
	CLEANUP(string_array_release) struct string_array nothing = {0};
	CLEANUP(session_release) struct session s = {.base = -1};
	struct apply_options options = {0};

	if (session_open(&s, project, "init", core_version, &options, ret_result, err) < 0)
		return -1;
	if (s.found_state) {
		error_set(err, ERROR_INVALID, "'%s' is already initialized", project->path);
		return error_hint(err, "'nanoclaw status' shows its state");
	}
	if (session_open_base(&s, err) < 0)
		return finish_fail(&s, err);
	return finish(&s, &nothing, err);
}
