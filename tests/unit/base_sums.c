#include "test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/base_sums.h"
#include "tempdir.h"

static const char *const names[] = {
	"\"quoted\"", "\xff", "a", "a b", "a\\b", "b/c", "new\nline", "\xc3\xa9", "\x7f"};

static void collect(const struct tempdir *temp, struct base_sums *sums)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tempdir_mkdir(temp->fd, "b");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		tempdir_put(temp->fd, names[i], names[i]);
	assert_int_equal(fchmodat(temp->fd, "a", 0700, 0), 0);
	assert_int_equal(symlinkat("a", temp->fd, "link"), 0);
	assert_int_equal(mkfifoat(temp->fd, "pipe", 0600), 0);
	assert_int_equal(base_sums_collect(temp->fd, sums, &err), 0);
	assert_int_equal(sums->count, ARRAY_SIZE(names) + 1);
}

static void what_is_written_is_read_again(void **state)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(base_sums_release) struct base_sums again = BASE_SUMS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool other = true;

	collect(*state, &sums);
	base_sums_render(&sums, "1.0.0", &text);
	assert_true(base_sums_parse(view_of_buf(&text), "1.0.0", &again, &other));
	assert_false(other);
	assert_int_equal(again.count, sums.count);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct layer_file *file = base_sums_find(&again, names[i]);
		struct hash hash = hash_of(view_of(names[i]));

		assert_non_null(file);
		assert_true(hash_equal(&file->hash, &hash));
		assert_int_equal(file->executable, !strcmp(names[i], "a"));
	}
	assert_int_equal(base_sums_find(&again, "link")->kind, TX_SYMLINK);
	assert_null(base_sums_find(&again, "pipe"));
	assert_null(base_sums_find(&again, "b"));
}

static void no_damaged_byte_goes_unseen(void **state)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	collect(*state, &sums);
	base_sums_render(&sums, "1.0.0", &text);
	for (size_t i = 0; i < text.len; i++) {
		CLEANUP(base_sums_release) struct base_sums again = BASE_SUMS_INIT;
		bool other = false;

		text.data[i] ^= 1;
		assert_true(
			!base_sums_parse(view_of_buf(&text), "1.0.0", &again, &other) || other);
		text.data[i] ^= 1;
	}
	for (size_t len = 0; len < text.len; len++) {
		CLEANUP(base_sums_release) struct base_sums again = BASE_SUMS_INIT;
		bool other = false;

		assert_false(base_sums_parse(
			(struct view){text.data, len}, "1.0.0", &again, &other));
	}
}

static void a_list_of_another_core_says_nothing(void **state)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(base_sums_release) struct base_sums again = BASE_SUMS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool other = false;

	collect(*state, &sums);
	base_sums_render(&sums, "1.0.0", &text);
	assert_true(base_sums_parse(view_of_buf(&text), "1.0.1", &again, &other));
	assert_true(other);
	assert_int_equal(again.count, 0);
}

static void an_empty_base_has_an_empty_list(void **state)
{
	CLEANUP(base_sums_release) struct base_sums none = BASE_SUMS_INIT;
	CLEANUP(base_sums_release) struct base_sums again = BASE_SUMS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool other = true;

	(void)state;
	base_sums_render(&none, "0.0.0", &text);
	assert_true(base_sums_parse(view_of_buf(&text), "0.0.0", &again, &other));
	assert_false(other);
	assert_int_equal(again.count, 0);
	assert_null(base_sums_find(&again, "a"));
}

TESTS(IN_TEMPDIR(what_is_written_is_read_again), IN_TEMPDIR(no_damaged_byte_goes_unseen),
	IN_TEMPDIR(a_list_of_another_core_says_nothing),
	cmocka_unit_test(an_empty_base_has_an_empty_list))
