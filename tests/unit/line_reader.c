#include "test.h"

#include <string.h>

#include "format/line_reader.h"

struct lines {
	struct buf text;
	int too_long;
	int stop_after;
};

static bool take(struct view line, bool too_long, void *data)
{
	struct lines *lines = data;

	if (too_long)
		lines->too_long++;
	else
		buf_appendf(&lines->text, "[%.*s]", VIEW_ARGS(line));
	return --lines->stop_after != 0;
}

static void feed_all(
	const char *text, size_t piece, size_t max, const char *expected, int too_long)
{
	struct line_reader reader;
	struct lines lines = {.text = BUF_INIT};
	size_t len = strlen(text);

	line_reader_init(&reader, max);
	for (size_t at = 0; at < len; at += piece)
		line_reader_feed(
			&reader, text + at, len - at < piece ? len - at : piece, take, &lines);
	assert_string_equal(lines.text.data, expected);
	assert_int_equal(lines.too_long, too_long);
	buf_release(&lines.text);
	line_reader_release(&reader);
}

static void lines_come_whole_whatever_the_pieces(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 12; piece++)
		feed_all("one\n\ntwo\nrest", piece, 100, "[one][][two]", 0);
}

static void a_line_that_is_too_long_is_told_once_and_dropped(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 30; piece++)
		feed_all("ok\nthis is too long\nagain\n", piece, 5, "[ok][again]", 1);
}

static void a_line_of_exactly_the_maximum_is_taken(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 12; piece++)
		feed_all("12345\n", piece, 5, "[12345]", 0);
}

static void whoever_wants_no_more_gets_no_more(void **state)
{
	struct line_reader reader;
	struct lines lines = {.text = BUF_INIT, .stop_after = 1};

	(void)state;
	line_reader_init(&reader, 100);
	line_reader_feed(&reader, "a\nb\n", 4, take, &lines);
	assert_string_equal(lines.text.data, "[a]");
	buf_release(&lines.text);
	line_reader_release(&reader);
}

TESTS(cmocka_unit_test(lines_come_whole_whatever_the_pieces),
	cmocka_unit_test(a_line_that_is_too_long_is_told_once_and_dropped),
	cmocka_unit_test(a_line_of_exactly_the_maximum_is_taken),
	cmocka_unit_test(whoever_wants_no_more_gets_no_more))
