#include <stdio.h>

#include "cli/apply_options.h"
#include "cli/apply_output.h"
#include "cli/output.h"
#include "cli/workplace.h"
#include "engine/operation/customize.h"
#include "util/json.h"

static const struct option options[] = {
	{0, "skill", "NAME", "the applied skill that the change belongs to"},
	OPTION_ON_DRIFT,
	{0},
};

static char *join(const struct arguments *args)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < args->count; i++)
		buf_appendf(&text, "%s%s", i ? " " : "", args->words[i]);
	return buf_take(&text);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(freep) char *description = join(args);
	const char *skill = arguments_value(args, "skill");
	struct apply_options how;

	if (apply_options_read(cli, args, &how, err) < 0 ||
		workplace_open_idle(&project, false, err) < 0)
		return -1;
	if (customize_start(&project, description, skill, &how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	apply_output_warnings(&result);
	if (cli->json) {
		output_json(json_pack("{s:b, s:o, s:s?, s:o, s:s?}", "success", true,
			"description", json_text(view_of(description)), "skill", skill,
			"untrackedChanges", apply_output_untracked(&result), "recordedPatch",
			result.recorded_patch));
		return EXIT_DONE;
	}
	apply_output_recorded(&result, false);
	if (!cli->quiet)
		printf("Change what you like, in any file. Then type 'nanoclaw customize commit'\n"
		       "to record it, or 'nanoclaw customize abort' to leave it unrecorded.\n");
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw customize start 'quieter log'",
		"then edit, then 'nanoclaw customize commit'"},
	{"nanoclaw customize start 'groups only' --skill telegram", "a change to a skill"},
	{0},
};

COMMAND(customize_start) = {
	.name = "customize start",
	.summary = "begin to change files in a way that is recorded",
	.usage = "<description>",
	.description =
		"What you change from now on, in any file, becomes a custom patch when you type\n"
		"'nanoclaw customize commit': a file in .nanoclaw/custom that 'git apply' takes as\n"
		"well, with a note beside it. Removing, updating and replaying skills keeps it.\n"
		"\n"
		"With --skill the patch belongs to that skill, and follows it.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.run = run,
};
