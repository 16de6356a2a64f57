/*
 * User skills in chats that are not the terminal: one claim each.
 *
 *	skills HOST AGENT BRIDGE
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "skill_setup.h"

static char **programs;

static void begin(struct driver *d, const struct skill_sample *sample)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", false);
	driver_group(d, "g2", "test:2", true);
	driver_bridge(d, "test", "plain");
	skill_setup_write(d, sample);
	skill_setup_assign(d, sample->id, "g1");
	skill_setup_assign(d, sample->id, "g2");
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

/* Searches complete texts: the platform keeps only the first line of each. */
static unsigned times_seen(struct driver *d, const char *text)
{
	CLEANUP(freep)
	char *sql = xasprintf("SELECT count(*) FROM outbox WHERE state = 'sent'"
			      " AND instr(content, '%s')",
		text);

	return (unsigned)driver_number(d, sql);
}

static bool is_seen(struct driver *d, void *text)
{
	return times_seen(d, text) > 0;
}

static void see(struct driver *d, const char *text)
{
	driver_wait(d, is_seen, (void *)(uintptr_t)text, text);
}

static bool is_answered(struct driver *d, void *id)
{
	CLEANUP(freep)
	char *sql = xasprintf("SELECT count(*) FROM messages WHERE channel = 'test'"
			      " AND state = 'delivered' AND id = '%s'",
		(const char *)id);

	return driver_number(d, sql) == 1;
}

static void answered(struct driver *d, const char *id)
{
	driver_wait(d, is_answered, (void *)(uintptr_t)id, id);
}

static void feed(struct driver *d, const char *id, const char *chat, const char *text)
{
	driver_feed(d, id, chat, text);
	driver_try_signal(d, SIGUSR1); /* if it is not there yet, it reads it at its start */
}

static bool is(struct driver *d, const char *sql, int64_t wanted)
{
	int64_t found = driver_number(d, sql);

	if (found != wanted)
		printf("# %s: %" PRId64 ", and not %" PRId64 "\n", sql, found, wanted);
	return found == wanted;
}

static const struct skill_sample plain = {.id = "skill_plan_001", .command = "plan"};

/* --- turns ---------------------------------------------------------------------- */

static bool each_command_has_a_turn_to_itself(void)
{
	struct driver d;
	bool ok;

	begin(&d, &plain);
	feed(&d, "1", "test:1", "m1");
	feed(&d, "2", "test:1", "m2");
	feed(&d, "3", "test:1", "/plan a");
	feed(&d, "4", "test:1", "/plan b");
	feed(&d, "5", "test:1", "/skills");
	feed(&d, "6", "test:1", "m6");
	driver_start_ready(&d);
	see(&d, "m6");
	/* The first two may have come early enough to share one, or not. */
	ok = is(&d, "SELECT count(*) BETWEEN 5 AND 6 FROM turns WHERE group_folder = 'g1'",
		     1) &&
	     is(&d, "SELECT count(*) FROM skill_uses WHERE outcome = 'completed'", 2) &&
	     is(&d, "SELECT count(DISTINCT turn) FROM skill_uses", 2) &&
	     times_seen(&d, "You can ask for") == 1;
	return end(&d) && ok;
}

static bool a_command_needs_no_trigger_and_a_word_of_nobody_does(void)
{
	struct driver d;
	bool ok;

	begin(&d, &plain);
	driver_start_ready(&d);
	feed(&d, "1", "test:2", "/nothing");
	feed(&d, "2", "test:2", "hello all");
	feed(&d, "3", "test:2", "/plan it");
	answered(&d, "3");
	ok = is(&d, "SELECT count(*) FROM turns", 1) &&
	     is(&d, "SELECT count(*) FROM messages WHERE wants_answer", 1);
	return end(&d) && ok;
}

static bool of_two_with_one_command_the_first_is_it(void)
{
	static const struct skill_sample other = {
		.id = "skill_earlier_001", .command = "plan", .help = "the earlier one"};
	struct driver d;
	bool ok;

	begin(&d, &plain);
	skill_setup_write(&d, &other);
	skill_setup_assign(&d, other.id, "g1");
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/skills");
	feed(&d, "2", "test:1", "/plan a");
	answered(&d, "2");
	ok = times_seen(&d, "/plan: the earlier one") == 1 &&
	     !times_seen(&d, "/plan: a sample") &&
	     is(&d, "SELECT count(*) FROM skill_uses WHERE skill = 'skill_earlier_001'", 1) &&
	     is(&d, "SELECT count(*) FROM skill_uses", 1);
	return end(&d) && ok;
}

