#include "ledger/task_runs.h"

#include "base/utf8.h"
#include "db/query.h"

void task_run_release(struct task_run *run)
{
	free(run->task_id);
	free(run->scheduled_for);
	free(run->queued_at);
	free(run->started_at);
	free(run->ended_at);
	free(run->outcome);
	free(run->result);
	free(run->error);
	*run = TASK_RUN_INIT;
}

void task_run_list_release(struct task_run_list *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		task_run_release(&runs->list[i]);
	free(runs->list);
	*runs = (struct task_run_list){0};
}

/* --- changing ---------------------------------------------------------------- */

int task_run_add(struct store *store, const char *task_id, int64_t scheduled_for,
	const char *skipped, int64_t now, bool *ret_added, struct error *err)
{
	if (query_run(store, err,
		    "INSERT OR IGNORE INTO task_runs (task_id, scheduled_for, queued_at,"
		    " ended_at, outcome, error) VALUES (?1, ?2, ?3,"
		    " CASE WHEN ?4 IS NULL THEN NULL ELSE ?3 END,"
		    " CASE WHEN ?4 IS NULL THEN 'waiting' ELSE 'skipped' END, ?4)",
		    "stts", task_id, scheduled_for, now, skipped) < 0)
		return -1;
	*ret_added = store_changes(store) > 0;
	return 0;
}

int task_run_count(struct store *store, const char *task_id, struct task_run_counts *ret_counts,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err,
		    "SELECT count(*) FILTER (WHERE outcome = 'waiting'),"
		    " count(*) FILTER (WHERE outcome = 'running')"
		    " FROM task_runs WHERE task_id = ?",
		    "s", task_id) < 0 ||
		query_next(&q, err) < 0)
		return -1;
	*ret_counts = (struct task_run_counts){query_int(&q, 0), query_int(&q, 1)};
	return 0;
}

int task_run_cancel_waiting(
	struct store *store, const char *task_id, int64_t now, struct error *err)
{
	return query_run(store, err,
		"UPDATE task_runs SET outcome = 'cancelled', ended_at = ?"
		" WHERE task_id = ? AND outcome = 'waiting'",
		"ts", now, task_id);
}

int task_run_skip_waiting(struct store *store, const char *folder, const char *why, int64_t now,
	struct error *err)
{
	return query_run(store, err,
		"UPDATE task_runs SET outcome = 'skipped', ended_at = ?, error = ?"
		" WHERE outcome = 'waiting' AND task_id IN (SELECT id FROM scheduled_tasks"
		" WHERE group_folder = ? AND missed = 'skip')",
		"tss", now, why, folder);
}

int task_run_begin(
	struct store *store, int64_t id, int64_t turn, int64_t now, struct error *err)
{
	return query_run(store, err,
		"UPDATE task_runs SET outcome = 'running', turn = ?, started_at = ?"
		" WHERE id = ?",
		"iti", turn, now, id);
}

int task_run_end(struct store *store, int64_t id, const char *result, const char *error,
	int64_t now, struct error *err)
{
	const char *outcome = error ? "failed" : result ? "answered" : "silent";
	struct view excerpt = view_of(error ? error : result ? result : "");

	if (excerpt.len > TASK_RESULT_MAX)
		excerpt = view_slice(excerpt, 0,
			utf8_valid_len((struct view){excerpt.data, TASK_RESULT_MAX}));
	if (query_run(store, err,
		    "UPDATE task_runs SET outcome = ?1, ended_at = ?2,"
		    " result = CASE ?1 WHEN 'answered' THEN ?3 END,"
		    " error = CASE ?1 WHEN 'failed' THEN ?3 END WHERE id = ?4",
		    "stvi", outcome, now, excerpt, id) < 0 ||
		query_run(store, err,
			"UPDATE scheduled_tasks SET last_run = (SELECT started_at FROM task_runs"
			" WHERE id = ?1), last_result = ?2 WHERE id ="
			" (SELECT task_id FROM task_runs WHERE id = ?1)",
			"iv", id, excerpt) < 0)
		return -1;
	/* Only the latest runs of the task are kept. */
	return query_run(store, err,
		"DELETE FROM task_runs WHERE outcome NOT IN ('waiting', 'running')"
		" AND task_id = (SELECT task_id FROM task_runs WHERE id = ?1)"
		" AND id NOT IN (SELECT id FROM task_runs WHERE task_id ="
		" (SELECT task_id FROM task_runs WHERE id = ?1) ORDER BY id DESC LIMIT ?2)",
		"id", id, TASK_RUNS_MAX);
}

