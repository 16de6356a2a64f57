#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "tempdir.h"

#define HASH_EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define HASH_ABC   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static void assert_hash(const struct hash *hash, const char *expected)
{
	char hex[HASH_HEX_SIZE];

	hash_to_hex(hash, hex);
	assert_string_equal(hex, expected);
}

static void hashes_are_those_of_the_standard(void **state)
{
	struct hash empty = hash_of(view_of(""));
	struct hash null = hash_of((struct view){NULL, 0});
	struct hash abc = hash_of(view_of("abc"));

	(void)state;
	assert_hash(&empty, HASH_EMPTY);
	assert_hash(&null, HASH_EMPTY);
	assert_hash(&abc, HASH_ABC);
	assert_true(hash_equal(&empty, &null));
	assert_false(hash_equal(&empty, &abc));
	assert_true(hash_compare(&abc, &empty) < 0);
}

/* RFC 4231, cases 2 and 6: the second key is longer than a block. */
static void keyed_hashes_are_those_of_the_standard(void **state)
{
	struct hash jefe = hash_hmac(view_of("Jefe"), view_of("what do ya want for nothing?"));
	char long_key[131];
	struct hash other;

	(void)state;
	memset(long_key, 0xaa, sizeof(long_key));
	other = hash_hmac((struct view){long_key, sizeof(long_key)},
		view_of("Test Using Larger Than Block-Size Key - Hash Key First"));
	assert_hash(&jefe, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	assert_hash(&other, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
	assert_true(hash_equal_secret(&jefe, &jefe));
	assert_false(hash_equal_secret(&jefe, &other));
}

/* A size on neither side of the size of a read. */
static void a_file_has_the_hash_of_its_content(void **state)
{
	struct tempdir *temp = *state;
	size_t len = 3 * 64 * 1024 + 17;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *content = xmalloc(len);
	CLEANUP(closep) int fd = -1;
	struct hash of_file;
	struct hash of_text;

	for (size_t i = 0; i < len; i++)
		content[i] = (char)(i * 7);
	tempdir_put_bytes(temp->fd, "f", content, len);
	fd = openat(temp->fd, "f", O_RDONLY | O_CLOEXEC);
	of_text = hash_of((struct view){content, len});
	assert_int_equal(hash_of_fd(fd, &of_file, &err), 0);
	assert_true(hash_equal(&of_file, &of_text));
}

static void what_cannot_be_read_has_no_hash(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct hash hash;

	assert_int_equal(hash_of_fd(temp->fd, &hash, &err), -1);
	assert_int_equal(err.errnum, EISDIR);
}

static void hexadecimal_text_is_read_back(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct hash hash;

	(void)state;
	assert_int_equal(hash_from_hex(view_of(HASH_ABC), &hash, &err), 0);
	assert_hash(&hash, HASH_ABC);
}

static void assert_no_hash(struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct hash hash = {{1}};

	assert_int_equal(hash_from_hex(text, &hash, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_int_equal(hash.bytes[0], 1);
}

static void other_text_is_no_hash(void **state)
{
	CLEANUP(freep) char *upper = xstrdup(HASH_ABC);
	CLEANUP(freep) char *wrong = xstrdup(HASH_ABC);

	(void)state;
	upper[0] = 'B';
	wrong[63] = 'g';
	assert_no_hash(view_of(""));
	assert_no_hash(view_of(HASH_ABC "0"));
	assert_no_hash(view_slice(view_of(HASH_ABC), 0, 63));
	assert_no_hash(view_of(upper));
	assert_no_hash(view_of(wrong));
}

TESTS(cmocka_unit_test(hashes_are_those_of_the_standard),
	cmocka_unit_test(keyed_hashes_are_those_of_the_standard),
	IN_TEMPDIR(a_file_has_the_hash_of_its_content),
	IN_TEMPDIR(what_cannot_be_read_has_no_hash),
	cmocka_unit_test(hexadecimal_text_is_read_back),
	cmocka_unit_test(other_text_is_no_hash))
