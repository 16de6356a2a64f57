/*
 * What a unit test includes: cmocka with the headers it wants before it, and TESTS(),
 * which names the tests of a file.
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
 *
 * The files of a folder are linked into one program, which runs the tests of one of them:
 * `unit-host store` (main.c).
 */
#ifndef UNIT_TEST_H
#define UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct test_file {
	const char *path;
	void (*first)(void);
	const struct CMUnitTest *tests;
	size_t count;
};

#define TESTS(...) TESTS_AFTER((void)0, __VA_ARGS__)

/* The linker gathers the pointers, as it does those of commands (cli/command.h). */
#define TESTS_AFTER(first, ...)                                                                \
	static const struct CMUnitTest tests_here[] = {__VA_ARGS__};                           \
	static void before_tests_here(void)                                                    \
	{                                                                                      \
		first;                                                                         \
	}                                                                                      \
	static const struct test_file test_file_here = {__FILE__, before_tests_here,           \
		tests_here, sizeof(tests_here) / sizeof(tests_here[0])};                       \
	__attribute__((used, section("unit_test_files"))) static const struct test_file        \
		*const test_file_pointer = &test_file_here;

#endif
