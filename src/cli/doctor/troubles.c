/* Recent failures, and messages that are stuck. `trace` explains each. */
#include <inttypes.h>

#include "cli/doctor/doctor.h"
#include "db/check.h"
#include "time/timestamp.h"

#define HOUR_MS ((int64_t)60 * 60 * 1000)
#define WEEK_MS (7 * 24 * HOUR_MS)

static void report_turns(struct doctor *doctor, const struct store_troubles *t)
{
	CLEANUP(freep) char *dead = xasprintf("nanoclaw trace t%" PRId64, t->dead_turn);
	CLEANUP(freep) char *old = xasprintf("nanoclaw trace t%" PRId64, t->old_turn);

	if (t->dead)
		doctor_warning(doctor, "delivery", t->dead_turn ? dead : NULL,
			"undeliverable texts in the last week: %" PRId64, t->dead);
	if (t->retried)
		doctor_warning(doctor, "delivery", "nanoclaw channel list",
			"waiting texts that failed at least three times: %" PRId64, t->retried);
	if (!t->dead && !t->retried)
		doctor_ok(doctor, "delivery",
			"every text of the last week was delivered "
			"or is waiting");
	if (t->old_turns)
		doctor_warning(doctor, "turns", old,
			"turns open for more than an hour: %" PRId64, t->old_turns);
	else
		doctor_ok(doctor, "turns", "none has been open for more than an hour");
}

static void report_tasks(struct doctor *doctor, const struct store_troubles *t)
{
	CLEANUP(freep)
	char *runs = t->failed_task ? xasprintf("nanoclaw task runs %s", t->failed_task) : NULL;

	if (t->failed_tasks)
		doctor_warning(doctor, "tasks", runs, "tasks whose last run failed: %" PRId64,
			t->failed_tasks);
	else
		doctor_ok(doctor, "tasks", "no task's last run failed");
}

static void run_troubles(struct doctor *doctor)
{
	CLEANUP(store_troubles_release) struct store_troubles troubles = STORE_TROUBLES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t now = timestamp_clock();

	if (!doctor->store)
		return;
	if (store_troubles(doctor->store, now - WEEK_MS, now - HOUR_MS, &troubles, &err) < 0) {
		doctor_warning(doctor, "turns", err.hint, "%s", err.message);
		return;
	}
	report_turns(doctor, &troubles);
	report_tasks(doctor, &troubles);
}

PROBE(troubles) = {
	.name = "troubles",
	.of_assistant = true,
	.run = run_troubles,
};
