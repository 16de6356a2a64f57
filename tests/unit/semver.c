#include "test.h"

#include <string.h>

#include "engine/package/semver.h"

static void assert_refused(const char *text, const char *reason)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct semver version = {.major = 7};

	assert_int_equal(semver_parse(view_of(text), &version, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	if (!strstr(err.message, reason))
		fail_msg("'%s': %s", text, err.message);
	assert_int_equal(version.major, 7);
}

static void a_version_has_its_parts(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(semver_release) struct semver version = {0};

	(void)state;
	assert_int_equal(semver_parse(view_of("1.20.3-rc.1+build-5.x"), &version, &err), 0);
	assert_int_equal(version.major, 1);
	assert_int_equal(version.minor, 20);
	assert_int_equal(version.patch, 3);
	assert_string_equal(version.prerelease, "rc.1");
	assert_string_equal(version.build, "build-5.x");
}

static void a_plain_version_has_no_other_parts(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(semver_release) struct semver version = {0};
	CLEANUP(semver_release) struct semver built = {0};

	(void)state;
	assert_int_equal(semver_parse(view_of("0.0.0"), &version, &err), 0);
	assert_null(version.prerelease);
	assert_null(version.build);
	assert_int_equal(semver_parse(view_of("1.0.0+a-b"), &built, &err), 0);
	assert_null(built.prerelease);
	assert_string_equal(built.build, "a-b");
}

static void what_is_no_version_is_refused_with_the_reason(void **state)
{
	(void)state;
	assert_refused("", "form 1.2.3");
	assert_refused("1", "form 1.2.3");
	assert_refused("1.2", "form 1.2.3");
	assert_refused("1.2.", "form 1.2.3");
	assert_refused("1..3", "form 1.2.3");
	assert_refused("1.2.3.4", "form 1.2.3");
	assert_refused("v1.2.3", "form 1.2.3");
	assert_refused(" 1.2.3", "form 1.2.3");
	assert_refused("1.2.3 ", "form 1.2.3");
	assert_refused("1.2.x", "form 1.2.3");
	assert_refused("-1.2.3", "form 1.2.3");
	assert_refused("01.2.3", "zero in front");
	assert_refused("1.02.3", "zero in front");
	assert_refused("1.2.3-01", "zero in front");
	assert_refused("1.2.3-", "empty part");
	assert_refused("1.2.3+", "empty part");
	assert_refused("1.2.3-a..b", "empty part");
	assert_refused("1.2.3-a.", "empty part");
	assert_refused("1.2.3-.a", "empty part");
	assert_refused("1.2.3-a_b", "not allowed");
	assert_refused("1.2.3+a+b", "not allowed");
	assert_refused("18446744073709551616.0.0", "too large");
}

static void the_largest_number_is_still_one(void **state)
{
	(void)state;
	assert_true(semver_compare_text(
			    "18446744073709551615.0.0", "18446744073709551614.9.9") > 0);
	assert_int_equal(semver_compare_text("1.0.0+001", "1.0.0+2"), 0);
}

/* The example of the standard, and more, from the lowest to the highest. */
static void versions_are_ordered_as_the_standard_says(void **state)
{
	static const char *const order[] = {"0.0.1", "0.1.0", "0.9.10", "0.10.0", "1.0.0-0",
		"1.0.0-2", "1.0.0-10", "1.0.0-99999999999999999999999", "1.0.0--",
		"1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
		"1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "2.0.0",
		"2.1.0", "10.0.0"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		for (size_t k = 0; k < ARRAY_SIZE(order); k++) {
			int found = semver_compare_text(order[i], order[k]);

			if ((found > 0) - (found < 0) != (i > k) - (i < k))
				fail_msg("%s and %s", order[i], order[k]);
		}
}

TESTS(cmocka_unit_test(a_version_has_its_parts),
	cmocka_unit_test(a_plain_version_has_no_other_parts),
	cmocka_unit_test(what_is_no_version_is_refused_with_the_reason),
	cmocka_unit_test(the_largest_number_is_still_one),
	cmocka_unit_test(versions_are_ordered_as_the_standard_says))
