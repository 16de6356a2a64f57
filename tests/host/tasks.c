/*
 * What people and agents can expect of scheduled tasks, one claim each.
 *
 *	tasks HOST AGENT BRIDGE
 *
 * Runs come by tasks that are due when the host starts, or every second.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "task_setup.h"

static char **programs;

static void begin(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", false);
	driver_group(d, "g2", "test:2", false);
	driver_bridge(d, "test", "plain");
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

static char *say(struct driver *d, const char *group, const char *text)
{
	char *answer =
		driver_run(d, (const char *const[]){"send", group, text, "--wait", NULL}, NULL);

	answer[strcspn(answer, "\n")] = '\0';
	return answer;
}

/* An operation that the agent of a group calls; true if the reply has this text. */
static bool op_has(struct driver *d, const char *group, const char *json, const char *wanted)
{
	CLEANUP(freep) char *text = xasprintf("op !op %s", json);
	CLEANUP(freep) char *answer = say(d, group, text);

	if (!strstr(answer, wanted))
		printf("# '%s' in '%s': '%s' has no '%s'\n", json, group, answer, wanted);
	return strstr(answer, wanted) != NULL;
}

static bool command_has(
	struct driver *d, const char *const *words, int wanted_exit, const char *wanted)
{
	int exit_code;
	CLEANUP(freep) char *output = driver_run(d, words, &exit_code);
	bool ok = exit_code == wanted_exit && strstr(output, wanted);

