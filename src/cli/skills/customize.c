#include <stdio.h>

#include "cli/conflict/walk.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "engine/commit/pending.h"
#include "engine/custom/custom.h"
#include "engine/operation/custom_apply.h"
#include "engine/operation/customize.h"
#include "format/json.h"

static const struct option customize_start_options[] = {
	{0, "skill", "NAME", "tie the patch to this applied skill", COMPLETE_APPLIED},
	OPTION_ON_DRIFT,
	{0},
};

static char *description_join(const struct arguments *args)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < args->count; i++)
		buf_appendf(&text, "%s%s", i ? " " : "", args->words[i]);
	return buf_take(&text);
}

static int run_customize_start(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(freep) char *description = description_join(args);
	const char *skill = arguments_value(args, "skill");
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_idle(&project, false, err) < 0)
		return -1;
	if (customize_start(&project, description, skill, &how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	apply_output_warnings(&result);
	if (cli->json) {
		output_success("description:s skill:s untrackedChanges:o recordedPatch:s",
			description, skill, apply_output_untracked(&result),
			result.recorded_patch);
		return EXIT_DONE;
	}
	apply_output_recorded(&result, false);
	if (!cli->quiet)
		printf("Change any files you like. Then run 'nanoclaw customize commit' "
		       "to record\nyour changes, or 'nanoclaw customize abort' to leave "
		       "them unrecorded.\n");
	return EXIT_DONE;
}

static const struct example customize_start_examples[] = {
	{"nanoclaw customize start 'quieter log'",
		"then edit, then 'nanoclaw customize commit'"},
	{"nanoclaw customize start 'groups only' --skill telegram", "tied to a skill"},
	{0},
};

COMMAND(customize_start) = {
	.name = "customize start",
	.summary = "start recording your changes",
	.usage = "<description>",
	.description =
		"Your changes from now on, in any file, become a custom patch when you run\n"
		"'nanoclaw customize commit': a file in .nanoclaw/custom, with a note beside it,\n"
		"which 'git apply' can also apply. Removing, updating and replaying skills keeps\n"
		"it. With --skill, the patch belongs to that skill and is removed with it.",
	.section = SECTION_SKILLS,
	.options = customize_start_options,
	.examples = customize_start_examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.run = run_customize_start,
};

static const struct option customize_commit_options[] = {
	{0, "skill", "NAME", "tie the patch to this applied skill", COMPLETE_APPLIED},
	OPTIONS_TESTING,
	{0},
};

/* What `customize commit` and `customize record` have recorded. */
static int recorded_patch_output(const struct cli *cli, const struct operation_result *result)
{
	if (cli->json) {
		json_t *files = json_array();
		CLEANUP(freep) char *patch = NULL;

		if (result->recorded_patch)
			patch = xasprintf(CUSTOM_FOLDER "/%s.patch", result->recorded_patch);
		for (size_t i = 0; i < result->file_count; i++)
			json_add_text(files, result->files[i].path);
		output_success("name:s patch:s files:o nothingToDo:b", result->recorded_patch,
			patch, files, !result->recorded_patch);
		return EXIT_DONE;
	}
	if (!result->recorded_patch) {
		printf("nothing changed, so there is nothing to record\n");
		return EXIT_DONE;
	}
	printf("recorded as %s%s%s\n", output_color(cli, COLOR_BOLD), result->recorded_patch,
		output_color(cli, COLOR_RESET));
	for (size_t i = 0; !cli->quiet && i < result->file_count; i++) {
		CLEANUP(freep) char *path = output_path(result->files[i].path);

		printf("  %s\n", path);
	}
	if (!cli->quiet)
		printf("The patch is " CUSTOM_FOLDER "/%s.patch\n", result->recorded_patch);
	return EXIT_DONE;
}

static int run_customize_commit(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;
	int failed;

	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_locked(&project, false, err) < 0 ||
		pending_refuse(&project, err) < 0)
		return -1;
	failed = customize_commit(&project, arguments_value(args, "skill"), &how, &result, err);
	apply_output_warnings(&result);
	if (failed)
		return -1;
	return recorded_patch_output(cli, &result);
}

COMMAND(customize_commit) = {
	.name = "customize commit",
	.summary = "record the changes since 'customize start'",
	.description =
		"Records edited, new, deleted and renamed files, binary files and permissions as\n"
		"one patch in .nanoclaw/custom. Ignored files are left out.",
	.section = SECTION_SKILLS,
	.options = customize_commit_options,
	.run = run_customize_commit,
};

static int run_customize_record(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(freep) char *description = description_join(args);
	int failed;

	if (project_open_idle(&project, false, err) < 0)
		return -1;
	failed = customize_record(&project, description, arguments_value(args, "skill"),
		arguments_flag(args, "no-test"), &result, err);
	apply_output_warnings(&result);
	if (failed)
		return -1;
	return recorded_patch_output(cli, &result);
}

static const struct example customize_record_examples[] = {
	{"nanoclaw customize record 'quieter log'", "the changes that 'nanoclaw diff' shows"},
	{0},
};

COMMAND(customize_record) = {
	.name = "customize record",
	.summary = "record changes that you have already made",
	.usage = "<description>",
	.description =
		"Everything that 'nanoclaw diff' shows, and every new file that is not ignored,\n"
		"becomes one custom patch, as after 'nanoclaw customize start' and 'commit'.",
	.section = SECTION_SKILLS,
	.options = customize_commit_options,
	.examples = customize_record_examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.run = run_customize_record,
};

static const struct option customize_apply_options[] = {
	OPTION_DRY_RUN,
	OPTIONS_TESTING,
	{0},
};

static int run_customize_apply(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;
	int code;

	if (operation_options_read(cli, args, &how, err) < 0)
		return -1;
	if (project_open_idle(&project, false, err) < 0)
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

static const struct example customize_apply_examples[] = {
	{"nanoclaw customize apply 001", "by its number"},
	{"nanoclaw customize apply telegram-groups-only", "by its name"},
	{0},
};

COMMAND(customize_apply) = {
	.name = "customize apply",
	.summary = "apply a recorded custom patch again",
	.usage = "<patch>",
	.description =
		"Restores a change that was lost, for example because an older file was restored.\n"
		"The patch is merged into the current files: lines that are already there stay, and\n"
		"a clash pauses like any other conflict.",
	.section = SECTION_SKILLS,
	.options = customize_apply_options,
	.examples = customize_apply_examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_PATCHES},
	.run = run_customize_apply,
};

static int run_customize_abort(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;

	(void)args;
	if (project_open_locked(&project, false, err) < 0 || customize_abort(&project, err) < 0)
		return -1;
	if (cli->json)
		output_success("");
	else if (!cli->quiet)
		printf("nothing was recorded; your changes are still in your files\n");
	return EXIT_DONE;
}

COMMAND(customize_abort) = {
	.name = "customize abort",
	.summary = "stop customizing without recording anything",
	.description =
		"Your changes stay in your files. 'nanoclaw diff' shows them, and the next\n"
		"operation asks how to handle them.",
	.section = SECTION_SKILLS,
	.run = run_customize_abort,
};
