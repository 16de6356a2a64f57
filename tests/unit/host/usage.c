#include "../test.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "db/migrate.h"
#include "db/query.h"
#include "ledger/trace.h"
#include "ledger/usage.h"
#include "tempdir.h"

#define EARLIER 4 /* migrations before 0005_usage.sql */

static struct store *open_store(struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct store *store = NULL;

	if (store_open(temp->path, STORE_WRITE, &store, &err) < 0)
		fail_msg("%s", err.message);
	return store;
}

static void add(struct store *store, const char *folder, const char *model, const char *day,
	int64_t cost, int64_t now)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct usage_entry entry = {
		.group_folder = folder,
		.turn = 7,
		.model = model,
		.day = day,
		.figures = {1, 10, 20, 30, 40, cost, cost < 0},
	};

	if (cost < 0)
		entry.figures.cost_micro_usd = 0;
	if (store_usage_add(store, &entry, now, &err) < 0)
		fail_msg("%s", err.message);
}

static int64_t number(struct store *store, const char *sql)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	sqlite3_stmt *statement = store_statement(store, sql, &err);
	int64_t found;

	assert_non_null(statement);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	found = sqlite3_column_int64(statement, 0);
	sqlite3_reset(statement);
	return found;
}

static char *listed(struct store *store, const struct usage_filter *filter, enum usage_by by)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(usage_sums_release) struct usage_sums sums = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (store_usage_list(store, filter, by, &sums, &err) < 0)
		fail_msg("%s", err.message);
	for (size_t i = 0; i < sums.count; i++) {
		const struct usage_figures *f = &sums.list[i].figures;

		buf_appendf(&text, "%s %lld/%lld %lld$%lld ", sums.list[i].name,
			(long long)f->requests, (long long)f->unpriced,
			(long long)usage_tokens(f), (long long)f->cost_micro_usd);
	}
	return buf_take(&text);
}

static void check(struct store *store, const char *folder, enum usage_by by, const char *wanted)
{
	struct usage_filter filter = {folder, "2026-11-15", "2026-11-16"};
	CLEANUP(freep) char *text = listed(store, &filter, by);

	assert_string_equal(text, wanted);
}

static void sums_are_by_group_model_and_day(void **state)
{
	CLEANUP(store_freep) struct store *store = open_store(*state);

	add(store, "main", "a", "2026-11-14", 999, 1000);
	add(store, "main", "a", "2026-11-15", 5, 1000);
	add(store, "main", "a", "2026-11-15", 6, 1000);
	add(store, "family", "a", "2026-11-16", 50, 1000);
	add(store, "family", "b", "2026-11-16", -1, 1000);
	add(store, "main", "a", "2026-11-17", 999, 1000);
	check(store, NULL, USAGE_BY_GROUP, "family 2/1 200$50 main 2/0 200$11 ");
	check(store, NULL, USAGE_BY_MODEL, "a 3/0 300$61 b 1/1 100$0 ");
	check(store, NULL, USAGE_BY_DAY, "2026-11-15 2/0 200$11 2026-11-16 2/1 200$50 ");
	check(store, "main", USAGE_BY_DAY, "2026-11-15 2/0 200$11 ");
	check(store, "nobody", USAGE_BY_MODEL, "");
}

static void what_has_no_price_is_not_for_nothing(void **state)
{
	CLEANUP(store_freep) struct store *store = open_store(*state);

	add(store, "main", "a", "2026-11-15", -1, 1000);
	add(store, "main", "b", "2026-11-15", 0, 1000);
	assert_int_equal(number(store, "SELECT count(*) FROM usage WHERE cost_micro_usd IS NULL"
				       " AND model = 'a'"),
		1);
	assert_int_equal(number(store, "SELECT count(*) FROM usage WHERE cost_micro_usd = 0"
				       " AND model = 'b'"),
		1);
}

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

static void rows_go_and_sums_stay(void **state)
{
	struct txn txn = TXN_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = open_store(*state);
	int64_t now = 1000 * DAY_MS;

	assert_int_equal(txn_begin(&txn, store, &err), 0);
	add(store, "main", "a", "2026-11-15", 1, now - (USAGE_DAYS + 1) * DAY_MS);
	assert_int_equal(number(store, "SELECT count(*) FROM usage"), 1);
	for (int i = 0; i < USAGE_ROWS + 5; i++)
		add(store, "main", "a", "2026-11-15", 1, now);
	assert_int_equal(number(store, "SELECT count(*) FROM usage"), USAGE_ROWS);
	assert_int_equal(number(store, "SELECT requests FROM usage_days"), USAGE_ROWS + 6);
	assert_int_equal(
		number(store, "SELECT cost_micro_usd FROM usage_days"), USAGE_ROWS + 6);
	assert_int_equal(txn_commit(&txn, "test", &err), 0);
}

