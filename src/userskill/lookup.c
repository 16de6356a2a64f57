#include "userskill/lookup.h"

#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "base/similar.h"
#include "userskill/lifecycle.h"
#include "userskill/text/faults.h"
#include "userskill/text/parse.h"
#include "userskill/user_skill_groups.h"
#include "userskill/user_skills.h"

const char *skill_origin_name(enum skill_origin origin)
{
	switch (origin) {
	case ORIGIN_FILE:
		break;
	case ORIGIN_DATABASE:
		return SKILL_FROM_DATABASE;
	case ORIGIN_OVERRIDE:
		return SKILL_FROM_OVERRIDE;
	}
	return SKILL_FROM_FILE;
}

void skill_found_release(struct skill_found *found)
{
	free(found->content);
	user_skill_release(&found->skill);
	free(found->source);
	free(found->category);
	free(found->path);
	*found = SKILL_FOUND_INIT;
}

/* --- one skill --------------------------------------------------------------- */

static int find_definition(
	struct store *store, const char *id, struct skill_found *found, struct error *err)
{
	CLEANUP(skill_row_release) struct skill_row row = {0};

	found->definition = ORIGIN_DATABASE;
	if (store_skill_get(store, id, SKILL_FROM_DATABASE, &row, err) < 0)
		return -1;
	if (!row.id) {
		found->definition = ORIGIN_FILE;
		if (store_skill_get(store, id, SKILL_FROM_FILE, &row, err) < 0)
			return -1;
	}
	if (!row.id)
		return 0;
	found->content = TAKE(row.content);
	found->origin = found->definition;
	found->version_id = row.version_id;
	found->status = skill_status_parse(row.status);
	found->source = TAKE(row.source);
	found->category = TAKE(row.category);
	found->path = TAKE(row.path);
	found->gone = row.gone;
	return 0;
}

static int find_override(struct store *store, const char *group, const char *id,
	struct skill_found *found, struct error *err)
{
	CLEANUP(skill_override_release) struct skill_override override = {0};

	if (store_skill_override_get(store, id, group, &override, err) < 0 ||
		store_skill_assigned(store, id, group, &found->assigned, err) < 0)
		return -1;
	if (!override.skill)
		return 0;
	free(found->content);
	found->content = TAKE(override.content);
	found->origin = ORIGIN_OVERRIDE;
	found->version_id = override.version_id;
	return 0;
}

int skill_lookup(struct store *store, const char *group, const char *id,
	struct skill_found *ret_found, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;

	if (find_definition(store, id, &found, err) < 0 ||
		(found.content && group && find_override(store, group, id, &found, err) < 0))
		return -1;
	/* It had no errors when it was stored. */
	if (found.content) {
		CLEANUP(freep)
		char *path = xasprintf("%s/%s/" USER_SKILL_FILE, found.category, id);

		user_skill_parse(view_of(found.content), path, &found.skill, &faults);
	}
	*ret_found = found;
	found = SKILL_FOUND_INIT;
	return 0;
}

bool skill_found_usable(const struct skill_found *found)
{
	return found->content && !found->gone && lifecycle_usable(found->status);
}

int skill_unknown(struct store *store, const char *id, struct error *err)
{
	CLEANUP(skill_rows_release) struct skill_rows rows = {0};
	CLEANUP(freep) char *shown = quote(view_of(id));
	struct similar best = similar_to(id);

	if (store_skill_list(store, &rows, err) < 0)
		return -1;
	for (size_t i = 0; i < rows.count; i++)
		similar_consider(&best, rows.list[i].id);
	error_set(err, ERROR_INVALID, "there is no user skill %s", shown);
	if (best.found)
		return error_hint(err, "did you mean '%s'?", best.found);
	return error_hint(
		err, rows.count ? "'nanoclaw user-skill list' lists them"
				: "'nanoclaw user-skill sync' reads the ones in 'skills/'");
}

/* --- the skills of a group --------------------------------------------------- */

/* Calls `take` for each assigned and usable skill, until it returns true. */
static int for_each(struct store *store, const char *group,
	bool (*take)(struct skill_found *found, void *data), void *data, struct error *err)
{
	CLEANUP(buf_release) struct buf skills = BUF_INIT;
	struct view rest, line;
	bool done = false;

	if (store_skills_of_group(store, group, &skills, err) < 0)
		return -1;
	rest = view_of_buf(&skills);
	while (!done && view_next(&rest, '\n', &line)) {
		CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
		CLEANUP(freep) char *id = xmemdupz(line.data, line.len);

		if (skill_lookup(store, group, id, &found, err) < 0)
			return -1;
		if (skill_found_usable(&found))
			done = take(&found, data);
	}
	return 0;
}

struct wanted {
	const char *command;
	struct skill_found *ret_found;
};

static bool has_command(struct skill_found *found, void *data)
{
	struct wanted *wanted = data;

	for (size_t i = 0; i < found->skill.command_count; i++)
		if (!strcasecmp(found->skill.commands[i].name, wanted->command)) {
			*wanted->ret_found = *found;
			*found = SKILL_FOUND_INIT;
			return true;
		}
	return false;
}

int skill_lookup_command(struct store *store, const char *group, const char *command,
	struct skill_found *ret_found, struct error *err)
{
	struct skill_found found = SKILL_FOUND_INIT;
	struct wanted wanted = {command, &found};

	if (for_each(store, group, has_command, &wanted, err) < 0)
		return -1;
	*ret_found = found;
	return 0;
}

static bool add_commands(struct skill_found *found, void *data)
{
	struct group_commands *commands = data;
	const struct user_skill *skill = &found->skill;

	for (size_t i = 0; i < skill->command_count; i++) {
		const struct skill_command *command = &skill->commands[i];

		GROW(commands->list, commands->count, commands->cap);
		commands->list[commands->count++] = (struct group_command){
			xstrdup(command->name), xstrdup(command->arguments),
			xstrdup(*command->help ? command->help : skill->name),
			xstrdup(skill->id)};
	}
	return false;
}

static int compare_commands(const void *a, const void *b)
{
	const struct group_command *x = a, *y = b;
	int order = strcasecmp(x->name, y->name);

	return order ? order : strcmp(x->skill, y->skill);
}

static void command_release(struct group_command *command)
{
	free(command->name);
	free(command->arguments);
	free(command->help);
	free(command->skill);
}

/* Sorted: of those with the same name the first one is it, as in skill_lookup_command(). */
static void drop_doubles(struct group_commands *commands)
{
	size_t kept = 0;

	for (size_t i = 0; i < commands->count; i++) {
		struct group_command *command = &commands->list[i];

		if (kept && !strcasecmp(commands->list[kept - 1].name, command->name))
			command_release(command);
		else
			commands->list[kept++] = *command;
	}
	commands->count = kept;
}

int skill_group_commands(struct store *store, const char *group,
	struct group_commands *ret_commands, struct error *err)
{
	CLEANUP(group_commands_release) struct group_commands commands = {0};

	if (for_each(store, group, add_commands, &commands, err) < 0)
		return -1;
	if (commands.count)
		qsort(commands.list, commands.count, sizeof(*commands.list), compare_commands);
	drop_doubles(&commands);
	*ret_commands = commands;
	commands = (struct group_commands){0};
	return 0;
}

void group_commands_release(struct group_commands *commands)
{
	for (size_t i = 0; i < commands->count; i++)
		command_release(&commands->list[i]);
	free(commands->list);
	*commands = (struct group_commands){0};
}