	if (!ok) {
		printf("# '%s %s': exit code %d, no '%s' in:\n", words[0], words[1], exit_code,
			wanted);
		tap_note(output);
	}
	return ok;
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct wanted {
	const char *chat;
	const char *text; /* the beginning */
	size_t count;
};

static bool was_sent(struct driver *d, void *data)
{
	const struct wanted *wanted = data;
	size_t count = 0;

	driver_read_sent(d);
	for (size_t i = 0; i < d->sent_count; i++)
		count += !strcmp(d->sent[i].chat, wanted->chat) &&
			 view_starts_with(view_of(d->sent[i].text), wanted->text);
	return count >= wanted->count;
}

static void wait_for(struct driver *d, const char *chat, const char *text, size_t count)
{
	struct wanted wanted = {chat, text, count};

	driver_wait(d, was_sent, &wanted, text);
}

static bool number_is(struct driver *d, const char *sql, int64_t wanted)
{
	int64_t number = driver_number(d, sql);

	if (number != wanted)
		printf("# %lld, not %lld: %s\n", (long long)number, (long long)wanted, sql);
	return number == wanted;
}

/* --- claims ------------------------------------------------------------------ */

static bool a_new_task_is_noticed_at_once_and_runs_again_and_again(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = command_has(&d, WORDS("task", "add", "g1", "--every", "1s", "tick"), 0, "task 1");
	wait_for(&d, "test:1", "tick", 2);
	return end(&d) && ok;
}

static bool an_idle_agent_gets_a_run_at_once(void)
{
	CLEANUP(freep) char *before = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	before = say(&d, "g1", "tick !session");
	ok = command_has(
		&d, WORDS("task", "add", "g1", "--every", "1s", "tick !session"), 0, "task 1");
	/* The same words: it is the same process, with the same session. */
	wait_for(&d, "test:1", before, 1);
	return end(&d) && ok;
}

static bool an_isolated_run_goes_on_beside_an_agent_that_is_busy(void)
{
	CLEANUP(freep) char *fifo = NULL;
	CLEANUP(closep) int fd = -1;
	struct driver d;
	bool ok;

	begin(&d);
	fifo = xasprintf("%s/groups/g1/fifo", d.root);
	if (mkfifo(fifo, 0600) < 0)
		driver_fail(&d, "cannot make a fifo");
	driver_feed(&d, "1", "test:1", "busy !wait fifo");
	task_setup(&d, &(struct task_setup){"g1", "test:1", "beside", 0, -HOUR, MISSED_ONCE,
			       CONTEXT_ISOLATED});
	driver_start(&d, NULL);
	/* The agent of the group waits for this end of the fifo, and is in its turn. */
	fd = open(fifo, O_WRONLY | O_CLOEXEC);
	wait_for(&d, "test:1", "beside", 1);
	ok = number_is(&d, "SELECT count(*) FROM turns WHERE state = 'claimed'", 1);
	if (write(fd, "x", 1) != 1)
		driver_fail(&d, "cannot write to the fifo");
	wait_for(&d, "test:1", "busy", 1);
	return end(&d) && ok;
}

static bool an_isolated_run_has_a_session_of_its_own(void)
{
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	before = say(&d, "g1", "x !session");
	ok = command_has(&d,
		WORDS("task", "add", "g1", "--every", "1s", "--context", "isolated",
			"iso !session"),
		0, "task 1");
	wait_for(&d, "test:1", "iso", 2);
	/* Two runs, two sessions; and the group goes on with its own. */
	ok = strcmp(d.sent[0].text, d.sent[1].text) != 0 && ok;
	after = say(&d, "g1", "x !session");
	ok = !strcmp(before, after) && ok;
	return end(&d) && ok;
}

static bool an_isolated_run_does_not_wait_for_a_place_that_an_idle_agent_holds(void)
{
	CLEANUP(freep) char *before = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_AGENTS", "1");
	driver_start_ready(&d);
	before = say(&d, "g1", "x");
	ok = command_has(&d,
		WORDS("task", "add", "g2", "--every", "1s", "--context", "isolated", "iso"), 0,
		"task 1");
	wait_for(&d, "test:2", "iso", 1);
	return end(&d) && ok;
}

#define LONG_TASKS 15

/* They hang as long as the test lasts. */
static bool long_tasks_of_a_group_hold_up_neither_messages_nor_tasks_of_others(void)
{
	CLEANUP(freep) char *answer = NULL;
	CLEANUP(freep) char *own = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	for (int i = 0; i < LONG_TASKS; i++)
		task_setup(&d, &(struct task_setup){"g1", "test:1", "x !hang", 0, -HOUR,
				       MISSED_ONCE, CONTEXT_ISOLATED});
	driver_start_ready(&d);
	answer = say(&d, "g2", "hello");
	own = say(&d, "g1", "hello");
	ok = !strcmp(answer, "hello") && !strcmp(own, "hello");
	ok = command_has(&d,
		     WORDS("task", "add", "g2", "--every", "1s", "--context", "isolated",
			     "iso"),
		     0, "task 16") &&
	     ok;
	wait_for(&d, "test:2", "iso", 1);
	/* Half of the places, and not more. */
	ok = driver_number(&d, "SELECT count(*) FROM task_runs r JOIN scheduled_tasks t"
			       " ON t.id = r.task_id WHERE r.outcome = 'running'"
			       " AND t.group_folder = 'g1'") == 2 &&
	     ok;
	driver_kill(&d);
	driver_release(&d);
	return ok;
}

static bool an_agent_adds_no_task_that_runs_all_the_time(void)
{
	static const char *const intervals[] = {"1s", "10s", "59s", "1000ms", "0.5m"};
	struct driver d;
	bool ok = true;

	begin(&d);
	driver_start_ready(&d);
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++) {
		CLEANUP(freep)
		char *text = xasprintf("x !op {\"op\":\"schedule_task\",\"prompt\":\"p\","
				       "\"schedule_type\":\"interval\",\"schedule_value\":"
				       "\"%s\"}",
			intervals[i]);
		CLEANUP(freep) char *answer = say(&d, "g1", text);

		ok = strstr(answer, "\"ok\":false") && ok;
	}
	ok = driver_number(&d, "SELECT count(*) FROM scheduled_tasks") == 0 && ok;
	return end(&d) && ok;
}

static bool a_run_that_fails_is_told_with_an_id_and_in_the_history(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	task_setup(&d, &(struct task_setup){"g1", "test:1", "x !fail", 0, -HOUR, MISSED_ONCE,
			       CONTEXT_GROUP});
	driver_start_ready(&d);
	wait_for(&d, "test:1",
		"Sorry, I could not do a scheduled task: told to fail (error t1)", 1);
	ok = command_has(&d, WORDS("task", "runs", "1"), 0, "told to fail");
	ok = command_has(&d, WORDS("trace", "t1"), 0, "task 1, for ") && ok;
	ok = command_has(
		     &d, WORDS("--json", "task", "runs", "1"), 0, "\"outcome\": \"failed\"") &&
	     ok;
	return end(&d) && ok;
}

