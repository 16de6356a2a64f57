/*
 * Run scenarios (scenario_file.h) and print the results as TAP:
 *
 *	scenario [OPTION...] --nanoclaw PROGRAM FILE|FOLDER...
 *
 *	--ending SCRIPT	at the end run `SCRIPT SCENARIO` in its folder; it must succeed
 *	--keep		leave the folder of each scenario, and print where it is
 *	--seconds N	end a command that runs longer, and let it fail
 *	--update	write what the commands really answered into the files,
 *			for a person to read in the diff; expected lines that
 *			match stay as they are, and so do their wildcards
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/view.h"
#include "command.h"
#include "scenario_file.h"
#include "tap.h"
#include "workspace.h"

struct options {
	const char *nanoclaw;
	const char *ending; /* or NULL */
	bool keep;
	bool update;
	int seconds;
};

/* The actual result of a command. */
struct outcome {
	struct command_result result;
	struct lines out;
	struct lines err;
	bool ok;
};

struct outcomes {
	struct outcome *items;
	size_t count;
};

static void outcomes_release(struct outcomes *outcomes)
{
	for (size_t i = 0; i < outcomes->count; i++) {
		command_result_release(&outcomes->items[i].result);
		lines_release(&outcomes->items[i].out);
		lines_release(&outcomes->items[i].err);
	}
	free(outcomes->items);
}

/* --- comparing --------------------------------------------------------------- */

static bool check_stream(struct buf *report, const struct scenario *s,
	const struct scenario_command *command, const char *name, const struct lines *expected,
	const struct lines *got)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	unsigned number;

	if (lines_match(expected, got))
		return true;
	number = lines_diff(&text, expected, got);
	buf_appendf(report, "%s:%u: %s is not as expected (- expected, + got)\n%s", s->path,
		number ? number : command->number, name, text.data);
	return false;
}

static bool check_outcome(struct buf *report, const struct scenario *s,
	const struct scenario_command *command, const struct outcome *outcome)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (outcome->result.timed_out)
		buf_appendf(&text, "%s:%u: still running at the time limit\n", s->path,
			command->number);
	else if (outcome->result.status != command->status)
		buf_appendf(&text, "%s:%u: exit code %d, not %d\n", s->path,
			command->status_number ? command->status_number : command->number,
			outcome->result.status, command->status);
	check_stream(&text, s, command, "standard output", &command->out, &outcome->out);
	check_stream(&text, s, command, "standard error", &command->err, &outcome->err);
	if (!text.len)
		return true;
	buf_appendf(
		report, "%s:%u: $ %s\n%s", s->path, command->number, command->line, text.data);
	return false;
}

static int check_tree(
	struct buf *report, const struct scenario *s, const char *folder, struct error *err)
{
	CLEANUP(tree_release) struct tree got = TREE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (tree_read(&got, folder, err) < 0)
		return -1;
	if (tree_diff(&text, &s->after, &got, &s->unlisted, NULL))
		buf_appendf(report, "%s:%u: the files afterwards are not as expected\n%s",
			s->path, s->after_number ? s->after_number : 1, text.data);
	return 0;
}

/* --- updating ---------------------------------------------------------------- */

static void add_expected(struct buf *out, const char *sign, const struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		const char *text = lines->items[i].text;

		buf_appendf(out, "%s%s%s\n", sign, *text ? " " : "", text);
	}
}

static void add_outcome(
	struct buf *out, const struct scenario_command *command, const struct outcome *outcome)
{
	bool out_matches = lines_match(&command->out, &outcome->out);
	bool err_matches = lines_match(&command->err, &outcome->err);

	if (outcome->result.status)
		buf_appendf(out, "? %d\n", outcome->result.status);
	add_expected(out, ">", out_matches ? &command->out : &outcome->out);
	add_expected(out, "2>", err_matches ? &command->err : &outcome->err);
}

/* The index of the command to which a line of the file belongs, or -1. */
static ssize_t command_at(const struct scenario *s, unsigned number)
{
	if (s->after_number && number >= s->after_number)
		return -1;
	for (size_t i = s->count; i-- > 0;)
		if (number >= s->commands[i].number)
			return (ssize_t)i;
	return -1;
}

static bool is_expectation(struct view line)
{
	return view_starts_with(line, "?") || view_starts_with(line, ">") ||
	       view_starts_with(line, "2>");
}

static void rewrite(struct buf *out, const struct scenario *s, const struct outcomes *outcomes,
	struct view text)
{
	struct view line;

	for (unsigned number = 1; view_next(&text, '\n', &line); number++) {
		ssize_t at = command_at(s, number);
		bool wrong = at >= 0 && (size_t)at < outcomes->count && !outcomes->items[at].ok;

		if (wrong && number > s->commands[at].end && is_expectation(line))
			continue;
		buf_appendf(out, "%.*s\n", VIEW_ARGS(line));
		if (wrong && number == s->commands[at].end)
			add_outcome(out, &s->commands[at], &outcomes->items[at]);
	}
}

