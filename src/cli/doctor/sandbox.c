/* Can an agent be confined here? Tried out: a real sandbox, and ways out of it. */
#include <string.h>

#include "cli/doctor/doctor.h"
#include "host/agent/agent_program.h"
#include "sandbox/sandbox.h"
#include "veil/veil.h"

/* The confinements that this kernel's Landlock does not support yet. */
static const char *landlock_gaps(int version)
{
	if (version >= 6)
		return "";
	return "; this kernel's Landlock does not confine signals, so the system call "
	       "filter allows only signals to the agent itself";
}

/* bwrap does not work, and nobody chose another kind: our own agents use landlock. */
static void report_fallback(struct doctor *doctor, const struct error *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *agent = settings_get(&doctor->settings, "NANOCLAW_AGENT");
	int version = sandbox_landlock_version();

	if (sandbox_probe(sandbox_kind_of(SANDBOX_FALLBACK), NULL, NULL, &err) < 0)
		doctor_problem(doctor, "sandbox", why->hint, "%s, and %s; no agent can run",
			why->message, err.message);
	else if (agent && strcmp(agent, AGENT_OFFLINE) != 0)
		doctor_problem(doctor, "sandbox", why->hint,
			"%s; the agent that NANOCLAW_AGENT names cannot run", why->message);
	else
		doctor_warning(doctor, "sandbox", why->hint,
			"%s; the built-in agent runs in the sandbox 'landlock' (version %d, "
			"without a network) instead, and other agents cannot run%s",
			why->message, version, landlock_gaps(version));
}

static void run_sandbox(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *setting = settings_get(&doctor->settings, "NANOCLAW_SANDBOX");
	const struct sandbox_kind *kind = sandbox_kind_of(SANDBOX_USUAL);
	bool is_known = !setting || sandbox_kind_find(setting, &kind, &err) == 0;
	size_t ways = 0;

	/* Main stays here. */
	if (kind->elsewhere) {
		kind = sandbox_kind_of(SANDBOX_USUAL);
		setting = NULL;
	}
	if (!is_known ||
		sandbox_probe(kind, settings_get(&doctor->settings, "NANOCLAW_SANDBOX_IMAGE"),
			&ways, &err) < 0) {
		if (setting)
			doctor_problem(doctor, "sandbox", err.hint, "%s; no agent can run",
				err.message);
		else
			report_fallback(doctor, &err);
	} else if (kind->host_paths) {
		int version = sandbox_landlock_version();

		doctor_ok(doctor, "sandbox",
			"'landlock' works here (version %d): it blocked all %zu escape attempts; "
			"an agent has no network, and can see the size and times of a file whose "
			"path it knows%s",
			version, ways, landlock_gaps(version));
	} else {
		doctor_ok(doctor, "sandbox",
			"'%s' works here: it blocked all %zu escape attempts", kind->name,
			ways);
	}
}

PROBE(sandbox) = {
	.name = "sandbox",
	.of_assistant = true,
	.run = run_sandbox,
};

static void run_commands(struct doctor *doctor)
{
	if (!veil_works())
		doctor_warning(doctor, "commands", NULL, "%s", VEIL_MISSING);
}

PROBE(commands) = {.name = "commands", .run = run_commands};
