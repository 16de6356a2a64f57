/* The address of an API: what is taken for one, and what of it is used. */
#include "test.h"

#include "host/api_gate.h"

static const struct {
	const char *url;
	bool tls;
	const char *host;
	const char *port;
	const char *path;
} right[] = {
	{"https://api.anthropic.com", true, "api.anthropic.com", "443", ""},
	{"http://127.0.0.1:8080/talk", false, "127.0.0.1", "8080", "/talk"},
	{"HTTP://localhost/", false, "localhost", "80", "/"},
	{"https://[::1]:9/x?y", true, "::1", "9", "/x?y"},
	{"http://[fe80::1]", false, "fe80::1", "80", ""},
};

static void an_address_is_taken_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(right); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(api_address_release) struct api_address address = {0};

		assert_int_equal(api_address_parse(right[i].url, &address, &err), 0);
		assert_int_equal(address.tls, right[i].tls);
		assert_string_equal(address.host, right[i].host);
		assert_string_equal(address.port, right[i].port);
		assert_string_equal(address.path, right[i].path);
	}
}

static void anything_else_is_refused(void **state)
{
	static const char *const wrong[] = {"", "api.anthropic.com", "ftp://x", "http://",
		"http:///x", "https://user:key@host", "http://host:", "http://host:80x",
		"http://host:123456", "http://a b", "http://[::1", "http://[]", "http://:80"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct api_address address;

		if (api_address_parse(wrong[i], &address, &err) == 0)
			fail_msg("'%s' was taken", wrong[i]);
		assert_int_equal(err.kind, ERROR_INVALID);
	}
}

TESTS(cmocka_unit_test(an_address_is_taken_apart), cmocka_unit_test(anything_else_is_refused))
