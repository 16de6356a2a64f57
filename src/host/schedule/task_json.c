#include "host/schedule/task_json.h"

#include <inttypes.h>

#include "format/json.h"
#include "time/timestamp.h"
#include "time/zone.h"

static json_t *instant_json(int64_t ms)
{
	char text[TIMESTAMP_SIZE];

	if (!ms)
		return json_null();
	timestamp_format(ms, text);
	return json_string(text);
}

/* On the clock of its zone; null if the zone is unknown here. */
static json_t *local_time_json(const char *tz, int64_t ms)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;
	char text[ZONE_TEXT_SIZE];

	if (!ms || zone_open(tz, &zone, &ignored) < 0)
		return json_null();
	zone_format(zone, ms / 1000, text);
	return json_string(text);
}

json_t *task_json(const struct task *task)
{
	return json_build(
		"id:s group:s chat:s prompt:s scheduleType:s scheduleValue:s tz:s"
		" missed:s contextMode:s status:s nextRun:o nextRunLocal:o createdAt:s"
		" lastRun:s lastResult:s",
		task->id, task->group_folder, task->chat_jid, task->prompt,
		schedule_type_name(task->type), task->value, task->tz,
		task_missed_name(task->missed), task_context_name(task->context),
		task_status_name(task->status), instant_json(task->next_run),
		local_time_json(task->tz, task->next_run), task->created_at, task->last_run,
		task->last_result);
}

static json_t *duration_json(const struct task_run *run)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int64_t start;
	int64_t end;

	if (!run->started_at || !run->ended_at ||
		timestamp_parse(view_of(run->started_at), &start, &ignored) < 0 ||
		timestamp_parse(view_of(run->ended_at), &end, &ignored) < 0)
		return json_null();
	return json_integer(end > start ? end - start : 0);
}

json_t *task_run_json(const struct task_run *run)
{
	CLEANUP(freep) char *turn = run->turn ? xasprintf("t%" PRId64, run->turn) : NULL;

	return json_build(
		"scheduledFor:s queuedAt:s startedAt:s endedAt:s durationMs:o outcome:s"
		" result:s error:s turn:s",
		run->scheduled_for, run->queued_at, run->started_at, run->ended_at,
		duration_json(run), run->outcome, run->result, run->error, turn);
}
