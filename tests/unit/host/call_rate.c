#include "../test.h"

#include "host/base/call_rate.h"

static int64_t take_all(struct call_rate *rate, int64_t now, int *ret_count)
{
	int64_t wait;

	*ret_count = 0;
	while (!(wait = call_rate_take(rate, now)) && *ret_count < 10 * CALL_RATE_BURST)
		(*ret_count)++;
	return wait;
}

static void a_burst_is_let_through_and_then_no_more(void **state)
{
	struct call_rate rate = {0};
	int count;

	(void)state;
	assert_int_equal(take_all(&rate, 5000, &count), 1000 / CALL_RATE_PER_SECOND);
	assert_int_equal(count, CALL_RATE_BURST);
}

static void after_the_time_that_was_told_one_more_is_let_through(void **state)
{
	struct call_rate rate = {0};
	int64_t wait;
	int count;

	(void)state;
	wait = take_all(&rate, 5000, &count);
	assert_int_not_equal(call_rate_take(&rate, 5000 + wait - 1), 0);
	assert_int_equal(call_rate_take(&rate, 5000 + wait), 0);
	assert_int_not_equal(call_rate_take(&rate, 5000 + wait), 0);
}

static void in_the_long_run_it_is_so_many_in_a_second(void **state)
{
	struct call_rate rate = {0};
	int count;

	(void)state;
	take_all(&rate, 0, &count);
	take_all(&rate, 4000, &count);
	assert_int_equal(count, 4 * CALL_RATE_PER_SECOND);
	/* What was not used is not saved up beyond a burst. */
	take_all(&rate, INT64_C(1000000000), &count);
	assert_int_equal(count, CALL_RATE_BURST);
}

TESTS(cmocka_unit_test(a_burst_is_let_through_and_then_no_more),
	cmocka_unit_test(after_the_time_that_was_told_one_more_is_let_through),
	cmocka_unit_test(in_the_long_run_it_is_so_many_in_a_second))
