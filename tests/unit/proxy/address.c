/* Which addresses are public: each net at both of its ends, and the address beside it. */
#include "test.h"

#include <string.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "net/address.h"

static const char *why(const char *text)
{
	struct sockaddr_storage address;

	if (!address_parse(text, 80, &address))
		fail_msg("'%s' is no address", text);
	return address_refused((const struct sockaddr *)&address);
}

static void is_public(const char *text)
{
	if (why(text))
		fail_msg("'%s' is %s", text, why(text));
}

static void is_refused(const char *text, const char *what)
{
	if (!why(text) || strcmp(why(text), what) != 0)
		fail_msg("'%s' is '%s', and not '%s'", text, why(text), what);
}

/* A net: the address before it, its first, its last, the one behind it. NULL: not public. */
struct bounds {
	const char *before;
	const char *first;
	const char *last;
	const char *behind;
	const char *what;
};

static void check_bounds(const struct bounds *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		is_refused(list[i].first, list[i].what);
		is_refused(list[i].last, list[i].what);
		if (list[i].before)
			is_public(list[i].before);
		if (list[i].behind)
			is_public(list[i].behind);
	}
}

static void nets_of_ipv4_are_refused_from_end_to_end(void **state)
{
	static const struct bounds list[] = {
		{NULL, "0.0.0.0", "0.255.255.255", "1.0.0.0", "an address of this network"},
		{"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0",
			"a private address"},
		{"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0",
			"an address behind a carrier's NAT"},
		{"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0",
			"a loopback address"},
		{"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0",
			"a link-local address"},
		{"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0",
			"a private address"},
		{"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0",
			"a reserved address"},
		{"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0",
			"an address for documents"},
		{"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0",
			"an address of 6to4 relays"},
		{"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0",
			"a private address"},
		{"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0",
			"an address for benchmarks"},
		{"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0",
			"an address for documents"},
		{"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0",
			"an address for documents"},
		{"223.255.255.255", "224.0.0.0", "239.255.255.255", NULL,
			"a multicast address"},
		{NULL, "240.0.0.0", "255.255.255.254", NULL, "a reserved address"},
		{NULL, "255.255.255.255", "255.255.255.255", NULL, "the broadcast address"},
	};

	(void)state;
	check_bounds(list, ARRAY_SIZE(list));
}

static void nets_of_ipv6_are_refused_from_end_to_end(void **state)
{
#define MOST "ffff:ffff:ffff:ffff"
	static const struct bounds list[] = {
		{NULL, "::", "::", NULL, "the unspecified address"},
		{NULL, "::1", "::1", NULL, "a loopback address"},
		{NULL, "::2", "::ffff:ffff", NULL, "an IPv4 address in IPv6"},
		{NULL, "::1:0:0", "::fffe:ffff:ffff", NULL, "a reserved address"},
		{NULL, "::ffff:0:0", "::ffff:ffff:ffff", NULL, "an IPv4 address in IPv6"},
		{NULL, "64:ff9b:1::", "64:ff9b:1:ffff:" MOST, NULL,
			"an address of a local NAT64"},
		{NULL, "100::", "100::" MOST, NULL, "an address that leads nowhere"},
		{NULL, "100:0:0:1::", "1fff:ffff:ffff:ffff:" MOST,
			"2000::", "a reserved address"},
		{"2000:ffff:ffff:ffff:" MOST, "2001::", "2001:0:ffff:ffff:" MOST, NULL,
			"an IPv4 address in IPv6 (Teredo)"},
		{NULL, "2001:2::", "2001:2:0:ffff:" MOST, NULL, "an address for benchmarks"},
		{NULL, "2001:1::", "2001:1ff:ffff:ffff:" MOST,
			"2001:200::", "a reserved address"},
		{"2001:db7:ffff:ffff:" MOST, "2001:db8::", "2001:db8:ffff:ffff:" MOST,
			"2001:db9::", "an address for documents"},
		{"2001:ffff:ffff:ffff:" MOST, "2002::", "2002:ffff:ffff:ffff:" MOST,
			"2003::", "an IPv4 address in IPv6 (6to4)"},
		{"3ffe:ffff:ffff:ffff:" MOST, "3fff::", "3fff:fff:ffff:ffff:" MOST,
			"3fff:1000::", "an address for documents"},
		{"3fff:ffff:ffff:ffff:" MOST, "4000::", "fbff:ffff:ffff:ffff:" MOST, NULL,
			"a reserved address"},
		{NULL, "fc00::", "fdff:ffff:ffff:ffff:" MOST, NULL, "a private address"},
		{NULL, "fe00::", "fe7f:ffff:ffff:ffff:" MOST, NULL, "a reserved address"},
		{NULL, "fe80::", "febf:ffff:ffff:ffff:" MOST, NULL, "a link-local address"},
		{NULL, "fec0::", "feff:ffff:ffff:ffff:" MOST, NULL, "a site-local address"},
		{NULL, "ff00::", "ffff:ffff:ffff:ffff:" MOST, NULL, "a multicast address"},
	};

	(void)state;
	check_bounds(list, ARRAY_SIZE(list));
}

