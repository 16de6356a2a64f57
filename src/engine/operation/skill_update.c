#include "engine/operation/skill_update.h"

#include <string.h>

#include "engine/commit/pending.h"
#include "engine/operation/apply.h"
#include "engine/package/package.h"
#include "engine/package/semver.h"
#include "engine/state/state.h"

struct updating {
	const struct project *project;
	struct state state;
	struct string_array folders; /* of newer packages */
	struct operation_result *result;
};

static void updating_release(struct updating *u)
{
	state_release(&u->state);
	string_array_release(&u->folders);
}

static void note_current(struct updating *u, const struct applied_skill *skill)
{
	struct operation_result *result = u->result;

	GROW(result->skills, result->skill_count, result->skill_cap);
	result->skills[result->skill_count++] = (struct skill_result){
		.name = xstrdup(skill->name),
		.version = xstrdup(skill->version),
		.nothing_to_do = true,
	};
}

static void add_if_newer(
	struct updating *u, const struct applied_skill *skill, const struct package *package)
{
	CLEANUP(freep) char *folder = package_path(package);
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct operation_result *result = u->result;
	struct hash was, now;

	if (!strcmp(package->manifest.version, skill->version) &&
		state_content_of(skill, &was) &&
		package_hash(package, u->project->root, &now, &ignored) == 0 &&
		!hash_equal(&was, &now)) {
		GROW(result->warnings, result->warning_count, result->warning_cap);
		result->warnings[result->warning_count++] = xasprintf(
			"the files in '%s' have changed since %s %s was applied: raise its "
			"version, and they are applied",
			package->folder, skill->name, skill->version);
	}

	/* An entry without a version was written by an early v0.1. */
	if (*skill->version &&
		semver_compare_text(package->manifest.version, skill->version) <= 0)
		note_current(u, skill);
	else
		string_array_add(&u->folders, folder);
}

static int find_typed(struct updating *u, const char *typed, struct error *err)
{
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	const struct applied_skill *skill;

	if (package_find(u->project->root, typed, &package, err) < 0)
		return -1;
	skill = state_find(&u->state, package.manifest.skill);
	if (!skill) {
		error_set(err, ERROR_INVALID, "skill '%s' is not applied",
			package.manifest.skill);
		return error_hint(
			err, "'nanoclaw skill apply %s' applies it", package.manifest.skill);
	}
	add_if_newer(u, skill, &package);
	return 0;
}

/* All applied skills. One without a package is as new as it can be. */
static int find_all(struct updating *u, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};

	if (package_list_read(u->project->root, &packages, err) < 0)
		return -1;
	for (size_t i = 0; i < u->state.skill_count; i++) {
		const struct applied_skill *skill = &u->state.skills[i];
		const struct package *found = NULL;
		size_t count = 0;

		for (size_t j = 0; j < packages.count; j++)
			if (!strcmp(packages.list[j].manifest.skill, skill->name)) {
				found = &packages.list[j];
				count++;
			}
		if (!count)
			note_current(u, skill);
		else if (count == 1)
			add_if_newer(u, skill, found);
		else if (find_typed(u, skill->name, err) < 0) /* fails: ambiguous */
			return -1;
	}
	return 0;
}

int update_skills(const struct project *project, const char *const *typed, size_t count,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err)
{
	CLEANUP(updating_release)
	struct updating u = {.project = project, .state = STATE_INIT, .result = ret_result};
	bool found;

	if (state_load(project, &u.state, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (find_typed(&u, typed[i], err) < 0)
			return -1;
	if (!count && found && find_all(&u, err) < 0)
		return -1;
	if (!u.folders.count)
		return 0;
	return apply_skills(project, SKILL_UPDATE_OPERATION,
		(const char *const *)u.folders.list, u.folders.count, options, ret_result, err);
}
