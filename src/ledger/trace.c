#include "ledger/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "db/query.h"
#include "ledger/tasks.h"

/* Maximum number of messages with the same id that an error names. */
#define MAX_NAMED 10

static const struct row_column trace_columns[] = {
	ROW_COLUMN(struct trace, message),
	ROW_COLUMN(struct trace, turn),
	ROW_COLUMN(struct trace, chat),
	ROW_COLUMN(struct trace, group),
	ROW_COLUMN(struct trace, state),
	{0},
};

static const struct row_type trace_row_type = {sizeof(struct trace), trace_columns};

void trace_release(struct trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		free(trace->steps[i].time);
		free(trace->steps[i].what);
		free(trace->steps[i].detail);
	}
	free(trace->steps);
	row_release(&trace_row_type, trace);
}

static void add_trace_step(
	struct trace *trace, const char *time, const char *what, char *detail)
{
	GROW(trace->steps, trace->count, trace->cap);
	trace->steps[trace->count++] =
		(struct trace_step){xstrdup(time), xstrdup(what), detail};
}

/* Adds a step for each row of a query: its time, what happened, a detail. */
static int add_rows(struct store *store, struct trace *trace, const char *sql, int64_t id,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err, sql, "i", id) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0)
		add_trace_step(trace, query_text(&q, 0), query_text(&q, 1), query_copy(&q, 2));
	return more;
}

#define ONE_MESSAGE                                                                            \
	"SELECT received_at, 'received', printf('message ''%s'' from %s in ''%s''%s', id,"     \
	" sender_name, chat_jid, iif(wants_answer, '',"                                        \
	" ', as context only: it does not ask for an answer')) FROM messages WHERE seq = ?"
#define MESSAGES_OF_TURN                                                                       \
	"SELECT received_at, 'received', printf('message ''%s'' from %s in ''%s''', id,"       \
	" sender_name, chat_jid) FROM messages WHERE turn = ? ORDER BY seq"
#define RUN_OF_TURN                                                                            \
	"SELECT r.queued_at, 'due', printf('task %s, for %s', r.task_id, r.scheduled_for)"     \
	" FROM turns t JOIN task_runs r ON r.id = t.run WHERE t.id = ?"
#define CLAIM_OF_TURN                                                                          \
	"SELECT created_at, 'claimed', printf('turn t%d of group ''%s'', %d message%s', id,"   \
	" group_folder, n, iif(n = 1, '', 's')) FROM (SELECT *, (SELECT count(*)"              \
	" FROM messages m WHERE m.turn = t.id) AS n FROM turns t WHERE id = ?)"
/* Of each attempt its beginning, the agent's steps, and its end. */
#define ATTEMPTS_OF_TURN                                                                       \
	"SELECT at, what, detail FROM (SELECT number, 0 AS rank, 0 AS id, started_at AS at,"   \
	" 'attempt' AS what, printf('number %d', number) || coalesce(', resuming session ' ||" \
	" nullif(session_id, ''), '') AS detail FROM attempts WHERE turn = ?1"                 \
	" UNION ALL SELECT attempt, 1, id, at, kind, detail FROM steps WHERE turn = ?1"        \
	" UNION ALL SELECT number, 2, 0, ended_at, outcome, nullif(detail, '') FROM attempts"  \
	" WHERE turn = ?1 AND outcome <> 'running') ORDER BY number, rank, id"

/* --- the messages ------------------------------------------------------------ */

/* The turn "t12", if there is one. */
static int find_turn(
	struct store *store, const char *word, struct trace *trace, struct error *err)
{
	char *end;
	long long id;

	if (word[0] != 't' || word[1] < '0' || word[1] > '9')
		return 0;
	id = strtoll(word + 1, &end, 10);
	if (*end)
		return 0;
	if (query_row(store, &trace_row_type, trace, err,
		    "SELECT NULL, id, chat_jid, group_folder, state FROM turns WHERE id = ?",
		    "i", (int64_t)id) < 0)
		return -1;
	return trace->turn ? add_rows(store, trace, MESSAGES_OF_TURN, trace->turn, err) : 0;
}

