#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/similar.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/userskill/json.h"
#include "cli/userskill/request.h"
#include "userskill/user_skills.h"

struct filter {
	const char *category;
	enum skill_status status;
	const char *group; /* a folder */
};

static bool skill_is_wanted(const struct filter *filter, const struct skill_found *found)
{
	if (filter->group && !found->assigned)
		return false;
	if (filter->status && found->status != filter->status)
		return false;
	return !filter->category || !strcasecmp(filter->category, found->skill.category);
}

/* Each skill once, with the text that applies. */
static int skills_collect(const struct assistant *assistant, const struct filter *filter,
	bool verbose, struct table *table, json_t *list, size_t *ret_all, struct error *err)
{
	CLEANUP(skill_rows_release) struct skill_rows rows = {0};

	if (store_skill_list(assistant->store, NULL, &rows, err) < 0)
		return -1;
	*ret_all = rows.count;
	for (size_t i = 0; i < rows.count; i++) {
		CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
		const char *status;
		CLEANUP(buf_release) struct buf commands = BUF_INIT;

		if (i && !strcmp(rows.list[i].id, rows.list[i - 1].id))
			continue;
		if (skill_lookup(
			    assistant->store, filter->group, rows.list[i].id, &found, err) < 0)
			return -1;
		if (!skill_is_wanted(filter, &found))
			continue;
		status = found.gone ? "gone" : skill_status_name(found.status);
		for (size_t k = 0; k < found.skill.command_count; k++)
			buf_appendf(
				&commands, "%s/%s", k ? " " : "", found.skill.commands[k].name);
		if (verbose)
			table_add(table, found.skill.id, status, found.skill.version,
				found.skill.category, skill_origin_name(found.origin),
				commands.data, found.skill.name, NULL);
		else
			table_add(table, found.skill.id, status, commands.data,
				found.skill.name, NULL);
		json_array_append_new(list, user_skill_json(assistant, &found));
	}
	return 0;
}

static int run_user_skill_list(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const char *word = arguments_value(args, "group");
	struct filter filter = {0};
	const char *status = arguments_value(args, "status");
	CLEANUP(table_release) struct table table = TABLE_INIT;
	CLEANUP(json_decrefp) json_t *skills = NULL;
	size_t all = 0;

	filter.category = arguments_value(args, "category");
	filter.status = status ? skill_status_parse(status) : STATUS_NONE;
	if (status && !filter.status) {
		error_set(err, ERROR_INVALID, "there is no status '%s'", status);
		return error_hint(err,
			"it is one of observed, proposed, approved, active, refined, retired");
	}
	if (assistant_look(&assistant, err) < 0)
		return -1;
	if (word && !assistant.store)
		return skill_look(&assistant, err);
	if (word && assistant_group(&assistant, word, &group, err) < 0)
		return -1;
	filter.group = group.folder;
	skills = json_array();
	if (cli->verbose)
		table_head(&table, "id", "status", "version", "category", "from", "commands",
			"name", NULL);
	else
		table_head(&table, "id", "status", "commands", "name", NULL);
	if (assistant.store && skills_collect(&assistant, &filter, cli->verbose, &table, skills,
				       &all, err) < 0)
		return -1;
	if (cli->json)
		output_success("skills:O", skills);
	else if (json_array_size(skills))
		table_print(&table, cli);
	else if (all)
		printf("no user skill matches\n");
	else
		printf("no user skills yet: 'nanoclaw user-skill sync' loads the ones in '%s/'\n",
			skill_library(&assistant));
	if (!cli->json && all && !json_array_size(skills) && filter.category) {
		CLEANUP(skill_rows_release) struct skill_rows rows = {0};
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		struct similar best = similar_to(filter.category);

		/* A category that does not exist is probably a typing mistake. */
		if (store_skill_list(assistant.store, NULL, &rows, &ignored) >= 0) {
			for (size_t i = 0; i < rows.count; i++)
				similar_consider(&best, rows.list[i].category);
			if (best.found && strcasecmp(best.found, filter.category) != 0)
				printf("did you mean '--category %s'?\n", best.found);
		}
	}
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "category", "WORD", "only this category"},
	{0, "group", "GROUP", "only skills of this group", COMPLETE_GROUPS},
	{0, "status", "STATUS", "only this status"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill list --group family", "the skills of the family group"},
	{0},
};

COMMAND(user_skill_list) = {
	.name = "user-skill list",
	.summary = "list user skills: what the assistant can do for a person",
	.description =
		"Shows the text that applies: with '--group' the variant of that group, else the\n"
		"imported skill, else the library file. With -v it also shows the version, the\n"
		"category, and whether the text comes from a file or the store.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.run = run_user_skill_list,
};

static void complete_user_skills(struct completion *completion)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(skill_rows_release) struct skill_rows list = {0};
	struct store *store = assistant_peek();

	if (store && store_skill_list(store, NULL, &list, &ignored) == 0)
		for (size_t i = 0; i < list.count; i++)
			if (!i || strcmp(list.list[i].id, list.list[i - 1].id) != 0)

				completion_add(completion, list.list[i].id, list.list[i].name);
	store_free(store);
}

COMPLETER(COMPLETE_USER_SKILLS, complete_user_skills);
