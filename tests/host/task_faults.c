/*
 * The host is killed before and after every change of the store during scheduled runs:
 * each happens once, not twice, not never.
 *
 *	task-faults HOST AGENT BRIDGE STRIDE
 *
 * The tasks are due when the host starts: one run of each kind of schedule, policy and
 * context, such that fail once, fail for good or have nothing to say, and a message whose
 * agent makes a task. The changes are counted first; then, for every STRIDEth of them,
 * from a fresh project, the host kills itself there and is started again.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../harness/tap.h"
#include "fs/file.h"
#include "task_setup.h"

static const struct task_setup tasks[] = {
	{"g1", "test:1", "a", 0, -HOUR, MISSED_ONCE, CONTEXT_GROUP},
	{"g1", "test:1", "b", DAY, -DAY - 12 * HOUR, MISSED_ONCE, CONTEXT_GROUP},
	{"g2", "test:2", "c", DAY, -2 * DAY - 12 * HOUR, MISSED_ALL, CONTEXT_ISOLATED},
	{"g2", "test:2", "d !fail-once", 0, -HOUR, MISSED_ONCE, CONTEXT_ISOLATED},
	{"g1", "test:1", "e", 0, -HOUR, MISSED_SKIP, CONTEXT_GROUP},
	{"g2", "test:2", "f !fail", 0, -HOUR, MISSED_ONCE, CONTEXT_GROUP},
	{"g1", "test:1", "g !silent", 0, -HOUR, MISSED_ALL, CONTEXT_GROUP},
	{"g2", "test:2", "h !die-once", DAY, -12 * HOUR, MISSED_ALL, CONTEXT_GROUP},
};

#define RUNS 10

#define MESSAGE                                                                                \
	"m !op {\"op\":\"schedule_task\",\"prompt\":\"made\",\"schedule_type\":\"interval\","  \
	"\"schedule_value\":\"1d\"}"

static char **programs;

static bool is_done(struct driver *d, void *data)
{
	const int *runs = data;
	CLEANUP(freep)
	char *sql = xasprintf(
		"SELECT (SELECT count(*) FROM task_runs"
		" WHERE outcome NOT IN ('waiting', 'running')) >= %d"
		" AND NOT EXISTS (SELECT 1 FROM task_runs WHERE outcome IN ('waiting', 'running'))"
		" AND EXISTS (SELECT 1 FROM messages WHERE state IN ('answered', 'delivered'))"
		" AND NOT EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting')",
		*runs);

	return driver_number(d, sql) == 1;
}

static void prepare(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_bridge(d, "test", "plain");
	driver_group(d, "g1", "test:1", false);
	driver_group(d, "g2", "test:2", false);
	for (size_t i = 0; i < ARRAY_SIZE(tasks); i++)
		task_setup(d, &tasks[i]);
	driver_feed(d, "1", "test:1", MESSAGE);
}

static void run(struct driver *d, const char *variable)
{
	int runs = RUNS;

	driver_start(d, variable);
	if (!driver_wait_alive(d, is_done, &runs, "every run has ended")) {
		int status = driver_reap(d);

		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			driver_fail(d, "the host ended with %d", status);
		driver_start(d, NULL);
		driver_wait(d, is_done, &runs, "every run has ended after a kill");
	}
	driver_stop(d);
}

/* How many texts of a chat begin with this. */
static int seen(const struct driver *d, const char *chat, const char *text)
{
	int count = 0;

	for (size_t i = 0; i < d->sent_count; i++)
		count += !strcmp(d->sent[i].chat, chat) &&
			 view_starts_with(view_of(d->sent[i].text), text);
	return count;
}

static bool check_seen(struct driver *d)
{
	static const struct {
		const char *chat;
		const char *text;
		int count;
	} wanted[] = {
		{"test:1", "a", 1},
		{"test:1", "b", 1},
		{"test:1", "e", 0},
		{"test:1", "g", 0},
		{"test:1", "m ", 1},
		{"test:1", "", 3},
		{"test:2", "c", 3},
		{"test:2", "d", 1},
		{"test:2", "h", 1},
		{"test:2", "Sorry, I could not do a scheduled task", 1},
		{"test:2", "", 6},
	};
	bool ok = true;

	driver_read_sent(d);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		int count = seen(d, wanted[i].chat, wanted[i].text);

		if (count != wanted[i].count)
			printf("# '%s' was %d times in %s\n", wanted[i].text, count,
				wanted[i].chat);
		ok = ok && count == wanted[i].count;
	}
	return ok;
}

