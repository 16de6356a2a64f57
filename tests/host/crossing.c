/*
 * Everything that crosses a channel, and how the host handles it, with a claim per function.
 *
 *	crossing HOST AGENT BRIDGE
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "fs/file.h"

static char **programs;

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

/* g1 needs a trigger, g2 does not; `hello` has fields of the bridge's hello. */
static void begin(struct driver *d, const char *hello)
{
	CLEANUP(freep) char *path = NULL;
	FILE *file;

	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", true);
	driver_group(d, "g2", "test:2", false);
	driver_bridge(d, "test", "plain");
	path = xasprintf("%s/hello", d->platform);
	file = fopen(path, "w");
	if (!file || fputs(hello, file) < 0 || fclose(file))
		driver_fail(d, "cannot write '%s'", path);
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

/* The text of an answer; what it was is a remark. */
static bool sent_is(struct driver *d, size_t i, const char *wanted)
{
	bool ok = !strcmp(d->sent[i].text, wanted);

	if (!ok)
		printf("# sent: '%s'\n", d->sent[i].text);
	return ok;
}

/* Did the host send the bridge a line that contains this? */
static bool line_has(struct driver *d, const char *wanted)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/platform/lines", d->root);
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	struct view rest, line;

	file_read(path, SIZE_MAX, &lines, &err);
	if (strstr(lines.data, wanted))
		return true;
	rest = view_of_buf(&lines);
	while (view_next(&rest, '\n', &line))
		printf("# %.*s\n", VIEW_ARGS(line));
	return false;
}

/* --- out ----------------------------------------------------------------------- */

static bool a_text_is_in_the_dialect_of_its_platform(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{\"dialect\":\"telegram\",\"unit\":\"utf16\",\"max_text\":100}");
	driver_feed(&d, "1", "test:2", "**a<b**");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = sent_is(&d, 0, "<b>a&lt;b</b>") && line_has(&d, "\"plain\":\"a<b\"");
	return end(&d) && ok;
}

static bool a_text_without_a_dialect_is_as_it_was_written(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "**a<b**");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = sent_is(&d, 0, "**a<b**") && line_has(&d, "\"text\":\"**a<b**\",\"type\"");
	return end(&d) && ok;
}

static bool a_rate_limit_costs_no_attempt(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_set(&d, "NANOCLAW_SEND_TRIES", "1");
	driver_feed(&d, "1", "test:2", "laterme");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = driver_lines(&d, "platform/sends") == 2;
	driver_stop(&d);
	ok = ok && driver_number(&d, "SELECT attempts FROM outbox WHERE state = 'sent'") == 1;
	driver_release(&d);
	return ok;
}

static bool put_off(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d, "SELECT count(*) FROM outbox WHERE last_error IS NOT NULL");
}

static bool owner_knows(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d, "SELECT count(*) FROM outbox WHERE kind = 'notice' AND "
				"chat_jid = 'local:main' AND content LIKE "
				"'Something for ''g2'' has been waiting for hours%'") == 1;
}

static bool a_text_that_is_put_off_for_ever_is_reported(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "neverlater");
	driver_start_ready(&d);
	driver_wait(&d, put_off, NULL, "the platform wants it later");
	ok = !owner_knows(&d, NULL);
	driver_stop(&d);
	driver_number(&d, "UPDATE outbox SET not_before = NULL, "
			  "created_at = '2026-01-01T00:00:00.000Z'");
	driver_start_ready(&d);
	driver_wait(&d, owner_knows, NULL, "the owner is told");
	return end(&d) && ok;
}

/* --- in ------------------------------------------------------------------------ */

static bool a_mention_is_a_trigger(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:1", "one");
	driver_feed(&d, "2", "test:1", "{\"text\":\"two\",\"mentions_me\":true}");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = sent_is(&d, 0, "one two");
	return end(&d) && ok;
}

static bool an_answer_goes_to_the_thread_of_its_message(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "{\"text\":\"one\",\"thread\":\"t1\"}");
	driver_feed(&d, "2", "test:2", "{\"text\":\"two\",\"thread\":\"t2\"}");
	driver_feed(&d, "3", "test:2", "three");
	driver_start_ready(&d);
	wait_for_sent(&d, 3);
	ok = sent_is(&d, 0, "one") && sent_is(&d, 1, "two") && sent_is(&d, 2, "three") &&
	     line_has(&d, "\"reply_to\":\"1\",\"text\":\"one\",\"thread\":\"t1\"") &&
	     line_has(&d, "\"reply_to\":\"2\",\"text\":\"two\",\"thread\":\"t2\"") &&
	     line_has(&d, "\"reply_to\":\"3\",\"text\":\"three\",\"type\"");
	return end(&d) && ok;
}

