#include "../test.h"

#include "web/session.h"

static void begin(struct session *session, uint64_t now, char code[static SESSION_KEY_SIZE])
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(session_new_code(session, now, code, &err), 0);
}

static bool enters(struct session *session, const char *code, uint64_t now)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	char token[SESSION_KEY_SIZE];

	if (session_enter(session, view_of(code), now, token, &err) < 0) {
		assert_int_equal(err.kind, ERROR_INVALID);
		return false;
	}
	return session_has(session, view_of(token));
}

static void a_code_works_once(void **state)
{
	struct session session = {0};
	char code[SESSION_KEY_SIZE];

	(void)state;
	begin(&session, 1000, code);
	assert_true(enters(&session, code, 1000));
	assert_false(enters(&session, code, 1000));
}

static void a_code_that_is_a_minute_old_does_not_work(void **state)
{
	struct session session = {0};
	char early[SESSION_KEY_SIZE], late[SESSION_KEY_SIZE];

	(void)state;
	begin(&session, 1000, early);
	begin(&session, 1000, late);
	assert_true(enters(&session, early, 1000 + SESSION_CODE_MS - 1));
	assert_false(enters(&session, late, 1000 + SESSION_CODE_MS));
}

static void nothing_is_no_code_and_no_token(void **state)
{
	struct session session = {0};

	(void)state;
	assert_false(enters(&session, "", 0));
	assert_false(session_has(&session, view_of("")));
	assert_false(session_has(&session, view_of("00000000000000000000000000000000")));
}

static void the_oldest_of_too_many_codes_ends(void **state)
{
	struct session session = {0};
	char codes[SESSION_CODES + 1][SESSION_KEY_SIZE];

	(void)state;
	for (size_t i = 0; i <= SESSION_CODES; i++)
		begin(&session, 1000, codes[i]);
	assert_false(enters(&session, codes[0], 1000));
	for (size_t i = 1; i <= SESSION_CODES; i++)
		assert_true(enters(&session, codes[i], 1000));
}

static void the_oldest_of_too_many_tokens_ends(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct session session = {0};
	char tokens[SESSION_TOKENS + 1][SESSION_KEY_SIZE];
	char code[SESSION_KEY_SIZE];

	(void)state;
	for (size_t i = 0; i <= SESSION_TOKENS; i++) {
		begin(&session, 1000, code);
		assert_int_equal(
			session_enter(&session, view_of(code), 1000, tokens[i], &err), 0);
	}
	assert_false(session_has(&session, view_of(tokens[0])));
	for (size_t i = 1; i <= SESSION_TOKENS; i++)
		assert_true(session_has(&session, view_of(tokens[i])));
}

TESTS(cmocka_unit_test(a_code_works_once),
	cmocka_unit_test(a_code_that_is_a_minute_old_does_not_work),
	cmocka_unit_test(nothing_is_no_code_and_no_token),
	cmocka_unit_test(the_oldest_of_too_many_codes_ends),
	cmocka_unit_test(the_oldest_of_too_many_tokens_ends))
