#include <stdio.h>

#include <jansson.h>

#include "cli/command.h"
#include "cli/conflict/resolution_into.h"
#include "cli/output.h"
#include "cli/project.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/resolution/resolution_import.h"
#include "format/json.h"
#include "proc/log.h"

static const struct option options[] = {
	{0, "into", "DIR", "a folder of the project (.nanoclaw/resolutions)", COMPLETE_FOLDERS},
	{0, "replace", NULL, "replace different ones"},
	{0},
};

static const char *const outcome_texts[] = {
	[IMPORT_NEW] = "imported",
	[IMPORT_SAME] = "same",
	[IMPORT_REPLACED] = "replaced",
};

static json_t *imported_resolutions_json(const struct import_result *result)
{
	json_t *list = json_array();
	bool nothing = true;
	json_t *warnings;

	for (size_t i = 0; i < result->count; i++) {
		const struct imported *one = &result->list[i];

		nothing = nothing && one->outcome == IMPORT_SAME;
		json_add(list, "key:s outcome:s files:I", one->key, outcome_texts[one->outcome],
			one->files);
	}
	warnings = json_array();
	for (size_t i = 0; i < result->checks.count; i++)
		for (size_t k = 0; k < result->checks.list[i].faults.count; k++) {
			const struct fault *fault = &result->checks.list[i].faults.list[k];
			CLEANUP(freep)
			char *text = xasprintf("%s/%s: %s", result->checks.list[i].shown,
				fault->where, fault->text);

			if (fault->severity == FAULT_WARNING)
				json_add_text(warnings, text);
		}
	return json_build("success:b resolutions:o warnings:o nothingToDo:b", true, list,
		warnings, nothing);
}

static void print_imported_resolutions(
	const struct cli *cli, const struct import_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		const struct imported *one = &result->list[i];

		if (one->outcome == IMPORT_SAME)
			printf("%s already exists\n", one->key);
		else
			printf("%s%s%s %s, %zu file%s\n", output_color(cli, COLOR_BOLD),
				one->key, output_color(cli, COLOR_RESET),
				outcome_texts[one->outcome], one->files, plural(one->files));
	}
}

static int run_resolution_import(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(import_result_release) struct import_result result = IMPORT_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(relpath_release) struct relpath into = RELPATH_INIT;

	if (project_open_idle(&project, false, err) < 0 ||
		resolution_into(&project, "--into", arguments_value(args, "into"),
			RESOLUTIONS_OWN, &into, err) < 0)
		return -1;
	if (resolution_import(&project, args->words[0], &into, arguments_flag(args, "replace"),
		    &result, err) < 0)
		return -1;
	for (size_t i = 0; i < result.checks.count; i++)
		for (size_t k = 0; k < result.checks.list[i].faults.count; k++) {
			const struct fault *fault = &result.checks.list[i].faults.list[k];

			if (fault->severity == FAULT_WARNING)
				log_warning("%s%s%s: %s", result.checks.list[i].shown,
					*fault->where ? "/" : "", fault->where, fault->text);
		}
	if (cli->json)
		output_json(imported_resolutions_json(&result));
	else
		print_imported_resolutions(cli, &result);
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw resolution import ../resolutions", "import everything in a folder"},
	{"nanoclaw resolution import ../copy/.claude/resolutions --into .claude/resolutions",
		"to ship resolutions from a copy"},
	{0},
};

COMMAND(resolution_import) = {
	.name = "resolution import",
	.summary = "import recorded resolutions from somebody else",
	.usage = "<folder>",
	.description =
		"The folder is for one set of skills, or contains several such folders. They are\n"
		"checked as by 'resolution check', except for skills and cores that are not here,\n"
		"and copied to '.nanoclaw/resolutions', or to the folder named by '--into': all of\n"
		"them, or none. A resolution that already exists with different content is refused,\n"
		"unless you use '--replace'.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_FOLDERS},
	.run = run_resolution_import,
};
