/* What went wrong in the last days, and what does not get on. `trace` explains each. */
#include <inttypes.h>

#include "cli/host/doctor/host_probe.h"
#include "store/check.h"
#include "util/timestamp.h"

#define HOUR_MS ((int64_t)60 * 60 * 1000)
#define WEEK_MS (7 * 24 * HOUR_MS)

static void tell_turns(struct doctor *findings, const struct store_troubles *t)
{
	CLEANUP(freep) char *dead = xasprintf("nanoclaw trace t%" PRId64, t->dead_turn);
	CLEANUP(freep) char *old = xasprintf("nanoclaw trace t%" PRId64, t->old_turn);

	if (t->dead)
		doctor_warning(findings, "delivery", t->dead_turn ? dead : NULL,
			"texts that could not be delivered and were given up, in the last week: "
			"%" PRId64,
			t->dead);
	if (t->retried)
		doctor_warning(findings, "delivery", "nanoclaw channel list",
			"texts that wait and have failed three times or more: %" PRId64,
			t->retried);
	if (!t->dead && !t->retried)
		doctor_ok(findings, "delivery", "no text was given up in the last week");
	if (t->old_turns)
		doctor_warning(findings, "turns", old,
			"turns whose messages have waited for an answer for more than an hour: "
			"%" PRId64,
			t->old_turns);
	else
		doctor_ok(findings, "turns", "none has been open for more than an hour");
}

static void tell_tasks(struct doctor *findings, const struct store_troubles *t)
{
	CLEANUP(freep)
	char *runs = t->failed_task ? xasprintf("nanoclaw task runs %s", t->failed_task) : NULL;

	if (t->failed_tasks)
		doctor_warning(findings, "tasks", runs,
			"tasks whose last run has failed: %" PRId64, t->failed_tasks);
	else
		doctor_ok(findings, "tasks", "the last run of each has not failed");
}

static void run(struct host_doctor *doctor)
{
	CLEANUP(store_troubles_release) struct store_troubles troubles = STORE_TROUBLES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t now = timestamp_clock();

	if (!doctor->store)
		return;
	if (store_troubles(doctor->store, now - WEEK_MS, now - HOUR_MS, &troubles, &err) < 0) {
		doctor_warning(&doctor->findings, "turns", err.hint, "%s", err.message);
		return;
	}
	tell_turns(&doctor->findings, &troubles);
	tell_tasks(&doctor->findings, &troubles);
}

HOST_PROBE(troubles) = {
	.name = "troubles",
	.run = run,
};
