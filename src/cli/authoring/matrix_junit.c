#include "cli/authoring/matrix_junit.h"

#include "base/escape.h"
#include "fs/beneath.h"

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
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view tail, line;

	if (!log || relpath_parse(view_of(log), &path, &ignored) < 0 ||
		beneath_read(project->root, &path, LOG_MAX, &text, &ignored) < 0)
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

void matrix_junit(const struct project *project, const struct matrix *matrix,
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