static bool an_agent_sees_what_a_message_refers_to(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:1", "first words of \"it\"");
	driver_feed(&d, "2", "test:1",
		"{\"text\":\"x !attributes\",\"thread\":\"t\",\"reply_to\":\"1\","
		"\"mentions_me\":true}");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = strstr(d.sent[0].text, "thread=\"t\" reply_to=\"tester: first words of "
				    "&quot;it&quot;\"") != NULL;
	if (!ok)
		printf("# %s\n", d.sent[0].text);
	driver_feed(&d, "3", "test:1",
		"{\"text\":\"y !attributes\",\"reply_to\":\"unknown\",\"mentions_me\":true}");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	ok = ok && strstr(d.sent[1].text, "reply_to=\"an earlier message\"");
	if (!ok)
		printf("# %s\n", d.sent[1].text);
	return end(&d) && ok;
}

static bool an_edit_before_the_agent_has_seen_it_changes_the_message(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:1", "wrong");
	driver_feed(&d, "2", "test:1", "{\"text\":\"right\",\"edit_of\":\"1\"}");
	driver_feed(&d, "3", "test:1", "@andy");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = sent_is(&d, 0, "right @andy");
	return end(&d) && ok;
}

static bool an_edit_afterwards_is_a_message_that_says_so(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "before");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	driver_feed(&d, "2", "test:2", "{\"text\":\"x !attributes\",\"edit_of\":\"1\"}");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	ok = strstr(d.sent[1].text, "edit_of=\"tester: before\"") != NULL;
	if (!ok)
		printf("# %s\n", d.sent[1].text);
	return end(&d) && ok;
}

static bool an_edit_back_to_the_first_text_is_seen(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "before");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	driver_feed(&d, "2", "test:2", "{\"text\":\"after\",\"edit_of\":\"1\"}");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	driver_feed(&d, "3", "test:2", "{\"text\":\"before\",\"edit_of\":\"1\"}");
	driver_nudge(&d);
	wait_for_sent(&d, 3);
	ok = sent_is(&d, 1, "after") && sent_is(&d, 2, "before");
	return end(&d) && ok;
}

static bool an_edit_that_changes_no_text_is_no_message(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "before");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	driver_feed(&d, "2", "test:2", "{\"text\":\"after\",\"edit_of\":\"1\"}");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	driver_feed(&d, "3", "test:2", "{\"text\":\"after\",\"edit_of\":\"1\"}");
	driver_feed(&d, "4", "test:2", "later");
	driver_nudge(&d);
	wait_for_sent(&d, 3);
	ok = sent_is(&d, 1, "after") && sent_is(&d, 2, "later");
	return end(&d) && ok;
}

static bool nobody_is_taken_for_the_assistant_in_a_quotation(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "{\"text\":\"trust\",\"name\":\"you\"}");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	driver_feed(&d, "2", "test:2", "{\"text\":\"x !attributes\",\"reply_to\":\"1\"}");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	CLEANUP(freep)
	char *reply =
		xasprintf("{\"text\":\"y !attributes\",\"reply_to\":\"id-%s\"}", d.sent[0].key);
	driver_feed(&d, "3", "test:2", reply);
	driver_nudge(&d);
	wait_for_sent(&d, 3);
	ok = strstr(d.sent[1].text, " reply_to=\"you: trust\"") &&
	     strstr(d.sent[2].text, " reply_to_you=\"trust\"");
	if (!ok)
		printf("# %s, %s\n", d.sent[1].text, d.sent[2].text);
	return end(&d) && ok;
}

/* Only the one who wrote a message edits it. */
static bool nobody_edits_the_message_of_another(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:1", "mine");
	driver_feed(&d, "2", "test:1",
		"{\"text\":\"yours\",\"edit_of\":\"1\",\"sender\":\"mallory\"}");
	driver_feed(&d, "3", "test:1", "@andy");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = sent_is(&d, 0, "mine yours @andy");
	return end(&d) && ok;
}

static bool a_reaction_is_seen_and_gets_no_answer(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "{\"text\":\"+1\",\"reaction_to\":\"0\"}");
	driver_feed(&d, "2", "test:2", "hello");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = sent_is(&d, 0, "+1 hello");
	driver_stop(&d);
	ok = ok && driver_number(&d, "SELECT sum(wants_answer) FROM messages") == 1;
	driver_release(&d);
	return ok;
}

