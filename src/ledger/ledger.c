#include "ledger/ledger.h"

#include <assert.h>
#include <string.h>

#include "db/query.h"
#include "ledger/sessions.h"
#include "ledger/task_runs.h"
#include "time/timestamp.h"

void turn_release(struct turn *turn)
{
	free(turn->group_folder);
	free(turn->chat_jid);
	*turn = TURN_INIT;
}

/* --- receive ----------------------------------------------------------------- */

int ledger_receive(struct store *store, const struct arrival *a, int64_t now, int64_t *ret_seq,
	bool *ret_new, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	char time[TIMESTAMP_SIZE];
	char received[TIMESTAMP_SIZE];
	int64_t seq;
	bool is_new;

	timestamp_format(a->time, time);
	timestamp_format(now, received);
	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"INSERT OR IGNORE INTO messages (id, chat_jid, sender, sender_name, content,"
			" timestamp, is_from_me, channel, group_folder, received_at, wants_answer,"
			" alone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"ssssvsisssii", a->id, a->chat_jid, a->sender, a->sender_name,
			a->content, time, (int64_t)a->from_me, a->channel, a->group_folder,
			received, (int64_t)a->wants_answer, (int64_t)a->alone) < 0)
		return -1;
	is_new = store_changes(store) > 0;
	if (query_number(store, 0, &seq, err,
		    "SELECT seq FROM messages WHERE chat_jid = ? AND id = ? AND channel = ?",
		    "sss", a->chat_jid, a->id, a->channel) < 0)
		return -1;
	if (txn_commit(&txn, "receive", err) < 0)
		return -1;
	*ret_seq = seq;
	*ret_new = is_new;
	return 0;
}

/* --- turns ------------------------------------------------------------------- */

int ledger_groups_with_work(struct store *store, struct buf *ret_folders, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT group_folder FROM turns WHERE state = 'claimed' AND lane = '' UNION"
		    " SELECT group_folder FROM messages"
		    " WHERE state = 'received' AND wants_answer = 1",
		    "") < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0)
		buf_appendf(ret_folders, "%s\n", query_text(&q, 0));
	return more;
}

int ledger_waiting_chats(
	struct store *store, const char *folder, struct buf *ret_chats, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT chat_jid FROM turns WHERE group_folder = ?1 AND state = 'claimed'"
		    " AND run IS NULL UNION SELECT chat_jid FROM messages"
		    " WHERE group_folder = ?1 AND state = 'received' AND wants_answer = 1",
		    "s", folder) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0)
		buf_appendf(ret_chats, "%s\n", query_text(&q, 0));
	return more;
}

static int64_t time_of(const char *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int64_t ms = 0;

	timestamp_parse(view_of(text), &ms, &ignored);
	return ms;
}

static int open_turn(struct store *store, const char *folder, const char *lane,
	struct turn *ret_turn, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT id, group_folder, chat_jid, first_seq, last_seq, failures,"
		    " interruptions, not_before, run FROM turns"
		    " WHERE group_folder = ? AND lane = ? AND state = 'claimed'",
		    "ss", folder, lane) < 0)
		return -1;
	more = query_next(&q, err);
	if (more <= 0)
		return more;
	*ret_turn = (struct turn){
		.id = query_int(&q, 0),
		.group_folder = query_copy(&q, 1),
		.chat_jid = query_copy(&q, 2),
		.first_seq = query_int(&q, 3),
		.last_seq = query_int(&q, 4),
		.failures = (int)query_int(&q, 5),
		.interruptions = (int)query_int(&q, 6),
		.not_before = time_of(query_text(&q, 7)),
		.run = query_int(&q, 8),
	};
	return 1;
}

/* The oldest message of the group that waits for an answer, its chat and arrival. */
static int oldest_waiting(struct store *store, const char *folder, char **ret_chat,
	int64_t *ret_seq, char **ret_received, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT chat_jid, seq, received_at FROM messages WHERE group_folder = ?"
		    " AND state = 'received' AND wants_answer = 1 ORDER BY seq LIMIT 1",
		    "s", folder) < 0)
		return -1;
	more = query_next(&q, err);
	if (more <= 0)
		return more;
	*ret_chat = query_copy(&q, 0);
	*ret_seq = query_int(&q, 1);
	*ret_received = query_copy(&q, 2);
	return 1;
}

