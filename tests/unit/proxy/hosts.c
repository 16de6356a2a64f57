/* Names of hosts: one form for each, patterns, and everything that is none. */
#include "test.h"

#include <string.h>

#include "egress/hosts.h"

static void asks_for(const char *text, const char *wanted)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(host_target_release) struct host_target target = HOST_TARGET_INIT;
	CLEANUP(freep) char *shown = NULL;

	if (host_target_parse(view_of(text), 80, &target, &err) < 0)
		fail_msg("'%s': %s", text, err.message);
	shown = host_target_text(&target);
	assert_string_equal(shown, wanted);
}

static void is_none(const char *text, size_t len, const char *part)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct host_target target = HOST_TARGET_INIT;

	if (host_target_parse((struct view){text, len}, 80, &target, &err) == 0)
		fail_msg("'%s' is taken as '%s'", text, target.host);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_null(target.host);
	if (!strstr(err.message, part))
		fail_msg("'%s': '%s' has no '%s'", text, err.message, part);
}

static void refused(const char *text, const char *part)
{
	is_none(text, strlen(text), part);
}

/* --- one form ---------------------------------------------------------------- */

static void a_name_has_one_form(void **state)
{
	(void)state;
	asks_for("example.com", "example.com:80");
	asks_for("EXAMPLE.Com:443", "example.com:443");
	asks_for("example.com.", "example.com:80");
	asks_for("example.com.:8080", "example.com:8080");
	asks_for("a-b.c_d.x1", "a-b.c_d.x1:80");
	asks_for("xn--bcher-kva.example:65535", "xn--bcher-kva.example:65535");
	asks_for("1.2.3.example:1", "1.2.3.example:1");
	asks_for("0x7f.com", "0x7f.com:80");
}

static void an_address_has_one_form(void **state)
{
	(void)state;
	asks_for("93.184.216.34", "93.184.216.34:80");
	asks_for("93.184.216.34.:81", "93.184.216.34:81");
	asks_for("[2606:4700:0::1111]:443", "[2606:4700::1111]:443");
	asks_for("[2606:4700:0:0:0:0:0:AAAA]", "[2606:4700::aaaa]:80");
	asks_for("[::ffff:1.2.3.4]", "[::ffff:1.2.3.4]:80");
}

