#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/quote.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/table.h"
#include "engine/state/skillset.h"
#include "format/json.h"
#include "proc/log.h"

/* A package, an applied skill, or both. */
struct row {
	const char *name;
	const struct package *package;
	const struct applied_skill *applied;
};

struct rows {
	struct row *list;
	size_t count;
	size_t cap;
};

static void rows_release(struct rows *rows)
{
	free(rows->list);
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void skill_row_add(struct rows *rows, struct row row)
{
	GROW(rows->list, rows->count, rows->cap);
	rows->list[rows->count++] = row;
}

/* --- for programs ------------------------------------------------------------ */

/* States of very old versions know only the name. */
static json_t *skill_row_json(const struct row *row)
{
	const struct manifest *manifest = row->package ? &row->package->manifest : NULL;

	return json_build("name:s version:s applied:b appliedVersion:s description:s "
			  "folder:s",
		row->name, manifest ? manifest->version : NULL, row->applied != NULL,
		row->applied && row->applied->version[0] ? row->applied->version : NULL,
		manifest ? manifest->description : NULL,
		row->package ? row->package->folder : NULL);
}

static json_t *skill_rows_json(
	const struct skillset *skills, const struct rows *rows, const struct overlaps *overlaps)
{
	json_t *list = json_array();
	json_t *shared = json_object();

	for (size_t i = 0; i < rows->count; i++)
		json_array_append_new(list, skill_row_json(&rows->list[i]));
	for (size_t i = 0; i < overlaps->count; i++) {
		json_t *names = json_array();

		for (size_t k = 0; k < overlaps->list[i].count; k++)
			json_add_text(names, overlaps->list[i].skills[k]);
		json_object_set_new(shared, overlaps->list[i].path, names);
	}
	return json_build("success:b skills:o overlaps:o broken:o", true, list, shared,
		json_strings(&skills->packages.broken));
}

/* --- for people -------------------------------------------------------------- */

static void skill_rows_print(const struct cli *cli, const struct rows *rows)
{
	CLEANUP(table_release) struct table table = TABLE_INIT;

	table_head(&table, "skill", "version", "applied", "description", NULL);
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->list[i];

		table_row(&table);
		table_cell(&table, COLOR_CYAN, "%s", row->name);
		table_cell(&table, NULL, "%s",
			row->package ? row->package->manifest.version : "-");
		table_cell(&table, row->applied ? COLOR_GREEN : COLOR_DIM, "%s",
			!row->applied              ? "-"
			: row->applied->version[0] ? row->applied->version
						   : "yes");
		table_cell(&table, NULL, "%s",
			row->package ? row->package->manifest.description
				     : "(its package is not in this project)");
	}
	table_print(&table, cli);
}

static void overlaps_print(const struct cli *cli, const struct overlaps *overlaps)
{
	printf("\n%sfiles that more than one skill touches%s\n", output_color(cli, COLOR_BOLD),
		output_color(cli, COLOR_RESET));
	for (size_t i = 0; i < overlaps->count; i++) {
		CLEANUP(freep) char *shown = quote(view_of(overlaps->list[i].path));

		printf("%s:", shown);
		for (size_t k = 0; k < overlaps->list[i].count; k++)
			printf("%s%s", k ? ", " : " ", overlaps->list[i].skills[k]);
		printf("\n");
	}
}

static int run_skill_list(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(skillset_release) struct skillset skills = SKILLSET_INIT;
	CLEANUP(overlaps_release) struct overlaps overlaps = {0};
	CLEANUP(rows_release) struct rows rows = {0};
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	bool running;

	(void)args;
	if (project_open_reading(&project, &running, err) < 0 ||
		skillset_open(&project, &skills, err) < 0)
		return -1;
	for (size_t i = 0; i < skills.packages.count; i++) {
		const struct package *package = &skills.packages.list[i];
		const char *name = package->manifest.skill;

		skill_row_add(
			&rows, (struct row){name, package, state_find(&skills.state, name)});
	}
	for (size_t i = 0; i < skills.state.skill_count; i++) {
		const struct applied_skill *applied = &skills.state.skills[i];

		if (!package_list_find(&skills.packages, applied->name))
			skill_row_add(&rows, (struct row){applied->name, NULL, applied});
	}
	if (rows.count)
		qsort(rows.list, rows.count, sizeof(*rows.list), compare_rows);
	skillset_overlaps(&skills, &overlaps);
	for (size_t i = 0; i < skills.packages.broken.count; i++)
		log_warning("'%s' has faults and is ignored: 'nanoclaw skill check' shows them",
			skills.packages.broken.list[i]);
	if (cli->json) {
		output_json(skill_rows_json(&skills, &rows, &overlaps));
		return EXIT_DONE;
	}
	if (!rows.count)
		printf("no skills: neither '.claude/skills' nor 'skills' has a package\n"
		       "'nanoclaw skill new NAME' creates one\n");
	else
		skill_rows_print(cli, &rows);
	if (cli->verbose && overlaps.count)
		overlaps_print(cli, &overlaps);
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw skill list", "available and applied skills"},
	{"nanoclaw skill list -v", "also files that several skills touch"},
	{0},
};

COMMAND(skill_list) = {
	.name = "skill list",
	.summary = "list available and applied skills",
	.description =
		"Searches '.claude/skills' and 'skills' in the project, and ignores folders without\n"
		"a manifest.yaml. With -v or --json it also lists files that more than one skill\n"
		"touches.",
	.section = SECTION_SKILLS,
	.first = 7,
	.examples = examples,
	.run = run_skill_list,
};

static void complete_skills(struct completion *completion)
{
	CLEANUP(skillset_release) struct skillset skills = SKILLSET_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;

	if (project_open(&project, &ignored) == 0 &&
		skillset_open(&project, &skills, &ignored) == 0)
		for (size_t i = 0; i < skills.packages.count; i++)
			completion_add(completion, skills.packages.list[i].manifest.skill,
				skills.packages.list[i].manifest.description);
}

static void complete_applied(struct completion *completion)
{
	CLEANUP(state_release) struct state state = {0};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	bool initialized;

	if (project_open(&project, &ignored) == 0 &&
		state_load(&project, &state, &initialized, &ignored) == 0)
		for (size_t i = 0; i < state.skill_count; i++)
			completion_add(
				completion, state.skills[i].name, state.skills[i].version);
}

COMPLETER(COMPLETE_SKILLS, complete_skills);
COMPLETER(COMPLETE_APPLIED, complete_applied);
