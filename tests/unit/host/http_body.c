/* Bodies of requests: where they end, whole and in pieces, and what is refused. */
#include "test.h"

#include "net/parse/http_body.h"

#define MAXIMUM 100

/*
 * Feed `text` in pieces of `step` bytes. Returns how many bytes were the body with its
 * framing, -1 if it was refused, -2 if more was wanted.
 */
static int feed(enum http_framing framing, uint64_t length, const char *text, size_t step,
	struct buf *content, struct http_fault *fault)
{
	struct http_head head = {.framing = framing, .length = length};
	struct http_body body;
	size_t len = strlen(text);
	size_t at = 0;

	http_body_init(&body, &head, MAXIMUM);
	while (!http_body_is_done(&body) && at < len) {
		struct view bytes = {text + at, len - at < step ? len - at : step};
		struct view piece;
		ssize_t used = http_body_take(&body, bytes, &piece, fault);

		if (used < 0)
			return -1;
		assert_true(used > 0 && (size_t)used <= bytes.len);
		buf_append(content, piece.data, piece.len);
		at += (size_t)used;
	}
	return http_body_is_done(&body) ? (int)at : -2;
}

static const struct {
	enum http_framing framing;
	uint64_t length;
	const char *text;
	const char *content; /* NULL: refused */
	int end;             /* or the status; -2: not whole */
} cases[] = {
	{HTTP_NO_BODY, 0, "GET", "", 0},
	{HTTP_LENGTH, 3, "abcGET", "abc", 3},
	{HTTP_LENGTH, 3, "ab", "ab", -2},
	{HTTP_LENGTH, MAXIMUM + 1, "ab", NULL, 413},
	{HTTP_CHUNKED, 0, "0\r\n\r\nGET", "", 5},
	{HTTP_CHUNKED, 0, "3\r\nabc\r\n0\r\n\r\nGET", "abc", 13},
	{HTTP_CHUNKED, 0, "003\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nG", "abc0123456789", 30},
	{HTTP_CHUNKED, 0, "1\r\na\r\n0\r\nX: y\r\nZ:\r\n\r\n", "a", 21},
	{HTTP_CHUNKED, 0, "1\r\na\r\n0\r\n", "a", -2},
	{HTTP_CHUNKED, 0, "1\r\na\r\n", "a", -2},
	{HTTP_CHUNKED, 0, "\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, " 1\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "1 \r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "+1\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "-1\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "0x1\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "1_0\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "1;a=b\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "1\na\r\n0\r\n\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "1\r\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "1\r\nab\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "1\r\na\n0\r\n\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "1\r\na\r0\r\n\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "0000000000000001\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "ffffffffffffffff\r\na", NULL, 400},
	{HTTP_CHUNKED, 0, "fffffffffffffff\r\na", NULL, 413},
	{HTTP_CHUNKED, 0, "65\r\n", NULL, 413},
	{HTTP_CHUNKED, 0, "0\r\nX y: z\r\n\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "0\r\n: z\r\n\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "0\r\n x: z\r\n\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "0\r\nX\r\n\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "0\r\nX: y\n\r\n", NULL, 400},
	{HTTP_CHUNKED, 0, "0\r\nX: y\r\n\n", NULL, 400},
	{HTTP_CHUNKED, 0, "0\r\n\n", NULL, 400},
};

static void a_body_ends_where_it_says_however_it_comes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		for (size_t step = 1; step < 40; step++) {
			CLEANUP(buf_release) struct buf content = BUF_INIT;
			struct http_fault fault = {0};
			int end = feed(cases[i].framing, cases[i].length, cases[i].text, step,
				&content, &fault);

			if (cases[i].content
					? end != cases[i].end ||
						  strcmp(content.data, cases[i].content) != 0
					: end != -1 || fault.status != cases[i].end)
				fail_msg("'%s' by %zu: %d, %d, '%s'", cases[i].text, step, end,
					fault.status, content.data);
		}
	}
}

static void chunks_together_have_a_maximum(void **state)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct http_fault fault = {0};

	(void)state;
	for (int i = 0; i < MAXIMUM / 2 + 1; i++)
		buf_append_str(&text, "2\r\nab\r\n");
	assert_int_equal(feed(HTTP_CHUNKED, 0, text.data, 1000, &content, &fault), -1);
	assert_int_equal(fault.status, 413);
	assert_int_equal(content.len, MAXIMUM);
}

static void trailers_have_a_maximum(void **state)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct http_fault fault = {0};

	(void)state;
	buf_append_str(&text, "0\r\nX: ");
	buf_append_repeated(&text, 'y', HTTP_TRAILERS_MAX);
	assert_int_equal(feed(HTTP_CHUNKED, 0, text.data, 1000, &content, &fault), -1);
	assert_int_equal(fault.status, 431);
}

TESTS(cmocka_unit_test(a_body_ends_where_it_says_however_it_comes),
	cmocka_unit_test(chunks_together_have_a_maximum),
	cmocka_unit_test(trailers_have_a_maximum))
