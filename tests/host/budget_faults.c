/*
 * The host is killed before and after every change of the ledger while a budget is used up.
 *
 *	budget-faults HOST AGENT BRIDGE STRIDE
 *
 * In a first run three messages take three requests, which go over the warning and the limit
 * of their group; a fourth message waits, and its chat is told. Then the limit is raised, and a
 * second run answers the fourth. Each run is repeated with a kill at every STRIDEth change,
 * from a fresh project: everybody has seen everything once, and what was used is counted.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../harness/tap.h"
#include "driver.h"
#include "fs/file.h"
#include "played_api.h"

static char **programs;
static struct played_api api;

static void configure(struct driver *d, const char *dollars)
{
	const char *const words[] = {
		"group", "config", "g1", "budget.dailyDollars", dollars, NULL};
	int exit_code;
	CLEANUP(freep) char *output = driver_run(d, words, &exit_code);

	if (exit_code)
		driver_fail(d, "%s", output);
}

static void prepare(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_set(d, "ANTHROPIC_BASE_URL", api.url);
	driver_bridge(d, "test", "plain");
	driver_group(d, "g1", "test:1", false);
	configure(d, "0.7");
	played_api_answers(&api);
}

static bool holds(struct driver *d, void *sql)
{
	return driver_number(d, sql) == 1;
}

/* Until it is so, with another host if this one dies; true if it does. */
static bool reach(struct driver *d, const char *sql)
{
	int status;

	if (driver_wait_alive(d, holds, (void *)(uintptr_t)sql, sql))
		return false;
	status = driver_reap(d);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		driver_fail(d, "the host ended with %d", status);
	driver_start(d, NULL);
	driver_wait(d, holds, (void *)(uintptr_t)sql, sql);
	return true;
}

#define ANSWERED(count)                                                                        \
	"SELECT (SELECT count(*) FROM messages WHERE state = 'delivered') = " count
#define TOLD "(SELECT count(*) FROM outbox WHERE key LIKE '%-told-%' AND state = 'sent') = 1"

static void run_both(struct driver *d, int faulty_run, const char *variable)
{
	driver_feed(d, "1", "test:1", "m1 !api 1");
	driver_feed(d, "2", "test:1", "m2 !api 1");
	driver_feed(d, "3", "test:1", "m3 !api 1");
	driver_start(d, faulty_run == 0 ? variable : NULL);
	/* If the host is killed at the end of this, the third message may have to wait too. */
	reach(d, ANSWERED("3") " OR " TOLD);
	driver_feed(d, "4", "test:1", "m4");
	driver_try_signal(d, SIGUSR1);
	reach(d, "SELECT count(*) = 4 AND " TOLD " FROM messages");
	driver_stop(d);
	configure(d, "100");
	driver_start(d, faulty_run == 1 ? variable : NULL);
	reach(d, ANSWERED("4"));
	driver_stop(d);
}

/* --- what must be so ----------------------------------------------------------- */

static bool is(struct driver *d, const char *sql, int64_t wanted)
{
	int64_t found = driver_number(d, sql);

	if (found != wanted)
		printf("# %s: %" PRId64 ", and not %" PRId64 "\n", sql, found, wanted);
	return found == wanted;
}

static bool is_seen_once(struct driver *d, const char *text)
{
	unsigned count = 0;

	driver_read_sent(d);
	for (size_t i = 0; i < d->sent_count; i++) {
		CLEANUP(freep) char *padded = xasprintf(" %s ", d->sent[i].text);

		count += strstr(padded, text) != NULL;
	}
	if (count != 1)
		printf("# '%s' was seen %u times\n", text, count);
	return count == 1;
}

/* Each request that was answered is counted, but for one that was under way at the kill. */
static bool is_counted(struct driver *d)
{
	int64_t answered = played_api_answers(&api);
	int64_t counted = driver_number(d, "SELECT sum(requests) FROM usage_days");

	if (counted < 3 || counted > answered || counted < answered - 1)
		printf("# %" PRId64 " of %" PRId64 " requests are counted\n", counted,
			answered);
	return counted >= 3 && counted <= answered && counted >= answered - 1;
}

#define OWNER "SELECT count(*) FROM outbox WHERE chat_jid = 'local:main' AND content LIKE "

static bool check(struct driver *d)
{
	bool ok = is_counted(d);

	ok = is_seen_once(d, " m1 ") && ok;
	ok = is_seen_once(d, " m2 ") && ok;
	ok = is_seen_once(d, " m3 ") && ok;
	ok = is_seen_once(d, " m4 ") && ok;
	ok = is_seen_once(d, "I am paused until") && ok;
	ok = is(d, OWNER "'%has used $0.6000 of $0.7000%'", 1) && ok;
	ok = is(d, OWNER "'%and is paused until%'", 1) && ok;
	ok = is(d, OWNER "'%'", 2) && ok;
	return is(d,
		       "SELECT (SELECT sum(cost_micro_usd) FROM usage) ="
		       " (SELECT sum(cost_micro_usd) FROM usage_days)",
		       1) &&
	       ok;
}

/* --- kills ----------------------------------------------------------------------- */

static unsigned count_changes(int run, struct buf *ret_names)
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
	run_both(&d, run, variable);
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

/* 1 if something is wrong after a kill there. */
static unsigned try_one(int run, unsigned at, unsigned *points)
{
	CLEANUP(freep) char *variable = xasprintf("NANOCLAW_LEDGER_FAULT=%u", at);
	struct driver d;
	bool ok;

	prepare(&d);
	run_both(&d, run, variable);
	ok = check(&d);
	if (!ok)
		printf("# run %d, %s\n", run + 1, variable);
	driver_release(&d);
	++*points;
	return !ok;
}

static unsigned try_all(int run, unsigned count, unsigned stride, unsigned *points)
{
	unsigned wrong = 0;

	for (unsigned at = 1 + (unsigned)run % stride; at <= count; at += stride)
		wrong += try_one(run, at, points);
	return wrong;
}

/* Always try the changes that this test is about, whatever the stride. */
static unsigned try_named(const struct buf *names, const char *name, unsigned *points)
{
	struct view rest = view_of_buf(names);
	struct view line;
	unsigned wrong = 0;

	for (unsigned at = 1; view_next(&rest, '\n', &line); at++)
		if (view_starts_with(line, name))
			wrong += try_one(0, at, points);
	return wrong;
}

int main(int argc, char **argv)
{
	CLEANUP(buf_release) struct buf first = BUF_INIT;
	CLEANUP(buf_release) struct buf second = BUF_INIT;
	struct tap tap = {0};
	unsigned stride;
	unsigned points = 0;
	unsigned counts[2];

	if (argc != 5 || !(stride = (unsigned)strtoul(argv[4], NULL, 10)))
		return 2;
	programs = argv;
	played_api_start(&api);
	counts[0] = count_changes(0, &first);
	counts[1] = count_changes(1, &second);
	tap_result(&tap,
		strstr(first.data, "usage after\n") && strstr(first.data, "paused after\n"),
		"a budget is used up and its group paused");
	tap_result(&tap,
		!try_named(&first, "usage ", &points) && !try_named(&first, "paused ", &points),
		"killed while it is used up, everybody hears of it once");
	tap_result(&tap,
		!try_all(0, counts[0], stride, &points) &&
			!try_all(1, counts[1], stride, &points),
		"killed at any other change, too");
	printf("# %u kills in runs of %u and %u changes\n", points, counts[0], counts[1]);
	played_api_stop(&api);
	return tap_end(&tap);
}
