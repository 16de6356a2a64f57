#include "engine/operation/apply.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/commit/finish.h"
#include "engine/commit/pending.h"
#include "engine/custom/custom.h"
#include "engine/disk/tx_file.h"
#include "engine/operation/batch.h"
#include "engine/operation/customize.h"
#include "engine/operation/rehearsal.h"
#include "engine/session/origin.h"
#include "engine/stack/resolve.h"
#include "engine/stack/skill_files.h"
#include "engine/stack/unrecorded.h"
#include "engine/structured/structured.h"
#include "engine/structured/structured_declare.h"
#include "engine/structured/structured_state.h"

/* --- changes that are in the tree already ---------------------------------------------- */

/* All paths that the skills of the batch touch, under their current names. */
static void list_paths(
	struct session *s, const struct batch *batch, struct string_array *ret_paths)
{
	for (size_t i = 0; i < batch->count; i++) {
		const struct manifest *m = &batch->packages[i].manifest;

		for (size_t j = 0; j < m->adds.count; j++)
			string_array_add(ret_paths, m->adds.list[j].path.text);
		for (size_t j = 0; j < m->modifies.count; j++) {
			CLEANUP(relpath_release)
			struct relpath real = origin_resolve(s, &m->modifies.list[j].path);

			string_array_add(ret_paths, real.text);
		}
		for (size_t j = 0; j < m->file_op_count; j++) {
			CLEANUP(relpath_release)
			struct relpath real = origin_resolve(s, &m->file_ops[j].from);

			string_array_add(ret_paths, real.text);
			if (m->file_ops[j].type == FILE_OP_RENAME)
				string_array_add(ret_paths, m->file_ops[j].to.text);
		}
		for (size_t j = 0; m->structured && structured_formats[j]; j++) {
			const struct structured_format *format = structured_formats[j];
			bool declared = yaml_get(m->structured, format->member);

			for (size_t k = 0; declared && format->names[k]; k++)
				if (faccessat(s->project->root, format->names[k], F_OK,
					    AT_SYMLINK_NOFOLLOW) == 0)
					string_array_add(ret_paths, format->names[k]);
		}
	}
	string_array_sort_once(ret_paths);
}

/* Stage all files as recorded; false if the record of one cannot be read. */
static bool stage_recorded(struct session *s, const struct recorded *recorded,
	const struct string_array *paths, struct transaction *tx)
{
	for (size_t i = 0; i < paths->count; i++) {
		CLEANUP(relpath_release) struct relpath path = relpath_of(paths->list[i]);
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (recorded_read(s, recorded, &path, &file, &err) < 0 ||
			transaction_read(tx, &path, &now, &err) < 0)
			return false;
		if (!tx_file_same(&file, &now) &&
			tx_file_stage_over(tx, &path, &file, &now, &err) < 0)
			return false;
	}
	return true;
}

static bool is_as_in_tree(struct session *s, struct transaction *rehearsed, const char *text)
{
	const struct structured_format *format = structured_format_of(text);
	CLEANUP(relpath_release) struct relpath path = relpath_of(text);
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (transaction_read(rehearsed, &path, &made, &err) < 0 ||
		custom_read_tree(s, &path, &is, &err) < 0)
		return false;
	if (tx_file_same(&made, &is))
		return true;
	return format && made.kind == TX_FILE && is.kind == TX_FILE &&
	       !((made.mode ^ is.mode) & 0100) &&
	       structured_same_meaning(
		       format, view_of_buf(&made.content), view_of_buf(&is.content));
}

/* Would the skills, applied to the recorded files, give exactly the files in the tree? */
static int rehearse(struct session *s, const struct batch *batch,
	const struct recorded *recorded, const struct string_array *paths, bool *ret_there,
	struct error *err)
{
	CLEANUP(rehearsal_release) struct rehearsal r = REHEARSAL_INIT;
	CLEANUP(error_release) struct error refused = ERROR_INIT;
	CLEANUP(freep)
	const struct package **packages = xcalloc(batch->count, sizeof(struct package *));

	*ret_there = false;
	for (size_t i = 0; i < batch->count; i++)
		packages[i] = &batch->packages[i];
	if (rehearsal_open(&r, s->project, err) < 0)
		return -1;
	r.options.ancestor_is_base = s->options->ancestor_is_base;
	if (!stage_recorded(s, recorded, paths, r.session.tx) ||
		rehearsal_apply(&r, packages, batch->count, &refused) < 0 ||
		r.told.conflict_count)
		return 0;
	for (size_t i = 0; i < paths->count; i++)
		if (!is_as_in_tree(s, r.session.tx, paths->list[i]))
			return 0;
	*ret_there = true;
	return 0;
}

/*
 * A person may have edited files first, and later made a package of these edits (author.h).
 * Applying the package would then record the same lines twice: as the person's and as the
 * skill's. If the tree has all files exactly as the skills would make them, the recorded files
 * are staged first, and the skills are applied to those. The tree does not change, and the
 * record gives the lines to the skills. The session's drift must be known.
 */
