/*
 * An attacker: a process that exchanges two names in a directory as fast as it
 * can, until it is stopped or its parent ends.
 *
 *	swapper_start(dirfd, "folder", "link");
 *	...
 *	swapper_stop();
 *
 * Each exchange is one step, so both names always exist. There is one at a time.
 * A test that has one is listed as WITH_SWAPPER(test): if it fails before it comes
 * to swapper_stop(), the temporary directory could not be removed otherwise.
 */
#ifndef HARNESS_SWAPPER_H
#define HARNESS_SWAPPER_H

#include "tempdir.h"

void swapper_start(int dirfd, const char *a, const char *b);

/* Does nothing if there is none. */
void swapper_stop(void);

/* For cmocka: stops the swapper, and then as tempdir_teardown(). */
int swapper_teardown(void **state);

#define WITH_SWAPPER(test)                                                                     \
	cmocka_unit_test_setup_teardown(test, tempdir_setup, swapper_teardown)

#endif
