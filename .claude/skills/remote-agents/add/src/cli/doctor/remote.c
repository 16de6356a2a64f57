/* Can agents be sent to other machines? Asks the driver, if there are settings for one. */
#include <sys/stat.h>

#include "cli/doctor/doctor.h"
#include "proc/process.h"

#define MAX_WORDS ((size_t)4096)
#define CHECK_MS  60000

static void run_remote(struct doctor *doctor)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *program = process_find_own("nanoclaw-remote", &err);
	struct process_request request = PROCESS_REQUEST_INIT;
	struct view words;
	struct stat st;

	if (fstatat(doctor->project.root, "sandboxes/remote.json", &st, 0) < 0)
		return;
	request.argv = (const char *const[]){program, "check", NULL};
	request.cwd_fd = doctor->project.root;
	request.timeout_ms = CHECK_MS;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, MAX_WORDS};
	request.errors = (struct process_stream){PROCESS_WITH_OUTPUT};
	if (!program || process_run(&request, &result, &err) < 0) {
		doctor_problem(doctor, "remote", err.hint, "%s", err.message);
		return;
	}
	words = view_trim(view_of_buf(&result.output));
	if (result.exit_code)
		doctor_problem(doctor, "remote", "docs/remote-agents.md",
			"agents cannot be sent to other machines: %.*s", VIEW_ARGS(words));
	else
		doctor_ok(doctor, "remote", "the driver for agents on other machines works");
}

PROBE(remote) = {
	.name = "remote",
	.of_assistant = true,
	.run = run_remote,
};