/* Where the context before message `seq` begins: not before the cursor. */
static int context_start(struct store *store, const char *chat, int64_t seq, int64_t *ret_first,
	struct error *err)
{
	return query_number(store, seq, ret_first, err,
		"SELECT coalesce(min(seq), ?2) FROM (SELECT seq FROM messages"
		" WHERE chat_jid = ?1 AND seq < ?2 AND state = 'received'"
		" AND seq > coalesce((SELECT seq FROM cursors WHERE chat_jid = ?1), 0)"
		" ORDER BY seq DESC LIMIT ?3)",
		"sii", chat, seq, (int64_t)TURN_MAX_CONTEXT);
}

/*
 * The newest message from `seq` on that wants an answer and fits into the turn: up to one
 * that has a turn to itself, or that one alone.
 */
static int turn_end(struct store *store, const char *chat, int64_t seq, int64_t *ret_last,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int64_t bytes = 0;
	int more;

	if (query_start(store, &q, err,
		    "SELECT seq, wants_answer, length(content), alone FROM messages"
		    " WHERE chat_jid = ? AND seq >= ? AND state = 'received'"
		    " ORDER BY seq LIMIT ?",
		    "sii", chat, seq, (int64_t)TURN_MAX_MESSAGES) < 0)
		return -1;
	*ret_last = seq;
	while ((more = query_next(&q, err)) > 0) {
		bytes += query_int(&q, 2);
		if (bytes > TURN_MAX_BYTES || query_int(&q, 3))
			return 0;
		if (query_int(&q, 1))
			*ret_last = query_int(&q, 0);
	}
	return more;
}

static int insert_turn(struct store *store, const struct turn *turn, int64_t now,
	int64_t *ret_id, struct error *err)
{
	char time[TIMESTAMP_SIZE];

	timestamp_format(now, time);
	if (query_run(store, err,
		    "INSERT INTO turns (group_folder, chat_jid, first_seq, last_seq, state,"
		    " created_at) VALUES (?, ?, ?, ?, 'claimed', ?)",
		    "ssiis", turn->group_folder, turn->chat_jid, turn->first_seq,
		    turn->last_seq, time) < 0)
		return -1;
	*ret_id = sqlite3_last_insert_rowid(store_database(store));
	/* Also what lies before the context: it is not shown, but it is answered. */
	return query_run(store, err,
		"UPDATE messages SET state = 'claimed', turn = ?"
		" WHERE chat_jid = ? AND seq <= ? AND state = 'received'",
		"isi", *ret_id, turn->chat_jid, turn->last_seq);
}

/* A turn for a run has no messages: its first and last are 0. */
static int claim_run(struct store *store, const char *folder, const char *isolated_task,
	const struct task_run *run, const char *chat, int64_t now, struct turn *ret_turn,
	struct error *err)
{
	char time[TIMESTAMP_SIZE];
	int64_t id;

	timestamp_format(now, time);
	if (query_run(store, err,
		    "INSERT INTO turns (group_folder, chat_jid, first_seq, last_seq, state,"
		    " created_at, run, lane) VALUES (?, ?, 0, 0, 'claimed', ?, ?, ?)",
		    "sssis", folder, chat, time, run->id,
		    isolated_task ? isolated_task : "") < 0)
		return -1;
	id = sqlite3_last_insert_rowid(store_database(store));
	if (task_run_begin(store, run->id, id, now, err) < 0)
		return -1;
	*ret_turn = (struct turn){
		.id = id,
		.group_folder = xstrdup(folder),
		.chat_jid = xstrdup(chat),
		.run = run->id,
	};
	return 0;
}

static int claim(struct store *store, const char *folder, int64_t now, struct turn *ret_turn,
	struct error *err)
{
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(task_run_release) struct task_run run = TASK_RUN_INIT;
	CLEANUP(freep) char *run_chat = NULL;
	CLEANUP(freep) char *received = NULL;
	int64_t oldest;
	int found = oldest_waiting(store, folder, &turn.chat_jid, &oldest, &received, err);

	if (found < 0 || task_run_oldest(store, folder, NULL, &run, &run_chat, err) < 0)
		return -1;
	if (run.id && (!found || strcmp(run.queued_at, received) <= 0))
		return claim_run(store, folder, NULL, &run, run_chat, now, ret_turn, err);
	if (!found)
		return 0;
	turn.group_folder = xstrdup(folder);
	if (context_start(store, turn.chat_jid, oldest, &turn.first_seq, err) < 0 ||
		turn_end(store, turn.chat_jid, oldest, &turn.last_seq, err) < 0 ||
		insert_turn(store, &turn, now, &turn.id, err) < 0)
		return -1;
	*ret_turn = turn;
	turn = TURN_INIT;
	return 0;
}

