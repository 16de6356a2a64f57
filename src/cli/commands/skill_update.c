#include "engine/operation/skill_update.h"

#include <stdio.h>
#include <string.h>

#include "cli/apply_end.h"
#include "cli/apply_options.h"
#include "cli/apply_output.h"
#include "cli/workplace.h"

static const struct option options[] = {
	{0, "dry-run", NULL, "show what would be done, and do nothing"},
	APPLY_OPTION_ON_DRIFT,
	APPLY_OPTION_RESOLVER,
	{0, "ancestor", "base",
		"merge with the present core where the one the skill was written for is lost"},
	{0, "allow-conflicts", NULL, "apply skills that declare a conflict with each other"},
	{0, "no-test", NULL, "do not run the skills' tests"},
	{0, "no-install", NULL, "do not install dependencies"},
	{0, "test-timeout", "SECONDS", "how long a test may take (120)"},
	{0},
};

static int read_options(struct cli *cli, const struct arguments *args,
	struct apply_options *ret_how, struct error *err)
{
	const char *ancestor = arguments_value(args, "ancestor");

	if (apply_options_read(cli, arguments_value(args, "test-timeout"), ret_how, err) < 0 ||
		apply_options_on_drift(arguments_value(args, "on-drift"), ret_how, err) < 0)
		return -1;
	if (ancestor && strcmp(ancestor, "base"))
		return error_set(err, ERROR_INVALID, "'--ancestor' can only be 'base'");
	apply_options_resolver(arguments_value(args, "resolver"), ret_how);
	ret_how->dry_run = arguments_flag(args, "dry-run");
	ret_how->no_test = arguments_flag(args, "no-test");
	ret_how->no_install = arguments_flag(args, "no-install");
	ret_how->allow_conflicts = arguments_flag(args, "allow-conflicts");
	ret_how->ancestor_is_base = ancestor != NULL;
	return 0;
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct apply_options how;

	if (read_options(cli, args, &how, err) < 0 ||
		workplace_open_idle(&project, false, err) < 0)
		return -1;
	if (update_skills(&project, args->words, args->count, &how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	if (!result.skill_count && !cli->json) {
		if (!cli->quiet)
			printf("nothing to do: no skill is applied\n");
		return EXIT_DONE;
	}
	return apply_end(cli, &project, &how, args->words, &result, err);
}

static const struct example examples[] = {
	{"nanoclaw skill update", "all skills whose package is newer"},
	{"nanoclaw skill update telegram", "only this one"},
	{0},
};

COMMAND(skill_update) = {
	.name = "skill update",
	.summary = "apply skills again whose package is newer",
	.usage = "[<skill>...]",
	.description =
		"Compares the version of each applied skill with that of its package, and applies\n"
		"the newer ones in the place of the old, all or nothing. What other skills, custom\n"
		"patches and you yourself have changed is kept by merging; conflicts pause as in\n"
		"'skill apply'. Then the tests of all applied skills are run.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 0,
	.max_arguments = -1,
	.run = run,
};
