/*
 * The host is killed before and after every change of the ledger.
 *
 *	faults HOST AGENT BRIDGE STRIDE
 *
 * The workload is small but complete: turns that fail once, die once, or always fail, a text in
 * the middle of a turn, a refused session, a text in parts, a text that the platform accepts
 * the second time and one that it never accepts. It is done in two runs. Each run first counts
 * the changes. Then, for every STRIDEth change, in a new project, the host kills itself there
 * and is restarted, and people must see the same texts as without a kill.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../harness/tap.h"
#include "driver.h"
#include "fs/file.h"

struct line {
	const char *id;
	const char *chat;
	const char *text;
};

static const struct line waves[2][9] = {
	{
		{"1", "test:1", "m1"},
		{"2", "test:1", "m2 !fail-once"},
		{"3", "test:2", "m3 !say"},
		{"4", "test:2", "m4 !refuse"},
		{"5", "test:3", "m5 !die-once"},
		{"6", "test:3", "m6 !long"},
		{"7", "test:1", "m7-nackme"},
		{"8", "test:4", "m8-refuseme"},
	},
	{
		{"9", "test:2", "m9"},
		{"10", "test:1", "m10 !fail"},
		{"11", "test:3", "m11"},
	},
};

/* What each chat has seen in the end, as words in order. "said m3" stands apart. */
static const char *const expected[] = {
	NULL,
	"m1 m2 m7-nackme Sorry, I could not answer this: told to fail (error tN). ",
	"m3 m4 m9 ",
	"m5 m6 m6-0 m6-1 m6-2 m6-3 m6-4 m6-5 m6-6 m6-7 m6-8 m6-9 m6-10 m6-11 m6-12 m6-13 "
	"m6-14 m6-15 m6-16 m6-17 m6-18 m6-19 m6-20 m6-21 m6-22 m6-23 m6-24 m6-25 m6-26 m6-27 "
	"m6-28 m6-29 m6-30 m6-31 m6-32 m6-33 m6-34 m6-35 m6-36 m6-37 m6-38 m6-39 m11 ",
	"",
};

static char **programs;

static bool wave_done(struct driver *d, void *data)
{
	const int *messages = data;
	CLEANUP(freep)
	char *sql = xasprintf(
		"SELECT (SELECT count(*) FROM messages WHERE state IN ('answered', 'delivered')) = %d"
		" AND NOT EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting'"
		" AND chat_jid LIKE 'test:%%')",
		*messages);

	return driver_number(d, sql) == 1;
}

static void feed_wave(struct driver *d, int wave)
{
	for (const struct line *line = waves[wave]; line->id; line++)
		driver_feed(d, line->id, line->chat, line->text);
}

static void prepare(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_set(d, "NANOCLAW_SEND_TRIES", "5");
	driver_bridge(d, "test", "max=64");
	for (int i = 1; i <= 4; i++) {
		CLEANUP(freep) char *folder = xasprintf("g%d", i);
		CLEANUP(freep) char *jid = xasprintf("test:%d", i);

		driver_group(d, folder, jid, false);
	}
}

/* Both runs, with a variable for one of them; true if the host has died of it. */
static bool run_both(struct driver *d, int faulty_run, const char *variable)
{
	int messages = 0;
	bool died = false;

	for (int run = 0; run < 2; run++) {
		for (const struct line *line = waves[run]; line->id; line++)
			messages++;
		feed_wave(d, run);
		driver_start(d, run == faulty_run ? variable : NULL);
		if (!driver_wait_alive(d, wave_done, &messages, "a wave is answered")) {
			int status = driver_reap(d);

			if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
				driver_fail(d, "the host ended with %d", status);
			died = true;
			driver_start(d, NULL);
			driver_wait(d, wave_done, &messages, "a wave is answered after a kill");
		}
		driver_stop(d);
	}
	return died;
}

/* The numbers of turns depend on who was first. */
static void append_seen(struct buf *seen, const char *text)
{
	struct view rest = view_of(text);
	struct view word;

	while (view_next(&rest, ' ', &word)) {
		bool turn = word.len > 1 && word.data[0] == 't' && word.data[1] >= '0' &&
			    word.data[1] <= '9';

		if (turn)
			buf_append_str(seen, "tN). ");
		else
			buf_appendf(seen, "%.*s ", VIEW_ARGS(word));
	}
}

static bool check_chat(struct driver *d, int chat)
{
	CLEANUP(freep) char *jid = xasprintf("test:%d", chat);
	CLEANUP(buf_release) struct buf seen = BUF_INIT;
	int said = 0;

	for (size_t i = 0; i < d->sent_count; i++) {
		if (strcmp(d->sent[i].chat, jid) != 0)
			continue;
		if (!strcmp(d->sent[i].text, "said m3"))
			said++;
		else
			append_seen(&seen, d->sent[i].text);
	}
	if (strcmp(seen.data, expected[chat]) != 0 || said != (chat == 2))
		printf("# %s has seen '%s', and 'said' %d times\n", jid, seen.data, said);
	return !strcmp(seen.data, expected[chat]) && said == (chat == 2);
}

static bool check(struct driver *d)
{
	bool ok = true;

	driver_read_sent(d);
	for (int chat = 1; chat <= 4; chat++)
		ok = check_chat(d, chat) && ok;
	if (driver_number(d, "SELECT count(*) FROM outbox WHERE kind = 'notice'") != 1 ||
		driver_number(d, "SELECT count(*) FROM outbox WHERE state = 'dead'") != 1) {
		printf("# not one dead letter with one notice to main\n");
		ok = false;
	}
	return ok;
}

/* How many changes a run makes, and of which kinds. */
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

static bool covers(const struct buf *names, const char *change)
{
	CLEANUP(freep) char *line = xasprintf("%s after\n", change);

	if (!strstr(names->data, line))
		printf("# '%s' does not happen\n", change);
	return strstr(names->data, line) != NULL;
}

static unsigned try_all(int run, unsigned count, unsigned stride, unsigned *ret_points)
{
	unsigned wrong = 0;

	for (unsigned at = 1 + (unsigned)run % stride; at <= count; at += stride) {
		CLEANUP(freep) char *variable = xasprintf("NANOCLAW_LEDGER_FAULT=%u", at);
		struct driver d;

		prepare(&d);
		run_both(&d, run, variable);
		if (!check(&d)) {
			printf("# run %d, %s\n", run + 1, variable);
			wrong++;
		}
		driver_release(&d);
		(*ret_points)++;
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static const char *const changes[] = {"receive", "batch", "claim", "attempt", "begin",
		"answer", "sent", "fail", "unsent", "dead", "dead-letter", "say", "afresh",
		"give-up", "given-up", "recover"};
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	struct tap tap = {0};
	unsigned stride;
	unsigned points = 0;
	unsigned wrong = 0;
	unsigned counts[2];
	bool all = true;

	if (argc != 5)
		return 2;
	programs = argv;
	stride = (unsigned)strtoul(argv[4], NULL, 10);
	for (int run = 0; run < 2; run++) {
		CLEANUP(buf_release) struct buf some = BUF_INIT;

		counts[run] = count_changes(run, &some);
		buf_append(&names, some.data, some.len);
	}
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		all = covers(&names, changes[i]) && all;
	tap_result(&tap, all, "the work has every change of the ledger in it");
	for (int run = 0; run < 2; run++)
		wrong += try_all(run, counts[run], stride, &points);
	printf("# %u points of %u\n", points, counts[0] + counts[1]);
	tap_result(&tap, wrong == 0, "a kill at any change of the ledger changes nothing");
	return tap_end(&tap);
}
