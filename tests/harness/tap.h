/*
 * Results in the Test Anything Protocol, version 12, with the plan at the end:
 * a program that ends too early has no plan and counts as failed.
 *
 *	struct tap tap = {0};
 *	tap_result(&tap, ok, "the claim");
 *	tap_note("what is wrong\nline by line\n");
 *	return tap_end(&tap);
 */
#ifndef HARNESS_TAP_H
#define HARNESS_TAP_H

#include <stdbool.h>

struct tap {
	unsigned count;
	unsigned failed;
};

void tap_result(struct tap *tap, bool ok, const char *name);
void tap_skip(struct tap *tap, const char *name, const char *why);

/* Every line of the text as a remark. */
void tap_note(const char *text);

/* Prints the plan; returns the exit code. */
int tap_end(const struct tap *tap);

#endif
