#include "test.h"

#include "engine/patch/internal.h"

#define DELTA(text) ((struct view){text, sizeof(text) - 1})

static void copies_and_insertions_make_the_content(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	(void)state;
	/* Of 8 bytes make 7: 3 from 4 on, "xy", 2 from the start. */
	assert_int_equal(patch_delta_apply(view_of("abcdefgh"),
				 DELTA("\x08\x07\x91\x04\x03\x02xy\x90\x02"), &out, &err),
		0);
	assert_string_equal(out.data, "efgxyab");
}

static void a_copy_without_length_is_of_64_kilobytes(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	(void)state;
	buf_append_repeated(&base, 'x', 0x10000);
	assert_int_equal(patch_delta_apply(view_of_buf(&base),
				 DELTA("\x80\x80\x04\x80\x80\x04\x80"), &out, &err),
		0);
	assert_int_equal(out.len, 0x10000);
}

static void assert_refused(struct view delta)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	assert_int_equal(patch_delta_apply(view_of("abcd"), delta, &out, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_int_equal(out.len, 0);
}

static void damaged_deltas_are_refused(void **state)
{
	(void)state;
	assert_refused(DELTA(""));
	assert_refused(DELTA("\x04"));
	assert_refused(DELTA("\x05\x01\x01x"));                /* another base */
	assert_refused(DELTA("\x04\x02\x01x"));                /* too little */
	assert_refused(DELTA("\x04\x01\x02xy"));               /* too much */
	assert_refused(DELTA("\x04\x02\x02x"));                /* cut off */
	assert_refused(DELTA("\x04\x01\x00"));                 /* reserved */
	assert_refused(DELTA("\x04\x02\x91\x03\x02"));         /* behind the base */
	assert_refused(DELTA("\x04\x01\x91\x05\x01"));         /* far behind it */
	assert_refused(DELTA("\x04\x02\x91\x01"));             /* no length */
	assert_refused(DELTA("\x04\xff\xff\xff\xff\xff\x7f")); /* more than there may be */
}

TESTS(cmocka_unit_test(copies_and_insertions_make_the_content),
	cmocka_unit_test(a_copy_without_length_is_of_64_kilobytes),
	cmocka_unit_test(damaged_deltas_are_refused))
