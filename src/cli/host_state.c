#include "cli/host_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/helper.h"
#include "cli/output.h"
#include "time/zone.h"
#include "util/json.h"
#include "util/process.h"
#include "util/timestamp.h"

#define STORE_PATH "store/nanoclaw.db"
#define MAX_STATE  ((size_t)1024 * 1024)
#define TIMEOUT_MS (3600 * 1000) /* far above its own patience */

static json_t *trouble(const char *message)
{
	return json_pack("{s:b, s:o}", "running", false, "error", json_text(view_of(message)));
}

static int ask(const struct project *project, json_t **ret_answer, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(freep) char *helper = helper_find(HELPER_HOST, err);

	if (!helper)
		return -1;
	request.argv = (const char *const[]){helper, "host-status", "--json", NULL};
	request.cwd_fd = project->root;
	request.timeout_ms = TIMEOUT_MS;
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_STATE};
	request.errors = (struct process_stream){PROCESS_DISCARD};
	if (process_run(&request, &result, err) < 0)
		return -1;
	if (result.timed_out)
		return error_set(err, ERROR_FAILED, "the host does not answer");
	return json_read(
		view_of_buf(&result.output), "host-status", MAX_STATE, ret_answer, err);
}

json_t *host_state(const struct project *project)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *answer = NULL;
	const char *message;
	struct stat st;

	if (fstatat(project->root, STORE_PATH, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return json_null();
	if (ask(project, &answer, &err) < 0)
		return trouble(err.message);
	message = json_string_value(json_object_get(answer, "error"));
	if (message)
		return trouble(message);
	return json_incref(json_object_get(answer, "host"));
}

static int number(const json_t *state, const char *name)
{
	return (int)json_number_value(json_object_get(state, name));
}

static void print_channels(const json_t *channels)
{
	json_t *channel;
	size_t i;

	json_array_foreach(channels, i, channel) printf("  channel %s is %s\n",
		json_string_value(json_object_get(channel, "name")),
		json_string_value(json_object_get(channel, "state")));
}

/* The next run on the clock of whoever reads it. */
static void print_tasks(const json_t *state)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;
	CLEANUP(freep) char *name = NULL;
	const char *next = json_string_value(json_object_get(state, "nextRun"));
	char text[ZONE_TEXT_SIZE];
	int64_t time;

	if (!number(state, "tasks"))
		return;
	name = zone_default_name(getenv("TZ"));
	printf("  tasks %d", number(state, "tasks"));
	if (next && timestamp_parse(view_of(next), &time, &ignored) == 0 &&
		zone_open(name, &zone, &ignored) == 0) {
		zone_format(zone, time / 1000, text);
		printf(", the next one at %s", text);
	}
	printf("\n");
}

static void print_paused(const struct cli *cli, const json_t *paused)
{
	json_t *group;
	size_t i;

	json_array_foreach(paused, i, group) printf("  group %s is %spaused%s until %s: %s%s\n",
		json_string_value(json_object_get(group, "group")),
		output_color(cli, COLOR_YELLOW), output_color(cli, COLOR_RESET),
		json_string_value(json_object_get(group, "until")),
		json_is_true(json_object_get(group, "all")) ? "all groups have used " : "",
		json_string_value(json_object_get(group, "used")));
}

void host_state_print(const struct cli *cli, const json_t *state)
{
	const char *error = json_string_value(json_object_get(state, "error"));
	const char *silent = json_string_value(json_object_get(state, "silent"));

	if (json_is_null(state))
		return;
	if (error) {
		printf("assistant: its state cannot be read: %s\n", error);
		return;
	}
	if (silent)
		printf("assistant: %s\n", silent);
	else if (json_is_true(json_object_get(state, "running")))
		printf("assistant: %srunning%s (pid %d)\n", output_color(cli, COLOR_GREEN),
			output_color(cli, COLOR_RESET), number(state, "pid"));
	else
		printf("assistant: not running\n");
	print_channels(json_object_get(state, "channels"));
	printf("  groups %d, messages %d, waiting %d, being answered %d\n",
		number(state, "groups"), number(state, "messages"), number(state, "waiting"),
		number(state, "openTurns"));
	print_paused(cli, json_object_get(state, "paused"));
	print_tasks(state);
	if (number(state, "undelivered") || number(state, "deadLetters"))
		printf("  answers to deliver %d, given up %d\n", number(state, "undelivered"),
			number(state, "deadLetters"));
}
