/*
 * Claude Code itself as the agent of the host, with a model that serve.py plays: its
 * answer is how many messages the conversation has, and what the last one said.
 *
 *	claude HOST AGENT BRIDGE	with SERVER and NANOCLAW_CLAUDE (tests/claude/run.sh)
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/tap.h"
#include "driver.h"
#include "util/tree.h"

static void set_up(struct driver *d, char **programs)
{
	CLEANUP(freep)
	char *command = xasprintf("'%s' -p --verbose --input-format stream-json"
				  " --output-format stream-json --replay-user-messages",
		getenv("NANOCLAW_CLAUDE"));
	CLEANUP(freep) char *server = xasprintf("%s/talk", getenv("SERVER"));

	driver_init(d, programs[1], programs[2], programs[3]);
	driver_set(d, "NANOCLAW_AGENT", command);
	driver_set(d, "NANOCLAW_AGENT_ENV",
		"ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, DISABLE_AUTOUPDATER,"
		" CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC, NO_PROXY, no_proxy");
	driver_set(d, "ANTHROPIC_API_KEY", "none");
	driver_set(d, "ANTHROPIC_BASE_URL", server);
	driver_set(d, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
	driver_set(d, "DISABLE_AUTOUPDATER", "1");
	driver_set(d, "NO_PROXY", "127.0.0.1");
	driver_set(d, "no_proxy", "127.0.0.1");
}

static void explain(struct driver *d)
{
	CLEANUP(freep)
	char *turn = xasprintf(
		"t%d", (int)driver_number(d, "SELECT coalesce(max(id), 0) FROM turns"));
	CLEANUP(freep)
	char *trace = driver_run(d, (const char *const[]){"trace", turn, NULL}, NULL);

	tap_note(trace);
}

static bool answers(struct driver *d, const char *text, const char *wanted)
{
	const char *const words[] = {"send", "main", text, "--wait", NULL};
	CLEANUP(freep) char *line = xasprintf("%s\n", wanted);
	int exit_code;
	CLEANUP(freep) char *answer = driver_run(d, words, &exit_code);
	bool ok = exit_code == 0 && !strcmp(answer, line);

	if (!ok) {
		printf("# exit code %d, '%s' was wanted\n", exit_code, wanted);
		tap_note(answer);
		explain(d);
	}
	return ok;
}

static void forget_sessions(struct driver *d)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int home = open(getenv("HOME"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (tree_remove(home, ".claude", &err) < 0)
		driver_fail(d, "%s", err.message);
}

int main(int argc, char **argv)
{
	struct tap tap = {0};
	struct driver d;

	if (argc != 4)
		return 2;
	set_up(&d, argv);
	driver_start_ready(&d);
	tap_result(&tap, answers(&d, "hello", "1: hello"), "a message is answered");
	tap_result(&tap, answers(&d, "again", "2: again"), "the next one goes on with it");
	driver_stop(&d);
	driver_start_ready(&d);
	tap_result(&tap, answers(&d, "after a while", "3: after a while"),
		"after a restart the session goes on");
	driver_stop(&d);
	forget_sessions(&d);
	driver_start_ready(&d);
	tap_result(&tap, answers(&d, "who are you?", "1: who are you?"),
		"a session that is not known any more begins afresh");
	tap_result(&tap,
		driver_number(&d, "SELECT count(*) FROM turns WHERE failures > 0") == 0,
		"and none of this has counted as a failure");
	tap_result(&tap, driver_stop(&d) == 0, "it ends with its host");
	driver_release(&d);
	return tap_end(&tap);
}
