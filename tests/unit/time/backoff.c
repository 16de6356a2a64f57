#include "../test.h"

#include "time/backoff.h"

static void each_wait_is_at_most_twice_the_one_before_and_at_least_half_of_that(void **state)
{
	struct backoff backoff = BACKOFF_INIT(200, 60000);
	int64_t most = 200;

	(void)state;
	for (int i = 0; i < 40; i++) {
		int64_t wait = backoff_next(&backoff);

		assert_in_range(wait, most / 2, most);
		most = most * 2 < 60000 ? most * 2 : 60000;
	}
}

static void a_seed_makes_the_waits_the_same(void **state)
{
	struct backoff one = BACKOFF_INIT(1000, 60000);
	struct backoff other = BACKOFF_INIT(1000, 60000);
	int differ = 0;

	(void)state;
	one.seed = other.seed = 7;
	for (int i = 0; i < 10; i++)
		assert_int_equal(backoff_next(&one), backoff_next(&other));
	other.seed = 8;
	for (int i = 0; i < 10; i++)
		differ += backoff_next(&one) != backoff_next(&other);
	assert_true(differ > 5);
}

static void without_a_seed_two_clients_do_not_wait_alike(void **state)
{
	struct backoff one = BACKOFF_INIT(1000000, 60000000);
	struct backoff other = BACKOFF_INIT(1000000, 60000000);
	int differ = 0;

	(void)state;
	for (int i = 0; i < 10; i++)
		differ += backoff_next(&one) != backoff_next(&other);
	assert_true(differ > 5);
}

static void after_a_success_it_begins_again(void **state)
{
	struct backoff backoff = BACKOFF_INIT(200, 60000);

	(void)state;
	for (int i = 0; i < 5; i++)
		backoff_next(&backoff);
	backoff_reset(&backoff);
	assert_in_range(backoff_next(&backoff), 100, 200);
}

static void counted_failures_give_a_wait_without_chance(void **state)
{
	(void)state;
	assert_int_equal(backoff_ms(2000, 4, 0, 900000), 2000);
	assert_int_equal(backoff_ms(2000, 4, 2, 900000), 32000);
	assert_int_equal(backoff_ms(2000, 4, 1000000, 900000), 900000);
	assert_int_equal(backoff_ms(2000000, 4, 0, 900000), 900000);
}

/* With an attempt of a second or two, a channel is back ten seconds after the network is. */
static void a_network_that_is_away_is_tried_every_few_seconds(void **state)
{
	struct backoff backoff = BACKOFF_INIT(1000, 300000);

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_in_range(backoff_away(&backoff), 500, 8000);
	assert_in_range(backoff_next(&backoff), 8001, 300000);
}

TESTS(cmocka_unit_test(each_wait_is_at_most_twice_the_one_before_and_at_least_half_of_that),
	cmocka_unit_test(a_seed_makes_the_waits_the_same),
	cmocka_unit_test(without_a_seed_two_clients_do_not_wait_alike),
	cmocka_unit_test(after_a_success_it_begins_again),
	cmocka_unit_test(a_network_that_is_away_is_tried_every_few_seconds),
	cmocka_unit_test(counted_failures_give_a_wait_without_chance))