static void numbers_that_some_take_for_addresses_are_none(void **state)
{
	static const char *const list[] = {"2130706433", "0x7f000001", "0x7f.1", "127.1",
		"127.0.1", "0177.0.0.1", "127.0.0.0x1", "127.0.0.01", "1.2.3.4.5", "1.2.3.256",
		"example.1", "example.0x", "example.com.80", "0", "00000.0.0.0", "0X7F.0.0.0X1",
		"127.1.", "017700000001"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		refused(list[i], "in an unusual form");
}

static void what_is_no_name_is_told_why(void **state)
{
	(void)state;
	refused("", "a label is empty");
	refused(".", "each label");
	refused("localhost", "it has no dot");
	refused("localhost.", "it has no dot");
	refused("example..com", "each label");
	refused(".example.com", "each label");
	refused("example.com..", "a label is empty");
	refused("-a.example", "each label");
	refused("a-.example", "each label");
	refused("a b.example", "each label");
	refused("a\tb.example", "each label");
	refused("*.example.com", "each label");
	refused("a%2eb.example", "each label");
	refused("b\xc3\xbc"
		"cher.example",
		"ASCII");
	refused("example\xe3\x80\x82"
		"com",
		"ASCII");
	refused("allowed.example@evil.example", "it has an '@'");
	refused("https://example.com", "it has a '/'");
	refused("example.com/", "it has a '/'");
	is_none("example.com\0.evil.example", 25, "each label");
	is_none("1.2.3.4\0", 8, "each label");
}

static void a_name_is_not_too_long(void **state)
{
	CLEANUP(buf_release) struct buf name = BUF_INIT;

	(void)state;
	for (int i = 0; i < 63; i++)
		buf_append_str(&name, "abc.");
	buf_append_str(&name, "a");
	assert_int_equal(name.len, 253);
	buf_append_str(&name, ":80");
	asks_for(name.data, name.data);
	buf_set_len(&name, 253);
	buf_append_str(&name, "b");
	refused(name.data, "longer than 253");
	buf_clear(&name);
	buf_append_repeated(&name, 'a', 64);
	buf_append_str(&name, ".com");
	refused(name.data, "each label");
}

static void ports_are_numbers(void **state)
{
	static const char *const list[] = {"a.b:", "a.b:0", "a.b:65536", "a.b:080", "a.b:+80",
		"a.b:-1", "a.b: 80", "a.b:80 ", "a.b:8a", "a.b:99999", "a.b:4294967376",
		"a.b:http", "[2606::1]:", "[2606::1]:x"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		refused(list[i], "must be a number from 1 to 65535");
}

static void brackets_are_for_ipv6(void **state)
{
	(void)state;
	refused("::1", "several ':'");
	refused("2606:4700::1111:443", "several ':'");
	refused("a.b:80:80", "several ':'");
	refused("[::1", "not closed");
	refused("[::1]80", "not closed");
	refused("[fe80::1%lo]:80", "a device");
	refused("[fe80::1%25lo]", "a device");
	refused("[1.2.3.4]", "only an IPv6 address");
	refused("[example.com]:80", "only an IPv6 address");
	refused("[]", "only an IPv6 address");
	refused("[v1.a:b]", "in an unusual form");
}

static void a_connect_needs_its_port(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct host_target target = HOST_TARGET_INIT;

	(void)state;
	assert_int_equal(host_target_parse(view_of("example.com"), 0, &target, &err), -1);
	assert_string_equal(err.message, "'example.com' has no port");
}

/* --- the list ---------------------------------------------------------------- */

static void add(struct hosts *hosts, const char *pattern)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (hosts_add(hosts, view_of(pattern), &err) < 0)
		fail_msg("'%s': %s", pattern, err.message);
}

static bool allows(const struct hosts *hosts, const char *text, bool *ret_name_only)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(host_target_release) struct host_target target = HOST_TARGET_INIT;

	if (host_target_parse(view_of(text), 443, &target, &err) < 0)
		fail_msg("'%s': %s", text, err.message);
	return hosts_allow(hosts, &target, ret_name_only);
}

static void check(const char *pattern, const char *text, bool allowed, bool name_only)
{
	CLEANUP(hosts_release) struct hosts hosts = HOSTS_INIT;
	CLEANUP(hosts_release) struct hosts copy = HOSTS_INIT;
	bool name;

	add(&hosts, pattern);
	hosts_copy(&hosts, &copy);
	if (allows(&copy, text, &name) != allowed || name != name_only)
		fail_msg("'%s' and '%s'", pattern, text);
}

static void a_name_is_allowed_as_it_is(void **state)
{
	(void)state;
	check("example.com", "example.com", true, false);
	check("Example.COM.", "eXample.com.:80", true, false);
	check("example.com", "www.example.com", false, false);
	check("example.com", "example.com.evil.org", false, false);
	check("example.com", "notexample.com", false, false);
	check("www.example.com", "example.com", false, false);
}

static void names_below_are_allowed_by_a_star(void **state)
{
	(void)state;
	check("*.example.org", "www.example.org", true, false);
	check("*.example.org", "a.b.c.example.org", true, false);
	check("*.Example.org.", "a.example.ORG", true, false);
	check("*.example.org", "example.org", false, false);
	check("*.example.org", "notexample.org", false, false);
	check("*.example.org", "www.example.org.evil.com", false, false);
	check("*.example.org", "93.184.216.34", false, false);
}

static void ports_are_those_of_the_web_unless_said(void **state)
{
	(void)state;
	check("example.com", "example.com:80", true, false);
	check("example.com", "example.com:443", true, false);
	check("example.com", "example.com:22", false, true);
	check("example.com:8443", "example.com:8443", true, false);
	check("example.com:8443", "example.com:443", false, true);
	check("*.example.com:22", "a.example.com:22", true, false);
	check("*.example.com:22", "a.example.com:23", false, true);
}