/* Platforms count in each chat: the same id can be there more than once. */
static int check_single(struct store *store, const char *word, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	CLEANUP(buf_release) struct buf list = BUF_INIT;
	unsigned count = 0;
	int more;

	if (query_start(store, &q, err,
		    "SELECT chat_jid, turn FROM messages WHERE id = ? ORDER BY seq DESC LIMIT ?",
		    "si", word, (int64_t)MAX_NAMED) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		buf_appendf(&list, count++ ? ", " : "");
		if (query_int(&q, 1))
			buf_appendf(&list, "t%" PRId64, query_int(&q, 1));
		else
			buf_append_str(&list, "one without a turn");
		buf_appendf(&list, " in '%s'", query_text(&q, 0));
	}
	if (more < 0 || count < 2)
		return more;
	CLEANUP(freep) char *shown = quote(view_of(word));

	error_set(
		err, ERROR_INVALID, "more than one message is called %s: %s", shown, list.data);
	return error_hint(err, "name it by its turn: 'nanoclaw trace t12'");
}

/* The chat of a message in a turn is the turn's. */
static int find_message(
	struct store *store, const char *word, struct trace *trace, struct error *err)
{
	int64_t seq;

	if (query_number(store, 0, &seq, err,
		    "SELECT seq FROM messages WHERE id = ? ORDER BY seq DESC LIMIT 1", "s",
		    word) < 0)
		return -1;
	if (!seq)
		return 0;
	if (check_single(store, word, err) < 0 ||
		query_row(store, &trace_row_type, trace, err,
			"SELECT m.id, m.turn, coalesce(t.chat_jid, m.chat_jid), m.group_folder,"
			" m.state FROM messages m LEFT JOIN turns t ON t.id = m.turn"
			" WHERE m.seq = ?",
			"i", seq) < 0)
		return -1;
	return add_rows(store, trace, ONE_MESSAGE, seq, err);
}

/* --- the turn ---------------------------------------------------------------- */

static int add_usage(struct store *store, struct trace *trace, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT at, input_tokens, output_tokens, cache_read_tokens,"
		    " cache_write_tokens, cost_micro_usd, cost_micro_usd IS NULL, model,"
		    " CASE estimated WHEN 0 THEN '' ELSE 'about ' END"
		    " FROM usage WHERE turn = ? ORDER BY id",
		    "i", trace->turn) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		const char *model = query_text(&q, 7);
		CLEANUP(freep)
		char *cost = query_int(&q, 6)
				     ? xstrdup("at an unknown price")
				     : xasprintf("$%.4f", (double)query_int(&q, 5) / 1e6);

		trace->used.requests++;
		trace->used.input_tokens += query_int(&q, 1);
		trace->used.output_tokens += query_int(&q, 2);
		trace->used.cache_read_tokens += query_int(&q, 3);
		trace->used.cache_write_tokens += query_int(&q, 4);
		trace->used.cost_micro_usd += query_int(&q, 5);
		trace->used.unpriced += query_int(&q, 6);
		add_trace_step(trace, query_text(&q, 0), "usage",
			xasprintf("%s%" PRId64 " tokens in, %" PRId64 " out, %" PRId64
				  " read from the cache and %" PRId64 " written to it, %s%s%s",
				query_text(&q, 8), query_int(&q, 1), query_int(&q, 2),
				query_int(&q, 3), query_int(&q, 4), cost, *model ? ", by " : "",
				model));
	}
	return more;
}

static char *describe_row(const struct query *q)
{
	const char *state = query_text(q, 2);
	const char *reason = query_text(q, 7);
	CLEANUP(freep) char *text = utf8_excerpt(view_of(query_text(q, 5)));

	return xasprintf("%s %" PRId64 " of %" PRId64 ", key %s: '%s'%s%s%s%s",
		query_text(q, 1), query_int(q, 3), query_int(q, 4), query_text(q, 0), text,
		*reason ? "; " : "", reason,
		strcmp(state, "waiting") != 0 ? "" : "; not delivered yet",
		query_int(q, 6) > 1 ? ", tried more than once" : "");
}

static int add_outbox(struct store *store, struct trace *trace, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT key, kind, state, part, parts, content, attempts, last_error,"
		    " created_at, ended_at FROM outbox WHERE turn = ? ORDER BY id",
		    "i", trace->turn) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		const char *ended = query_text(&q, 9);

		add_trace_step(trace, *ended ? ended : query_text(&q, 8), query_text(&q, 2),
			describe_row(&q));
	}
	return more;
}

