#include "engine/maintain/release.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/authoring/matrix_options.h"
#include "cli/authoring/matrix_progress.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/skills/apply.h"
#include "proc/interrupt.h"
#include "proc/log.h"

static const struct option options[] = {
	{0, "fresh", NULL, "also test unchanged entries that passed"},
	{0, "from", "REF", "the previous core: a kept or tagged version, a folder, a git ref"},
	{'j', "jobs", "N", "run N tests at a time (default: the number of CPUs)"},
	{0, "keep", NULL, "keep the temporary copies, to inspect failures"},
	{0, "keep-going", NULL, "write the update package even if something is missing"},
	{0, "no-install", NULL, "skip installing dependencies"},
	OPTION_TEST_TIMEOUT,
	{0, "to", "VERSION", "the version to release"},
	{0},
};

/* --- for people ------------------------------------------------------------------------- */

struct display {
	const struct cli *cli;
	struct matrix_progress progress;
	bool live; /* the matrix is shown at work */
	bool progress_begun;
};

static void show_begun(enum release_step_id id, void *data)
{
	struct display *d = data;

	if (id == RELEASE_ALONE && d->live) {
		d->progress_begun = true;
	} else if (d->live) {
		printf("  … %s", release_step_names[id]);
		fflush(stdout);
	}
}

/* A line that was begun is written over. */
static void show_ended(const struct release_step *step, void *data)
{
	struct display *d = data;
	bool ok = step->state == RELEASE_OK;

	if (d->progress_begun)
		matrix_progress_end(&d->progress);
	else if (d->live && step->id != RELEASE_PAIRS && step->id != RELEASE_STACKS)
		printf("\r\033[K");
	d->progress_begun = false;
	printf("  %s%s%s %-11s  %s\n", output_color(d->cli, ok ? COLOR_GREEN : COLOR_RED),
		ok ? "✓" : "✗", output_color(d->cli, COLOR_RESET), release_step_names[step->id],
		step->summary ? step->summary : "");
	fflush(stdout);
}

static void print_missing(const struct cli *cli, const struct release_result *result)
{
	size_t count = 0;

	for (size_t i = 0; i < RELEASE_STEPS; i++)
		count += result->steps[i].count;
	printf("\n%snot ready%s: %zu %s missing\n", output_color(cli, COLOR_RED),
		output_color(cli, COLOR_RESET), count, count == 1 ? "thing is" : "things are");
	for (size_t i = 0; i < RELEASE_STEPS; i++)
		for (size_t j = 0; j < result->steps[i].count; j++) {
			const struct release_item *item = &result->steps[i].items[j];
			CLEANUP(freep) char *what = output_text(item->what);

			printf("\n%s: %s\n", release_step_names[i], what);
			if (item->command)
				printf("  -> %s\n", item->command);
		}
}

/* --- for programs ------------------------------------------------------------------------- */

static json_t *step_json(const struct release_step *step)
{
	static const char *const states[] = {
		[RELEASE_NOT_REACHED] = "not reached",
		[RELEASE_OK] = "ok",
		[RELEASE_MISSING] = "missing",
	};
	json_t *items = json_array();

	for (size_t i = 0; i < step->count; i++)
		json_add(
			items, "what:s command:s", step->items[i].what, step->items[i].command);
	return json_build("step:s state:s summary:s missing:o", release_step_names[step->id],
		states[step->state], step->summary, items);
}

/* --- both ------------------------------------------------------------------------------- */

static void release_watch(struct display *d, struct release_request *request)
{
	if (d->cli->json || d->cli->quiet)
		return;
	d->live = isatty(STDOUT_FILENO);
	request->watcher = (struct release_watcher){d, show_begun, show_ended};
	if (!d->live)
		return;
	matrix_progress_init(&d->progress, d->cli, request->matrix.jobs);
	request->matrix.watcher = matrix_progress_watcher(&d->progress);
}

static int release_perform(struct display *d, struct project *project,
	struct release_request *request, struct error *err)
{
	CLEANUP(release_result_release) struct release_result result = RELEASE_RESULT_INIT;

