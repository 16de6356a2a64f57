#include "../test.h"

#include "time/rate_limit.h"

static const struct rate_rule rule = {.count = 25, .period_ms = 1000, .burst = 300};

static int64_t take_all(struct rate_limit *limit, int64_t now, int *ret_count)
{
	int64_t wait;

	*ret_count = 0;
	while (!(wait = rate_limit_take(limit, &rule, now)) && *ret_count < 3000)
		(*ret_count)++;
	return wait;
}

static void a_burst_is_let_through_and_then_no_more(void **state)
{
	struct rate_limit limit = {0};
	int count;

	(void)state;
	assert_int_equal(take_all(&limit, 5000, &count), 40);
	assert_int_equal(count, 300);
}

static void after_the_wait_one_more_is_let_through(void **state)
{
	struct rate_limit limit = {0};
	int64_t wait;
	int count;

	(void)state;
	wait = take_all(&limit, 5000, &count);
	assert_int_not_equal(rate_limit_take(&limit, &rule, 5000 + wait - 1), 0);
	assert_int_equal(rate_limit_take(&limit, &rule, 5000 + wait), 0);
	assert_int_not_equal(rate_limit_take(&limit, &rule, 5000 + wait), 0);
}

static void in_the_long_run_it_is_the_rate_and_unused_calls_are_not_saved_up(void **state)
{
	struct rate_limit limit = {0};
	int count;

	(void)state;
	take_all(&limit, 0, &count);
	take_all(&limit, 4000, &count);
	assert_int_equal(count, 100);
	take_all(&limit, INT64_C(1000000000), &count);
	assert_int_equal(count, 300);
}

static void nothing_is_let_through_while_the_server_wants_a_pause(void **state)
{
	struct rate_limit limit = {0};

	(void)state;
	rate_limit_block(&limit, 9000);
	rate_limit_block(&limit, 6000);
	assert_int_equal(rate_limit_take(&limit, &rule, 5000), 4000);
	assert_int_equal(rate_limit_take(&limit, &rule, 8999), 1);
	assert_int_equal(rate_limit_take(&limit, &rule, 9000), 0);
}

static void one_in_a_second_is_one_in_a_second(void **state)
{
	static const struct rate_rule slow = {.count = 1, .period_ms = 1000, .burst = 1};
	struct rate_limit limit = {0};

	(void)state;
	assert_int_equal(rate_limit_take(&limit, &slow, 100), 0);
	assert_int_equal(rate_limit_take(&limit, &slow, 100), 1000);
	assert_int_equal(rate_limit_take(&limit, &slow, 1099), 1);
	assert_int_equal(rate_limit_take(&limit, &slow, 1100), 0);
}

TESTS(cmocka_unit_test(a_burst_is_let_through_and_then_no_more),
	cmocka_unit_test(after_the_wait_one_more_is_let_through),
	cmocka_unit_test(in_the_long_run_it_is_the_rate_and_unused_calls_are_not_saved_up),
	cmocka_unit_test(nothing_is_let_through_while_the_server_wants_a_pause),
	cmocka_unit_test(one_in_a_second_is_one_in_a_second))