static void exec(struct tempdir *temp, const char *sql)
{
	CLEANUP(freep) char *path = xasprintf("%s/store/nanoclaw.db", temp->path);
	sqlite3 *db = NULL;
	char *message = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s", message);
	sqlite3_close(db);
}

/* A store that has seen what came before 0005_usage.sql, and nothing since. */
static void make_earlier(const struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/store/nanoclaw.db", temp->path);
	struct migration before[EARLIER + 1] = {0};
	sqlite3 *db;

	store_free(open_store((struct tempdir *)(uintptr_t)temp)); /* its folder */
	assert_int_equal(unlink(path), 0);
	memcpy(before, store_migrations, EARLIER * sizeof(*before));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (migrate(db, path, before, &err) < 0)
		fail_msg("%s", err.message);
	sqlite3_close(db);
}

static const char earlier[] =
	"INSERT INTO registered_groups VALUES ('local:main', 'Main', 'main', '@A', 'x', 1, 1,"
	" NULL);"
	"INSERT INTO chats (jid, channel) VALUES ('local:main', 'local');"
	"INSERT INTO turns (id, group_folder, chat_jid, first_seq, last_seq, state, created_at)"
	" VALUES (3, 'main', 'local:main', 1, 1, 'delivered', '2026-11-15T10:00:00.000Z');"
	"INSERT INTO usage VALUES"
	" (1, 3, 'main', '2026-11-15T10:00:01.000Z', 1, 2, 3, 4, 500),"
	" (2, 3, 'main', '2026-11-15T10:00:02.000Z', 10, 20, 30, 40, 5000),"
	" (3, 3, 'main', '2026-11-16T10:00:00.000Z', 1, 1, 1, 1, 1)";

static void what_was_counted_before_is_carried_over(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(trace_release) struct trace trace = TRACE_INIT;
	CLEANUP(store_freep) struct store *store = NULL;

	make_earlier(*state);
	exec(*state, earlier);
	store = open_store(*state);
	check(store, NULL, USAGE_BY_DAY, "2026-11-15 2/0 110$5500 2026-11-16 1/0 4$1 ");
	assert_int_equal(trace_find(store, "t3", &trace, &err), 0);
	assert_int_equal(trace.count, 4);
	assert_string_equal(trace.steps[2].what, "usage");
	assert_string_equal(trace.steps[2].detail,
		"10 tokens in, 20 out, 30 read from the cache and 40 written to it, $0.0050");
	assert_int_equal(number(store, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

static void trace_names_the_model_and_an_unknown_price(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(trace_release) struct trace trace = TRACE_INIT;
	CLEANUP(store_freep) struct store *store = NULL;

	store_free(open_store(*state));
	exec(*state,
		"INSERT INTO registered_groups VALUES ('local:main', 'Main', 'main', '@A',"
		" 'x', 1, 1, NULL, NULL); INSERT INTO chats (jid, channel) VALUES ('local:main',"
		" 'local'); INSERT INTO turns (id, group_folder, chat_jid, first_seq,"
		" last_seq, state, created_at) VALUES (7, 'main', 'local:main', 1, 1,"
		" 'delivered', '1970-01-01T00:00:00.000Z')");
	store = open_store(*state);
	add(store, "main", "llama", "1970-01-01", -1, 1000);
	assert_int_equal(trace_find(store, "t7", &trace, &err), 0);
	assert_string_equal(trace.steps[1].detail,
		"10 tokens in, 20 out, 30 read from the cache and 40 written to it, at an unknown "
		"price, by llama");
}

TESTS(IN_TEMPDIR(sums_are_by_group_model_and_day),
	IN_TEMPDIR(what_has_no_price_is_not_for_nothing), IN_TEMPDIR(rows_go_and_sums_stay),
	IN_TEMPDIR(what_was_counted_before_is_carried_over),
	IN_TEMPDIR(trace_names_the_model_and_an_unknown_price))
