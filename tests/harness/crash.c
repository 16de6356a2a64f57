/*
 * Crash every command that a scenario marks with `$!`, at every point where it
 * changes the file system, and print the results as TAP:
 *
 *	crash [--power] --nanoclaw FAULTY-PROGRAM FILE|FOLDER...
 *
 * The program is one with fault.c in it. For a marked command:
 *
 * 1. The commands before it run as they stand. The files are now `old`.
 * 2. It runs without a fault, and counts its C changing calls: the files are
 *    now `new`.
 * 3. For each mode (kill, torn, eio, enospc) and each call N of C: from `old`,
 *    it runs with that fault at call N, and the recovery command after it. Where
 *    torn would be a kill (no write), or enospc that of a later call (which needs
 *    room), N is left out. The same for the mode read and each call that reads, and for the mode call and
 *    each path of calls that leads to a function of the engine.
 *
 * The files must then be exactly `old` or exactly `new`, whatever N was; only
 * a killed process may leave files behind that match `leftover`. A command that
 * met an error and leaves `old` must not exit with 0. One that prints something else
 * because of an error must say so, or fail; so a command that changes nothing can be
 * marked, too, for the modes read and call.
 *
 * The marked line must be one call of nanoclaw, so that its end is seen here.
 *
 * With --power it is not the program that ends but the power that goes: power.h.
 *
 *	NANOCLAW_CRASH_MODE=MODE	only this one
 *	NANOCLAW_CRASH_STRIDE=K		only every Kth call, for a faster run
 *	NANOCLAW_CRASH_ERROR_STRIDE=K	another K for the modes torn, eio and enospc
 *	NANOCLAW_CRASH_INNER_STRIDE=K	only every Kth place in the modes read and call
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "power.h"

/* Of one mode, so many bad points are shown in full. */
#define SHOWN_MAX 3

#define KILLED (128 + SIGKILL)

/* An exit code of this kind means a signal; 255 does not. */
#define IS_SIGNAL(status) ((status) > 128 && (status) <= 128 + SIGRTMAX)

struct mode {
	enum fault_mode mode;
	const char *name;
	const char *happened;
};

static const struct mode modes[] = {
	{FAULT_KILL, "kill", "killed"},
	{FAULT_TORN, "torn", "killed in mid-write"},
	{FAULT_EIO, "eio", "failed with EIO"},
	{FAULT_ENOSPC, "enospc", "failed with ENOSPC"},
	{FAULT_READ, "read", "could not read"},
	{FAULT_CALL, "call", "failed inside"},
};

static void matrix_release(struct matrix *m)
{
	free(m->label);
	tree_release(&m->old);
	tree_release(&m->old_home);
	tree_release(&m->new);
	command_result_release(&m->faultless);
}

int matrix_run(const struct matrix *m, const char *line, struct view input,
	const char *const *extra, struct command_result *result, struct error *err)
{
	struct command_request request = {
		.line = line,
		.dir = m->workspace->tree,
		.env = m->workspace->env,
		.extra = extra,
		.input = input,
	};

	if (command_run(&request, result, err) < 0)
		return -1;
	if (result->timed_out)
		return error_set(err, ERROR_FAILED, "still running after %d seconds: '%s'",
			COMMAND_SECONDS, line);
	return 0;
}

static int run_faulty(const struct matrix *m, const char *mode, unsigned long at,
	struct command_result *result, struct error *err)
{
	CLEANUP(freep) char *fault = xasprintf("NANOCLAW_FAULT=%s %lu", mode, at);
	CLEANUP(freep)
	char *count = xasprintf("NANOCLAW_FAULT_COUNT=%s/calls", m->workspace->root);
	const char *const extra[] = {fault, count, NULL};

	return matrix_run(
		m, m->command->line, view_of_buf(&m->command->input), extra, result, err);
}

/* --- without a fault --------------------------------------------------------- */