static bool check_number(struct driver *d, const char *sql, int64_t wanted)
{
	int64_t number = driver_number(d, sql);

	if (number != wanted)
		printf("# %lld, not %lld: %s\n", (long long)number, (long long)wanted, sql);
	return number == wanted;
}

static bool check(struct driver *d)
{
	bool ok = check_seen(d);

	ok = check_number(d, "SELECT count(*) FROM task_runs", RUNS) && ok;
	ok = check_number(d, "SELECT count(*) FROM task_runs WHERE outcome = 'answered'", 7) &&
	     ok;
	ok = check_number(d,
		     "SELECT count(*) FROM task_runs WHERE outcome = 'failed'"
		     " AND error LIKE '%told to fail%'",
		     1) &&
	     ok;
	ok = check_number(d, "SELECT count(*) FROM task_runs WHERE outcome = 'silent'", 1) &&
	     ok;
	ok = check_number(d, "SELECT count(*) FROM task_runs WHERE outcome = 'skipped'", 1) &&
	     ok;
	ok = check_number(d, "SELECT count(*) FROM scheduled_tasks WHERE prompt = 'made'", 1) &&
	     ok;
	ok = check_number(d,
		     "SELECT count(*) FROM scheduled_tasks WHERE status = 'completed'"
		     " AND next_run IS NULL",
		     5) &&
	     ok;
	return check_number(d,
		       "SELECT count(*) FROM scheduled_tasks WHERE status = 'active'"
		       " AND next_run > strftime('%Y-%m-%dT%H:%M', 'now')",
		       4) &&
	       ok;
}

static unsigned count_changes(struct buf *ret_names)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *file = NULL;
	CLEANUP(freep) char *variable = NULL;
	struct view rest;
	struct view line;
	unsigned count = 0;
	struct driver d;

	prepare(&d);
	file = xasprintf("%s/changes", d.root);
	variable = xasprintf("NANOCLAW_LEDGER_COUNT=%s", file);
	run(&d, variable);
	if (!check(&d))
		driver_fail(&d, "it is wrong without a kill");
	if (file_read(file, SIZE_MAX, ret_names, &err) < 0)
		driver_fail(&d, "%s", err.message);
	rest = view_of_buf(ret_names);
	while (view_next(&rest, '\n', &line))
		count++;
	driver_release(&d);
	return count;
}

static bool covers(const struct buf *names, const char *change)
{
	CLEANUP(freep) char *line = xasprintf("%s after\n", change);

	if (!strstr(names->data, line))
		printf("# '%s' does not happen\n", change);
	return strstr(names->data, line) != NULL;
}

int main(int argc, char **argv)
{
	static const char *const changes[] = {
		"due", "claim", "attempt", "begin", "answer", "fail", "given-up", "task"};
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	struct tap tap = {0};
	unsigned stride;
	unsigned points = 0;
	unsigned wrong = 0;
	unsigned count;
	bool all = true;

	if (argc != 5)
		return 2;
	programs = argv;
	stride = (unsigned)strtoul(argv[4], NULL, 10);
	count = count_changes(&names);
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		all = covers(&names, changes[i]) && all;
	tap_result(&tap, all, "the runs have every change of a run in them");
	for (unsigned at = 1; at <= count; at += stride, points++) {
		CLEANUP(freep) char *variable = xasprintf("NANOCLAW_LEDGER_FAULT=%u", at);
		struct driver d;

		prepare(&d);
		run(&d, variable);
		if (!check(&d)) {
			printf("# %s\n", variable);
			wrong++;
		}
		driver_release(&d);
	}
	printf("# %u points of %u\n", points, count);
	tap_result(
		&tap, wrong == 0, "a kill at any change of a run neither loses nor repeats it");
	return tap_end(&tap);
}