	release_watch(d, request);
	if (release_run(project, request, &result, err) < 0) {
		if (d->progress_begun)
			matrix_progress_end(&d->progress);
		return -1;
	}
	for (size_t i = 0; i < result.notes.count; i++)
		log_warning("%s", result.notes.list[i]);
	if (d->cli->json) {
		json_t *steps = json_array(), *release;

		for (size_t i = 0; i < RELEASE_STEPS; i++)
			json_array_append_new(steps, step_json(&result.steps[i]));
		release = json_build("success:b ready:b previousVersion:s newVersion:s steps:o "
				     "warnings:o written:b package:s",
			result.ready, result.ready, result.from, result.to, steps,
			json_strings(&result.notes), result.written, result.package);
		if (!result.ready)
			json_put(release, "error:s", "something is missing for a release");
		output_json(release);
	} else if (!d->cli->quiet || !result.ready) {
		if (!result.ready)
			print_missing(d->cli, &result);
		else
			printf("\n%sready%s: core %s can be released\n",
				output_color(d->cli, COLOR_GREEN),
				output_color(d->cli, COLOR_RESET), result.to);
		if (result.written)
			printf("%s %s\n", result.package,
				result.unchanged ? "is up to date" : "is written");
	}
	return result.ready ? EXIT_DONE : EXIT_FAILED;
}

static int run_release(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct display display = {.cli = cli};
	struct release_request request;
	int code;
	struct operation_options how;
	struct matrix_run_options matrix = MATRIX_RUN_OPTIONS_INIT;

	if (matrix_option_jobs(args, &matrix.jobs, err) < 0 ||
		operation_options_read(cli, args, &how, err) < 0)
		return -1;
	matrix.fresh = arguments_flag(args, "fresh");
	matrix.keep = arguments_flag(args, "keep");
	matrix.no_install = arguments_flag(args, "no-install");
	matrix.test_seconds = how.test_seconds;
	request = (struct release_request){
		.core = args->count ? args->words[0] : NULL,
		.to = arguments_value(args, "to"),
		.from = arguments_value(args, "from"),
		.keep_going = arguments_flag(args, "keep-going"),
		.matrix = matrix,
	};
	if (project_open_idle(&project, false, err) < 0)
		return -1;
	project_note_core(&project);
	/* It may take long, and only its end changes anything. */
	project_unlock(&project);
	interrupt_catch();
	code = release_perform(&display, &project, &request, err);
	interrupt_release();
	return code;
}

static const struct example examples[] = {
	{"nanoclaw release", "list what is missing to release the core in this tree"},
	{"nanoclaw release --from v0.5.0", "the previous core has this tag"},
	{"nanoclaw release ../core-0.6.0", "the new core is in another folder"},
	{0},
};

COMMAND(release) = {
	.name = "release",
	.summary = "check everything that a new version of the core needs",
	.usage = "[<new-core>]",
	.description =
		"A checklist for maintainers. The version must be higher. Every package of the\n"
		"project must fit the new core, alone and with the packages that it overlaps with,\n"
		"and all tests must pass. Each breaking change must have a migration. Shipped\n"
		"resolutions must be correct. Installations of the previous version, with each of\n"
		"its skills, must be able to update and must then equal a new installation. If\n"
		"everything passes, the update package is written to 'updates/A-to-B'. Otherwise\n"
		"everything that is missing is listed, each with the command to run.\n"
		"\n"
		"The new core is a folder or a git ref; the default is the project's own core. The\n"
		"previous core is the last tag that is a version, or the one named by '--from'.\n"
		"Breaking changes are declared in '.nanoclaw-meta/migration.md', as items that\n"
		"begin with 'Breaking:' and name in backticks the skill that keeps the old\n"
		"behavior.\n"
		"\n"
		"Everything runs in temporary copies. As in 'matrix run', passed entries are\n"
		"remembered, so an interrupted call continues and a second one is quick. The exit\n"
		"code is 0 if the core is ready, and 1 if something is missing; then nothing is\n"
		"written, unless you use '--keep-going'.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 0,
	.max_arguments = 1,
	.completes = {COMPLETE_FOLDERS},
	.run = run_release,
};
