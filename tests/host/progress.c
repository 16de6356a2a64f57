/*
 * What people see of a turn that takes long, one claim each.
 *
 *	progress HOST AGENT BRIDGE [CLAIM]
 *
 * The agent's steps come from a FIFO that the test keeps open, so that they survive a host that is
 * killed. NANOCLAW_PROGRESS_SECONDS is 1, or so long that no test reaches it: nothing here depends
 * on how fast the machine is.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "task_setup.h"

#define NEVER "86400"

static char **programs;
static int fifo;

static void begin(struct driver *d, const char *hello, const char *seconds)
{
	CLEANUP(freep) char *path = NULL;
	CLEANUP(freep) char *gate = NULL;
	FILE *file;

	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g2", "test:2", false);
	driver_bridge(d, "test", "plain");
	path = xasprintf("%s/hello", d->platform);
	gate = xasprintf("%s/groups/g2/steps", d->root);
	file = fopen(path, "w");
	if (!file || fputs(hello, file) < 0 || fclose(file) || mkfifo(gate, 0600) < 0)
		driver_fail(d, "cannot write '%s'", path);
	fifo = open(gate, O_RDWR | O_CLOEXEC);
	driver_set(d, "NANOCLAW_PROGRESS_SECONDS", seconds);
	driver_set(d, "NANOCLAW_PROGRESS_LINE_SECONDS", "1");
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	close(fifo);
	driver_release(d);
	return ok;
}

static void step(const char *text)
{
	dprintf(fifo, "%s\n", text);
}

static bool sent_some(struct driver *d, void *data)
{
	const size_t *wanted = data;

	driver_read_sent(d);
	return d->sent_count >= *wanted;
}

static void wait_for_sent(struct driver *d, size_t count)
{
	driver_wait(d, sent_some, &count, "something is sent");
}

static bool is_true(struct driver *d, void *sql)
{
	return driver_number(d, sql) == 1;
}

static void wait_until(struct driver *d, const char *sql)
{
	driver_wait(d, is_true, (void *)(uintptr_t)sql, sql);
}

static bool ends_with(const char *text, const char *end)
{
	return view_ends_with(view_of(text), end);
}

/* The text number `i`, with a key of this end: "p1" is the first of progress, "a1" the answer. */
static bool sent_is(struct driver *d, size_t i, const char *key, const char *text)
{
	bool ok = i < d->sent_count && ends_with(d->sent[i].key, key) &&
		  !strcmp(d->sent[i].text, text);

	for (size_t k = 0; !ok && k < d->sent_count; k++)
		printf("# sent: %s '%s'\n", d->sent[k].key, d->sent[k].text);
	return ok;
}

/* The same, as an edit of the first text. */
static bool edited(struct driver *d, size_t i, const char *key, const char *text)
{
	CLEANUP(freep) char *edit = xasprintf("edit id-%s %s", d->sent[0].key, text);

	return sent_is(d, i, key, edit);
}

#define DELIVERED "SELECT count(*) = 1 FROM turns WHERE state = 'delivered'"

/* --- a message that is edited -------------------------------------------------- */

static const char can_edit[] = "{\"can\":[\"edit\"]}";

static void begin_shown(struct driver *d, const char *word)
{
	CLEANUP(freep) char *text = xasprintf("%s !steps steps", word);

	begin(d, can_edit, "1");
	driver_feed(d, "m1", "test:2", text);
	driver_start_ready(d);
	step("one");
	wait_for_sent(d, 1);
}

static bool a_long_turn_has_one_message_that_is_edited_and_becomes_the_answer(void)
{
	struct driver d;
	bool ok;

	begin_shown(&d, "a");
	step("three");
	wait_for_sent(&d, 2);
	step(".");
	wait_for_sent(&d, 3);
	ok = sent_is(&d, 0, "-p1", "one") && edited(&d, 1, "-p2", "three") &&
	     edited(&d, 2, "-a1", "a");
	/* The agent's last text is the answer, and it is in this message. */
	driver_feed(&d, "m2", "test:2", "b !op {\"op\":\"edit_message\",\"text\":\"better\"}");
	driver_nudge(&d);
	wait_for_sent(&d, 5);
	ok = ok && edited(&d, 3, "-1", "better");
	ok = ok && driver_number(&d, "SELECT count(*) FROM outbox") == 3;
	return end(&d) && ok;
}

static bool only_the_newest_text_waits(void)
{
	struct driver d;
	bool ok;

	begin_shown(&d, "a");
	for (int i = 0; i < 50; i++)
		step("more");
	step("last");
	wait_until(&d, "SELECT count(*) = 1 FROM turns WHERE progress IS NULL"
		       " AND (SELECT count(*) FROM steps WHERE kind = 'said') = 52");
	driver_read_sent(&d);
	ok = d.sent_count < 10 && ends_with(d.sent[d.sent_count - 1].text, " last");
	step(".");
	wait_until(&d, DELIVERED);
	return end(&d) && ok;
}

