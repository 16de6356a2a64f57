/*
 * The guided tour: real commands on a copy of the sample project.
 *
 * On a terminal a person goes from step to step; elsewhere it runs through. It
 * is a list of steps: a new capability adds its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/quote.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/skills/sample.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/relpath.h"
#include "fs/replace.h"
#include "fs/scratch.h"
#include "fs/sys.h"
#include "proc/interrupt.h"
#include "proc/log.h"
#include "proc/process.h"

#define STEP_SECONDS    60
#define STEP_MAX_OUTPUT ((size_t)256 * 1024)

#define MAX_COMMANDS 4

struct step {
	const char *says; /* what will happen, and why */
	struct {
		const char *line; /* for sh, in the copy of the sample project */
		int expected_exit;
	} commands[MAX_COMMANDS + 1]; /* the last one is empty */
};

static const struct step steps[] = {
	{
		"This small project answers messages, one per line. It stands for any "
		"source\ntree: NanoClaw works with any language.",
		{{"printf 'hello\\nbuy milk\\n' | sh ./postbox"}},
	},
	{
		"Features come as skills: packages that change the source itself. These "
		"are\navailable.",
		{{"nanoclaw skill list"}},
	},
	{
		"Look first: a dry run shows what would happen to each file, and changes "
		"nothing.",
		{{"nanoclaw skill apply smile --dry-run"}, {"nanoclaw status"}},
	},
	{
		"Now for real. NanoClaw saves the core, merges the skill's changes, and "
		"runs the\nskill's own test.",
		{{"nanoclaw skill apply smile"}, {"echo hello | sh ./postbox"}},
	},
	{
		"Make it yours: change the greeting. Then apply a skill that changes the "
		"same\nfile. NanoClaw first records your change as a patch, and then "
		"merges both.",
		{
			{"sed -i 's/Hello!/Ahoy!/' lib/settings.sh"},
			{"nanoclaw skill apply polite --on-drift record"},
			{"sed -n '/^[-+]G/p' .nanoclaw/custom/*.patch; grep = lib/settings.sh"},
			{"echo hello | sh ./postbox"},
		},
	},
	{
		"Skills can build on each other. 'diary-search' changes a file that "
		"'diary' adds;\none command applies both in the right order.",
		{
			{"nanoclaw skill apply diary-search diary"},
			{"printf 'buy milk\\nfind milk\\n' | sh ./postbox"},
		},
	},
	{
		"Two changes may meet in the same line. For 'polite' and 'shout', which meet "
		"in\n'postbox', the project has a resolution. For yours and 'shout' nobody "
		"has one. No\nline is lost: the operation pauses, and the file shows yours, "
		"the original, and\nthe skill's.",
		{
			{"sed -i 's/=Postbox/=Mailbox/' lib/settings.sh"},
			{"nanoclaw skill apply shout --on-drift record", EXIT_PAUSED},
			{"sed -n '/^<<<</,/^>>>>/p' lib/settings.sh"},
		},
	},
	{
		"Until you resolve the conflict, nothing else changes. 'nanoclaw abort' "
		"would undo\neverything, to the byte.",
		{{"nanoclaw status"}, {"nanoclaw skill apply brief", EXIT_BUSY}},
	},
	{
		"Resolve it in your editor (here: sed), so that both changes take effect; "
		"then\n'continue' completes the operation.",
		{
			{"sed -i '/^<<<</,/^>>>>/c NAME=MAILBOX' lib/settings.sh"},
			{"nanoclaw continue"},
			{"echo hello | sh ./postbox"},
		},
	},
	{
		"Some skills declare a conflict with each other. NanoClaw refuses them, "
		"unless you\ninsist.",
		{{"nanoclaw skill apply brief", EXIT_INVALID}},
	},
	{
		"All or nothing: if a test fails, everything is rolled back. (This one "
		"is made to\nfail.)",
		{
			{"cp lib/answers.sh before; echo exit 1 >skills/brief/tests/brief.sh"},
			{"nanoclaw skill apply brief --allow-conflicts", EXIT_TEST},
			{"cmp lib/answers.sh before && echo the same"},
		},
	},
	{
		"A new core comes out. It answers 'help', and it changes a default: how it "
		"answers\nmost messages. Look at it first.",
		{
			{"nanoclaw update updates/1.0.0-to-1.1.0 --preview"},
		},
	},
	{
		"The update is merged into your files. A migration skill keeps the "
		"sentence that\nyou are used to; your greeting and everything else stay.",
		{
			{"nanoclaw --yes update updates/1.0.0-to-1.1.0"},
			{"printf 'hello\\nhelp\\nbuy milk\\n' | sh ./postbox"},
		},
	},
	{
		"To accept the new default, remove that skill.",
		{
			{"nanoclaw skill remove in-the-box"},
			{"echo buy milk | sh ./postbox"},
		},
	},
	{
		"For programs, every command prints JSON.",
		{{"nanoclaw --json skill apply smile"}},
	},
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

static int run_command(const char *line, int expected_exit, const char *folder,
	struct process_result *ret_result, struct error *err)
{
	const char *old_path = getenv("PATH");
	CLEANUP(freep)
	char *path = xasprintf(
		"PATH=%s/" PROGRAMS ":%s", folder, old_path ? old_path : "/usr/bin:/bin");
	CLEANUP(freep) char *project = xasprintf("%s/" PROJECT, folder);
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = (const char *const[]){"sh", "-c", line, NULL};
	request.env =
		(const char *const[]){path, "NANOCLAW_ALLOW_COMMANDS=1", "NO_COLOR=1", NULL};
	request.cwd = project;
	request.output = (struct process_stream){PROCESS_CAPTURE, STEP_MAX_OUTPUT};
	request.errors = (struct process_stream){PROCESS_WITH_OUTPUT};
	request.timeout_ms = STEP_SECONDS * 1000;
	if (process_run(&request, ret_result, err) < 0)
		return -1;
	if (ret_result->exit_code != expected_exit)
		return error_set(err, ERROR_FAILED,
			"this command ended with %d instead of %d:\n%s\n%s",
			ret_result->exit_code, expected_exit, line, ret_result->output.data);
	return 0;
}

static void command_result_print(const struct cli *cli, const struct process_result *result)
{
	struct view rest = view_of_buf(&result->output), line;

	while (view_next(&rest, '\n', &line))
		printf("%s%.*s\n", line.len ? "  " : "", VIEW_ARGS(line));
	if (result->exit_code)
		printf("  %s(exit code %d)%s\n", output_color(cli, COLOR_DIM),
			result->exit_code, output_color(cli, COLOR_RESET));
}

/* Returns false if the person has seen enough. */
static bool wait_for_person(const struct cli *cli)
{
	char answer[64];

	printf("\n%s[Enter] continue   [q] leave the tour%s ", output_color(cli, COLOR_DIM),
		output_color(cli, COLOR_RESET));
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && answer[0] != 'q' && answer[0] != 'Q';
}

/* Run the commands of a step, and add each with its result to `seen`. */
static int run_step(const struct cli *cli, const struct step *step, const char *folder,
	json_t *seen, struct error *err)
{
	for (size_t i = 0; i < MAX_COMMANDS && step->commands[i].line; i++) {
		CLEANUP(process_result_release)
		struct process_result result = PROCESS_RESULT_INIT;
		const char *line = step->commands[i].line;

		if (!cli->json) {
			printf("  %s$ %s%s\n", output_color(cli, COLOR_CYAN), line,
				output_color(cli, COLOR_RESET));
			fflush(stdout);
		}
		if (run_command(line, step->commands[i].expected_exit, folder, &result, err) <
			0)
			return -1;
		if (!cli->json)
			command_result_print(cli, &result);
		json_add(seen, "command:s output:v exitCode:i", line,
			view_of_buf(&result.output), result.exit_code);
	}
	return 0;
}

/* From the copy to the end of the steps. */
static int tour_show(struct cli *cli, const struct scratch *scratch, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(scratch->path));
	CLEANUP(freep) char *self = NULL;
	json_t *seen;

	if (!cli->json)
		printf("%sA tour of NanoClaw%s, on a copy of a sample project in %s\n",
			output_color(cli, COLOR_BOLD), output_color(cli, COLOR_RESET), shown);
	if (copy_sample(scratch->fd, err) < 0)
		return -1;
	/*
	 * A folder with a link to this very program, to be first in PATH: its own folder
	 * may have a colon in its name.
	 */
	self = realpath("/proc/self/exe", NULL);
	if (!self || sys.mkdir(scratch->fd, PROGRAMS, 0755) < 0 ||
		sys.symlink(self, scratch->fd, PROGRAMS "/nanoclaw") < 0)
		return error_errno(err, "cannot set up the tour");
	seen = json_array();
	for (size_t i = 0; i < ARRAY_SIZE(steps) && !interrupt_pending(); i++) {
		json_t *commands = json_array();

		json_add(seen, "says:s commands:o", steps[i].says, commands);
		if (!cli->json) {
			CLEANUP(buf_release) struct buf says = BUF_INIT;

			output_wrap(&says, steps[i].says, (int)strlen("15 of 15  "));
			printf("\n%s%2zu of %zu%s  ", output_color(cli, COLOR_BOLD), i + 1,
				ARRAY_SIZE(steps), output_color(cli, COLOR_RESET));
			printf("%s\n\n", says.data);
		}
		if (run_step(cli, &steps[i], scratch->path, commands, err) < 0) {
			json_decref(seen);
			return -1;
		}
		if (cli->interactive && i + 1 < ARRAY_SIZE(steps) && !wait_for_person(cli))
			break;
	}
	if (cli->json)
		output_success("steps:o", seen);
	else
		json_decref(seen);
	return 0;
}

static int run_tour(struct cli *cli, const struct arguments *args, struct error *err)
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
	failed = tour_show(cli, &scratch, err) < 0;
	if (scratch_remove(&scratch, &cleanup_error) < 0)
		log_warning("the copy stays: %s", cleanup_error.message);
	interrupt_release();
	if (failed)
		return -1;
	if (!cli->json)
		printf("\nThat was the tour; the copy is deleted. 'nanoclaw help' shows the "
		       "commands to start with.\n");
	return EXIT_DONE;
}

COMMAND(tour) = {
	.name = "tour",
	.summary = "see the commands at work on a sample project",
	.description =
		"Runs real commands on a temporary copy of a small project and explains them. On a\n"
		"terminal it waits for you after each step; elsewhere it runs through.",
	.section = SECTION_START,
	.first = 4,
	.run = run_tour,
};
