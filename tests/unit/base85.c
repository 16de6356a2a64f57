#include "test.h"

#include <string.h>

#include "engine/text/base85.h"

static void lines_are_as_git_writes_them(void **state)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	(void)state;
	/* What git 2.39 has for an empty content: eight bytes of zlib. */
	base85_append(&out, (struct view){"\x78\x01\x03\x00\x00\x00\x00\x01", 8});
	assert_string_equal(out.data, "HcmV?d00001\n");
}

static void any_length_comes_back(void **state)
{
	CLEANUP(buf_release) struct buf data = BUF_INIT;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(buf_release) struct buf again = BUF_INIT;
		struct view rest, line;

		base85_append(&text, view_of_buf(&data));
		rest = view_of_buf(&text);
		while (view_next(&rest, '\n', &line))
			assert_true(base85_undo(line, &again));
		assert_true(view_equal(view_of_buf(&data), view_of_buf(&again)));
		buf_append_char(&data, (char)(255 - i));
	}
}

static void what_is_no_such_line_is_refused(void **state)
{
	static const char *const lines[] = {"", "0", "A", "A0000", "A000000", "Hc$@<O0000",
		"D\"0000", "D0000 ", "D~~~~~", "{00000"};
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_false(base85_undo(view_of(lines[i]), &out));
	assert_false(base85_undo((struct view){"D0\0000", 6}, &out));
}

TESTS(cmocka_unit_test(lines_are_as_git_writes_them), cmocka_unit_test(any_length_comes_back),
	cmocka_unit_test(what_is_no_such_line_is_refused))