static bool an_answer_in_parts_begins_in_the_message(void)
{
	static const char hello[] = "{\"can\":[\"edit\"],\"max_text\":16}";
	struct driver d;
	bool ok;

	begin(&d, hello, "1");
	driver_feed(&d, "m1", "test:2", "0123456789abcdefg !steps steps");
	driver_start_ready(&d);
	step("a text of more than sixteen bytes");
	wait_for_sent(&d, 1);
	step(".");
	wait_for_sent(&d, 3);
	ok = sent_is(&d, 0, "-p1", "a text of more") &&
	     edited(&d, 1, "-a1", "0123456789abcdef") && sent_is(&d, 2, "-a2", "g");
	return end(&d) && ok;
}

static bool an_answer_whose_edit_is_refused_is_a_text_of_its_own(void)
{
	struct driver d;
	bool ok;

	begin_shown(&d, "noeditme");
	step(".");
	wait_for_sent(&d, 2);
	ok = sent_is(&d, 1, "-a1", "noeditme") && driver_lines(&d, "platform/refused") == 1;
	wait_until(&d, DELIVERED);
	ok = ok && driver_number(&d, "SELECT count(*) FROM outbox") == 1;
	return end(&d) && ok;
}

static bool an_answer_after_a_text_of_the_agent_is_a_text_of_its_own(void)
{
	struct driver d;
	bool ok;

	begin_shown(&d, "a");
	step("!say");
	wait_for_sent(&d, 2);
	step(".");
	wait_for_sent(&d, 3);
	ok = sent_is(&d, 1, "-1", "said a") && sent_is(&d, 2, "-a1", "a");
	return end(&d) && ok;
}

static bool a_second_attempt_and_its_error_have_the_same_message(void)
{
	struct driver d;
	bool ok;

	begin_shown(&d, "a");
	step("!fail");
	step("again");
	wait_for_sent(&d, 2);
	ok = edited(&d, 1, "-p2", "again");
	step("!fail");
	step("!fail");
	wait_until(&d, DELIVERED);
	driver_read_sent(&d);
	ok = ok && edited(&d, d.sent_count - 1, "-a1",
			   "Sorry, I could not answer this: told to fail (error t1).");
	return end(&d) && ok;
}

static bool a_turn_without_an_answer_leaves_its_last_text(void)
{
	struct driver d;
	bool ok;

	begin_shown(&d, "a");
	step("!silent");
	wait_until(&d, DELIVERED);
	driver_feed(&d, "m2", "test:2", "b");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	ok = sent_is(&d, 1, "-a1", "b");
	return end(&d) && ok;
}

static bool progress_that_is_refused_is_no_trouble(void)
{
	struct driver d;
	bool ok;

	begin(&d, can_edit, "1");
	driver_feed(&d, "m1", "test:2", "a !steps steps");
	driver_start_ready(&d);
	step("refuseme");
	wait_until(&d, "SELECT progress_attempts FROM turns");
	step(".");
	wait_until(&d, DELIVERED);
	driver_read_sent(&d);
	ok = d.sent_count == 1 && sent_is(&d, 0, "-a1", "a") &&
	     driver_number(&d, "SELECT count(*) FROM outbox") == 1;
	return end(&d) && ok;
}

/* --- the host is killed -------------------------------------------------------- */

/* Until the condition holds; a host that dies is started again, and its agent gets the step again. */
static bool go_on(struct driver *d, const char *text, const char *sql)
{
	bool died = false;

	step(text);
	while (!driver_wait_alive(d, is_true, (void *)(uintptr_t)sql, sql)) {
		driver_reap(d);
		died = true;
		driver_start_ready(d); /* the last agent has ended then, and reads no step */
		step(text);
	}
	return died;
}

/* The answer is an edit or, if that is refused, a text; in both cases one. */
static bool kill_at(unsigned at, const char *word, bool *ret_died)
{
	CLEANUP(freep) char *variable = xasprintf("NANOCLAW_LEDGER_FAULT=%u", at);
	CLEANUP(freep) char *question = xasprintf("%s !steps steps", word);
	unsigned answers = 0;
	unsigned shown = 0;
	struct driver d;
	bool ok;

	begin(&d, can_edit, "1");
	driver_feed(&d, "m1", "test:2", question);
	driver_start(&d, variable);
	*ret_died = go_on(
		&d, "one", "SELECT count(*) = 1 FROM turns WHERE progress_receipt IS NOT NULL");
	*ret_died |= go_on(&d, ".", DELIVERED);
	driver_read_sent(&d);
	for (size_t i = 0; i < d.sent_count; i++) {
		bool edit = !strncmp(d.sent[i].text, "edit id-", 8);

		answers += ends_with(d.sent[i].key, "-a1") && edit == !strcmp(word, "a");
		shown += ends_with(d.sent[i].key, "-p1");
	}
	ok = answers == 1 && shown == 1;
	if (!ok)
		printf("# %s: %u answers, %u messages\n", variable, answers, shown);
	*ret_died |= !end(&d); /* just after the change for which the test waited */
	return ok;
}

