#include "ledger/turns.h"

#include <assert.h>
#include <string.h>

#include "db/query.h"
#include "ledger/groups.h"
#include "ledger/task_runs.h"

static const struct row_column turn_columns[] = {
	ROW_COLUMN(struct turn, id),
	ROW_COLUMN(struct turn, group_folder),
	ROW_COLUMN(struct turn, chat_jid),
	ROW_COLUMN(struct turn, first_seq),
	ROW_COLUMN(struct turn, last_seq),
	ROW_COLUMN(struct turn, failures),
	ROW_COLUMN(struct turn, interruptions),
	ROW_TIME(struct turn, not_before),
	ROW_COLUMN(struct turn, run),
	{0},
};

static const struct row_type turn_row_type = {sizeof(struct turn), turn_columns};

static const struct row_column waiting_columns[] = {
	ROW_COLUMN(struct waiting_message, seq),
	ROW_COLUMN(struct waiting_message, chat_jid),
	ROW_COLUMN(struct waiting_message, sender),
	ROW_COLUMN(struct waiting_message, content),
	ROW_COLUMN(struct waiting_message, alone),
	ROW_COLUMN(struct waiting_message, received_at),
	{0},
};

static const struct row_type waiting_row_type = {
	sizeof(struct waiting_message), waiting_columns};

void turn_release(struct turn *turn)
{
	row_release(&turn_row_type, turn);
}

void waiting_message_release(struct waiting_message *message)
{
	row_release(&waiting_row_type, message);
}

/* --- the next turn ------------------------------------------------------------- */

int turn_groups_with_work(struct store *store, struct buf *ret_folders, struct error *err)
{
	return query_lines(store, ret_folders, err,
		"SELECT group_folder FROM (SELECT group_folder FROM turns"
		" WHERE state = 'claimed' AND lane = '' UNION SELECT group_folder FROM messages"
		" WHERE state = 'received' AND wants_answer = 1) WHERE group_folder NOT IN " GROUPS_IN_BIN,
		"");
}

int turn_waiting_chats(
	struct store *store, const char *folder, struct buf *ret_chats, struct error *err)
{
	return query_lines(store, ret_chats, err,
		"SELECT chat_jid FROM turns WHERE group_folder = ?1 AND state = 'claimed'"
		" AND run IS NULL UNION SELECT chat_jid FROM messages"
		" WHERE group_folder = ?1 AND state = 'received' AND wants_answer = 1",
		"s", folder);
}

static int open_turn(struct store *store, const char *folder, const char *isolated_task,
	struct turn *ret_turn, struct error *err)
{
	return query_row(store, &turn_row_type, ret_turn, err,
		"SELECT id, group_folder, chat_jid, first_seq, last_seq, failures,"
		" interruptions, not_before, run FROM turns"
		" WHERE group_folder = ? AND lane = ? AND state = 'claimed'"
		" AND group_folder NOT IN " GROUPS_IN_BIN,
		"ss", folder, isolated_task ? isolated_task : "");
}

/*
 * Of the oldest run that waits in a lane and the oldest message that wants an answer, the older
 * one; isolated tasks have no messages. Both are empty if there is neither.
 */
static int next_work(struct store *store, const char *folder, const char *isolated_task,
	struct waiting_run *ret_run, struct waiting_message *ret_message, struct error *err)
{
	if (task_run_oldest(store, folder, isolated_task, ret_run, err) < 0)
		return -1;
	if (!isolated_task &&
		query_row(store, &waiting_row_type, ret_message, err,
			"SELECT seq, chat_jid, sender, content, alone, received_at"
			" FROM messages m WHERE group_folder = ?1"
			" AND state = 'received' AND wants_answer = 1"
			" AND group_folder NOT IN " GROUPS_IN_BIN
			" AND NOT EXISTS (SELECT 1 FROM messages h WHERE h.group_folder = ?1"
			"  AND h.held_until IS NOT NULL AND h.seq <= m.seq)"
			" ORDER BY seq LIMIT 1",
			"s", folder) < 0)
		return -1;
	if (!ret_run->id || !ret_message->seq)
		return 0;
	if (strcmp(ret_run->queued_at, ret_message->received_at) <= 0)
		waiting_message_release(ret_message);
	else
		waiting_run_release(ret_run);
	return 0;
}

int turn_has_work(struct store *store, const char *folder, const char *isolated_task,
	bool *ret_has_work, struct error *err)
{
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(waiting_run_release) struct waiting_run run = {0};
	CLEANUP(waiting_message_release) struct waiting_message message = {0};

	if (open_turn(store, folder, isolated_task, &turn, err) < 0 ||
		next_work(store, folder, isolated_task, &run, &message, err) < 0)
		return -1;
	*ret_has_work = turn.id || run.id || message.seq;
	return 0;
}

