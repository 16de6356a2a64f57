/*
 * Schedules of user skills, as scheduled tasks of the groups that have them.
 *
 * Each "Schedule:" in the Trigger of a skill becomes a task of the group when the skill is
 * assigned to it. Its key, "skill:ID:FOLDER:N", identifies the task. The task follows the skill:
 * it gets the schedule and command of a new version; when the skill is unassigned, retired or
 * gone, the task is cancelled, and when the skill is back, so is the task. A task that a person
 * paused or cancelled stays that way until the skill is assigned again.
 */
#ifndef HOST_SKILL_SKILL_TASKS_H
#define HOST_SKILL_SKILL_TASKS_H

#include <stdbool.h>

#include "base/error.h"
#include "db/store.h"
#include "ledger/tasks.h"

struct scheduler;

struct skill_clock {
	const char *tz;              /* the setting TZ, or NULL */
	struct scheduler *scheduler; /* notified of changes; NULL: no host runs */
};

/*
 * Update the tasks of one skill, in all groups. `assigned` is the folder of a group that it was
 * just assigned to, or NULL. Runs in the transaction of the change.
 */
int skill_tasks_follow(struct store *store, const char *skill, const char *assigned,
	const struct skill_clock *clock, int64_t now, struct error *err);

/* The skill that a task was made for, to be freed; NULL: it is another kind of task. */
char *skill_task_of(const struct task *task);

#endif
