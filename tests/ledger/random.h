/*
 * Random numbers that are the same everywhere: splitmix64.
 *
 *	random_seed(seed);
 *	if (one_in(3))
 *		index = below(count);
 */
#ifndef LEDGER_RANDOM_H
#define LEDGER_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

void random_seed(uint64_t seed);

/* From 0 to limit - 1; 0 if the limit is 0. */
unsigned below(unsigned limit);
bool one_in(unsigned n);

#endif
