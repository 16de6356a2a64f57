/*
 * The assistant, looked at by nanoclaw-host, which has the libraries for its store. That
 * it is missing or cannot start is a finding, too: the engine works without it.
 */
#include "cli/doctor/doctor.h"
#include "cli/helper.h"
#include "util/json.h"
#include "util/process.h"

#define MAX_ANSWER ((size_t)1024 * 1024)
#define TIMEOUT_MS (5 * 60 * 1000) /* a large store is read as a whole */

static int ask(const struct doctor *doctor, json_t **ret_answer, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(freep) char *helper = helper_find(HELPER_HOST, err);

	if (!helper)
		return -1;
	request.argv = (const char *const[]){
		helper, "host-doctor", "--json", doctor->fix ? "--fix" : NULL, NULL};
	request.cwd_fd = doctor->project.root;
	request.timeout_ms = TIMEOUT_MS;
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_ANSWER};
	request.errors = (struct process_stream){PROCESS_DISCARD};
	if (process_run(&request, &result, err) < 0)
		return -1;
	if (result.timed_out || result.exit_code < 0)
		return error_set(err, ERROR_FAILED, "'nanoclaw-host' did not finish looking");
	return json_read(
		view_of_buf(&result.output), "host-doctor", MAX_ANSWER, ret_answer, err);
}

static void run(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *answer = NULL;
	const char *message;

	if (!doctor_has_assistant(doctor))
		return;
	if (ask(doctor, &answer, &err) < 0) {
		doctor_problem(doctor, "assistant", err.hint, "%s", err.message);
		return;
	}
	message = json_string_value(json_object_get(answer, "error"));
	if (message)
		doctor_problem(doctor, "assistant", NULL, "%s", message);
	doctor_take(doctor, json_object_get(answer, "findings"));
}

PROBE(assistant) = {
	.name = "assistant",
	.run = run,
};
