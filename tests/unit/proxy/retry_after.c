#include "../test.h"

#include "net/retry_after.h"

/* Sun, 06 Nov 1994 08:49:37 GMT */
#define THEN INT64_C(784111777000)

static int64_t wait_of(const char *text)
{
	return retry_after_ms(view_of(text), THEN);
}

static void seconds_may_have_a_fraction_which_is_rounded_up(void **state)
{
	(void)state;
	assert_int_equal(wait_of("0"), 0);
	assert_int_equal(wait_of(" 120 "), 120000);
	assert_int_equal(wait_of("0.25"), 250);
	assert_int_equal(wait_of("1.0001"), 1001);
	assert_int_equal(wait_of("1.0000"), 1000);
	assert_int_equal(wait_of("5."), 5000);
}

static void a_date_is_compared_with_the_clock(void **state)
{
	(void)state;
	assert_int_equal(wait_of("Sun, 06 Nov 1994 08:49:37 GMT"), 0);
	assert_int_equal(wait_of("Sun, 06 Nov 1994 08:50:07 GMT"), 30000);
	assert_int_equal(wait_of("Sat, 05 Nov 1994 08:49:37 GMT"), 0);
	assert_int_equal(wait_of("Sun, 06 Nov 1994 09:49:37 GMT"), 3600000);
}

static void more_than_a_day_is_a_day(void **state)
{
	(void)state;
	assert_int_equal(wait_of("86401"), RETRY_AFTER_MAX_MS);
	assert_int_equal(wait_of("99999999999999999999999999999999"), RETRY_AFTER_MAX_MS);
	assert_int_equal(wait_of("Fri, 31 Dec 9999 23:59:59 GMT"), RETRY_AFTER_MAX_MS);
}

static void anything_else_is_neither(void **state)
{
	static const char *const texts[] = {"", " ", ".", ".5", "-1", "1 2", "1.2.3", "0x10",
		"soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Foo 1994 08:49:37 GMT",
		"Sun, 06 anF 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
		"Sun, 06 Nov 1994 24:00:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(wait_of(texts[i]), -1);
}

TESTS(cmocka_unit_test(seconds_may_have_a_fraction_which_is_rounded_up),
	cmocka_unit_test(a_date_is_compared_with_the_clock),
	cmocka_unit_test(more_than_a_day_is_a_day), cmocka_unit_test(anything_else_is_neither))
