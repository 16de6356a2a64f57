#include "test.h"

#include <string.h>

#include "base/alloc.h"
#include "host/money/prices.h"
#include "tempdir.h"

static struct api_usage usage_of(const char *model, int64_t in, int64_t out)
{
	return (struct api_usage){
		.model = (char *)(uintptr_t)model, .input = in, .output = out};
}

static int64_t cost(const struct prices *prices, const struct api_usage *usage)
{
	int64_t micro = -1;

	return prices_cost(prices, usage, &micro) ? micro : -1;
}

static void a_model_is_known_by_its_name_and_with_a_date(void **state)
{
	static const struct {
		const char *model;
		const char *found;
	} models[] = {
		{"claude-opus-4-8", "claude-opus-4-8"},
		{"claude-opus-4-20250514", "claude-opus-4"},
		{"claude-opus-4-1-20250805", "claude-opus-4-1"},
		{"claude-sonnet-4-5-20250929", "claude-sonnet-4-5"},
		{"claude-3-5-haiku-latest", "claude-3-5-haiku"},
		{"claude-opus-4-9", NULL}, /* not one of Opus 4's */
		{"claude-opus-4-2025051", NULL},
		{"claude-opus", NULL},
		{"gpt-9", NULL},
		{"", NULL},
	};
	struct prices none = PRICES_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct price *price = prices_find(&none, models[i].model);

		if (models[i].found)
			assert_string_equal(price->model, models[i].found);
		else
			assert_null(price);
	}
}

static void the_table_is_sorted_and_its_prices_make_sense(void **state)
{
	(void)state;
	for (const struct price *p = price_table; p->model; p++) {
		assert_true(!p[1].model || strcmp(p->model, p[1].model) < 0);
		assert_true(p->cache_read < p->input && p->input < p->cache_write);
		assert_true(p->cache_write < p->cache_write_1h && p->input < p->output);
		assert_true(!p->long_above ||
			    (p->long_input > p->input && p->long_output > p->output));
	}
}

static void each_kind_of_token_has_its_price(void **state)
{
	struct prices none = PRICES_INIT;
	struct api_usage u = usage_of("claude-sonnet-4-6", 1000, 100);

	(void)state;
	assert_int_equal(cost(&none, &u), 1000 * 3 + 100 * 15);
	u.cache_read = 10000;
	assert_int_equal(cost(&none, &u), 4500 + 3000);
	u.cache_write = 1000;
	assert_int_equal(cost(&none, &u), 7500 + 3750);
	u.cache_write_1h = 400; /* of these */
	assert_int_equal(cost(&none, &u), 7500 + 600 * 3.75 + 400 * 6);
	u.web_searches = 2;
	assert_int_equal(cost(&none, &u), 12150 + 20000);
}

static void long_requests_cost_more_with_all_that_goes_in(void **state)
{
	struct prices none = PRICES_INIT;
	struct api_usage u = usage_of("claude-sonnet-4-5", 150000, 1000);

	(void)state;
	u.cache_read = 50000;
	assert_int_equal(cost(&none, &u), 150000 * 3 + 50000 * 0.3 + 1000 * 15);
	u.cache_read++;
	assert_int_equal(
		cost(&none, &u), (int64_t)(150000 * 6 + 50001 * 0.6 + 1000 * 22.5 + 0.5));
}

static void read_prices(const char *text, struct prices *prices)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (prices_parse(view_of(text), "p.json", prices, &err) < 0)
		fail_msg("%s", err.message);
}

static void prices_of_the_file_go_first_and_the_longest_name_counts(void **state)
{
	CLEANUP(prices_release) struct prices prices = PRICES_INIT;
	struct api_usage u = usage_of("claude-opus-4-8", 1000, 0);

	(void)state;
	read_prices("{\"claude-opus-4-8\": {\"input\": 7, \"output\": 8},"
		    " \"my-*\": {\"input\": 1, \"output\": 2},"
		    " \"my-big*\": {\"input\": 3, \"output\": 4, \"cacheRead\": 0},"
		    " \"free*\": {\"input\": 0, \"output\": 0}}",
		&prices);
	assert_int_equal(cost(&prices, &u), 7000);
	u.cache_write_1h = u.cache_write = 10;
	assert_int_equal(cost(&prices, &u), 7000 + 10 * 14);
	u = usage_of("my-small", 1000, 0);
	u.cache_read = 100;
	assert_int_equal(cost(&prices, &u), 1000 + 10);
	u.model = (char *)(uintptr_t) "my-big-one";
	assert_int_equal(cost(&prices, &u), 3000);
	u.model = (char *)(uintptr_t) "freebie";
	assert_int_equal(cost(&prices, &u), 0);
	u.model = (char *)(uintptr_t) "other";
	assert_int_equal(cost(&prices, &u), -1);
}

