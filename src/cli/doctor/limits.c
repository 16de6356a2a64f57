/* Which limits of agents can be enforced here. */
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "sandbox/limits/cgroup.h"
#include "sandbox/sandbox.h"

static void run_limits(struct doctor *doctor)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *setting = settings_get(&doctor->settings, "NANOCLAW_SANDBOX");
	const struct sandbox_kind *kind = sandbox_kind_of(SANDBOX_USUAL);

	if (setting && sandbox_kind_find(setting, &kind, &ignored) < 0)
		return; /* another probe says so */
	if (kind->engine || cgroup_may_limit_memory())
		doctor_ok(doctor, "limits",
			"the kernel limits the memory of agents; the host adds up their disk "
			"space once a second and after each turn, since there is no quota");
	else
		doctor_ok(doctor, "limits",
			"the host adds up the memory and disk space of agents once a second, and "
			"disk space after each turn: it may create no cgroup here (%sin a service "
			"with Delegate=yes, it may), and there is no quota",
			geteuid() ? "as root, or " : "");
}

PROBE(limits) = {
	.name = "limits",
	.of_assistant = true,
	.run = run_limits,
};
