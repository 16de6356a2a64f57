/*
 * Usage is counted, and a spent budget pauses agents, with a claim per function. The API is
 * played (played_api.h): an answer costs 30 cents.
 *
 *	budgets HOST AGENT BRIDGE
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "host/base/call_rate.h"
#include "played_api.h"
#include "skill_setup.h"
#include "task_setup.h"
#include "time/timestamp.h"
#include "time/zone.h"

static char **programs;
static struct played_api api;

static void begin(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_set(d, "ANTHROPIC_BASE_URL", api.url);
	driver_group(d, "g1", "test:1", false);
	driver_group(d, "g2", "test:2", false);
	driver_bridge(d, "test", "plain");
	played_api_answers(&api);
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

static void configure(struct driver *d, const char *group, const char *key, const char *value)
{
	const char *const words[] = {
		"group", "config", group, key, value, NULL}; /* or --unset */
	int exit_code;
	CLEANUP(freep) char *output = driver_run(d, words, &exit_code);

	if (exit_code)
		driver_fail(d, "%s", output);
}

static bool holds(struct driver *d, void *sql)
{
	return driver_number(d, sql) == 1;
}

/* Until a condition of the store is true. */
static void wait_for(struct driver *d, const char *sql)
{
	driver_wait(d, holds, (void *)(uintptr_t)sql, sql);
}

/* Is the text of this number there, in this chat? */
static bool is_seen(struct driver *d, void *data)
{
	char **wanted = data;

	driver_read_sent(d);
	for (size_t i = 0; i < d->sent_count; i++)
		if (!strcmp(d->sent[i].chat, wanted[0]) && strstr(d->sent[i].text, wanted[1]))
			return true;
	return false;
}

static void see(struct driver *d, const char *chat, const char *text)
{
	const char *wanted[] = {chat, text};

	driver_wait(d, is_seen, wanted, text);
}

static unsigned times_seen(struct driver *d, const char *chat, const char *text)
{
	unsigned count = 0;

	driver_read_sent(d);
	for (size_t i = 0; i < d->sent_count; i++)
		count += !strcmp(d->sent[i].chat, chat) && strstr(d->sent[i].text, text);
	return count;
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

#define OWNER " FROM outbox WHERE chat_jid = 'local:main' AND kind = 'notice' AND content LIKE "

/* --- counting ---------------------------------------------------------------- */

static bool answers_of_the_api_are_counted_by_its_own_figures(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	/* The usage that the agent itself reports is ignored then. */
	feed(&d, "1", "test:1", "m1 !cost 77");
	see(&d, "test:1", "m1");
	feed(&d, "2", "test:1", "m2 !api 2");
	see(&d, "test:1", "m2");
	ok = is(&d,
		     "SELECT count(*) FROM usage WHERE source = 'api' AND model = '" PLAYED_MODEL
		     "' AND input_tokens = 50000 AND output_tokens = 10000 AND group_folder = 'g1'"
		     " AND cost_micro_usd = 300000 AND turn = 2",
		     2) &&
	     is(&d, "SELECT count(*) FROM usage", 3) &&
	     is(&d, "SELECT cost_micro_usd FROM usage WHERE source = 'agent' AND turn = 1",
		     77) &&
	     is(&d, "SELECT sum(cost_micro_usd) FROM usage_days", 600077) &&
	     is(&d, "SELECT count(*) FROM usage_days WHERE group_folder = 'g1'", 2) &&
	     played_api_answers(&api) == 2;
	return end(&d) && ok;
}

static bool prices_of_the_file_hold_from_the_next_request_on(void)
{
	struct driver d;
	CLEANUP(freep) char *prices = NULL;
	FILE *file;
	bool ok;

	begin(&d);
	prices = xasprintf("%s/data/prices.json", d.root);
	driver_start_ready(&d);
	configure(&d, "g1", "budget.dailyDollars", "5");
	/* Another price holds from the next request on. */
	file = fopen(prices, "w");
	fputs("{\"" PLAYED_MODEL "\": {\"input\": 1, \"output\": 2}}", file);
	fclose(file);
	feed(&d, "1", "test:1", "m1 !api 1");
	see(&d, "test:1", "m1");
	ok = is(&d, "SELECT sum(cost_micro_usd) FROM usage", 70000) &&
	     is(&d, "SELECT count(*)" OWNER "'%price%'", 0);
	return end(&d) && ok;
}

static bool a_model_without_a_price_is_told_where_dollars_are_limited(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	configure(&d, "g1", "budget.monthlyDollars", "5");
	feed(&d, "1", "test:1", "m1 !api 2 some-model");
	see(&d, "test:1", "m1");
	feed(&d, "2", "test:2", "m2 !api 1 other-model");
	see(&d, "test:2", "m2");
	ok = is(&d, "SELECT count(*) FROM usage WHERE cost_micro_usd IS NULL", 3) &&
	     is(&d, "SELECT sum(unpriced) FROM usage_days WHERE cost_micro_usd > 0", 3) &&
	     is(&d, "SELECT count(*)" OWNER "'%the model ''some-model'' is not known%'", 1) &&
	     is(&d, "SELECT count(*)" OWNER "'%'", 1);
	return end(&d) && ok;
}

/* A name that nobody knows is free to choose for an agent. */
static bool a_model_without_a_price_counts_like_the_dearest(void)
{
	static const char *const names[] = {"some-model", "claude-opus-99", "free", "claude"};
	struct driver d;
	bool ok = true;

	begin(&d);
	driver_start_ready(&d);
	configure(&d, "g1", "budget.dailyDollars", "1000");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(freep) char *id = xasprintf("%zu", i);
		CLEANUP(freep) char *said = xasprintf("m%zu", i);
		CLEANUP(freep) char *text = xasprintf("%s !api 1 %s", said, names[i]);

		feed(&d, id, "test:1", text);
		see(&d, "test:1", said);
	}
	ok = is(&d,
		     "SELECT count(DISTINCT cost_micro_usd) = 1 AND min(cost_micro_usd) >= (SELECT"
		     " input_tokens * 15 + output_tokens * 75 FROM usage LIMIT 1) FROM usage_days",
		     1) &&
	     ok;
	configure(&d, "g1", "budget.dailyDollars", "0.01");
	feed(&d, "9", "test:1", "m9 !api 1 some-model");
	see(&d, "test:1", "paused until");
	return end(&d) && ok;
}

