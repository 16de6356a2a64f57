/*
 * One world after the other, each with a number from which everything in it follows:
 *
 *	PROGRAM --nanoclaw NANOCLAW [--seed S] [--first F] [--worlds N] [--keep]
 *
 * A failure is printed with its number and all commands; `--first F --worlds 1` runs that world
 * alone, and `--keep` leaves its files there.
 */
#ifndef FAMILY_WORLDS_H
#define FAMILY_WORLDS_H

#include "world.h"

/* `claim` is what was shown if all went well, without the number of operations before it. */
int worlds_main(int argc, char **argv, const char *claim,
	void (*one)(struct world *w, unsigned long number));

#endif
