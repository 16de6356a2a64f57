#include "test.h"

#include "archive/deflate.h"

#define LARGE ((size_t)3 * 1024 * 1024 + 1)

static void content_of_any_size_comes_back(void **state)
{
	static const size_t sizes[] = {0, 1, 1000, LARGE};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		CLEANUP(buf_release) struct buf compressed = BUF_INIT;
		CLEANUP(buf_release) struct buf again = BUF_INIT;

		for (size_t j = 0; j < sizes[i]; j++)
			buf_append_char(&content, (char)(j * j >> 7));
		deflate_append(&compressed, view_of_buf(&content));
		assert_int_equal(
			deflate_undo(view_of_buf(&compressed), sizes[i], &again, &err), 0);
		assert_true(view_equal(view_of_buf(&content), view_of_buf(&again)));
	}
}

static void assert_refused(struct view compressed, size_t len)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	assert_int_equal(deflate_undo(compressed, len, &out, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_true(out.len <= len);
}

static void another_length_or_a_damage_is_refused(void **state)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(buf_release) struct buf compressed = BUF_INIT;
	struct view whole;

	(void)state;
	buf_append_repeated(&content, 'x', LARGE);
	deflate_append(&compressed, view_of_buf(&content));
	whole = view_of_buf(&compressed);
	assert_refused(whole, LARGE - 1);
	assert_refused(whole, LARGE + 1);
	assert_refused(whole, 0);
	assert_refused(view_slice(whole, 0, whole.len - 1), LARGE);
	assert_refused(view_slice(whole, 1, whole.len), LARGE);
	assert_refused(view_of(""), 0);
	buf_append_char(&compressed, 'x');
	assert_refused(view_of_buf(&compressed), LARGE);
	compressed.data[compressed.len - 2] ^= 1;
	assert_refused(view_slice(view_of_buf(&compressed), 0, compressed.len - 1), LARGE);
}

TESTS(cmocka_unit_test(content_of_any_size_comes_back),
	cmocka_unit_test(another_length_or_a_damage_is_refused))
