#include "engine/replay/rebase.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/commit/finish.h"
#include "engine/custom/custom.h"
#include "engine/disk/tx_file.h"
#include "engine/package/structured_format.h"
#include "engine/replay/internal.h"
#include "engine/replay/restage.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/resolution/resolution_key.h"
#include "engine/stack/drop.h"
#include "engine/stack/part.h"
#include "engine/stack/thread.h"
#include "engine/stack/unrecorded.h"
#include "engine/state/layer_list.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "fs/walk.h"
#include "time/timestamp.h"

static int describe_stack(struct session *s, struct rebase_result *result, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	result->core_version = xstrdup(s->state.core_version);
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];
		const char *description = yaml_get_text(layer->node, "description");

		if (layer->kind != LAYER_PATCH || layer->baked)
			continue;
		GROW(result->patches, result->patch_count, result->patch_cap);
		result->patches[result->patch_count++] = (struct rebase_patch){
			.name = xstrdup(layer->name),
			.description = xstrdup(description ? description : layer->name),
			.skill = layer->skill ? xstrdup(layer->skill) : NULL,
		};
	}
	for (size_t i = 0; i < s->state.skill_count; i++)
		string_array_add(&result->skills, s->state.skills[i].name);
	return 0;
}

/* --- unrecorded changes ------------------------------------------------------------------------------- */

/*
 * Changes that are not recorded are recorded first, aside, with files that were moved; then
 * they are folded as the patches are.
 */
static int record_changes(struct session *s, struct rebase_result *result, struct error *err)
{
	const struct operation_options *options = s->options;
	struct operation_options recording = *options;
	int failed;

	recording.on_drift = ON_DRIFT_RECORD;
	s->options = &recording;
	failed = unrecorded_decide(s, err);
	s->options = options;
	for (size_t i = 0; i < s->drift.count; i++)
		string_array_add(&result->unrecorded, s->drift.list[i].path);
	free(s->result->recorded_patch);
	s->result->recorded_patch = NULL;
	return failed ? error_hint(err, "everything is as it was before; 'nanoclaw verify' "
					"shows what is damaged")
		      : 0;
}

/* --- the layer on top --------------------------------------------------------------------- */

static void copy_renames(const struct stack_drop *drop, struct yaml_node *entry)
{
	const struct layer baked = {.kind = LAYER_PATCH, .node = entry};

	for (size_t i = 0; i < drop->layers.count; i++) {
		CLEANUP(layer_renames_release) struct layer_renames renames = {0};

		if (drop->layers.list[i].kind != LAYER_PATCH)
			continue;
		renames = layer_renames(&drop->layers.list[i]);
		for (size_t j = 0; j < renames.from.count; j++) {
			CLEANUP(relpath_release)
			struct relpath from = relpath_of(renames.from.list[j]);
			CLEANUP(relpath_release)
			struct relpath to = relpath_of(renames.to.list[j]);
			/* One rename after another is one from the first name to the last. */
			CLEANUP(relpath_release)
			struct relpath first = layer_name_below(&baked, &from);

			record_add_rename(entry, &first, &to);
		}
	}
}

/* Bake in a file that differs from the skills' result, or from the core if no skill has it. */
static int bake_file(struct session *s, const struct restage *restage, const char *text,
	struct yaml_node *entry, struct rebase_result *result, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;

	if (relpath_parse(view_of(text), &path, err) < 0 ||
		(string_array_has(&restage->paths, text)
				? transaction_read(restage->result, &path, &before, err)
				: session_read_base(s, &path, &before, err)) < 0 ||
		custom_read_tree(s, &path, &after, err) < 0)
		return -1;
	if (tx_file_same(&before, &after))
		return 0;
	string_array_add(&result->baked, text);
	return part_set(s, entry, &path, &before, &after, err);
}

/*
 * All files that any layer had, which includes the paths of the restage, and all files whose
 * changes were left unrecorded.
 */
