#include "cli/authoring/matrix_output.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/table.h"
#include "format/json.h"

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

json_t *matrix_output_json(const struct matrix *matrix, const struct matrix_run *run)
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
			table_cell(
				&table, NULL, "only here: '--record' records its resolution");
		else if (result->resolved.count && result->outcome == MATRIX_PASSED)
			table_cell(&table, NULL,
				"%zu conflict%s resolved by shipped resolutions",
				result->resolved.count, plural(result->resolved.count));
	}
	table_print(&table, cli);
}

void matrix_output(const struct cli *cli, const struct matrix_run *run)
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