int turn_next_message(struct store *store, const char *folder,
	struct waiting_message *ret_message, struct error *err)
{
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(waiting_run_release) struct waiting_run run = {0};

	*ret_message = (struct waiting_message){0};
	if (open_turn(store, folder, NULL, &turn, err) < 0)
		return -1;
	return turn.id ? 0 : next_work(store, folder, NULL, &run, ret_message, err);
}

/* --- claiming ------------------------------------------------------------------ */

/* A turn for a run has no messages: its first and last are 0. */
static int claim_run(struct store *store, const char *folder, const char *isolated_task,
	const struct waiting_run *run, int64_t now, struct turn *ret_turn, struct error *err)
{
	int64_t id;

	if (query_run(store, err,
		    "INSERT INTO turns (group_folder, chat_jid, first_seq, last_seq, state,"
		    " created_at, run, lane) VALUES (?, ?, 0, 0, 'claimed', ?, ?, ?)",
		    "sstis", folder, run->chat_jid, now, run->id,
		    isolated_task ? isolated_task : "") < 0)
		return -1;
	id = sqlite3_last_insert_rowid(store_database(store));
	if (task_run_begin(store, run->id, id, now, err) < 0)
		return -1;
	*ret_turn = (struct turn){
		.id = id,
		.group_folder = xstrdup(folder),
		.chat_jid = xstrdup(run->chat_jid),
		.run = run->id,
	};
	return 0;
}

/*
 * The newest message from `seq` on that wants an answer and fits into the turn. A message with
 * a turn to itself ends the turn before it, unless it is the first; so does a message that
 * wants its answer in another thread, and one that waits for its files.
 */
static int last_message(struct store *store, const char *chat, int64_t seq, int64_t *ret_last,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int64_t bytes = 0;
	int more;

	if (query_start(store, &q, err,
		    "SELECT seq, wants_answer, length(content), alone,"
		    " thread IS NOT (SELECT thread FROM messages WHERE seq = ?2),"
		    " held_until IS NOT NULL FROM messages"
		    " WHERE chat_jid = ?1 AND seq >= ?2 AND state = 'received'"
		    " ORDER BY seq LIMIT ?3",
		    "sid", chat, seq, TURN_MAX_MESSAGES) < 0)
		return -1;
	*ret_last = seq;
	while ((more = query_next(&q, err)) > 0) {
		bytes += query_int(&q, 2);
		if (bytes > TURN_MAX_BYTES || query_int(&q, 3) || query_int(&q, 5) ||
			(query_int(&q, 1) && query_int(&q, 4)))
			return 0;
		if (query_int(&q, 1))
			*ret_last = query_int(&q, 0);
	}
	return more;
}

static int claim_messages(struct store *store, const char *folder, const char *chat,
	int64_t oldest, int64_t now, struct turn *ret_turn, struct error *err)
{
	int64_t first;
	int64_t last;
	int64_t id;

	/* The context before the message begins after the last answer. */
	if (query_number(store, oldest, &first, err,
		    "SELECT coalesce(min(seq), ?2) FROM (SELECT seq FROM messages"
		    " WHERE chat_jid = ?1 AND seq < ?2 AND state = 'received'"
		    " AND seq > coalesce((SELECT seq FROM cursors WHERE chat_jid = ?1), 0)"
		    " ORDER BY seq DESC LIMIT ?3)",
		    "sid", chat, oldest, TURN_MAX_CONTEXT) < 0 ||
		last_message(store, chat, oldest, &last, err) < 0 ||
		query_run(store, err,
			"INSERT INTO turns (group_folder, chat_jid, first_seq, last_seq, state,"
			" created_at) VALUES (?, ?, ?, ?, 'claimed', ?)",
			"ssiit", folder, chat, first, last, now) < 0)
		return -1;
	id = sqlite3_last_insert_rowid(store_database(store));
	/* Messages before the context are not shown to the agent, but count as answered. */
	if (query_run(store, err,
		    "UPDATE messages SET state = 'claimed', turn = ?"
		    " WHERE chat_jid = ? AND seq <= ? AND state = 'received'",
		    "isi", id, chat, last) < 0)
		return -1;
	*ret_turn = (struct turn){
		.id = id,
		.group_folder = xstrdup(folder),
		.chat_jid = xstrdup(chat),
		.first_seq = first,
		.last_seq = last,
	};
	return 0;
}

