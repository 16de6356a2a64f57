/*
 * Many messages over many groups through a host that is killed again and again, and whose
 * agents are killed in between. Another host works beside it, which nobody kills.
 *
 *	torture HOST AGENT BRIDGE MESSAGES GROUPS KILLS SEED
 *
 * At the end every message was answered, none twice, in the order of its group, and
 * the platform, which remembers keys, has seen each text once. No sandbox of this host is left,
 * and the other host's sandboxes are unchanged.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../harness/tap.h"
#include "driver.h"
#include "leftovers.h"

struct check {
	unsigned messages;
	unsigned groups;
	unsigned *next; /* for each group, the message whose answer comes next */
	unsigned answered;
	size_t seen; /* of d->sent */
	unsigned wrong;
};

/* Message n is for group n % groups, so its successor there is n + groups. */
static void check_text(struct check *check, const struct driver_sent *sent)
{
	struct view rest = view_of(sent->text);
	struct view word;
	unsigned group = (unsigned)strtoul(sent->chat + strlen("test:"), NULL, 10);

	while (view_next(&rest, ' ', &word)) {
		unsigned number = (unsigned)strtoul(word.data + 1, NULL, 10);

		if (word.data[0] != 'm' || check->next[group] != number) {
			check->wrong++;
			printf("# group %u: m%u was due, and '%.*s' came\n", group,
				check->next[group], VIEW_ARGS(word));
		}
		check->next[group] = number + check->groups;
		check->answered++;
	}
}

static bool all_answered(struct driver *d, void *data)
{
	struct check *check = data;

	driver_read_sent(d);
	for (; check->seen < d->sent_count; check->seen++)
		check_text(check, &d->sent[check->seen]);
	return check->answered >= check->messages;
}

static bool all_delivered(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d, "SELECT count(*) FROM messages WHERE state <> 'delivered'") ==
		       0 &&
	       driver_number(d, "SELECT count(*) FROM outbox WHERE state <> 'sent'") == 0;
}

static bool some_more(struct driver *d, void *data)
{
	unsigned *wanted = data;

	driver_read_sent(d);
	return d->sent_count >= *wanted;
}

static void prepare(struct driver *d, unsigned messages, unsigned groups)
{
	/* About two messages for each group at a time: turns of one, and of more. */
	CLEANUP(freep) char *pace = xasprintf("paced=%u", groups * 2);

	driver_set(d, "NANOCLAW_AGENTS", "8");
	driver_set(d, "NANOCLAW_TURN_TRIES", "100"); /* it is we who kill its agents */
	driver_bridge(d, "test", pace);
	for (unsigned i = 0; i < groups; i++) {
		CLEANUP(freep) char *folder = xasprintf("g%u", i);
		CLEANUP(freep) char *jid = xasprintf("test:%u", i);

		driver_group(d, folder, jid, false);
	}
	for (unsigned i = 0; i < messages; i++) {
		CLEANUP(freep) char *id = xasprintf("m%u", i);
		CLEANUP(freep) char *jid = xasprintf("test:%u", i % groups);

		driver_feed(d, id, jid, id);
	}
}

/* One process of one of its sandboxes, whichever. */
static void kill_an_agent(const char *installation, uint64_t *random)
{
	pid_t pids[64];
	unsigned count = leftovers_processes(installation, pids, ARRAY_SIZE(pids));

	if (count > ARRAY_SIZE(pids))
		count = ARRAY_SIZE(pids);
	if (count)
		kill(pids[driver_below(random, count)], SIGKILL);
}

/* At a random moment, of which some are right after a start. */
static void kill_at_random(struct driver *d, const char *installation, uint64_t *random)
{
	struct timespec moment = {0, (long)driver_below(random, 100000) * 1000};
	unsigned wanted = (unsigned)d->sent_count + driver_below(random, 20);

	driver_start(d, NULL);
	if (driver_below(random, 3) == 0)
		nanosleep(&moment, NULL);
	else
		driver_wait(d, some_more, &wanted, "some more answers");
	kill_an_agent(installation, random);
	if (driver_below(random, 2) == 0) {
		wanted = (unsigned)d->sent_count + 1 + driver_below(random, 5);
		driver_wait(d, some_more, &wanted, "some more answers");
		kill_an_agent(installation, random);
	}
	driver_kill(d);
}

/* A host with an agent that has answered, and waits. */
static void start_neighbour(struct driver *d, char **programs, pid_t *ret_agent)
{
	CLEANUP(freep) char *installation = NULL;
	CLEANUP(freep) char *answer = NULL;

	driver_init(d, programs[1], programs[2], programs[3]);
	driver_set(d, "NANOCLAW_IDLE_SECONDS", "86400");
	driver_start_ready(d);
	answer = driver_run(
		d, (const char *const[]){"send", "main", "hello", "--wait", NULL}, NULL);
	installation = leftovers_installation(d);
	if (!leftovers_processes(installation, ret_agent, 1))
		driver_fail(d, "the other host has no agent: %s", answer);
}

static bool neighbour_is_well(struct driver *d, pid_t agent)
{
	CLEANUP(freep) char *installation = leftovers_installation(d);
	pid_t now = 0;

	leftovers_processes(installation, &now, 1);
	return now == agent && driver_stop(d) == 0 && leftovers_none(d, installation);
}

int main(int argc, char **argv)
{
	struct driver d;
	struct driver neighbour;
	CLEANUP(freep) char *installation = NULL;
	pid_t agent;
	struct tap tap = {0};
	struct check check = {0};
	unsigned kills;
	uint64_t random;

	if (argc != 8)
		return 2;
	check.messages = (unsigned)strtoul(argv[4], NULL, 10);
	check.groups = (unsigned)strtoul(argv[5], NULL, 10);
	kills = (unsigned)strtoul(argv[6], NULL, 10);
	random = strtoull(argv[7], NULL, 10);
	check.next = xcalloc(check.groups, sizeof(*check.next));
	for (unsigned i = 0; i < check.groups; i++)
		check.next[i] = i;
	printf("# %u messages, %u groups, %u kills, seed %s\n", check.messages, check.groups,
		kills, argv[7]);
	start_neighbour(&neighbour, argv, &agent);
	driver_init(&d, argv[1], argv[2], argv[3]);
	installation = leftovers_installation(&d);
	prepare(&d, check.messages, check.groups);
	for (unsigned i = 0; i < kills && !all_answered(&d, &check); i++)
		kill_at_random(&d, installation, &random);
	printf("# %u of %u answered after the last kill\n", check.answered, check.messages);
	driver_start(&d, NULL);
	driver_wait(&d, all_answered, &check, "all messages are answered");
	driver_wait(&d, all_delivered, NULL, "all answers have their receipts");
	tap_result(&tap, driver_stop(&d) == 0, "the host ends cleanly");
	tap_result(&tap, check.answered == check.messages, "every message is answered once");
	tap_result(&tap, check.wrong == 0, "answers keep the order of their group");
	tap_result(&tap, leftovers_none(&d, installation), "nothing is left of its sandboxes");
	tap_result(&tap, neighbour_is_well(&neighbour, agent), "another host's agent is well");
	driver_release(&neighbour);
	driver_release(&d);
	free(check.next);
	return tap_end(&tap);
}
