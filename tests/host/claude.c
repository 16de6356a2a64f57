/*
 * Claude Code itself as the agent of the host, in its sandbox, with a model that serve.py
 * simulates. The model answers with the number of messages in the conversation and the text of
 * the last one, or with the result of a command or host tool that the message asked for.
 *
 *	claude HOST AGENT BRIDGE	with SERVER and NANOCLAW_CLAUDE (tests/claude/run.sh)
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "fs/tree.h"

static void set_up(struct driver *d, char **programs)
{
	CLEANUP(freep) char *server = xasprintf("%s/talk", getenv("SERVER"));

	driver_init(d, programs[1], programs[2], programs[3]);
	driver_set(d, "NANOCLAW_AGENT", "claude");
	driver_set(d, "NANOCLAW_CLAUDE", getenv("NANOCLAW_CLAUDE"));
	driver_set(d, "ANTHROPIC_BASE_URL", server);
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

/* Everything that Claude Code has kept of its own. */
static void forget_sessions(struct driver *d)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/data/sessions/main", d->root);
	CLEANUP(closep) int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (tree_remove(folder, ".claude", &err) < 0)
		driver_fail(d, "%s", err.message);
}

static bool file_says(struct driver *d, const char *name, const char *text)
{
	CLEANUP(freep) char *path = xasprintf("%s/groups/main/%s", d->root, name);
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char content[100] = "";

	return fd >= 0 && read(fd, content, sizeof(content) - 1) > 0 && !strcmp(content, text);
}

static bool starts_again(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_start_ready(d);
	return ok;
}

/* The tools of the main group, by their names. */
#define ALL_TOOLS                                                                              \
	"cancel_task edit_message find_chats get_group_config get_task_runs list_channels"     \
	" list_groups list_tasks pause_task react register_group remember_globally"            \
	" remove_group resume_task schedule_task send_file send_message set_group"             \
	" set_group_config set_state update_task"

/* The answer has this in it. */
static bool answers_with(struct driver *d, const char *text, const char *wanted)
{
	const char *const words[] = {"send", "main", text, "--wait", NULL};
	CLEANUP(freep) char *answer = driver_run(d, words, NULL);

	if (strstr(answer, wanted))
		return true;
	printf("# '%s' was wanted\n", wanted);
	tap_note(answer);
	explain(d);
	return false;
}

static bool sends_a_message(struct driver *d)
{
	return answers(d, "use send_message {\"text\": \"hello from a tool\"}",
		       "hello from a tool\n6: The message is on its way.") &&
	       driver_number(d, "SELECT count(*) FROM outbox WHERE kind = 'message'"
				" AND content = 'hello from a tool' AND turn = 6") == 1;
}

static bool schedules_a_task(struct driver *d)
{
	return answers_with(d,
		       "use schedule_task {\"prompt\": \"water\", \"schedule_type\": "
		       "\"cron\", \"schedule_value\": \"99 * * * *\"}",
		       "7: schedule_task was not done: ") &&
	       answers_with(d,
		       "use schedule_task {\"prompt\": \"water\", \"schedule_type\": "
		       "\"cron\", \"schedule_value\": \"0 9 * * 1-5\"}",
		       "\"scheduleValue\":\"0 9 * * 1-5\"") &&
	       driver_number(d, "SELECT count(*) FROM scheduled_tasks"
				" WHERE prompt = 'water' AND group_folder = 'main'") == 1;
}

/* After the host has ended, so that all of it is there. */
static bool log_has_all(struct driver *d)
{
	return driver_number(d, "SELECT count(*) FROM audit WHERE what = 'send_message'"
				" AND outcome = 'done' AND turn = 6"
				" AND detail LIKE '%hello from a tool%'") == 1 &&
	       driver_number(d, "SELECT count(*) FROM audit WHERE what = 'schedule_task'"
				" AND outcome = 'refused' AND turn = 7") == 1 &&
	       driver_number(d, "SELECT count(*) FROM audit WHERE what = 'schedule_task'"
				" AND outcome = 'done' AND turn = 8") == 1;
}

/* Every request counts, under the name that the model reports, without a known price. */
static bool shows_usage(struct driver *d)
{
	CLEANUP(freep)
	char *output = driver_run(
		d, (const char *const[]){"usage", "main", "--by", "model", NULL}, NULL);
	CLEANUP(freep)
	char *row = xasprintf(" %d ", (int)driver_number(d, "SELECT count(*) FROM usage"));
	bool ok =
		strstr(output, "\nplayed ") && strstr(output, row) && strstr(output, "up to $");

	if (!ok)
		tap_note(output);
	return ok;
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
	tap_result(&tap,
		answers(&d, "run echo written >note.txt; pwd", "3: /workspace/agent") &&
			file_says(&d, "note.txt", "written\n"),
		"a tool works in the folder of the group");
	tap_result(&tap,
		answers(&d, "run (echo no >container.json) 2>/dev/null || echo refused",
			"4: refused") &&
			file_says(&d, "container.json", "{}\n"),
		"and not beyond what the host has");
	tap_result(&tap,
		driver_number(&d, "SELECT count(*) FROM steps WHERE kind = 'tool'"
				  " AND detail LIKE 'Bash {\"command\":%'") == 2 &&
			driver_number(&d, "SELECT count(*) FROM steps WHERE kind = 'said'"
					  " AND detail = 'Let me see.'") == 2 &&
			driver_number(&d, "SELECT count(DISTINCT turn) FROM usage"
					  " WHERE source = 'api' AND input_tokens > 0") == 4 &&
			driver_number(&d, "SELECT count(*) FROM usage"
					  " WHERE source = 'agent'") == 0,
		"what it did and what that cost is noted");
	tap_result(&tap, answers(&d, "tools", "5: " ALL_TOOLS),
		"it has the tools of the host, and needs no network for that");
	tap_result(&tap, sends_a_message(&d), "it sends a message through MCP");
	tap_result(&tap, schedules_a_task(&d), "and schedules a task, after a mistake");
	tap_result(&tap, shows_usage(&d), "'nanoclaw usage' has what the API has counted");
	tap_result(&tap, starts_again(&d) && answers(&d, "after a while", "9: after a while"),
		"after a restart the session goes on");
	driver_stop(&d);
	tap_result(&tap, log_has_all(&d), "the audit log has each call and its outcome");
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
