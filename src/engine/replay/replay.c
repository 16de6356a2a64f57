#include "engine/replay/replay.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/commit/finish.h"
#include "engine/commit/install_manager.h"
#include "engine/package/structured_format.h"
#include "engine/patch/patch.h"
#include "engine/replay/internal.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/session/origin.h"
#include "engine/stack/unrecorded.h"
#include "engine/state/record.h"
#include "fs/beneath.h"

const char *const replay_why_names[] = {
	[REPLAY_EDITED] = "edited",
	[REPLAY_RESTORED] = "restored",
	[REPLAY_KEPT] = "kept",
	[REPLAY_PACKAGE] = "package",
	[REPLAY_INSTALLED] = "installed",
	[REPLAY_CONFLICT] = "conflict",
	[REPLAY_HASH] = "hash",
	[REPLAY_CORE] = "core",
	[REPLAY_MISSING] = "missing",
};

/* --- the report ---------------------------------------------------------------------- */

void replay_note(struct replaying *r, const char *path, enum replay_why why,
	const char *recorded, const char *got, const char *format, ...)
{
	CLEANUP(buf_release) struct buf note = BUF_INIT;
	struct replay_result *result = r->result;
	va_list args;

	va_start(args, format);
	buf_appendv(&note, format, args);
	va_end(args);
	GROW(result->differences, result->count, result->cap);
	result->differences[result->count++] = (struct replay_difference){
		.path = xstrdup(path),
		.why = why,
		.note = buf_take(&note),
		.recorded = recorded ? xstrdup(recorded) : NULL,
		.got = got ? xstrdup(got) : NULL,
	};
}

bool replay_has_failed(const struct replay_result *result)
{
	for (size_t i = 0; i < result->count; i++)
		if (result->differences[i].why >= REPLAY_FATAL)
			return true;
	return false;
}

static const char *hint_for(enum replay_why why)
{
	if (why == REPLAY_CONFLICT)
		return "nothing was changed; recorded resolutions are looked for in "
		       "'.claude/resolutions', and in 'resolutions' beside the state";
	if (why == REPLAY_CORE)
		return "nothing was changed; '--core DIR' with '--into DIR' takes the core from "
		       "somewhere else";
	if (why == REPLAY_MISSING)
		return "nothing was changed; packages are looked for in '.claude/skills' and "
		       "'skills', patches in 'custom' beside the state";
	return "nothing was changed; 'nanoclaw --json replay' has all hashes";
}

/* Report the first fatal difference and the number of further ones. */
static int fail_with_first(
	const struct replay_result *result, enum error_kind kind, struct error *err)
{
	const struct replay_difference *first = NULL;
	size_t more = 0;

	for (size_t i = 0; i < result->count; i++) {
		if (result->differences[i].why < REPLAY_FATAL)
			continue;
		more += first != NULL;
		if (!first)
			first = &result->differences[i];
	}
	assert(first);
	if (more)
		error_set(err, kind, "'%s': %s; and %zu more", first->path, first->note, more);
	else if (first->why == REPLAY_HASH)
		error_set(err, kind, "'%s': %s (recorded %.12s, got %.12s)", first->path,
			first->note, first->recorded ? first->recorded : "nothing",
			first->got ? first->got : "nothing");
	else
		error_set(err, kind, "'%s': %s", first->path, first->note);
	return error_hint(err, "%s", hint_for(first->why));
}

void replay_result_release(struct replay_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		free(result->differences[i].path);
		free(result->differences[i].note);
		free(result->differences[i].recorded);
		free(result->differences[i].got);
	}
	free(result->differences);
	free(result->where);
	operation_result_release(&result->told);
}

/* --- layers of v0.1 --- */

/*
 * A skill without the hashes of its files, or a patch without any: their files are listed in
 * their package or patch. Reading the state did not check such a path.
 */
static int scope_add(struct replaying *r, const struct relpath *path, struct error *err)
{
	if (relpath_protected(path) || !layer_may_record(path))
		return error_set(
			err, ERROR_INVALID, "'%s' is not a path that is recorded", path->text);
	string_array_add(&r->restage.paths, path->text);
	return 0;
}

