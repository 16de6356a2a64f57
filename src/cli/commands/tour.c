/*
 * The guided tour: real commands on a copy of the sample project.
 *
 * On a terminal a person goes from step to step; elsewhere it runs through. It
 * is a list of steps: a new capability adds its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/sample.h"
#include "util/beneath.h"
#include "util/buf.h"
#include "util/interrupt.h"
#include "util/json.h"
#include "util/log.h"
#include "util/process.h"
#include "util/quote.h"
#include "util/relpath.h"
#include "util/replace.h"
#include "util/scratch.h"
#include "util/sys.h"

#define STEP_SECONDS    60
#define STEP_MAX_OUTPUT ((size_t)256 * 1024)

struct step {
	const char *says;    /* what is going to happen, and why */
	const char *command; /* for sh, in the copy of the sample project */
	int expected_exit;
};

static const struct step steps[] = {
	{"This is a small project that answers messages, one per line. It stands for any\n"
	 "source tree: NanoClaw does not care about the language.",
		"printf 'hello\\nbuy milk\\n' | sh ./postbox", 0},
	{"You make it yours: the greeting is changed in lib/settings.sh. The original is\n"
	 "kept as settings.base, so that changes can be told from each other later.",
		"cp lib/settings.sh settings.base\n"
		"sed -i 's/Hello!/Good morning!/' lib/settings.sh\n"
		"grep GREETING lib/settings.sh",
		0},
	{"Meanwhile somebody else has changed another line of the same file.",
		"sed 's/See you/Take care/' settings.base > settings.theirs\n"
		"grep FAREWELL settings.theirs",
		0},
	{"A three-way merge keeps both changes. This is what every skill is applied with;\n"
	 "the result is that of git, to the byte, without git.",
		"nanoclaw merge-file lib/settings.sh settings.base settings.theirs\n"
		"printf 'hello\\nbye\\n' | sh ./postbox",
		0},
	{"Where both changed the same line, nobody's line is lost: both are shown, and the\n"
	 "exit code is the number of conflicts.",
		"sed 's/Hello!/Ahoy!/' settings.base > settings.theirs\n"
		"nanoclaw merge-file -p --diff3 -L yours -L original -L theirs \\\n"
		"    lib/settings.sh settings.base settings.theirs",
		1},
	{"Mistakes get an answer that leads on.", "nanoclaw marge-file", 2},
	{"And every command speaks JSON to programs.", "nanoclaw --json version", 0},
};

/* In the temporary folder. */
#define PROJECT  "postbox"
#define PROGRAMS "bin"

static int copy_sample(int folder, struct error *err)
{
	for (const struct sample_file *file = sample_files; file->path; file++) {
		CLEANUP(freep) char *name = xasprintf(PROJECT "/%s", file->path);
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(closep) int parent = -1;
		struct view content = {(const char *)file->content, file->len};

		if (relpath_parse(view_of(name), &path, err) < 0 ||
			beneath_open_parent(folder, &path, BENEATH_CREATE, &parent, err) < 0 ||
			replace_file(parent, relpath_base(&path), content, file->mode, NULL,
				REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC,
				err) < 0)
			return error_prefix(err, "cannot set up the sample project");
	}
	return 0;
}

/*
 * A folder with a link to this very program, to be first in PATH: its own folder
 * may have a colon in its name.
 */
static int link_program(int folder, struct error *err)
{
	CLEANUP(freep) char *self = realpath("/proc/self/exe", NULL);

	if (!self || sys.mkdir(folder, PROGRAMS, 0755) < 0 ||
		sys.symlink(self, folder, PROGRAMS "/nanoclaw") < 0)
		return error_errno(err, "cannot set up the tour");
	return 0;
}

static int run_step(const struct step *step, const char *folder,
	struct process_result *ret_result, struct error *err)
{
	const char *old_path = getenv("PATH");
	CLEANUP(freep)
	char *path = xasprintf(
		"PATH=%s/" PROGRAMS ":%s", folder, old_path ? old_path : "/usr/bin:/bin");
	CLEANUP(freep) char *project = xasprintf("%s/" PROJECT, folder);
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = (const char *const[]){"sh", "-c", step->command, NULL};
	request.env = (const char *const[]){path, "NO_COLOR=1", NULL};
	request.cwd = project;
	request.output = (struct process_stream){PROCESS_CAPTURE, STEP_MAX_OUTPUT};
	request.errors = (struct process_stream){PROCESS_WITH_OUTPUT};
	request.timeout_ms = STEP_SECONDS * 1000;
	if (process_run(&request, ret_result, err) < 0)
		return -1;
	if (ret_result->exit_code != step->expected_exit)
		return error_set(err, ERROR_FAILED,
			"this step ended with %d instead of %d:\n%s\n%s", ret_result->exit_code,
			step->expected_exit, step->command, ret_result->output.data);
	return 0;
}