/* By time; steps of the same time keep the order in which they were added. */
static void sort_steps(struct trace *trace)
{
	for (size_t i = 1; i < trace->count; i++)
		for (size_t k = i;
			k && strcmp(trace->steps[k].time, trace->steps[k - 1].time) < 0; k--) {
			struct trace_step step = trace->steps[k];

			trace->steps[k] = trace->steps[k - 1];
			trace->steps[k - 1] = step;
		}
}

int trace_find(
	struct store *store, const char *word, struct trace *ret_trace, struct error *err)
{
	CLEANUP(trace_release) struct trace trace = TRACE_INIT;

	if (find_turn(store, word, &trace, err) < 0 ||
		(!trace.turn && find_message(store, word, &trace, err) < 0))
		return -1;
	if (!trace.group) {
		CLEANUP(freep) char *shown = quote(view_of(word));

		error_set(err, ERROR_INVALID, "there is no message or turn %s", shown);
		if (*word && !word[strspn(word, "0123456789")])
			return error_hint(err, "did you mean the turn 't%s'?", word);
		return error_hint(err,
			"'nanoclaw trace' lists the last turns; messages of chats that are not "
			"registered are not kept");
	}
	if (trace.turn &&
		(add_rows(store, &trace, RUN_OF_TURN, trace.turn, err) < 0 ||
			add_rows(store, &trace, CLAIM_OF_TURN, trace.turn, err) < 0 ||
			add_rows(store, &trace, ATTEMPTS_OF_TURN, trace.turn, err) < 0 ||
			add_usage(store, &trace, err) < 0 ||
			add_outbox(store, &trace, err) < 0))
		return -1;
	sort_steps(&trace);
	*ret_trace = trace;
	trace = TRACE_INIT;
	return 0;
}

/* --- lists and numbers ------------------------------------------------------- */

static const struct row_column turn_columns[] = {
	ROW_COLUMN(struct trace_turn, turn),
	ROW_COLUMN(struct trace_turn, time),
	ROW_COLUMN(struct trace_turn, group),
	ROW_COLUMN(struct trace_turn, state),
	ROW_COLUMN(struct trace_turn, text),
	{0},
};

static const struct row_type turn_row_type = {sizeof(struct trace_turn), turn_columns};

void trace_turns_release(struct trace_turns *turns)
{
	rows_release(&turn_row_type, turns);
}

int trace_recent(
	struct store *store, int64_t max, struct trace_turns *ret_turns, struct error *err)
{
	return query_rows(store, &turn_row_type, ret_turns, err,
		"SELECT t.id, t.created_at, t.group_folder,"
		" iif(t.error IS NULL, t.state, 'failed'),"
		" coalesce((SELECT content FROM messages WHERE seq = t.first_seq),"
		"  (SELECT k.prompt FROM task_runs r JOIN scheduled_tasks k ON k.id = r.task_id"
		"   WHERE r.id = t.run), '')"
		" FROM turns t ORDER BY t.id DESC LIMIT ?",
		"i", max);
}

int store_summarize(struct store *store, struct store_summary *ret_summary, struct error *err)
{
	static const struct row_column columns[] = {
		ROW_COLUMN(struct store_summary, groups),
		ROW_COLUMN(struct store_summary, messages),
		ROW_COLUMN(struct store_summary, waiting),
		ROW_COLUMN(struct store_summary, turns),
		ROW_COLUMN(struct store_summary, undelivered),
		ROW_COLUMN(struct store_summary, dead),
		ROW_COLUMN(struct store_summary, tasks),
		{0},
	};
	int64_t next_run;

	if (store_task_nearest(store, &next_run, err) < 0 ||
		query_row(store, &(struct row_type){sizeof(*ret_summary), columns}, ret_summary,
			err,
			"SELECT (SELECT count(*) FROM registered_groups WHERE removed_at IS NULL),"
			" (SELECT count(*) FROM messages),"
			" (SELECT count(*) FROM messages WHERE state = 'received'"
			" AND wants_answer = 1),"
			" (SELECT count(*) FROM turns WHERE state = 'claimed'),"
			" (SELECT count(*) FROM outbox WHERE state = 'waiting'),"
			" (SELECT count(*) FROM outbox WHERE state = 'dead'),"
			" (SELECT count(*) FROM scheduled_tasks WHERE status = 'active')",
			"") < 0)
		return -1;
	ret_summary->next_run = next_run;
	return 0;
}