int ledger_next_turn(struct store *store, const char *folder, int64_t now,
	struct turn *ret_turn, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(turn_release) struct turn turn = TURN_INIT;

	if (txn_begin(&txn, store, err) < 0 || open_turn(store, folder, "", &turn, err) < 0 ||
		(!turn.id && claim(store, folder, now, &turn, err) < 0))
		return -1;
	if (txn_commit(&txn, "claim", err) < 0)
		return -1;
	*ret_turn = turn;
	turn = TURN_INIT;
	return 0;
}

int ledger_has_work(struct store *store, const char *folder, const char *isolated_task,
	bool *ret_has_work, struct error *err)
{
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(task_run_release) struct task_run run = TASK_RUN_INIT;
	CLEANUP(freep) char *chat = NULL;
	CLEANUP(freep) char *run_chat = NULL;
	CLEANUP(freep) char *received = NULL;
	int64_t seq;
	int found = 0;

	if (open_turn(store, folder, isolated_task ? isolated_task : "", &turn, err) < 0 ||
		task_run_oldest(store, folder, isolated_task, &run, &run_chat, err) < 0)
		return -1;
	if (!isolated_task)
		found = oldest_waiting(store, folder, &chat, &seq, &received, err);
	*ret_has_work = turn.id || run.id || found > 0;
	return found < 0 ? -1 : 0;
}

void next_alone_release(struct next_alone *next)
{
	free(next->chat_jid);
	free(next->sender);
	free(next->content);
	*next = (struct next_alone){0};
}

int ledger_next_alone(
	struct store *store, const char *folder, struct next_alone *ret_next, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	CLEANUP(task_run_release) struct task_run run = TASK_RUN_INIT;
	CLEANUP(freep) char *run_chat = NULL;
	int more;

	*ret_next = (struct next_alone){0};
	if (task_run_oldest(store, folder, NULL, &run, &run_chat, err) < 0 ||
		query_start(store, &q, err,
			"SELECT seq, chat_jid, sender, content, received_at, alone"
			" FROM messages WHERE group_folder = ?1 AND state = 'received'"
			" AND wants_answer = 1 AND NOT EXISTS (SELECT 1 FROM turns"
			" WHERE group_folder = ?1 AND lane = '' AND state = 'claimed')"
			" ORDER BY seq LIMIT 1",
			"s", folder) < 0)
		return -1;
	more = query_next(&q, err);
	/* As in claim(): the older of both is next. */
	if (more <= 0 || !query_int(&q, 5) ||
		(run.id && strcmp(run.queued_at, query_text(&q, 4)) <= 0))
		return more < 0 ? -1 : 0;
	*ret_next = (struct next_alone){
		query_int(&q, 0), query_copy(&q, 1), query_copy(&q, 2), query_copy(&q, 3)};
	return 0;
}

static int claim_isolated(struct store *store, const char *folder, const char *task_id,
	int64_t now, struct turn *ret_turn, struct error *err)
{
	CLEANUP(task_run_release) struct task_run run = TASK_RUN_INIT;
	CLEANUP(freep) char *chat = NULL;

	if (task_run_oldest(store, folder, task_id, &run, &chat, err) < 0)
		return -1;
	if (!run.id)
		return 0;
	return claim_run(store, folder, task_id, &run, chat, now, ret_turn, err);
}

int ledger_next_isolated(struct store *store, const char *folder, const char *task_id,
	int64_t now, struct turn *ret_turn, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(turn_release) struct turn turn = TURN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		open_turn(store, folder, task_id, &turn, err) < 0 ||
		(!turn.id && claim_isolated(store, folder, task_id, now, &turn, err) < 0))
		return -1;
	if (txn_commit(&txn, "claim", err) < 0)
		return -1;
	*ret_turn = turn;
	turn = TURN_INIT;
	return 0;
}

int ledger_turn_messages(struct store *store, const struct turn *turn,
	void (*each)(const struct turn_message *message, void *data), void *data,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT sender_name, sender, content, timestamp, wants_answer FROM messages"
		    " WHERE turn = ? AND seq >= ? ORDER BY seq",
		    "ii", turn->id, turn->first_seq) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0)
		each(&(struct turn_message){query_text(&q, 0), query_text(&q, 1),
			     query_text(&q, 2), query_text(&q, 3), query_int(&q, 4)},
			data);
	return more;
}

