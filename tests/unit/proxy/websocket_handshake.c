#include "../test.h"

#include "net/stream/websocket_handshake.h"

/* The example of RFC 6455, section 1.3. */
#define KEY    "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
#define YES(accept)                                                                            \
	"HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\n"                           \
	"connection: keep-alive, Upgrade\r\nsec-websocket-accept: " accept "\r\n"

static int check(const char *head, const char *protocol)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return websocket_check(view_of(head), KEY, protocol, &err);
}

static void the_example_of_the_standard_is_accepted(void **state)
{
	(void)state;
	assert_int_equal(check(YES(ACCEPT) "\r\n", NULL), 0);
	assert_int_equal(check(YES("s3pPLMBiTxaQ9kYGzzhZRbK+xOp=") "\r\n", NULL), -1);
	assert_int_equal(check(YES("") "\r\n", NULL), -1);
}

static void the_subprotocol_must_be_the_one_that_was_asked_for(void **state)
{
	(void)state;
	assert_int_equal(check(YES(ACCEPT) "sec-websocket-protocol: a\r\n\r\n", "a"), 0);
	assert_int_equal(check(YES(ACCEPT) "sec-websocket-protocol: b\r\n\r\n", "a"), -1);
	assert_int_equal(check(YES(ACCEPT) "sec-websocket-protocol: a\r\n\r\n", NULL), -1);
	assert_int_equal(check(YES(ACCEPT) "\r\n", "a"), -1);
}

static void keys_are_random_and_of_sixteen_bytes(void **state)
{
	char one[WEBSOCKET_KEY_SIZE];
	char other[WEBSOCKET_KEY_SIZE];

	(void)state;
	websocket_key(one);
	websocket_key(other);
	assert_int_equal(strlen(one), 24);
	assert_string_equal(one + 22, "==");
	assert_string_not_equal(one, other);
}

static void parse(
	const char *url, const char *host, unsigned port, bool plain, const char *target)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(websocket_address_release) struct websocket_address address = {0};

	assert_int_equal(websocket_address_parse(url, &address, &err), 0);
	assert_string_equal(address.host, host);
	assert_int_equal(address.port, port);
	assert_int_equal(address.plain, plain);
	assert_string_equal(address.target, target);
}

static void addresses_have_a_host_a_port_and_a_target(void **state)
{
	(void)state;
	parse("wss://example.com", "example.com", 443, false, "/");
	parse("wss://example.com/link/?ticket=a%20b&x=1#here", "example.com", 443, false,
		"/link/?ticket=a%20b&x=1");
	parse("ws://127.0.0.1:8080/a/../b", "127.0.0.1", 8080, true, "/a/../b");
	parse("wss://[::1]:1/", "::1", 1, false, "/");
}

static void the_request_names_the_port_only_where_it_is_unusual(void **state)
{
	CLEANUP(buf_release) struct buf usual = BUF_INIT;
	CLEANUP(buf_release) struct buf other = BUF_INIT;
	char host[] = "::1", target[] = "/";
	struct websocket_address address = {host, 443, false, target};

	(void)state;
	websocket_request(&address, KEY, (const char *[]){"a: b", NULL}, "chat", &usual);
	assert_string_equal(usual.data,
		"GET / HTTP/1.1\r\nHost: [::1]\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " KEY "\r\n"
		"Sec-WebSocket-Protocol: chat\r\na: b\r\n\r\n");
	address.port = 80;
	websocket_request(&address, KEY, NULL, NULL, &other);
	assert_non_null(strstr(other.data, "\r\nHost: [::1]:80\r\n"));
}

TESTS(cmocka_unit_test(the_example_of_the_standard_is_accepted),
	cmocka_unit_test(the_subprotocol_must_be_the_one_that_was_asked_for),
	cmocka_unit_test(keys_are_random_and_of_sixteen_bytes),
	cmocka_unit_test(addresses_have_a_host_a_port_and_a_target),
	cmocka_unit_test(the_request_names_the_port_only_where_it_is_unusual))
