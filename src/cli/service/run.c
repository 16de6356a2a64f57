#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/service/current_build.h"
#include "cli/service/guard.h"
#include "cli/service/serve.h"
#include "host/chat/alert.h"
#include "proc/log.h"
#include "proc/notify.h"

static void report_ready(void *data)
{
	const struct assistant *assistant = data;

	log_note("the host of '%s' is running (pid %d); Ctrl-C stops it",
		assistant->project.path, (int)getpid());
	notify_send("READY=1\nSTATUS=messages are taken");
}

static int run_run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;

	const char *guard = arguments_value(args, "guard");

	if (assistant_find_project(&assistant, err) < 0 ||
		(guard && guard_hold(guard, err) < 0))
		return -1;
	current_build_enter(cli, &assistant.project, (const char *const[]){"run", NULL}, true);
	if (assistant_read_settings(&assistant, err) < 0 ||
		serve(cli, &assistant, report_ready, &assistant, err) < 0) {
		int code;

		current_build_refuses(&assistant.project, err);
		code = err->kind == ERROR_INVALID ? EXIT_INVALID : EXIT_FAILED;
		if (err->kind == ERROR_BUSY)
			return -1;
		output_error(cli, err); /* the command may take a minute */
		fflush(stdout);
		alert_failed_start(assistant.project.root, &assistant.settings, err);
		error_clear(err);
		return code;
	}
	if (cli->json)
		output_success("");
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "guard", "COMMAND",
		"run only while COMMAND runs, from its first line of output on"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw run", "runs until Ctrl-C or SIGTERM"},
	{"nanoclaw run --guard 'etcdctl lock nanoclaw'", "only with this lock"},
	{0},
};

COMMAND(run) = {
	.name = "run",
	.summary = "run the assistant's host in the foreground",
	.description =
		"The host receives messages from the channels, lets each group's agent answer them,\n"
		"and delivers the answers. SIGTERM and Ctrl-C stop it cleanly; after a kill, the\n"
		"next run continues where it stopped. A second host in the same project ends with\n"
		"exit code 4.\n"
		"\n"
		"Settings come from the environment, else from '.env':\n"
		"\n"
		"  ASSISTANT_NAME          its name, which also makes the trigger (Andy)\n"
		"  NANOCLAW_AGENT          the agents' program (offline: no model)\n"
		"  NANOCLAW_AGENT_ENV      names of settings that agents get, separated by commas\n"
		"  ANTHROPIC_API_KEY       the API key, which agents do not get\n"
		"  NANOCLAW_AGENTS         maximum number of running agents, without main's (5)\n"
		"  NANOCLAW_TURN_SECONDS   time without a sign of life until an agent is killed (600)\n"
		"  NANOCLAW_TURN_TRIES     attempts per turn (3)\n"
		"  NANOCLAW_IDLE_SECONDS   time until an idle agent is ended (300)\n"
		"\n"
		"docs/host.md has the others.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.run = run_run,
};