/* --- chats ---------------------------------------------------------------------- */

static bool has_moved(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d, "SELECT count(*) FROM registered_groups WHERE jid = 'test:9'");
}

static bool a_chat_that_moves_keeps_its_group(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "before");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:2\",\"to\":\"test:9\"}");
	driver_nudge(&d);
	driver_wait(&d, has_moved, NULL, "the group has the new id");
	driver_feed(&d, "2", "test:9", "after");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	ok = sent_is(&d, 1, "after") && !strcmp(d.sent[1].chat, "test:9") &&
	     driver_lines(&d, "platform/moves") == 1 &&
	     driver_number(&d, "SELECT count(*) FROM messages WHERE chat_jid = 'test:2'") ==
		     0 &&
	     driver_number(&d,
		     "SELECT count(*) FROM outbox WHERE kind = 'notice' AND "
		     "chat_jid = 'local:main' AND content LIKE '%''g2''%test:9%'") == 1;
	return end(&d) && ok;
}

static bool nobody_types_in_a_chat_that_has_moved(void)
{
	CLEANUP(freep) char *fifo = NULL;
	CLEANUP(closep) int gate = -1;
	struct driver d;
	bool ok;

	begin(&d, "{\"can\":[\"typing\"]}");
	fifo = xasprintf("%s/groups/g2/gate", d.root);
	mkfifo(fifo, 0600);
	driver_feed(&d, "1", "test:2", "slow !wait gate");
	driver_start_ready(&d);
	gate = open(fifo, O_WRONLY | O_CLOEXEC);
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:2\",\"to\":\"test:9\"}");
	driver_nudge(&d);
	driver_wait(&d, has_moved, NULL, "the group has the new id");
	ok = write(gate, "x", 1) == 1;
	wait_for_sent(&d, 1);
	ok = ok && !strcmp(d.sent[0].chat, "test:9") &&
	     line_has(&d, "\"chat\":\"test:2\",\"on\":true") &&
	     line_has(&d, "\"chat\":\"test:2\",\"on\":false");
	return end(&d) && ok;
}

/* What a bridge says is not enough, and the question comes once. */
static bool the_chat_of_main_moves_only_by_a_persons_command(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "0", "test:2", "ready");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	free(driver_run(&d,
		(const char *const[]){"group", "set", "main", "--jid", "test:5", NULL}, NULL));
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:5\",\"to\":\"test:9\"}");
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:5\",\"to\":\"test:9\"}");
	driver_feed(&d, "1", "test:5", "hello");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	ok = driver_lines(&d, "platform/errors") == 2 && !strcmp(d.sent[1].chat, "test:5") &&
	     driver_number(&d,
		     "SELECT count(*) FROM outbox WHERE kind = 'notice' AND chat_jid = "
		     "'local:main' AND content LIKE '%group set main --jid test:9.%'") == 1;
	free(driver_run(&d,
		(const char *const[]){"group", "set", "main", "--jid", "test:9", NULL}, NULL));
	driver_feed(&d, "2", "test:9", "here");
	driver_nudge(&d);
	wait_for_sent(&d, 3);
	ok = ok && !strcmp(d.sent[2].chat, "test:9");
	return end(&d) && ok;
}

/* Ids that a stranger chose, one after the other: one question, and no line that runs something. */
static bool a_question_about_mains_chat_comes_once_and_runs_nothing(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "0", "test:2", "ready");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	free(driver_run(&d,
		(const char *const[]){"group", "set", "main", "--jid", "test:5", NULL}, NULL));
	driver_feed(&d, "-", "",
		"{\"type\":\"moved\",\"chat\":\"test:5\",\"to\":\"test:';id>x;'\"}");
	for (int i = 10; i < 60; i++) {
		CLEANUP(freep)
		char *line = xasprintf(
			"{\"type\":\"moved\",\"chat\":\"test:5\",\"to\":\"test:%d\"}", i);

		driver_feed(&d, "-", "", line);
	}
	driver_feed(&d, "1", "test:5", "hello");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	/* Two if midnight passed meanwhile. */
	ok = driver_number(&d, "SELECT count(*) FROM outbox WHERE chat_jid = 'local:main' AND "
			       "kind = 'notice'") <= 2 &&
	     driver_number(&d,
		     "SELECT count(*) FROM outbox WHERE content LIKE "
		     "'%group set main --jid JID.%' AND chat_jid = 'local:main'") == 1;
	return end(&d) && ok;
}

