#include "host/skill/skill_tasks.h"

#include <string.h>
#include <strings.h>

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

static char *key_of(const char *skill, const char *folder, size_t number)
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

static char *prompt_of(const struct user_skill *skill)
{
	return skill->command_count ? xasprintf("/%s", skill->commands[0].name)
				    : xstrdup(skill->name);
}

/* Its next time from now on; a schedule that never comes is not active. */
static int plan(struct task *task, int64_t now, struct error *err)
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
		.prompt = prompt_of(skill),
		.tz = zone_default_name(f->clock->tz),
		.missed = MISSED_ONCE,
		.created_at = xstrdup(time),
		.key = key_of(f->skill, group->folder, number),
	};
	set_schedule(&task, &skill->schedules[number], f);
	if (plan(&task, f->now, err) < 0)
		return -1;
	return store_task_add(f->store, &task, err);
}

/* --- what we have ended ourselves ---------------------------------------------- */

/*
 * A task that ended with its skill comes back with it, as it was; one that a person has ended
 * does not. So what it was before we have ended it is a fact of the store, by its key.
 */
static int note_ended(const struct following *f, const struct task *task, struct error *err)
{
	return store_fact_set(
		f->store, task->key, task->status == TASK_PAUSED ? "paused" : "active", err);
}

static int forget_ended(const struct following *f, const char *key, struct error *err)
{
	CLEANUP(freep) char *before = NULL;

	if (store_fact_get(f->store, key, &before, err) < 0)
		return -1;
	return before && *before ? store_fact_set(f->store, key, "", err) : 0;
}

/* Cancelled: and is it to come back? */
static int come_back(const struct following *f, struct task *task, struct error *err)
{
	CLEANUP(freep) char *before = NULL;

	if (task->status != TASK_CANCELLED)
		return 0;
	if (store_fact_get(f->store, task->key, &before, err) < 0)
		return -1;
	if (before && !strcmp(before, "active"))
		task->status = TASK_ACTIVE;
	else if (before && !strcmp(before, "paused"))
		task->status = TASK_PAUSED;
	return 0;
}

/* --- one task -------------------------------------------------------------------- */

/* Does it name a command that the skill no longer has? */
static bool is_stale(const char *prompt, const struct user_skill *skill)
{
	struct command_text command;

	if (!command_text_read(view_of(prompt), &command))
		return false;
	for (size_t i = 0; i < skill->command_count; i++)
		if (!strcasecmp(skill->commands[i].name, command.name))
			return false;
	return true;
}

/* Turns the stored task into the wanted one. */
static int update(const struct following *f, struct task *task, const struct user_skill *skill,
	const struct skill_schedule *schedule, bool again, struct error *err)
{
	enum task_status before = task->status;

	if (again)
		task->status = TASK_ACTIVE;
	else if (come_back(f, task, err) < 0)
		return -1;
	if (task->status != before)
		task->next_run = 0;
	if (is_stale(task->prompt, skill)) {
		free(task->prompt);
		task->prompt = prompt_of(skill);
	}
	if (task->type != schedule->type || strcmp(task->value, schedule->value) != 0) {
		set_schedule(task, schedule, f);
		task->next_run = 0;
	}
	if (task->status == TASK_ACTIVE && !task->next_run)
		return plan(task, f->now, err);
	return 0;
}

/* An existing task: its schedule or command changed, or it is wanted again. */
static int change_task(const struct following *f, struct task *task,
	const struct user_skill *skill, size_t number, bool again, struct error *err)
{
	if (update(f, task, skill, &skill->schedules[number], again, err) < 0 ||
		forget_ended(f, task->key, err) < 0)
		return -1;
	return store_task_update(f->store, task, err);
}

static int want(const struct following *f, const struct group *group,
	const struct user_skill *skill, size_t number, bool again, struct error *err)
{
	CLEANUP(freep) char *key = key_of(f->skill, group->folder, number);
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (store_task_by_key(f->store, key, &task, err) < 0)
		return -1;
	if (task.id)
		return change_task(f, &task, skill, number, again, err);
	if (forget_ended(f, key, err) < 0)
		return -1;
	return add_task(f, group, skill, number, err);
}

/* Tasks from this number on no longer belong to a schedule of the skill. */
static int drop_from(
	const struct following *f, const char *folder, size_t number, struct error *err)
{
	for (;; number++) {
		CLEANUP(freep) char *key = key_of(f->skill, folder, number);
		CLEANUP(task_release) struct task task = TASK_INIT;

		if (store_task_by_key(f->store, key, &task, err) < 0)
			return -1;
		if (!task.id)
			return 0;
		if (task.status == TASK_CANCELLED)
			continue;
		if (note_ended(f, &task, err) < 0)
			return -1;
		task.status = TASK_CANCELLED;
		task.next_run = 0;
		if (store_task_update(f->store, &task, err) < 0 ||
			task_run_cancel_waiting(f->store, task.id, f->now, err) < 0)
			return -1;
	}
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
		if (want(f, group, &found.skill, i, again, err) < 0)
			return -1;
	return drop_from(f, group->folder, count, err);
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