static int run_before(const struct matrix *m, struct error *err)
{
	for (const struct scenario_command *c = m->scenario->commands; c < m->command; c++) {
		CLEANUP(command_result_release) struct command_result result = {0};

		if (matrix_run(m, c->line, view_of_buf(&c->input), NULL, &result, err) < 0)
			return -1;
		if (result.status != c->status)
			return error_set(err, ERROR_FAILED, "%s:%u: exit code %d, not %d: %s",
				m->scenario->path, c->number, result.status, c->status,
				result.err.data);
	}
	return 0;
}

static int read_calls(struct matrix *m, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf("%s/calls", m->workspace->root);
	FILE *file = fopen(path, "re");
	int found = 0;

	if (file) {
		found = fscanf(file, "%lu %lu %lu %65535s", &m->calls, &m->reads, &m->places,
			m->kinds);
		fclose(file);
		unlink(path);
	}
	if (found < 3)
		return error_set(err, ERROR_FAILED,
			"no calls were counted: is nanoclaw the one with faults?");
	if (!m->calls && !m->places)
		return error_set(err, ERROR_FAILED,
			"the command changes nothing: there is no point to crash at");
	return 0;
}

static int run_faultless(struct matrix *m, struct error *err)
{
	struct command_result *result = &m->faultless;
	struct workspace *w = m->workspace;

	if (workspace_fill(w, &m->scenario->before, NULL, err) < 0 || run_before(m, err) < 0)
		return -1;
	command_end_all();
	if (tree_read(&m->old, w->tree, err) < 0 || tree_read(&m->old_home, w->home, err) < 0)
		return -1;
	if (run_faulty(m, "count", 0, result, err) < 0)
		return -1;
	if (result->status != m->command->status)
		return error_set(err, ERROR_FAILED, "exit code %d, not %d: %s", result->status,
			m->command->status, result->err.data);
	command_end_all();
	if (tree_read(&m->new, w->tree, err) < 0)
		return -1;
	return read_calls(m, err);
}

/* --- with a fault ------------------------------------------------------------ */

int matrix_recover(
	const struct matrix *m, const char *const *extra, struct buf *report, struct error *err)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	const char *line = m->scenario->recover;

	if (!line)
		return 0;
	if (matrix_run(m, line, (struct view){0}, extra, &result, err) < 0)
		return -1;
	if (result.status)
		buf_appendf(report, "exit code %d of '%s'\n%s", result.status, line,
			result.err.data);
	return 0;
}

bool matrix_check(const struct matrix *m, const struct lines *leftover, const struct tree *got,
	struct buf *report)
{
	const struct lines *ignore = &m->scenario->ignore;
	CLEANUP(buf_release) struct buf from_old = BUF_INIT;
	CLEANUP(buf_release) struct buf from_new = BUF_INIT;
	size_t old_differences = tree_diff(&from_old, &m->old, got, ignore, leftover);
	size_t new_differences = tree_diff(&from_new, &m->new, got, ignore, leftover);

	if (old_differences && new_differences)
		buf_appendf(report,
			"the files are neither old nor new\n"
			"compared with old:\n%scompared with new:\n%s",
			from_old.data, from_new.data);
	return !new_differences;
}

/* Paths that only an error takes are where bugs of memory hide. */
static bool has_sanitizer_report(const struct command_result *result)
{
	return strstr(result->err.data, "Sanitizer") ||
	       strstr(result->err.data, "runtime error:");
}

/* nanoclaw itself warns of an error that it did not hand on; and a failure has a message. */
static void check_end(const struct command_result *result, bool kills, struct buf *report)
{
	if (kills && result->status != KILLED)
		buf_appendf(report, "exit code %d: it was not killed\n", result->status);
	if (!kills && IS_SIGNAL(result->status))
		buf_appendf(
			report, "exit code %d: an error must not crash it\n", result->status);
	if (strstr(result->err.data, "an error was ignored") ||
		strstr(result->err.data, "error: (null)") || has_sanitizer_report(result))
		buf_append(report, result->err.data, result->err.len);
}

static bool same_text(const struct buf *a, const struct buf *b)
{
	return view_equal(view_of_buf(a), view_of_buf(b));
}