static int take_over_drift(struct session *s, const struct batch *batch, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(string_array_release) struct string_array paths = {0};
	struct drift_list *drift = &s->drift;
	size_t kept = 0;
	bool there, touched = false;

	if (!s->found_state)
		return 0;
	list_paths(s, batch, &paths);
	for (size_t i = 0; i < drift->count; i++)
		touched |= string_array_has(&paths, drift->list[i].path);
	if (!touched)
		return 0;
	if (recorded_collect(&s->state, &recorded, err) < 0 ||
		rehearse(s, batch, &recorded, &paths, &there, err) < 0)
		return -1;
	if (!there)
		return 0;
	if (!stage_recorded(s, &recorded, &paths, s->tx))
		return error_set(err, ERROR_FAILED,
			"cannot read the record of the files that you have changed");
	for (size_t i = 0; i < drift->count; i++) {
		if (string_array_has(&paths, drift->list[i].path))
			free(drift->list[i].path);
		else
			drift->list[kept++] = drift->list[i];
	}
	drift->count = kept;
	return 0;
}

/* --- the batch -------------------------------------------------------------------------- */

/*
 * After a skill with conflicts, the operation pauses, unless they can be resolved. The rest of
 * the batch is applied after the pause. `*ret_ended`: the operation has ended, with this result.
 */
static int end_on_conflict(struct session *s, const char *operation, const struct batch *batch,
	size_t next, const struct string_array *skills, bool *ret_ended, struct error *err)
{
	CLEANUP(string_array_release) struct string_array remaining = {0};
	CLEANUP(string_array_release) struct string_array versions = {0};

	*ret_ended = s->result->conflict_count;
	if (!*ret_ended)
		return 0;
	if (s->options->dry_run)
		return finish_dry(s, skills, err); /* the rest depends on it */
	if (resolve_conflicts(s, operation, err) < 0)
		return finish_fail(s, err);
	*ret_ended = s->result->conflict_count;
	if (!*ret_ended)
		return 0;
	batch_list_rest(s, batch, next, &remaining, &versions);
	return finish_paused(s,
		&(struct pending){
			.operation = operation,
			.skills = *skills,
			.remaining = remaining,
			.versions = versions,
		},
		err);
}

int apply_batch(struct session *s, const char *operation, const struct batch *batch,
	struct string_array *skills, struct error *err)
{
	bool ended;
	int result;

	for (size_t i = 0; i < batch->count; i++) {
		if (skill_files_stage(s, &batch->packages[i], err) < 0)
			return finish_fail(s, err);
		batch_mark_reached(s, batch->packages[i].manifest.skill);
		string_array_add(skills, batch->packages[i].manifest.skill);
		result = end_on_conflict(s, operation, batch, i + 1, skills, &ended, err);
		if (ended)
			return result;
	}
	if (resolve_use_overrides(s, err) < 0 || structured_stage(s, skills, err) < 0)
		return finish_fail(s, err);
	result = end_on_conflict(s, operation, batch, batch->count, skills, &ended, err);
	if (ended)
		return result;
	if (structured_adopt(s, err) < 0)
		return finish_fail(s, err);
	if (s->options->customize && customize_stage(s, s->options->customize,
					     skills->list[skills->count - 1], err) < 0)
		return finish_fail(s, err);
	return s->options->dry_run ? finish_dry(s, skills, err) : finish(s, skills, err);
}

/* After a failed test, `ret_overrides` has the resolver's files for a second try. */
static int try_apply(const struct project *project, const char *operation,
	const char *const *typed, size_t count, const struct operation_options *options,
	struct operation_result *ret_result, struct overrides *ret_overrides, struct error *err)
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
	/* A first apply writes the base; then nothing can be unrecorded. */
	if (!s.found_state && batch_check_files(&s, &batch, err) < 0)
		return -1;
	if (session_open_base(&s, err) < 0 || unrecorded_find(&s, err) < 0 ||
		take_over_drift(&s, &batch, err) < 0 || unrecorded_decide(&s, err) < 0 ||
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

int apply_skills(const struct project *project, const char *operation, const char *const *typed,
	size_t count, const struct operation_options *options,
	struct operation_result *ret_result, struct error *err)
{
	CLEANUP(overrides_release) struct overrides overrides = {0};
	struct operation_options again = *options;

	if (try_apply(project, operation, typed, count, options, ret_result, &overrides, err) ==
		0)
		return 0;
	if (!overrides.count)
		return -1;
	again.overrides = &overrides;
	error_clear(err);
	operation_result_release(ret_result);
	*ret_result = OPERATION_RESULT_INIT;
	return try_apply(project, operation, typed, count, &again, ret_result, &overrides, err);
}

int apply_init(const struct project *project, const char *core_version,
	struct operation_result *ret_result, struct error *err)
{
	CLEANUP(string_array_release) struct string_array nothing = {0};
	CLEANUP(session_release) struct session s = {.base = -1};
	struct operation_options options = {0};

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
