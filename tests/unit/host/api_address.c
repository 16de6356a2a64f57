/* The address of an API: which texts are valid, and which targets are below it. */
#include "test.h"

#include "gate/api_address.h"

static const struct {
	const char *url;
	bool tls;
	const char *host;
	const char *port;
	const char *path;
	const char *origin;
} right[] = {
	{"https://api.anthropic.com", true, "api.anthropic.com", "443", "",
		"https://api.anthropic.com:443"},
	{"http://127.0.0.1:8080/talk", false, "127.0.0.1", "8080", "/talk",
		"http://127.0.0.1:8080"},
	{"HTTP://localhost/", false, "localhost", "80", "", "http://localhost:80"},
	{"https://[::1]:9/x/y//", true, "::1", "9", "/x/y", "https://[::1]:9"},
	{"http://[fe80::1]", false, "fe80::1", "80", "", "http://[fe80::1]:80"},
};

static void an_address_is_taken_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(right); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(api_address_release) struct api_address address = {0};
		CLEANUP(freep) char *origin = NULL;

		assert_int_equal(
			api_address_parse(right[i].url, "ANTHROPIC_BASE_URL", &address, &err),
			0);
		assert_int_equal(address.tls, right[i].tls);
		assert_string_equal(address.host, right[i].host);
		assert_string_equal(address.port, right[i].port);
		assert_string_equal(address.path, right[i].path);
		origin = api_address_origin(&address);
		assert_string_equal(origin, right[i].origin);
	}
}

static void anything_else_is_refused(void **state)
{
	static const char *const wrong[] = {"", "api.anthropic.com", "ftp://x", "http://",
		"http:///x", "https://user:key@host", "http://host:", "http://host:80x",
		"http://host:123456", "http://a b", "http://[::1", "http://[]", "http://:80",
		"http://host/?key=1", "http://host/#x", "http://host/a b", "http://host/\\x"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct api_address address;

		if (api_address_parse(wrong[i], "ANTHROPIC_BASE_URL", &address, &err) == 0)
			fail_msg("'%s' was taken", wrong[i]);
		assert_int_equal(err.kind, ERROR_INVALID);
		assert_null(strstr(err.message, "key"));
	}
}

static const struct {
	const char *base;
	const char *target;
	bool covered;
} targets[] = {
	{"http://h", "/", true},
	{"http://h", "/v1/messages?beta=true", true},
	{"http://h", "//evil.example/x", true}, /* a path, since it stands behind the host */
	{"http://h", "/v1/../admin", false},
	{"http://h", "/v1/%2e%2E/admin", false},
	{"http://h", "/v1/.%2e", false},
	{"http://h", "/v1/./x", false},
	{"http://h", "/v1/..x/...", true},
	{"http://h", "/v1?x=/../", true},
	{"http://h", "/v1/%2f..%2fadmin", false},
	{"http://h/gw", "/gw", true},
	{"http://h/gw", "/gw/v1/messages", true},
	{"http://h/gw", "/gw?x", true},
	{"http://h/gw", "/gwx/v1", false},
	{"http://h/gw", "/v1/messages", false},
	{"http://h/gw", "/gw/../admin", false},
	{"http://h/gw", "/gw%2f..", false},
	{"http://h/gw", "/gw/..;/admin", false},
	{"http://h/gw", "/gw/%2e.%3Bx=1/admin", false},
	{"http://h/gw", "/gw/..\\admin", false},
	{"http://h/gw", "/gw/..%255cadmin", false},
	{"http://h/gw", "/gw/%252e%252e/admin", false},
	{"http://h/gw", "/gw/a;b/...;c", true},
};

static void only_what_is_below_its_path_is_covered(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(api_address_release) struct api_address address = {0};

		assert_int_equal(api_address_parse(
					 targets[i].base, "ANTHROPIC_BASE_URL", &address, &err),
			0);
		if (api_address_covers(&address, view_of(targets[i].target)) !=
			targets[i].covered)
			fail_msg("%s and %s", targets[i].base, targets[i].target);
	}
}

TESTS(cmocka_unit_test(an_address_is_taken_apart), cmocka_unit_test(anything_else_is_refused),
	cmocka_unit_test(only_what_is_below_its_path_is_covered))