/* The output can vary by itself where the scenario has a wildcard. */
static bool same_output(const struct matrix *m, const struct command_result *result)
{
	CLEANUP(lines_release) struct lines got = LINES_INIT;

	if (same_text(&result->out, &m->faultless.out))
		return true;
	lines_encode(&got, view_of_buf(&result->out), m->workspace->tree);
	return lines_match(&m->command->out, &got);
}

/* doctor prints its findings, including errors. */
static bool hides_error(const struct matrix *m, const struct command_result *result)
{
	return !same_output(m, result) && same_text(&result->err, &m->faultless.err) &&
	       !strstr(result->out.data, "input/output error");
}

/* What is wrong at one point is added to the report. */
static int check_point(const struct matrix *m, const struct mode *mode, unsigned long at,
	struct buf *report, struct error *err)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree got = TREE_INIT;
	CLEANUP(lines_release) struct lines kept = LINES_INIT;
	bool kills = mode->mode == FAULT_KILL || mode->mode == FAULT_TORN;
	bool is_new;

	if (workspace_fill(m->workspace, &m->old, &m->old_home, err) < 0)
		return -1;
	if (run_faulty(m, mode->name, at, &result, err) < 0)
		return -1;
	check_end(&result, kills, report);
	if (matrix_recover(m, NULL, report, err) < 0)
		return -1;
	command_end_all();
	if (tree_read(&got, m->workspace->tree, err) < 0)
		return -1;
	/* A file that a command wrote and that cannot be read is kept: it may be a person's. */
	lines_add(&kept, view_of(".nanoclaw/kept"), 0);
	is_new = matrix_check(m,
		kills                      ? &m->scenario->leftover
		: mode->mode >= FAULT_READ ? &kept
					   : NULL,
		&got, report);
	if (kills || result.status != 0)
		return 0;
	if (!is_new)
		buf_append_str(report, "exit code 0, but the files are not new\n");
	else if (hides_error(m, &result))
		buf_appendf(report, "exit code 0, but another output:\n%s", result.out.data);
	return 0;
}

static unsigned long count_of(const struct matrix *m, enum fault_mode mode)
{
	if (mode == FAULT_READ)
		return m->reads;
	return mode == FAULT_CALL ? m->places : m->calls;
}

/* Whether this mode does to call `at` what no other does. */
static bool concerns(const struct matrix *m, enum fault_mode mode, unsigned long at)
{
	char kind = at < sizeof(m->kinds) ? m->kinds[at - 1] : 'w';

	if (mode == FAULT_TORN)
		return kind == 'w';
	return mode != FAULT_ENOSPC || kind != '-';
}

/* All points of one mode, as one result. Returns how many there were. */
static unsigned long run_mode(struct tap *tap, const struct matrix *m, const struct mode *mode)
{
	CLEANUP(buf_release) struct buf shown = BUF_INIT;
	CLEANUP(freep) char *name = NULL;
	unsigned long count = count_of(m, mode->mode);
	unsigned long stride = mode->mode == FAULT_KILL  ? m->stride
			       : mode->mode < FAULT_READ ? m->error_stride
							 : m->inner_stride;
	unsigned long found = 0;
	unsigned long points = 0;
	unsigned long bad = 0;

	for (unsigned long at = 1; at <= count; at++) {
		CLEANUP(buf_release) struct buf report = BUF_INIT;
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (!concerns(m, mode->mode, at) || found++ % stride != 0)
			continue;
		points++;
		if (check_point(m, mode, at, &report, &err) < 0)
			buf_appendf(&report, "%s\n", err.message);
		if (report.len && bad++ < SHOWN_MAX)
			buf_appendf(&shown, "%s:%u: NANOCLAW_FAULT=\"%s %lu\" %s\n%s",
				m->scenario->path, m->command->number, mode->name, at,
				m->command->line, report.data);
	}
	if (bad)
		name = xasprintf("%s: %lu points %s, wrong at %lu of them", m->label, points,
			mode->happened, bad);
	else
		name = xasprintf("%s: %lu points %s, old or new at every one", m->label, points,
			mode->happened);
	tap_result(tap, !bad, name);
	tap_note(shown.data);
	return points;
}