static void a_faulty_file_is_told(void **state)
{
	static const struct {
		const char *text;
		const char *wanted;
	} faults[] = {
		{"[]", "p.json: it must be an object with at most 1000 models"},
		{"{\"a\": 1}", "p.json: 'a': it must be an object with prices"},
		{"{\"\": {}}", "p.json: '': it must be an object with prices"},
		{"{\"a\": {\"input\": 1}}", "p.json: 'a': 'input' and 'output' are needed"},
		{"{\"a\": {\"input\": -1}}",
			"p.json: 'a': 'input' must be a number that is not negative"},
		{"{\"a\": {\"input\": 1e7}}",
			"p.json: 'a': 'input' is too large for dollars per million tokens"},
		{"{\"a\": {\"in\": 1}}", "p.json: 'a': 'in' is not known"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct prices prices;

		assert_int_equal(
			prices_parse(view_of(faults[i].text), "p.json", &prices, &err), -1);
		assert_string_equal(err.message, faults[i].wanted);
	}
}

static void amounts_are_for_people(void **state)
{
	static const struct {
		int64_t micro;
		const char *text;
	} dollars[] = {{0, "$0.00"}, {1, "$0.0000"}, {50, "$0.0001"}, {123456, "$0.1235"},
		{999999, "$0.9999"}, {1000000, "$1.00"}, {1994999, "$1.99"}, {1995000, "$2.00"},
		{12345678900, "$12345.68"}};
	static const struct {
		int64_t number;
		const char *text;
	} tokens[] = {{0, "0"}, {999, "999"}, {1000, "1,000"}, {1234567, "1,234,567"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(dollars); i++) {
		CLEANUP(freep) char *text = amount_dollars(dollars[i].micro);

		assert_string_equal(text, dollars[i].text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(tokens); i++) {
		CLEANUP(freep) char *text = amount_tokens(tokens[i].number);

		assert_string_equal(text, tokens[i].text);
	}
}

static void prices_are_read_again_after_a_change(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(prices_release) struct prices prices = PRICES_INIT;
	struct api_usage usage = usage_of("mine", 1, 0);

	assert_int_equal(prices_update(temp->fd, &prices, &err), 0);
	assert_int_equal(cost(&prices, &usage), -1);
	tempdir_mkdir(temp->fd, "data");
	tempdir_put(temp->fd, PRICES_FILE, "{\"mine\": {\"input\": 7, \"output\": 1}}");
	assert_int_equal(prices_update(temp->fd, &prices, &err), 0);
	assert_int_equal(cost(&prices, &usage), 7);
	tempdir_put(temp->fd, PRICES_FILE, "{\"mine\": {\"input\": 123, \"output\": 1}}");
	assert_int_equal(prices_update(temp->fd, &prices, &err), 0);
	assert_int_equal(cost(&prices, &usage), 123);
}

/* False, and yet a number: each kind of token like that of the dearest. */
static void an_own_server_is_free_and_a_server_may_tell_its_price(void **state)
{
	CLEANUP(prices_release) struct prices prices = PRICES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct api_usage u = usage_of("qwen3:8b", 1000, 100);
	struct prices none = PRICES_INIT;

	(void)state;
	u.is_told = true;
	u.told_micro_usd = 42;
	assert_int_equal(cost(&none, &u), 42);
	u.is_free = true;
	assert_int_equal(cost(&none, &u), 0);
	/* The person's own prices take precedence over both. */
	assert_int_equal(prices_parse(view_of("{\"qwen3*\": {\"input\": 1, \"output\": 2}}"),
				 "prices.json", &prices, &err),
		0);
	assert_int_equal(cost(&prices, &u), 1200);
}

static void a_model_without_a_price_costs_like_the_dearest(void **state)
{
	static const char *const models[] = {"gpt-9", "", "claude-opus-99", "free", "claude-"};
	struct prices none = PRICES_INIT;
	CLEANUP(prices_release) struct prices dear = PRICES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(prices_parse(view_of("{\"x\": {\"input\": 1000, \"output\": 1}}"), "x",
				 &dear, &err),
		0);
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		struct api_usage u = usage_of(models[i], 1000, 100);
		int64_t micro = -1;

		u.cache_read = 10;
		u.cache_write = 10;
		assert_false(prices_cost(&none, &u, &micro));
		assert_int_equal(micro, 1000 * 15 + 100 * 75 + 10 * 1.5 + 10 * 18.75 + 0.5);
		assert_false(prices_cost(&dear, &u, &micro));
		assert_true(micro >= 1000 * 1000 + 100 * 75);
	}
}

TESTS(cmocka_unit_test(a_model_is_known_by_its_name_and_with_a_date),
	cmocka_unit_test(the_table_is_sorted_and_its_prices_make_sense),
	cmocka_unit_test(each_kind_of_token_has_its_price),
	cmocka_unit_test(an_own_server_is_free_and_a_server_may_tell_its_price),
	cmocka_unit_test(a_model_without_a_price_costs_like_the_dearest),
	cmocka_unit_test(long_requests_cost_more_with_all_that_goes_in),
	cmocka_unit_test(prices_of_the_file_go_first_and_the_longest_name_counts),
	cmocka_unit_test(a_faulty_file_is_told),
	IN_TEMPDIR(prices_are_read_again_after_a_change),
	cmocka_unit_test(amounts_are_for_people))