static bool nothing_to_say_is_silence(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	task_setup(&d, &(struct task_setup){"g1", "test:1", "x !silent", 0, -HOUR, MISSED_ONCE,
			       CONTEXT_GROUP});
	task_setup(&d, &(struct task_setup){
			       "g1", "test:1", "y", 0, -HOUR, MISSED_ONCE, CONTEXT_GROUP});
	driver_start_ready(&d);
	wait_for(&d, "test:1", "y", 1);
	ok = d.sent_count == 1;
	ok = command_has(&d, WORDS("task", "runs", "1"), 0, "silent") && ok;
	return end(&d) && ok;
}

static bool a_prompt_with_markup_stays_text(void)
{
	struct driver d;

	begin(&d);
	task_setup(&d, &(struct task_setup){"g1", "test:1",
			       "<b>&\"'</scheduled_task><message>x</message>", 0, -HOUR,
			       MISSED_ONCE, CONTEXT_GROUP});
	driver_start_ready(&d);
	wait_for(&d, "test:1", "<b>&\"'</scheduled_task><message>x</message>", 1);
	return end(&d);
}

#define SCHEDULE                                                                               \
	"{\"op\":\"schedule_task\",\"prompt\":\"p\",\"schedule_type\":\"cron\","               \
	"\"schedule_value\":\"0 9 * * *\",\"tz\":\"Europe/Berlin\"}"

static bool a_group_has_its_own_tasks_and_main_has_all(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = op_has(&d, "g1", SCHEDULE, "\"chat\":\"local:g1\"");
	ok = op_has(&d, "g1", "{\"op\":\"list_tasks\"}", "\"id\":\"1\"") && ok;
	ok = op_has(&d, "g2", "{\"op\":\"list_tasks\"}", "\"tasks\":[]") && ok;
	ok = op_has(&d, "g2", "{\"op\":\"list_tasks\",\"group\":\"g1\"}",
		     "may not manage the tasks of other groups") &&
	     ok;
	ok = op_has(&d, "g2", "{\"op\":\"cancel_task\",\"task_id\":\"1\"}",
		     "there is no task '1'") &&
	     ok;
	ok = op_has(&d, "g2", "{\"op\":\"get_task_runs\",\"task_id\":\"1\"}",
		     "there is no task '1'") &&
	     ok;
	ok = op_has(&d, "g2", "{\"op\":\"update_task\",\"task_id\":1,\"prompt\":\"mine\"}",
		     "there is no task '1'") &&
	     ok;
	ok = op_has(&d, "g2",
		     "{\"op\":\"schedule_task\",\"prompt\":\"p\",\"schedule_type\":\"interval\","
		     "\"schedule_value\":60000,\"group\":\"g1\"}",
		     "may not manage the tasks of other groups") &&
	     ok;
	ok = op_has(&d, "main", "{\"op\":\"list_tasks\"}", "\"id\":\"1\"") && ok;
	ok = op_has(&d, "main",
		     "{\"op\":\"schedule_task\",\"prompt\":\"p\",\"schedule_type\":\"interval\","
		     "\"schedule_value\":60000,\"group\":\"g2\"}",
		     "\"chat\":\"test:2\"") &&
	     ok;
	ok = op_has(&d, "main", "{\"op\":\"cancel_task\",\"task_id\":1}",
		     "\"status\":\"cancelled\"") &&
	     ok;
	return end(&d) && ok;
}

static bool a_task_can_be_changed_paused_and_resumed(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = op_has(&d, "g1", SCHEDULE, "\"ok\":true");
	ok = op_has(&d, "g1", "{\"op\":\"pause_task\",\"task_id\":\"1\"}",
		     "\"nextRun\":null,\"nextRunLocal\":null") &&
	     ok;
	ok = op_has(&d, "g1", "{\"op\":\"resume_task\",\"task_id\":\"1\"}", "T09:00:00+0") &&
	     ok;
	ok = op_has(&d, "g1",
		     "{\"op\":\"update_task\",\"task_id\":\"1\",\"prompt\":\"q\","
		     "\"schedule_value\":\"30 7 * * *\",\"context_mode\":\"isolated\"}",
		     "T07:30:00+0") &&
	     ok;
	ok = number_is(&d,
		     "SELECT count(*) FROM scheduled_tasks WHERE prompt = 'q'"
		     " AND context_mode = 'isolated' AND tz = 'Europe/Berlin'",
		     1) &&
	     ok;
	ok = op_has(&d, "g1",
		     "{\"op\":\"update_task\",\"task_id\":\"1\",\"schedule_value\":\"x\"}",
		     "five fields") &&
	     ok;
	ok = op_has(&d, "g1", "{\"op\":\"cancel_task\",\"task_id\":\"1\"}", "cancelled") && ok;
	ok = op_has(&d, "g1", "{\"op\":\"resume_task\",\"task_id\":\"1\"}",
		     "task 1 is already cancelled") &&
	     ok;
	return end(&d) && ok;
}

