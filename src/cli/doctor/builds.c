/*
 * In NanoClaw's own source, after a rebuild: does the current build work, and was the build of
 * this source rolled back? Other projects have no finding.
 */
#include "builds/builds.h"

#include <string.h>

#include "cli/doctor/doctor.h"

static void run_builds(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(build_source_release) struct build_source source = BUILD_SOURCE_INIT;
	CLEANUP(freep) char *current = NULL;
	CLEANUP(freep) char *failed = NULL;
	CLEANUP(freep) char *reason = NULL;

	if (builds_open(doctor->project.root, doctor->project.path, &builds, &err) < 0) {
		doctor_problem(doctor, "builds", err.hint, "%s", err.message);
		return;
	}
	current = builds_current(&builds);
	builds_failed(&builds, &failed, &reason);
	if (failed && build_source_read(doctor->project.root, &source, &err) == 0 &&
		!strcmp(failed, source.name))
		doctor_warning(doctor, "builds", "nanoclaw logs",
			"the build of this source was rolled back: %s", reason);
	else if (current) {
		int starts = builds_starts(&builds);

		if (starts > 0)
			doctor_warning(doctor, "builds", "nanoclaw logs",
				"the current build '%s' was started %d time%s and has not proved "
				"itself yet",
				current, starts, starts == 1 ? "" : "s");
		else
			doctor_ok(doctor, "builds", "the current build is '%s'", current);
	}
}

PROBE(builds) = {
	.name = "builds",
	.run = run_builds,
};