static int scope_add_skill(struct replaying *r, const struct layer *layer, struct error *err)
{
	CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const struct manifest_paths *both[] = {&m.adds, &m.modifies};

	if (origin_load_pack(r->session, layer->name, &pack, err) < 0 ||
		pack_read_manifest(&pack, &m, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++)
			if (scope_add(r, &both[i]->list[j].path, err) < 0)
				return -1;
	for (size_t i = 0; i < m.file_op_count; i++)
		if (scope_add(r, &m.file_ops[i].from, err) < 0 ||
			(m.file_ops[i].type == FILE_OP_RENAME &&
				scope_add(r, &m.file_ops[i].to, err) < 0))
			return -1;
	return 0;
}

static int scope_add_patch(struct replaying *r, const struct layer *layer, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	const char *file = record_patch_file(layer->node);

	if (!file || relpath_parse(view_of(file), &path, err) < 0 ||
		transaction_read(r->session->tx, &path, &text, err) < 0 ||
		patch_parse(view_of_buf(&text.content), path.text, &patch, err) < 0)
		return -1;
	for (size_t i = 0; i < patch.count; i++) {
		const struct patch_change *change = &patch.changes[i];

		if ((change->old.kind != PATCH_ABSENT &&
			    scope_add(r, &change->old.path, err) < 0) ||
			(change->new.kind !=
				PATCH_ABSENT &&scope_add(r, &change->new.path, err) < 0))
			return -1;
	}
	return 0;
}

/* List the files of layers that do not record them. */
static int add_scope(struct replaying *r, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(&r->session->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];

		if (!layer_is_complete(layer) &&
			(layer->kind == LAYER_SKILL ? scope_add_skill(r, layer, err)
						    : scope_add_patch(r, layer, err)) < 0)
			return -1;
	}
	/* Files that skills contribute to, under each name that they may have. */
	for (size_t i = 0; r->incomplete && structured_formats[i]; i++)
		for (size_t j = 0; structured_formats[i]->names[j]; j++) {
			CLEANUP(relpath_release)
			struct relpath path = relpath_of(structured_formats[i]->names[j]);

			if (scope_add(r, &path, err) < 0)
				return -1;
		}
	return 0;
}

/* --- the layers ------------------------------------------------------------------- */

static void add_store(struct session *s, int root, const char *path)
{
	if (root < 0)
		return;
	assert(s->store_count < SESSION_STORES);
	s->stores[s->store_count++] = (struct session_store){root, path};
}

/* Where conflicts may have been resolved: beside the state, where we are, with the core. */
static void add_stores(struct replaying *r)
{
	struct session *s = r->session;

	s->store_count = 0;
	if (!r->source->own) {
		add_store(s, r->source->kit, "resolutions");
		add_store(s, r->project->root, RESOLUTIONS_OWN);
		add_store(s, r->project->root, RESOLUTIONS_SHIPPED);
	}
	add_store(s, r->source->core_root, RESOLUTIONS_SHIPPED);
}

/*
 * Stage all layers in a separate transaction. Resolutions are looked up in the project where
 * they were made. Afterwards the session has the recorded state again, since the result must
 * match it.
 */
static int stage_layers(struct replaying *r, struct error *err)
{
	CLEANUP(error_release) struct error failure = ERROR_INIT;
	struct session *s = r->session;
	const struct project *project = s->project;
	int failed;

	add_stores(r);
	if (add_scope(r, err) < 0)
		return -1;
	if (r->source->from.root >= 0)
		s->project = &r->source->from;
	failed = restage_run(s, &r->restage, &failure);
	s->project = project;
	s->dependencies_changed = false;
	if (!r->incomplete || failed) {
		state_release(&s->state);
		s->state = r->restage.old;
		r->restage.old = STATE_INIT;
	}
	/* A fault of the disk, and not of the record. */
	if (failed && failure.errnum && !beneath_is_absent(&failure))
		return error_move(err, &failure);
	if (failed)
		r->failure = xstrdup(failure.message);
	if (recorded_collect(&s->state, &r->recorded, err) < 0 ||
		(r->restage.old.doc && recorded_collect(&r->restage.old, &r->was, err) < 0))
		return -1;
	for (size_t i = 0; i < r->recorded.layers.count; i++)
		(*(r->recorded.layers.list[i].kind == LAYER_SKILL ? &r->result->skills
								  : &r->result->patches))++;
	return 0;
}

/* --- the end ---------------------------------------------------------------------- */

/* Does the project have dependencies beyond the core's that must be installed? */
static int check_dependencies(struct replaying *r, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
	struct session *s = r->session;
	const struct change *change;

	if (relpath_parse(view_of(INSTALL_MANIFEST), &path, err) < 0)
		return -1;
	change = journal_find(transaction_journal(s->tx), &path);
	if (!change || !change_puts(change))
		return 0;
	if (session_read_base(s, &path, &base, err) < 0 ||
		transaction_read(s->tx, &path, &now, err) < 0)
		return -1;
	s->dependencies_changed =
		!view_equal(view_of_buf(&base.content), view_of_buf(&now.content));
	return 0;
}

/* Report the commands, since another machine may need them: their effects are not recorded. */
static int warn_of_commands(struct replaying *r, struct error *err)
{
	struct session *s = r->session;

	for (size_t i = 0; i < s->state.skill_count && !r->in_place; i++) {
		CLEANUP(pack_release) struct pack pack = PACK_INIT;
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;

		if (origin_load_pack(s, s->state.skills[i].name, &pack, err) < 0 ||
			pack_read_manifest(&pack, &m, err) < 0)
			return -1;
		for (size_t j = 0; j < m.post_apply.count; j++)
			session_warn(s, "a command of skill '%s' is not run again: %s", m.skill,
				m.post_apply.list[j]);
	}
	return 0;
}

