#include "../test.h"

#include <string.h>

#include "sse_reference.h"

static void note(const struct sse_event *event, void *data)
{
	sse_note(data, event->type, event->data, event->id);
}

static uint64_t feed(struct view stream, size_t max, size_t piece, struct buf *out)
{
	struct sse sse;
	uint64_t skipped;

	sse_init(&sse, max);
	for (size_t at = 0; at < stream.len; at += piece) {
		/* In memory of its own, so that a sanitizer sees what is read beyond it. */
		size_t len = stream.len - at < piece ? stream.len - at : piece;
		CLEANUP(freep) char *copy = xmalloc(len);

		memcpy(copy, stream.data + at, len);
		sse_feed(&sse, copy, len, note, out);
	}
	skipped = sse.skipped;
	sse_release(&sse);
	return skipped;
}

/* NUL, which ends an event in what was noted, as a newline. */
static void readable(struct buf *noted)
{
	for (size_t i = 0; i < noted->len; i++)
		if (!noted->data[i])
			noted->data[i] = '\n';
}

static const struct {
	const char *stream;
	const char *events; /* type|data|id */
} table[] = {
	{"data: one\n\n", "message|one|\n"},
	{"data: one\r\n\r\n", "message|one|\n"},
	{"data: one\r\r", "message|one|\n"},
	{"data: one\r\n\n", "message|one|\n"},
	{"data: one\n\r", "message|one|\n"},
	{"data: one\n\r\n", "message|one|\n"},
	{"data: one\r\rdata: two\n\n", "message|one|\nmessage|two|\n"},
	{"data:one\n\n", "message|one|\n"},
	{"data:  one\n\n", "message| one|\n"},
	{"data: \n\n", "message||\n"},
	{"data:\n\n", "message||\n"},
	{"data\n\n", "message||\n"},
	{"data\ndata\n\n", "message|\n|\n"},
	{"data: a\ndata: b\ndata\n\n", "message|a\nb\n|\n"},
	{"data: a:b: c\n\n", "message|a:b: c|\n"},
	{"event: x\ndata: 1\n\ndata: 2\n\n", "x|1|\nmessage|2|\n"},
	{"event: x\nevent: y\ndata: 1\n\n", "y|1|\n"},
	{"event: x\nevent\ndata: 1\n\n", "message|1|\n"},
	{"event: x\n\ndata: 1\n\n", "message|1|\n"},
	{"id: 7\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\n",
		"message|1|7\nmessage|2|7\nmessage|3|\n"},
	{": comment\ndata: 1\n:\n\n", "message|1|\n"},
	{"Data: 1\nDATA: 2\n data: 3\ndata : 4\ndatax: 5\ndat: 6\n\n", ""},
	{"a-very-long-name-of-a-field: data\ndata: 1\n\n", "message|1|\n"},
	{"\xef\xbb\xbf"
	 "data: 1\n\n",
		"message|1|\n"},
	{"\xef\xbb\xbf\xef\xbb\xbf"
	 "data: 1\n\n",
		""},
	{"\xef\xbb"
	 "data: 1\n\ndata: 2\n\n",
		"message|2|\n"},
	{"data: 1\n\n\xef\xbb\xbf"
	 "data: 2\n\n",
		"message|1|\n"},
	{"data: \xff\xfe\n\n", "message|\xff\xfe|\n"},
	{"data: not ended\n", ""},
	{"data: not ended", ""},
	{"\n\n\n", ""},
	{"", ""},
};

static void the_reference_reads_the_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(buf_release) struct buf noted = BUF_INIT;

		sse_reference(view_of(table[i].stream), &noted);
		readable(&noted);
		assert_string_equal(noted.data, table[i].events);
	}
}

static void streams_are_read_as_the_standard_says_in_any_pieces(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		for (size_t piece = 1; piece <= strlen(table[i].stream) + 1; piece++) {
			CLEANUP(buf_release) struct buf noted = BUF_INIT;

			assert_int_equal(feed(view_of(table[i].stream), 100, piece, &noted), 0);
			readable(&noted);
			assert_string_equal(noted.data, table[i].events);
		}
}

/* --- random streams ----------------------------------------------------------- */

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void make_stream(uint32_t *seed, struct buf *out)
{
	static const char *const words[] = {
		"data",
		"data:",
		"data: ",
		"event:",
		"event",
		"id: ",
		"id",
		"retry: 5",
		":",
		" ",
		"\n",
		"\n",
		"\n\n",
		"\r",
		"\r\n",
		"\r\n\r\n",
		"\r\r",
		"x",
		"some text",
		"\xef\xbb\xbf",
		"\xef",
		"\xff",
		"\t",
		"message_start",
		"datadata",
		"0",
	};

	for (uint32_t left = next_random(seed) % 60; left; left--) {
		size_t word = next_random(seed) % (ARRAY_SIZE(words) + 1);

		if (word == ARRAY_SIZE(words))
			buf_append_char(out, '\0');
		else
			buf_append_str(out, words[word]);
	}
}

