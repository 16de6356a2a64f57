#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "time/timestamp.h"

static void assert_formatted(int64_t ms, const char *expected)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	char text[TIMESTAMP_SIZE];
	int64_t back = 0;

	timestamp_format(ms, text);
	assert_string_equal(text, expected);
	assert_int_equal(timestamp_parse(view_of(text), &back, &err), 0);
	assert_true(back == ms);
}

static void times_are_written_in_utc_with_milliseconds(void **state)
{
	(void)state;
	setenv("TZ", "America/New_York", 1);
	tzset();
	assert_formatted(1771282022139, "2026-02-16T22:47:02.139Z");
	assert_formatted(0, "1970-01-01T00:00:00.000Z");
	assert_formatted(-1, "1969-12-31T23:59:59.999Z");
	assert_formatted(951782400000, "2000-02-29T00:00:00.000Z");
	assert_formatted(TIMESTAMP_MIN, "0000-01-01T00:00:00.000Z");
	assert_formatted(TIMESTAMP_MAX, "9999-12-31T23:59:59.999Z");
}

static void the_fraction_may_be_short_long_or_absent(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {
		{"1970-01-01T00:00:01Z", 1000},
		{"1970-01-01T00:00:01.5Z", 1500},
		{"1970-01-01T00:00:01.123456789Z", 1123},
		{"1969-12-31T23:59:59.5Z", -500},
	};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t ms = 0;

		assert_int_equal(timestamp_parse(view_of(cases[i].text), &ms, &err), 0);
		assert_true(ms == cases[i].ms);
	}
}

static void other_text_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"2026-02-16",
		"2026-02-16T22:47:02",
		"2026-02-16T22:47:02.Z",
		"2026-02-16T22:47:02.1234567890Z",
		"2026-02-16T22:47:02.139",
		"2026-02-16T22:47:02.139Zx",
		"2026-02-16T22:47:02.139+01:00",
		"2026-02-16 22:47:02.139Z",
		"2026-02-30T00:00:00.000Z",
		"2026-13-01T00:00:00.000Z",
		"2026-00-01T00:00:00.000Z",
		"2026-01-01T24:00:00.000Z",
		"2026-01-01T00:60:00.000Z",
		"2026-01-01T00:00:60.000Z",
		"+026-01-01T00:00:00.000Z",
		"2026-01-01T00:00:00.-12Z",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		int64_t ms = 42;

		if (timestamp_parse(view_of(texts[i]), &ms, &err) == 0)
			fail_msg("accepted: %s", texts[i]);
		assert_int_equal(err.kind, ERROR_INVALID);
		assert_true(ms == 42);
	}
}

static void the_time_now_is_the_clock(void **state)
{
	int64_t before = (int64_t)time(NULL) * 1000;
	int64_t now;

	(void)state;
	unsetenv("SOURCE_DATE_EPOCH");
	now = timestamp_now();
	assert_true(now >= before - 1000 && now < before + 60000);
}

static void source_date_epoch_stops_the_clock(void **state)
{
	(void)state;
	setenv("SOURCE_DATE_EPOCH", "1771282022", 1);
	assert_true(timestamp_now() == INT64_C(1771282022000));
	setenv("SOURCE_DATE_EPOCH", "0", 1);
	assert_true(timestamp_now() == 0);
}

static void a_bad_source_date_epoch_is_ignored(void **state)
{
	static const char *const values[] = {
		"", "-1", "x", "1x", " 1", "99999999999999999999", "253402300800"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		setenv("SOURCE_DATE_EPOCH", values[i], 1);
		assert_true(timestamp_now() > INT64_C(1700000000000));
		assert_true(timestamp_now() <= TIMESTAMP_MAX);
	}
}

TESTS(cmocka_unit_test(times_are_written_in_utc_with_milliseconds),
	cmocka_unit_test(the_fraction_may_be_short_long_or_absent),
	cmocka_unit_test(other_text_is_refused), cmocka_unit_test(the_time_now_is_the_clock),
	cmocka_unit_test(source_date_epoch_stops_the_clock),
	cmocka_unit_test(a_bad_source_date_epoch_is_ignored))
