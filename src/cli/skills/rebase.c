#include <inttypes.h>
#include <stdio.h>

#include "cli/output.h"
#include "cli/project.h"
#include "cli/report/apply_output.h"
#include "cli/report/update_output.h"
#include "cli/skills/apply.h"
#include "engine/replay/rebase.h"
#include "engine/update/core_update.h"

/* --- for programs ------------------------------------------------------------------------- */

static json_t *patches_of(const struct rebase_result *result)
{
	json_t *list = json_array();

	for (size_t i = 0; i < result->patch_count; i++) {
		const struct rebase_patch *patch = &result->patches[i];

		json_add(list, "name:s description:s skill:s", patch->name, patch->description,
			patch->skill);
	}
	return list;
}

static json_t *result_json(const struct rebase_result *result,
	const struct operation_result *applied, bool dry_run)
{
	json_t *document = json_build(
		"success:b coreVersion:s nothingToDo:b foldedPatches:o "
		"untrackedChanges:o bakedFiles:o droppedResolutions:o "
		"flattenedSkills:o regeneratedFiles:I droppedContents:I "
		"bytesDropped:I bytesKept:I testsRun:I warnings:o commands:o",
		true, result->core_version, result->nothing_to_do, patches_of(result),
		json_strings(&result->unrecorded), json_strings(&result->baked),
		json_strings(&result->resolutions), json_strings(&result->skills),
		result->regenerated, result->contents, result->bytes_dropped,
		result->bytes_kept, applied->tests_run, apply_output_warnings_json(applied),
		apply_output_commands_json(applied));

	if (dry_run)
		json_put(document, "dryRun:b", true);
	return document;
}

/* --- for people --------------------------------------------------------------------------- */

static void print_list(const struct string_array *array)
{
	for (size_t i = 0; i < array->count; i++) {
		CLEANUP(freep) char *shown = output_path(array->list[i]);

		printf("    %s\n", shown);
	}
}

static void rebase_print(
	const struct cli *cli, const struct rebase_result *result, bool planned)
{
	if (result->nothing_to_do) {
		printf("nothing to do: everything is already squashed\n");
		return;
	}
	printf("%s onto core %s; your files %s as they are\n", planned ? "a rebase" : "rebased",
		result->core_version, planned ? "stay" : "stayed");
	if (cli->quiet)
		return;
	printf("%slost%s\n", output_color(cli, COLOR_BOLD), output_color(cli, COLOR_RESET));
	if (result->patch_count) {
		printf("  %zu custom patch%s can no longer be removed separately:\n",
			result->patch_count, result->patch_count == 1 ? "" : "es");
		for (size_t i = 0; i < result->patch_count; i++) {
			const struct rebase_patch *patch = &result->patches[i];
			CLEANUP(freep) char *name = output_path(patch->name);
			CLEANUP(freep) char *description = output_text(patch->description);

			printf("    %s: %s%s%s%s\n", name, description,
				patch->skill ? " (" : "", patch->skill ? patch->skill : "",
				patch->skill ? ")" : "");
		}
	}
	if (result->skills.count) {
		printf("  %zu skill%s can no longer be removed one by one:\n",
			result->skills.count, plural(result->skills.count));
		print_list(&result->skills);
	}
	if (result->resolutions.count) {
		printf("  %zu recorded resolution%s that no merge can need again:\n",
			result->resolutions.count, plural(result->resolutions.count));
		print_list(&result->resolutions);
	}
	if (!result->patch_count && !result->skills.count && !result->resolutions.count)
		printf("  nothing\n");
	printf("%sgained%s\n", output_color(cli, COLOR_BOLD), output_color(cli, COLOR_RESET));
	printf("  %zu file%s of skills %s without a merge from now on\n", result->regenerated,
		plural(result->regenerated), planned ? "would be made" : "are made");
	if (result->baked.count) {
		printf("  %zu file%s with changes of yours, %zu of them unrecorded so far:\n",
			result->baked.count, plural(result->baked.count),
			result->unrecorded.count);
		print_list(&result->baked);
	}
	printf("  %" PRIu64 " bytes in '.nanoclaw' are deleted, %" PRIu64
	       " are added; the history keeps the old ones for 'nanoclaw undo'\n",
		result->bytes_dropped, result->bytes_kept);
}

static const struct option options[] = {
	{0, "dry-run", NULL, "show what is lost and gained without changing anything"},
	OPTION_ALLOW_OLDER_CORE,
	OPTIONS_TESTING,
	{0},
};

