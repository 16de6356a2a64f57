/*
 * What a unit test includes: cmocka with the headers it wants before it, and a
 * main() that runs a list of tests.
 *
 *	static void a_new_buffer_is_an_empty_string(void **state)
 *	{
 *		...
 *	}
 *
 *	TESTS(cmocka_unit_test(a_new_buffer_is_an_empty_string))
 *
 * The name of a test is the claim that it checks. What the machine may lack is asked for
 * before all of them: TESTS_AFTER(bwrap_or_skip(), ...). cmocka's own skip() prints 'not ok'.
 */
#ifndef UNIT_TEST_H
#define UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TESTS(...) TESTS_AFTER((void)0, __VA_ARGS__)

#define TESTS_AFTER(first, ...)                                                                \
	int main(void)                                                                         \
	{                                                                                      \
		const struct CMUnitTest tests[] = {__VA_ARGS__};                               \
                                                                                               \
		first;                                                                         \
		return cmocka_run_group_tests(tests, NULL, NULL);                              \
	}

#endif
