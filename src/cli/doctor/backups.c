/* Does the host make the backups that are planned? */
#include <unistd.h>

#include "cli/assistant/local_time.h"
#include "cli/doctor/doctor.h"
#include "format/json.h"
#include "host/backup/backups.h"
#include "time/timestamp.h"

static void run_backups(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *plan = NULL;
	char last[LOCAL_TIME_SIZE];
	CLEANUP(freep) char *newest = NULL;
	int64_t every, last_time;
	const char *hint;

	if (backups_read(doctor->project.root, &plan, &err) < 0)
		doctor_problem(
			doctor, "backups", "nanoclaw backup --every day", "%s", err.message);
	if (!plan)
		return;
	local_time(json_member(plan, "last"), last);
	newest = backups_newest(plan);
	every = (int64_t)json_number_value(json_object_get(plan, "everyMs"));
	/* Without any yet, it was due when the plan was made. */
	if (timestamp_parse(
		    view_of(json_member(plan, *last ? "last" : "next")), &last_time, &err) < 0)
		last_time = 0;
	hint = json_member(plan, "hint");
	if (*json_member(plan, "error"))
		doctor_problem(doctor, "backups", *hint ? hint : "nanoclaw backup --list",
			"the last one has failed: %s", json_member(plan, "error"));
	else if (newest && faccessat(doctor->project.root, newest, F_OK, 0) < 0)
		doctor_warning(doctor, "backups", "nanoclaw backup --list",
			"the newest is not there any more: '%s'", newest);
	else if (timestamp_clock() - last_time > 2 * every)
		doctor_warning(doctor, "backups", "nanoclaw start",
			"none has been made for long; the last one: %.*s", LOCAL_SECONDS,
			*last ? last : "none yet");
	else if (*json_member(plan, "leftOut"))
		doctor_warning(doctor, "backups", "nanoclaw backup --list",
			"the last one lacks a file that could not be read: %s",
			json_member(plan, "leftOut"));
	else
		doctor_ok(doctor, "backups", "the last one that was restored on trial: %.*s",
			LOCAL_SECONDS, *last ? last : "none yet");
}

PROBE(backups) = {
	.name = "backups",
	.of_assistant = true,
	.run = run_backups,
};
