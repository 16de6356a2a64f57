#include "test.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "engine/disk/transaction.h"
#include "engine/disk/tx_file.h"

static void assert_quoted(const char *path, const char *expected)
{
	CLEANUP(freep) char *quoted = layer_quote(view_of(path));
	CLEANUP(freep) char *back = layer_path(view_of(quoted));

	assert_string_equal(quoted, expected);
	assert_string_equal(back, path);
}

static void a_quoted_path_escapes_unusual_bytes(void **state)
{
	(void)state;
	assert_quoted("", "\"\"");
	assert_quoted("a b~", "\"a b~\"");
	assert_quoted("\x1f\x7f", "\"\\037\\177\"");
	assert_quoted("a\"b\\c", "\"a\\042b\\134c\"");
	assert_quoted("\xc3\xa9\xff", "\"\\303\\251\\377\"");
}

static void assert_key(const char *path, const char *expected)
{
	CLEANUP(freep) char *key = layer_key(view_of(path));
	CLEANUP(freep) char *back = layer_path(view_of(key));

	assert_string_equal(key, expected);
	assert_string_equal(back, path);
}

static void a_key_is_quoted_only_if_it_must_be(void **state)
{
	(void)state;
	assert_key("src/\xc3\xa9.c", "src/\xc3\xa9.c");
	assert_key("a\"b", "a\"b");
	assert_key("\"a", "\"\\042a\"");
	assert_key("\"a\"", "\"\\042a\\042\"");
	assert_key("\xff", "\"\\377\"");
}

static void assert_path(const char *key, const char *expected)
{
	CLEANUP(freep) char *path = layer_path(view_of(key));

	assert_string_equal(path, expected);
}

static void other_backslashes_of_a_key_stand_for_themselves(void **state)
{
	(void)state;
	assert_path("\"\\400\"", "\\400");
	assert_path("\"\\18\"", "\\18");
	assert_path("\"\\078\"", "\\078");
	assert_path("\"\\12\"", "\\12");
	assert_path("\"\\101\\\"", "A\\");
	assert_path("\"", "\"");
	assert_path("\"a", "\"a");
	assert_path("a\"", "a\"");
}

static bool may_record(const char *path)
{
	CLEANUP(relpath_release) struct relpath checked = relpath_of(path);

	return layer_may_record(&checked);
}

static void secrets_and_our_own_folders_are_never_recorded(void **state)
{
	(void)state;
	assert_true(may_record("src/env"));
	assert_true(may_record(".env.example"));
	assert_false(may_record(".env"));
	assert_false(may_record("deep/down/.env"));
	assert_false(may_record(".env/x"));
	assert_false(may_record(".git/config"));
	assert_false(may_record(".nanoclaw/state.yaml"));
}

static void an_unknown_mode_equals_every_mode(void **state)
{
	struct layer_file plain = layer_file_of_content(view_of("x"), 0644);
	struct layer_file run = layer_file_of_content(view_of("x"), 0755), unknown = run;
	struct layer_file absent = {.kind = TX_ABSENT},
			  gone = {.kind = TX_ABSENT, .executable = true};

	(void)state;
	unknown.mode_known = false;
	assert_false(layer_file_equal(&plain, &run));
	assert_true(layer_file_equal(&plain, &unknown));
	assert_true(layer_file_equal(&unknown, &run));
	assert_false(layer_file_equal(&plain, &absent));
	assert_true(layer_file_equal(&absent, &gone));
}

static void a_folder_counts_as_absent(void **state)
{
	struct tx_file folder = {.kind = TX_FOLDER}, absent = TX_FILE_INIT, link = TX_FILE_INIT;

	(void)state;
	link.kind = TX_SYMLINK;
	assert_true(tx_file_same(&folder, &absent));
	assert_false(tx_file_same(&folder, &link));
	assert_false(tx_file_same(&link, &absent));
	assert_true(tx_file_same(&link, &link));
}

static mode_t staged_over(mode_t old, mode_t new)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of("no-such-file");
	CLEANUP(transaction_freep) struct transaction *tx = NULL;
	CLEANUP(tx_file_release) struct tx_file staged = TX_FILE_INIT;
	struct tx_file file = {.kind = TX_FILE, .mode = new};
	struct tx_file there = {.kind = TX_FILE, .mode = old};

	assert_int_equal(project_open_here(&project, &err), 0);
	tx = transaction_new_dry(&project, "test");
	assert_int_equal(tx_file_stage_over(tx, &path, &file, &there, &err), 0);
	assert_int_equal(transaction_read(tx, &path, &staged, &err), 0);
	return staged.mode;
}

static void a_replaced_file_keeps_its_permissions_but_for_the_execute_bits(void **state)
{
	(void)state;
	assert_int_equal(staged_over(0640, 0644), 0640);
	assert_int_equal(staged_over(0750, 0755), 0750);
	assert_int_equal(staged_over(0640, 0755), 0750);
	assert_int_equal(staged_over(0600, 0755), 0700);
	assert_int_equal(staged_over(0751, 0644), 0640);
}

TESTS(cmocka_unit_test(a_quoted_path_escapes_unusual_bytes),
	cmocka_unit_test(a_key_is_quoted_only_if_it_must_be),
	cmocka_unit_test(other_backslashes_of_a_key_stand_for_themselves),
	cmocka_unit_test(secrets_and_our_own_folders_are_never_recorded),
	cmocka_unit_test(an_unknown_mode_equals_every_mode),
	cmocka_unit_test(a_folder_counts_as_absent),
	cmocka_unit_test(a_replaced_file_keeps_its_permissions_but_for_the_execute_bits))
