#include <stdio.h>

#include "cli/output.h"
#include "cli/project.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "engine/replay/replay.h"
#include "proc/log.h"

#define SHORT_HASH 12

static const struct option options[] = {
	{0, "state", "FILE", "the state.yaml of another installation", COMPLETE_FILES},
	{0, "core", "DIR", "the location of the core", COMPLETE_FOLDERS},
	{0, "into", "DIR", "build in this folder, which must be new or empty",
		COMPLETE_FOLDERS},
	OPTION_DRY_RUN,
	OPTION_ON_DRIFT,
	OPTIONS_TESTING,
	{0},
};

/* --- for programs ----------------------------------------------------------------------- */

static json_t *differences_json(const struct replay_result *result)
{
	json_t *list = json_array();

	for (size_t i = 0; i < result->count; i++) {
		const struct replay_difference *d = &result->differences[i];

		json_add(list, "path:s why:s failure:b note:s recorded:s got:s", d->path,
			replay_why_names[d->why], d->why >= REPLAY_FATAL, d->note, d->recorded,
			d->got);
	}
	return list;
}

/* --- for people ------------------------------------------------------------------------- */

static void print_difference(const struct cli *cli, const struct replay_difference *d)
{
	CLEANUP(freep) char *path = output_path(d->path);
	CLEANUP(freep) char *note = output_first_line(d->note);

	printf("  %s%-9s%s %s: %s\n", output_color(cli, COLOR_YELLOW), replay_why_names[d->why],
		output_color(cli, COLOR_RESET), path, note);
	if (cli->verbose && (d->recorded || d->got))
		printf("            recorded %.*s, got %.*s\n", SHORT_HASH,
			d->recorded ? d->recorded : "nothing", SHORT_HASH,
			d->got ? d->got : "nothing");
}

static void print_replay(
	const struct cli *cli, const struct replay_result *result, bool dry_run)
{
	const size_t tests = result->told.tests_run;
	size_t kept = 0;

	apply_output_recorded(&result->told, dry_run);
	printf("%zu %s and %zu %s %s: %zu %s as recorded\n", result->skills,
		result->skills == 1 ? "skill" : "skills", result->patches,
		result->patches == 1 ? "patch" : "patches",
		dry_run ? "would be replayed" : "replayed", result->files,
		result->files == 1 ? "file is" : "files are");
	/* Files kept unchanged are only counted: after updates there are many. */
	for (size_t i = 0; i < result->count; i++) {
		const struct replay_difference *d = &result->differences[i];

		if (d->why == REPLAY_KEPT && !cli->verbose)
			kept++;
		else
			print_difference(cli, d);
	}
	if (kept)
		printf("  %zu of them %s from the saved copy, because merging again "
		       "gives another result ('-v' shows them)\n",
			kept, kept == 1 ? "is" : "are");
	if (dry_run)
		apply_output_commands(&result->told);
	if (tests)
		printf("%zu %s passed\n", tests, tests == 1 ? "test" : "tests");
	if (result->where && !dry_run)
		printf("the installation is in '%s'\n", result->where);
}

static size_t count_failures(const struct replay_result *result)
{
	size_t count = 0;

	for (size_t i = 0; i < result->count; i++)
		count += result->differences[i].why >= REPLAY_FATAL;
	return count;
}

/* Each on standard error, unless the error is all, and all of them for programs. */
static void replay_report_failure(struct cli *cli, const struct replay_result *result)
{
	bool several = count_failures(result) > 1;

	apply_output_warnings(&result->told);
	for (size_t i = 0; several && i < result->count; i++) {
		const struct replay_difference *d = &result->differences[i];

		if (d->why < REPLAY_FATAL)
			continue;
		if (!d->recorded && !d->got) {
			log_warning("'%s': %s", d->path, d->note);
			continue;
		}
		log_warning("'%s': %s (recorded %.*s, got %.*s)", d->path, d->note, SHORT_HASH,
			d->recorded ? d->recorded : "nothing", SHORT_HASH,
			d->got ? d->got : "nothing");
	}
	cli->failure = json_build("differences:o untrackedChanges:o", differences_json(result),
		apply_output_untracked(&result->told));
}

/* --- the command ------------------------------------------------------------- */

static int run_replay(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(replay_result_release)
	struct replay_result result = REPLAY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct replay_request request = {
		.state = arguments_value(args, "state"),
		.core = arguments_value(args, "core"),
		.into = arguments_value(args, "into"),
	};
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_idle(&project, false, err) < 0)
		return -1;
	/* No questions are asked: with '--yes' each has its answer. */
	if (!arguments_value(args, "on-drift") && !cli->yes)
		how.on_drift = ON_DRIFT_CONTINUE;
	if (replay(&project, &request, &how, &result, err) < 0) {
		replay_report_failure(cli, &result);
		return -1;
	}
	apply_output_warnings(&result.told);
	if (cli->json) {
		json_t *document = json_build(
			"success:b skills:I patches:I files:I differences:o "
			"untrackedChanges:o testsRun:I nothingToDo:b dryRun:b warnings:o "
			"into:S",
			true, result.skills, result.patches, result.files,
			differences_json(&result), apply_output_untracked(&result.told),
			result.told.tests_run, result.unchanged, how.dry_run,
			apply_output_warnings_json(&result.told), result.where);

		if (result.told.recorded_patch)
			json_object_set_new(document,
				how.dry_run ? "wouldRecord" : "recordedPatch",
				json_string(result.told.recorded_patch));
		output_json(document);
	} else if (!cli->quiet) {
		print_replay(cli, &result, how.dry_run);
	}
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw replay --into ../copy", "build the same installation elsewhere, to compare"},
	{"nanoclaw replay --state ../old/.nanoclaw/state.yaml",
		"on a fresh core: build the installation described there"},
	{"nanoclaw replay", "check this one, and restore what is missing"},
	{0},
};

COMMAND(replay) = {
	.name = "replay",
	.summary = "rebuild an installation from its state",
	.description =
		"Applies all skills and custom patches to the core again, in their original order,\n"
		"and compares every file with its recorded hash. It asks nothing: each conflict is\n"
		"resolved as it was before. If a file differs, nothing changes, and the command\n"
		"names every such file with the reason. Otherwise it runs the tests of all skills.\n"
		"\n"
		"Without options it works on the project itself: it restores missing files, in the\n"
		"tree and in '.nanoclaw'. Files that you changed stay; '--on-drift record' records\n"
		"your changes first, missing files included.\n"
		"\n"
		"--into builds the installation in another folder, as a separate installation.\n"
		"--state uses the state of another installation and the files beside it, as in\n"
		"'.nanoclaw': 'custom' with the patches, 'applied' (or else the packages here), and\n"
		"'resolutions'. The core is then the current folder, or the one named by --core.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.run = run_replay,
};