static bool is_wanted(const struct scenario *s, const char *mode)
{
	const char *only = getenv("NANOCLAW_CRASH_MODE");

	if (only && strcmp(only, mode) != 0)
		return false;
	for (size_t i = 0; i < s->faults.count; i++)
		if (!strcmp(s->faults.items[i].text, mode))
			return true;
	return !s->faults.count;
}

static unsigned long run_matrix(struct tap *tap, struct matrix *m)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	unsigned long points = 0;

	if (run_faultless(m, &err) < 0) {
		CLEANUP(freep) char *name = xasprintf("%s: without a fault", m->label);
		CLEANUP(freep)
		char *text = xasprintf(
			"%s:%u: %s", m->scenario->path, m->command->number, err.message);

		tap_result(tap, false, name);
		tap_note(text);
		return 0;
	}
	if (m->power)
		return power_run(tap, m);
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (count_of(m, modes[i].mode) && is_wanted(m->scenario, modes[i].name))
			points += run_mode(tap, m, &modes[i]);
	return points;
}

static unsigned long stride_from_environment(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);
	unsigned long stride = text ? strtoul(text, NULL, 10) : 0;

	return stride ? stride : otherwise;
}

static size_t count_marked(const struct scenario *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++)
		count += s->commands[i].crash;
	return count;
}

/* Of several marked commands in a file, each is called by its line. */
static char *label_of(const struct scenario *s, const struct scenario_command *command)
{
	if (count_marked(s) == 1)
		return xstrdup(s->name);
	return xasprintf("%s, line %u", s->name, command->number);
}

static unsigned long run_scenario(
	struct tap *tap, const char *path, const char *nanoclaw, bool power)
{
	CLEANUP(scenario_release) struct scenario s = SCENARIO_INIT;
	CLEANUP(workspace_release) struct workspace w = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	unsigned long stride = stride_from_environment("NANOCLAW_CRASH_STRIDE", 1);
	unsigned long points = 0;
	const char *missing;

	if (scenario_read(&s, path, &err) < 0 || workspace_init(&w, nanoclaw, &err) < 0) {
		tap_result(tap, false, path);
		tap_note(err.message);
		return 0;
	}
	if (!count_marked(&s))
		return 0;
	if (power)
		power_allow(&s.leftover);
	missing = workspace_missing(&w, &s.needs);
	if (missing) {
		CLEANUP(freep) char *why = xasprintf("needs %s", missing);

		tap_skip(tap, s.name, why);
		return 0;
	}
	for (size_t i = 0; i < s.count; i++) {
		CLEANUP(matrix_release)
		struct matrix m = {
			.scenario = &s,
			.command = &s.commands[i],
			.workspace = &w,
			.label = label_of(&s, &s.commands[i]),
			.stride = stride,
			.error_stride =
				stride_from_environment("NANOCLAW_CRASH_ERROR_STRIDE", stride),
			.inner_stride =
				stride_from_environment("NANOCLAW_CRASH_INNER_STRIDE", 1),
			.power = power,
		};

		if (s.commands[i].crash)
			points += run_matrix(tap, &m);
	}
	return points;
}

static int usage(void)
{
	fputs("usage: crash [--power] --nanoclaw FAULTY-PROGRAM FILE|FOLDER...\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{"nanoclaw", required_argument, NULL, 'n'},
		{"power", no_argument, NULL, 'p'},
		{0},
	};
	CLEANUP(lines_release) struct lines paths = LINES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *nanoclaw = NULL;
	struct tap tap = {0};
	unsigned long points = 0;
	bool power = false;
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'n')
			nanoclaw = optarg;
		else if (option == 'p')
			power = true;
		else
			return usage();
	}
	if (!nanoclaw || optind == argc)
		return usage();
	command_setup();
	for (int i = optind; i < argc; i++) {
		if (scenario_list(&paths, argv[i], &err) < 0) {
			fprintf(stderr, "error: %s\n", err.message);
			return 2;
		}
	}
	for (size_t i = 0; i < paths.count; i++)
		points += run_scenario(&tap, paths.items[i].text, nanoclaw, power);
	printf(power ? "# disks: %lu\n" : "# crash points: %lu\n", points);
	return tap_end(&tap);
}
