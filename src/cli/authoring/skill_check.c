#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/report/apply_output.h"
#include "cli/report/fault_output.h"
#include "cli/report/refresh_output.h"
#include "cli/table.h"
#include "engine/author/check.h"
#include "engine/package/package.h"
#include "format/json.h"

static const struct option options[] = {
	{0, "against", "REF",
		"check them against this core: a folder, a git ref, an update package"},
	{0},
};

/* The faults; `look` has a result only with --against. */
struct report {
	struct string_array folders;
	struct check_results faults;
	struct operation_result look;
	size_t errors, warnings;
	size_t fresh, smooth, open; /* packages, by how they fit the other core */
};

static void report_release(struct report *r)
{
	string_array_release(&r->folders);
	check_results_release(&r->faults);
	operation_result_release(&r->look);
}

/* NULL if the package could not be looked at. */
static const struct refresh_package *package_standing(const struct report *r, size_t number)
{
	const struct refresh_result *all = r->look.refresh;
	const char *skill = r->faults.list[number].skill;

	for (size_t i = 0; all && skill && i < all->count; i++)
		if (!strcmp(all->packages[i].skill, skill))
			return &all->packages[i];
	return NULL;
}

/* --- for programs ------------------------------------------------------------ */

static json_t *result_as_json(const struct report *r, size_t number)
{
	const struct check_result *result = &r->faults.list[number];
	const struct refresh_package *package = package_standing(r, number);
	json_t *json = fault_output_json(result->folder, &result->faults);

	json_put(json, "skill:s", result->skill);
	if (package)
		json_put(json, "against:o", refresh_output_package(package));
	if (package && !refresh_is_smooth(package))
		json_put(json, "success:b", false);
	return json;
}

static json_t *report_as_json(const struct report *r)
{
	json_t *list = json_array();
	json_t *json;

	for (size_t i = 0; i < r->faults.count; i++)
		json_array_append_new(list, result_as_json(r, i));
	json = json_build("success:b results:o", !r->errors && !r->open, list);
	if (r->errors)
		json_put(json, "error:o",
			json_sprintf(
				"%zu error%s in the packages", r->errors, plural(r->errors)));
	else if (r->open)
		json_put(json, "error:o",
			json_sprintf("%zu package%s cannot be refreshed without a person",
				r->open, plural(r->open)));
	return json;
}

/* --- for people -------------------------------------------------------------- */

static void check_summary_print(const struct report *r)
{
	if (!r->faults.count) {
		printf("no packages: neither '.claude/skills' nor 'skills' has one\n");
		return;
	}
	printf("%zu package%s checked: ", r->faults.count, plural(r->faults.count));
	if (!r->errors && !r->warnings)
		printf("no faults\n");
	else
		printf("%zu error%s, %zu warning%s\n", r->errors, plural(r->errors),
			r->warnings, plural(r->warnings));
}

static const char *const standings[] = {
	[REFRESH_FITS] = "renamed",
	[REFRESH_UNMARKED] = "unmarked",
	[REFRESH_MERGES] = "merges",
	[REFRESH_RESOLVED] = "settled",
	[REFRESH_GIVEN] = "dropped",
	[REFRESH_TAKEN] = "CONFLICT",
	[REFRESH_CONFLICT] = "CONFLICT",
	[REFRESH_GONE] = "GONE",
	[REFRESH_WAITS] = "WAITS",
	[REFRESH_LOST] = "LOST",
	[REFRESH_IMPOSSIBLE] = "IMPOSSIBLE",
};

static void add_package(struct table *table, const struct refresh_package *p)
{
	if (p->fresh) {
		table_row(table);
		table_cell(table, NULL, "%s %s", p->skill, p->version);
		table_cell(table, COLOR_GREEN, "fits");
	}
	for (size_t i = 0; i < p->count; i++) {
		const struct refresh_file *f = &p->files[i];
		CLEANUP(freep) char *path = output_path(f->path);
		CLEANUP(freep) char *to = f->to ? output_path(f->to) : NULL;

		table_row(table);
		if (i)
			table_cell(table, NULL, "%s", "");
		else
			table_cell(table, NULL, "%s %s", p->skill, p->version);
		table_cell(table, f->state >= REFRESH_TAKEN ? COLOR_RED : COLOR_YELLOW, "%s",
			standings[f->state]);
		table_cell(table, NULL, "%s%s%s", path, to ? " -> " : "", to ? to : "");
	}
}

static void print_command(const struct report *r, const char *against)
{
	const struct refresh_result *all = r->look.refresh;

	printf("To refresh them: nanoclaw skill refresh");
	for (size_t i = 0; i < all->count; i++)
		if (!all->packages[i].fresh)
			printf(" %s", all->packages[i].skill);
	printf(" --against %s\n", against);
}

/* --- both --------------------------------------------------------------------- */

/* A package with faults of its own is not compared with anything. */
static int packages_check(
	const struct project *project, const char *against, struct report *r, struct error *err)
{
	CLEANUP(freep)
	const char **sound = xcalloc(r->folders.count + 1, sizeof(*sound));
	struct refresh_request request = {.typed = sound, .against = against};

	for (size_t i = 0; i < r->folders.count; i++)
		if (!r->faults.list[i].faults.errors)
			sound[request.count++] = r->folders.list[i];
	/* Without any package, still look for the core: its name may be wrong. */
	if ((request.count || !r->folders.count) &&
		refresh_look(project, &request, &r->look, err) < 0)
		return -1;
	for (size_t i = 0; r->look.refresh && i < r->look.refresh->count; i++) {
		const struct refresh_package *p = &r->look.refresh->packages[i];

		if (p->fresh)
			r->fresh++;
		else if (refresh_is_smooth(p))
			r->smooth++;
		else
			r->open++;
	}
	return 0;
}

