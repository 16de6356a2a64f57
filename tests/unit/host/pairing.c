#include "../test.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/chat/pairing.h"

static bool no_random_numbers;

/* In the place of the library's. */
ssize_t getrandom(void *bytes, size_t len, unsigned flags)
{
	if (no_random_numbers) {
		errno = ENOSYS;
		return -1;
	}
	return syscall(SYS_getrandom, bytes, len, flags);
}

static int tries(struct pairing *pairing, const char *text)
{
	return (int)pairing_try(pairing, "chat", view_of(text), 1000);
}

static void begin(struct pairing *pairing, const char *folder)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(pairing_begin(pairing, "chat", folder, 1000, &err), 0);
}

static void the_last_word_of_a_message_is_the_code(void **state)
{
	CLEANUP(pairing_end) struct pairing pairing = {0};

	(void)state;
	assert_int_equal(tries(&pairing, "1234-5678"), PAIRING_NOTHING);
	begin(&pairing, "family");
	snprintf(pairing.code, sizeof(pairing.code), "1234-5678");
	assert_int_equal(tries(&pairing, "1234-5678"), PAIRING_RIGHT);
	assert_int_equal(tries(&pairing, " /pair@bot 12345678\n"), PAIRING_RIGHT);
	assert_int_equal(tries(&pairing, "1234-5678 it is"), PAIRING_NOTHING);
	assert_int_equal(tries(&pairing, "1234_5678"), PAIRING_NOTHING);
	assert_int_equal(tries(&pairing, "1234-56789"), PAIRING_NOTHING);
	assert_int_equal(tries(&pairing, ""), PAIRING_NOTHING);
	assert_int_equal(
		pairing_try(&pairing, "other", view_of("1234-5678"), 1000), PAIRING_NOTHING);
	assert_int_equal(pairing.tries, PAIRING_TRIES);
}

static void a_code_is_for_ten_minutes_and_so_many_tries(void **state)
{
	CLEANUP(pairing_end) struct pairing pairing = {0};

	(void)state;
	begin(&pairing, "family");
	snprintf(pairing.code, sizeof(pairing.code), "1234-5678");
	assert_int_equal(pairing_try(&pairing, "chat", view_of("12345678"), 1000 + PAIRING_MS),
		PAIRING_RIGHT);
	assert_int_equal(pairing_try(&pairing, "chat", view_of("12345678"), 1001 + PAIRING_MS),
		PAIRING_NOTHING);
	begin(&pairing, "family");
	snprintf(pairing.code, sizeof(pairing.code), "1234-5678");
	for (int i = 1; i < PAIRING_TRIES; i++)
		assert_int_equal(tries(&pairing, "1234-5679"), PAIRING_WRONG);
	assert_int_equal(tries(&pairing, "1234-5679"), PAIRING_GIVEN_UP);
	assert_int_equal(tries(&pairing, "1234-5678"), PAIRING_NOTHING);
}

static void without_random_numbers_there_is_no_code(void **state)
{
	CLEANUP(pairing_end) struct pairing pairing = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	begin(&pairing, "family");
	no_random_numbers = true;
	assert_int_equal(pairing_begin(&pairing, "chat", "work", 1000, &err), -1);
	no_random_numbers = false;
	assert_string_equal(pairing.code, "");
	assert_int_equal(tries(&pairing, "0000-0000"), PAIRING_NOTHING);
}

static void a_new_code_replaces_the_one_before(void **state)
{
	CLEANUP(pairing_end) struct pairing pairing = {0};
	char first[sizeof(pairing.code)];

	(void)state;
	begin(&pairing, "family");
	memcpy(first, pairing.code, sizeof(first));
	assert_int_equal(tries(&pairing, first), PAIRING_RIGHT);
	do
		begin(&pairing, "work");
	while (!strcmp(first, pairing.code));
	assert_int_equal(tries(&pairing, first), PAIRING_WRONG);
	assert_int_equal(tries(&pairing, pairing.code), PAIRING_RIGHT);
}

TESTS(cmocka_unit_test(the_last_word_of_a_message_is_the_code),
	cmocka_unit_test(a_code_is_for_ten_minutes_and_so_many_tries),
	cmocka_unit_test(without_random_numbers_there_is_no_code),
	cmocka_unit_test(a_new_code_replaces_the_one_before))
