#include "db/check.h"

#include <string.h>

#include "db/query.h"
#include "time/timestamp.h"

void store_check_release(struct store_check *check)
{
	free(check->fault);
}

void store_troubles_release(struct store_troubles *troubles)
{
	free(troubles->failed_task);
}

/* --- is it sound? ------------------------------------------------------------ */

static int find_fault(struct store *store, char **ret_fault, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err, "PRAGMA quick_check(1)", "") < 0)
		return -1;
	more = query_next(&q, err);
	if (more < 0)
		return -1;
	*ret_fault = more && strcmp(query_text(&q, 0), "ok") != 0 ? query_copy(&q, 0) : NULL;
	return 0;
}

static int count_orphans(struct store *store, int64_t *ret_count, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err, "PRAGMA foreign_key_check", "") < 0)
		return -1;
	for (*ret_count = 0; (more = query_next(&q, err)) > 0;)
		(*ret_count)++;
	return more;
}

static int find_newest(struct store *store, int64_t *ret_time, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	*ret_time = 0;
	if (query_start(store, &q, err,
		    "SELECT received_at FROM messages ORDER BY seq DESC LIMIT 1", "") < 0)
		return -1;
	more = query_next(&q, err);
	return more > 0 ? timestamp_parse(view_of(query_text(&q, 0)), ret_time, err) : more;
}

int store_check(struct store *store, struct store_check *ret_check, struct error *err)
{
	CLEANUP(store_check_release) struct store_check check = STORE_CHECK_INIT;

	if (find_fault(store, &check.fault, err) < 0)
		return -1;
	/* The rows of a damaged file prove nothing. */
	if (!check.fault && (count_orphans(store, &check.orphans, err) < 0 ||
				    find_newest(store, &check.newest, err) < 0))
		return -1;
	*ret_check = check;
	check = STORE_CHECK_INIT;
	return 0;
}

/* --- warnings ---------------------------------------------------------------- */

int store_troubles(struct store *store, int64_t since, int64_t before,
	struct store_troubles *ret_troubles, struct error *err)
{
	CLEANUP(store_troubles_release) struct store_troubles troubles = STORE_TROUBLES_INIT;
	CLEANUP(query_end) struct query dead = QUERY_INIT;
	CLEANUP(query_end) struct query old_turns = QUERY_INIT;
	CLEANUP(query_end) struct query failed_tasks = QUERY_INIT;
	char since_text[TIMESTAMP_SIZE], before_text[TIMESTAMP_SIZE];

	timestamp_format(since, since_text);
	timestamp_format(before, before_text);
	if (query_start(store, &dead, err,
		    "SELECT count(*), max(turn) FROM outbox WHERE state = 'dead' AND "
		    "ended_at >= ?",
		    "s", since_text) < 0 ||
		query_next(&dead, err) < 0)
		return -1;
	troubles.dead = query_int(&dead, 0);
	troubles.dead_turn = query_int(&dead, 1);
	if (query_start(store, &old_turns, err,
		    "SELECT count(*), min(id) FROM turns WHERE state = 'claimed' AND "
		    "created_at < ?",
		    "s", before_text) < 0 ||
		query_next(&old_turns, err) < 0)
		return -1;
	troubles.old_turns = query_int(&old_turns, 0);
	troubles.old_turn = query_int(&old_turns, 1);
	if (query_start(store, &failed_tasks, err,
		    "SELECT count(*), min(id) FROM scheduled_tasks WHERE status = 'active' "
		    "AND (SELECT outcome FROM task_runs WHERE task_id = scheduled_tasks.id "
		    "AND ended_at IS NOT NULL ORDER BY task_runs.id DESC LIMIT 1) = 'failed'",
		    "") < 0 ||
		query_next(&failed_tasks, err) < 0)
		return -1;
	troubles.failed_tasks = query_int(&failed_tasks, 0);
	troubles.failed_task = query_copy(&failed_tasks, 1);
	if (query_number(store, 0, &troubles.retried, err,
		    "SELECT count(*) FROM outbox WHERE state = 'waiting' AND attempts >= 3",
		    "") < 0)
		return -1;
	*ret_troubles = troubles;
	troubles = STORE_TROUBLES_INIT;
	return 0;
}
