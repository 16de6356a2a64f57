#include <stdio.h>

#include <jansson.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/report/fault_output.h"
#include "engine/resolution/resolution_check.h"

static void resolution_summary_print(
	const struct resolution_checks *checks, size_t errors, size_t warnings)
{
	if (!checks->count) {
		printf("no resolutions are recorded\n");
		return;
	}
	printf("%zu folder%s checked: ", checks->count, plural(checks->count));
	if (!errors && !warnings)
		printf("no faults\n");
	else
		printf("%zu error%s, %zu warning%s\n", errors, plural(errors), warnings,
			plural(warnings));
}

static int run_resolution_check(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(resolution_checks_release)
	struct resolution_checks checks = RESOLUTION_CHECKS_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	size_t errors = 0;
	size_t warnings = 0;
	const char *folder = args->count ? args->words[0] : NULL;
	bool running;

	if (project_open_reading(&project, &running, err) < 0 ||
		resolution_check(&project, folder, false, &checks, err) < 0)
		return -1;
	for (size_t i = 0; i < checks.count; i++) {
		errors += checks.list[i].faults.errors;
		warnings += checks.list[i].faults.warnings;
		if (!cli->json)
			fault_output(cli, checks.list[i].shown, &checks.list[i].faults);
	}
	if (cli->json) {
		json_t *list = json_array();
		json_t *document;

		for (size_t i = 0; i < checks.count; i++)
			json_array_append_new(list, fault_output_json(checks.list[i].shown,
							    &checks.list[i].faults));
		document = json_build("success:b results:o", !errors, list);
		if (errors)
			json_put(document, "error:o",
				json_sprintf("%zu error%s in the resolutions", errors,
					plural(errors)));
		output_json(document);
	} else if (!cli->quiet) {
		resolution_summary_print(&checks, errors, warnings);
	}
	return errors ? EXIT_INVALID : EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw resolution check", "all resolutions of this project"},
	{"nanoclaw resolution check .claude/resolutions", "only the project's own"},
	{0},
};

COMMAND(resolution_check) = {
	.name = "resolution check",
	.summary = "show every fault in recorded resolutions, with its position",
	.usage = "[<folder>]",
	.description =
		"Checks meta.yaml and the files beside it, and compares them with the project's\n"
		"packages and core: are these skills here in these versions, and would exactly\n"
		"these files be merged? The folder is for one set of skills, or contains several\n"
		"such folders; the default is '.nanoclaw/resolutions' and '.claude/resolutions'.\n"
		"\n"
		"The exit code is 2 if there is an error, and 0 otherwise. Nothing is changed.",
	.section = SECTION_SKILLS,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_FOLDERS},
	.run = run_resolution_check,
};