static int update_file(
	const struct scenario *s, const struct outcomes *outcomes, struct error *err)
{
	CLEANUP(buf_release) struct buf old = BUF_INIT;
	CLEANUP(buf_release) struct buf new = BUF_INIT;
	CLEANUP(freep) char *beside = xasprintf("%s.new", s->path);
	FILE *file = fopen(s->path, "re");
	char chunk[4096];
	size_t n;

	if (!file)
		return error_errno(err, "cannot open '%s'", s->path);
	while ((n = fread(chunk, 1, sizeof(chunk), file)))
		buf_append(&old, chunk, n);
	fclose(file);
	rewrite(&new, s, outcomes, view_of_buf(&old));
	file = fopen(beside, "we");
	if (!file)
		return error_errno(err, "cannot create '%s'", beside);
	n = fwrite(new.data, 1, new.len, file);
	if (fclose(file) || n != new.len || rename(beside, s->path) < 0)
		return error_errno(err, "cannot write '%s'", s->path);
	return 0;
}

/* --- running ----------------------------------------------------------------- */

static int run_commands(const struct scenario *s, const struct workspace *w, int seconds,
	struct outcomes *outcomes, struct buf *report, struct error *err)
{
	outcomes->items = xcalloc(s->count, sizeof(*outcomes->items));
	for (size_t i = 0; i < s->count; i++) {
		const struct scenario_command *command = &s->commands[i];
		struct outcome *outcome = &outcomes->items[outcomes->count++];
		struct command_request request = {
			.line = command->line,
			.dir = w->tree,
			.env = w->env,
			.input = view_of_buf(&command->input),
			.seconds = seconds,
		};

		if (command_run(&request, &outcome->result, err) < 0)
			return -1;
		lines_encode(&outcome->out, view_of_buf(&outcome->result.out), w->tree);
		lines_encode(&outcome->err, view_of_buf(&outcome->result.err), w->tree);
		outcome->ok = check_outcome(report, s, command, outcome);
		if (outcome->result.timed_out)
			return 0;
	}
	return 0;
}

/* The files that the scenario leaves must be consistent. */
static int check_ending(const struct scenario *s, const struct workspace *w, const char *script,
	struct buf *report, struct error *err)
{
	CLEANUP(freep) char *path = realpath(s->path, NULL);
	CLEANUP(freep) char *line = xasprintf("sh '%s' '%s' 2>&1", script, path);
	CLEANUP(command_result_release) struct command_result result = {0};
	struct command_request request = {.line = line, .dir = w->tree, .env = w->env};

	if (command_run(&request, &result, err) < 0)
		return -1;
	command_end_all();
	if (result.status)
		buf_appendf(report, "%s: its end: exit code %d\n%s", s->path, result.status,
			result.out.data);
	return 0;
}

/* Returns -1 if it could not be run; what is not as expected is in the report. */
static int run_in(const struct scenario *s, struct workspace *w, const struct options *options,
	struct buf *report, struct error *err)
{
	CLEANUP(outcomes_release) struct outcomes outcomes = {0};

	if (workspace_fill(w, &s->before, NULL, err) < 0)
		return -1;
	if (run_commands(s, w, options->seconds, &outcomes, report, err) < 0)
		return -1;
	command_end_all();
	if (options->update && report->len) {
		buf_clear(report);
		if (update_file(s, &outcomes, err) < 0)
			return -1;
		printf("# updated: %s\n", s->path);
	}
	if (check_tree(report, s, w->tree, err) < 0)
		return -1;
	return options->ending ? check_ending(s, w, options->ending, report, err) : 0;
}

static void run_scenario(struct tap *tap, const char *path, const struct options *options)
{
	CLEANUP(scenario_release) struct scenario s = SCENARIO_INIT;
	CLEANUP(workspace_release) struct workspace w = {0};
	CLEANUP(buf_release) struct buf report = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *missing;

	if (scenario_read(&s, path, &err) < 0 ||
		workspace_init(&w, options->nanoclaw, &err) < 0) {
		tap_result(tap, false, path);
		tap_note(err.message);
		return;
	}
	w.keep = options->keep;
	missing = workspace_missing(&w, &s.needs);
	if (missing) {
		CLEANUP(freep) char *why = xasprintf("needs %s", missing);

		tap_skip(tap, s.claim, why);
		return;
	}
	if (run_in(&s, &w, options, &report, &err) < 0)
		buf_appendf(&report, "%s: %s\n", path, err.message);
	tap_result(tap, !report.len, s.claim);
	tap_note(report.data);
}

static int usage(void)
{
	fputs("usage: scenario [--ending SCRIPT] [--keep] [--seconds N] [--update] --nanoclaw PROGRAM FILE...\n",
		stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{"ending", required_argument, NULL, 'e'},
		{"keep", no_argument, NULL, 'k'},
		{"nanoclaw", required_argument, NULL, 'n'},
		{"seconds", required_argument, NULL, 's'},
		{"update", no_argument, NULL, 'u'},
		{0},
	};
	CLEANUP(lines_release) struct lines paths = LINES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct options options = {0};
	struct tap tap = {0};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'e')
			options.ending = optarg;
		else if (option == 'k')
			options.keep = true;
		else if (option == 'n')
			options.nanoclaw = optarg;
		else if (option == 's')
			options.seconds = (int)strtol(optarg, NULL, 10);
		else if (option == 'u')
			options.update = true;
		else
			return usage();
	}
	if (!options.nanoclaw || optind == argc)
		return usage();
	command_setup();
	for (int i = optind; i < argc; i++) {
		if (scenario_list(&paths, argv[i], &err) < 0) {
			fprintf(stderr, "error: %s\n", err.message);
			return 2;
		}
	}
	for (size_t i = 0; i < paths.count; i++)
		run_scenario(&tap, paths.items[i].text, &options);
	return tap_end(&tap);
}