/* The code is what follows the last space of the first line. */
static char *pairing_code(struct driver *d, const char *folder)
{
	CLEANUP(freep)
	char *out = driver_run(d,
		(const char *const[]){"channel", "pair", "test", "--folder", folder, NULL},
		NULL);
	char *end = strchr(out, '\n');

	if (end)
		*end = '\0';
	return xstrdup(strrchr(out, ' ') ? strrchr(out, ' ') + 1 : out);
}

static bool bin_group(struct driver *d, const char *folder)
{
	CLEANUP(freep)
	char *text = xasprintf("x !op {\"op\":\"remove_group\",\"group\":\"%s\"}", folder);
	CLEANUP(freep)
	char *out = driver_run(
		d, (const char *const[]){"send", "main", text, "--wait", NULL}, NULL);

	return strstr(out, "\"ok\":true");
}

/* Neither a chat that moves there nor a code that is sent there. */
static bool a_chat_in_the_bin_takes_no_channel_down(void)
{
	CLEANUP(freep) char *refused = NULL;
	CLEANUP(freep) char *code = NULL;
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_start_ready(&d);
	ok = bin_group(&d, "g2");
	refused = driver_run(&d,
		(const char *const[]){"channel", "pair", "test", "--folder", "g2", NULL}, NULL);
	ok = ok && strstr(refused, "in the bin");
	code = pairing_code(&d, "new");
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:1\",\"to\":\"test:2\"}");
	driver_feed(&d, "1", "test:2", code);
	driver_feed(&d, "2", "test:1", "@andy hello");
	driver_nudge(&d);
	wait_for_sent(&d, 1);
	ok = ok && !strcmp(d.sent[0].chat, "test:1") &&
	     driver_lines(&d, "platform/starts") == 1 &&
	     driver_lines(&d, "platform/errors") == 1 &&
	     driver_number(&d, "SELECT count(*) FROM registered_groups WHERE jid = 'test:2'"
			       " AND removed_at IS NOT NULL") == 1;
	return end(&d) && ok;
}

static bool has_g2_moved(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d,
		       "SELECT count(*) FROM registered_groups g JOIN allowed_senders s"
		       " ON s.group_folder = g.folder WHERE g.jid = 'test:7'"
		       " AND s.sender = 'ann'") == 1;
}

static bool a_chat_that_moves_in_the_bin_keeps_its_list_of_senders(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_start_ready(&d);
	free(driver_run(
		&d, (const char *const[]){"group", "set", "g2", "--allow", "ann", NULL}, NULL));
	ok = bin_group(&d, "g2");
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:2\",\"to\":\"test:7\"}");
	driver_nudge(&d);
	driver_wait(&d, has_g2_moved, NULL, "its row has the new id");
	return end(&d) && ok;
}

static bool a_chat_does_not_move_to_another_group(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:2\",\"to\":\"test:1\"}");
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:2\",\"to\":\"other:1\"}");
	driver_feed(&d, "-", "", "{\"type\":\"moved\",\"chat\":\"test:2\",\"to\":\"test:2\"}");
	driver_feed(&d, "1", "test:2", "hello");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = driver_lines(&d, "platform/errors") == 3 && !strcmp(d.sent[0].chat, "test:2");
	return end(&d) && ok;
}

static bool has_restarted(struct driver *d, void *data)
{
	(void)data;
	return driver_lines(d, "platform/starts") > 1;
}

static bool a_chat_with_the_code_becomes_the_groups(void)
{
	CLEANUP(freep) char *code = NULL;
	CLEANUP(freep) char *text = NULL;
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_start_ready(&d);
	code = pairing_code(&d, "new");
	text = xasprintf("/pair %s", code);
	driver_feed(&d, "1", "test:7", "0000-0000");
	driver_feed(&d, "2", "test:7", text);
	driver_feed(&d, "3", "test:7", "@andy hello");
	driver_nudge(&d);
	wait_for_sent(&d, 2);
	ok = sent_is(&d, 0, "This chat now belongs to the group 'new'.") &&
	     sent_is(&d, 1, "@andy") && !strcmp(d.sent[1].chat, "test:7");
	/* A group that is there gets the chat instead of its own; the code works once. */
	free(TAKE(code));
	code = pairing_code(&d, "g2");
	driver_feed(&d, "4", "test:8", code);
	driver_nudge(&d);
	wait_for_sent(&d, 3);
	driver_feed(&d, "5", "test:6", code);
	driver_feed(&d, "6", "test:8", "hello");
	driver_nudge(&d);
	wait_for_sent(&d, 4);
	ok = ok && sent_is(&d, 3, "hello") && !strcmp(d.sent[3].chat, "test:8") &&
	     driver_number(&d, "SELECT count(*) FROM registered_groups WHERE jid = 'test:6'") ==
		     0;
	return end(&d) && ok;
}

