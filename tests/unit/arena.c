#include "test.h"

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"

static void pieces_are_zero_aligned_and_apart(void **state)
{
	CLEANUP(arena_release) struct arena a = ARENA_INIT;
	char *pieces[200];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		size_t size = i % 50 == 49 ? 20000 : i;

		pieces[i] = arena_alloc(&a, size);
		assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
		for (size_t j = 0; j < size; j++)
			assert_int_equal(pieces[i][j], 0);
		memset(pieces[i], 0xff, size);
	}
}

static void a_copy_ends_in_a_nul(void **state)
{
	CLEANUP(arena_release) struct arena a = ARENA_INIT;

	(void)state;
	assert_string_equal(arena_copy(&a, "abcd", 2), "ab");
	assert_string_equal(arena_copy(&a, NULL, 0), "");
}

static void an_array_keeps_its_content_when_it_grows(void **state)
{
	CLEANUP(arena_release) struct arena a = ARENA_INIT;
	int *numbers = NULL;
	size_t cap = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		numbers = arena_grow(&a, numbers, (size_t)i, &cap, sizeof(*numbers));
		numbers[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], i);
}

TESTS(cmocka_unit_test(pieces_are_zero_aligned_and_apart),
	cmocka_unit_test(a_copy_ends_in_a_nul),
	cmocka_unit_test(an_array_keeps_its_content_when_it_grows))
