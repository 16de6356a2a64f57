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

void trace_release(struct trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		free(trace->steps[i].time);
		free(trace->steps[i].what);
		free(trace->steps[i].detail);
	}
	free(trace->steps);
	free(trace->message);
	free(trace->chat);
	free(trace->group);
	free(trace->state);
}

static void add_trace_step(
	struct trace *trace, const char *time, const char *what, char *detail)
{
	GROW(trace->steps, trace->count, trace->cap);
	trace->steps[trace->count++] =
		(struct trace_step){xstrdup(time), xstrdup(what), detail};
}

/* Adds a step for each row of a query about the turn: its time, what happened, a detail. */
static int add_rows(
	struct store *store, struct trace *trace, const char *sql, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err, sql, "i", trace->turn) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0)
		add_trace_step(trace, query_text(&q, 0), query_text(&q, 1), query_copy(&q, 2));
	return more;
}

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

/* --- the messages ------------------------------------------------------------ */

static int find_turn(
	struct store *store, const char *word, struct trace *trace, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	char *end;
	long long id;
	int more;

	if (word[0] != 't' || word[1] < '0' || word[1] > '9')
		return 0;
	id = strtoll(word + 1, &end, 10);
	if (*end)
		return 0;
	if (query_start(store, &q, err,
		    "SELECT id, chat_jid, group_folder, state, error FROM turns WHERE id = ?",
		    "i", (int64_t)id) < 0)
		return -1;
	more = query_next(&q, err);
	if (more > 0) {
		trace->turn = query_int(&q, 0);
		trace->chat = query_copy(&q, 1);
		trace->group = query_copy(&q, 2);
		trace->state = query_copy(&q, 3);
	}
	return more < 0 ? -1 : 0;
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

static int find_message(
	struct store *store, const char *word, struct trace *trace, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT id, chat_jid, group_folder, state, turn, received_at, wants_answer,"
		    " sender_name FROM messages WHERE id = ? ORDER BY seq DESC LIMIT 1",
		    "s", word) < 0)
		return -1;
	more = query_next(&q, err);
	if (more <= 0)
		return more;
	if (check_single(store, word, err) < 0)
		return -1;
	trace->message = query_copy(&q, 0);
	trace->chat = query_copy(&q, 1);
	trace->group = query_copy(&q, 2);
	trace->state = query_copy(&q, 3);
	trace->turn = query_int(&q, 4);
	add_trace_step(trace, query_text(&q, 5), "received",
		xasprintf("message '%s' from %s in '%s'%s", trace->message, query_text(&q, 7),
			trace->chat,
			query_int(&q, 6) ? ""
					 : ", as context only: it does not ask for an answer"));
	return 0;
}

/* --- the turn ---------------------------------------------------------------- */

/* Adds the agent's steps of an attempt. */
static int add_steps(
	struct store *store, struct trace *trace, int64_t attempt, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT at, kind, detail FROM steps WHERE turn = ? AND attempt = ?"
		    " ORDER BY id",
		    "ii", trace->turn, attempt) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0)
		add_trace_step(trace, query_text(&q, 0), query_text(&q, 1), query_copy(&q, 2));
	return more;
}

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

static int add_attempts(struct store *store, struct trace *trace, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT number, started_at, ended_at, outcome, detail, session_id"
		    " FROM attempts WHERE turn = ? ORDER BY number",
		    "i", trace->turn) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		const char *session = query_text(&q, 5);
		const char *detail = query_text(&q, 4);

		add_trace_step(trace, query_text(&q, 1), "attempt",
			xasprintf("number %" PRId64 "%s%s", query_int(&q, 0),
				*session ? ", resuming session " : "", session));
		if (add_steps(store, trace, query_int(&q, 0), err) < 0)
			return -1;
		if (strcmp(query_text(&q, 3), "running") != 0)
			add_trace_step(trace, query_text(&q, 2), query_text(&q, 3),
				*detail ? xstrdup(detail) : NULL);
	}
	return more < 0 ? -1 : add_usage(store, trace, err);
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

	if (find_turn(store, word, &trace, err) < 0)
		return -1;
	if (trace.turn) {
		if (add_rows(store, &trace, MESSAGES_OF_TURN, err) < 0)
			return -1;
	} else {
		if (find_message(store, word, &trace, err) < 0)
			return -1;
		if (!trace.message) {
			CLEANUP(freep) char *shown = quote(view_of(word));

			error_set(err, ERROR_INVALID, "there is no message or turn %s", shown);
			return error_hint(err,
				"'nanoclaw trace' lists the last turns; messages of chats that "
				"are not registered are not kept");
		}
	}
	if (trace.turn && (add_rows(store, &trace, RUN_OF_TURN, err) < 0 ||
				  add_rows(store, &trace, CLAIM_OF_TURN, err) < 0 ||
				  add_attempts(store, &trace, err) < 0 ||
				  add_outbox(store, &trace, err) < 0))
		return -1;
	sort_steps(&trace);
	*ret_trace = trace;
	trace = TRACE_INIT;
	return 0;
}

void trace_turns_release(struct trace_turns *turns)
{
	for (size_t i = 0; i < turns->count; i++) {
		free(turns->list[i].time);
		free(turns->list[i].group);
		free(turns->list[i].state);
		free(turns->list[i].text);
	}
	free(turns->list);
}

int trace_recent(
	struct store *store, int64_t max, struct trace_turns *ret_turns, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT t.id, t.created_at, t.group_folder,"
		    " iif(t.error IS NULL, t.state, 'failed'),"
		    " coalesce((SELECT content FROM messages WHERE seq = t.first_seq),"
		    "  (SELECT k.prompt FROM task_runs r JOIN scheduled_tasks k ON k.id = r.task_id"
		    "   WHERE r.id = t.run), '')"
		    " FROM turns t ORDER BY t.id DESC LIMIT ?",
		    "i", max) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		GROW(ret_turns->list, ret_turns->count, ret_turns->cap);
		ret_turns->list[ret_turns->count++] =
			(struct trace_turn){query_int(&q, 0), query_copy(&q, 1),
				query_copy(&q, 2), query_copy(&q, 3), query_copy(&q, 4)};
	}
	return more;
}

int store_summarize(struct store *store, struct store_summary *ret_summary, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int64_t next_run;

	if (store_task_nearest(store, &next_run, err) < 0 ||
		query_start(store, &q, err,
			"SELECT (SELECT count(*) FROM registered_groups),"
			" (SELECT count(*) FROM messages),"
			" (SELECT count(*) FROM messages WHERE state = 'received'"
			" AND wants_answer = 1),"
			" (SELECT count(*) FROM turns WHERE state = 'claimed'),"
			" (SELECT count(*) FROM outbox WHERE state = 'waiting'),"
			" (SELECT count(*) FROM outbox WHERE state = 'dead'),"
			" (SELECT count(*) FROM scheduled_tasks WHERE status = 'active')",
			"") < 0 ||
		query_next(&q, err) < 0)
		return -1;
	*ret_summary = (struct store_summary){
		.groups = query_int(&q, 0),
		.messages = query_int(&q, 1),
		.waiting = query_int(&q, 2),
		.turns = query_int(&q, 3),
		.undelivered = query_int(&q, 4),
		.dead = query_int(&q, 5),
		.tasks = query_int(&q, 6),
		.next_run = next_run,
	};
	return 0;
}
