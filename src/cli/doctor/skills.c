/* Are the engine's files in .nanoclaw readable and complete? */
#include <fcntl.h>
#include <sys/stat.h>

#include "cli/doctor/doctor.h"
#include "engine/commit/pending.h"
#include "engine/look/verify.h"
#include "engine/state/state.h"

/* Only NanoClaw's own files: a person's changes to the tree are not a problem. */
static void skills_check_damage(
	struct doctor *doctor, const struct state *state, const struct pending *paused)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(verify_result_release) struct verify_result result = VERIFY_RESULT_INIT;

	if (verify(&doctor->project, paused ? &paused->state : state, &result, &err) < 0) {
		doctor_problem(doctor, "kept", err.hint, "%s", err.message);
		return;
	}
	/* A file with a conflict has no recorded content yet. */
	for (size_t i = 0; paused && i < result.count; i++)
		if (result.list[i].damage && pending_has_conflict(paused, result.list[i].path))
			result.damages--;
	if (result.damages)
		doctor_problem(doctor, "kept",
			paused ? "nanoclaw verify" : "nanoclaw doctor --fix",
			"files in '.nanoclaw' are damaged: %zu ('nanoclaw verify' shows them)",
			result.damages);
	else
		doctor_ok(doctor, "kept", "the files in '.nanoclaw' are as recorded");
}

static void skills_check_further(struct doctor *doctor, const struct state *state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(pending_release) struct pending pending = PENDING_INIT;
	bool paused;
	struct stat st;

	if (fstatat(doctor->project.root, ".nanoclaw/base", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		S_ISDIR(st.st_mode))
		doctor_ok(doctor, "base", "the copy of the core exists");
	else
		doctor_problem(doctor, "base", "nanoclaw doctor --fix",
			"'.nanoclaw/base', the copy of the core, is missing");
	if (doctor->running)
		return;
	if (pending_load(&doctor->project, &pending, &paused, &err) < 0) {
		doctor_problem(doctor, "pending", err.hint, "%s", err.message);
		return;
	}
	if (paused)
		doctor_warning(doctor, "pending", "nanoclaw continue",
			"'%s' is paused, with %zu to resolve ('nanoclaw abort' undoes it)",
			pending.operation, pending.conflict_count);
	else
		doctor_ok(doctor, "pending", "nothing is paused");
	skills_check_damage(doctor, state, paused ? &pending : NULL);
}

static void run_skills(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool found;

	if (state_load(&doctor->project, &state, &found, &err) < 0) {
		doctor_problem(doctor, "state", NULL, "%s", err.message);
		return;
	}
	if (!found) {
		doctor_ok(doctor, "state", "no skills have been applied here");
		return;
	}
	doctor_ok(doctor, "state", "core %s, skills applied: %zu", state.core_version,
		state.skill_count);
	skills_check_further(doctor, &state);
}

PROBE(skills) = {
	.name = "skills",
	.run = run_skills,
};
