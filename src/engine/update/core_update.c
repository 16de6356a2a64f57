#include "engine/update/core_update.h"

#include <stdlib.h>
#include <string.h>

#include "base/string_array.h"
#include "engine/commit/finish.h"
#include "engine/core/base_sums.h"
#include "engine/disk/stat_index.h"
#include "engine/disk/tx_file.h"
#include "engine/replay/rebase.h"
#include "engine/session/earlier_cores.h"
#include "engine/session/recorded.h"
#include "engine/stack/resolve.h"
#include "engine/stack/unrecorded.h"
#include "engine/state/layer.h"
#include "engine/structured/structured.h"
#include "engine/update/internal.h"

static void core_update_release(struct core_update *u)
{
	core_update_release_lower(u);
	batch_release(&u->batch);
	string_array_release(&u->staged);
	placed_files_release(u->placed, u->placed_count);
}

/* --- the report ----------------------------------------------------------------- */

/* Without files below .nanoclaw. */
void core_update_note_tree(struct session *s)
{
	const struct journal *journal = transaction_journal(s->tx);
	struct update_result *r = s->result->update;

	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		struct layer_file file = {.kind = TX_ABSENT};

		if (view_starts_with(relpath_view(&change->path), ".nanoclaw/"))
			continue;
		if (change->kind == CHANGE_REMOVE && !change->had_before)
			continue;
		if (change_puts(change))
			file = (struct layer_file){
				.kind = change->kind == CHANGE_LINK ? TX_SYMLINK : TX_FILE,
				.mode_known = true,
				.executable = change->mode & 0100,
				.hash = change->hash,
			};
		GROW(r->changes, r->change_count, r->change_cap);
		r->changes[r->change_count++] =
			(struct update_change){xstrdup(change->path.text), file};
	}
}

/* Has the core changed a file of this layer? A file with a conflict counts too. */
static bool is_touched(const struct core_update *u, const struct layer *layer)
{
	const struct operation_result *result = u->session->result;
	struct layer_file file;

	for (size_t i = 0; i < u->placed_count; i++)
		if (layer_get(layer, relpath_view(&u->placed[i].path), &file))
			return true;
	for (size_t i = 0; i < result->conflict_count; i++)
		if (layer_get(layer, relpath_view(&result->conflicts[i].path), &file))
			return true;
	return false;
}

/* Custom patches that fit, and whose files the core has changed. */
static int note_patches(struct core_update *u)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	struct update_result *r = u->result;

	if (layers_read(&u->session->state, &layers, u->err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];

		if (layer->kind == LAYER_PATCH && !layer->baked &&
			!string_array_has(&r->patches, layer->name) &&
			!string_array_has(&r->patch_failures, layer->name) &&
			is_touched(u, layer))
			string_array_add(&r->patches, layer->name);
	}
	return 0;
}

static char *read_note(const struct yaml_node *mapping, const char *key)
{
	const char *text = yaml_get_text(mapping, key);

	return xstrdup(text ? text : "");
}

void core_update_fill_result(struct session *s)
{
	struct update_result *r = xcalloc(1, sizeof(*r));
	const struct yaml_node *root = s->notes ? s->notes->root : NULL;
	const struct yaml_node *migrations = yaml_get_kind(root, "migrations", YAML_SEQUENCE);
	const struct {
		const char *key;
		struct string_array *strings;
	} lists[] = {
		{"patches", &r->patches},
		{"patch_failures", &r->patch_failures},
		{"new_skills", &r->new_skills},
	};

	s->result->update = r;
	s->dependencies_changed = yaml_get(root, "install") != NULL;
	r->previous_version = read_note(root, "from");
	r->new_version = read_note(root, "to");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		const struct yaml_node *list = yaml_get_kind(root, lists[i].key, YAML_SEQUENCE);

		for (size_t j = 0; j < list->count; j++)
			string_array_add(lists[i].strings, list->items[j]->text.data);
	}
	for (size_t i = 0; i < migrations->count; i++) {
		GROW(r->migrations, r->migration_count, r->migration_cap);
		r->migrations[r->migration_count++] = (struct update_migration){
			.skill = read_note(migrations->items[i], "skill"),
			.version = read_note(migrations->items[i], "version"),
			.description = read_note(migrations->items[i], "description"),
		};
	}
}

/* --- the end ---------------------------------------------------------------------- */