/* A preview: the same, and nothing is done. */
static int rebase_preview(const struct project *project, const struct operation_options *how,
	struct rebase_result *ret_result, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result applied = OPERATION_RESULT_INIT;
	struct operation_options looking = *how;

	looking.dry_run = true;
	return rebase(project, &looking, &applied, ret_result, err);
}

/* On a terminal: show the plan, and ask. `*ret_stop` is true if there is nothing to do. */
static int confirm_rebase(const struct cli *cli, const struct project *project,
	const struct operation_options *how, bool *ret_stop, struct error *err)
{
	static const char *const choices[] = {"rebase", "abort"};
	CLEANUP(rebase_result_release) struct rebase_result planned = REBASE_RESULT_INIT;
	int answer;

	if (!cli->yes && rebase_preview(project, how, &planned, err) < 0)
		return -1;
	if (how->ask.in_person && !cli->json) {
		rebase_print(cli, &planned, true);
		*ret_stop = planned.nothing_to_do;
		if (*ret_stop)
			return 0;
	}
	answer = how->ask.choose(how->ask.data, "Squash patches and skills?", choices,
		ARRAY_SIZE(choices), 0, err);
	if (answer < 0)
		return error_hint(err, "'nanoclaw rebase --dry-run' shows what is lost and "
				       "gained; 'nanoclaw rebase --yes' does it");
	return answer == 0 ? 0 : error_set(err, ERROR_FAILED, "nothing was done");
}

/* Onto another core: an update that is flattened at the end. */
static int rebase_onto(struct cli *cli, const struct project *project, const char *source,
	const struct operation_options *how, struct error *err)
{
	static const char *const choices[] = {"update the core and rebase", "abort"};
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	struct operation_options options_for_update = *how;
	int answer = how->dry_run ? 0
				  : how->ask.choose(how->ask.data,
					    "Update the core, and squash patches and skills?",
					    choices, ARRAY_SIZE(choices), 0, err);

	if (answer < 0)
		return error_hint(err,
			"'nanoclaw update %s --preview' shows what the new core "
			"changes; '--yes' does both",
			source);
	if (answer)
		return error_set(err, ERROR_FAILED, "nothing was done");
	options_for_update.rebase = true;
	options_for_update.on_drift = ON_DRIFT_RECORD;
	if (core_update(project, source, NULL, &options_for_update, &result, err) < 0) {
		apply_output_failure(cli, &result);
		update_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, project, &options_for_update, NULL, &result, err);
}

static int run_rebase(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result applied = OPERATION_RESULT_INIT;
	CLEANUP(rebase_result_release) struct rebase_result result = REBASE_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;
	bool stop = false;
	int failed;

	if (operation_options_read(cli, args, &how, err) < 0)
		return -1;
	if (project_open_idle(&project, false, err) < 0)
		return -1;
	if (args->count)
		return rebase_onto(cli, &project, args->words[0], &how, err);
	if ((!how.dry_run && confirm_rebase(cli, &project, &how, &stop, err) < 0))
		return -1;
	if (stop)
		return EXIT_DONE;
	failed = rebase(&project, &how, &applied, &result, err);
	apply_output_warnings(&applied);
	if (failed)
		return -1;
	if (cli->json)
		output_json(result_json(&result, &applied, how.dry_run));
	else
		rebase_print(cli, &result, how.dry_run);
	if (!cli->json && !cli->quiet && how.dry_run)
		apply_output_commands(&applied);
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw rebase --dry-run", "show what is lost and gained"},
	{"nanoclaw rebase", "show it, ask, and rebase"},
	{"nanoclaw rebase ../nanoclaw-0.6.0", "update the core first, in the same operation"},
	{"nanoclaw undo", "take the rebase back"},
	{0},
};

COMMAND(rebase) = {
	.name = "rebase",
	.summary = "squash skills and custom patches into a clean start",
	.description =
		"Your files stay the same, to the byte. Custom patches and unrecorded changes\n"
		"become one layer on top of the skills, and each skill keeps its current part of\n"
		"your files, including resolutions, so nothing has to be merged again. Packages are\n"
		"not changed.\n"
		"\n"
		"Afterwards the patches are no longer separate, and the skills can no longer be\n"
		"removed one by one; a newer version of a skill can still be applied. 'nanoclaw\n"
		"undo' takes the rebase back.\n"
		"\n"
		"With a new core, named as for 'nanoclaw update', the core is updated first, in the\n"
		"same operation.\n"
		"\n"
		"The command asks first; '--yes' answers for scripts. It runs the tests of all\n"
		"skills, and if one fails, nothing changes.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.usage = "[<new core>]",
	.min_arguments = 0,
	.max_arguments = 1,
	.run = run_rebase,
};
