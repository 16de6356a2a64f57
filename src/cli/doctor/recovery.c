/*
 * The recovery guarantee (engine/doctor/rebuild.h): rebuilds lost parts of .nanoclaw from the
 * rest, and checks the tree for missing files and remaining conflict markers.
 */

#include "cli/doctor/doctor.h"
#include "engine/doctor/rebuild.h"

#define FIX_COMMAND "nanoclaw doctor --fix"
/* It leaves the index alone, and so it works where the loss is staged, too. */
#define RESTORE_COMMAND "git restore --source=HEAD --worktree .nanoclaw"
#define SHOWN           5

/* --- .nanoclaw ---------------------------------------------------------------------------- */

static void report_notes(struct doctor *doctor, const struct rebuild_report *report)
{
	for (size_t i = 0; i < report->note_count; i++) {
		const struct rebuild_note *note = &report->notes[i];
		const char *how = rebuild_certainty_names[note->certainty];

		if (note->certainty == REBUILD_SURE)
			doctor_ok(doctor, "recovery", "%s: %s", how, note->text);
		else
			doctor_warning(doctor, "recovery", NULL, "%s: %s", how, note->text);
	}
	doctor_ok(doctor, "recovery",
		"the records were rebuilt%s%s%s; your files are unchanged",
		report->kept ? ", and the old records are in '" : "",
		report->kept ? report->kept : "", report->kept ? "'" : "");
}

/* False if nothing else can be looked at. */
static bool look_at_record(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(rebuild_report_release) struct rebuild_report report = REBUILD_REPORT_INIT;
	bool failed;

	if (rebuild_survey(&doctor->project, &report, &err) < 0) {
		doctor_problem(doctor, "recovery", err.hint, "%s", err.message);
		return false;
	}
	doctor->refused = report.refused;
	if (report.refused || report.paused || report.waiting)
		return false;
	if (report.committed)
		doctor_problem(doctor, "recovery", RESTORE_COMMAND,
			"'.nanoclaw' is missing, and git has it: without it, applied "
			"skills count as part of the core");
	if (!report.damages)
		return !report.committed;
	if (!doctor->fix) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		size_t shown = report.damaged.count < SHOWN ? report.damaged.count : SHOWN;

		for (size_t i = 0; i < shown; i++)
			buf_appendf(&text, "%s%s", i ? "; " : "", report.damaged.list[i]);
		if (report.damages > shown)
			buf_appendf(&text, "; and %zu more", report.damages - shown);
		doctor_problem(doctor, "recovery", FIX_COMMAND, "%s", text.data);
		return false;
	}
	failed = rebuild_run(&doctor->project, &report, &err) < 0;
	if (failed)
		doctor_problem(doctor, "recovery", err.hint, "%s", err.message);
	else
		report_notes(doctor, &report);
	return !failed;
}

/* --- the tree -------------------------------------------------------------------- */

static char *name_some(const struct string_array *paths)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < paths->count && i < SHOWN; i++)
		buf_appendf(&text, "%s'%s'", i ? ", " : "", paths->list[i]);
	if (paths->count > SHOWN)
		buf_appendf(&text, " and %zu more", paths->count - SHOWN);
	return buf_take(&text);
}

/* A person may have deleted them on purpose, so only a person can decide. */
static bool wants_back(struct doctor *doctor, const char *names)
{
	static const char *const choices[] = {
		"restore them as recorded",
		"leave them deleted",
	};
	CLEANUP(error_release) struct error nobody = ERROR_INIT;
	CLEANUP(freep) char *question = xasprintf("These files are missing: %s.", names);

	return doctor->fix && doctor->ask.choose &&
	       doctor->ask.choose(doctor->ask.data, question, choices, ARRAY_SIZE(choices), 0,
		       &nobody) == 0;
}

static void deleted_check(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(string_array_release) struct string_array paths = {0};
	CLEANUP(freep) char *names = NULL;
	bool failed;

	if (rebuild_find_deleted(&doctor->project, &paths, &err) < 0) {
		doctor_problem(doctor, "deleted", err.hint, "%s", err.message);
		return;
	}
	if (!paths.count)
		return;
	names = name_some(&paths);
	if (!wants_back(doctor, names)) {
		doctor_warning(doctor, "deleted", FIX_COMMAND " --yes",
			"files of the core, skills or patches are missing from the tree: "
			"%s; they can be restored",
			names);
		return;
	}
	failed = rebuild_restore(&doctor->project, &paths, &err) < 0;
	if (failed)
		doctor_problem(doctor, "deleted", err.hint, "%s", err.message);
	else
		doctor_ok(doctor, "deleted", "restored as recorded: %s", names);
}

static void run_recovery(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(rebuild_markers_release) struct rebuild_markers markers = {0};

	if (doctor->running || (doctor->fix && !doctor->project.locked) ||
		!look_at_record(doctor))
		return;
	deleted_check(doctor);
	if (rebuild_find_markers(&doctor->project, &markers, &err) < 0) {
		doctor_problem(doctor, "markers", err.hint, "%s", err.message);
		return;
	}
	for (size_t i = 0; i < markers.count; i++)
		doctor_warning(doctor, "markers", NULL,
			"'%s' has conflict markers from line %zu on, and nothing is "
			"paused: merge the lines and remove the markers",
			markers.list[i].path, markers.list[i].line);
}

PROBE(recovery) = {
	.name = "recovery",
	.run = run_recovery,
};
