/* Does the host run, if there is something to do for it; and can its settings be read? */
#include <errno.h>
#include <inttypes.h>

#include "cli/doctor/doctor.h"
#include "ledger/trace.h"
#include "time/zone.h"

/* -1: the store cannot be read. */
static int64_t open_work(struct doctor *doctor)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct store_summary summary = {0};

	if (!doctor->store)
		return doctor->store_error.errnum == ENOENT ? 0 : -1;
	if (store_summarize(doctor->store, &summary, &ignored) < 0)
		return -1;
	return summary.waiting + summary.turns + summary.undelivered + summary.tasks;
}

static void run_host(struct doctor *doctor)
{
	CLEANUP(error_release) struct error unknown = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;
	const char *tz;

	if (doctor->status)
		doctor_ok(doctor, "host", "it is running (pid %d)",
			(int)json_number_value(json_object_get(doctor->status, "pid")));
	else if (doctor->host_error.message)
		doctor_problem(doctor, "host", doctor->host_error.hint, "%s",
			doctor->host_error.message);
	else if (doctor_is_silent(doctor))
		doctor_warning(doctor, "host", "fuser -v " STORE_FOLDER "/lock",
			"no host answers, but a process holds '" STORE_FOLDER "/lock'");
	else if (open_work(doctor) < 0)
		doctor_ok(doctor, "host", "it is not running ('nanoclaw run')");
	else if (open_work(doctor))
		doctor_warning(doctor, "host", "nanoclaw run",
			"it is not running; waiting messages and tasks: %" PRId64,
			open_work(doctor));
	else
		doctor_ok(doctor, "host",
			"it is not running, and nothing is waiting for it ('nanoclaw run')");
	tz = settings_get(&doctor->settings, "TZ");
	if (doctor->settings_error.message)
		doctor_problem(doctor, "settings", NULL, "%s; the host does not start",
			doctor->settings_error.message);
	else if (tz && zone_open(tz, &zone, &unknown) < 0)
		doctor_warning(doctor, "settings", NULL,
			"the setting TZ is not a time zone name such as 'Europe/Berlin'");
	else
		doctor_ok(doctor, "settings", "readable");
}

PROBE(host) = {
	.name = "host",
	.of_assistant = true,
	.run = run_host,
};
