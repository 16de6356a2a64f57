/* Does the host make the backups that are planned? */
#include "host/backup/backups.h"
#include "cli/assistant/local_time.h"
#include "cli/doctor/doctor.h"

static void run_backups(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *plan = NULL;
	char last[LOCAL_TIME_SIZE];
	const char *hint;

	if (backups_read(doctor->project.root, &plan, &err) < 0)
		doctor_problem(
			doctor, "backups", "nanoclaw backup --every day", "%s", err.message);
	if (!plan)
		return;
	local_time(json_member(plan, "last"), last);
	hint = json_member(plan, "hint");
	if (*json_member(plan, "error"))
		doctor_problem(doctor, "backups", *hint ? hint : "nanoclaw backup --list",
			"the last one has failed: %s", json_member(plan, "error"));
	else
		doctor_ok(doctor, "backups", "the last one that was restored on trial: %.*s",
			LOCAL_SECONDS, *last ? last : "none yet");
}

PROBE(backups) = {
	.name = "backups",
	.of_assistant = true,
	.run = run_backups,
};
