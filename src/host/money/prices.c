#include "host/money/prices.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "base/quote.h"
#include "format/json.h"
#include "fs/beneath.h"

#define MAX_MODELS 1000
#define MAX_PRICE  100000.0

/* Ten dollars per thousand tokens, for any model. */
#define WEB_SEARCH_MICRO_USD 10000

#define DOLLAR 1000000

void prices_release(struct prices *prices)
{
	for (size_t i = 0; i < prices->count; i++)
		free((char *)(uintptr_t)prices->list[i].model);
	free(prices->list);
	*prices = PRICES_INIT;
}

/* --- the file ---------------------------------------------------------------- */

struct part {
	const char *name;
	size_t offset;
};

#define PART(name, field)                                                                      \
	{                                                                                      \
		name, offsetof(struct price, field)                                            \
	}

static const struct part parts[] = {
	PART("cacheRead", cache_read),
	PART("cacheWrite", cache_write),
	PART("cacheWrite1h", cache_write_1h),
	PART("input", input),
	PART("longInput", long_input),
	PART("longOutput", long_output),
	PART("output", output),
};

static int read_part(
	struct price *price, const char *name, const json_t *value, struct error *err)
{
	double number = json_number_value(value);
	CLEANUP(freep) char *shown = quote(view_of(name));

	if (!json_is_number(value) || number < 0 || number > MAX_PRICE * 1000)
		return error_set(
			err, ERROR_INVALID, "%s must be a number that is not negative", shown);
	if (!strcmp(name, "longAbove")) {
		price->long_above = (int64_t)number;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (strcmp(name, parts[i].name) != 0)
			continue;
		if (number > MAX_PRICE)
			return error_set(err, ERROR_INVALID,
				"%s is too large for dollars per million tokens", shown);
		memcpy((char *)price + parts[i].offset, &number, sizeof(number));
		return 0;
	}
	error_set(err, ERROR_INVALID, "%s is not known", shown);
	return error_hint(err,
		"the keys are input, output, cacheRead, cacheWrite, cacheWrite1h, longAbove, longInput and longOutput");
}

static int read_price(
	const char *model, json_t *value, struct price *ret_price, struct error *err)
{
	struct price price = {.cache_read = -1,
		.cache_write = -1,
		.cache_write_1h = -1,
		.long_input = -1,
		.long_output = -1};
	const char *name;
	json_t *part;

	if (!*model || !json_is_object(value))
		return error_set(err, ERROR_INVALID, "it must be an object with prices");
	json_object_foreach(value, name, part) {
		if (read_part(&price, name, part, err) < 0)
			return -1;
	}
	if (!json_object_get(value, "input") || !json_object_get(value, "output"))
		return error_set(err, ERROR_INVALID, "'input' and 'output' are needed");
	if (price.cache_read < 0)
		price.cache_read = price.input * 0.1;
	if (price.cache_write < 0)
		price.cache_write = price.input * 1.25;
	if (price.cache_write_1h < 0)
		price.cache_write_1h = price.input * 2;
	if (price.long_input < 0)
		price.long_input = price.input;
	if (price.long_output < 0)
		price.long_output = price.output;
	*ret_price = price;
	return 0;
}

int prices_parse(
	struct view text, const char *shown, struct prices *ret_prices, struct error *err)
{
	CLEANUP(prices_release) struct prices prices = PRICES_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	const char *model;
	json_t *value;

	if (json_read(text, shown, PRICES_MAX_FILE, &json, err) < 0)
		return -1;
	if (!json_is_object(json) || json_object_size(json) > MAX_MODELS)
		return error_set(err, ERROR_INVALID,
			"%s: it must be an object with at most %d models", shown, MAX_MODELS);
	json_object_foreach(json, model, value) {
		struct price price;

		if (read_price(model, value, &price, err) < 0) {
			CLEANUP(freep) char *quoted = quote(view_of(model));

			return error_prefix(err, "%s: %s", shown, quoted);
		}
		price.model = xstrdup(model);
		GROW(prices.list, prices.count, prices.cap);
		prices.list[prices.count++] = price;
	}
	*ret_prices = prices;
	prices = PRICES_INIT;
	return 0;
}

int prices_read(int root, struct prices *ret_prices, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (relpath_parse(view_of(PRICES_FILE), &path, err) < 0)
		return -1;
	if (beneath_read(root, &path, PRICES_MAX_FILE, &text, &missing) < 0) {
		if (missing.errnum != ENOENT)
			return error_set(err, ERROR_INVALID, "%s", missing.message);
		*ret_prices = PRICES_INIT;
		return 0;
	}
	return prices_parse(view_of_buf(&text), PRICES_FILE, ret_prices, err);
}

