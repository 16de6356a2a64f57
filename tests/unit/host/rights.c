#include "../test.h"

#include <sqlite3.h>

#include "host/ops/rights.h"
#include "tempdir.h"

static const struct actor nobody = {.kind = ACTOR_GROUP, .folder = "nobody"};

static void a_group_that_is_not_registered_has_no_right(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	struct tempdir *temp = *state;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	for (enum right right = 0; right < RIGHT_COUNT; right++) {
		bool allowed = true;

		assert_int_equal(rights_allow(store, &nobody, right, &allowed, &err), 0);
		assert_false(allowed);
	}
}

static void a_store_that_cannot_be_read_is_an_error_and_gives_no_right(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/store/nanoclaw.db", temp->path);
	sqlite3 *db = NULL;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "ALTER TABLE registered_groups RENAME TO gone", NULL,
				 NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
	for (enum right right = 0; right < RIGHT_COUNT; right++) {
		bool allowed = false;

		assert_int_equal(rights_allow(store, &nobody, right, &allowed, &err), -1);
		assert_false(allowed);
		error_clear(&err);
		assert_int_equal(rights_require(store, &nobody, right, &err), -1);
		error_clear(&err);
	}
}

TESTS(IN_TEMPDIR(a_group_that_is_not_registered_has_no_right),
	IN_TEMPDIR(a_store_that_cannot_be_read_is_an_error_and_gives_no_right))
