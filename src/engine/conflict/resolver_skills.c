#include "engine/conflict/resolver.h"

#include <errno.h>
#include <string.h>

#include "engine/package/intent.h"
#include "fs/beneath.h"

#define SKILL_MD_MAX_SIZE ((size_t)1024 * 1024)

static struct resolver_skill *find_skill(const struct resolver_skills *skills, const char *name)
{
	for (size_t i = 0; i < skills->count; i++)
		if (!strcmp(skills->list[i].name, name))
			return &skills->list[i];
	return NULL;
}

static struct resolver_skill *add_skill(
	struct resolver_skills *skills, const char *name, const char *version)
{
	GROW(skills->list, skills->count, skills->cap);
	skills->list[skills->count] = (struct resolver_skill){
		.name = xstrdup(name), .version = xstrdup(version), .skill_md = BUF_INIT};
	return &skills->list[skills->count++];
}

static int read_package(
	struct resolver_skill *skill, const struct package *package, struct error *err)
{
	CLEANUP(error_release) struct error no_md = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath skill_md = relpath_of("SKILL.md");

	skill->has_skill_md = beneath_read(package->fd, &skill_md, SKILL_MD_MAX_SIZE,
				      &skill->skill_md, &no_md) == 0;
	if (!skill->has_skill_md && no_md.errnum != ENOENT)
		return error_move(err, &no_md);
	for (size_t i = 0; i < package->manifest.modifies.count; i++) {
		const struct relpath *path = &package->manifest.modifies.list[i].path;
		CLEANUP(error_release) struct error missing = ERROR_INIT;
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		if (intent_read(package, path, &text, &missing) < 0) {
			if (missing.errnum != ENOENT)
				return error_move(err, &missing);
			continue; /* a fault of the package that its check warns about */
		}
		GROW(skill->intents, skill->intent_count, skill->intent_cap);
		skill->intents[skill->intent_count++] =
			(struct resolver_intent){.path = relpath_copy(path), .text = text};
		text = BUF_INIT;
	}
	return 0;
}

static int add_package(
	struct resolver_skills *skills, const struct package *package, struct error *err)
{
	const struct manifest *m = &package->manifest;

	if (find_skill(skills, m->skill))
		return 0;
	return read_package(add_skill(skills, m->skill, m->version), package, err);
}

/* --- all skills related to some files ------------------------------------------------- */

static bool has_one_of(
	const struct applied_skill *skill, const struct resolver_file *files, size_t count)
{
	const struct yaml_node *own = state_files_of(skill);

	for (size_t i = 0; own && i < count; i++)
		if (yaml_get(own, files[i].path->text))
			return true;
	return false;
}

static int add_by_name(struct resolver_skills *skills, const struct package_list *packages,
	const char *name, const char *version, struct error *err)
{
	struct resolver_skill *skill;

	if (find_skill(skills, name))
		return 0;
	skill = add_skill(skills, name, version);
	for (size_t i = 0; i < packages->count; i++)
		if (!strcmp(packages->list[i].manifest.skill, name))
			return read_package(skill, &packages->list[i], err);
	return 0;
}

/* A file of the package itself, which is being refreshed for another core. */
static bool owns_one_of(
	const struct package *package, const struct resolver_file *files, size_t count)
{
	CLEANUP(freep) char *folder = xasprintf("%s/", package->folder);

	for (size_t i = 0; i < count; i++)
		if (view_starts_with(relpath_view(files[i].path), folder))
			return true;
	return false;
}

int resolver_skills_collect(struct resolver_skills *skills, const struct project *project,
	const struct state *state, const struct resolver_file *files, size_t count,
	struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};

	if (package_list_read(project->root, &packages, err) < 0)
		return -1;
	for (size_t i = 0; i < state->skill_count; i++)
		if (has_one_of(&state->skills[i], files, count) &&
			add_by_name(skills, &packages, state->skills[i].name,
				state->skills[i].version, err) < 0)
			return -1;
	for (size_t i = 0; i < packages.count; i++)
		if (owns_one_of(&packages.list[i], files, count) &&
			add_package(skills, &packages.list[i], err) < 0)
			return -1;
	for (size_t i = 0; i < count; i++)
		if (add_by_name(skills, &packages, files[i].skill_name, files[i].skill_version,
			    err) < 0)
			return -1;
	return 0;
}

void resolver_skills_release(struct resolver_skills *skills)
{
	for (size_t i = 0; i < skills->count; i++) {
		struct resolver_skill *skill = &skills->list[i];

		for (size_t j = 0; j < skill->intent_count; j++) {
			relpath_release(&skill->intents[j].path);
			buf_release(&skill->intents[j].text);
		}
		free(skill->intents);
		buf_release(&skill->skill_md);
		free(skill->name);
		free(skill->version);
	}
	free(skills->list);
}
