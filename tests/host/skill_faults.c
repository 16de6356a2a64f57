/*
 * The host is killed before and after every change of the ledger while skills are used.
 *
 *	skill-faults HOST AGENT BRIDGE STRIDE
 *
 * One group asks for a list, an unknown command and a skill, is asked for feedback, and says
 * yes twice; in another group the skill is scheduled and due. That is repeated with a kill at
 * every STRIDEth change, from a fresh project: every text appears once, each use is counted
 * once, and only the first yes answers the question.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../harness/tap.h"
#include "driver.h"
#include "skill_setup.h"

static char **programs;

static void prepare(struct driver *d)
{
	static const struct skill_sample sample = {
		.id = "skill_plan_001",
		.command = "plan",
		.asks = "Was it good (yes/no)?",
		.schedule = "every day at 07:00",
	};

	driver_init(d, programs[1], programs[2], programs[3]);
	driver_bridge(d, "test", "plain");
	driver_group(d, "g1", "test:1", false);
	driver_group(d, "g2", "test:2", false);
	skill_setup_write(d, &sample);
	skill_setup_assign(d, sample.id, "g1");
	skill_setup_assign(d, sample.id, "g2");
	skill_setup_due(d, sample.id, "g2");
}

static bool holds(struct driver *d, void *sql)
{
	return driver_number(d, sql) == 1;
}

/* Until it is so, with another host if this one dies. */
static void reach(struct driver *d, const char *sql)
{
	int status;

	if (driver_wait_alive(d, holds, (void *)(uintptr_t)sql, sql))
		return;
	status = driver_reap(d);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		driver_fail(d, "the host ended with %d", status);
	driver_start(d, NULL);
	driver_wait(d, holds, (void *)(uintptr_t)sql, sql);
}

#define ANSWERED "SELECT count(*) FROM messages WHERE state = 'delivered' AND id = "
#define RUN      "SELECT count(*) FROM task_runs WHERE outcome = 'answered'"
#define ALL_SENT "SELECT count(*) = 0 FROM outbox WHERE state <> 'sent'"

static void run(struct driver *d, const char *variable)
{
	driver_feed(d, "1", "test:1", "/skills");
	driver_feed(d, "2", "test:1", "/paln");
	driver_feed(d, "3", "test:1", "/plan a");
	driver_start(d, variable);
	reach(d, ANSWERED "'3'");
	driver_feed(d, "4", "test:1", "yes");
	driver_try_signal(d, SIGUSR1);
	reach(d, ANSWERED "'4'");
	driver_feed(d, "5", "test:1", "yes");
	driver_try_signal(d, SIGUSR1);
	reach(d, ANSWERED "'5'");
	reach(d, RUN);
	reach(d, ALL_SENT);
	if (driver_is_alive(d))
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

static bool is_said_once(struct driver *d, const char *text)
{
	CLEANUP(freep)
	char *sql = xasprintf(
		"SELECT count(*) FROM outbox WHERE chat_jid = 'test:1' AND instr(content, '%s')",
		text);

	return is(d, sql, 1);
}

/* A text of several lines is as many there, and the first one has the chat. */
static unsigned seen_by_platform(struct driver *d)
{
	unsigned count = 0;

	driver_read_sent(d);
	for (size_t i = 0; i < d->sent_count; i++)
		count += !strncmp(d->sent[i].chat, "test:", 5);
	return count;
}

#define USES "SELECT count(*) FROM skill_uses"

static bool check(struct driver *d)
{
	bool ok = is(d, USES, 2);

	ok = is(d, USES " WHERE outcome = 'completed' AND started_by = 'command'", 1) && ok;
	ok = is(d, USES " WHERE outcome = 'completed' AND started_by = 'schedule'", 1) && ok;
	ok = is(d, "SELECT count(*) FROM skill_feedback", 1) && ok;
	ok = is(d, "SELECT score FROM skill_feedback", 1000) && ok;
	ok = is_said_once(d, "You can ask for") && ok;
	ok = is_said_once(d, "Did you mean") && ok;
	ok = is_said_once(d, "Was it good") && ok;
	ok = is_said_once(d, "Thank you") && ok;
	ok = is(d, "SELECT count(*) FROM outbox WHERE chat_jid = 'test:2'", 1) && ok;
	ok = is(d, "SELECT count(*) FROM outbox", 6) && ok;
	if (seen_by_platform(d) != 6)
		printf("# the platform has seen %u\n", seen_by_platform(d));
	return seen_by_platform(d) == 6 && ok;
}

/* --- kills ----------------------------------------------------------------------- */

static unsigned count_changes(void)
{
	CLEANUP(freep) char *variable = NULL;
	unsigned count;
	struct driver d;

	prepare(&d);
	variable = xasprintf("NANOCLAW_LEDGER_COUNT=%s/changes", d.root);
	run(&d, variable);
	if (!check(&d))
		driver_fail(&d, "it is wrong without a kill");
	count = driver_lines(&d, "changes");
	driver_release(&d);
	return count;
}

/* True if everything is right after a kill there. */
static bool survives(unsigned at)
{
	CLEANUP(freep) char *variable = xasprintf("NANOCLAW_LEDGER_FAULT=%u", at);
	struct driver d;
	bool ok;

	prepare(&d);
	run(&d, variable);
	ok = check(&d);
	if (!ok)
		printf("# %s\n", variable);
	driver_release(&d);
	return ok;
}

int main(int argc, char **argv)
{
	struct tap tap = {0};
	unsigned points = 0;
	unsigned wrong = 0;
	unsigned stride;
	unsigned count;

	if (argc != 5 || !(stride = (unsigned)strtoul(argv[4], NULL, 10)))
		return 2;
	programs = argv;
	count = count_changes();
	tap_result(&tap, count > 20, "skills are used, and the person is asked about them");
	for (unsigned at = 1; at <= count; at += stride, points++)
		wrong += !survives(at);
	tap_result(&tap, points && !wrong,
		"killed at any change, each use counts once and everything is said once");
	printf("# %u kills in a run of %u changes\n", points, count);
	return tap_end(&tap);
}
