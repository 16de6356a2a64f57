#include "test.h"

#include <string.h>

#include "time/schedule.h"
#include "time/timestamp.h"

static int64_t time_of(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t ms = 0;

	assert_int_equal(timestamp_parse(view_of(text), &ms, &err), 0);
	return ms;
}

/* The times after `after`, one after the other, are these. */
static void assert_times(enum schedule_type type, const char *value, const char *zone,
	const char *after, const char *const *expected)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	int64_t time = time_of(after);

	assert_int_equal(schedule_parse(type, value, zone, time, &schedule, &err), 0);
	for (; *expected; expected++) {
		char text[TIMESTAMP_SIZE];

		assert_true(schedule_next(&schedule, time, &time));
		timestamp_format(time, text);
		assert_string_equal(text, *expected);
	}
}

#define TIMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void a_fixed_time_that_is_jumped_over_happens_right_after(void **state)
{
	(void)state;
	/* 02:30 is not there on the 29th: it happens at 03:00, which is 01:00 in UTC. */
	assert_times(SCHEDULE_CRON, "30 2 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z",
		TIMES("2026-03-28T01:30:00.000Z", "2026-03-29T01:00:00.000Z",
			"2026-03-30T00:30:00.000Z"));
	/* Midnight that is not there: Sao Paulo in 2018. */
	assert_times(SCHEDULE_CRON, "@daily", "America/Sao_Paulo", "2018-11-03T12:00:00Z",
		TIMES("2018-11-04T03:00:00.000Z", "2018-11-05T02:00:00.000Z"));
	/* Several in the same gap are one; what is at its end is the same moment. */
	assert_times(SCHEDULE_CRON, "0-59/10 2,3 * * *", "Europe/Berlin",
		"2026-03-29T00:59:00Z",
		TIMES("2026-03-29T01:00:00.000Z", "2026-03-29T01:10:00.000Z"));
	/* Half an hour. */
	assert_times(SCHEDULE_CRON, "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z",
		TIMES("2026-10-03T15:30:00.000Z", "2026-10-04T15:15:00.000Z"));
}

static void a_fixed_time_that_is_shown_twice_happens_once(void **state)
{
	(void)state;
	assert_times(SCHEDULE_CRON, "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z",
		TIMES("2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"));
}