static void show_in_project(const struct project *project, char **folder)
{
	size_t len = strlen(project->path);
	char *inside = NULL;

	if (strncmp(*folder, project->path, len) != 0 || (*folder)[len] != '/')
		return;
	inside = xstrdup(*folder + len + 1);
	free(*folder);
	*folder = inside;
}

static int packages_find(const struct project *project, const struct arguments *args,
	struct report *r, struct error *err)
{
	const char *against = arguments_value(args, "against");
	CLEANUP(package_list_release) struct package_list packages = {0};

	/* The named packages, or all of the project, including broken ones. */
	for (size_t i = 0; i < args->count; i++) {
		CLEANUP(freep) char *folder = NULL;

		if (package_find_folder(project->root, args->words[i], &folder, err) < 0)
			return -1;
		string_array_add(&r->folders, folder);
	}
	if (!args->count) {
		if (package_list_read(project->root, &packages, err) < 0)
			return -1;
		for (size_t i = 0; i < packages.count; i++) {
			CLEANUP(freep) char *path = package_path(&packages.list[i]);

			string_array_add(&r->folders, path);
		}
		for (size_t i = 0; i < packages.broken.count; i++) {
			CLEANUP(freep)
			char *path = xasprintf("%s/%s", project->path, packages.broken.list[i]);

			string_array_add(&r->folders, path);
		}
	}
	if (check_packages(project, (const char *const *)r->folders.list, r->folders.count,
		    !against, &r->faults, err) < 0)
		return -1;
	for (size_t i = 0; i < r->faults.count; i++) {
		/* A path is shown as it was typed. */
		if (!args->count || strcmp(args->words[i], r->folders.list[i]) != 0)
			show_in_project(project, &r->faults.list[i].folder);
		r->errors += r->faults.list[i].faults.errors;
		r->warnings += r->faults.list[i].faults.warnings;
	}
	return against ? packages_check(project, against, r, err) : 0;
}

static int run_skill_check(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(report_release) struct report report = {.look = OPERATION_RESULT_INIT};
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	bool running;

	if (project_open_reading(&project, &running, err) < 0 ||
		packages_find(&project, args, &report, err) < 0)
		return -1;
	if (arguments_value(args, "against"))
		project_note_core(&project);
	apply_output_warnings(&report.look);
	for (size_t i = 0; i < report.faults.count && !cli->json; i++)
		fault_output(cli, report.faults.list[i].folder, &report.faults.list[i].faults);
	if (cli->json) {
		json_t *document = report.faults.count == 1 ? result_as_json(&report, 0)
							    : report_as_json(&report);

		if (report.look.refresh)
			json_put(document, "coreVersion:s", report.look.refresh->core);
		output_json(document);
	} else if (!cli->quiet) {
		check_summary_print(&report);
	}
	if (!cli->json && !cli->quiet && report.look.refresh) {
		const struct refresh_result *all = report.look.refresh;
		CLEANUP(table_release) struct table table = {.indent = 2, .least = {0, 8}};

		for (size_t i = 0; i < all->count; i++)
			add_package(&table, &all->packages[i]);
		printf("against core %s:\n", all->core);
		table_print(&table, cli);
		printf("%zu fit%s, %zu can be refreshed, %zu need%s a person\n", report.fresh,
			report.fresh == 1 ? "s" : "", report.smooth, report.open,
			report.open == 1 ? "s" : "");
		if (report.smooth + report.open)
			print_command(&report, arguments_value(args, "against"));
	}
	return report.errors || report.open ? EXIT_INVALID : EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw skill check", "check every package of the project"},
	{"nanoclaw skill check .claude/skills/add-telegram", "check one package"},
	{"nanoclaw skill check --against ../core-0.2.0",
		"which packages fit that core, and which need a refresh"},
	{0},
};

COMMAND(skill_check) = {
	.name = "skill check",
	.summary = "show every fault in skill packages, with its position",
	.usage = "[<skill>...]",
	.description =
		"Checks the manifest, the files of the package, the core that they are based on,\n"
		"and the other packages of the project. The core is '.nanoclaw/base', or the\n"
		"project itself if there is none. <skill> is the path to a package, the name in its\n"
		"manifest, or the name of its folder. Without one, all packages are checked.\n"
		"\n"
		"'--against' names another core: a folder, a git ref, an update package or a folder\n"
		"of them, or the version of an earlier core of the project. Then every file is\n"
		"merged as 'skill refresh' would merge it, and the result is one of: fits, merges,\n"
		"resolved (a conflict with a known resolution), renamed, dropped (the core now has\n"
		"the file or has made the change itself), unmarked (fits, but the manifest does not\n"
		"say so), CONFLICT, GONE (the core no longer has the file), WAITS (for a package\n"
		"that it builds on), LOST (its ancestor is unknown), IMPOSSIBLE.\n"
		"\n"
		"An error means that the package must not be applied, a warning that its author\n"
		"should look at it, and a note that something was skipped. The exit code is 2 if\n"
		"there is an error, or if a package cannot be refreshed without a person; otherwise\n"
		"it is 0, even if packages need 'skill refresh'. Nothing is changed.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 0,
	.max_arguments = -1,
	.completes = {COMPLETE_SKILLS},
	.run = run_skill_check,
};
