#include "../test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/money/budget.h"
#include "tempdir.h"
#include "time/timestamp.h"

struct place {
	struct store *store;
	struct settings settings;
	int root;
};

static void place_end(struct place *place)
{
	store_free(place->store);
	settings_release(&place->settings);
}

static struct place begin(struct tempdir *temp, const char *settings, const char *container)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct place place = {.root = temp->fd};

	unsetenv("TZ"); /* it would go before the setting */
	if (settings_parse(view_of(settings), ".env", &place.settings, &err) < 0 ||
		store_open(temp->path, STORE_WRITE, &place.store, &err) < 0)
		fail_msg("%s", err.message);
	mkdirat(temp->fd, "groups", 0755);
	mkdirat(temp->fd, "groups/family", 0755);
	if (container)
		tempdir_put(temp->fd, "groups/family/container.json", container);
	return place;
}

static void use(struct place *place, const char *folder, const char *day, int64_t cost)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct usage_entry entry = {.group_folder = folder,
		.model = "m",
		.day = day,
		.figures = {1, 100, 100, 100, 100, cost, 0}};

	if (store_usage_add(place->store, &entry, 1000, &err) < 0)
		fail_msg("%s", err.message);
}

static int64_t time_of(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t ms;

	assert_int_equal(timestamp_parse(view_of(text), &ms, &err), 0);
	return ms;
}

/* "kind used/limit until" of each line, `*` for all groups together. */
static char *look(struct place *place, const char *now)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(container_cache_release) struct container_cache containers = {0};
	struct budget_desk desk = {place->store, place->root, &place->settings, &containers};

	if (budget_look(&desk, "family", time_of(now), &budget, &err) < 0)
		return xstrdup(err.message);
	for (size_t i = 0; i < budget.count; i++) {
		const struct budget_line *line = &budget.lines[i];
		char until[TIMESTAMP_SIZE];

		timestamp_format(line->until, until);
		buf_appendf(&text, "%s%s %lld/%lld %s %.16s%s ", line->total ? "*" : "",
			budget_kind_name(line->kind), (long long)line->used,
			(long long)line->limit, line->period, until,
			budget_line_is_used_up(line) ? "!"
			: budget_line_is_low(line)   ? "?"
						     : "");
	}
	return buf_take(&text);
}

static void check(struct place *place, const char *now, const char *wanted)
{
	CLEANUP(freep) char *text = look(place, now);

	assert_string_equal(text, wanted);
}

static void nothing_is_limited_at_first(void **state)
{
	CLEANUP(place_end) struct place place = begin(*state, "", NULL);

	use(&place, "family", "2026-11-16", 1000000000);
	check(&place, "2026-11-16T12:00:00.000Z", "");
}

static void days_and_months_are_those_of_the_zone(void **state)
{
	CLEANUP(place_end)
	struct place place = begin(*state, "TZ=Europe/Berlin\nNANOCLAW_DAILY_DOLLARS=5\n",
		"{\"budget\": {\"monthlyDollars\": 10}}");

	use(&place, "family", "2026-10-31", 7000000);
	use(&place, "family", "2026-11-01", 1000000);
	use(&place, "family", "2026-11-16", 4000000);
	use(&place, "other", "2026-11-16", 9000000);
	check(&place, "2026-11-16T22:59:59.999Z",
		"dailyDollars 4000000/5000000 2026-11-16 2026-11-16T23:00? "
		"monthlyDollars 5000000/10000000 2026-11 2026-11-30T23:00 ");
	check(&place, "2026-11-16T23:00:00.000Z",
		"dailyDollars 0/5000000 2026-11-17 2026-11-17T23:00 "
		"monthlyDollars 5000000/10000000 2026-11 2026-11-30T23:00 ");
	/* A day of 25 hours, and the month that it ends in. */
	check(&place, "2026-10-24T22:00:00.000Z",
		"dailyDollars 0/5000000 2026-10-25 2026-10-25T23:00 "
		"monthlyDollars 0/10000000 2026-10 2026-10-31T23:00 ");
	check(&place, "2026-10-31T22:30:00.000Z",
		"dailyDollars 7000000/5000000 2026-10-31 2026-10-31T23:00! "
		"monthlyDollars 7000000/10000000 2026-10 2026-10-31T23:00 ");
}