static int bake(struct session *s, const struct stack_drop *drop, const struct restage *restage,
	const char *now, struct rebase_result *result, struct error *err)
{
	struct yaml_node *entry = yaml_new_mapping(s->state.doc);
	CLEANUP(string_array_release) struct string_array paths = {0};

	for (size_t i = 0; i < drop->layers.count; i++)
		layer_add_paths(&drop->layers.list[i], &paths);
	for (size_t i = 0; i < s->drift.count; i++)
		string_array_add(&paths, s->drift.list[i].path);
	string_array_sort_once(&paths);
	for (size_t i = 0; i < paths.count; i++)
		if (bake_file(s, restage, paths.list[i], entry, result, err) < 0)
			return -1;
	if (!result->baked.count)
		return 0;
	yaml_set_string(entry, "description", "All changes of yours, as of the last rebase");
	yaml_set_string(entry, "applied_at", now);
	layers_add_patch(&s->state, entry, true);
	copy_renames(drop, entry);
	return 0;
}

/* --- files that are dropped ---------------------------------------------------------------------------- */

int rebase_drop_file(struct session *s, const struct relpath *path,
	struct rebase_result *result, struct error *err)
{
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

	if (transaction_read(s->tx, path, &there, err) < 0)
		return -1;
	if (there.kind != TX_FILE)
		return 0;
	result->bytes_dropped += there.content.len;
	if (transaction_remove(s->tx, path, err) < 0)
		return -1;
	if (relpath_parent(path, &folder))
		transaction_prune(s->tx, &folder);
	return 0;
}

/* --- resolutions that no merge can use again --- */

/* Does it need an applied skill in a different version? */
static bool is_outdated(
	const struct resolution_skills *skills, const struct resolution_skills *applied)
{
	for (size_t i = 0; i < skills->count; i++) {
		const struct resolution_skill *wanted = &skills->list[i];
		const struct resolution_skill *is =
			resolution_skills_find(applied, view_of(wanted->name));

		if (is && is->version && wanted->version &&
			!view_equal_str(view_of(is->version), wanted->version))
			return true;
	}
	return false;
}

struct dropping {
	struct session *session;
	struct rebase_result *result;
	const char *folder; /* below the root of the project */
};

static enum walk_result drop_resolution_file(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct dropping *d = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (entry->kind == WALK_DIR)
		return WALK_GO_ON;
	if (relpath_printf(&path, err, "%s/%s", d->folder, entry->path) < 0)
		return WALK_FAIL;
	/* The inner folders were named by their files already. */
	if (entry->kind == WALK_DIR_END)
		transaction_prune(d->session->tx, &path);
	else if (rebase_drop_file(d->session, &path, d->result, err) < 0)
		return WALK_FAIL;
	return WALK_GO_ON;
}

/* A broken resolution stays, so that a person can look at it. */
static int drop_resolution(struct session *s, int store, const char *name,
	const struct resolution_skills *applied, struct rebase_result *result,
	struct error *err)
{
	CLEANUP(resolution_folder_release)
	struct resolution_folder folder = RESOLUTION_FOLDER_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(error_release) struct error broken = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;
	const struct resolution_skills *skills = &folder.meta.skills;

	if (resolution_folder_open(store, name, &folder, &faults, &broken) < 0)
		return broken.errnum ? error_move(err, &broken) : 0;
	if (faults.errors || !skills->count ||
		(!resolution_skills_fit(skills, applied) && !is_outdated(skills, applied)))
		return 0;
	if (relpath_printf(&path, err, RESOLUTIONS_OWN "/%s", name) < 0)
		return -1;
	fd = openat(store, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, "cannot open '%s'", path.text);
	string_array_add(&result->resolutions, name);
	if (walk(fd, drop_resolution_file, &(struct dropping){s, result, path.text}, err) < 0)
		return -1;
	transaction_prune(s->tx, &path);
	return 0;
}

