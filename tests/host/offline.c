/*
 * The offline agent in a group of a chat app, with a host that is killed.
 *
 *	offline HOST OFFLINE BRIDGE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../harness/tap.h"
#include "base/error.h"
#include "driver.h"
#include "fs/file.h"

static char **programs;

static void begin(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", true);
	driver_group(d, "g2", "test:2", false);
	driver_bridge(d, "test", "plain");
}

static bool sent_some(struct driver *d, void *data)
{
	const size_t *wanted = data;

	driver_read_sent(d);
	return d->sent_count >= *wanted;
}

static bool memory_is(struct driver *d, const char *folder, const char *wanted)
{
	CLEANUP(freep) char *path = xasprintf("%s/groups/%s/CLAUDE.local.md", d->root, folder);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (file_read(path, 65536, &text, &err) < 0)
		driver_fail(d, "%s", err.message);
	if (strcmp(text.data, wanted) != 0)
		printf("# the memory is '%s'\n", text.data);
	return !strcmp(text.data, wanted);
}

/* Messages without the trigger are no commands, and two with it get one answer. */
static bool only_what_is_meant_for_it_is_done(void)
{
	struct driver d;
	size_t one = 1;
	bool ok;

	begin(&d);
	driver_feed(&d, "1", "test:1", "remember nothing of this");
	driver_feed(&d, "2", "test:1", "@Andy remember milk");
	driver_feed(&d, "3", "test:1", "forget everything");
	driver_feed(&d, "4", "test:1", "@andy, please remember eggs");
	driver_start_ready(&d);
	driver_wait(&d, sent_some, &one, "there is an answer");
	ok = !strcmp(d.sent[0].text, "Noted: milk\n\nNoted: eggs") ||
	     !strcmp(d.sent[0].text, "Noted: milk");
	if (!ok)
		printf("# '%s'\n", d.sent[0].text);
	ok = driver_stop(&d) == 0 && ok;
	driver_release(&d);
	return ok;
}

/* --- kills --------------------------------------------------------------------- */

static bool all_answered(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d, "SELECT count(*) FROM messages WHERE state = 'delivered'") == 6;
}

/* Do the work with a host that dies at change `at`; false if it did not die. */
static bool work(struct driver *d, unsigned at)
{
	CLEANUP(freep) char *variable = xasprintf("NANOCLAW_LEDGER_FAULT=%u", at);
	bool died;

	driver_feed(d, "1", "test:2", "remember a");
	driver_feed(d, "2", "test:2", "remember b");
	driver_feed(d, "3", "test:2", "remember c");
	driver_feed(d, "4", "test:2", "forget 1");
	driver_feed(d, "5", "test:2", "forget 1");
	driver_feed(d, "6", "test:2", "remind me to laugh every day at 09:00");
	driver_start(d, variable);
	died = !driver_wait_alive(d, all_answered, NULL, "all is answered");
	if (died) {
		driver_reap(d);
		driver_start_ready(d);
		driver_wait(d, all_answered, NULL, "all is answered after the kill");
	}
	return died;
}

static bool check(struct driver *d, unsigned at)
{
	bool ok = memory_is(d, "g2", "## Notes\n\n- c\n") &&
		  driver_number(d, "SELECT count(*) FROM scheduled_tasks") == 1 &&
		  driver_number(d, "SELECT count(*) FROM scheduled_tasks"
				   " WHERE prompt = 'Reminder: laugh'") == 1;

	if (!ok)
		printf("# killed at change %u\n", at);
	return ok;
}

static bool everything_is_done_once_wherever_the_host_is_killed(void)
{
	bool ok = true;
	bool died = true;
	unsigned at;

	for (at = 1; died && at < 200; at++) {
		struct driver d;

		begin(&d);
		died = work(&d, at);
		ok = check(&d, at) && ok;
		driver_release(&d);
	}
	printf("# %u points\n", at - 2);
	return ok && !died && at > 5;
}

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc != 4)
		return 2;
	programs = argv;
	tap_result(
		&tap, only_what_is_meant_for_it_is_done(), "only what is meant for it is done");
	tap_result(&tap, everything_is_done_once_wherever_the_host_is_killed(),
		"notes and tasks are changed once, wherever the host is killed");
	return tap_end(&tap);
}
