#include "test.h"

#include <string.h>

#include "base/utf8.h"

static void only_the_shortest_form_of_a_character_is_valid(void **state)
{
	static const char *const good[] = {"", "a", "é", "漢", "😀", "\xf4\x8f\xbf\xbf"};
	static const char *const bad[] = {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80",
		"\xf0\x80\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8", "\xff", "\xc3",
		"\xe6\xbc", "\xf0\x9f\x98", "\xc3("};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_true(utf8_valid(view_of(good[i])));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(utf8_valid(view_of(bad[i])));
}

static void places_count_lines_and_characters(void **state)
{
	struct view text = view_of("aé\r\nb\rc\n\nd");
	size_t line;
	size_t column;

	(void)state;
	utf8_place(text, 3, &line, &column);
	assert_int_equal(line, 1);
	assert_int_equal(column, 3);
	utf8_place(text, 5, &line, &column);
	assert_int_equal(line, 2);
	assert_int_equal(column, 1);
	utf8_place(text, text.len, &line, &column);
	assert_int_equal(line, 5);
	assert_int_equal(column, 2);
}

static void an_excerpt_is_short_and_has_no_commands(void **state)
{
	CLEANUP(freep) char *commands = utf8_excerpt(view_of("a\x1b[2J\n\xff\xe2\x80\xae漢"));
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *cut = NULL;

	(void)state;
	assert_string_equal(commands, "a?[2J???漢");
	buf_append_repeated(&text, 'x', 100);
	cut = utf8_excerpt(view_of_buf(&text));
	assert_int_equal(strlen(cut), 63);
}

static void the_first_invalid_byte_is_found_at_every_place(void **state)
{
	(void)state;
	for (size_t at = 0; at < 40; at++) {
		char text[40];

		memset(text, 'x', sizeof(text));
		assert_int_equal(utf8_valid_len((struct view){text, at}), at);
		text[at] = (char)0xff;
		assert_int_equal(utf8_valid_len((struct view){text, sizeof(text)}), at);
	}
}

TESTS(cmocka_unit_test(the_first_invalid_byte_is_found_at_every_place),
	cmocka_unit_test(only_the_shortest_form_of_a_character_is_valid),
	cmocka_unit_test(places_count_lines_and_characters),
	cmocka_unit_test(an_excerpt_is_short_and_has_no_commands))