static void write_settings(struct driver *d, const char *text)
{
	CLEANUP(freep) char *folder = xasprintf("%s/groups/g1", d->root);
	CLEANUP(freep) char *path = xasprintf("%s/container.json", folder);
	FILE *file;

	mkdir(folder, 0755);
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		driver_fail(d, "cannot write '%s'", path);
}

static bool faulty_settings_of_a_group_are_told_once(void)
{
	struct driver d;
	bool ok;

	begin(&d, &plain);
	write_settings(&d, "{\n");
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/plan a");
	see(&d, "Sorry, I could not answer this: ");
	write_settings(&d, "{}\n");
	feed(&d, "2", "test:1", "/plan b");
	answered(&d, "2");
	ok = times_seen(&d, "Sorry") == 1 && times_seen(&d, "container.json") == 1 &&
	     is(&d, "SELECT count(*) FROM attempts WHERE turn = 1", 1) &&
	     is(&d, "SELECT count(*) FROM skill_uses", 1);
	return end(&d) && ok;
}

/* The agent takes away what it needs, and dies: it is refused when it is tried again. */
static bool what_is_missing_at_the_second_try_is_no_use(void)
{
	static const struct skill_sample needy = {
		.id = "skill_plan_001",
		.command = "plan",
		.needs = "File: plan.md",
		.asks = "Was it good (yes/no)?",
	};
	struct driver d;
	bool ok;

	begin(&d, &needy);
	write_settings(&d, "{}\n");
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/plan none");
	see(&d, "cannot be done yet");
	{
		CLEANUP(freep) char *path = xasprintf("%s/groups/g1/plan.md", d.root);
		FILE *file = fopen(path, "w");

		if (!file || fclose(file))
			driver_fail(&d, "cannot write '%s'", path);
	}
	feed(&d, "2", "test:1", "/plan !sh rm plan.md; kill -9 $PPID");
	feed(&d, "3", "test:1", "m3");
	see(&d, "m3");
	ok = is(&d, "SELECT count(*) FROM skill_uses WHERE outcome = 'refused'", 2) &&
	     is(&d, "SELECT count(*) FROM skill_uses", 2) &&
	     is(&d, "SELECT count(*) FROM attempts WHERE turn = 2", 2) &&
	     times_seen(&d, "cannot be done yet") == 2 && !times_seen(&d, "Was it good");
	return end(&d) && ok;
}

static bool is_running(struct driver *d, void *data)
{
	(void)data;
	return driver_number(d, "SELECT count(*) FROM skill_uses WHERE group_folder = 'g1'"
				" AND outcome = 'running'") == 1;
}

static bool a_group_can_be_removed_while_a_skill_runs(void)
{
	struct driver d;
	bool ok;

	begin(&d, &plain);
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/plan !hang");
	feed(&d, "2", "test:2", "/plan b");
	answered(&d, "2");
	driver_wait(&d, is_running, NULL, "the skill runs");
	skill_setup_run(&d, (const char *const[]){"group", "remove", "g1", "--yes", NULL});
	feed(&d, "3", "test:2", "/plan c");
	answered(&d, "3");
	ok = is(&d, "SELECT count(*) FROM skill_assignments WHERE group_folder = 'g1'", 0) &&
	     is(&d, "SELECT count(*) FROM skill_uses WHERE group_folder = 'g1'", 0);
	return end(&d) && ok;
}

/* --- what the host says ----------------------------------------------------------- */

static bool what_the_host_says_is_never_a_book(void)
{
	CLEANUP(freep) char *help = xcalloc(1, 1000001);
	struct skill_sample huge = {.id = "skill_plan_001", .command = "plan", .help = help};
	struct driver d;
	bool ok;

	memset(help, 'x', 1000000);
	begin(&d, &huge);
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/skills");
	feed(&d, "2", "test:1", "/help plan");
	feed(&d, "3", "test:1", "/plan b");
	answered(&d, "3");
	ok = is(&d, "SELECT count(*) FROM skill_uses WHERE outcome <> 'refused'", 1) &&
	     is(&d, "SELECT max(length(content)) < 7000 FROM outbox", 1) &&
	     is(&d, "SELECT count(*) < 10 FROM outbox", 1);
	return end(&d) && ok;
}

/* --- feedback --------------------------------------------------------------------- */