static bool a_kill_at_any_change_leaves_one_message_with_the_answer(void)
{
	bool died = true;
	bool ok = true;

	for (unsigned at = 1; died; at += 3)
		ok = kill_at(at, at % 2 ? "a" : "noeditme", &died) && ok;
	return ok;
}

/* --- lines ---------------------------------------------------------------------- */

static bool a_chat_that_cannot_edit_gets_a_line(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}", "1");
	driver_feed(&d, "m1", "test:2", "a !steps steps");
	driver_start_ready(&d);
	step("one|two");
	wait_for_sent(&d, 1);
	step("three");
	wait_for_sent(&d, 2);
	step(".");
	wait_for_sent(&d, 3);
	ok = sent_is(&d, 0, "-p1", "one …") && sent_is(&d, 1, "-p2", "three") &&
	     sent_is(&d, 2, "-a1", "a");
	return end(&d) && ok;
}

/* --- nothing -------------------------------------------------------------------- */

/* The agent writes, and then answers: that is all that the chat sees. `sql` holds before. */
static bool shows_nothing(struct driver *d, const char *sql)
{
	bool ok;

	driver_start_ready(d);
	step("one");
	step("two");
	wait_until(d, "SELECT count(*) = 2 FROM steps WHERE kind = 'said'");
	ok = driver_number(d, sql) == 1;
	step(".");
	wait_until(d, DELIVERED);
	driver_read_sent(d);
	ok = ok && d->sent_count == 1 && sent_is(d, 0, "-a1", "a") &&
	     driver_number(d, "SELECT count(*) FROM turns WHERE progress IS NOT NULL") == 0;
	return end(d) && ok;
}

#define STORED    "SELECT count(*) = 1 FROM turns WHERE progress = 'two'"
#define NOT_THERE "SELECT count(*) = 1 FROM turns WHERE progress IS NULL"

static bool nothing(const char *hello, const char *seconds, const char *line, const char *sql)
{
	struct driver d;

	begin(&d, hello, seconds);
	driver_set(&d, "NANOCLAW_PROGRESS_LINE_SECONDS", line);
	driver_feed(&d, "m1", "test:2", "a !steps steps");
	return shows_nothing(&d, sql);
}

static bool a_short_turn_shows_nothing(void)
{
	return nothing(can_edit, NEVER, "1", STORED);
}

static bool a_chat_that_cannot_edit_waits_for_a_line(void)
{
	return nothing("{}", "1", NEVER, STORED);
}

static bool a_setting_turns_it_off(void)
{
	return nothing(can_edit, "0", "1", NOT_THERE);
}

static bool mail_shows_nothing(void)
{
	return nothing("{\"can\":[\"files\"]}", "1", "1", NOT_THERE);
}

static bool a_scheduled_task_shows_nothing(void)
{
	struct driver d;

	begin(&d, can_edit, "1");
	task_setup(&d, &(struct task_setup){.folder = "g2",
			       .chat = "test:2",
			       .prompt = "a !steps steps",
			       .due = -HOUR,
			       .missed = MISSED_ONCE,
			       .context = CONTEXT_GROUP});
	return shows_nothing(&d, NOT_THERE);
}

#define CLAIM(function)                                                                        \
	{                                                                                      \
#function, function                                                            \
	}

static const struct {
	const char *name;
	bool (*run)(void);
} claims[] = {
	CLAIM(a_long_turn_has_one_message_that_is_edited_and_becomes_the_answer),
	CLAIM(only_the_newest_text_waits),
	CLAIM(an_answer_in_parts_begins_in_the_message),
	CLAIM(an_answer_whose_edit_is_refused_is_a_text_of_its_own),
	CLAIM(an_answer_after_a_text_of_the_agent_is_a_text_of_its_own),
	CLAIM(a_second_attempt_and_its_error_have_the_same_message),
	CLAIM(a_turn_without_an_answer_leaves_its_last_text),
	CLAIM(progress_that_is_refused_is_no_trouble),
	CLAIM(a_kill_at_any_change_leaves_one_message_with_the_answer),
	CLAIM(a_chat_that_cannot_edit_gets_a_line),
	CLAIM(a_short_turn_shows_nothing),
	CLAIM(a_chat_that_cannot_edit_waits_for_a_line),
	CLAIM(a_setting_turns_it_off),
	CLAIM(mail_shows_nothing),
	CLAIM(a_scheduled_task_shows_nothing),
};

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc < 4)
		return 2;
	programs = argv;
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		if (argc < 5 || !strcmp(argv[4], claims[i].name))
			tap_result(&tap, claims[i].run(), claims[i].name);
	return tap_end(&tap);
}
