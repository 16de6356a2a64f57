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
	return json_pack("{s:o, s:s, s:s, s:o, s:s, s:o, s:o, s:s, s:s, s:s, s:o, s:o, s:s,"
			 " s:o, s:o}",
		"id", json_text(view_of(task->id)), "group", task->group_folder, "chat",
		task->chat_jid, "prompt", json_text(view_of(task->prompt)), "scheduleType",
		schedule_type_name(task->type), "scheduleValue",
		json_text(view_of(task->value)), "tz", json_text(view_of(task->tz)), "missed",
		task_missed_name(task->missed), "contextMode", task_context_name(task->context),
		"status", task_status_name(task->status), "nextRun",
		instant_json(task->next_run), "nextRunLocal",
		local_time_json(task->tz, task->next_run), "createdAt", task->created_at,
		"lastRun", json_text_or_null(task->last_run), "lastResult",
		json_text_or_null(task->last_result));
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

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "scheduledFor",
		run->scheduled_for, "queuedAt", run->queued_at, "startedAt",
		json_text_or_null(run->started_at), "endedAt", json_text_or_null(run->ended_at),
		"durationMs", duration_json(run), "outcome", run->outcome, "result",
		json_text_or_null(run->result), "error", json_text_or_null(run->error), "turn",
		json_text_or_null(turn));
}