/* "$ command", with the lines after the first one under it. */
static void print_command(const struct cli *cli, const char *command)
{
	struct view rest = view_of(command), line;
	bool continued = false;

	while (view_next(&rest, '\n', &line)) {
		printf("  %s%s %.*s%s\n", output_color(cli, COLOR_CYAN), continued ? " " : "$",
			VIEW_ARGS(line), output_color(cli, COLOR_RESET));
		continued = view_ends_with(line, "\\");
	}
}

static void print_output(const struct buf *output)
{
	struct view rest = view_of_buf(output), line;

	while (view_next(&rest, '\n', &line))
		printf("  %.*s\n", VIEW_ARGS(line));
}

/* Returns false if the person has seen enough. */
static bool wait_for_person(const struct cli *cli)
{
	char answer[64];

	printf("\n%s[Enter] go on   [q] leave the tour%s ", output_color(cli, COLOR_DIM),
		output_color(cli, COLOR_RESET));
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && answer[0] != 'q' && answer[0] != 'Q';
}

static void introduce_step(const struct cli *cli, size_t number)
{
	printf("\n%s%zu of %zu%s  ", output_color(cli, COLOR_BOLD), number + 1,
		ARRAY_SIZE(steps), output_color(cli, COLOR_RESET));
	printf("%s\n\n", steps[number].says);
	print_command(cli, steps[number].command);
	fflush(stdout);
}

static json_t *step_as_json(const struct step *step, const struct process_result *result)
{
	return json_pack("{s:s, s:s, s:o, s:i}", "says", step->says, "command", step->command,
		"output", json_text(view_of_buf(&result->output)), "exitCode",
		result->exit_code);
}

static int walk_through(struct cli *cli, const char *folder, struct error *err)
{
	json_t *seen = json_array();

	for (size_t i = 0; i < ARRAY_SIZE(steps) && !interrupt_pending(); i++) {
		CLEANUP(process_result_release)
		struct process_result result = PROCESS_RESULT_INIT;

		if (!cli->json)
			introduce_step(cli, i);
		if (run_step(&steps[i], folder, &result, err) < 0) {
			json_decref(seen);
			return -1;
		}
		json_array_append_new(seen, step_as_json(&steps[i], &result));
		if (!cli->json)
			print_output(&result.output);
		if (cli->interactive && i + 1 < ARRAY_SIZE(steps) && !wait_for_person(cli))
			break;
	}
	if (cli->json)
		output_json(json_pack("{s:b, s:o}", "success", true, "steps", seen));
	else
		json_decref(seen);
	return 0;
}

/* From the copy to the end of the steps. */
static int show(struct cli *cli, const struct scratch *scratch, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(scratch->path));

	if (!cli->json)
		printf("%sA tour of NanoClaw%s, on a copy of a sample project in %s\n",
			output_color(cli, COLOR_BOLD), output_color(cli, COLOR_RESET), shown);
	if (copy_sample(scratch->fd, err) < 0 || link_program(scratch->fd, err) < 0)
		return -1;
	return walk_through(cli, scratch->path, err);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(error_release) struct error cleanup_error = ERROR_INIT;
	struct scratch scratch;
	int failed;

	(void)args;
	interrupt_catch();
	if (scratch_make("nanoclaw-tour-", &scratch, err) < 0) {
		interrupt_release();
		return -1;
	}
	failed = show(cli, &scratch, err) < 0;
	if (scratch_remove(&scratch, &cleanup_error) < 0)
		log_warning("the copy stays: %s", cleanup_error.message);
	interrupt_release();
	if (failed)
		return -1;
	if (!cli->json)
		printf("\nThat was the tour; the copy is gone again. 'nanoclaw help' lists "
		       "all commands.\n");
	return EXIT_DONE;
}

COMMAND(tour) = {
	.name = "tour",
	.summary = "see the commands at work on a sample project",
	.description =
		"Runs real commands on a temporary copy of a small project and explains them. On a\n"
		"terminal you go from step to step; elsewhere it runs through.",
	.section = SECTION_START,
	.run = run,
};
