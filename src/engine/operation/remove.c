#include "engine/operation/remove.h"

#include <string.h>

#include "engine/commit/finish.h"
#include "engine/conflict/resolve.h"
#include "engine/operation/apply.h"
#include "engine/operation/internal.h"
#include "engine/package/pack.h"
#include "engine/package/package.h"
#include "engine/session/recorded.h"
#include "engine/stack/custom.h"
#include "engine/stack/custom_discard.h"
#include "engine/stack/unrecorded.h"
#include "engine/structured/structured_state.h"

bool remove_is_operation(const char *name)
{
	return !strcmp(name, REMOVE_OPERATION) || !strcmp(name, REMOVE_PATCH_OPERATION);
}

/* --- which ones ------------------------------------------------------------------------ */

/* By the name in the state; or by a package, which may have another folder. */
static int find_applied(
	struct session *s, const char *typed, const char **ret_name, struct error *err)
{
	CLEANUP(error_release) struct error unknown = ERROR_INIT;
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	const struct applied_skill *skill = state_find(&s->state, typed);

	if (!skill && package_find(s->project->root, typed, &package, &unknown) == 0)
		skill = state_find(&s->state, package.manifest.skill);
	if (skill) {
		*ret_name = skill->name;
		return 0;
	}
	error_set(err, ERROR_INVALID, "skill '%s' is not applied", typed);
	return error_hint(err, "'nanoclaw skill list' shows the skills that are");
}

static int find_all(struct session *s, const char *const *typed, size_t count,
	struct string_array *ret_names, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = NULL;

		if (find_applied(s, typed[i], &name, err) < 0)
			return -1;
		if (!string_array_has(ret_names, name))
			string_array_add(ret_names, name);
	}
	return 0;
}

/* "'a', 'b'", of those that come after the first `skip`. */
static char *name_all(const struct string_array *names, size_t skip)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = skip; i < names->count; i++)
		buf_appendf(&text, "%s'%s'", i > skip ? ", " : "", names->list[i]);
	return buf_take(&text);
}

static int add_dependents(
	struct session *s, struct string_array *names, bool wanted, struct error *err)
{
	size_t asked = names->count;
	CLEANUP(freep) char *others = NULL;

	if (remove_find_dependents(s, names, err) < 0)
		return -1;
	if (names->count == asked || wanted)
		return 0;
	others = name_all(names, asked);
	error_set(err, ERROR_INVALID, "%s %s on '%s'", others,
		names->count - asked == 1 ? "builds" : "build", names->list[0]);
	return error_hint(err, "'--with-dependents' removes %s, too",
		names->count - asked == 1 ? "it" : "them");
}

/* --- those that were flattened ----------------------------------------------------------- */

static int check_flattened(
	struct session *s, const struct string_array *names, struct error *err)
{
	for (size_t i = 0; i < names->count && !s->options->flattened; i++) {
		const struct applied_skill *skill = state_find(&s->state, names->list[i]);
		const char *flattened = state_flattened_at(skill);

		if (!flattened)
			continue;
		error_set(err, ERROR_INVALID,
			"skill '%s' was flattened by a rebase (%.10s) and cannot be removed as "
			"if it had never been applied",
			skill->name, flattened);
		return error_hint(err,
			"while the rebase is in the history ('nanoclaw undo --list'), undo it "
			"and remove the skill then; or type 'nanoclaw skill remove %s "
			"--flattened', which merges its part out of your files as they are and "
			"stops where it cannot be told apart",
			skill->name);
	}
	return 0;
}

/* --- patches that go with them ----------------------------------------------------------- */

static int confirm_patch(struct session *s, const struct layer *patch, struct error *err)
{
	static const char *const choices[] = {"continue (discard the custom patch)", "abort"};
	const struct ask *ask = &s->options->ask;
	const struct yaml_node *node = yaml_get(patch->node, "description");
	const char *description =
		node && node->kind == YAML_SCALAR ? node->text.data : patch->name;
	CLEANUP(freep)
	char *question = xasprintf("Removing %s will also discard custom patch: \"%s\".",
		patch->skill, description);
	int answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, err);

	if (answer < 0)
		return -1;
	if (answer)
		return error_set(err, ERROR_FAILED, "nothing was done, as you wished");
	session_warn(s, "custom patch '%s' is discarded; its file stays in '.nanoclaw/custom'",
		patch->name);
	return 0;
}

static int confirm_patches(
	struct session *s, const struct string_array *names, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		if (layers.list[i].skill && string_array_has(names, layers.list[i].skill) &&
			confirm_patch(s, &layers.list[i], err) < 0)
			return -1;
	return 0;
}

/* --- what is left of them --------------------------------------------------------- */

static void name_results(struct session *s, const struct string_array *names)
{
	struct apply_result *result = s->result;

	for (size_t i = 0; i < names->count; i++) {
		const struct applied_skill *skill = state_find(&s->state, names->list[i]);

		GROW(result->skills, result->skill_count, result->skill_cap);
		result->skills[result->skill_count++] = (struct skill_result){
			.name = xstrdup(skill->name),
			.version = xstrdup(skill->version),
			.removed = true,
			.reached = true,
		};
	}
}

