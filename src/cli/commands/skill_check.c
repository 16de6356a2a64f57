#include <stdio.h>

#include <jansson.h>

#include "cli/command.h"
#include "cli/fault_output.h"
#include "cli/output.h"
#include "cli/workplace.h"
#include "engine/check.h"
#include "util/json.h"

enum {
	OPT_AGAINST,
};

static const struct option options[] = {
	[OPT_AGAINST] = {0, "against", "DIR", "compare with the core in DIR"},
	{0},
};

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* --- for programs ------------------------------------------------------------ */

static json_t *result_as_json(const struct check_result *result)
{
	json_t *json = fault_output_json(result->folder, &result->faults);

	json_object_set_new(
		json, "skill", result->skill ? json_string(result->skill) : json_null());
	return json;
}

static void print_json(const struct check_results *results, size_t errors)
{
	json_t *list;
	json_t *json;

	if (results->count == 1) {
		output_json(result_as_json(&results->list[0]));
		return;
	}
	list = json_array();
	for (size_t i = 0; i < results->count; i++)
		json_array_append_new(list, result_as_json(&results->list[i]));
	json = json_pack("{s:b, s:o}", "success", !errors, "results", list);
	if (errors)
		json_object_set_new(json, "error",
			json_sprintf("%zu error%s in the packages", errors, plural(errors)));
	output_json(json);
}

/* --- for people -------------------------------------------------------------- */

static void print_summary(const struct check_results *results, size_t errors, size_t warnings)
{
	printf("%zu package%s checked: ", results->count, plural(results->count));
	if (!errors && !warnings)
		printf("no faults\n");
	else
		printf("%zu error%s, %zu warning%s\n", errors, plural(errors), warnings,
			plural(warnings));
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(check_results_release) struct check_results results = {0};
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	bool running;
	const char *against = arguments_value(args, &options[OPT_AGAINST]);
	size_t errors = 0;
	size_t warnings = 0;

	if (workplace_look(&project, &running, err) < 0 ||
		check_packages(&project, args->words, args->count, against, &results, err) < 0)
		return -1;
	for (size_t i = 0; i < results.count; i++) {
		errors += results.list[i].faults.errors;
		warnings += results.list[i].faults.warnings;
		if (!cli->json)
			fault_output(cli, results.list[i].folder, &results.list[i].faults);
	}
	if (cli->json)
		print_json(&results, errors);
	else if (!cli->quiet)
		print_summary(&results, errors, warnings);
	return errors ? EXIT_INVALID : EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw skill check .claude/skills/add-telegram", "check one package"},
	{"nanoclaw skill check skills/*/ --against ../core-0.2.0",
		"would these packages still fit that core?"},
	{0},
};

COMMAND(skill_check) = {
	.name = "skill check",
	.summary = "show every fault of skill packages, with its place",
	.usage = "[options] <folder>...",
	.description =
		"Looks at the manifest, the files of the package, the core that they are made for,\n"
		"and the other packages of the project. The core is the one in '.nanoclaw/base', or\n"
		"the project itself where that is missing; '--against' names a folder that holds\n"
		"another one.\n"
		"\n"
		"An error means that the package must not be applied, a warning that its author\n"
		"should look, a note that something was left aside. The exit code is 2 if there is\n"
		"an error, and 0 otherwise. Nothing is changed.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.completes = COMPLETE_FOLDERS,
	.run = run,
};
