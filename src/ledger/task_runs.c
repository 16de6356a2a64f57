#include "ledger/task_runs.h"

#include "base/utf8.h"
#include "db/query.h"
#include "ledger/groups.h"

static const struct row_column run_columns[] = {
	ROW_COLUMN(struct task_run, id),
	ROW_COLUMN(struct task_run, task_id),
	ROW_COLUMN(struct task_run, scheduled_for),
	ROW_COLUMN(struct task_run, queued_at),
	ROW_COLUMN(struct task_run, started_at),
	ROW_COLUMN(struct task_run, ended_at),
	ROW_COLUMN(struct task_run, outcome),
	ROW_COLUMN(struct task_run, result),
	ROW_COLUMN(struct task_run, error),
	ROW_COLUMN(struct task_run, turn),
	{0},
};

static const struct row_type run_row_type = {sizeof(struct task_run), run_columns};

void task_run_release(struct task_run *run)
{
	row_release(&run_row_type, run);
}

void task_run_list_release(struct task_run_list *runs)
{
	rows_release(&run_row_type, runs);
}

/* --- changing ---------------------------------------------------------------- */

int task_run_add(struct store *store, const char *task_id, int64_t scheduled_for,
	const char *skipped, int64_t now, struct error *err)
{
	return query_run(store, err,
		"INSERT OR IGNORE INTO task_runs (task_id, scheduled_for, queued_at,"
		" ended_at, outcome, error) VALUES (?1, ?2, ?3,"
		" CASE WHEN ?4 IS NULL THEN NULL ELSE ?3 END,"
		" CASE WHEN ?4 IS NULL THEN 'waiting' ELSE 'skipped' END, ?4)",
		"stts", task_id, scheduled_for, now, skipped);
}

int task_run_count(struct store *store, const char *task_id, struct task_run_counts *ret_counts,
	struct error *err)
{
	static const struct row_column columns[] = {
		ROW_COLUMN(struct task_run_counts, waiting),
		ROW_COLUMN(struct task_run_counts, running),
		{0},
	};

	return query_row(store, &(struct row_type){sizeof(*ret_counts), columns}, ret_counts,
		err,
		"SELECT count(*) FILTER (WHERE outcome = 'waiting'),"
		" count(*) FILTER (WHERE outcome = 'running')"
		" FROM task_runs WHERE task_id = ?",
		"s", task_id);
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

#define SELECT_RUNS                                                                            \
	"SELECT id, task_id, scheduled_for, queued_at, started_at, ended_at, outcome, result," \
	" error, turn FROM task_runs "

int task_run_get(struct store *store, int64_t id, struct task_run *ret_run, struct error *err)
{
	if (query_row(store, &run_row_type, ret_run, err, SELECT_RUNS "WHERE id = ?", "i", id) <
		0)
		return -1;
	return ret_run->id
		       ? 0
		       : error_set(err, ERROR_FAILED, "there is no run %lld", (long long)id);
}

int task_run_history(struct store *store, const char *task_id, int max,
	struct task_run_list *ret_runs, struct error *err)
{
	return query_rows(store, &run_row_type, ret_runs, err,
		SELECT_RUNS "WHERE task_id = ? ORDER BY id DESC LIMIT ?", "sd", task_id, max);
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
		    " WHERE r.outcome IN ('waiting', 'running')"
		    " AND t.group_folder NOT IN " GROUPS_IN_BIN,
		    "") < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		const char *lane = query_text(&q, 1);

		each(query_text(&q, 0), *lane ? lane : NULL, data);
	}
	return more;
}

static const struct row_column waiting_columns[] = {
	ROW_COLUMN(struct waiting_run, id),
	ROW_COLUMN(struct waiting_run, queued_at),
	ROW_COLUMN(struct waiting_run, chat_jid),
	{0},
};

static const struct row_type waiting_row_type = {sizeof(struct waiting_run), waiting_columns};

void waiting_run_release(struct waiting_run *run)
{
	row_release(&waiting_row_type, run);
}

int task_run_oldest(struct store *store, const char *folder, const char *isolated_task,
	struct waiting_run *ret_run, struct error *err)
{
	return query_row(store, &waiting_row_type, ret_run, err,
		"SELECT r.id, r.queued_at, t.chat_jid FROM task_runs r"
		" JOIN scheduled_tasks t ON t.id = r.task_id"
		" WHERE r.outcome = 'waiting' AND t.group_folder = ?1"
		" AND t.group_folder NOT IN " GROUPS_IN_BIN
		" AND CASE WHEN ?2 IS NULL THEN t.context_mode = 'group'"
		" ELSE t.context_mode = 'isolated' AND t.id = ?2 END"
		" ORDER BY r.id LIMIT 1",
		"ss", folder, isolated_task);
}
