#include "test.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

static void the_first_error_is_the_one_that_stays(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(error_set(&err, ERROR_INVALID, "first %d", 1), -1);
	assert_int_equal(error_set(&err, ERROR_BUSY, "second"), -1);
	errno = EIO;
	assert_int_equal(error_errno(&err, "third"), -1);
	assert_string_equal(err.message, "first 1");
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_int_equal(err.errnum, 0);
}

static void an_errno_is_kept_and_explained(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	errno = ENOENT;
	assert_int_equal(error_errno(&err, "cannot open '%s'", "x"), -1);
	assert_string_equal(err.message, "cannot open 'x': no such file or directory");
	assert_int_equal(err.errnum, ENOENT);
	assert_int_equal(err.kind, ERROR_FAILED);
}

static void prefixes_go_from_the_inside_out(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	error_set(&err, ERROR_FAILED, "inner");
	error_prefix(&err, "middle");
	assert_int_equal(error_prefix(&err, "outer '%s'", "x"), -1);
	assert_string_equal(err.message, "outer 'x': middle: inner");
}

static void the_last_hint_is_the_one_that_stays(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	error_set(&err, ERROR_FAILED, "message");
	error_hint(&err, "one");
	assert_int_equal(error_hint(&err, "two %d", 2), -1);
	assert_string_equal(err.hint, "two 2");
}

static void a_cleared_error_can_be_set_again(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	error_set(&err, ERROR_BUSY, "message");
	error_hint(&err, "hint");
	error_clear(&err);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_null(err.hint);
	error_set(&err, ERROR_FAILED, "again");
	assert_string_equal(err.message, "again");
}

static void the_text_of_an_errno_begins_in_lower_case(void **state)
{
	(void)state;
	assert_string_equal(error_text(EACCES), "permission denied");
	assert_string_equal(error_text(EISDIR), "is a directory");
}

TESTS(cmocka_unit_test(the_first_error_is_the_one_that_stays),
	cmocka_unit_test(an_errno_is_kept_and_explained),
	cmocka_unit_test(prefixes_go_from_the_inside_out),
	cmocka_unit_test(the_last_hint_is_the_one_that_stays),
	cmocka_unit_test(a_cleared_error_can_be_set_again),
	cmocka_unit_test(the_text_of_an_errno_begins_in_lower_case))
