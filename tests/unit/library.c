#include "test.h"

#include <string.h>

#include "proc/library.h"

static double (*cosine)(double);
static double (*missing)(double);

static void symbols_of_a_library_can_be_called(void **state)
{
	static const struct library_symbol symbols[] = {{"cos", &cosine}, {0}};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(library_load("libm.so.6", symbols, &err), 0);
	assert_true(cosine(0) == 1);
}

static void a_missing_library_is_named_with_its_package(void **state)
{
	static const struct library_symbol symbols[] = {{0}};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(library_load("libnothere2.so.1.5", symbols, &err), -1);
	assert_non_null(strstr(err.message, "'libnothere2.so.1.5'"));
	assert_non_null(strstr(err.hint, "libnothere2-1.5"));
	error_clear(&err);
	assert_int_equal(library_load("libnothere.so.3", symbols, &err), -1);
	assert_non_null(strstr(err.hint, "libnothere3"));
}

static void a_missing_symbol_leaves_all_pointers_alone(void **state)
{
	static const struct library_symbol symbols[] = {
		{"cos", &cosine},
		{"no_such_function", &missing},
		{0},
	};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	cosine = NULL;
	assert_int_equal(library_load("libm.so.6", symbols, &err), -1);
	assert_non_null(strstr(err.message, "'no_such_function'"));
	assert_true(!cosine && !missing);
}

TESTS(cmocka_unit_test(symbols_of_a_library_can_be_called),
	cmocka_unit_test(a_missing_library_is_named_with_its_package),
	cmocka_unit_test(a_missing_symbol_leaves_all_pointers_alone))