static void an_address_is_allowed_exactly(void **state)
{
	(void)state;
	check("93.184.216.34", "93.184.216.34", true, false);
	check("93.184.216.34", "93.184.216.35", false, false);
	check("93.184.216.34", "93.184.216.34:22", false, true);
	check("[2606:4700:0:0::1111]", "[2606:4700::1111]", true, false);
	check("[2606:4700::1111]:53", "[2606:4700::1111]:53", true, false);
}

static void the_first_of_several_that_fits_is_enough(void **state)
{
	CLEANUP(hosts_release) struct hosts hosts = HOSTS_INIT;
	bool name;

	(void)state;
	assert_false(allows(&hosts, "example.com", &name));
	add(&hosts, "example.com:8443");
	add(&hosts, "example.com");
	assert_true(allows(&hosts, "example.com", &name));
	assert_false(name);
	assert_true(allows(&hosts, "example.com:8443", &name));
	assert_false(allows(&hosts, "example.com:8444", &name));
	assert_true(name);
}

static void not_allowed(const char *pattern, const char *message, const char *hint)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(hosts_release) struct hosts hosts = HOSTS_INIT;

	if (hosts_add(&hosts, view_of(pattern), &err) == 0)
		fail_msg("'%s' is taken", pattern);
	assert_int_equal(hosts.count, 0);
	assert_string_equal(err.message, message);
	if (hint)
		assert_string_equal(err.hint, hint);
	else
		assert_null(err.hint);
}

static void what_cannot_be_allowed_is_told_why(void **state)
{
	const char *public = "only hosts of the public network can be allowed";

	(void)state;
	not_allowed("10.0.0.1", "'10.0.0.1' is a private address, which agents cannot reach",
		public);
	not_allowed("169.254.169.254:80",
		"'169.254.169.254:80' is an address of cloud metadata, which agents cannot reach",
		public);
	not_allowed("[::1]:80", "'[::1]:80' is a loopback address, which agents cannot reach",
		public);
	not_allowed("[::ffff:93.184.216.34]",
		"'[::ffff:93.184.216.34]' is an IPv4 address in IPv6, which agents cannot reach",
		public);
	not_allowed("*", "'*' is not the name of a host: a '*' must be the first label",
		"write it as '*.example.org'");
	not_allowed("*.*.example.org",
		"'*.*.example.org' is not the name of a host: a '*' must be the first label",
		"write it as '*.example.org'");
	not_allowed("www.*.org",
		"'www.*.org' is not the name of a host: a '*' must be the first label",
		"write it as '*.example.org'");
	not_allowed("*.org", "'org' is not the name of a host: it has no dot",
		"write the whole name, such as 'www.example.com'");
	not_allowed("*.93.184.216.34",
		"'*.93.184.216.34' is not the name of a host: there are no names below an address",
		NULL);
	not_allowed("https://example.com/x",
		"'https://example.com/x' is not the name of a host: it has a '/'",
		"write the name alone, without 'https://' and without a path");
	not_allowed("127.1",
		"'127.1' is not the name of a host: it is an address in an unusual form",
		"write it as '93.184.216.34' or '[2606:4700::1111]'");
}

TESTS(cmocka_unit_test(a_name_has_one_form), cmocka_unit_test(an_address_has_one_form),
	cmocka_unit_test(numbers_that_some_take_for_addresses_are_none),
	cmocka_unit_test(what_is_no_name_is_told_why), cmocka_unit_test(a_name_is_not_too_long),
	cmocka_unit_test(ports_are_numbers), cmocka_unit_test(brackets_are_for_ipv6),
	cmocka_unit_test(a_connect_needs_its_port),
	cmocka_unit_test(a_name_is_allowed_as_it_is),
	cmocka_unit_test(names_below_are_allowed_by_a_star),
	cmocka_unit_test(ports_are_those_of_the_web_unless_said),
	cmocka_unit_test(an_address_is_allowed_exactly),
	cmocka_unit_test(the_first_of_several_that_fits_is_enough),
	cmocka_unit_test(what_cannot_be_allowed_is_told_why))