static int finish_update(struct session *s, struct string_array *skills, struct error *err)
{
	CLEANUP(string_array_release) struct string_array contributors = {0};
	const struct batch nothing = BATCH_INIT;
	CLEANUP(rebase_result_release) struct rebase_result rebased = REBASE_RESULT_INIT;
	CLEANUP(freep) char *name = NULL;
	bool paused = false;

	/* Without newly applied skills, the entries of all skills are made again. */
	for (size_t i = 0; i < skills->count; i++)
		string_array_add(&contributors, skills->list[i]);
	for (size_t i = 0; !skills->count && i < s->state.skill_count; i++)
		string_array_add(&contributors, s->state.skills[i].name);
	if (resolve_use_overrides(s, err) < 0 || structured_stage(s, &contributors, err) < 0)
		return finish_fail(s, err);
	if (core_update_pause(s, &nothing, 0, skills, &paused, err) < 0)
		return -1;
	if (paused)
		return 0;
	if (!s->result->update->foreseen)
		core_update_note_tree(s);
	if (structured_adopt(s, err) < 0)
		return finish_fail(s, err);
	/* The update and the rebase onto it are one operation. */
	if (s->notes && yaml_get(s->notes->root, "rebase")) {
		s->result->update->rebased = true;
		if (rebase_stage(s, false, &rebased, err) < 0)
			return finish_fail(s, err);
	}
	name = xasprintf("core %s", s->state.core_version);
	transaction_concerns(s->tx, name);
	return s->options->dry_run ? finish_dry(s, skills, err) : finish(s, skills, err);
}

/* Apply migrations and newer skills, and finish. */
static int apply_skills_and_finish(
	struct session *s, struct batch *batch, struct string_array *skills, struct error *err)
{
	bool paused = false;

	if (core_update_stage_skills(s, batch, skills, &paused, err) < 0)
		return -1;
	return paused ? 0 : finish_update(s, skills, err);
}

/* Record the files whose conflicts a person or the resolver has resolved. */
static int record_resolved(struct session *s, struct error *err)
{
	struct update_result *r = s->result->update;
	struct placed_file *placed = NULL;
	size_t count = 0;
	int failed;

	if (!r->foreseen) {
		for (size_t i = 0; i < r->patch_failures.count; i++)
			if (!string_array_has(&r->patches, r->patch_failures.list[i]))
				string_array_add(&r->patches, r->patch_failures.list[i]);
		string_array_release(&r->patch_failures);
		r->patch_failures = (struct string_array){0};
	}

	if (core_update_read_open(s, &placed, &count, err) < 0)
		return -1;
	failed = core_update_record(s, placed, count, err);
	placed_files_release(placed, count);
	return failed;
}

int core_update_continue(
	struct session *s, struct batch *batch, struct string_array *skills, struct error *err)
{
	if (unrecorded_leave(s, err) < 0 || record_resolved(s, err) < 0 ||
		batch_check(s, batch, err) < 0 || batch_check_files(s, batch, err) < 0)
		return finish_fail(s, err);
	return apply_skills_and_finish(s, batch, skills, err);
}

/* --- the new core becomes the base; the old one is kept among the earlier cores --- */

/* A file of the old base goes, and its content is kept. */
static int keep_old(struct core_update *u, const struct relpath *path, bool goes)
{
	CLEANUP(tx_file_release) struct tx_file old = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	struct session *s = u->session;

	if (session_read_base(s, path, &old, u->err) < 0 ||
		recorded_keep(s, view_of_buf(&old.content), u->err) < 0)
		return -1;
	if (!goes)
		return 0;
	if (session_base_path(path, &full, u->err) < 0 ||
		transaction_remove(s->tx, &full, u->err) < 0)
		return -1;
	while (relpath_parent(&full, &folder) && relpath_depth(&folder) > 2) {
		transaction_prune(s->tx, &folder);
		relpath_release(&full);
		full = folder;
		folder = RELPATH_INIT;
	}
	return 0;
}

