#include <jansson.h>
#include <stdio.h>

#include "cli/authoring/matrix_options.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/table.h"
#include "engine/maintain/matrix.h"
#include "format/json.h"
#include "proc/log.h"

/* --- for GitHub Actions ------------------------------------------------------ */

#define MAX_JOBS ((size_t)256)

/* A job for the entries from `first` up to `end`. Ids need no quotes in any shell. */
static json_t *job_of(const struct matrix *matrix, size_t first, size_t end)
{
	CLEANUP(buf_release) struct buf run = BUF_INIT;
	json_t *name;

	buf_append_str(&run, "nanoclaw matrix run");
	for (size_t i = first; i < end; i++)
		buf_appendf(&run, " --only %s", matrix->list[i].id);
	name = end - first == 1 ? json_string(matrix->list[first].id)
				: json_sprintf("%s and %zu more", matrix->list[first].id,
					  end - first - 1);
	return json_build("name:o entries:I run:s", name, (json_int_t)(end - first), run.data);
}

/*
 * One line of JSON for `strategy.matrix`.
 *
 *	{"include": [{"name": "1.0.0/diary", "entries": 1, "run": "nanoclaw matrix run …"}]}
 *
 * The service takes at most 256 jobs for a matrix. More entries are put together, so that all
 * jobs have the same number of them, or one more.
 */
static json_t *matrix_github(const struct matrix *matrix)
{
	size_t jobs = matrix->count < MAX_JOBS ? matrix->count : MAX_JOBS;
	json_t *include = json_array();

	for (size_t i = 0; i < jobs; i++)
		json_array_append_new(include, job_of(matrix, i * matrix->count / jobs,
						       (i + 1) * matrix->count / jobs));
	return json_build("include:o", include);
}

static const struct option options[] = {
	{0, "github", NULL, "print one line of JSON for GitHub Actions"},
	MATRIX_OPTION_SKILLS,
	MATRIX_OPTION_CORES,
	{0},
};

/* --- for programs ---------------------------------------------------------------- */

static json_t *entry_as_json(const struct matrix *matrix, const struct matrix_entry *entry)
{
	json_t *reasons = json_array();

	for (size_t i = 0; i < entry->reason_count; i++) {
		const struct matrix_reason *reason = &entry->reasons[i];
		json_t *overlaps_list = json_array();

		for (size_t k = 0; k < reason->overlap.count; k++)
			json_add(overlaps_list, "kind:s name:s",
				matrix_target_names[reason->overlap.list[k].target],
				reason->overlap.list[k].name);
		json_add(reasons, "kind:s curated:b skills:o overlaps:o text:s",
			matrix_kind_names[reason->kind], reason->curated,
			json_strings(&reason->skills), overlaps_list, reason->text);
	}
	return json_build("id:s kind:s core:s skills:o order:o reasons:o", entry->id,
		matrix_kind_names[entry->kind], matrix->cores.list[entry->core].version,
		json_strings(&entry->skills), json_strings(&entry->order), reasons);
}

/* --- for people ------------------------------------------------------------------ */

static void print_matrix(const struct cli *cli, const struct matrix *matrix)
{
	CLEANUP(table_release) struct table table = TABLE_INIT;
	size_t kinds[] = {0, 0, 0};

	if (matrix->count)
		table_head(&table, "entry", "kind", "why", NULL);
	for (size_t i = 0; i < matrix->count; i++) {
		const struct matrix_entry *entry = &matrix->list[i];

		for (size_t k = 0; k < entry->reason_count; k++) {
			table_row(&table);
			table_cell(&table, COLOR_CYAN, "%s", k ? "" : entry->id);
			table_cell(&table, NULL, "%s", k ? "" : matrix_kind_names[entry->kind]);
			table_cell(&table, NULL, "%s", entry->reasons[k].text);
		}
		kinds[matrix->list[i].kind]++;
	}
	table_print(&table, cli);
	printf("%s%zu %s on %zu %s: %zu alone, %zu pair%s, %zu stack%s\n",
		matrix->count ? "\n" : "", matrix->count,
		matrix->count == 1 ? "entry" : "entries", matrix->cores.count,
		matrix->cores.count == 1 ? "core" : "cores", kinds[MATRIX_ALONE],
		kinds[MATRIX_PAIR], plural(kinds[MATRIX_PAIR]), kinds[MATRIX_STACK],
		plural(kinds[MATRIX_STACK]));
	for (size_t i = 0; i < matrix->notes.count; i++) {
		CLEANUP(freep) char *text = output_text(matrix->notes.list[i]);

		log_note("%s", text);
	}
}

static int run_matrix(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	bool running;

	if (project_open_reading(&project, &running, err) < 0 ||
		matrix_options_plan(args, &project, &matrix, err) < 0)
		return -1;
	project_note_core(&project);
	if (arguments_flag(args, "github")) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		json_t *json = matrix_github(&matrix);

		json_write_ours(json, false, &text);
		json_decref(json);
		printf("%s\n", text.data);
	} else if (cli->json) {
		json_t *entries = json_array();
		json_t *cores = json_array();

		for (size_t i = 0; i < matrix.count; i++)
			json_array_append_new(entries, entry_as_json(&matrix, &matrix.list[i]));
		for (size_t i = 0; i < matrix.cores.count; i++)
			json_add_text(cores, matrix.cores.list[i].version);
		output_success("cores:o entries:o notes:o", cores, entries,
			json_strings(&matrix.notes));
	} else {
		print_matrix(cli, &matrix);
	}
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw matrix", "what to test, and why"},
	{"nanoclaw matrix --skills diary,shout", "only entries with these two"},
	{"nanoclaw matrix --github", "for 'strategy: matrix: ${{ fromJSON(…) }}'"},
	{"nanoclaw matrix run -j 4", "run it here"},
	{0},
};

COMMAND(matrix) = {
	.name = "matrix",
	.summary = "show which combinations of skills to test, and why",
	.description =
		"The matrix has each skill alone with its dependencies; pairs of skills that change\n"
		"the same file or declare the same npm package, variable, service or port; and\n"
		"stacks of three that overlap with each other. Skills that declare a conflict are\n"
		"never combined.\n"
		"\n"
		"'.claude/skills/matrix.yaml' adds stacks that people use together, and earlier\n"
		"cores that the skills must work on:\n"
		"\n"
		"  cores: [1.0.0, {version: 0.9.0, from: v0.9.0}]\n"
		"  stacks: [[diary, shout, smile]]\n"
		"  stack_limit: 20\n"
		"  setup: npm ci\n"
		"\n"
		"'--github' groups the entries into at most 256 jobs, GitHub's limit, each with the\n"
		"command to run.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.run = run_matrix,
};