/* --- limits ------------------------------------------------------------------ */

static bool at_the_limit_a_group_is_paused_and_goes_on_when_it_is_raised(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	configure(&d, "g1", "budget.dailyDollars", "0.7");
	feed(&d, "1", "test:1", "m1 !api 1"); /* 43 % */
	see(&d, "test:1", "m1");
	ok = is(&d, "SELECT count(*)" OWNER "'%'", 0);
	feed(&d, "2", "test:1", "m2 !api 1"); /* 86 % */
	see(&d, "test:1", "m2");
	ok = ok &&
	     is(&d, "SELECT count(*)" OWNER "'%has used $0.6000 of $0.7000 today. When%'", 1);
	feed(&d, "3", "test:1", "m3 !api 1"); /* 128 %: what is under way ends */
	see(&d, "test:1", "m3");
	ok = ok &&
	     is(&d,
		     "SELECT count(*)" OWNER "'%''g1'' has used $0.9000 of $0.7000 today, and"
		     " is paused until %nanoclaw group config g1 budget.dailyDollars 2'",
		     1);
	feed(&d, "4", "test:1", "m4");
	feed(&d, "5", "test:1", "m5");
	see(&d, "test:1", "I am paused until");
	/* The others are not. */
	feed(&d, "6", "test:2", "m6 !api 1");
	see(&d, "test:2", "m6");
	wait_for(&d, "SELECT count(*) = 2 FROM messages WHERE state = 'received'");
	ok = ok && is(&d, "SELECT count(*) FROM turns WHERE state = 'claimed'", 0) &&
	     is(&d, "SELECT count(*)" OWNER "'%'", 2);
	configure(&d, "g1", "budget.dailyDollars", "2");
	see(&d, "test:1", "m4 m5");
	ok = ok && times_seen(&d, "test:1", "I am paused") == 1 &&
	     is(&d, "SELECT count(*) FROM turns WHERE failures > 0", 0) &&
	     is(&d, "SELECT count(*)" OWNER "'%'", 2);
	return end(&d) && ok;
}

