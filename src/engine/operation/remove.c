#include "engine/operation/remove.h"

#include <stdint.h>
#include <string.h>

#include "engine/commit/finish.h"
#include "engine/custom/custom.h"
#include "engine/operation/apply.h"
#include "engine/operation/remove_files.h"
#include "engine/package/pack.h"
#include "engine/package/package.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/drop.h"
#include "engine/stack/resolve.h"
#include "engine/stack/unrecorded.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "engine/structured/structured_state.h"

bool remove_is_operation(const char *name)
{
	return !strcmp(name, REMOVE_OPERATION) || !strcmp(name, REMOVE_PATCH_OPERATION);
}

/* --- dependents ------------------------------------------------------------------------ */

/* Names that exist, or are free, only because of a skill. */
struct skill_names {
	struct string_array given; /* added, or renamed to */
	struct string_array freed; /* renamed from, or deleted */
};

static void skill_names_release(struct skill_names *names)
{
	string_array_release(&names->given);
	string_array_release(&names->freed);
}

static struct skill_names skill_names_read(const struct yaml_node *entry)
{
	const struct layer layer = {.node = (struct yaml_node *)(uintptr_t)entry};
	CLEANUP(layer_renames_release) struct layer_renames renames = layer_renames(&layer);
	struct skill_names names = {
		record_listed(entry, RECORD_ADDED), record_listed(entry, RECORD_DELETED)};

	for (size_t i = 0; i < renames.to.count; i++)
		string_array_add(&names.given, renames.to.list[i]);
	return names;
}

static bool any_is_in(const struct manifest_paths *paths, const struct string_array *names)
{
	for (size_t i = 0; i < paths->count; i++)
		if (string_array_has(names, paths->list[i].path.text))
			return true;
	return false;
}

/*
 * Names only count for a skill that came `later`: an earlier one had its files before. `own`
 * are the names of the skill that may build on the other: a name that it gave itself, and
 * that was freed later, is its own.
 */
static bool builds_on(const struct manifest *m, const char *skill,
	const struct skill_names *names, const struct skill_names *own, bool later)
{
	if (manifest_depends_on(m, skill))
		return true;
	if (!later)
		return false;
	if (any_is_in(&m->modifies, &names->given) || any_is_in(&m->adds, &names->freed))
		return true;
	for (size_t i = 0; i < m->file_op_count; i++) {
		const struct file_op *op = &m->file_ops[i];

		if (string_array_has(&names->given, op->from.text) ||
			(op->to.text && string_array_has(&names->freed, op->to.text) &&
				!string_array_has(&own->given, op->to.text)))
			return true;
	}
	return false;
}

/* Add the skills that build directly on `skill`. */
static int find_dependents(struct session *s, const struct applied_skill *skill,
	struct string_array *names, struct error *err)
{
	CLEANUP(skill_names_release) struct skill_names its = skill_names_read(skill->node);

	for (size_t i = 0; i < s->state.skill_count; i++) {
		const struct applied_skill *other = &s->state.skills[i];
		CLEANUP(pack_release) struct pack pack = PACK_INIT;
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
		CLEANUP(skill_names_release) struct skill_names own = {0};
		bool later = other > skill;

		if (string_array_has(names, other->name))
			continue;
		if (origin_load_pack(s, other->name, &pack, err) < 0 ||
			pack_read_manifest(&pack, &m, err) < 0)
			return -1;
		if (!later)
			own = skill_names_read(other->node);
		/*
		 * An update keeps a skill's position, but its new files may build on later
		 * skills.
		 */
		if (builds_on(&m, skill->name, &its, &own,
			    later || record_was_updated(other->node)))
			string_array_add(names, other->name);
	}
	return 0;
}

static int add_dependents(
	struct session *s, struct string_array *names, bool wanted, struct error *err)
{
	size_t asked = names->count;
	CLEANUP(buf_release) struct buf others = BUF_INIT;

	/* The list grows on the way. */
	for (size_t i = 0; i < names->count; i++)
		if (find_dependents(s, state_find(&s->state, names->list[i]), names, err) < 0)
			return -1;
	if (names->count == asked || wanted)
		return 0;
	for (size_t i = asked; i < names->count; i++)
		buf_appendf(&others, "%s'%s'", i > asked ? ", " : "", names->list[i]);
	error_set(err, ERROR_INVALID, "%s %s on '%s'", others.data,
		names->count - asked == 1 ? "builds" : "build", names->list[0]);
	return error_hint(err, "'--with-dependents' removes %s, too",
		names->count - asked == 1 ? "it" : "them");
}

/* --- questions before anything is staged --------------------------------------------------- */

/* By the name in the state, or by a package, whose folder may have another name. */
static int find_applied(struct session *s, const char *const *typed, size_t count,
	struct string_array *ret_names, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		CLEANUP(error_release) struct error unknown = ERROR_INIT;
		CLEANUP(package_release) struct package package = PACKAGE_INIT;
		const struct applied_skill *skill = state_find(&s->state, typed[i]);

		if (!skill && package_find(s->project->root, typed[i], &package, &unknown) == 0)
			skill = state_find(&s->state, package.manifest.skill);
		if (!skill) {
			error_set(err, ERROR_INVALID, "skill '%s' is not applied", typed[i]);
			return error_hint(
				err, "'nanoclaw skill list' shows the skills that are");
		}
		string_array_add_new(ret_names, skill->name);
	}
	return 0;
}

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