static void a_group_says_more_and_all_together_have_their_own(void **state)
{
	CLEANUP(place_end)
	struct place place = begin(*state,
		"TZ=UTC\nNANOCLAW_DAILY_DOLLARS=5\nNANOCLAW_DAILY_TOKENS=1000\n"
		"NANOCLAW_TOTAL_DAILY_TOKENS=799\nNANOCLAW_TOTAL_DAILY_DOLLARS=none\n"
		"NANOCLAW_WARN_PERCENT=40\n",
		"{\"budget\": {\"dailyDollars\": \"none\", \"warnPercent\": 41}}");

	use(&place, "family", "2026-11-16", 9000000);
	use(&place, "other", "2026-11-16", 9000000);
	check(&place, "2026-11-16T12:00:00.000Z",
		"dailyTokens 400/1000 2026-11-16 2026-11-17T00:00 "
		"*dailyTokens 800/799 2026-11-16 2026-11-17T00:00! ");
}

static void what_lasts_longest_is_what_pauses(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
	CLEANUP(freep) char *reason = NULL;
	CLEANUP(freep) char *remedy = NULL;
	CLEANUP(place_end)
	struct place place = begin(*state,
		"TZ=UTC\nNANOCLAW_AGENT=claude\nNANOCLAW_TOTAL_DAILY_DOLLARS=1\n"
		"NANOCLAW_MONTHLY_DOLLARS=1.50\n",
		NULL);
	CLEANUP(container_cache_release) struct container_cache containers = {0};
	struct budget_desk desk = {place.store, place.root, &place.settings, &containers};
	const struct budget_line *line;

	use(&place, "family", "2026-11-16", 1625000);
	assert_int_equal(budget_look(&desk, "family", time_of("2026-11-16T12:00:00.000Z"),
				 &budget, &err),
		0);
	line = budget_used_up(&budget);
	reason = budget_reason(&budget, line);
	remedy = budget_remedy(&budget, line);
	assert_string_equal(reason,
		"the budget of the group 'family' is used up: $1.63 of $1.50 "
		"this month; it is paused until 2026-12-01 00:00 (UTC)");
	assert_string_equal(remedy, "nanoclaw group config family budget.monthlyDollars 4");
}

static void an_agent_that_needs_no_model_is_not_held(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
	CLEANUP(place_end)
	struct place place =
		begin(*state, "TZ=UTC\nNANOCLAW_AGENT=claude\nNANOCLAW_TOTAL_DAILY_TOKENS=1\n",
			"{\"agent\": \"offline\"}");
	CLEANUP(container_cache_release) struct container_cache containers = {0};
	struct budget_desk desk = {place.store, place.root, &place.settings, &containers};

	use(&place, "other", "2026-11-16", 1);
	assert_int_equal(budget_look(&desk, "family", time_of("2026-11-16T12:00:00.000Z"),
				 &budget, &err),
		0);
	assert_true(budget_line_is_used_up(&budget.lines[0]));
	assert_null(budget_used_up(&budget));
}

static void what_is_set_wrong_is_told(void **state)
{
	static const char *const wrong[] = {"NANOCLAW_DAILY_DOLLARS=0",
		"NANOCLAW_DAILY_DOLLARS=five", "NANOCLAW_TOTAL_MONTHLY_DOLLARS=-1",
		"NANOCLAW_TOTAL_DAILY_TOKENS=1e99", "NANOCLAW_DAILY_TOKENS=nan",
		"NANOCLAW_WARN_PERCENT=0"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;

		assert_int_equal(settings_parse(view_of(wrong[i]), ".env", &settings, &err), 0);
		assert_int_equal(budget_check_settings(&settings, &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
		assert_memory_equal(err.message, wrong[i], strcspn(wrong[i], "="));
	}
}

static void a_faulty_file_gives_no_answer(void **state)
{
	CLEANUP(place_end) struct place place = begin(*state, "TZ=UTC", "{\"budget\": []}");

	check(&place, "2026-11-16T12:00:00.000Z",
		"groups/family/container.json:1:12: 'budget' must be an object");
}

TESTS(IN_TEMPDIR(nothing_is_limited_at_first),
	IN_TEMPDIR(days_and_months_are_those_of_the_zone),
	IN_TEMPDIR(a_group_says_more_and_all_together_have_their_own),
	IN_TEMPDIR(what_lasts_longest_is_what_pauses), IN_TEMPDIR(what_is_set_wrong_is_told),
	IN_TEMPDIR(a_faulty_file_gives_no_answer),
	IN_TEMPDIR(an_agent_that_needs_no_model_is_not_held))