static bool a_paused_group_is_told_what_costs_nothing(void)
{
	static const struct skill_sample sample = {.id = "skill_plan_001", .command = "plan"};
	struct driver d;
	bool ok;

	begin(&d);
	skill_setup_write(&d, &sample);
	skill_setup_assign(&d, sample.id, "g1");
	driver_start_ready(&d);
	configure(&d, "g1", "budget.dailyDollars", "0.1");
	feed(&d, "1", "test:1", "m1 !api 1");
	see(&d, "test:1", "m1");
	feed(&d, "2", "test:1", "/skills");
	see(&d, "test:1", "You can ask for");
	feed(&d, "3", "test:1", "/paln");
	see(&d, "test:1", "Did you mean");
	ok = times_seen(&d, "test:1", "I am paused") == 0;
	feed(&d, "4", "test:1", "/plan it");
	see(&d, "test:1", "I am paused until");
	ok = is(&d, "SELECT count(*) FROM skill_uses", 0) && ok;
	configure(&d, "g1", "budget.dailyDollars", "2");
	wait_for(&d, "SELECT count(*) FROM skill_uses WHERE outcome = 'completed'");
	return end(&d) && ok;
}

static bool a_turn_that_is_cut_off_is_told_why_and_done_again(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	configure(&d, "g1", "budget.dailyTokens", "60000");
	feed(&d, "1", "test:1", "m1 !api 2");
	see(&d, "test:1", "I am paused until");
	ok = is(&d,
		     "SELECT count(*) FROM attempts WHERE outcome = 'failed' AND detail LIKE"
		     " '%403%the budget of the group ''g1'' is used up: 60,000 of 60,000 tokens"
		     " today%'",
		     1) &&
	     played_api_answers(&api) == 1 &&
	     is(&d, "SELECT count(*) FROM turns WHERE state = 'claimed' AND failures = 1", 1);
	configure(&d, "g1", "budget.dailyTokens", "300000");
	see(&d, "test:1", "m1");
	ok = ok && played_api_answers(&api) == 2 &&
	     is(&d, "SELECT sum(requests) FROM usage_days", 3);
	return end(&d) && ok;
}

static bool a_turn_that_is_cut_off_again_and_again_is_given_up(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_TURN_TRIES", "1");
	driver_start_ready(&d);
	configure(&d, "g1", "budget.dailyTokens", "60000");
	feed(&d, "1", "test:1", "m1 !api 2");
	see(&d, "test:1",
		"Sorry, I could not answer this: the budget of the group 'g1' is used up");
	ok = is(&d, "SELECT count(*) FROM turns WHERE state <> 'claimed'", 1);
	return end(&d) && ok;
}

static int make_fifo(struct driver *d, const char *name)
{
	CLEANUP(freep) char *path = xasprintf("%s/groups/g1/%s", d->root, name);

	return mkfifo(path, 0600);
}

/* Opens it when the agent waits there, so that it is in its turn. */
static int open_fifo(struct driver *d, const char *name)
{
	CLEANUP(freep) char *path = xasprintf("%s/groups/g1/%s", d->root, name);

	return open(path, O_WRONLY | O_CLOEXEC);
}

/* That is a setting which the agent of the main group can change, for itself, too. */
static bool an_agent_that_is_to_need_no_model_is_held_while_it_has_one(void)
{
	CLEANUP(closep) int first = -1;
	CLEANUP(closep) int second = -1;
	struct driver d;
	bool ok;

	begin(&d);
	configure(&d, "g1", "budget.dailyDollars", "0.1");
	ok = make_fifo(&d, "first") == 0 && make_fifo(&d, "second") == 0;
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "m1 !wait first");
	first = open_fifo(&d, "first");
	feed(&d, "2", "test:1", "m2 !api 1");
	feed(&d, "3", "test:1", "m3 !wait second");
	feed(&d, "4", "test:1", "m4 !api 1");
	wait_for(&d, "SELECT count(*) = 3 FROM messages WHERE state = 'received'");
	ok = ok && write(first, "x", 1) == 1;
	second = open_fifo(&d, "second");
	configure(&d, "g1", "agent", "offline");
	ok = ok && write(second, "x", 1) == 1;
	wait_for(&d, "SELECT count(*) = 1 FROM attempts WHERE turn = 2 AND number = 1 AND"
		     " outcome <> 'running'");
	ok = ok && played_api_answers(&api) == 1 &&
	     is(&d,
		     "SELECT count(*) FROM attempts WHERE turn = 2 AND outcome = 'failed' AND"
		     " detail LIKE '%403%the budget of the group ''g1'' is used up%'",
		     1);
	return end(&d) && ok;
}

static bool asks_in_vain(struct driver *d)
{
	static const char request[] =
		"POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n";
	CLEANUP(closep) int fd = driver_connect(d, "api-g1.sock");
	char reply[512] = "";

	return fd >= 0 && write(fd, request, strlen(request)) == (ssize_t)strlen(request) &&
	       read(fd, reply, sizeof(reply) - 1) > 0 && strstr(reply, " 403 ");
}

