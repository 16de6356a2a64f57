/*
 * The cost of a model's answer.
 *
 *	CLEANUP(prices_release) struct prices prices = PRICES_INIT;
 *
 *	prices_read(root, &prices, err)			data/prices.json; none is no error
 *	if (prices_cost(&prices, &usage, &micro_usd))
 *		…
 *
 * Prices are in dollars per million tokens, which is the same as millionths of a dollar per
 * token. The table price_table.c has those of Anthropic's models as they were published when
 * this version was made. Prices change, and there are other models: entries in data/prices.json
 * override the table, without a restart.
 *
 *	{
 *	  "claude-sonnet-4-5": {"input": 3, "output": 15, "longAbove": 200000,
 *	                        "longInput": 6, "longOutput": 22.5},
 *	  "my-model*": {"input": 0.5, "output": 2, "cacheRead": 0.1, "cacheWrite": 0.6,
 *	                "cacheWrite1h": 1}
 *	}
 *
 * A name matches the model itself, also with a trailing date ("-20250929" or "-2025-09-29") or
 * "-latest", but not another version: "claude-opus-4" does not match "claude-opus-4-8". A star at
 * the end matches all names that begin this way. The longest match wins. Missing cache prices
 * default to the usual share of "input": a tenth for reading, 1.25 times for writing for five
 * minutes, and twice for an hour. A request with more than "longAbove" input tokens uses
 * "longInput" and "longOutput", and cache prices in proportion.
 *
 * Without an entry in the file, the user's own server costs nothing, and a cost that a server
 * reports itself overrides the table. The cost of a model without a price is unknown, which is not
 * the same as zero.
 */
#ifndef HOST_MONEY_PRICES_H
#define HOST_MONEY_PRICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "fs/stamp.h"
#include "gate/usage_reader.h"

#define PRICES_FILE     "data/prices.json"
#define PRICES_MAX_FILE ((size_t)256 * 1024)

struct price {
	const char *model;
	double input;
	double output;
	double cache_read;
	double cache_write;
	double cache_write_1h;
	int64_t long_above; /* 0: never */
	double long_input;
	double long_output;
};

/* Ends with one without a model. */
extern const struct price price_table[];

struct prices {
	struct price *list; /* of the file; the models are allocated */
	size_t count;
	size_t cap;
	struct stamp stamp; /* of the file */
};

#define PRICES_INIT ((struct prices){0})

/* ERROR_INVALID with the first fault. */
int prices_parse(
	struct view text, const char *shown, struct prices *ret_prices, struct error *err);
int prices_read(int root, struct prices *ret_prices, struct error *err);
/* Read again if the file has changed; after an error they are as if there were no file. */
int prices_update(int root, struct prices *prices, struct error *err);
void prices_release(struct prices *prices);

const struct price *prices_find(const struct prices *prices, const char *model);

/*
 * In millionths of a dollar. False if the price is unknown: then the cost is computed with the
 * highest known price for each kind of token.
 */
bool prices_cost(
	const struct prices *prices, const struct api_usage *usage, int64_t *ret_micro_usd);

/* For people, to be freed: "1,234,567"; "$12.34", and below a dollar "$0.0123". */
char *amount_tokens(int64_t tokens);
char *amount_dollars(int64_t micro_usd);

#endif