static int remove_packs(struct session *s, const struct string_array *names, struct error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

		if (pack_path(names->list[i], &path, err) < 0 ||
			transaction_read(s->tx, &path, &there, err) < 0)
			return -1;
		if (there.kind != TX_ABSENT && transaction_remove(s->tx, &path, err) < 0)
			return -1;
		if (there.kind != TX_ABSENT && relpath_parent(&path, &folder))
			transaction_prune(s->tx, &folder);
	}
	return 0;
}

/*
 * A structured file is recorded by the last layer that has it, which may be gone. Until it
 * is made anew, the layers that are left say how it was.
 */
static int carry_structured(struct session *s, const struct stack_drop *drop,
	const struct string_array *made, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	const struct yaml_node *files = structured_files(&s->state);

	if (recorded_collect(&drop->before, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; files && i < files->count; i++) {
		const struct recorded_file *file =
			recorded_find(&recorded, files->entries[i].key);

		if (file && !string_array_has(made, file->path) &&
			layers_note(&s->state, "", files->entries[i].key, &file->file, err) < 0)
			return -1;
	}
	return 0;
}

/* --- the operation ---------------------------------------------------------------- */

static int stage(struct session *s, struct stack_drop *drop, struct error *err)
{
	CLEANUP(string_array_release) struct string_array made = {0};

	if (stack_drop(s, drop, err) < 0 || remove_stage_files(s, drop, &made, err) < 0 ||
		carry_structured(s, drop, &made, err) < 0 || custom_discard(s, drop, err) < 0)
		return -1;
	structured_drop_decisions(&s->state, &drop->skills);
	return remove_packs(s, &drop->skills, err);
}

/* The skills whose tests are run; then those that are gone, which it is about. */
static void list_skills(struct session *s, const struct stack_drop *drop,
	struct string_array *ret_skills, struct string_array *ret_versions)
{
	for (size_t i = 0; i < s->state.skill_count; i++)
		string_array_add(ret_skills, s->state.skills[i].name);
	for (size_t i = 0; i < drop->skills.count; i++) {
		const char *name = drop->skills.list[i];

		string_array_add(ret_skills, name);
		string_array_add(ret_versions, state_find(&drop->before, name)->version);
		transaction_concerns(s->tx, name);
	}
	if (drop->one_patch) {
		string_array_add(ret_skills, drop->one_patch);
		string_array_add(ret_versions, "");
		transaction_concerns(s->tx, drop->one_patch);
	}
}

static int finish_removal(struct session *s, const struct stack_drop *drop, struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};
	CLEANUP(string_array_release) struct string_array versions = {0};

	const char *operation = drop->one_patch ? REMOVE_PATCH_OPERATION : REMOVE_OPERATION;

	list_skills(s, drop, &skills, &versions);
	s->only_tests = true;
	if (s->result->conflict_count && s->options->dry_run)
		return finish_dry(s, &skills, err);
	if (s->result->conflict_count && resolve_conflicts(s, operation, err) < 0)
		return finish_fail(s, err);
	if (s->result->conflict_count)
		return finish_paused(s,
			&(struct pending){
				.operation = operation,
				.skills = skills,
				.versions = versions,
			},
			err);
	return apply_finish(s, operation, &skills, err);
}

int remove_skills(const struct project *project, const char *const *typed, size_t count,
	bool with_dependents, const struct apply_options *options,
	struct apply_result *ret_result, struct error *err)
{
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(stack_drop_release) struct stack_drop drop = STACK_DROP_INIT;

	if (session_open(&s, project, REMOVE_OPERATION, NULL, options, ret_result, err) < 0)
		return -1;
	ret_result->initialized = false;
	if (find_all(&s, typed, count, &drop.skills, err) < 0 ||
		check_flattened(&s, &drop.skills, err) < 0 ||
		add_dependents(&s, &drop.skills, with_dependents, err) < 0 ||
		check_flattened(&s, &drop.skills, err) < 0 ||
		confirm_patches(&s, &drop.skills, err) < 0)
		return -1;
	name_results(&s, &drop.skills);
	if (session_open_base(&s, err) < 0 || unrecorded_decide(&s, err) < 0 ||
		stage(&s, &drop, err) < 0)
		return finish_fail(&s, err);
	return finish_removal(&s, &drop, err);
}

int remove_patch(const struct project *project, const char *typed,
	const struct apply_options *options, struct apply_result *ret_result, struct error *err)
{
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(stack_drop_release) struct stack_drop drop = STACK_DROP_INIT;

	if (session_open(&s, project, REMOVE_PATCH_OPERATION, NULL, options, ret_result, err) <
		0)
		return -1;
	ret_result->initialized = false;
	if (custom_find(&s.state, typed, &drop.one_patch, err) < 0)
		return -1;
	GROW(ret_result->skills, ret_result->skill_count, ret_result->skill_cap);
	ret_result->skills[ret_result->skill_count++] = (struct skill_result){
		.name = xstrdup(drop.one_patch),
		.version = xstrdup(""),
		.removed = true,
		.reached = true,
	};
	if (session_open_base(&s, err) < 0 || unrecorded_decide(&s, err) < 0 ||
		stage(&s, &drop, err) < 0)
		return finish_fail(&s, err);
	return finish_removal(&s, &drop, err);
}
