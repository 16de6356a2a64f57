/* Heads of requests: which are taken, as what, and which are refused. */
#include "test.h"

#include "net/parse/http_head.h"

#define H "Host: h\r\n"

static ssize_t parse(const char *text, struct http_head *head, struct http_fault *fault)
{
	*fault = (struct http_fault){0};
	return http_head_parse(view_of(text), head, fault);
}

static const struct {
	const char *text;
	enum http_form form;
	enum http_framing framing;
	uint64_t length;
	bool keep_alive;
	bool expects_continue;
} right[] = {
	{"GET / HTTP/1.1\r\n" H "\r\n", HTTP_ORIGIN, HTTP_NO_BODY, 0, true, false},
	{"GET /a?b=c%20d HTTP/1.1\r\nhost:\th \r\n\r\n", HTTP_ORIGIN, HTTP_NO_BODY, 0, true,
		false},
	{"POST /v1 HTTP/1.1\r\n" H "Content-Length: 12\r\n\r\n", HTTP_ORIGIN, HTTP_LENGTH, 12,
		true, false},
	{"POST /v1 HTTP/1.1\r\n" H "Content-Length: 0\r\n\r\n", HTTP_ORIGIN, HTTP_NO_BODY, 0,
		true, false},
	{"POST /v1 HTTP/1.1\r\n" H "Content-Length: 000000000000000007\r\n\r\n", HTTP_ORIGIN,
		HTTP_LENGTH, 7, true, false},
	{"POST /v1 HTTP/1.1\r\n" H "Transfer-Encoding: Chunked\r\n\r\n", HTTP_ORIGIN,
		HTTP_CHUNKED, 0, true, false},
	{"POST /v1 HTTP/1.1\r\n" H "Expect: 100-Continue\r\nContent-Length: 1\r\n\r\n",
		HTTP_ORIGIN, HTTP_LENGTH, 1, true, true},
	{"GET /v1 HTTP/1.1\r\n" H "Expect: 100-continue\r\n\r\n", HTTP_ORIGIN, HTTP_NO_BODY, 0,
		true, false},
	{"GET / HTTP/1.1\r\n" H "Connection: a, CLOSE\r\n\r\n", HTTP_ORIGIN, HTTP_NO_BODY, 0,
		false, false},
	{"GET / HTTP/1.0\r\n\r\n", HTTP_ORIGIN, HTTP_NO_BODY, 0, false, false},
	{"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", HTTP_AUTHORITY,
		HTTP_NO_BODY, 0, true, false},
	{"CONNECT [::1]:443 HTTP/1.0\r\n\r\n", HTTP_AUTHORITY, HTTP_NO_BODY, 0, false, false},
	{"GET http://a.example/b HTTP/1.1\r\n" H "\r\n", HTTP_ABSOLUTE, HTTP_NO_BODY, 0, true,
		false},
	{"GET HTTPS://a.example HTTP/1.1\r\n" H "\r\n", HTTP_ABSOLUTE, HTTP_NO_BODY, 0, true,
		false},
	{"GET / HTTP/1.1\r\n" H "X-Empty:\r\nX: \xc3\xa4\ta\r\n\r\n", HTTP_ORIGIN, HTTP_NO_BODY,
		0, true, false},
};

static void a_request_is_what_it_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(right); i++) {
		struct http_head head;
		struct http_fault fault;
		CLEANUP(freep) char *more = xasprintf("%sGET", right[i].text);

		if (parse(more, &head, &fault) != (ssize_t)strlen(right[i].text))
			fail_msg("%s: %s", right[i].text, fault.why);
		assert_int_equal(head.form, right[i].form);
		assert_int_equal(head.framing, right[i].framing);
		assert_int_equal(head.length, right[i].length);
		assert_int_equal(head.keep_alive, right[i].keep_alive);
		assert_int_equal(head.expects_continue, right[i].expects_continue);
	}
}