int turn_next(struct store *store, const char *folder, const char *isolated_task, int64_t now,
	struct turn *ret_turn, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(waiting_run_release) struct waiting_run run = {0};
	CLEANUP(waiting_message_release) struct waiting_message message = {0};

	if (txn_begin(&txn, store, err) < 0 ||
		open_turn(store, folder, isolated_task, &turn, err) < 0 ||
		(!turn.id && next_work(store, folder, isolated_task, &run, &message, err) < 0))
		return -1;
	if (run.id && claim_run(store, folder, isolated_task, &run, now, &turn, err) < 0)
		return -1;
	if (message.seq && claim_messages(store, folder, message.chat_jid, message.seq, now,
				   &turn, err) < 0)
		return -1;
	if (txn_commit(&txn, "claim", err) < 0)
		return -1;
	*ret_turn = turn;
	turn = TURN_INIT;
	return 0;
}

static const char *text_or_null(const struct query *q, int column)
{
	const char *text = query_text(q, column);

	return *text ? text : NULL;
}

int turn_messages(struct store *store, const struct turn *turn,
	void (*each)(const struct turn_message *message, void *data), void *data,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT m.sender_name, m.sender, m.content, m.timestamp, m.wants_answer,"
		    " m.thread, m.reference, coalesce(e.content, (SELECT content FROM outbox o"
		    "  WHERE o.chat_jid = m.chat_jid AND o.receipt = m.refers_to)),"
		    " e.sender_name, m.seq, e.seq, m.channel FROM messages m"
		    " LEFT JOIN messages e ON e.chat_jid = m.chat_jid AND e.id = m.refers_to"
		    "  AND e.channel = m.channel"
		    " WHERE m.turn = ? AND m.seq >= ? ORDER BY m.seq",
		    "ii", turn->id, turn->first_seq) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0)
		each(
			&(struct turn_message){
				.sender_name = query_text(&q, 0),
				.sender = query_text(&q, 1),
				.channel = query_text(&q, 11),
				.content = query_text(&q, 2),
				.timestamp = query_text(&q, 3),
				.wants_answer = query_int(&q, 4),
				.thread = text_or_null(&q, 5),
				.reference = text_or_null(&q, 6),
				.earlier = text_or_null(&q, 7),
				.earlier_name = query_int(&q, 10) ? query_text(&q, 8) : NULL,
				.seq = query_int(&q, 9),
			},
			data);
	return more;
}

/* --- attempts ------------------------------------------------------------------ */

int turn_attempt_begin(struct store *store, const struct turn *turn, const char *session_id,
	int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"INSERT INTO attempts (turn, number, started_at, outcome, session_id)"
			" SELECT ?1, 1 + coalesce(max(number), 0), ?2, 'running', ?3"
			" FROM attempts WHERE turn = ?1",
			"its", turn->id, now, session_id) < 0)
		return -1;
	return txn_commit(&txn, "attempt", err);
}

static int end_attempt(struct store *store, int64_t turn, const char *outcome,
	const char *detail, int64_t now, struct error *err)
{
	return query_run(store, err,
		"UPDATE attempts SET outcome = ?, detail = ?, ended_at = ?"
		" WHERE turn = ? AND outcome = 'running'",
		"ssti", outcome, detail, now, turn);
}

int turn_attempt_end(struct store *store, const struct turn *turn, enum attempt_end end,
	const char *detail, int64_t not_before, int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	static const char *const outcomes[] = {
		[ATTEMPT_FAILED] = "failed",
		[ATTEMPT_STOPPED] = "stopped",
		[ATTEMPT_FRESH] = "fresh",
		[ATTEMPT_LOST] = "interrupted",
	};

	if (txn_begin(&txn, store, err) < 0 ||
		end_attempt(store, turn->id, outcomes[end], detail, now, err) < 0 ||
		query_run(store, err,
			"UPDATE turns SET failures = failures + ?,"
			" interruptions = interruptions + ?, not_before = ?"
			" WHERE id = ? AND state = 'claimed'",
			"ddti", end == ATTEMPT_FAILED, end == ATTEMPT_LOST, not_before,
			turn->id) < 0)
		return -1;
	return txn_commit(&txn, "fail", err);
}

#define WITHOUT_PLACE "outcome = 'stopped' AND detail LIKE '" TURN_NO_PLACE "%'"

int turn_place_tries(struct store *store, int64_t turn, int64_t *ret_tries, int64_t *ret_since,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err,
		    "SELECT count(*), min(started_at) FROM attempts WHERE turn = ?1"
		    " AND " WITHOUT_PLACE " AND number > (SELECT coalesce(max(number), 0)"
		    "  FROM attempts WHERE turn = ?1 AND outcome <> 'running'"
		    "  AND NOT (" WITHOUT_PLACE "))",
		    "i", turn) < 0 ||
		query_next(&q, err) < 0)
		return -1;
	*ret_tries = query_int(&q, 0);
	*ret_since = query_time(&q, 1);
	return 0;
}

