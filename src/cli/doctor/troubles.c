/* Recent failures, and messages that are stuck. `trace` explains each. */
#include <inttypes.h>

#include "cli/doctor/doctor.h"
#include "db/check.h"
#include "ledger/turns.h"
#include "time/timestamp.h"

#define HOUR_MS ((int64_t)60 * 60 * 1000)
#define WEEK_MS (7 * 24 * HOUR_MS)

static void run_troubles(struct doctor *doctor)
{
	CLEANUP(store_troubles_release) struct store_troubles troubles = STORE_TROUBLES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf without_place = BUF_INIT;
	int64_t now = timestamp_clock();
	struct view rest, line;
	CLEANUP(freep) char *dead = NULL;
	CLEANUP(freep) char *old = NULL;
	CLEANUP(freep) char *runs = NULL;

	if (!doctor->store)
		return;
	if (store_troubles(doctor->store, now - WEEK_MS, now - HOUR_MS, &troubles, &err) < 0 ||
		turns_without_place(doctor->store, &without_place, &err) < 0) {
		doctor_warning(doctor, "turns", err.hint, "%s", err.message);
		return;
	}
	dead = xasprintf("nanoclaw trace t%" PRId64, troubles.dead_turn);
	old = xasprintf("nanoclaw trace t%" PRId64, troubles.old_turn);
	if (troubles.dead)
		doctor_warning(doctor, "delivery", troubles.dead_turn ? dead : NULL,
			"undeliverable texts in the last week: %" PRId64, troubles.dead);
	if (troubles.retried)
		doctor_warning(doctor, "delivery", "nanoclaw channel list",
			"waiting texts that failed at least three times: %" PRId64,
			troubles.retried);
	if (!troubles.dead && !troubles.retried)
		doctor_ok(doctor, "delivery",
			"every text of the last week was delivered "
			"or is waiting");
	rest = view_of_buf(&without_place);
	while (view_next(&rest, '\n', &line))
		if (line.len)
			doctor_warning(doctor, "places", NULL, "turn %.*s", VIEW_ARGS(line));
	if (troubles.old_turns)
		doctor_warning(doctor, "turns", old,
			"turns open for more than an hour: %" PRId64, troubles.old_turns);
	else
		doctor_ok(doctor, "turns", "none has been open for more than an hour");
	runs = troubles.failed_task ? xasprintf("nanoclaw task runs %s", troubles.failed_task)
				    : NULL;
	if (troubles.failed_tasks)
		doctor_warning(doctor, "tasks", runs, "tasks whose last run failed: %" PRId64,
			troubles.failed_tasks);
	else
		doctor_ok(doctor, "tasks", "no task's last run failed");
}

PROBE(troubles) = {
	.name = "troubles",
	.of_assistant = true,
	.run = run_troubles,
};
