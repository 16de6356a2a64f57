#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/quote.h"
#include "cli/authoring/matrix_options.h"
#include "cli/authoring/matrix_progress.h"
#include "cli/command.h"
#include "cli/conflict/resolution_into.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/skills/apply.h"
#include "cli/table.h"
#include "engine/maintain/matrix_run.h"
#include "engine/resolution/resolution_folder.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "proc/interrupt.h"

/*
 * The result of a run of the test matrix, for people and for programs.
 */

/* --- for programs ------------------------------------------------------------------- */

static json_t *result_as_json(const struct matrix *matrix, const struct matrix_result *result)
{
	const struct matrix_entry *entry = result->entry;
	return json_build("id:s kind:s core:s skills:o outcome:s seconds:f error:s hint:s "
			  "mergeConflicts:o settled:o learned:o recorded:o log:s kept:s",
		entry->id, matrix_kind_names[entry->kind],
		matrix->cores.list[entry->core].version, json_strings(&entry->skills),
		matrix_outcome_names[result->outcome], result->seconds, result->message,
		result->hint, json_strings(&result->conflicts), json_strings(&result->resolved),
		json_strings(&result->learned), json_boolean(result->recorded), result->log,
		result->kept);
}

static json_t *matrix_output_json(const struct matrix *matrix, const struct matrix_run *run)
{
	json_t *results = json_array();
	json_t *json;

	for (size_t i = 0; i < run->count; i++)
		json_array_append_new(results, result_as_json(matrix, &run->list[i]));
	json = json_build("success:b passed:I unchanged:I failed:I notRun:I interrupted:b "
			  "seconds:f results:o",
		!run->failed && !run->not_run, run->passed, run->unchanged, run->failed,
		run->not_run, run->interrupted, run->seconds, results);
	if (run->failed)
		json_put(json, "error:o",
			json_sprintf("%zu of %zu entries failed", run->failed, run->count));
	return json;
}

/* --- for people --------------------------------------------------------------------- */

static const char *outcome_color(enum matrix_outcome outcome)
{
	if (matrix_outcome_is_failure(outcome))
		return COLOR_RED;
	return outcome == MATRIX_PASSED ? COLOR_GREEN : COLOR_DIM;
}

static void matrix_table_print(const struct cli *cli, const struct matrix_run *run)
{
	CLEANUP(table_release) struct table table = {.least = {0, 11, 7}, .right = 1u << 2};

	table_head(&table, "entry", "result", "seconds", NULL);
	for (size_t i = 0; i < run->count; i++) {
		const struct matrix_result *result = &run->list[i];
		bool unchanged = result->outcome == MATRIX_UNCHANGED;

		table_row(&table);
		table_cell(&table, NULL, "%s", result->entry->id);
		table_cell(&table, outcome_color(result->outcome), "%s",
			matrix_outcome_names[unchanged ? MATRIX_PASSED : result->outcome]);
		if (unchanged || result->outcome == MATRIX_NOT_RUN)
			table_cell(&table, NULL, "-");
		else
			table_cell(&table, NULL, "%.1f", result->seconds);
		/* A remark about an entry that passed. */
		if (result->outcome == MATRIX_UNCHANGED)
			table_cell(&table, NULL, "unchanged, passed before");
		else if (result->recorded)
			table_cell(&table, NULL, "its resolution is recorded");
		else if (result->learned.count && result->outcome == MATRIX_PASSED)
			table_cell(&table, NULL,
				"only here: 'nanoclaw matrix run --record' ships its resolution");
		else if (result->resolved.count && result->outcome == MATRIX_PASSED)
			table_cell(&table, NULL,
				"%zu conflict%s resolved by shipped resolutions",
				result->resolved.count, plural(result->resolved.count));
	}
	table_print(&table, cli);
}

/* A table of all entries, the output of failed ones, and the totals. */
static void matrix_output(const struct cli *cli, const struct matrix_run *run)
{
	if (!cli->quiet && run->count)
		matrix_table_print(cli, run);
	for (size_t i = 0; i < run->count; i++) {
		const struct matrix_result *result = &run->list[i];

		if (!matrix_outcome_is_failure(result->outcome))
			continue;
		printf("\n%s%s%s: %s\n", output_color(cli, COLOR_BOLD), result->entry->id,
			output_color(cli, COLOR_RESET), matrix_outcome_names[result->outcome]);
		if (result->message) {
			CLEANUP(freep) char *shown = output_text(result->message);
			struct view rest = view_of(shown), line;

			while (view_next(&rest, '\n', &line))
				printf("  %.*s\n", VIEW_ARGS(line));
		}
		if (result->hint)
			printf("  hint: %s\n", result->hint);
		if (result->kept)
			printf("  copy: %s\n", result->kept);
		if (result->log)
			printf("  log: %s\n", result->log);
	}
	printf("%s%zu passed, %zu unchanged, %zu failed", run->count ? "\n" : "", run->passed,
		run->unchanged, run->failed);
	if (run->not_run)
		printf(", %zu not run: the next run continues here", run->not_run);
	printf(" (%.1f s)\n", run->seconds);
}