/* --- reading ----------------------------------------------------------------- */

#define COLUMNS                                                                                \
	"r.id, r.task_id, r.scheduled_for, r.queued_at, r.started_at, r.ended_at, r.outcome,"  \
	" r.result, r.error, r.turn"

static struct task_run read_run(const struct query *q)
{
	return (struct task_run){
		.id = query_int(q, 0),
		.task_id = query_copy(q, 1),
		.scheduled_for = query_copy(q, 2),
		.queued_at = query_copy(q, 3),
		.started_at = query_copy(q, 4),
		.ended_at = query_copy(q, 5),
		.outcome = query_copy(q, 6),
		.result = query_copy(q, 7),
		.error = query_copy(q, 8),
		.turn = query_int(q, 9),
	};
}

int task_run_get(struct store *store, int64_t id, struct task_run *ret_run, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err, "SELECT " COLUMNS " FROM task_runs r WHERE r.id = ?",
		    "i", id) < 0)
		return -1;
	more = query_next(&q, err);
	if (more < 0)
		return -1;
	if (!more)
		return error_set(err, ERROR_FAILED, "there is no run %lld", (long long)id);
	*ret_run = read_run(&q);
	return 0;
}

int task_run_history(struct store *store, const char *task_id, int max,
	struct task_run_list *ret_runs, struct error *err)
{
	CLEANUP(task_run_list_release) struct task_run_list runs = {0};
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT " COLUMNS " FROM task_runs r WHERE r.task_id = ?"
		    " ORDER BY r.id DESC LIMIT ?",
		    "sd", task_id, max) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		GROW(runs.list, runs.count, runs.cap);
		runs.list[runs.count++] = read_run(&q);
	}
	if (more < 0)
		return -1;
	*ret_runs = runs;
	runs = (struct task_run_list){0};
	return 0;
}

int task_run_lanes(struct store *store,
	void (*each)(const char *folder, const char *task_id, void *data), void *data,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	/* A running run is in the lane of its turn, even if its task has changed. */
	if (query_start(store, &q, err,
		    "SELECT DISTINCT t.group_folder, coalesce(u.lane,"
		    " CASE t.context_mode WHEN 'isolated' THEN t.id ELSE '' END)"
		    " FROM task_runs r JOIN scheduled_tasks t ON t.id = r.task_id"
		    " LEFT JOIN turns u ON u.id = r.turn"
		    " WHERE r.outcome IN ('waiting', 'running')",
		    "") < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		const char *lane = query_text(&q, 1);

		each(query_text(&q, 0), *lane ? lane : NULL, data);
	}
	return more;
}

void waiting_run_release(struct waiting_run *run)
{
	free(run->queued_at);
	free(run->chat_jid);
}

int task_run_oldest(struct store *store, const char *folder, const char *isolated_task,
	struct waiting_run *ret_run, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT r.id, r.queued_at, t.chat_jid FROM task_runs r"
		    " JOIN scheduled_tasks t ON t.id = r.task_id"
		    " WHERE r.outcome = 'waiting' AND t.group_folder = ?1"
		    " AND CASE WHEN ?2 IS NULL THEN t.context_mode = 'group'"
		    " ELSE t.context_mode = 'isolated' AND t.id = ?2 END"
		    " ORDER BY r.id LIMIT 1",
		    "ss", folder, isolated_task) < 0)
		return -1;
	more = query_next(&q, err);
	if (more > 0)
		*ret_run = (struct waiting_run){
			query_int(&q, 0), query_copy(&q, 1), query_copy(&q, 2)};
	return more < 0 ? -1 : 0;
}