static void addresses_of_metadata_have_a_name_of_their_own(void **state)
{
	static const char *const list[] = {"169.254.169.254", "169.254.170.2",
		"100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254",
		"fd20:ce::254"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		is_refused(list[i], "an address of cloud metadata");
	is_public("168.63.129.15");
	is_public("168.63.129.17");
}

static void nat64_is_judged_by_the_address_inside(void **state)
{
	(void)state;
	is_public("64:ff9b::93.184.216.34");
	is_refused("64:ff9b::10.0.0.1", "a private address");
	is_refused("64:ff9b::127.0.0.1", "a loopback address");
	is_refused("64:ff9b::169.254.169.254", "an address of cloud metadata");
	is_refused("64:ff9b::1:a00:1", "a reserved address");
}

/* A public address inside does not help. */
static void ipv4_in_ipv6_is_refused_as_a_whole(void **state)
{
	(void)state;
	is_refused("::ffff:93.184.216.34", "an IPv4 address in IPv6");
	is_refused("::93.184.216.34", "an IPv4 address in IPv6");
	is_refused("2002:5db8:d822::1", "an IPv4 address in IPv6 (6to4)");
}

static void the_rest_is_public(void **state)
{
	static const char *const list[] = {"1.1.1.1", "8.8.8.8", "93.184.216.34", "9.9.9.9",
		"2606:4700:4700::1111", "2a00:1450:4001::200e", "2620:fe::fe",
		"2001:4860::8888"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		is_public(list[i]);
}

static void other_families_are_refused(void **state)
{
	struct sockaddr address = {.sa_family = AF_UNIX};

	(void)state;
	assert_string_equal(address_refused(&address), "of an unknown kind");
}

static void only_the_usual_writing_is_an_address(void **state)
{
	static const char *const list[] = {"", "127.1", "2130706433", "0x7f.0.0.1",
		"0177.0.0.1", "127.0.0.01", "1.2.3.4.", "1.2.3", "1.2.3.4.5", "1.2.3.256",
		" 1.2.3.4", "1.2.3.4 ", "fe80::1%lo", "[::1]", "::1]",
		"12345::", ":::", "1::2::3", "example.com"};
	struct sockaddr_storage address;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		if (address_parse(list[i], 80, &address))
			fail_msg("'%s' is an address", list[i]);
}

static void an_address_is_shown_in_one_way(void **state)
{
	struct sockaddr_storage address;
	char text[ADDRESS_TEXT_MAX];

	(void)state;
	assert_true(address_parse("2606:4700:0:0::1111", 443, &address));
	address_text((const struct sockaddr *)&address, text);
	assert_string_equal(text, "2606:4700::1111");
	assert_int_equal(((struct sockaddr_in6 *)&address)->sin6_port, htons(443));
	assert_true(address_parse("93.184.216.34", 80, &address));
	address_text((const struct sockaddr *)&address, text);
	assert_string_equal(text, "93.184.216.34");
	assert_int_equal(((struct sockaddr_in *)&address)->sin_port, htons(80));
}

/* Whatever machine this is: it has a loopback device, and no address for documents. */
static void an_address_of_the_machine_is_its_own(void **state)
{
	struct sockaddr_storage address;

	(void)state;
	assert_true(address_parse("203.0.113.77", 80, &address));
	assert_false(address_is_own((const struct sockaddr *)&address));
	assert_true(address_parse("127.0.0.1", 80, &address));
	assert_true(address_is_own((const struct sockaddr *)&address));
	/* A NAT64 gateway would lead back to it. */
	assert_true(address_parse("64:ff9b::127.0.0.1", 80, &address));
	assert_true(address_is_own((const struct sockaddr *)&address));
	assert_true(address_parse("64:ff9b::203.0.113.77", 80, &address));
	assert_false(address_is_own((const struct sockaddr *)&address));
}

/* An agent could bring this about by many connections. */
static void what_cannot_be_found_out_is_taken_for_its_own(void **state)
{
	struct sockaddr_storage address;
	struct rlimit before;
	struct rlimit none;
	bool own;

	(void)state;
	assert_true(address_parse("203.0.113.77", 80, &address));
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){0, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	own = address_is_own((const struct sockaddr *)&address);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_true(own);
}

TESTS(cmocka_unit_test(nets_of_ipv4_are_refused_from_end_to_end),
	cmocka_unit_test(nets_of_ipv6_are_refused_from_end_to_end),
	cmocka_unit_test(addresses_of_metadata_have_a_name_of_their_own),
	cmocka_unit_test(nat64_is_judged_by_the_address_inside),
	cmocka_unit_test(ipv4_in_ipv6_is_refused_as_a_whole),
	cmocka_unit_test(the_rest_is_public), cmocka_unit_test(other_families_are_refused),
	cmocka_unit_test(only_the_usual_writing_is_an_address),
	cmocka_unit_test(an_address_is_shown_in_one_way),
	cmocka_unit_test(an_address_of_the_machine_is_its_own),
	cmocka_unit_test(what_cannot_be_found_out_is_taken_for_its_own))
