#include "test.h"

#include "base/alloc.h"
#include "net/webhook.h"

static void assert_parameter(const char *query, const char *name, const char *expected)
{
	CLEANUP(freep) char *value = webhook_parameter(view_of(query), name);

	if (expected) {
		assert_non_null(value);
		assert_string_equal(value, expected);
	} else {
		assert_null(value);
	}
}

static void parameters_of_an_address_are_decoded(void **state)
{
	(void)state;
	assert_parameter("a=1&hub.mode=subscribe", "hub.mode", "subscribe");
	assert_parameter("a=x%20y+z%2F%C3%A4", "a", "x y z/\xc3\xa4");
	assert_parameter("a=&b=1", "a", "");
	assert_parameter("a", "a", "");
	assert_parameter("a=1=2", "a", "1=2");
	assert_parameter("a=1&a=2", "a", "1");
}

static void what_is_not_properly_encoded_is_not_there(void **state)
{
	(void)state;
	assert_parameter("", "a", NULL);
	assert_parameter("ab=1", "a", NULL);
	assert_parameter("a=%", "a", NULL);
	assert_parameter("a=%4", "a", NULL);
	assert_parameter("a=%4g", "a", NULL);
	assert_parameter("a=x%00y", "a", NULL);
}

TESTS(cmocka_unit_test(parameters_of_an_address_are_decoded),
	cmocka_unit_test(what_is_not_properly_encoded_is_not_there))