static void random_streams_are_read_as_by_the_reference(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		CLEANUP(buf_release) struct buf stream = BUF_INIT;
		CLEANUP(buf_release) struct buf expected = BUF_INIT;
		CLEANUP(buf_release) struct buf noted = BUF_INIT;
		size_t piece;

		make_stream(&seed, &stream);
		piece = 1 + next_random(&seed) % (stream.len + 1);
		sse_reference(view_of_buf(&stream), &expected);
		feed(view_of_buf(&stream), 10000, piece, &noted);
		assert_int_equal(noted.len, expected.len);
		assert_memory_equal(noted.data, expected.data, noted.len);
	}
}

/* --- limits -------------------------------------------------------------------- */

static void an_event_that_is_too_long_is_skipped_and_counted(void **state)
{
	static const char stream[] = "data: 12345\n\n"
				     "data: 123456\n\n"
				     "data: 123\ndata: 4\n\n"
				     "data: 123\ndata: 45\nid: 9\n\n"
				     "data: after\n\n";

	(void)state;
	for (size_t piece = 1; piece < sizeof(stream); piece++) {
		CLEANUP(buf_release) struct buf noted = BUF_INIT;

		assert_int_equal(feed(view_of(stream), 5, piece, &noted), 2);
		readable(&noted);
		assert_string_equal(
			noted.data, "message|12345|\nmessage|123\n4|\nmessage|after|9\n");
	}
}

static void what_is_not_used_takes_no_room(void **state)
{
	CLEANUP(buf_release) struct buf noted = BUF_INIT;
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	struct sse sse;

	(void)state;
	buf_append_repeated(&line, 'x', 10000);
	sse_init(&sse, 100);
	sse_feed(&sse, ":", 1, note, &noted);
	for (int i = 0; i < 1000; i++)
		sse_feed(&sse, line.data, line.len, note, &noted);
	sse_feed(&sse, "\nother: ", 8, note, &noted);
	for (int i = 0; i < 1000; i++)
		sse_feed(&sse, line.data, line.len, note, &noted);
	sse_feed(&sse, "\ndata: ", 7, note, &noted);
	for (int i = 0; i < 1000; i++)
		sse_feed(&sse, line.data, line.len, note, &noted);
	assert_true(sse.data.cap + sse.value.cap + sse.type.cap + sse.id.cap < 2000);
	sse_feed(&sse, "\n\ndata: 1\n\n", 11, note, &noted);
	readable(&noted);
	assert_string_equal(noted.data, "message|1|\n");
	assert_int_equal(sse.skipped, 1);
	sse_release(&sse);
}

static void a_type_or_an_id_that_is_too_long_skips_its_event(void **state)
{
	CLEANUP(buf_release) struct buf stream = BUF_INIT;
	CLEANUP(buf_release) struct buf noted = BUF_INIT;

	(void)state;
	buf_append_str(&stream, "id: 1\n\nevent: ");
	buf_append_repeated(&stream, 'e', SSE_MAX_NAME + 1);
	buf_append_str(&stream, "\ndata: a\n\nid: ");
	buf_append_repeated(&stream, 'i', SSE_MAX_NAME + 1);
	buf_append_str(&stream, "\ndata: b\n\ndata: c\n\n");
	assert_int_equal(feed(view_of_buf(&stream), 100, 7, &noted), 2);
	readable(&noted);
	assert_string_equal(noted.data, "message|c|1\n");
}

static void a_retry_is_digits_only(void **state)
{
	static const struct {
		const char *stream;
		int64_t ms;
	} retries[] = {
		{"retry: 1500\n", 1500},
		{"retry:0\n", 0},
		{"retry: 10\nretry: x\nretry\nretry: -1\nretry: 1 \n", 10},
		{"retry: 99999999999999999999999\n", INT64_MAX},
		{"retry: 7", -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(retries); i++) {
		struct sse sse;

		sse_init(&sse, 10);
		sse_feed(&sse, retries[i].stream, strlen(retries[i].stream), note, NULL);
		assert_int_equal(sse.retry_ms, retries[i].ms);
		sse_release(&sse);
	}
}

TESTS(cmocka_unit_test(the_reference_reads_the_table),
	cmocka_unit_test(streams_are_read_as_the_standard_says_in_any_pieces),
	cmocka_unit_test(random_streams_are_read_as_by_the_reference),
	cmocka_unit_test(an_event_that_is_too_long_is_skipped_and_counted),
	cmocka_unit_test(what_is_not_used_takes_no_room),
	cmocka_unit_test(a_type_or_an_id_that_is_too_long_skips_its_event),
	cmocka_unit_test(a_retry_is_digits_only))
