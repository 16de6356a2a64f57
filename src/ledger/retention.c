#include "ledger/retention.h"

#include "db/query.h"
#include "ledger/task_runs.h"

/* Smaller than RETENTION_MESSAGES of one word each. */
#define LEAST_BYTES (INT64_C(8) * 1024 * 1024)
#define DAY_MS      ((int64_t)24 * 60 * 60 * 1000)

/* Messages without an answer pending. */
#define SETTLED "(state = 'delivered' OR (state = 'received' AND wants_answer = 0))"

int store_retain(struct store *store, int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	int64_t oldest = now - RETENTION_DAYS * DAY_MS;
	int64_t bytes;

	if (txn_begin(&txn, store, err) < 0)
		return -1;
	/* Old messages. Times go up with the numbers, so only the first ones are read. */
	if (query_run(store, err,
		    "DELETE FROM messages WHERE seq IN (SELECT seq FROM (SELECT seq, received_at,"
		    " state, wants_answer FROM messages ORDER BY seq LIMIT ?2)"
		    " WHERE received_at < ?1 AND " SETTLED ")",
		    "td", oldest, RETENTION_BATCH) < 0 ||
		query_number(store, 0, &bytes, err,
			"SELECT page_count * page_size"
			" FROM pragma_page_count, pragma_page_size",
			"") < 0)
		return -1;
	/* Messages beyond the limits of their group. This reads all texts. */
	if (bytes >= LEAST_BYTES &&
		query_run(store, err,
			"DELETE FROM messages WHERE seq IN (SELECT seq FROM"
			" (SELECT seq, state, wants_answer, row_number() OVER newest AS number,"
			" sum(length(content)) OVER newest AS bytes FROM messages"
			" WINDOW newest AS (PARTITION BY group_folder ORDER BY seq DESC))"
			" WHERE (number > ?1 OR bytes > ?2) AND " SETTLED
			" ORDER BY seq LIMIT ?3)",
			"did", RETENTION_MESSAGES, RETENTION_BYTES, RETENTION_BATCH) < 0)
		return -1;
	/* Turns: of messages when these are gone, of runs after as long. */
	if (query_run(store, err,
		    "DELETE FROM turns WHERE id IN (SELECT id FROM (SELECT * FROM turns ORDER BY id"
		    " LIMIT ?2) t WHERE state = 'delivered'"
		    " AND (run IS NULL OR ended_at < ?1)"
		    " AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.turn = t.id)"
		    " AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.turn = t.id"
		    " AND o.state = 'waiting') AND (ended_at < ?1 OR last_seq <"
		    " (SELECT coalesce(min(seq), 0) FROM messages m"
		    " WHERE m.group_folder = t.group_folder)))",
		    "td", oldest, RETENTION_BATCH) < 0)
		return -1;
	/* Runs of tasks, and texts of no turn. */
	if (query_run(store, err,
		    "DELETE FROM task_runs WHERE id IN (SELECT id FROM (SELECT id, ended_at,"
		    " row_number() OVER (PARTITION BY task_id ORDER BY id DESC) AS number"
		    " FROM task_runs) WHERE ended_at IS NOT NULL"
		    " AND (ended_at < ?1 OR number > ?2) ORDER BY id LIMIT ?3)",
		    "tdd", oldest, TASK_RUNS_MAX, RETENTION_BATCH) < 0 ||
		query_run(store, err,
			"DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE turn IS NULL"
			" AND state <> 'waiting' AND created_at < ?1 ORDER BY id LIMIT ?2)",
			"td", oldest, RETENTION_BATCH) < 0)
		return -1;
	return txn_commit(&txn, "retention", err);
}
