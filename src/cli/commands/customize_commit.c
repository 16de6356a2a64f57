#include <stdio.h>

#include "cli/apply_output.h"
#include "cli/output.h"
#include "cli/workplace.h"
#include "engine/commit/pending.h"
#include "engine/operation/customize.h"
#include "engine/stack/custom.h"
#include "util/json.h"

static const struct option options[] = {
	{0, "skill", "NAME", "the applied skill that the change belongs to"},
	{0, "no-test", NULL, "do not run the tests of the applied skills"},
	{0, "no-install", NULL, "has no effect: nothing is installed"},
	{0},
};

static void print_json(const struct apply_result *result)
{
	json_t *files = json_array();
	CLEANUP(freep) char *path = NULL;

	if (result->recorded_patch)
		path = xasprintf(CUSTOM_FOLDER "/%s.patch", result->recorded_patch);
	for (size_t i = 0; i < result->file_count; i++)
		json_array_append_new(files, json_text(view_of(result->files[i].path)));
	output_json(json_pack("{s:b, s:s?, s:s?, s:o, s:b}", "success", true, "name",
		result->recorded_patch, "patch", path, "files", files, "nothingToDo",
		!result->recorded_patch));
}

static void print_text(const struct cli *cli, const struct apply_result *result)
{
	if (!result->recorded_patch) {
		printf("nothing was changed, so there is nothing to record\n");
		return;
	}
	printf("recorded as %s%s%s\n", output_color(cli, COLOR_BOLD), result->recorded_patch,
		output_color(cli, COLOR_RESET));
	for (size_t i = 0; !cli->quiet && i < result->file_count; i++) {
		CLEANUP(freep) char *path = output_path(result->files[i].path);

		printf("  %s\n", path);
	}
	if (!cli->quiet)
		printf("The patch is " CUSTOM_FOLDER "/%s.patch\n", result->recorded_patch);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	int failed;

	if (workplace_open(&project, false, err) < 0 || pending_refuse(&project, err) < 0)
		return -1;
	failed = customize_commit(&project, arguments_value(args, "skill"),
		arguments_flag(args, "no-test"), &result, err);
	apply_output_warnings(&result);
	if (failed)
		return -1;
	if (cli->json)
		print_json(&result);
	else
		print_text(cli, &result);
	return EXIT_DONE;
}

COMMAND(customize_commit) = {
	.name = "customize commit",
	.summary = "record what was changed since 'customize start'",
	.description =
		"Edited, new, deleted and renamed files, binary files and permissions: everything\n"
		"that you changed since 'nanoclaw customize start' and that is not ignored becomes\n"
		"one patch in .nanoclaw/custom.",
	.section = SECTION_SKILLS,
	.options = options,
	.run = run,
};
