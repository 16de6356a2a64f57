#include "engine/operation/skill_update.h"

#include <stdio.h>

#include "cli/project.h"
#include "cli/rebuild/offer.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"

static const struct option options[] = {
	OPTION_DRY_RUN,
	OPTION_ON_DRIFT,
	OPTION_RESOLVER,
	OPTION_ANCESTOR,
	OPTION_ALLOW_CONFLICTS,
	OPTION_ALLOW_OLDER_CORE,
	OPTIONS_TESTING,
	OPTION_REBUILD,
	{0},
};

static int run_skill_update(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_idle(&project, false, err) < 0)
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
	{"nanoclaw skill update", "all skills with a newer package"},
	{"nanoclaw skill update telegram", "only this one"},
	{0},
};

COMMAND(skill_update) = {
	.name = "skill update",
	.summary = "apply newer packages of applied skills",
	.usage = "[<skill>...]",
	.description =
		"Compares the version of each applied skill with its package, and replaces older\n"
		"versions, all or nothing. Changes by other skills, custom patches and you are kept\n"
		"by merging; conflicts pause as in 'skill apply'. Then the tests of all applied\n"
		"skills run.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 0,
	.max_arguments = -1,
	.completes = {COMPLETE_APPLIED},
	.run = run_skill_update,
	.after = rebuild_offer,
};