int prices_update(int root, struct prices *prices, struct error *err)
{
	struct stamp stamp = stamp_beneath(root, PRICES_FILE);
	int result;

	if (stamp_equal(&stamp, &prices->stamp))
		return 0;
	prices_release(prices);
	result = prices_read(root, prices, err);
	if (result == 0)
		prices->stamp = stamp;
	return result;
}

/* --- which one --------------------------------------------------------------- */

/* Its name, a beginning with '*', or the name with a date or "-latest" after it. */
static bool price_fits(const struct price *price, const char *model)
{
	size_t len = strlen(price->model);
	const char *rest;

	if (price->model[len - 1] == '*')
		return !strncmp(price->model, model, len - 1);
	if (strncmp(price->model, model, len) != 0)
		return false;
	rest = model + len;
	return !*rest || !strcmp(rest, "-latest") ||
	       !fnmatch("-[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]", rest, 0) ||
	       !fnmatch("-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]", rest, 0);
}

static const struct price *price_in_file(const struct prices *prices, const char *model)
{
	const struct price *best = NULL;

	for (size_t i = 0; i < prices->count; i++) {
		const struct price *price = &prices->list[i];

		if (price_fits(price, model) &&
			(!best || strlen(price->model) > strlen(best->model)))
			best = price;
	}
	return best;
}

static const struct price *price_in_table(const char *model)
{
	for (size_t i = 0; price_table[i].model; i++)
		if (price_fits(&price_table[i], model))
			return &price_table[i];
	return NULL;
}

const struct price *prices_find(const struct prices *prices, const char *model)
{
	const struct price *price = price_in_file(prices, model);

	return price ? price : price_in_table(model);
}

/* Each kind of token as the dearest model has it. */
static void take_dearer(struct price *dearest, const struct price *price)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		double *most = (double *)(void *)((char *)dearest + parts[i].offset);
		double other;

		memcpy(&other, (const char *)price + parts[i].offset, sizeof(other));
		if (other > *most)
			*most = other;
	}
	if (price->long_input > dearest->input)
		dearest->input = price->long_input;
	if (price->long_output > dearest->output)
		dearest->output = price->long_output;
}

/* --- how much ---------------------------------------------------------------- */

bool prices_cost(
	const struct prices *prices, const struct api_usage *usage, int64_t *ret_micro_usd)
{
	const struct price *known = price_in_file(prices, usage->model);
	struct price dearest = {0};
	const struct price *price;
	int64_t in = usage->input + usage->cache_read + usage->cache_write;
	double cached;
	bool is_long;

	if (!known && (usage->is_free || usage->is_told)) {
		*ret_micro_usd = usage->is_free ? 0 : usage->told_micro_usd;
		return true;
	}
	known = known ? known : price_in_table(usage->model);
	for (size_t i = 0; i < prices->count && !known; i++)
		take_dearer(&dearest, &prices->list[i]);
	for (size_t i = 0; price_table[i].model && !known; i++)
		take_dearer(&dearest, &price_table[i]);
	price = known ? known : &dearest;
	is_long = price->long_above && in > price->long_above;
	cached = (double)usage->cache_read * price->cache_read +
		 (double)(usage->cache_write - usage->cache_write_1h) * price->cache_write +
		 (double)usage->cache_write_1h * price->cache_write_1h;
	if (is_long && price->input > 0)
		cached *= price->long_input / price->input;
	cached += (double)usage->input * (is_long ? price->long_input : price->input) +
		  (double)usage->output * (is_long ? price->long_output : price->output) +
		  (double)usage->web_searches * WEB_SEARCH_MICRO_USD;
	*ret_micro_usd = (int64_t)(cached + 0.5);
	return known;
}

/* --- for people -------------------------------------------------------------- */

char *amount_tokens(int64_t tokens)
{
	CLEANUP(freep) char *digits = xasprintf("%" PRId64, tokens);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (const char *at = digits; *at; at++) {
		buf_append_char(&text, *at);
		if (at[1] && at[0] != '-' && strlen(at + 1) % 3 == 0)
			buf_append_char(&text, ',');
	}
	return buf_take(&text);
}

char *amount_dollars(int64_t micro_usd)
{
	if (!micro_usd)
		return xstrdup("$0.00");
	/* In whole numbers, so that no amount is shown as one that it is not. */
	if (micro_usd < DOLLAR)
		return xasprintf("$0.%04" PRId64, (micro_usd + 50) / 100 < 10000
							  ? (micro_usd + 50) / 100
							  : INT64_C(9999));
	return xasprintf("$%" PRId64 ".%02" PRId64, (micro_usd + 5000) / DOLLAR,
		(micro_usd + 5000) % DOLLAR / 10000);
}
