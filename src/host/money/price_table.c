/*
 * Anthropic's prices of October 2026, in dollars per million tokens: for tokens in, tokens
 * out, reading the cache, writing it for five minutes and for an hour; and, where long requests
 * cost more, from where on and how much in and out. One model per line, sorted.
 */
#include "host/money/prices.h"

/* clang-format off */
const struct price price_table[] = {
	{"claude-3-5-haiku",   0.80,  4.00, 0.08,  1.00,  1.60},
	{"claude-3-5-sonnet",  3.00, 15.00, 0.30,  3.75,  6.00},
	{"claude-3-7-sonnet",  3.00, 15.00, 0.30,  3.75,  6.00},
	{"claude-3-haiku",     0.25,  1.25, 0.03,  0.30,  0.50},
	{"claude-3-opus",     15.00, 75.00, 1.50, 18.75, 30.00},
	{"claude-fable-5",    10.00, 50.00, 1.00, 12.50, 20.00},
	{"claude-fable-5-1",  10.00, 50.00, 0.25, 12.50, 20.00},
	{"claude-haiku-4-5",   1.00,  5.00, 0.10,  1.25,  2.00},
	{"claude-haiku-5-5",   0.10,  0.50, 0.01, 0.125,  0.20, 100000, 0.50, 2.50},
	{"claude-mythos-5",   10.00, 50.00, 1.00, 12.50, 20.00},
	{"claude-mythos-5-1", 10.00, 50.00, 0.25, 12.50, 20.00},
	{"claude-opus-4",     15.00, 75.00, 1.50, 18.75, 30.00},
	{"claude-opus-4-0",   15.00, 75.00, 1.50, 18.75, 30.00},
	{"claude-opus-4-1",   15.00, 75.00, 1.50, 18.75, 30.00},
	{"claude-opus-4-5",    5.00, 25.00, 0.50,  6.25, 10.00},
	{"claude-opus-4-6",    5.00, 25.00, 0.50,  6.25, 10.00},
	{"claude-opus-4-7",    5.00, 25.00, 0.50,  6.25, 10.00},
	{"claude-opus-4-8",    5.00, 25.00, 0.50,  6.25, 10.00},
	{"claude-opus-5",      5.00, 25.00, 0.50,  6.25, 10.00},
	{"claude-opus-5-5",    4.00, 20.00, 0.20,  5.00,  8.00},
	{"claude-sonnet-4",    3.00, 15.00, 0.30,  3.75,  6.00, 200000, 6.00, 22.50},
	{"claude-sonnet-4-0",  3.00, 15.00, 0.30,  3.75,  6.00, 200000, 6.00, 22.50},
	{"claude-sonnet-4-5",  3.00, 15.00, 0.30,  3.75,  6.00, 200000, 6.00, 22.50},
	{"claude-sonnet-4-6",  3.00, 15.00, 0.30,  3.75,  6.00},
	{"claude-sonnet-5",    2.00, 10.00, 0.20,  2.50,  4.00},
	{"claude-sonnet-5-5",  2.00, 10.00, 0.10,  2.50,  4.00},
	{0},
};
/* clang-format on */