/*
 * The results of a run of the test matrix as JUnit XML, which CI services read: a suite for
 * each core, a case for each entry. An unchanged entry has passed; one that was not run is
 * skipped.
 */

#define LOG_TAIL_MAX ((size_t)8 * 1024)
#define LOG_MAX      ((size_t)64 * 1024 * 1024)

static void append_attribute(struct buf *out, const char *name, struct view value)
{
	buf_appendf(out, " %s=\"", name);
	escape_xml(out, value);
	buf_append_char(out, '"');
}

/* Whole lines from the end of the log. */
static void append_log(struct buf *out, const struct project *project, const char *log)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view tail, line;

	if (!log || beneath_path_read(project->root, log, LOG_MAX, &text, &ignored) < 0)
		return;
	tail = view_of_buf(&text);
	if (tail.len > LOG_TAIL_MAX) {
		tail = view_slice(tail, tail.len - LOG_TAIL_MAX, tail.len);
		view_next(&tail, '\n', &line);
	}
	buf_append_char(out, '\n');
	escape_xml(out, tail);
}

static void append_case(struct buf *out, const struct project *project, const char *version,
	const struct matrix_result *result)
{
	struct view message = view_of(result->message ? result->message : "");
	struct view rest = message, first = message;

	buf_append_str(out, "    <testcase");
	append_attribute(out, "classname", view_of(version));
	append_attribute(out, "name", view_of(result->entry->id));
	buf_appendf(out, " time=\"%.3f\">\n", result->seconds);
	if (matrix_outcome_is_failure(result->outcome)) {
		view_next(&rest, '\n', &first);
		buf_append_str(out, "      <failure");
		append_attribute(out, "type", view_of(matrix_outcome_names[result->outcome]));
		append_attribute(out, "message", first);
		buf_append_char(out, '>');
		escape_xml(out, message);
		append_log(out, project, result->log);
		buf_append_str(out, "</failure>\n");
	} else if (result->outcome == MATRIX_NOT_RUN) {
		buf_append_str(out, "      <skipped message=\"interrupted before it ran\"/>\n");
	} else if (result->outcome == MATRIX_UNCHANGED) {
		buf_append_str(
			out, "      <system-out>unchanged, passed before</system-out>\n");
	}
	buf_append_str(out, "    </testcase>\n");
}

/* Returns how many entries the core has; `all` counts every core. */
static size_t append_sums(struct buf *out, const char *element, const char *name,
	const struct matrix_run *run, size_t core, bool all)
{
	size_t tests = 0, failures = 0, skipped = 0;
	double seconds = 0;

	for (size_t i = 0; i < run->count; i++) {
		const struct matrix_result *result = &run->list[i];

		if (!all && result->entry->core != core)
			continue;
		tests++;
		failures += matrix_outcome_is_failure(result->outcome);
		skipped += result->outcome == MATRIX_NOT_RUN;
		seconds += result->seconds;
	}
	if (!all && !tests)
		return 0;
	buf_append_str(out, element);
	append_attribute(out, "name", view_of(name));
	buf_appendf(out,
		" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" "
		"time=\"%.3f\">\n",
		tests, failures, skipped, seconds);
	return tests;
}

/* `project` has the logs; a failure has the end of its log. */
static void matrix_junit(const struct project *project, const struct matrix *matrix,
	const struct matrix_run *run, struct buf *out)
{
	buf_append_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	append_sums(out, "<testsuites", "skills matrix", run, 0, true);
	for (size_t core = 0; core < matrix->cores.count; core++) {
		const char *version = matrix->cores.list[core].version;

		if (!append_sums(out, "  <testsuite", version, run, core, false))
			continue;
		for (size_t i = 0; i < run->count; i++)
			if (run->list[i].entry->core == core)
				append_case(out, project, version, &run->list[i]);
		buf_append_str(out, "  </testsuite>\n");
	}
	buf_append_str(out, "</testsuites>\n");
}

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
	if (!*ret_junit->name)
		errno = EISDIR;
	if (ret_junit->fd < 0 || !*ret_junit->name)
		return quote_errno_typed(err, "write", path);
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
	project_note_core(&project);
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
		"A conflict without a shipped resolution is a failure, unless you recorded one here:\n"
		"'--record' ships it. With '--resolver' or '--record', conflicts are also resolved from\n"
		"memory, and then by the resolver; the recorded resolution must pass on its own.\n"
		"\n"
		"The exit code is 0 if all passed, 5 if only tests failed, and 1 otherwise.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.run = run_matrix_run,
};