/* --- attempts ---------------------------------------------------------------- */

int ledger_attempt(struct store *store, const struct turn *turn, const char *session_id,
	int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	char time[TIMESTAMP_SIZE];

	timestamp_format(now, time);
	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"INSERT INTO attempts (turn, number, started_at, outcome, session_id)"
			" SELECT ?1, 1 + coalesce(max(number), 0), ?2, 'running', ?3"
			" FROM attempts WHERE turn = ?1",
			"iss", turn->id, time, session_id) < 0)
		return -1;
	return txn_commit(&txn, "attempt", err);
}

static int end_attempt(struct store *store, int64_t turn, const char *outcome,
	const char *detail, int64_t now, struct error *err)
{
	char time[TIMESTAMP_SIZE];

	timestamp_format(now, time);
	return query_run(store, err,
		"UPDATE attempts SET outcome = ?, detail = ?, ended_at = ?"
		" WHERE turn = ? AND outcome = 'running'",
		"sssi", outcome, detail, time, turn);
}

int ledger_attempt_ended(struct store *store, const struct turn *turn, enum attempt_end end,
	const char *detail, int64_t not_before, int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	static const char *const outcomes[] = {
		[ATTEMPT_FAILED] = "failed",
		[ATTEMPT_INTERRUPTED] = "interrupted",
		[ATTEMPT_STOPPED] = "stopped",
		[ATTEMPT_FRESH] = "fresh",
	};
	char time[TIMESTAMP_SIZE] = "";

	if (not_before)
		timestamp_format(not_before, time);
	if (txn_begin(&txn, store, err) < 0 ||
		end_attempt(store, turn->id, outcomes[end], detail, now, err) < 0 ||
		query_run(store, err,
			"UPDATE turns SET failures = failures + ?,"
			" interruptions = interruptions + ?, not_before = nullif(?, '')"
			" WHERE id = ? AND state = 'claimed'",
			"iisi", (int64_t)(end == ATTEMPT_FAILED),
			(int64_t)(end == ATTEMPT_INTERRUPTED), time, turn->id) < 0)
		return -1;
	return txn_commit(&txn, "fail", err);
}

int ledger_recover(struct store *store, int64_t now, int *ret_count, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	char time[TIMESTAMP_SIZE];

	timestamp_format(now, time);
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
			"s", time) < 0)
		return -1;
	*ret_count = store_changes(store);
	return txn_commit(&txn, "recover", err);
}

/* --- answer ------------------------------------------------------------------ */

static int add_parts(struct store *store, const struct turn *turn, const struct answer *answer,
	int64_t now, struct error *err)
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

static int settle(struct store *store, const struct turn *turn, const struct answer *answer,
	int64_t now, struct error *err)
{
	const char *state = answer->part_count ? "answered" : "delivered";
	char time[TIMESTAMP_SIZE];

	timestamp_format(now, time);
	if (query_run(store, err,
		    "UPDATE turns SET state = ?, ended_at = ?, error = ?, not_before = NULL"
		    " WHERE id = ? AND state = 'claimed'",
		    "sssi", state, time, answer->error, turn->id) < 0)
		return -1;
	/* A bug, not an error: nobody else ends a turn, and the group cannot be gone. */
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

int ledger_answer(struct store *store, const struct turn *turn, const struct answer *answer,
	int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		(answer->kind == OUTBOX_ANSWER &&
			end_attempt(store, turn->id, "answered", NULL, now, err) < 0) ||
		settle(store, turn, answer, now, err) < 0 ||
		add_parts(store, turn, answer, now, err) < 0 ||
		(answer->session_id && store_session_used(store, turn->group_folder,
					       answer->session_id, now, err) < 0))
		return -1;
	return txn_commit(&txn, answer->kind == OUTBOX_ANSWER ? "answer" : "give-up", err);
}

int ledger_state(struct store *store, int64_t seq, char **ret_state, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err, "SELECT state FROM messages WHERE seq = ?", "i", seq) <
		0)
		return -1;
	more = query_next(&q, err);
	if (more < 0)
		return -1;
	*ret_state = xstrdup(more ? query_text(&q, 0) : "");
	return 0;
}