#define BUDGET_ENTRIES " FROM audit WHERE kind = 'budget' AND group_folder = 'g1'"

/* Each of them is counted, and not each is written down. */
static bool who_asks_on_and_on_does_not_fill_the_log(void)
{
	int64_t started;
	int64_t most;
	struct driver d;
	bool ok = true;

	begin(&d);
	driver_set(&d, "NANOCLAW_IDLE_SECONDS", "86400");
	configure(&d, "g1", "budget.dailyDollars", "0.1");
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "m1 !api 1");
	see(&d, "test:1", "m1");
	started = timestamp_clock();
	for (int i = 0; i < 1000 && ok; i++)
		ok = asks_in_vain(&d);
	most = CALL_RATE_BURST + 1 +
	       (timestamp_clock() - started + 1000) * CALL_RATE_PER_SECOND / 1000;
	ok = driver_stop(&d) == 0 && ok;
	ok = ok &&
	     driver_number(&d, "SELECT count(*)" BUDGET_ENTRIES " AND what = 'request'") <=
		     most &&
	     is(&d,
		     "SELECT sum(CASE WHEN what <> 'request' THEN CAST(detail AS INTEGER)"
		     " WHEN instr(detail, '(and ') THEN 1 + CAST(substr(detail,"
		     " instr(detail, '(and ') + 5) AS INTEGER) ELSE 1 END)" BUDGET_ENTRIES,
		     1000);
	driver_release(&d);
	return ok;
}

static bool all_groups_together_have_a_limit(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_TOTAL_DAILY_DOLLARS", "0.5");
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "m1 !api 1");
	see(&d, "test:1", "m1");
	feed(&d, "2", "test:2", "m2 !api 1");
	see(&d, "test:2", "m2");
	feed(&d, "3", "test:1", "m3");
	feed(&d, "4", "test:2", "m4");
	see(&d, "test:1", "I am paused until");
	see(&d, "test:2", "I am paused until");
	ok = is(&d,
		"SELECT count(*)" OWNER "'All groups together have used $0.6000 of $0.5000"
		" today, and are paused until %NANOCLAW_TOTAL_DAILY_DOLLARS=2 in%'",
		1);
	/* With another limit after a restart all goes on. */
	ok = driver_stop(&d) == 0 && ok;
	driver_set(&d, "NANOCLAW_TOTAL_DAILY_DOLLARS", "5");
	driver_start_ready(&d);
	see(&d, "test:1", "m3");
	see(&d, "test:2", "m4");
	return end(&d) && ok;
}

static bool a_limit_that_is_raised_by_hand_is_seen(void)
{
	struct driver d;
	CLEANUP(freep) char *path = NULL;
	FILE *file;

	begin(&d);
	path = xasprintf("%s/groups/g1/container.json", d.root);
	driver_start_ready(&d);
	configure(&d, "g1", "budget.dailyDollars", "0.1");
	feed(&d, "1", "test:1", "m1 !api 1");
	see(&d, "test:1", "m1");
	/* The host that finds it paused has never had an agent of it. */
	driver_stop(&d);
	driver_start_ready(&d);
	feed(&d, "2", "test:1", "m2");
	see(&d, "test:1", "I am paused until");
	file = fopen(path, "w");
	fputs("{\"budget\": {\"dailyDollars\": \"none\"}}\n", file);
	fclose(file);
	see(&d, "test:1", "m2");
	return end(&d);
}

static bool tasks_of_a_paused_group_wait_or_are_skipped(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	configure(&d, "g1", "budget.dailyDollars", "0.1");
	feed(&d, "1", "test:1", "m1 !api 1");
	see(&d, "test:1", "m1");
	driver_stop(&d);
	task_setup(&d, &(struct task_setup){.folder = "g1",
			       .chat = "test:1",
			       .prompt = "t1",
			       .missed = MISSED_ONCE});
	task_setup(&d, &(struct task_setup){.folder = "g1",
			       .chat = "test:1",
			       .prompt = "t2",
			       .missed = MISSED_ALL,
			       .context = CONTEXT_ISOLATED});
	task_setup(&d, &(struct task_setup){.folder = "g1",
			       .chat = "test:1",
			       .prompt = "t3",
			       .every = 1000,
			       .missed = MISSED_SKIP});
	driver_start_ready(&d);
	wait_for(&d, "SELECT count(*) > 0 FROM task_runs WHERE outcome = 'skipped'"
		     " AND error LIKE 'the budget of the group ''g1'' is used up%'");
	ok = is(&d, "SELECT count(*) FROM task_runs WHERE outcome = 'waiting'", 2) &&
	     is(&d, "SELECT count(*) FROM turns WHERE run IS NOT NULL", 0) &&
	     times_seen(&d, "test:1", "I am paused") == 0;
	configure(&d, "g1", "budget.dailyDollars", "--unset");
	see(&d, "test:1", "t1");
	see(&d, "test:1", "t2");
	see(&d, "test:1", "t3");
	return end(&d) && ok;
}