static int stage_base(struct core_update *u)
{
	const struct core_source *source = u->source;
	struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(BASE_SUMS_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (earlier_cores_keep(u->session, u->err) < 0)
		return -1;
	/* Names that go first: another file may get one of them. */
	for (size_t i = 0; i < source->deleted_count; i++)
		if (keep_old(u, &source->deleted[i], true) < 0)
			return -1;
	for (size_t i = 0; i < source->files.count; i++) {
		const struct core_file *file = &source->files.list[i];

		if (file->change != CORE_SAME && file->from.text &&
			keep_old(u, &file->from,
				relpath_compare(&file->from, &file->path) != 0) < 0)
			return -1;
	}
	for (size_t i = 0; i < source->files.count; i++) {
		const struct core_file *file = &source->files.list[i];
		CLEANUP(tx_file_release) struct tx_file new = TX_FILE_INIT;
		CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;

		if (file->change != CORE_SAME &&
			(core_source_read(source, file, &new, u->err) < 0 ||
				session_base_path(&file->path, &full, u->err) < 0 ||
				tx_file_stage(u->session->tx, &full, &new, u->err) < 0))
			return -1;
	}
	u->session->base_staged = true;
	for (size_t i = 0; i < source->files.count; i++) {
		GROW(sums.list, sums.count, sums.cap);
		sums.list[sums.count++] = (struct base_sum){
			source->files.list[i].path.text, source->files.list[i].file};
	}
	base_sums_render(&sums, source->version, &text);
	free(sums.list); /* the paths are the source's */
	return transaction_put(u->session->tx, &path, view_of_buf(&text), 0644, u->err);
}

/* --- the beginning ---------------------------------------------------------------- */

/* Everything up to the first conflict. */
static int stage_update(struct core_update *u, struct string_array *skills)
{
	struct session *s = u->session;
	struct hash content;

	if (core_update_stage_files(u) < 0 || note_patches(u) < 0 || stage_base(u) < 0)
		return -1;
	yaml_set_string(s->state.doc->root, "core_version", u->source->version);
	s->state.core_version = yaml_get(s->state.doc->root, "core_version")->text.data;
	content = core_source_hash(u->source);
	state_set_core_source(&s->state,
		s->options->source ? s->options->source : u->source->shown, &content);
	if (core_update_insert_migrations(u, skills) < 0)
		return -1;
	return core_update_record(s, u->placed, u->placed_count, u->err);
}

static int run_update(struct core_update *u)
{
	CLEANUP(string_array_release) struct string_array skills = {0};
	struct session *s = u->session;
	bool paused = false;

	for (size_t i = 0; i < u->source->notes.count; i++)
		session_warn(s, "%s", u->source->notes.list[i]);
	if (!u->source->version_known)
		session_warn(s,
			"the new core has no version (in VERSION, package.json or meson.build); "
			"assuming %s",
			u->source->version);
	if (unrecorded_decide(s, u->err) < 0 || core_update_stage_packages(u) < 0 ||
		core_update_find_skills(u) < 0)
		return finish_fail(s, u->err);
	core_update_note(u);
	u->result->nothing_to_do = !u->source->deleted_count && !u->batch.count &&
				   !u->staged.count &&
				   !strcmp(u->result->previous_version, u->result->new_version);
	for (size_t i = 0; i < u->source->files.count; i++)
		u->result->nothing_to_do &= u->source->files.list[i].change == CORE_SAME;
	if (u->result->nothing_to_do && !s->result->recorded_patch)
		return transaction_rollback(s->tx, NULL, u->err);
	if (stage_update(u, &skills) < 0 || batch_check(s, &u->batch, u->err) < 0)
		return finish_fail(s, u->err);
	if (core_update_pause(s, &u->batch, 0, &skills, &paused, u->err) < 0)
		return -1;
	if (paused)
		return 0;
	if (record_resolved(s, u->err) < 0)
		return finish_fail(s, u->err);
	return apply_skills_and_finish(s, &u->batch, &skills, u->err);
}

/* After a failed test, `ret_overrides` has the resolver's files for a second try. */
static int try_update(const struct project *project, const char *typed, const char *to,
	const struct operation_options *options, struct operation_result *result,
	struct overrides *ret_overrides, struct error *err)
{
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(core_update_release)
	struct core_update u = {.session = &s, .source = &source, .err = err};
	struct core_request request = {.project = project, .typed = typed, .to = to};

	if (session_open(&s, project, CORE_UPDATE_OPERATION, NULL, options, result, err) < 0)
		return -1;
	if (!s.found_state) {
		/* Drop the session's warnings, which are about a new core. */
		operation_result_release(result);
		*result = OPERATION_RESULT_INIT;
		error_set(err, ERROR_INVALID,
			"there is no core to update: the project is not initialized");
		return error_hint(err, "'nanoclaw init' saves the core as it is now");
	}
	if (session_open_base(&s, err) < 0)
		return -1;
	request.base = s.base;
	request.old_version = s.state.core_version;
	if (core_source_open(&request, &source, err) < 0)
		return -1;
	u.result = result->update = xcalloc(1, sizeof(*u.result));
	u.result->previous_version = xstrdup(s.state.core_version);
	u.result->new_version = xstrdup(source.version);
	u.result->commits = source.commits;
	s.shipped = source.resolutions.list;
	s.shipped_count = source.resolutions.count;
	if (run_update(&u) == 0)
		return 0;
	if (u.result->foreseen) {
		session_warn(&s,
			"the rest of the update after these conflicts is not known yet: %s",
			err->message);
		error_clear(err);
		return 0;
	}
	if (err->kind == ERROR_TEST && options->resolver && !options->overrides) {
		CLEANUP(error_release) struct error second = ERROR_INIT;

		if (resolve_failed_test(&s, CORE_UPDATE_OPERATION, err->message, ret_overrides,
			    &second) < 0)
			session_warn(&s, "%s", second.message);
	}
	return -1;
}

int core_update(const struct project *project, const char *typed, const char *to,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err)
{
	CLEANUP(overrides_release) struct overrides overrides = {0};
	struct operation_options again = *options;
	bool saving = stat_index_saving;
	int failed;

	/* A preview opens nothing for writing, not even a cache. */
	stat_index_saving = saving && !options->dry_run;
	failed = try_update(project, typed, to, options, ret_result, &overrides, err);
	stat_index_saving = saving;
	if (!failed || !overrides.count)
		return failed;
	again.overrides = &overrides;
	error_clear(err);
	operation_result_release(ret_result);
	*ret_result = OPERATION_RESULT_INIT;
	return try_update(project, typed, to, &again, ret_result, &overrides, err);
}
