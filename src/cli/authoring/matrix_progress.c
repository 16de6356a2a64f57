#include "cli/authoring/matrix_progress.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/output.h"
#include "time/timestamp.h"

/* More workers than this are not shown one by one. */
#define MAX_ROWS 16

static const char *progress_color(const struct matrix_progress *p, const char *code)
{
	return p->live && p->cli->color ? code : "";
}

/* --- on a terminal ------------------------------------------------------------------ */

static void progress_clear(struct matrix_progress *p)
{
	if (p->drawn)
		fprintf(p->out, "\033[%zuA\r\033[J", p->drawn);
	p->drawn = 0;
}

/* No line may be longer than the terminal is wide: else it is two, and clear() is wrong. */
static void draw_line(struct matrix_progress *p, const char *text, int width)
{
	fprintf(p->out, "%.*s\n", width - 1, text);
	p->drawn++;
}

static void progress_draw(struct matrix_progress *p)
{
	int64_t now = timestamp_clock();
	int width = output_columns();
	CLEANUP(freep) char *total = NULL;

	progress_clear(p);
	for (size_t i = 0; i < p->jobs && i < MAX_ROWS; i++) {
		const struct matrix_progress_row *row = &p->rows[i];
		CLEANUP(freep)
		char *text =
			row->entry ? xasprintf("  %5.1f s  %s",
					     (double)(now - row->since) / 1000, row->entry->id)
				   : xstrdup("       -");

		draw_line(p, text, width);
	}
	total = xasprintf("[%zu/%zu] %zu failed, %.0f s", p->done, p->total, p->failed,
		(double)(now - p->begin) / 1000);
	draw_line(p, total, width);
	fflush(p->out);
}

/* --- events ------------------------------------------------------------------- */

static void progress_print_result(
	const struct matrix_progress *p, const struct matrix_result *result)
{
	bool failed = matrix_outcome_is_failure(result->outcome);

	fprintf(p->out, "[%zu/%zu] %s%s%s %s (%.1f s)\n", p->done, p->total,
		progress_color(p, failed ? COLOR_RED : COLOR_GREEN),
		matrix_outcome_names[result->outcome], progress_color(p, COLOR_RESET),
		result->entry->id, result->seconds);
}

static void on_begun(const struct matrix_run *run, void *data)
{
	struct matrix_progress *p = data;
	size_t unchanged = 0;

	for (size_t i = 0; i < run->count; i++)
		unchanged += run->list[i].outcome == MATRIX_UNCHANGED;
	p->total = run->count - unchanged;
	if (p->out && p->total)
		fprintf(p->out, "%zu to run, %zu unchanged\n", p->total, unchanged);
	if (p->out)
		fflush(p->out);
}

static void on_started(const struct matrix_entry *entry, size_t worker, void *data)
{
	struct matrix_progress *p = data;

	p->rows[worker] = (struct matrix_progress_row){entry, timestamp_clock()};
	if (p->live)
		progress_draw(p);
}

static void on_ended(const struct matrix_result *result, size_t worker, void *data)
{
	struct matrix_progress *p = data;
	bool failed = matrix_outcome_is_failure(result->outcome);

	p->rows[worker].entry = NULL;
	p->done++;
	p->failed += failed;
	if (!p->out)
		return;
	if (p->live)
		progress_clear(p);
	if (!p->live || failed)
		progress_print_result(p, result);
	if (p->live)
		progress_draw(p);
	fflush(p->out);
}

static void on_ticked(void *data)
{
	struct matrix_progress *p = data;

	if (p->live)
		progress_draw(p);
}

void matrix_progress_init(
	struct matrix_progress *ret_progress, const struct cli *cli, size_t jobs)
{
	FILE *out = cli->json ? stderr : stdout;
	bool terminal = isatty(fileno(out));

	*ret_progress = (struct matrix_progress){
		.cli = cli,
		.out = cli->quiet || (cli->json && !terminal) ? NULL : out,
		.live = terminal && !cli->quiet,
		.rows = xcalloc(jobs, sizeof(*ret_progress->rows)),
		.jobs = jobs,
		.begin = timestamp_clock(),
	};
}

struct matrix_watcher matrix_progress_watcher(struct matrix_progress *progress)
{
	return (struct matrix_watcher){
		.data = progress,
		.begun = on_begun,
		.started = on_started,
		.ended = on_ended,
		.ticked = on_ticked,
	};
}

void matrix_progress_end(struct matrix_progress *progress)
{
	if (progress->live)
		progress_clear(progress);
	if (progress->out)
		fflush(progress->out);
	free(progress->rows);
}
