#include "host/skill/skill_tasks.h"

#include <string.h>
#include <strings.h>

#include "db/facts.h"
#include "host/schedule/scheduler.h"
#include "ledger/groups.h"
#include "ledger/task_runs.h"
#include "proc/log.h"
#include "time/timestamp.h"
#include "time/zone.h"
#include "userskill/lookup.h"
#include "userskill/text/command_text.h"

#define PREFIX "skill:"

struct following {
	struct store *store;
	const char *skill;
	const struct skill_clock *clock;
	int64_t now;
};

static char *task_key(const char *skill, const char *folder, size_t number)
{
	return xasprintf(PREFIX "%s:%s:%zu", skill, folder, number + 1);
}

char *skill_task_of(const struct task *task)
{
	const char *end;

	if (!task->key || strncmp(task->key, PREFIX, strlen(PREFIX)) != 0)
		return NULL;
	end = strchr(task->key + strlen(PREFIX), ':');
	return end ? xmemdupz(task->key + strlen(PREFIX),
			     (size_t)(end - task->key) - strlen(PREFIX))
		   : NULL;
}

static char *task_prompt(const struct user_skill *skill)
{
	return skill->command_count ? xasprintf("/%s", skill->commands[0].name)
				    : xstrdup(skill->name);
}

/* The next time of the task; a schedule that never comes is not active. */
static int plan_task(struct task *task, int64_t now, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;

	if (task_schedule(task, &schedule, err) < 0)
		return -1;
	if (!schedule_next(&schedule, now, &task->next_run)) {
		task->next_run = 0;
		task->status = TASK_PAUSED;
	}
	return 0;
}

static void set_schedule(
	struct task *task, const struct skill_schedule *schedule, const struct following *f)
{
	free(task->value);
	task->type = schedule->type;
	task->value = xstrdup(schedule->value);
	task->anchor = f->now;
}

static int add_task(const struct following *f, const struct group *group,
	const struct user_skill *skill, size_t number, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;
	char time[TIMESTAMP_SIZE];

	timestamp_format(f->now, time);
	task = (struct task){
		.group_folder = xstrdup(group->folder),
		.chat_jid = xstrdup(group->jid),
		.prompt = task_prompt(skill),
		.tz = zone_default_name(f->clock->tz),
		.missed = MISSED_ONCE,
		.created_at = xstrdup(time),
		.key = task_key(f->skill, group->folder, number),
	};
	set_schedule(&task, &skill->schedules[number], f);
	if (plan_task(&task, f->now, err) < 0)
		return -1;
	return store_task_add(f->store, &task, err);
}

/* --- tasks that ended with their skill ------------------------------------------ */

/*
 * A task that ended with its skill comes back with it, as it was; one that a person has ended
 * does not. So a fact of the store, by the key of the task, says what it was before: "active",
 * "paused", or "" for neither.
 */
static int forget_ended(const struct following *f, const char *key, struct error *err)
{
	CLEANUP(freep) char *before = NULL;

	if (store_fact_get(f->store, key, &before, err) < 0)
		return -1;
	return before && *before ? store_fact_set(f->store, key, "", err) : 0;
}

/* Tasks from this number on no longer belong to a schedule of the skill. */
static int end_tasks(
	const struct following *f, const char *folder, size_t number, struct error *err)
{
	for (;; number++) {
		CLEANUP(freep) char *key = task_key(f->skill, folder, number);
		CLEANUP(task_release) struct task task = TASK_INIT;

		if (store_task_by_key(f->store, key, &task, err) < 0)
			return -1;
		if (!task.id)
			return 0;
		if (task.status == TASK_CANCELLED)
			continue;
		if (store_fact_set(f->store, key,
			    task.status == TASK_PAUSED ? "paused" : "active", err) < 0)
			return -1;
		task.status = TASK_CANCELLED;
		task.next_run = 0;
		if (store_task_update(f->store, &task, err) < 0 ||
			task_run_cancel_waiting(f->store, task.id, f->now, err) < 0)
			return -1;
	}
}

/* --- one task -------------------------------------------------------------------- */

/* Does it name a command that the skill no longer has? */
static bool is_stale(const char *prompt, const struct user_skill *skill)
{
	struct command_text command;

	return command_text_read(view_of(prompt), &command) &&
	       !user_skill_command(skill, command.name);
}

/* Turns the stored task into the wanted one; `again` makes it active whatever it was. */
static int change_task(const struct following *f, struct task *task,
	const struct user_skill *skill, const struct skill_schedule *schedule, bool again,
	struct error *err)
{
	CLEANUP(freep) char *ended = NULL;
	enum task_status before = task->status;

	if (store_fact_get(f->store, task->key, &ended, err) < 0)
		return -1;
	if (again || (before == TASK_CANCELLED && ended && !strcmp(ended, "active")))
		task->status = TASK_ACTIVE;
	else if (before == TASK_CANCELLED && ended && !strcmp(ended, "paused"))
		task->status = TASK_PAUSED;
	if (task->status != before)
		task->next_run = 0;
	if (is_stale(task->prompt, skill)) {
		free(task->prompt);
		task->prompt = task_prompt(skill);
	}
	if (task->type != schedule->type || strcmp(task->value, schedule->value) != 0) {
		set_schedule(task, schedule, f);
		task->next_run = 0;
	}
	return task->status == TASK_ACTIVE && !task->next_run ? plan_task(task, f->now, err)
							      : 0;
}

static int put_task(const struct following *f, const struct group *group,
	const struct user_skill *skill, size_t number, bool again, struct error *err)
{
	CLEANUP(freep) char *key = task_key(f->skill, group->folder, number);
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (store_task_by_key(f->store, key, &task, err) < 0 ||
		(task.id && change_task(f, &task, skill, &skill->schedules[number], again,
				    err) < 0) ||
		forget_ended(f, key, err) < 0)
		return -1;
	return task.id ? store_task_update(f->store, &task, err)
		       : add_task(f, group, skill, number, err);
}

static int follow_in(
	const struct following *f, const struct group *group, bool again, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	size_t count;

	if (skill_lookup(f->store, group->folder, f->skill, &found, err) < 0)
		return -1;
	count = found.content && found.assigned && skill_found_usable(&found)
			? found.skill.schedule_count
			: 0;
	for (size_t i = 0; i < count; i++)
		if (put_task(f, group, &found.skill, i, again, err) < 0)
			return -1;
	return end_tasks(f, group->folder, count, err);
}

int skill_tasks_follow(struct store *store, const char *skill, const char *assigned,
	const struct skill_clock *clock, int64_t now, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	const struct following f = {store, skill, clock, now};

	if (store_group_list(store, &groups, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++)
		if (follow_in(&f, &groups.list[i],
			    assigned && !strcmp(groups.list[i].folder, assigned), err) < 0)
			return error_prefix(err, "the schedule of '%s'", skill);
	scheduler_changed(clock->scheduler);
	return 0;
}