/*
 * Stage the removal of stale resolutions in .nanoclaw/resolutions. A resolution is stale if all
 * its skills are applied in these versions, so that they will never be merged with each other
 * again, or if it names an applied skill in another version.
 */
static int drop_resolutions(struct session *s, struct rebase_result *result, struct error *err)
{
	CLEANUP(resolution_skills_release)
	struct resolution_skills applied = RESOLUTION_SKILLS_INIT;
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(closep)
	int store = openat(s->project->root, RESOLUTIONS_OWN,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (store < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return 0;
	if (store < 0)
		return error_errno(err, "cannot open '" RESOLUTIONS_OWN "'");
	if (resolution_names_read(store, false, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < s->state.skill_count; i++)
		resolution_skills_add(
			&applied, s->state.skills[i].name, s->state.skills[i].version);
	resolution_skills_sort(&applied);
	for (size_t i = 0; i < names.count; i++)
		if (drop_resolution(s, store, names.list[i], &applied, result, err) < 0)
			return -1;
	return 0;
}

/* --- the operation ---------------------------------------------------------------------------- */

/* Build everything again from the recorded state, in a separate transaction. */
static int restage_aside(struct session *s, struct restage *restage, struct error *err)
{
	struct state state = s->state;
	int failed;

	if (state_from_node(state.doc->root, &s->state, err) < 0)
		return -1;
	failed = restage_run(s, restage, err);
	state_release(&s->state);
	s->state = state;
	return failed;
}

/* Does a replay of the recorded state now reproduce the files? */
static int check_restaged(struct session *s, struct error *err)
{
	CLEANUP(restage_release) struct restage restage = RESTAGE_INIT;

	if (restage_aside(s, &restage, err) < 0)
		return -1;
	for (size_t i = 0; i < restage.paths.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;

		if (relpath_parse(view_of(restage.paths.list[i]), &path, err) < 0 ||
			transaction_read(restage.result, &path, &made, err) < 0 ||
			custom_read_tree(s, &path, &tree, err) < 0)
			return -1;
		if (!tx_file_same(&made, &tree))
			return error_set(err, ERROR_FAILED, "a replay would not reproduce '%s'",
				path.text);
	}
	return 0;
}

/* Each skill keeps its part of its recorded files, without patches. */
static int drop_changes(struct session *s, struct stack_drop *drop, struct error *err)
{
	CLEANUP(string_array_release) struct string_array tops = {0};

	drop->all_patches = true;
	if (stack_drop(s, drop, err) < 0)
		return -1;
	for (size_t i = 0; i < drop->layers.count; i++)
		if (drop->layers.list[i].kind == LAYER_SKILL)
			thread_tops(&drop->layers, i, &tops);
	string_array_sort_once(&tops);
	for (size_t i = 0; i < tops.count; i++) {
		CLEANUP(relpath_release) struct relpath top = relpath_of(tops.list[i]);
		CLEANUP(thread_release) struct thread t = THREAD_INIT;

		/* The record of a structured file lacks the skills' entries. */
		if (structured_format_of(tops.list[i]))
			continue;
		t.rule = THREAD_RECORDS_FIRST;
		if (thread_open(&t, s, &drop->before, &drop->layers, &top, err) < 0)
			return -1;
		for (size_t j = 0; j < drop->layers.count; j++)
			if (stack_drop_has(drop, &drop->layers.list[j]))
				thread_drop(&t, j);
		if (thread_carry(&t, err) < 0 || thread_store(&t, drop, err) < 0)
			return -1;
	}
	return 0;
}

static int flatten(
	struct session *s, bool records, struct rebase_result *result, struct error *err)
{
	CLEANUP(transaction_freep) struct transaction *aside = transaction_new_over(s->tx);
	CLEANUP(stack_drop_release) struct stack_drop drop = STACK_DROP_INIT;
	CLEANUP(restage_release) struct restage restage = RESTAGE_INIT;
	struct transaction *tree = s->tx;
	char now[TIMESTAMP_SIZE];
	bool failed;

	timestamp_format(timestamp_now(), now);
	/* On top of `aside`: the result of the skills alone, without the person's changes. */
	s->tx = aside;
	failed = records && record_changes(s, result, err) < 0;
	/* Is every skill flat, and has nothing been changed since? */
	result->nothing_to_do = !failed && records && !result->patch_count && !s->drift.count &&
				state_rebased_at(&s->state);
	for (size_t i = 0; i < s->state.skill_count; i++)
		result->nothing_to_do &= state_flattened_at(&s->state.skills[i]) != NULL;
	if (!failed && !result->nothing_to_do)
		failed = drop_changes(s, &drop, err) < 0 || restage_aside(s, &restage, err) < 0;
	s->tx = tree;
	if (failed || result->nothing_to_do)
		return failed ? -1 : 0;
	/* Facts about the files, which do not change. */
	state_copy_file_facts(&s->state, &drop.before);
	state_set_rebased(&s->state, now);
	for (size_t i = 0; i < s->state.skill_count; i++)
		result->regenerated += record_part_count(s->state.skills[i].node);
	if (bake(s, &drop, &restage, now, result, err) < 0 ||
		rebase_take_contents(s, aside, err) < 0 ||
		rebase_take_contents(s, restage.result, err) < 0)
		return -1;
	return rebase_count_contents(s, result, err);
}

int rebase_stage(
	struct session *s, bool records, struct rebase_result *result, struct error *err)
{
	static const char *const endings[] = {".patch", ".md"};
	bool installs = s->dependencies_changed;

	if (describe_stack(s, result, err) < 0 || flatten(s, records, result, err) < 0)
		return -1;
	if (result->nothing_to_do)
		return 0;
	if (check_restaged(s, err) < 0)
		return -1;
	/* Each patch goes, with the note about it. */
	for (size_t i = 0; i < result->patch_count; i++)
		for (size_t j = 0; j < ARRAY_SIZE(endings); j++) {
			CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

			if (relpath_printf(&path, err, CUSTOM_FOLDER "/%s%s",
				    result->patches[i].name, endings[j]) < 0 ||
				rebase_drop_file(s, &path, result, err) < 0)
				return -1;
		}
	if (drop_resolutions(s, result, err) < 0)
		return -1;
	/* Install the dependencies that a replay would install. */
	s->dependencies_changed = installs;
	return rebase_drop_contents(s, result, err);
}

int rebase(const struct project *project, const struct operation_options *options,
	struct operation_result *ret_applied, struct rebase_result *ret_result,
	struct error *err)
{
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(string_array_release) struct string_array all = {0};

	if (session_open(&s, project, REBASE_OPERATION, NULL, options, ret_applied, err) < 0)
		return -1;
	ret_applied->initialized = false;
	if (!s.found_state) {
		error_set(err, ERROR_INVALID, "there is nothing to flatten here");
		return error_hint(err,
			"'nanoclaw init' saves the core, 'nanoclaw skill apply' applies a skill");
	}
	if (session_open_base(&s, err) < 0 || rebase_stage(&s, true, ret_result, err) < 0)
		return finish_fail(&s, err);
	if (ret_result->nothing_to_do)
		return 0;
	for (size_t i = 0; i < s.state.skill_count; i++)
		string_array_add(&all, s.state.skills[i].name);
	for (size_t i = 0; i < ret_result->patch_count; i++)
		transaction_concerns(s.tx, ret_result->patches[i].name);
	s.only_tests = true;
	return options->dry_run ? finish_dry(&s, &all, err) : finish(&s, &all, err);
}

void rebase_result_release(struct rebase_result *result)
{
	for (size_t i = 0; i < result->patch_count; i++) {
		free(result->patches[i].name);
		free(result->patches[i].description);
		free(result->patches[i].skill);
	}
	free(result->patches);
	free(result->core_version);
	string_array_release(&result->unrecorded);
	string_array_release(&result->skills);
	string_array_release(&result->baked);
	string_array_release(&result->resolutions);
}