/* --- the next day ------------------------------------------------------------ */

/* A zone in which it is midnight so many seconds from now. */
static void make_zone(struct driver *d, int64_t seconds)
{
	int64_t day = 24 * 60 * 60;
	int64_t east = day - (timestamp_clock() / 1000 + seconds) % day;
	CLEANUP(freep) char *path = xasprintf("%s/zones", d->root);
	CLEANUP(freep) char *name = xasprintf("%s/Here", path);
	unsigned char data[54] = "TZif";
	FILE *file;

	if (east > day / 2)
		east -= day;
	data[39] = 1; /* one kind of time … */
	data[43] = 4; /* … with a name of four bytes */
	for (int i = 0; i < 4; i++)
		data[44 + i] = (unsigned char)((uint32_t)east >> (24 - 8 * i));
	data[50] = data[51] = data[52] = 'H';
	mkdir(path, 0755);
	file = fopen(name, "w");
	if (!file || fwrite(data, 1, sizeof(data), file) != sizeof(data) || fclose(file))
		driver_fail(d, "cannot write '%s'", name);
	driver_set(d, "TZDIR", path);
	driver_set(d, "TZ", "Here");
}

static bool the_next_day_a_group_goes_on_by_itself(void)
{
	struct driver d;

	begin(&d);
	configure(&d, "g1", "budget.dailyDollars", "0.1");
	make_zone(&d, 10);
	driver_start_ready(&d);
	feed(&d, "1", "test:1", "m1 !api 1");
	see(&d, "test:1", "m1");
	/* It waits for midnight, unless that has been already. */
	feed(&d, "2", "test:1", "m2");
	see(&d, "test:1", "m2");
	return end(&d);
}

int main(int argc, char **argv)
{
	static const struct {
		bool (*claim)(void);
		const char *name;
	} claims[] = {
		{answers_of_the_api_are_counted_by_its_own_figures,
			"answers of the API are counted by its own figures"},
		{prices_of_the_file_hold_from_the_next_request_on,
			"prices of the file hold from the next request on"},
		{a_model_without_a_price_is_told_where_dollars_are_limited,
			"a model without a price is told where dollars are limited"},
		{a_model_without_a_price_counts_like_the_dearest,
			"a model without a price counts like the dearest"},
		{at_the_limit_a_group_is_paused_and_goes_on_when_it_is_raised,
			"at the limit a group is paused, and goes on when it is raised"},
		{a_paused_group_is_told_what_costs_nothing,
			"a paused group is told what costs nothing"},
		{a_turn_that_is_cut_off_is_told_why_and_done_again,
			"a turn that is cut off is told why, and done again"},
		{a_turn_that_is_cut_off_again_and_again_is_given_up,
			"a turn that is cut off again and again is given up, with the reason"},
		{an_agent_that_is_to_need_no_model_is_held_while_it_has_one,
			"an agent that is to need no model is held while it has one"},
		{who_asks_on_and_on_does_not_fill_the_log,
			"who asks on and on does not fill the log"},
		{all_groups_together_have_a_limit, "all groups together have a limit"},
		{a_limit_that_is_raised_by_hand_is_seen,
			"a limit that is raised by hand is seen"},
		{tasks_of_a_paused_group_wait_or_are_skipped,
			"tasks of a paused group wait or are skipped"},
		{the_next_day_a_group_goes_on_by_itself,
			"the next day a group goes on by itself"},
	};
	struct tap tap = {0};

	if (argc < 4)
		return 2;
	programs = argv;
	played_api_start(&api);
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		if (argc == 4 || strstr(claims[i].name, argv[4]))
			tap_result(&tap, claims[i].claim(), claims[i].name);
	played_api_stop(&api);
	return tap_end(&tap);
}