/* The scenario channel-unpaired.t has the other case. */
static bool a_stranger_is_not_told_of_where_a_chat_is_paired(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:7", "@andy hello");
	driver_feed(&d, "2", "test:1", "@andy hello");
	driver_feed(&d, "3", "test:7", "@andy hello");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	ok = driver_number(&d, "SELECT count(*) FROM outbox WHERE chat_jid = 'local:main'") ==
	     0;
	return end(&d) && ok;
}

/* The store fails while the code is being taken: the bridge repeats it, and it still counts. */
static bool a_code_counts_until_the_pairing_is_stored(void)
{
	CLEANUP(freep) char *code = NULL;
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_start_ready(&d);
	code = pairing_code(&d, "new");
	driver_number(&d, "ALTER TABLE allowed_senders RENAME TO away");
	driver_feed(&d, "1", "test:7", code);
	driver_feed(&d, "2", "test:2", "hello");
	driver_nudge(&d);
	driver_wait(&d, has_restarted, NULL, "the bridge is started again");
	driver_number(&d, "ALTER TABLE away RENAME TO allowed_senders");
	wait_for_sent(&d, 2);
	ok = driver_number(&d, "SELECT count(*) FROM registered_groups WHERE jid = 'test:7' "
			       "AND folder = 'new'") == 1;
	return end(&d) && ok;
}

static bool a_channel_shows_when_it_was_last_heard_of(void)
{
	struct driver d;
	bool ok;

	begin(&d, "{}");
	driver_feed(&d, "1", "test:2", "hello");
	driver_start_ready(&d);
	wait_for_sent(&d, 1);
	CLEANUP(freep)
	char *list = driver_run(&d, (const char *const[]){"channel", "list", NULL}, NULL);
	CLEANUP(freep)
	char *json =
		driver_run(&d, (const char *const[]){"channel", "list", "--json", NULL}, NULL);
	ok = strstr(list, "last event just now") && strstr(json, "\"lastEvent\": \"2");
	if (!ok)
		printf("# %.60s\n", list);
	return end(&d) && ok;
}

#define CLAIM(function)                                                                        \
	{                                                                                      \
#function, function                                                            \
	}

static const struct {
	const char *name;
	bool (*run)(void);
} claims[] = {
	CLAIM(a_text_is_in_the_dialect_of_its_platform),
	CLAIM(a_text_without_a_dialect_is_as_it_was_written),
	CLAIM(a_rate_limit_costs_no_attempt),
	CLAIM(a_text_that_is_put_off_for_ever_is_reported),
	CLAIM(a_mention_is_a_trigger),
	CLAIM(an_answer_goes_to_the_thread_of_its_message),
	CLAIM(an_agent_sees_what_a_message_refers_to),
	CLAIM(an_edit_before_the_agent_has_seen_it_changes_the_message),
	CLAIM(an_edit_afterwards_is_a_message_that_says_so),
	CLAIM(an_edit_back_to_the_first_text_is_seen),
	CLAIM(an_edit_that_changes_no_text_is_no_message),
	CLAIM(nobody_is_taken_for_the_assistant_in_a_quotation),
	CLAIM(nobody_edits_the_message_of_another),
	CLAIM(a_reaction_is_seen_and_gets_no_answer),
	CLAIM(a_chat_that_moves_keeps_its_group),
	CLAIM(nobody_types_in_a_chat_that_has_moved),
	CLAIM(the_chat_of_main_moves_only_by_a_persons_command),
	CLAIM(a_question_about_mains_chat_comes_once_and_runs_nothing),
	CLAIM(a_chat_in_the_bin_takes_no_channel_down),
	CLAIM(a_chat_that_moves_in_the_bin_keeps_its_list_of_senders),
	CLAIM(a_chat_does_not_move_to_another_group),
	CLAIM(a_chat_with_the_code_becomes_the_groups),
	CLAIM(a_stranger_is_not_told_of_where_a_chat_is_paired),
	CLAIM(a_code_counts_until_the_pairing_is_stored),
	CLAIM(a_channel_shows_when_it_was_last_heard_of),
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
