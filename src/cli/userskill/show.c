#include <inttypes.h>
#include <stdio.h>

#include "cli/assistant/local_time.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/userskill/json.h"
#include "cli/userskill/request.h"
#include "format/json.h"
#include "userskill/user_skill_groups.h"
#include "userskill/user_skill_uses.h"
#include "userskill/user_skills.h"

/* All that is shown. */
struct shown {
	struct skill_found found;
	struct buf groups;
	struct buf variants;
	json_t *versions;
	json_t *events;
	struct skill_numbers numbers;
};

static void shown_release(struct shown *shown)
{
	skill_found_release(&shown->found);
	buf_release(&shown->groups);
	buf_release(&shown->variants);
	json_decref(shown->versions);
	json_decref(shown->events);
}

static int read_all(const struct assistant *assistant, const char *group, const char *id,
	struct shown *shown, struct error *err)
{
	if (skill_lookup(assistant->store, group, id, &shown->found, err) < 0)
		return -1;
	if (!shown->found.content)
		return skill_unknown(assistant->store, id, err);
	if (store_groups_of_skill(assistant->store, id, &shown->groups, err) < 0 ||
		store_skill_override_groups(assistant->store, id, &shown->variants, err) < 0 ||
		store_skill_versions(assistant->store, id, shown->versions, err) < 0 ||
		store_skill_events(assistant->store, id, shown->events, err) < 0)
		return -1;
	return store_skill_numbers(assistant->store, id, &shown->numbers, err);
}

/* --- for programs ------------------------------------------------------------ */

static json_t *lines_json(const struct buf *lines)
{
	json_t *list = json_array();
	struct view rest = view_of_buf(lines);
	struct view line;

	while (view_next(&rest, '\n', &line))
		json_array_append_new(list, json_text(line));
	return list;
}

static json_t *shown_skill_json(const struct assistant *assistant, const struct shown *shown)
{
	json_t *json = user_skill_json(assistant, &shown->found);

	user_skill_json_needs(&shown->found.skill, json);
	json_object_update_new(json, skill_numbers_json(&shown->numbers));
	json_put(json, "success:b groups:o overrides:o versions:O events:O content:s", true,
		lines_json(&shown->groups), lines_json(&shown->variants), shown->versions,
		shown->events, shown->found.content);
	return json;
}

/* --- for people -------------------------------------------------------------- */

static void field_print(const char *name, const char *text)
{
	CLEANUP(freep) char *shown = output_first_line(text);

	printf("%-11s %s\n", name, shown);
}

static char *score_text(const json_t *numbers)
{
	const json_t *score = json_object_get(numbers, "qualityScore");

	return json_is_real(score) ? xasprintf("%.2f", json_real_value(score)) : xstrdup("-");
}

/* Which version of the text applies, and which it replaces. */
static void print_origin(const struct assistant *assistant, const struct shown *shown)
{
	const struct skill_found *found = &shown->found;
	CLEANUP(freep)
	char *file = found->path ? xasprintf("the file %s/%s%s", skill_library(assistant),
					   found->path, found->gone ? ", which is missing" : "")
				 : xstrdup("the database");
	CLEANUP(freep)
	char *text = found->origin == ORIGIN_OVERRIDE
			     ? xasprintf("the variant of this group, over %s", file)
			     : xstrdup(file);

	field_print("from", text);
}

static void print_names(const char *name, const struct buf *lines)
{
	struct view rest = view_of_buf(lines);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view line;

	while (view_next(&rest, '\n', &line))
		buf_appendf(&text, "%s%.*s", text.len ? ", " : "", VIEW_ARGS(line));
	if (text.len)
		field_print(name, text.data);
}

static void print_numbers(const struct skill_numbers *n)
{
	CLEANUP(json_decrefp) json_t *json = skill_numbers_json(n);
	CLEANUP(freep) char *score = score_text(json);

	if (!n->uses && !n->refused) {
		field_print("uses", "none yet");
		return;
	}
	printf("%-11s %" PRId64 ", of which %" PRId64 " completed and %" PRId64
	       " failed; %" PRId64 " refused\n",
		"uses", n->uses, n->completed, n->failed, n->refused);
	field_print("quality", score);
}

static char *time_text(const char *utc)
{
	char text[LOCAL_TIME_SIZE];

	local_time(utc, text);
	return xmemdupz(text, LOCAL_SECONDS);
}

