/*
 * Scheduled tasks: the prompts that a group's agent gets, and when.
 *
 *	             pause                 once: it has happened
 *	[active] ----------> [paused]     [active] -------------> [completed]
 *	         <----------
 *	             resume               cancel, from anywhere -> [cancelled]
 *
 * Only an active task has a `next_run`. The latest TASKS_MAX_ENDED tasks that have ended are
 * kept, so that people can look at their runs (task_runs.h).
 */
#ifndef LEDGER_TASKS_H
#define LEDGER_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"
#include "time/schedule.h"

#define TASKS_MAX_PER_GROUP 500 /* active or paused */
#define TASKS_MAX_ENDED     200
#define TASK_PROMPT_MAX     ((size_t)64 * 1024)
#define TASKS_MAX_TEXT      ((int64_t)1024 * 1024) /* of their prompts, per group */

enum task_status {
	TASK_ACTIVE,
	TASK_PAUSED,
	TASK_COMPLETED,
	TASK_CANCELLED,
};

/* What happens to times at which no host was running. */
enum task_missed {
	MISSED_SKIP,
	MISSED_ONCE, /* one run for all of them */
	MISSED_ALL,  /* one run for each, the latest TASK_RUNS_MAX_MISSED */
};

enum task_context {
	CONTEXT_GROUP,    /* in the conversation of the group */
	CONTEXT_ISOLATED, /* in one of its own, beside it */
};

struct task {
	char *id; /* NULL: no task */
	char *group_folder;
	char *chat_jid;
	char *prompt;
	enum schedule_type type;
	char *value;
	char *tz;
	enum task_missed missed;
	enum task_context context;
	enum task_status status;
	int64_t next_run; /* 0: none */
	int64_t anchor;   /* from where intervals are counted */
	char *created_at;
	char *last_run; /* or NULL */
	char *last_result;
	char *key; /* identifies the call that created it, or NULL */
};

#define TASK_INIT ((struct task){0})

struct task_list {
	struct task *list;
	size_t count;
	size_t cap;
};

void task_release(struct task *task);
void task_list_release(struct task_list *tasks);

const char *task_status_name(enum task_status status);
const char *task_missed_name(enum task_missed missed);
const char *task_context_name(enum task_context context);
int task_missed_parse(const char *name, enum task_missed *ret_missed, struct error *err);
int task_context_parse(const char *name, enum task_context *ret_context, struct error *err);

/* The schedule of a task, to be released. */
int task_schedule(const struct task *task, struct schedule *ret_schedule, struct error *err);

/* Gives it an id, a number that is not used again. ERROR_INVALID: the group has too many. */
int store_task_add(struct store *store, struct task *task, struct error *err);

/* All but id, group, chat, created_at, last_run and last_result. */
int store_task_update(struct store *store, const struct task *task, struct error *err);

/* Does the group have room for this task, which may be one of its tasks already? */
int store_task_check_room(struct store *store, const struct task *task, struct error *err);

/* `*ret_task` is empty if there is no such task. */
int store_task_get(
	struct store *store, const char *id, struct task *ret_task, struct error *err);
int store_task_by_key(
	struct store *store, const char *key, struct task *ret_task, struct error *err);

/* Tasks of one group or (NULL) of all; with `ended`, also ended ones. */
int store_task_list(struct store *store, const char *folder, bool ended,
	struct task_list *ret_tasks, struct error *err);

/* Active tasks that are due, the earliest first, at most `max`. */
int store_task_due(struct store *store, int64_t now, int max, struct task_list *ret_tasks,
	struct error *err);

/* When the next one is due; INT64_MAX: never. */
int store_task_nearest(struct store *store, int64_t *ret_time, struct error *err);

#endif
