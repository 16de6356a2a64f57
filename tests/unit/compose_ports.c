#include "test.h"

#include <string.h>

#include "engine/structured/compose/compose_ports.h"

static struct yaml_doc *parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_doc *doc = NULL;

	if (yaml_parse(view_of(text), "ports", &doc, &err) < 0)
		fail_msg("'%s': %s", text, err.message);
	return doc;
}

/* "127.0.0.1:6380:6379/tcp", "-" if it binds nothing that is known, "!" if it is wrong. */
static char *read_as_text(const char *item)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse(item);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct compose_port port;

	if (compose_port_item_parse(doc->root, &port, &err) < 0) {
		assert_int_equal(err.kind, ERROR_INVALID);
		assert_non_null(strstr(err.message, "ports:1:1: "));
		return xstrdup("!");
	}
	if (!port.known)
		return xstrdup("-");
	compose_port_append(&text, &port);
	return buf_take(&text);
}

static void every_form_is_read(void **state)
{
	static const struct {
		const char *item;
		const char *read;
	} table[] = {
		{"\"6380:6379\"", "6380:6379/tcp"},
		{"6379", "-"},
		{"\"6379\"", "-"},
		{"\"3000-3005\"", "-"},
		{"\"127.0.0.1:8001:8001\"", "127.0.0.1:8001:8001/tcp"},
		{"\"[::1]:6001:6001\"", "[::1]:6001:6001/tcp"},
		{"\"::1:6001:6001\"", "[::1]:6001:6001/tcp"},
		{"\"[0:0::1]:6001:6001/UDP\"", "[::1]:6001:6001/udp"},
		{"\"9090-9091:8080-8081\"", "9090-9091:8080-8081/tcp"},
		{"\"8000-9000:80\"", "8000-9000:80/tcp"},
		{"\"6060:6060/udp\"", "6060:6060/udp"},
		{"\"0.0.0.0::80\"", "-"},
		{"\"127.0.0.1:5000-5010:5000-5010\"", "127.0.0.1:5000-5010:5000-5010/tcp"},
		{"\"${PORT:-6380}:6379\"", "6380:6379/tcp"},
		{"\"${PORT-6380}:6379\"", "6380:6379/tcp"},
		{"\"${IP:-127.0.0.1}:${PORT:-6380}:${IN:-6379}/${P:-udp}\"",
			"127.0.0.1:6380:6379/udp"},
		{"\"${BIND:-127.0.0.1:6380}:6379\"", "127.0.0.1:6380:6379/tcp"},
		{"\"${PORT}:6379\"", "-"},
		{"\"${PORT:?no port}:6379\"", "-"},
		{"\"$PORT:6379\"", "-"},
		{"\"${A:-${B:-1}}:6379\"", "-"},
		{"{target: 80, published: 8080}", "8080:80/tcp"},
		{"{target: 80, published: \"8080\", protocol: udp, host_ip: 127.0.0.1, mode: host}",
			"127.0.0.1:8080:80/udp"},
		{"{target: 80, published: 8080-8083}", "8080-8083:80/tcp"},
		{"{target: 80}", "-"},
		{"{target: \"80\", published: \"\"}", "-"},
		{"{target: 80, published: \"${P:-1}\", host_ip: \"::1\"}", "[::1]:1:80/tcp"},
		{"\"\"", "!"},
		{"null", "!"},
		{"[1]", "!"},
		{"true", "!"},
		{"\"a:b\"", "!"},
		{"\"70000:80\"", "!"},
		{"\"80:70000\"", "!"},
		{"\"80:0\"", "!"},
		{"\"9-8:9-8\"", "!"},
		{"\"1-2:1-3\"", "!"},
		{"\":80\"", "!"},
		{"\"80:\"", "!"},
		{"\"1.2.3:80:80\"", "!"},
		{"\"host:80:80\"", "!"},
		{"\"80:80/t/cp\"", "!"},
		{"\"80:80/\"", "!"},
		{"\"-1:80\"", "!"},
		{"{published: 80}", "!"},
		{"{target: x}", "!"},
		{"{target: 80, published: 80, protocol: \"a b\"}", "!"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(freep) char *read = read_as_text(table[i].item);

		if (strcmp(read, table[i].read))
			fail_msg("%s is read as %s and not %s", table[i].item, read,
				table[i].read);
	}
}

static void what_was_written_of_a_binding_is_read_back(void **state)
{
	static const char *const table[] = {"6380:6379/tcp", "127.0.0.1:1-2:3-4/udp",
		"[::1]:1:1/tcp", "0.0.0.0:80:80/sctp"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		struct compose_port port;

		assert_true(compose_port_parse(view_of(table[i]), &port));
		compose_port_append(&text, &port);
		assert_string_equal(text.data, table[i]);
	}
}

static void bindings_collide_on_protocol_port_and_address(void **state)
{
	static const struct {
		const char *a;
		const char *b;
		bool collide;
	} table[] = {
		{"80:1", "80:2", true},
		{"80:1", "81:1", false},
		{"80:1/udp", "80:1", false},
		{"80:1/udp", "80:2/UDP", true},
		{"80-90:1-11", "90:1", true},
		{"80-90:1-11", "91:1", false},
		{"127.0.0.1:80:1", "80:1", true},
		{"127.0.0.1:80:1", "127.0.0.2:80:1", false},
		{"127.0.0.1:80:1", "0.0.0.0:80:1", true},
		{"127.0.0.1:80:1", "[::]:80:1", false},
		{"0.0.0.0:80:1", "[::]:80:1", false},
		{"[::1]:80:1", "[::]:80:1", true},
		{"[::1]:80:1", "[0:0::1]:80:1", true},
		{"[::1]:80:1", "80:1", true},
		{"[::]:80:1", "80:1", true},
		{"80", "80:1", false},
		{"${P}:1", "80:1", false},
		{"${P:-80}:1", "80:1", true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("ports");
		struct compose_port a, b;

		assert_int_equal(
			compose_port_item_parse(yaml_new_string(doc, table[i].a), &a, &err), 0);
		assert_int_equal(
			compose_port_item_parse(yaml_new_string(doc, table[i].b), &b, &err), 0);
		if (compose_ports_collide(&a, &b) != table[i].collide ||
			compose_ports_collide(&b, &a) != table[i].collide)
			fail_msg("%s and %s", table[i].a, table[i].b);
	}
}

static void a_moved_port_keeps_all_else(void **state)
{
	static const struct {
		const char *item;
		const char *moved;
	} table[] = {
		{"\"6380:6379\"", "\"7000:6379\""},
		{"\"127.0.0.1:6380:6379/udp\"", "\"127.0.0.1:7000:6379/udp\""},
		{"\"[::1]:6380:6379\"", "\"[::1]:7000:6379\""},
		{"\"${PORT:-6380}:6379\"", "\"${PORT:-7000}:6379\""},
		{"\"${IP:-::1}:${PORT-6380}:${T:-6379}\"",
			"\"${IP:-::1}:${PORT-7000}:${T:-6379}\""},
		{"\"${BIND:-127.0.0.1:6380}:6379\"", "\"127.0.0.1:7000:6379\""},
		{"{target: 1, published: 6380, mode: host}",
			"{target: 1, published: 7000, mode: host}"},
		{"{target: 1, published: \"6380\"}", "{target: 1, published: \"7000\"}"},
		{"{target: 1, published: \"${P:-1}\"}",
			"{target: 1, published: \"${P:-7000}\"}"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(yaml_doc_freep) struct yaml_doc *item = parse(table[i].item);
		CLEANUP(yaml_doc_freep) struct yaml_doc *expected = parse(table[i].moved);
		struct yaml_node *moved =
			compose_port_move(item, item->root, (struct port_range){7000, 7000});

		if (!yaml_equal(moved, expected->root))
			fail_msg("%s is moved to %s", table[i].item,
				moved->kind == YAML_SCALAR ? moved->text.data : "another");
	}
}

TESTS(cmocka_unit_test(every_form_is_read),
	cmocka_unit_test(what_was_written_of_a_binding_is_read_back),
	cmocka_unit_test(bindings_collide_on_protocol_port_and_address),
	cmocka_unit_test(a_moved_port_keeps_all_else))
