/* Can an agent be shut in here? Tried out: a real sandbox, and ways out of it. */
#include "sandbox/sandbox.h"
#include "cli/host/doctor/host_probe.h"

/* The kind of the installation; groups may have others, which the host tries when it starts. */
static int kind_of(
	const struct host_doctor *doctor, enum sandbox_kind *ret_kind, struct error *err)
{
	const char *setting = settings_get(&doctor->settings, "NANOCLAW_SANDBOX");

	*ret_kind = SANDBOX_BWRAP;
	return setting ? sandbox_kind_parse(setting, ret_kind, err) : 0;
}

static void run(struct host_doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *image = settings_get(&doctor->settings, "NANOCLAW_SANDBOX_IMAGE");
	const char *rootfs = settings_get(&doctor->settings, "NANOCLAW_SANDBOX_ROOTFS");
	enum sandbox_kind kind;
	size_t ways = 0;

	if (!doctor_has_assistant(&doctor->findings))
		return;
	if (kind_of(doctor, &kind, &err) < 0 ||
		sandbox_probe_ways(kind, image, rootfs, &ways, &err) < 0)
		doctor_problem(&doctor->findings, "sandbox", err.hint, "%s; no agent can run",
			err.message);
	else if (ways)
		doctor_ok(&doctor->findings, "sandbox",
			"'%s' works here: %zu ways out were tried, and none leads out",
			sandbox_kind_name(kind), ways);
	else
		doctor_ok(&doctor->findings, "sandbox", "'%s' works here",
			sandbox_kind_name(kind));
}

HOST_PROBE(sandbox) = {
	.name = "sandbox",
	.run = run,
};
