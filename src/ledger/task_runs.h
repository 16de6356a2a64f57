/*
 * The runs of scheduled tasks, from the moment at which they are due:
 *
 *	        due            claim               answer
 *	(time) -----> [waiting] ----> [running] -----------> [answered], [silent]
 *	    |            |                |      given up
 *	    | missed     | cancel, pause  +----------------> [failed]
 *	    v            v
 *	[skipped]   [cancelled]
 *
 * A task and its scheduled time identify a run (L10), so that it exists once, whatever is killed
 * and when. It is claimed as a turn of the ledger, and ends with the turn: retries and kills are
 * the turn's, not the run's.
 *
 * The latest TASK_RUNS_MAX runs of a task are kept.
 */
#ifndef LEDGER_TASK_RUNS_H
#define LEDGER_TASK_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

#define TASK_RUNS_MAX        100
#define TASK_RUNS_MAX_MISSED 100
#define TASK_RESULT_MAX      500

struct task_run {
	int64_t id; /* 0: no run */
	char *task_id;
	char *scheduled_for;
	char *queued_at;
	char *started_at; /* these may be NULL */
	char *ended_at;
	char *outcome;
	char *result;
	char *error;
	int64_t turn;
};

#define TASK_RUN_INIT ((struct task_run){0})

struct task_run_list {
	struct task_run *list;
	size_t count;
	size_t cap;
};

void task_run_release(struct task_run *run);
void task_run_list_release(struct task_run_list *runs);

/*
 * Does nothing if the run exists (L10). `skipped` is NULL if the run will happen, else the reason
 * why it does not.
 */
int task_run_add(struct store *store, const char *task_id, int64_t scheduled_for,
	const char *skipped, int64_t now, struct error *err);

struct task_run_counts {
	int64_t waiting;
	int64_t running;
};
int task_run_count(struct store *store, const char *task_id, struct task_run_counts *ret_counts,
	struct error *err);

/* Cancel the waiting runs of a task. */
int task_run_cancel_waiting(
	struct store *store, const char *task_id, int64_t now, struct error *err);

/* The same for the tasks of a group that are skipped when they are missed; `why` is kept. */
int task_run_skip_waiting(struct store *store, const char *folder, const char *why, int64_t now,
	struct error *err);

/* It must be there. */
int task_run_get(struct store *store, int64_t id, struct task_run *ret_run, struct error *err);

/* The latest first, at most `max`. */
int task_run_history(struct store *store, const char *task_id, int max,
	struct task_run_list *ret_runs, struct error *err);

/* Call `each` for the lane of every run that has not ended; `task_id` is NULL for a group's lane. */
int task_run_lanes(struct store *store,
	void (*each)(const char *folder, const char *task_id, void *data), void *data,
	struct error *err);

/* --- for turns.c -------------------------------------------------------------- */

struct waiting_run {
	int64_t id; /* 0: no run waits */
	char *queued_at;
	char *chat_jid;
};

void waiting_run_release(struct waiting_run *run);

/* The oldest that waits in the lane of the group, or of an isolated task. */
int task_run_oldest(struct store *store, const char *folder, const char *isolated_task,
	struct waiting_run *ret_run, struct error *err);

int task_run_begin(
	struct store *store, int64_t id, int64_t turn, int64_t now, struct error *err);

/* `result` is the answer, or NULL; `error` is why the run failed, or NULL. */
int task_run_end(struct store *store, int64_t id, const char *result, const char *error,
	int64_t now, struct error *err);

#endif
