#include "test.h"

#include "base/buf.h"

static void a_new_buffer_is_an_empty_string(void **state)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT;

	(void)state;
	assert_int_equal(b.len, 0);
	assert_string_equal(b.data, "");
}

static void appended_pieces_follow_each_other(void **state)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT;

	(void)state;
	buf_append_str(&b, "one ");
	buf_appendf(&b, "%d", 2);
	buf_append_char(&b, ' ');
	buf_append_repeated(&b, '3', 3);
	assert_string_equal(b.data, "one 2 333");
	assert_int_equal(b.len, 9);
}

static void a_nul_byte_is_content(void **state)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT;

	(void)state;
	buf_append(&b, "a\0b", 3);
	assert_int_equal(b.len, 3);
	assert_memory_equal(b.data, "a\0b", 4);
}

static void a_full_buffer_keeps_its_maximum_and_says_so(void **state)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT_MAX(5);

	(void)state;
	buf_append_str(&b, "1234");
	assert_false(b.overflow);
	buf_append_str(&b, "5678");
	assert_true(b.overflow);
	assert_string_equal(b.data, "12345");
	buf_append_str(&b, "9");
	assert_string_equal(b.data, "12345");
}

static void taking_the_content_empties_the_buffer(void **state)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT_MAX(10);
	CLEANUP(freep) char *text = NULL;

	(void)state;
	buf_append_str(&b, "text");
	text = buf_take(&b);
	assert_string_equal(text, "text");
	assert_string_equal(b.data, "");
	assert_int_equal(b.max, 10);
}

static void reserving_at_the_maximum_gives_less(void **state)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT_MAX(8);

	(void)state;
	buf_append_str(&b, "12345");
	assert_int_equal(buf_reserve(&b, 100), 3);
}

TESTS(cmocka_unit_test(a_new_buffer_is_an_empty_string),
	cmocka_unit_test(appended_pieces_follow_each_other),
	cmocka_unit_test(a_nul_byte_is_content),
	cmocka_unit_test(a_full_buffer_keeps_its_maximum_and_says_so),
	cmocka_unit_test(taking_the_content_empties_the_buffer),
	cmocka_unit_test(reserving_at_the_maximum_gives_less))