static const struct skill_sample asking = {
	.id = "skill_plan_001", .command = "plan", .asks = "Was it good (yes/no)?"};

#define STORED "SELECT count(*) FROM skill_feedback"

static bool a_bare_answer_counts_right_after_the_question(void)
{
	struct driver d;
	bool ok;

	begin(&d, &asking);
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/plan a");
	see(&d, "Was it good");
	feed(&d, "2", "test:1", "Yes!");
	see(&d, "Thank you");
	feed(&d, "3", "test:1", "yes");
	answered(&d, "3");
	ok = is(&d, STORED " WHERE score = 1000", 1) && is(&d, STORED, 1) &&
	     times_seen(&d, "Thank you") == 1;
	return end(&d) && ok;
}

static bool a_yes_to_something_else_is_not_taken(void)
{
	struct driver d;
	bool ok;

	begin(&d, &asking);
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/plan a");
	see(&d, "Was it good");
	feed(&d, "2", "test:1", "m2");
	see(&d, "m2");
	feed(&d, "3", "test:1", "yes");
	answered(&d, "3");
	ok = is(&d, STORED, 0) && !times_seen(&d, "Thank you");
	/* There is a way to say it still. */
	feed(&d, "4", "test:1", "/feedback quite good");
	see(&d, "Thank you");
	ok = is(&d, STORED " WHERE answer = 'quite good' AND score IS NULL", 1) && ok;
	return end(&d) && ok;
}

/* In a group that needs a trigger, people talk to each other, too. */
static bool a_yes_among_people_is_not_taken(void)
{
	struct driver d;
	bool ok;

	begin(&d, &asking);
	driver_start_ready(&d);
	feed(&d, "1", "test:2", "/plan a");
	see(&d, "Was it good");
	feed(&d, "2", "test:2", "are you coming tonight?");
	feed(&d, "3", "test:2", "yes");
	feed(&d, "4", "test:2", "/skills");
	see(&d, "You can ask for");
	ok = is(&d, STORED, 0) && is(&d, "SELECT count(*) FROM turns", 2);
	return end(&d) && ok;
}

static bool a_chat_does_not_answer_for_another(void)
{
	struct driver d;
	bool ok;

	begin(&d, &asking);
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/plan a");
	see(&d, "Was it good");
	skill_setup_run(&d, (const char *const[]){"send", "g1", "yes", "--wait", NULL});
	ok = is(&d, STORED, 0);
	feed(&d, "2", "test:1", "no");
	see(&d, "Thank you");
	ok = is(&d, STORED " WHERE score = 0", 1) && ok;
	return end(&d) && ok;
}

static bool an_answer_that_asks_is_not_asked_about(void)
{
	struct driver d;
	bool ok;

	begin(&d, &asking);
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "/plan !sh echo shall I go on\\?");
	see(&d, "shall I go on?");
	feed(&d, "2", "test:1", "yes");
	answered(&d, "2");
	ok = is(&d, STORED, 0) && !times_seen(&d, "Was it good");
	return end(&d) && ok;
}

int main(int argc, char **argv)
{
	static const struct {
		bool (*holds)(void);
		const char *claim;
	} claims[] = {
		{each_command_has_a_turn_to_itself, "each command has a turn to itself"},
		{a_command_needs_no_trigger_and_a_word_of_nobody_does,
			"a command needs no trigger, and one of nobody does"},
		{of_two_with_one_command_the_first_is_it,
			"of two with one command the first is it, also in the list"},
		{faulty_settings_of_a_group_are_told_once,
			"faulty settings of a group are told, once"},
		{what_is_missing_at_the_second_try_is_no_use,
			"what is missing when a turn is repeated is refused, and no use"},
		{a_group_can_be_removed_while_a_skill_runs,
			"a group can be removed while a skill runs"},
		{what_the_host_says_is_never_a_book, "what the host says is never a book"},
		{a_bare_answer_counts_right_after_the_question,
			"a bare answer counts right after the question"},
		{a_yes_to_something_else_is_not_taken, "a yes to something else is not taken"},
		{a_yes_among_people_is_not_taken, "a yes among people is not taken"},
		{a_chat_does_not_answer_for_another, "a chat does not answer for another"},
		{an_answer_that_asks_is_not_asked_about,
			"an answer that asks is not asked about"},
	};
	struct tap tap = {0};

	if (argc != 4)
		return 2;
	programs = argv;
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		tap_result(&tap, claims[i].holds(), claims[i].claim);
	return tap_end(&tap);
}
