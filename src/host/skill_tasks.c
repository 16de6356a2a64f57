#include "host/skill_tasks.h"

#include <string.h>

#include "host/scheduler.h"
#include "store/groups.h"
#include "userskill/lookup.h"
#include "util/log.h"
#include "util/timestamp.h"
#include "util/zone.h"

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

/* One that is there: another schedule, or it is wanted again. */
static int change_task(const struct following *f, struct task *task,
	const struct skill_schedule *schedule, bool again, struct error *err)
{
	bool other = task->type != schedule->type || strcmp(task->value, schedule->value) != 0;

	again = again && task->status == TASK_CANCELLED;
	if (!other && !again)
		return 0;
	if (again)
		task->status = TASK_ACTIVE;
	set_schedule(task, schedule, f);
	if (task->status == TASK_ACTIVE && plan(task, f->now, err) < 0)
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
	if (!task.id)
		return add_task(f, group, skill, number, err);
	return change_task(f, &task, &skill->schedules[number], again, err);
}

/* From this number on there are none any more. */
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
		task.status = TASK_CANCELLED;
		task.next_run = 0;
		if (store_task_update(f->store, &task, err) < 0)
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
