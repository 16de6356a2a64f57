/*
 * Bridges that misbehave, beside one that does not.
 *
 *	abuse HOST AGENT BRIDGE
 *
 * Whatever one bridge does, the host stays up, its memory stays small, the terminal is
 * answered, and so is the good bridge.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/tap.h"
#include "driver.h"

/* Far above what it needs, far below what is thrown at it. Sanitizers need more. */
#if defined(__SANITIZE_ADDRESS__)
#define MEMORY_MAX_KB (600 * 1024)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEMORY_MAX_KB (600 * 1024)
#endif
#endif
#ifndef MEMORY_MAX_KB
#define MEMORY_MAX_KB (32 * 1024)
#endif

struct mode {
	const char *name;
	const char *claim;
	/* What shows that the abuse has happened. */
	const char *file;
	unsigned lines;
	const char *sql;
	/* It fails by owing an answer. */
	bool owes;
};

static const struct mode modes[] = {
	{"flood", "a bridge that floods", NULL, 0,
		"SELECT count(*) = 100 FROM chats WHERE jid LIKE 'flood:%'", false},
	{"hang", "a bridge that hangs is started again", "bad/starts", 2, NULL, true},
	{"mute", "a bridge that says nothing is started again", "bad/starts", 2, NULL, true},
	{"half", "a bridge that stops in a line is started again", "bad/starts", 2, NULL, true},
	{"garbage", "a bridge that sends garbage is started again", "bad/starts", 3, NULL,
		false},
	{"huge", "a line of 50 MB is refused", "bad/errors", 1, NULL, false},
	{"die", "a bridge that dies is started again", "bad/starts", 3, NULL, false},
	{"stranger", "whatever somebody writes is acknowledged", "bad/acked", 24, NULL, false},
	{"foreign", "a message for the chat of another channel is refused", "bad/errors", 1,
		NULL, false},
};

static bool abused(struct driver *d, void *data)
{
	const struct mode *mode = data;

	if (mode->sql)
		return driver_number(d, mode->sql) == 1;
	return driver_lines(d, mode->file) >= mode->lines;
}

static bool answered(struct driver *d, void *data)
{
	const size_t *wanted = data;

	driver_read_sent(d);
	return d->sent_count >= *wanted;
}

static bool terminal_answers(struct driver *d)
{
	const char *const words[] = {"send", "main", "hello", "--wait", NULL};
	int exit_code;
	CLEANUP(freep) char *answer = driver_run(d, words, &exit_code);

	/* Before it, the person may hear that somebody wrote. */
	bool ok = exit_code == 0 && view_ends_with(view_of(answer), "hello\n");

	if (!ok)
		printf("# exit code %d, answer '%s'\n", exit_code, answer);
	return ok;
}

static bool survives(const struct mode *mode, char **programs)
{
	struct driver d;
	size_t wanted = 1;
	long memory;
	bool ok;

	driver_init(&d, programs[1], programs[2], programs[3]);
	driver_group(&d, "good", "test:1", false);
	driver_bridge(&d, "test", "plain");
	driver_bridge_hanging(&d, "bad", mode->name, mode->owes ? 1 : 600);
	driver_set(&d, "NANOCLAW_GRACE_SECONDS", "1"); /* some of them do not end */
	driver_feed(&d, "1", "test:1", "before");
	driver_start(&d, NULL);
	driver_wait(&d, answered, &wanted, "the good bridge gets an answer");
	driver_wait(&d, abused, (void *)(uintptr_t)mode, mode->claim);
	ok = terminal_answers(&d);
	driver_feed(&d, "2", "test:1", "after");
	driver_nudge(&d);
	wanted = 2;
	driver_wait(&d, answered, &wanted, "the good bridge gets another one");
	memory = driver_memory(&d);
	if (memory > MEMORY_MAX_KB) {
		printf("# it has %ld KiB\n", memory);
		ok = false;
	}
	if (driver_number(&d, "SELECT count(*) FROM messages WHERE content = 'forged'") != 0 ||
		driver_number(&d,
			"SELECT count(*) FROM messages WHERE chat_jid LIKE 'flood:%'") != 0) {
		printf("# what must not be stored is stored\n");
		ok = false;
	}
	if (!strcmp(mode->name, "stranger") && driver_lines(&d, "bad/starts") != 1) {
		printf("# the bridge was started again\n");
		ok = false;
	}
	ok = driver_stop(&d) == 0 && ok;
	driver_release(&d);
	return ok;
}

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc != 4)
		return 2;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		tap_result(&tap, survives(&modes[i], argv), modes[i].claim);
	return tap_end(&tap);
}
