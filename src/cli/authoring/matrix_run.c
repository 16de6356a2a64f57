#include "engine/maintain/matrix_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "cli/authoring/matrix_junit.h"
#include "cli/authoring/matrix_options.h"
#include "cli/authoring/matrix_output.h"
#include "cli/authoring/matrix_progress.h"
#include "cli/conflict/resolution_into.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/skills/apply.h"
#include "engine/resolution/resolution_folder.h"
#include "fs/replace.h"
#include "proc/interrupt.h"

#define MAX_SECONDS 604800

static const struct option options[] = {
	{'j', "jobs", "N", "run N entries at a time (default: the number of CPUs)"},
	{0, "only", "ID", "only this entry; can be repeated"},
	MATRIX_OPTION_SKILLS,
	MATRIX_OPTION_CORES,
	{0, "fresh", NULL, "also run unchanged entries that passed"},
	{0, "removal", NULL, "also remove the skills: the core must be as it was"},
	OPTION_RESOLVER,
	{0, "record", NULL, "record resolutions in '.claude/resolutions'"},
	{0, "record-into", "DIR", "record resolutions in this folder of the project",
		COMPLETE_FOLDERS},
	{0, "junit", "FILE", "write the results as JUnit XML", COMPLETE_FILES},
	{0, "keep", NULL, "keep the copies of failed entries"},
	{0, "timeout", "SECONDS", "time limit for an entry (1800)"},
	OPTION_TEST_TIMEOUT,
	{0, "no-install", NULL, "skip installing dependencies"},
	{0},
};

/* --- JUnit XML ---------------------------------------------------------------------- */

/* The file to write; `fd` is -1 if none is wanted. */
struct junit {
	int fd;
	const char *name;
};

static void junit_release(struct junit *junit)
{
	closep(&junit->fd);
}

/* Its folder is opened before anything is run: an hour later is too late to find out. */
static int open_junit(const char *path, struct junit *ret_junit, struct error *err)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	CLEANUP(freep) char *folder = NULL;

	if (!path)
		return 0;
	folder = !slash ? xstrdup(".") : xmemdupz(path, (size_t)(slash - path + 1));
	ret_junit->name = slash ? slash + 1 : path;
	ret_junit->fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ret_junit->fd < 0 || !*ret_junit->name) {
		int errnum = *ret_junit->name ? errno : EISDIR;
		CLEANUP(freep) char *shown = quote(view_of(path));

		errno = errnum;
		error_errno(err, "cannot write %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	return 0;
}

static int write_junit(const struct junit *junit, const struct project *project,
	const struct matrix *matrix, const struct matrix_run *run, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (junit->fd < 0)
		return 0;
	matrix_junit(project, matrix, run, &text);
	return replace_file(junit->fd, junit->name, view_of_buf(&text), 0644, NULL, 0, err);
}

/* --- the run ------------------------------------------------------------------------ */

static int run_shown(struct cli *cli, const struct project *project,
	const struct matrix *matrix, struct matrix_run_options *how, struct matrix_run *ret_run,
	struct error *err)
{
	struct matrix_progress progress;
	int result;

	matrix_progress_init(&progress, cli, how->jobs);
	how->watcher = matrix_progress_watcher(&progress);
	result = matrix_run(project, matrix, how, ret_run, err);
	matrix_progress_end(&progress);
	return result;
}

static int exit_code_of(const struct matrix_run *run)
{
	if (!run->failed)
		return run->not_run ? EXIT_FAILED : EXIT_DONE;
	return run->only_tests ? EXIT_TEST : EXIT_FAILED;
}

static int run_matrix_run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(string_array_release) struct string_array only = {0};
	CLEANUP(junit_release) struct junit junit = {.fd = -1};
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	struct matrix_run_options how;
	bool running;
	int64_t seconds = MATRIX_DEFAULT_SECONDS;
	struct operation_options apply;
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	CLEANUP(matrix_run_release) struct matrix_run result = MATRIX_RUN_INIT;
	int ended, code;
	const char *into;

	how = MATRIX_RUN_OPTIONS_INIT;
	if (matrix_option_jobs(args, &how.jobs, err) < 0 ||
		arguments_number(args, "timeout", 1, MAX_SECONDS, &seconds, err) < 0 ||
		operation_options_read(cli, args, &apply, err) < 0)
		return -1;
	how.seconds = (unsigned)seconds;
	how.test_seconds = apply.test_seconds;
	how.resolver = apply.resolver;
	how.fresh = arguments_flag(args, "fresh");
	how.removal = arguments_flag(args, "removal");
	how.keep = arguments_flag(args, "keep");
	how.no_install = arguments_flag(args, "no-install");
	if (open_junit(arguments_value(args, "junit"), &junit, err) < 0 ||
		project_open_reading(&project, &running, err) < 0)
		return -1;
	into = arguments_value(args, "record-into");
	if (into || arguments_flag(args, "record")) {
		how.record = &folder;
		if (resolution_into(&project, "--record-into", into, RESOLUTIONS_SHIPPED,
			    &folder, err) < 0)
			return -1;
	}
	matrix_option_words(args, "only", &only);
	how.only = only;
	if (matrix_options_plan(args, &project, &matrix, err) < 0)
		return -1;
	interrupt_catch();
	ended = run_shown(cli, &project, &matrix, &how, &result, err);
	if (ended == 0)
		ended = write_junit(&junit, &project, &matrix, &result, err);
	if (ended == 0) {
		if (cli->json)
			output_json(matrix_output_json(&matrix, &result));
		else
			matrix_output(cli, &result);
		fflush(stdout);
	}
	code = exit_code_of(&result);
	interrupt_release();
	return ended < 0 ? -1 : code;
}

static const struct example examples[] = {
	{"nanoclaw matrix run -j 4", "all entries, four at a time"},
	{"nanoclaw matrix run --only 1.0.0/polite+shout --keep",
		"one entry, and keep its copy"},
	{"nanoclaw matrix run --record --resolver claude",
		"resolve conflicts and ship the resolutions"},
	{"nanoclaw matrix run --junit results.xml", "for a CI service"},
	{0},
};

COMMAND(matrix_run) = {
	.name = "matrix run",
	.summary = "test combinations of skills in scratch copies",
	.description =
		"Each entry gets a copy of the core in TMPDIR. Its skills are applied together,\n"
		"their tests run, and the result is verified. With several skills, this is repeated\n"
		"so that each skill is the last one once. Your tree is not touched. A failed entry\n"
		"does not stop the others.\n"
		"\n"
		"An entry that passed does not run again until its core, its packages or their\n"
		"resolutions change. An interrupted or crashed run continues where it stopped.\n"
		"Results and logs are in '.nanoclaw/matrix'.\n"
		"\n"
		"A conflict without a shipped resolution is a failure. With '--resolver' or\n"
		"'--record', your earlier resolutions are used, and then the resolver is asked. The\n"
		"recorded resolution must then pass on its own.\n"
		"\n"
		"The exit code is 0 if all passed, 5 if only tests failed, and 1 otherwise.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.run = run_matrix_run,
};