static void hours_with_a_star_go_on_as_time_does(void **state)
{
	(void)state;
	assert_times(SCHEDULE_CRON, "*/30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z",
		TIMES("2026-10-25T00:30:00.000Z", "2026-10-25T01:00:00.000Z",
			"2026-10-25T01:30:00.000Z", "2026-10-25T02:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "@hourly", "Europe/Berlin", "2026-03-29T00:00:00Z",
		TIMES("2026-03-29T01:00:00.000Z", "2026-03-29T02:00:00.000Z"));
}

static void both_days_must_fit_only_if_one_begins_with_a_star(void **state)
{
	(void)state;
	/* The 13th, and every Friday. */
	assert_times(SCHEDULE_CRON, "0 0 13 * FRI", "UTC", "2026-11-10T00:00:00Z",
		TIMES("2026-11-13T00:00:00.000Z", "2026-11-20T00:00:00.000Z",
			"2026-11-27T00:00:00.000Z", "2026-12-04T00:00:00.000Z",
			"2026-12-11T00:00:00.000Z", "2026-12-13T00:00:00.000Z"));
	/* Every second day, if it is a Friday. */
	assert_times(SCHEDULE_CRON, "0 0 */2 * FRI", "UTC", "2026-11-10T00:00:00Z",
		TIMES("2026-11-13T00:00:00.000Z", "2026-11-27T00:00:00.000Z"));
}

static void sunday_is_both_ends_of_the_week(void **state)
{
	(void)state;
	assert_times(SCHEDULE_CRON, "0 0 * * 7", "UTC", "2026-11-10T00:00:00Z",
		TIMES("2026-11-15T00:00:00.000Z", "2026-11-22T00:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "0 0 * * sat-sun", "UTC", "2026-11-10T00:00:00Z",
		TIMES("2026-11-14T00:00:00.000Z", "2026-11-15T00:00:00.000Z",
			"2026-11-21T00:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "0 0 * * 5-7", "UTC", "2026-11-10T00:00:00Z",
		TIMES("2026-11-13T00:00:00.000Z", "2026-11-14T00:00:00.000Z",
			"2026-11-15T00:00:00.000Z", "2026-11-20T00:00:00.000Z"));
}

static void rare_days_are_found_and_impossible_ones_are_not(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	int64_t time;

	(void)state;
	assert_times(SCHEDULE_CRON, "0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z",
		TIMES("2104-02-29T00:00:00.000Z"));
	assert_int_equal(
		schedule_parse(SCHEDULE_CRON, "0 0 30 2 *", "UTC", 0, &schedule, &err), 0);
	assert_false(schedule_next(&schedule, time_of("2026-01-01T00:00:00Z"), &time));
}

static void a_weekday_of_the_month_is_counted_from_either_end(void **state)
{
	(void)state;
	assert_times(SCHEDULE_CRON, "0 9 * * MON#1,5#L", "UTC", "2026-11-01T00:00:00Z",
		TIMES("2026-11-02T09:00:00.000Z", "2026-11-27T09:00:00.000Z",
			"2026-12-07T09:00:00.000Z", "2026-12-25T09:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "0 9 * * 1#5", "UTC", "2026-11-01T00:00:00Z",
		TIMES("2026-11-30T09:00:00.000Z", "2027-03-29T09:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "0 9 L * *", "UTC", "2027-01-31T10:00:00Z",
		TIMES("2027-02-28T09:00:00.000Z", "2027-03-31T09:00:00.000Z"));
}

static void several_expressions_are_one_schedule_and_have_limits(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	int64_t time;

	(void)state;
	assert_times(SCHEDULE_CRON, "0 9 * * *; 30 18 * * 1", "UTC", "2026-11-15T10:00:00Z",
		TIMES("2026-11-16T09:00:00.000Z", "2026-11-16T18:30:00.000Z",
			"2026-11-17T09:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "0 9 * * * by 2 days from 2026-10-24T09:00",
		"Europe/Berlin", "2026-10-20T00:00:00Z",
		TIMES("2026-10-24T07:00:00.000Z", "2026-10-26T08:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "0 9 * * 1,5 by 2 weeks from 2026-11-20T09:00", "UTC",
		"2026-11-01T00:00:00Z",
		TIMES("2026-11-20T09:00:00.000Z", "2026-11-30T09:00:00.000Z",
			"2026-12-04T09:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "0 9 1 * * by 3 months from 2026-12-01T09:00", "UTC",
		"2026-11-01T00:00:00Z",
		TIMES("2026-12-01T09:00:00.000Z", "2027-03-01T09:00:00.000Z"));
	assert_times(SCHEDULE_CRON, "* * * * * by 999 months from 2026-12-01T00:00", "UTC",
		"2026-12-31T23:59:00Z", TIMES("2110-03-01T00:00:00.000Z"));
	assert_times(SCHEDULE_INTERVAL, "2h from 2026-11-17T09:00", "UTC",
		"2026-11-16T00:00:00Z",
		TIMES("2026-11-17T09:00:00.000Z", "2026-11-17T11:00:00.000Z"));
	assert_int_equal(schedule_parse(SCHEDULE_INTERVAL, "2h until 2026-11-17T09:00", "UTC",
				 time_of("2026-11-17T06:00:00Z"), &schedule, &err),
		0);
	assert_true(schedule_next(&schedule, time_of("2026-11-17T06:00:00Z"), &time));
	assert_false(schedule_next(&schedule, time, &time));
}

static void an_interval_is_elapsed_time(void **state)
{
	(void)state;
	/* Over the change in Berlin, from its anchor on, without drift. */
	assert_times(SCHEDULE_INTERVAL, "1d", "Europe/Berlin", "2026-10-24T10:00:00.5Z",
		TIMES("2026-10-25T10:00:00.500Z", "2026-10-26T10:00:00.500Z"));
	assert_times(SCHEDULE_INTERVAL, "1h30m", "UTC", "2026-10-24T10:00:00Z",
		TIMES("2026-10-24T11:30:00.000Z"));
	assert_times(SCHEDULE_INTERVAL, "PT15M", "UTC", "2026-10-24T10:00:00Z",
		TIMES("2026-10-24T10:15:00.000Z"));
	assert_times(SCHEDULE_INTERVAL, "P1DT2H", "UTC", "2026-10-24T10:00:00Z",
		TIMES("2026-10-25T12:00:00.000Z"));
	assert_times(SCHEDULE_INTERVAL, "300000", "UTC", "2026-10-24T10:00:00Z",
		TIMES("2026-10-24T10:05:00.000Z"));
	assert_times(SCHEDULE_INTERVAL, "1 hour 30 Min", "UTC", "2026-10-24T10:00:00Z",
		TIMES("2026-10-24T11:30:00.000Z"));
	assert_times(SCHEDULE_INTERVAL, "2 weeks", "UTC", "2026-10-24T10:00:00Z",
		TIMES("2026-11-07T10:00:00.000Z"));
	assert_times(SCHEDULE_INTERVAL, "1w", "UTC", "2026-10-24T10:00:00Z",
		TIMES("2026-10-31T10:00:00.000Z"));
}

static void once_is_on_the_clock_of_the_zone_or_an_instant(void **state)
{
	static const struct {
		const char *value;
		const char *expected;
	} cases[] = {
		{"2026-11-17T09:00", "2026-11-17T08:00:00.000Z"},
		{"2026-11-17 09:00:30", "2026-11-17T08:00:30.000Z"},
		{"2026-11-17T09:00:00.25", "2026-11-17T08:00:00.250Z"},
		{"2026-11-17T09:00Z", "2026-11-17T09:00:00.000Z"},
		{"2026-11-17T09:00:00-05:00", "2026-11-17T14:00:00.000Z"},
		{"2026-11-17T09:00+0530", "2026-11-17T03:30:00.000Z"},
		{"2026-11-17T09:00+05", "2026-11-17T04:00:00.000Z"},
		/* In the gap, and shown twice. */
		{"2027-03-28T02:30", "2027-03-28T01:00:00.000Z"},
		{"2027-10-31T02:30", "2027-10-31T00:30:00.000Z"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_times(SCHEDULE_ONCE, cases[i].value, "Europe/Berlin",
			"2026-11-01T00:00:00Z", TIMES(cases[i].expected));
}

static void once_is_over_when_it_is_over(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	int64_t time;

	(void)state;
	assert_int_equal(
		schedule_parse(SCHEDULE_ONCE, "2026-11-17T09:00Z", "UTC", 0, &schedule, &err),
		0);
	assert_false(schedule_next(&schedule, time_of("2026-11-17T09:00:00Z"), &time));
}

/* --- what is wrong ------------------------------------------------------------- */

static void assert_wrong(enum schedule_type type, const char *value, const char *message)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;

	assert_int_equal(schedule_parse(type, value, "UTC", 0, &schedule, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	if (!strstr(err.message, message))
		print_error("'%s': %s\n", value, err.message);
	assert_non_null(strstr(err.message, message));
}

static void a_wrong_expression_names_the_field(void **state)
{
	(void)state;
	assert_wrong(SCHEDULE_CRON, "", "five fields");
	assert_wrong(SCHEDULE_CRON, "0 9 * * 1#6", "MON#1");
	assert_wrong(SCHEDULE_CRON, "0 9 * * 1#", "MON#1");
	assert_wrong(SCHEDULE_CRON, "0 9 * * * by 2 days", "and a 'from'");
	assert_wrong(SCHEDULE_CRON, "0 9 * * * by 0 days from 2026-11-17T09:00", "'by' needs");
	assert_wrong(SCHEDULE_CRON, "0 9 * * * by 2 hours from 2026-11-17T09:00", "'by' needs");
	assert_wrong(SCHEDULE_CRON, "0 9 * * * until tomorrow", "tomorrow");
	assert_wrong(
		SCHEDULE_INTERVAL, "1d by 2 days from 2026-11-17T09:00", "'by' needs a cron");
	assert_wrong(SCHEDULE_CRON, "0 9 * *", "not 4");
	assert_wrong(SCHEDULE_CRON, "0 0 9 * * *", "not 6");
	assert_wrong(SCHEDULE_CRON, "60 9 * * *", "the minute '60' is not");
	assert_wrong(SCHEDULE_CRON, "0 24 * * *", "the hour '24' is not");
	assert_wrong(SCHEDULE_CRON, "0 9 0 * *", "the day of the month '0' is not");
	assert_wrong(SCHEDULE_CRON, "0 9 * 13 *", "the month '13' is not");
	assert_wrong(SCHEDULE_CRON, "0 9 * JANUARY *", "the month 'JANUARY' is not");
	assert_wrong(SCHEDULE_CRON, "0 9 * * 8", "the day of the week '8' is not");
	assert_wrong(SCHEDULE_CRON, "0 9 * * MON-", "the day of the week '' is not");
	assert_wrong(SCHEDULE_CRON, "0 22-2 * * *", "the hour '22-2' goes backwards");
	assert_wrong(SCHEDULE_CRON, "*/0 9 * * *", "the minute '*/0' has a step");
	assert_wrong(SCHEDULE_CRON, "*/61 9 * * *", "the minute '*/61' has a step");
	assert_wrong(SCHEDULE_CRON, "1, 9 * * *", "ends in a comma");
	assert_wrong(SCHEDULE_CRON, ",1 9 * * *", "the minute '' is not");
	assert_wrong(SCHEDULE_CRON, "0 9 ? * *", "the day of the month '?' is not");
	assert_wrong(SCHEDULE_CRON, "0 9 W * *", "the day of the month 'W' is not");
	assert_wrong(SCHEDULE_CRON, "@reboot", "'@reboot' is not known");
}

static void a_wrong_length_or_time_is_refused(void **state)
{
	static const char *const lengths[] = {"", "0s", "x", "5", "999", "5x", "m", "5m3h",
		"5m5m", "5ms", "5 mins ago", "-5m", "1.5h", "P", "PT", "P5H", "PT5D", "99999w",
		"9999999999999999"};
	static const char *const points[] = {"", "tomorrow", "2026-11-17", "2026-02-30T09:00",
		"2026-11-17T24:00", "2026-11-17T09:60", "2026-11-17T9:00", "2026-11-17T09:00x",
		"2026-11-17T09:00+25:00", "2026-11-17T09:00:00.", "2026-11-17T09"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		assert_wrong(SCHEDULE_INTERVAL, lengths[i], "");
	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		assert_wrong(SCHEDULE_ONCE, points[i], "");
}

TESTS(cmocka_unit_test(a_fixed_time_that_is_jumped_over_happens_right_after),
	cmocka_unit_test(a_fixed_time_that_is_shown_twice_happens_once),
	cmocka_unit_test(hours_with_a_star_go_on_as_time_does),
	cmocka_unit_test(both_days_must_fit_only_if_one_begins_with_a_star),
	cmocka_unit_test(sunday_is_both_ends_of_the_week),
	cmocka_unit_test(rare_days_are_found_and_impossible_ones_are_not),
	cmocka_unit_test(a_weekday_of_the_month_is_counted_from_either_end),
	cmocka_unit_test(several_expressions_are_one_schedule_and_have_limits),
	cmocka_unit_test(an_interval_is_elapsed_time),
	cmocka_unit_test(once_is_on_the_clock_of_the_zone_or_an_instant),
	cmocka_unit_test(once_is_over_when_it_is_over),
	cmocka_unit_test(a_wrong_expression_names_the_field),
	cmocka_unit_test(a_wrong_length_or_time_is_refused))
