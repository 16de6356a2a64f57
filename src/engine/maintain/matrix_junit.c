#include "engine/maintain/matrix_junit.h"

#include "util/beneath.h"
#include "util/utf8.h"

/* Of a log. */
#define TAIL_MAX ((size_t)8 * 1024)
#define LOG_MAX  ((size_t)64 * 1024 * 1024)

static bool is_allowed(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xd7ff) ||
	       (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000;
}

static void append_char(struct view piece, uint32_t c, struct buf *out)
{
	switch (c) {
	case '&':
		buf_append_str(out, "&amp;");
		break;
	case '<':
		buf_append_str(out, "&lt;");
		break;
	case '>':
		buf_append_str(out, "&gt;");
		break;
	case '"':
		buf_append_str(out, "&quot;");
		break;
	case '\r':
		buf_append_str(out, "&#13;");
		break;
	case '\n':
		buf_append_char(out, '\n');
		break;
	default:
		if (is_allowed(c))
			buf_append(out, piece.data, piece.len);
		else
			buf_append_char(out, '?');
	}
}

void matrix_junit_escape(struct view text, struct buf *out)
{
	while (text.len) {
		uint32_t c;
		size_t len = utf8_decode(text, &c);

		append_char(view_slice(text, 0, len ? len : 1), len ? c : 0, out);
		text = view_slice(text, len ? len : 1, text.len);
	}
}

static void append_attribute(struct buf *out, const char *name, const char *value)
{
	buf_appendf(out, " %s=\"", name);
	matrix_junit_escape(view_of(value), out);
	buf_append_char(out, '"');
}

/* Whole lines from the end of the log. */
static void append_log(struct buf *out, const struct project *project, const char *log)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view tail, line;

	if (!log || relpath_parse(view_of(log), &path, &ignored) < 0 ||
		beneath_read(project->root, &path, LOG_MAX, &text, &ignored) < 0)
		return;
	tail = view_of_buf(&text);
	if (tail.len > TAIL_MAX) {
		tail = view_slice(tail, tail.len - TAIL_MAX, tail.len);
		view_next(&tail, '\n', &line);
	}
	buf_append_str(out, "\n");
	matrix_junit_escape(tail, out);
}

static struct view first_line(const char *text)
{
	struct view rest = view_of(text ? text : ""), line = rest;

	view_next(&rest, '\n', &line);
	return line;
}

static void append_failure(
	struct buf *out, const struct project *project, const struct matrix_result *result)
{
	buf_append_str(out, "      <failure");
	append_attribute(out, "type", matrix_outcome_names[result->outcome]);
	buf_append_str(out, " message=\"");
	matrix_junit_escape(first_line(result->message), out);
	buf_append_str(out, "\">");
	matrix_junit_escape(view_of(result->message ? result->message : ""), out);
	append_log(out, project, result->log);
	buf_append_str(out, "</failure>\n");
}

static void append_case(struct buf *out, const struct project *project, const char *version,
	const struct matrix_result *result)
{
	buf_append_str(out, "    <testcase");
	append_attribute(out, "classname", version);
	append_attribute(out, "name", result->entry->id);
	buf_appendf(out, " time=\"%.3f\">\n", result->seconds);
	if (matrix_outcome_is_failure(result->outcome))
		append_failure(out, project, result);
	else if (result->outcome == MATRIX_NOT_RUN)
		buf_append_str(out, "      <skipped message=\"interrupted before it ran\"/>\n");
	else if (result->outcome == MATRIX_UNCHANGED)
		buf_append_str(
			out, "      <system-out>unchanged, passed before</system-out>\n");
	buf_append_str(out, "    </testcase>\n");
}

struct sums {
	size_t tests, failures, skipped;
	double seconds;
};

/* Of one core; of all of them, if there is none of that number. */
static struct sums sum_up(const struct matrix_run *run, size_t core, bool all)
{
	struct sums sums = {0};

	for (size_t i = 0; i < run->count; i++) {
		const struct matrix_result *result = &run->list[i];

		if (!all && result->entry->core != core)
			continue;
		sums.tests++;
		sums.failures += matrix_outcome_is_failure(result->outcome);
		sums.skipped += result->outcome == MATRIX_NOT_RUN;
		sums.seconds += result->seconds;
	}
	return sums;
}

static void append_sums(struct buf *out, const struct sums *sums)
{
	buf_appendf(out,
		" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" "
		"time=\"%.3f\">\n",
		sums->tests, sums->failures, sums->skipped, sums->seconds);
}

void matrix_junit(const struct project *project, const struct matrix *matrix,
	const struct matrix_run *run, struct buf *out)
{
	struct sums all = sum_up(run, 0, true);

	buf_append_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	buf_append_str(out, "<testsuites name=\"skills matrix\"");
	append_sums(out, &all);
	for (size_t core = 0; core < matrix->cores.count; core++) {
		const char *version = matrix->cores.list[core].version;
		struct sums sums = sum_up(run, core, false);

		if (!sums.tests)
			continue;
		buf_append_str(out, "  <testsuite");
		append_attribute(out, "name", version);
		append_sums(out, &sums);
		for (size_t i = 0; i < run->count; i++)
			if (run->list[i].entry->core == core)
				append_case(out, project, version, &run->list[i]);
		buf_append_str(out, "  </testsuite>\n");
	}
	buf_append_str(out, "</testsuites>\n");
}