int turns_without_place(struct store *store, struct buf *ret_lines, struct error *err)
{
	return query_lines(store, ret_lines, err,
		"SELECT 't' || t.id || ' of ''' || t.group_folder || ''': ' || a.detail"
		" FROM turns t JOIN attempts a ON a.turn = t.id WHERE t.state = 'claimed'"
		" AND " WITHOUT_PLACE
		" AND a.number = (SELECT max(number) FROM attempts WHERE turn = t.id"
		"  AND outcome <> 'running')"
		" ORDER BY t.id",
		"");
}

int turn_recover(struct store *store, int64_t now, int *ret_count, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"UPDATE turns SET interruptions = interruptions + 1 WHERE state = 'claimed'"
			" AND id IN (SELECT turn FROM attempts WHERE outcome = 'running')",
			"") < 0 ||
		query_run(store, err,
			"UPDATE attempts SET outcome = 'interrupted', ended_at = ?,"
			" detail = 'the host was killed'"
			" WHERE outcome = 'running' AND turn IN"
			" (SELECT id FROM turns WHERE state = 'claimed')",
			"t", now) < 0)
		return -1;
	*ret_count = store_changes(store);
	return txn_commit(&txn, "recover", err);
}

int turn_step_add(struct store *store, int64_t turn, enum step_kind kind, const char *detail,
	int64_t now, struct error *err)
{
	return query_run(store, err,
		"INSERT INTO steps (turn, attempt, at, kind, detail)"
		" SELECT ?1, coalesce(max(number), 0), ?2, ?3, ?4 FROM attempts WHERE turn = ?1",
		"itss", turn, now, kind == STEP_SAID ? "said" : "tool", detail);
}

/* --- answers ------------------------------------------------------------------- */

static int turn_add_parts(struct store *store, const struct turn *turn,
	const struct answer *answer, int64_t now, struct error *err)
{
	for (size_t i = 0; i < answer->part_count; i++) {
		CLEANUP(freep)
		char *key = xasprintf(
			"%s-%lld-a%zu", store_installation(store), (long long)turn->id, i + 1);
		struct outbox_row row = {
			.key = key,
			.turn = turn->id,
			.group_folder = turn->group_folder,
			.chat_jid = turn->chat_jid,
			.kind = answer->kind,
			.part = (int)i + 1,
			.parts = (int)answer->part_count,
			.content = (char *)(uintptr_t)answer->parts[i],
		};

		if (outbox_add(store, &row, now, NULL, err) < 0)
			return -1;
	}
	return 0;
}

/* The turn ends, and with it its run, or its messages and the cursor of the chat. */
static int end_turn(struct store *store, const struct turn *turn, const struct answer *answer,
	int64_t now, struct error *err)
{
	const char *state = answer->part_count ? "answered" : "delivered";

	if (query_run(store, err,
		    "UPDATE turns SET state = ?, ended_at = ?, error = ?, not_before = NULL,"
		    " progress = NULL WHERE id = ? AND state = 'claimed'",
		    "stsi", state, now, answer->error, turn->id) < 0)
		return -1;
	/* Nothing else ends a turn, and a group that is removed has no worker. */
	assert(store_changes(store) == 1);
	if (turn->run)
		return task_run_end(store, turn->run,
			answer->part_count ? answer->parts[0] : NULL, answer->error, now, err);
	if (query_run(store, err, "UPDATE messages SET state = ? WHERE turn = ?", "si", state,
		    turn->id) < 0)
		return -1;
	return query_run(store, err,
		"INSERT INTO cursors (chat_jid, seq) VALUES (?1, ?2)"
		" ON CONFLICT (chat_jid) DO UPDATE SET seq = max(seq, ?2)",
		"si", turn->chat_jid, turn->last_seq);
}

int turn_answer(struct store *store, const struct turn *turn, const struct answer *answer,
	int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		(answer->kind == OUTBOX_ANSWER &&
			end_attempt(store, turn->id, "answered", NULL, now, err) < 0) ||
		end_turn(store, turn, answer, now, err) < 0 ||
		turn_add_parts(store, turn, answer, now, err) < 0 ||
		(answer->session_id && store_session_used(store, turn->group_folder,
					       answer->session_id, now, err) < 0))
		return -1;
	return txn_commit(&txn, answer->kind == OUTBOX_ANSWER ? "answer" : "give-up", err);
}
