#include "cli/apply_options.h"
#include "cli/apply_output.h"
#include "cli/conflict_walk.h"
#include "cli/output.h"
#include "cli/workplace.h"
#include "engine/operation/custom_apply.h"

static const struct option options[] = {
	OPTION_DRY_RUN,
	OPTIONS_TESTING,
	{0},
};

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct apply_options how;
	int code;

	if (apply_options_read(cli, args, &how, err) < 0)
		return -1;
	if (workplace_open_idle(&project, false, err) < 0)
		return -1;
	if (custom_apply_named(&project, args->words[0], &how, &result, err) < 0) {
		apply_output_warnings(&result);
		return -1;
	}
	code = apply_output_patch(cli, &result, how.dry_run);
	if (code != EXIT_PAUSED)
		return code;
	return conflict_walk(
		&(struct conflict_walk){.cli = cli, .project = &project, .options = &how}, err);
}

static const struct example examples[] = {
	{"nanoclaw customize apply 001", "by its number"},
	{"nanoclaw customize apply telegram-groups-only", "by its name"},
	{0},
};

COMMAND(customize_apply) = {
	.name = "customize apply",
	.summary = "put a recorded custom patch into your files again",
	.usage = "<patch>",
	.description =
		"For changes that got lost, such as by bringing back an older file. They are merged\n"
		"with what is there now: what is in your files already is left alone, and what does\n"
		"not fit pauses as any other conflict does.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