/* Patches that are tied to a removed skill go with it. */
static int confirm_patches(
	struct session *s, const struct string_array *names, struct error *err)
{
	static const char *const choices[] = {"continue (discard the custom patch)", "abort"};
	const struct ask *ask = &s->options->ask;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *patch = &layers.list[i];
		const char *description = yaml_get_text(patch->node, "description");
		CLEANUP(freep) char *question = NULL;
		int answer;

		if (!patch->skill || !string_array_has(names, patch->skill))
			continue;
		question = xasprintf("Removing %s will also discard custom patch: \"%s\".",
			patch->skill, description ? description : patch->name);
		answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, err);
		if (answer < 0)
			return -1;
		if (answer)
			return error_set(err, ERROR_FAILED, "cancelled; nothing was done");
		session_warn(s,
			"custom patch '%s' is discarded; its file stays in '.nanoclaw/custom'",
			patch->name);
	}
	return 0;
}

static void add_result(struct operation_result *result, const char *name, const char *version)
{
	GROW(result->skills, result->skill_count, result->skill_cap);
	result->skills[result->skill_count++] = (struct skill_result){
		.name = xstrdup(name),
		.version = xstrdup(version),
		.removed = true,
		.reached = true,
	};
}

/* --- the change -------------------------------------------------------------------------- */

static int remove_packs(struct session *s, const struct string_array *names, struct error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

		if (pack_path(names->list[i], &path, err) < 0 ||
			transaction_read(s->tx, &path, &there, err) < 0)
			return -1;
		if (there.kind == TX_ABSENT)
			continue;
		if (transaction_remove(s->tx, &path, err) < 0)
			return -1;
		if (relpath_parent(&path, &folder))
			transaction_prune(s->tx, &folder);
	}
	return 0;
}

/*
 * The last layer that has a structured file records it, and that layer may be gone. Until the
 * file is made again, the layers that are left record it as it was.
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

static int run_removal(
	struct session *s, const char *operation, struct stack_drop *drop, struct error *err)
{
	/* The skills whose tests run, followed by the removed ones; and their versions. */
	CLEANUP(string_array_release) struct string_array skills = {0};
	CLEANUP(string_array_release) struct string_array versions = {0};
	CLEANUP(string_array_release) struct string_array made = {0};
	const struct batch nothing = BATCH_INIT;

	if (session_open_base(s, err) < 0 || unrecorded_decide(s, err) < 0 ||
		stack_drop(s, drop, err) < 0 || remove_stage_files(s, drop, &made, err) < 0 ||
		carry_structured(s, drop, &made, err) < 0 ||
		stack_drop_note_discarded(s, drop, err) < 0 ||
		remove_packs(s, &drop->skills, err) < 0)
		return finish_fail(s, err);
	structured_drop_decisions(&s->state, &drop->skills);
	for (size_t i = 0; i < s->state.skill_count; i++)
		string_array_add(&skills, s->state.skills[i].name);
	for (size_t i = 0; i < s->result->skill_count; i++) {
		const struct skill_result *removed = &s->result->skills[i];

		string_array_add(&skills, removed->name);
		string_array_add(&versions, removed->version);
		transaction_concerns(s->tx, removed->name);
	}
	s->only_tests = true;
	if (s->result->conflict_count && s->options->dry_run)
		return finish_dry(s, &skills, err);
	if (resolve_conflicts(s, operation, err) < 0)
		return finish_fail(s, err);
	if (s->result->conflict_count)
		return finish_paused(s,
			&(struct pending){
				.operation = operation,
				.skills = skills,
				.versions = versions,
			},
			err);
	return apply_batch(s, operation, &nothing, &skills, err);
}

int remove_skills(const struct project *project, const char *const *typed, size_t count,
	bool with_dependents, const struct operation_options *options,
	struct operation_result *ret_result, struct error *err)
{
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(stack_drop_release) struct stack_drop drop = STACK_DROP_INIT;

	if (session_open(&s, project, REMOVE_OPERATION, NULL, options, ret_result, err) < 0)
		return -1;
	ret_result->initialized = false;
	if (find_applied(&s, typed, count, &drop.skills, err) < 0 ||
		check_flattened(&s, &drop.skills, err) < 0 ||
		add_dependents(&s, &drop.skills, with_dependents, err) < 0 ||
		check_flattened(&s, &drop.skills, err) < 0 ||
		confirm_patches(&s, &drop.skills, err) < 0)
		return -1;
	for (size_t i = 0; i < drop.skills.count; i++)
		add_result(ret_result, drop.skills.list[i],
			state_find(&s.state, drop.skills.list[i])->version);
	return run_removal(&s, REMOVE_OPERATION, &drop, err);
}

int remove_patch(const struct project *project, const char *typed,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err)
{
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(stack_drop_release) struct stack_drop drop = STACK_DROP_INIT;

	if (session_open(&s, project, REMOVE_PATCH_OPERATION, NULL, options, ret_result, err) <
		0)
		return -1;
	ret_result->initialized = false;
	if (custom_find(&s.state, typed, &drop.one_patch, err) < 0)
		return -1;
	add_result(ret_result, drop.one_patch, "");
	return run_removal(&s, REMOVE_PATCH_OPERATION, &drop, err);
}