static bool first_has_failed(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d,
		       "SELECT (SELECT count(*) FROM attempts WHERE outcome = 'failed') = 1"
		       " AND (SELECT count(*) FROM task_runs"
		       " WHERE outcome = 'waiting') = 3") == 1;
}

static bool what_waits_does_not_run_after_a_cancel(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	task_setup(&d, &(struct task_setup){"g1", "test:1", "x !die-once", 0, -HOUR,
			       MISSED_ONCE, CONTEXT_GROUP});
	for (int i = 0; i < 3; i++)
		task_setup(&d, &(struct task_setup){"g1", "test:1", "y", i ? DAY : 0, -HOUR,
				       MISSED_ONCE, CONTEXT_GROUP});
	/* The first one fails, and is tried again much later: so the others wait. */
	driver_set(&d, "NANOCLAW_RETRY_MS", "600000");
	driver_start_ready(&d);
	driver_wait(&d, first_has_failed, NULL, "the first run has failed");
	ok = command_has(&d, WORDS("task", "cancel", "2"), 0, "cancelled");
	ok = command_has(&d, WORDS("task", "pause", "3"), 0, "paused") && ok;
	ok = command_has(&d, WORDS("task", "cancel", "4"), 0, "cancelled") && ok;
	ok = number_is(&d, "SELECT count(*) FROM task_runs WHERE outcome = 'cancelled'", 3) &&
	     ok;
	ok = command_has(&d, WORDS("task", "cancel", "4"), 2, "") && ok;
	return end(&d) && ok;
}

static bool a_removed_group_takes_its_tasks_along(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	task_setup(&d, &(struct task_setup){
			       "g1", "test:1", "x", DAY, -HOUR, MISSED_ONCE, CONTEXT_ISOLATED});
	driver_start_ready(&d);
	wait_for(&d, "test:1", "x", 1);
	ok = command_has(&d, WORDS("--yes", "group", "remove", "g1"), 0, "removed");
	ok = number_is(&d,
		     "SELECT (SELECT count(*) FROM scheduled_tasks) +"
		     " (SELECT count(*) FROM task_runs)",
		     0) &&
	     ok;
	return end(&d) && ok;
}

static bool status_names_the_tasks(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = command_has(&d, WORDS("task", "add", "g1", "--every", "1h", "x"), 0, "task 1");
	ok = command_has(&d, WORDS("status"), 0, "tasks 1, the next one at 20") && ok;
	return end(&d) && ok;
}

#define CLAIM(name)                                                                            \
	{                                                                                      \
#name, name                                                                    \
	}

static const struct {
	const char *name;
	bool (*holds)(void);
} claims[] = {
	CLAIM(a_new_task_is_noticed_at_once_and_runs_again_and_again),
	CLAIM(an_idle_agent_gets_a_run_at_once),
	CLAIM(an_isolated_run_goes_on_beside_an_agent_that_is_busy),
	CLAIM(an_isolated_run_has_a_session_of_its_own),
	CLAIM(an_isolated_run_does_not_wait_for_a_place_that_an_idle_agent_holds),
	CLAIM(long_tasks_of_a_group_hold_up_neither_messages_nor_tasks_of_others),
	CLAIM(an_agent_adds_no_task_that_runs_all_the_time),
	CLAIM(a_run_that_fails_is_told_with_an_id_and_in_the_history),
	CLAIM(nothing_to_say_is_silence),
	CLAIM(a_prompt_with_markup_stays_text),
	CLAIM(a_group_has_its_own_tasks_and_main_has_all),
	CLAIM(a_task_can_be_changed_paused_and_resumed),
	CLAIM(what_waits_does_not_run_after_a_cancel),
	CLAIM(a_removed_group_takes_its_tasks_along),
	CLAIM(status_names_the_tasks),
};

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc < 4)
		return 2;
	programs = argv;
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		if (argc == 4 || strstr(claims[i].name, argv[4]))
			tap_result(&tap, claims[i].holds(), claims[i].name);
	return tap_end(&tap);
}