static void print_events(const struct cli *cli, const json_t *events)
{
	CLEANUP(table_release) struct table table = TABLE_INIT;
	const json_t *e;
	size_t i;

	table_head(&table, "status", "before", "of", "by", "at", NULL);
	json_array_foreach(events, i, e) {
		CLEANUP(freep) char *at = time_text(json_member(e, "at"));
		const char *from = json_member(e, "from");

		table_add(&table, json_member(e, "to"), *from ? from : "-",
			json_member(e, "origin"), json_member(e, "who"), at, NULL);
	}
	printf("\n");
	table_print(&table, cli);
}

static void print_shown_skill(
	const struct cli *cli, const struct assistant *assistant, const struct shown *shown)
{
	const struct skill_found *found = &shown->found;
	const struct user_skill *skill = &found->skill;
	CLEANUP(freep) char *name = output_first_line(skill->name);
	CLEANUP(table_release) struct table table = TABLE_INIT;
	const json_t *v;
	size_t i;

	printf("%s%s%s\n", output_color(cli, COLOR_BOLD), name, output_color(cli, COLOR_RESET));
	field_print("id", skill->id);
	field_print("version", skill->version);
	field_print("category", skill->category);
	field_print("status", skill_status_name(found->status));
	field_print("source", found->source);
	print_origin(assistant, shown);
	for (i = 0; i < skill->command_count; i++) {
		const struct skill_command *c = &skill->commands[i];
		CLEANUP(freep)
		char *text = xasprintf("/%s%s%s%s%s", c->name, *c->arguments ? " " : "",
			c->arguments, *c->help ? ": " : "", c->help);

		field_print("command", text);
	}
	for (i = 0; i < skill->schedule_count; i++) {
		CLEANUP(freep)
		char *text = xasprintf("%s (%s %s)", skill->schedules[i].text,
			schedule_type_name(skill->schedules[i].type),
			skill->schedules[i].value);

		field_print("schedule", text);
	}
	for (i = 0; i < skill->conditions.count; i++)
		field_print("condition", skill->conditions.list[i].text);
	for (i = 0; i < skill->context_count; i++)
		field_print("needs", skill->contexts[i].text);
	for (i = 0; i < skill->connector_count; i++)
		field_print("connector", skill->connectors[i].text);
	for (i = 0; i < skill->dependency_count; i++)
		field_print("depends on", skill->dependencies[i].text);
	print_names("groups", &shown->groups);
	print_names("variants", &shown->variants);
	print_numbers(&shown->numbers);
	table_head(&table, "version", "from", "since", "until", "uses", "quality", NULL);
	json_array_foreach(shown->versions, i, v) {
		const char *group = json_member(v, "group"), *end = json_member(v, "until");
		CLEANUP(freep)
		char *uses = xasprintf("%.0f", json_number_value(json_object_get(v, "uses")));
		CLEANUP(freep) char *score = score_text(v);
		CLEANUP(freep)
		char *from = *group ? xasprintf("variant of %s", group)
				    : xstrdup(json_member(v, "origin"));
		CLEANUP(freep) char *since = time_text(json_member(v, "since"));
		CLEANUP(freep) char *until = *end ? time_text(end) : xstrdup("now");

		table_add(&table, json_member(v, "version"), from, since, until, uses, score,
			NULL);
	}
	printf("\n");
	table_print(&table, cli);
	print_events(cli, shown->events);
}

static int run_user_skill_show(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(shown_release)
	struct shown shown = {
		.found = SKILL_FOUND_INIT,
		.groups = BUF_INIT,
		.variants = BUF_INIT,
		.versions = json_array(),
		.events = json_array(),
	};

	if (skill_look(&assistant, err) < 0 ||
		assistant_group(&assistant, arguments_value(args, "group"), &group, err) < 0 ||
		read_all(&assistant, group.folder, args->words[0], &shown, err) < 0)
		return -1;
	if (cli->json)
		output_json(shown_skill_json(&assistant, &shown));
	else
		print_shown_skill(cli, &assistant, &shown);
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "group", "GROUP", "as it applies in this group", COMPLETE_GROUPS},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill show skill_day_plan_001 --group family",
		"the family's variant, if it has one"},
	{0},
};

COMMAND(user_skill_show) = {
	.name = "user-skill show",
	.summary = "show a user skill, its origin, and its results",
	.usage = "<id>",
	.description =
		"Shows its commands and schedules, its requirements, its groups, each version with\n"
		"its uses and quality score, and who changed its status.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_USER_SKILLS},
	.run = run_user_skill_show,
};
