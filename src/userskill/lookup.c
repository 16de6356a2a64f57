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
	static const char *const names[] = {
		[ORIGIN_FILE] = SKILL_FROM_FILE,
		[ORIGIN_DATABASE] = SKILL_FROM_DATABASE,
		[ORIGIN_OVERRIDE] = SKILL_FROM_OVERRIDE,
	};

	return names[origin];
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

	if (store_skill_list(store, NULL, &rows, err) < 0)
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

/* The next of the IDs, one per line, whose skill is usable. 1; 0: no more; -1. */
static int next_usable(struct store *store, const char *group, struct view *ids,
	struct skill_found *found, struct error *err)
{
	struct view line;

	while (view_next(ids, '\n', &line)) {
		CLEANUP(freep) char *id = xmemdupz(line.data, line.len);

		skill_found_release(found);
		if (skill_lookup(store, group, id, found, err) < 0)
			return -1;
		if (skill_found_usable(found))
			return 1;
	}
	return 0;
}

int skill_lookup_command(struct store *store, const char *group, const char *command,
	struct skill_found *ret_found, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(buf_release) struct buf skills = BUF_INIT;
	struct view ids;
	int more;

	if (store_skills_of_group(store, group, &skills, err) < 0)
		return -1;
	ids = view_of_buf(&skills);
	while ((more = next_usable(store, group, &ids, &found, err)) > 0)
		for (size_t i = 0; i < found.skill.command_count; i++)
			if (!strcasecmp(found.skill.commands[i].name, command)) {
				*ret_found = found;
				found = SKILL_FOUND_INIT;
				return 0;
			}
	if (more == 0)
		*ret_found = SKILL_FOUND_INIT;
	return more;
}

static int compare_commands(const void *a, const void *b)
{
	const struct group_command *x = a, *y = b;
	int order = strcasecmp(x->name, y->name);

	return order ? order : strcmp(x->skill, y->skill);
}

static char *copy_text(struct arena *memory, const char *text)
{
	return arena_copy(memory, text, strlen(text));
}

static void add_commands(struct group_commands *commands, const struct user_skill *skill)
{
	struct arena *memory = &commands->memory;

	for (size_t i = 0; i < skill->command_count; i++) {
		const struct skill_command *command = &skill->commands[i];

		ARENA_GROW(memory, commands->list, commands->count, commands->cap);
		commands->list[commands->count++] = (struct group_command){
			copy_text(memory, command->name), copy_text(memory, command->arguments),
			copy_text(memory, *command->help ? command->help : skill->name),
			copy_text(memory, skill->id)};
	}
}

int skill_group_commands(struct store *store, const char *group,
	struct group_commands *ret_commands, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(group_commands_release) struct group_commands commands = {0};
	CLEANUP(buf_release) struct buf skills = BUF_INIT;
	size_t kept = 0;
	struct view ids;
	int more;

	if (store_skills_of_group(store, group, &skills, err) < 0)
		return -1;
	ids = view_of_buf(&skills);
	while ((more = next_usable(store, group, &ids, &found, err)) > 0)
		add_commands(&commands, &found.skill);
	if (more < 0)
		return -1;
	if (commands.count)
		qsort(commands.list, commands.count, sizeof(*commands.list), compare_commands);
	/* Of several with the same name, the first one applies, as in skill_lookup_command(). */
	for (size_t i = 0; i < commands.count; i++)
		if (!kept ||
			strcasecmp(commands.list[kept - 1].name, commands.list[i].name) != 0)
			commands.list[kept++] = commands.list[i];
	commands.count = kept;
	*ret_commands = commands;
	commands = (struct group_commands){0};
	return 0;
}

void group_commands_release(struct group_commands *commands)
{
	arena_release(&commands->memory);
	*commands = (struct group_commands){0};
}
