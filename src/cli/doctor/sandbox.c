/* Can a sandbox be made here? Tried out, with what a sandbox for an agent consists of. */
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/output.h"
#include "util/process.h"

#define MAX_COMPLAINT ((size_t)4096)
#define TIMEOUT_MS    20000

/* What forbids it where a distribution does, and how it is allowed. */
static const struct {
	const char *file;
	const char *fix;
} locks[] = {
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		"sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	{"/proc/sys/kernel/unprivileged_userns_clone",
		"sudo sysctl kernel.unprivileged_userns_clone=1"},
};

static const char *what_forbids(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(locks); i++)
		if (!access(locks[i].file, F_OK))
			return locks[i].fix;
	return NULL;
}

static void try(struct doctor *doctor)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(freep) char *complaint = NULL;

	request.argv = (const char *const[]){"bwrap", "--ro-bind", "/", "/", "--dev", "/dev",
		"--proc", "/proc", "--unshare-all", "true", NULL};
	request.timeout_ms = TIMEOUT_MS;
	request.output = (struct process_stream){PROCESS_DISCARD};
	request.errors = (struct process_stream){PROCESS_CAPTURE_TAIL, MAX_COMPLAINT};
	if (process_run(&request, &result, &err) < 0) {
		doctor_warning(doctor, "sandbox", err.hint, "%s", err.message);
		return;
	}
	if (!result.exit_code) {
		doctor_ok(doctor, "sandbox", "'bwrap' works here");
		return;
	}
	complaint = output_first_line(result.errors.data);
	doctor_warning(doctor, "sandbox", what_forbids(), "'bwrap' does not work here: %s",
		*complaint ? complaint : "it ended without a word");
}

static void run(struct doctor *doctor)
{
	CLEANUP(freep) char *bwrap = process_find("bwrap");
	CLEANUP(freep) char *install = doctor_install("bubblewrap");

	if (!doctor_has_assistant(doctor))
		return;
	if (bwrap)
		try(doctor);
	else
		doctor_warning(doctor, "sandbox", install,
			"'bwrap' is not installed, which makes sandboxes for agents");
}

PROBE(sandbox) = {
	.name = "sandbox",
	.run = run,
};