/* All that two programs could read in two ways. */
static const struct {
	const char *text;
	int status;
} wrong[] = {
	{"GET / HTTP/1.1\n" H "\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\nHost: h\n\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\nHost: h\n\n", 400},
	{"\nGET / HTTP/1.1\r\n" H "\r\n", 400},
	{"\r\nGET / HTTP/1.1\r\n" H "\r\n", 400},
	{" GET / HTTP/1.1\r\n" H "\r\n", 400},
	{"GET  / HTTP/1.1\r\n" H "\r\n", 400},
	{"GET /\tHTTP/1.1\r\n" H "\r\n", 400},
	{"GET / HTTP/1.1 \r\n" H "\r\n", 400},
	{"GET /a b HTTP/1.1\r\n" H "\r\n", 400},
	{"GET /a#b HTTP/1.1\r\n" H "\r\n", 400},
	{"GET \\a HTTP/1.1\r\n" H "\r\n", 400},
	{"GET /\x01 HTTP/1.1\r\n" H "\r\n", 400},
	{"GET /\xc3\xa4 HTTP/1.1\r\n" H "\r\n", 400},
	{"GET / HTTP/1.2\r\n" H "\r\n", 505},
	{"GET / HTTP/2.0\r\n" H "\r\n", 505},
	{"GET / http/1.1\r\n" H "\r\n", 505},
	{"PRI * HTTP/2.0\r\n\r\n", 505},
	{"GET /\r\n\r\n", 400},
	{"GET\r\n\r\n", 400},
	{"G(T / HTTP/1.1\r\n" H "\r\n", 400},
	{"OPTIONS * HTTP/1.1\r\n" H "\r\n", 400},
	{"GET a.example HTTP/1.1\r\n" H "\r\n", 400},
	{"GET ftp://a/ HTTP/1.1\r\n" H "\r\n", 400},
	{"CONNECT a/b HTTP/1.1\r\n" H "\r\n", 400},
	{"CONNECT a:1 HTTP/1.1\r\n" H "Content-Length: 3\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "Host: h\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "host: g\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\nHost:\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "X\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H ": x\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "X y: x\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H " X: folded\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "X: a\r\n\tb\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "X: a\rb\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "X: a\r\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "X: a\x0b\r\n\r\n", 400},
	{"GET / HTTP/1.1\r\n" H "X\x80: a\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length: 1, 1\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length: +1\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length: -1\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length: 0x1\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length: 1 1\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length:\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length: 99999999999999999999\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
		400},
	{"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
		400},
	{"POST / HTTP/1.1\r\n" H
	 "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
		400},
	{"POST / HTTP/1.1\r\n" H
	 "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n",
		400},
	{"POST / HTTP/1.1\r\n" H "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
	{"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked, identity\r\n\r\n", 501},
	{"POST / HTTP/1.1\r\n" H "Transfer-Encoding: xchunked\r\n\r\n", 501},
	{"POST / HTTP/1.1\r\n" H "Transfer-Encoding: \x0b"
	 "chunked\r\n\r\n",
		400},
	{"POST / HTTP/1.1\r\n" H "Transfer-Encoding:\r\n\r\n", 501},
	{"POST / HTTP/1.1\r\n" H "Transfer-Encoding : chunked\r\n\r\n", 400},
	{"POST / HTTP/1.0\r\n" H "Transfer-Encoding: chunked\r\n\r\n", 400},
	{"POST / HTTP/1.1\r\n" H "Expect: 200-ok\r\n\r\n", 417},
};

static void what_could_be_read_in_two_ways_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct http_head head;
		struct http_fault fault;
		ssize_t len = parse(wrong[i].text, &head, &fault);

		if (len >= 0)
			fail_msg("taken: %s", wrong[i].text);
		if (fault.status != wrong[i].status)
			fail_msg("%d and not %d: %s", fault.status, wrong[i].status,
				wrong[i].text);
		assert_non_null(fault.why);
	}
}

static void a_nul_is_refused_wherever_it_is(void **state)
{
	static const char text[] = "GET /a HTTP/1.1\r\nHost: h\r\nX: y\r\n\r\n";

	(void)state;
	for (size_t i = 0; i + 4 < strlen(text); i++) {
		char copy[sizeof(text)];
		struct http_head head;
		struct http_fault fault;
		ssize_t len;

		memcpy(copy, text, sizeof(text));
		copy[i] = '\0';
		len = http_head_parse((struct view){copy, strlen(text)}, &head, &fault);
		if (len >= 0)
			fail_msg("taken with a NUL at %zu", i);
	}
}

static void one_that_is_not_whole_is_waited_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(right); i++) {
		for (size_t len = 0; len < strlen(right[i].text); len++) {
			struct http_head head;
			struct http_fault fault;
			struct view part = {right[i].text, len};

			assert_int_equal(http_head_parse(part, &head, &fault), 0);
		}
	}
}

static void there_is_an_end_to_waiting(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct http_head head;
	struct http_fault fault;

	(void)state;
	buf_append_str(&text, "GET / HTTP/1.1\r\nHost: h\r\nX: ");
	buf_append_repeated(&text, 'x', HTTP_HEAD_MAX);
	assert_int_equal(http_head_parse(view_of_buf(&text), &head, &fault), -1);
	assert_int_equal(fault.status, 431);
	buf_append_str(&text, "\r\n\r\n");
	assert_int_equal(http_head_parse(view_of_buf(&text), &head, &fault), -1);
	assert_int_equal(fault.status, 431);
}

static void headers_are_counted(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct http_head head;
	struct http_fault fault;

	(void)state;
	buf_append_str(&text, "GET / HTTP/1.1\r\nHost: h\r\n");
	for (int i = 1; i < HTTP_HEADERS_MAX; i++)
		buf_append_str(&text, "X: y\r\n");
	buf_append_str(&text, "\r\n");
	assert_int_equal(http_head_parse(view_of_buf(&text), &head, &fault), text.len);
	assert_int_equal(head.count, HTTP_HEADERS_MAX);
	buf_set_len(&text, text.len - 2);
	buf_append_str(&text, "X: y\r\n\r\n");
	assert_int_equal(http_head_parse(view_of_buf(&text), &head, &fault), -1);
	assert_int_equal(fault.status, 431);
}

static void headers_for_one_hop_are_known(void **state)
{
	struct http_head head;
	struct http_fault fault;

	(void)state;
	assert_true(parse("GET / HTTP/1.1\r\n" H "Connection: keep-alive, X-One\r\n"
			  "connection: x-two\r\n\r\n",
			    &head, &fault) > 0);
	assert_true(http_is_for_hop(head.headers, head.count, view_of("TE")));
	assert_true(http_is_for_hop(head.headers, head.count, view_of("Transfer-Encoding")));
	assert_true(http_is_for_hop(head.headers, head.count, view_of("x-one")));
	assert_true(http_is_for_hop(head.headers, head.count, view_of("X-Two")));
	assert_false(http_is_for_hop(head.headers, head.count, view_of("X-Three")));
	assert_false(http_is_for_hop(head.headers, head.count, view_of("X-On")));
}

TESTS(cmocka_unit_test(a_request_is_what_it_says),
	cmocka_unit_test(what_could_be_read_in_two_ways_is_refused),
	cmocka_unit_test(a_nul_is_refused_wherever_it_is),
	cmocka_unit_test(one_that_is_not_whole_is_waited_for),
	cmocka_unit_test(there_is_an_end_to_waiting), cmocka_unit_test(headers_are_counted),
	cmocka_unit_test(headers_for_one_hop_are_known))