static int finish_replay(struct replaying *r, struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};
	struct session *s = r->session;
	bool has_tests = false;

	for (size_t i = 0; i < s->state.skill_count; i++) {
		string_array_add(&skills, s->state.skills[i].name);
		has_tests |= !s->options->no_test && state_has_test(&s->state.skills[i]);
	}
	s->only_tests = true;
	/* A known lockfile must stay unchanged, whatever an install writes. */
	s->undoing = true;
	for (size_t i = 0; i < r->result->count; i++)
		s->undoing &= r->result->differences[i].why != REPLAY_INSTALLED;
	r->result->unchanged = r->in_place && !transaction_journal(s->tx)->change_count;
	if (check_dependencies(r, err) < 0 || warn_of_commands(r, err) < 0)
		return finish_fail(s, err);
	if (s->options->dry_run)
		return finish_dry(s, &skills, err);
	if (!r->result->unchanged)
		return finish(s, &skills, err);
	return has_tests ? finish_tests(s, &skills, err) : 0;
}

/* --- the operation ---------------------------------------------------------------- */

/*
 * What to do about the person's changes. Files that are missing are restored, so they are left
 * out of the question; only ON_DRIFT_RECORD records that they are gone.
 */
static int decide_on_changes(struct session *s, struct error *err)
{
	struct drift_list *drift = &s->drift;
	size_t all, there = 0;
	int failed;

	if (unrecorded_find(s, err) < 0)
		return -1;
	all = drift->count;
	for (size_t i = 0; i < all && s->options->on_drift == ON_DRIFT_ASK; i++) {
		struct drift one = drift->list[i];

		if (one.change == DRIFT_DELETED)
			continue;
		drift->list[i] = drift->list[there];
		drift->list[there++] = one;
	}
	if (s->options->on_drift == ON_DRIFT_ASK)
		drift->count = there;
	failed = unrecorded_decide(s, err);
	drift->count = all;
	return failed;
}

static int stage_replay(struct replaying *r, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	struct session *s = r->session;

	if (replay_take_core(r, err) < 0 || layers_read(&s->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		r->incomplete |= !layer_is_complete(&layers.list[i]);
	/*
	 * In a state of v0.1, a file that a patch changed counts as edited, and no change can
	 * be recorded until all layers have complete records.
	 */
	if (r->in_place && (r->incomplete && s->options->on_drift != ON_DRIFT_ABORT
					   ? unrecorded_leave(s, err)
					   : decide_on_changes(s, err)) < 0)
		return -1;
	if (replay_stage_inputs(r, err) < 0)
		return -1;
	if (replay_has_failed(r->result))
		return fail_with_first(r->result, ERROR_INVALID, err);
	if (stage_layers(r, err) < 0 || replay_stage_files(r, err) < 0 ||
		(r->aside && replay_stage_packages(r, err) < 0))
		return -1;
	if (replay_has_failed(r->result))
		return fail_with_first(r->result, ERROR_FAILED, err);
	if (r->failure)
		session_warn(s, "all files match the saved copies: %s", r->failure);
	return 0;
}

static int run_replay(struct replaying *r, const struct project *place,
	const struct operation_options *options, struct error *err)
{
	CLEANUP(session_release) struct session s = {.base = -1};
	int failed;

	r->session = &s;
	if (session_open(&s, place, REPLAY_OPERATION, r->source->state.core_version, options,
		    &r->result->told, err) < 0)
		return -1;
	r->result->told.initialized = false;
	/* The session's state is the one that is replayed. */
	if (!r->in_place) {
		state_release(&s.state);
		s.state = STATE_INIT;
		if (state_from_node(r->source->state.doc->root, &s.state, err) < 0)
			return -1;
	}
	failed = stage_replay(r, err) < 0 ? finish_fail(&s, err) : finish_replay(r, err);
	recorded_release(&r->recorded);
	recorded_release(&r->was);
	restage_release(&r->restage);
	base_sums_release(&r->core);
	free(r->failure);
	return failed;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct replay_difference *)a)->path,
		((const struct replay_difference *)b)->path);
}

int replay(const struct project *project, const struct replay_request *request,
	const struct operation_options *options, struct replay_result *ret_result,
	struct error *err)
{
	CLEANUP(source_release) struct source source = SOURCE_INIT;
	struct place place = PLACE_INIT;
	struct replaying r = {
		.project = project,
		.source = &source,
		.result = ret_result,
		.aside = request->into,
		.restage = RESTAGE_INIT,
	};
	int failed;

	if (source_open(project, request, &source, err) < 0)
		return -1;
	r.in_place = source.own && !request->into;
	failed = request->into &&
		 place_open(project, request, options->dry_run, &place, err) < 0;
	if (!failed)
		failed = run_replay(&r, request->into ? &place.project : project, options,
				 err) < 0;
	if (ret_result->count)
		qsort(ret_result->differences, ret_result->count,
			sizeof(*ret_result->differences), by_path);
	if (place.project.path && !place.dummy)
		ret_result->where = xstrdup(place.project.path);
	place_close(&place, !failed);
	return failed ? -1 : 0;
}
