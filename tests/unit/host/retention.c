#include "../test.h"

#include <string.h>

#include "db/query.h"
#include "ledger/retention.h"
#include "tempdir.h"
#include "time/timestamp.h"

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

struct desk {
	struct store *store;
	struct error err;
	char old[TIMESTAMP_SIZE];
	char recent[TIMESTAMP_SIZE];
};

static struct desk desk_open(void **state)
{
	struct tempdir *temp = *state;
	struct desk desk = {0};
	int64_t now = timestamp_clock();

	timestamp_format(now - (RETENTION_DAYS + 1) * DAY_MS, desk.old);
	timestamp_format(now - (RETENTION_DAYS - 1) * DAY_MS, desk.recent);
	assert_int_equal(store_open(temp->path, STORE_WRITE, &desk.store, &desk.err), 0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO registered_groups (jid, name, folder, trigger_pattern,"
			" added_at) VALUES ('x:1', 'g', 'g', '@A', 'x'),"
			" ('x:2', 'h', 'h', '@A', 'x')",
			""),
		0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO chats (jid, channel) VALUES ('x:1', 'x'), ('x:2', 'x')",
			""),
		0);
	return desk;
}

static void desk_close(struct desk *desk)
{
	store_free(desk->store);
	error_release(&desk->err);
}

static void add(struct desk *desk, const char *group, const char *state, int wants,
	const char *at, int64_t count, int64_t bytes)
{
	assert_int_equal(
		query_run(desk->store, &desk->err,
			"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
			" WHERE i < ?6) INSERT INTO messages (id, chat_jid, sender, sender_name,"
			" content, timestamp, channel, group_folder, received_at, wants_answer,"
			" state) SELECT hex(randomblob(8)), CASE ?1 WHEN 'g' THEN 'x:1' ELSE"
			" 'x:2' END, 's', ?2 || ?3, hex(randomblob(?5 / 2))"
			", ?4, 'x', ?1, ?4, ?3, ?2 FROM n",
			"ssisii", group, state, (int64_t)wants, at, bytes, count),
		0);
}

static int64_t count(struct desk *desk, const char *group, const char *name)
{
	int64_t number;

	assert_int_equal(query_number(desk->store, -1, &number, &desk->err,
				 "SELECT count(*) FROM messages WHERE group_folder = ?"
				 " AND sender_name = ?",
				 "ss", group, name),
		0);
	return number;
}

static void retain(struct desk *desk)
{
	assert_int_equal(store_retain(desk->store, timestamp_clock(), &desk->err), 0);
}

static void old_messages_go_and_what_waits_stays(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, "g", "delivered", 1, desk.old, 10, 10);
	add(&desk, "g", "received", 0, desk.old, 10, 10);
	add(&desk, "g", "received", 1, desk.old, 10, 10);
	add(&desk, "h", "delivered", 0, desk.recent, 10, 10);
	retain(&desk);
	assert_int_equal(count(&desk, "g", "delivered1"), 0);
	assert_int_equal(count(&desk, "g", "received0"), 0);
	assert_int_equal(count(&desk, "g", "received1"), 10);
	assert_int_equal(count(&desk, "h", "delivered0"), 10);
}

/* Endless messages in a group that needs no answers. */
static void a_group_has_only_so_many_and_takes_none_from_others(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, "h", "delivered", 1, desk.recent, 10, 10);
	add(&desk, "g", "received", 1, desk.recent, 10, 10);
	add(&desk, "g", "received", 0, desk.recent, RETENTION_MESSAGES + RETENTION_BATCH / 2,
		100);
	retain(&desk);
	assert_int_equal(count(&desk, "g", "received0"), RETENTION_MESSAGES);
	assert_int_equal(count(&desk, "g", "received1"), 10);
	assert_int_equal(count(&desk, "h", "delivered1"), 10);
}

static void long_messages_are_bounded_in_bytes(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	int64_t size = (int64_t)256 * 1024;
	int64_t fit = RETENTION_BYTES / size;

	add(&desk, "g", "received", 0, desk.recent, fit + 50, size);
	retain(&desk);
	assert_in_range(count(&desk, "g", "received0"), fit - 1, fit);
}

static void turns_and_runs_that_are_over_go_with_their_steps(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	int64_t number;

	for (int i = 0; i < 4; i++)
		assert_int_equal(
			query_run(desk.store, &desk.err,
				"INSERT INTO turns (group_folder, chat_jid, first_seq, last_seq,"
				" state, created_at, ended_at) VALUES ('g', 'x:1', 1, 1, ?1, ?2,"
				" ?2)",
				"ss", i == 1 ? "claimed" : "delivered",
				i == 2 ? desk.recent : desk.old),
			0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO outbox (key, turn, group_folder, chat_jid, kind, part,"
			" parts, content, state, created_at) VALUES ('a', 1, 'g', 'x:1',"
			" 'answer', 1, 1, 'x', 'sent', 'x'), ('b', 4, 'g', 'x:1', 'answer',"
			" 1, 1, 'x', 'waiting', 'x')",
			""),
		0);
	retain(&desk);
	assert_int_equal(query_number(desk.store, -1, &number, &desk.err,
				 "SELECT group_concat(id, '') = '234' FROM turns", ""),
		0);
	assert_int_equal(number, 1);
	assert_int_equal(query_number(desk.store, -1, &number, &desk.err,
				 "SELECT count(*) FROM outbox", ""),
		0);
	assert_int_equal(number, 1);
}

TESTS(IN_TEMPDIR(old_messages_go_and_what_waits_stays),
	IN_TEMPDIR(a_group_has_only_so_many_and_takes_none_from_others),
	IN_TEMPDIR(long_messages_are_bounded_in_bytes),
	IN_TEMPDIR(turns_and_runs_that_are_over_go_with_their_steps))
