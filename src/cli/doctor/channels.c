/*
 * Are the channels connected? Asked of the host, which knows; without one, whether the
 * programs of the bridges could be started.
 */
#include <string.h>

#include "channels/bridge/config.h"
#include "cli/assistant/local_time.h"
#include "cli/doctor/doctor.h"
#include "cli/output.h"

/* true: it is connected, or on its way. */
static bool channel_report(struct doctor *doctor, const json_t *channel)
{
	const char *name = json_string_value(json_object_get(channel, "name"));
	const char *state = json_string_value(json_object_get(channel, "state"));
	const char *detail = json_string_value(json_object_get(channel, "detail"));
	const char *retry = json_string_value(json_object_get(channel, "retryAt"));
	CLEANUP(freep) char *why = output_first_line(detail ? detail : "");
	char since[LOCAL_TIME_SIZE];

	if (!name || !state || !strcmp(state, "connected") || !strcmp(state, "starting"))
		return true;
	local_time(json_member(channel, "since"), since);
	doctor_problem(doctor, "channels", NULL, "'%s' is %s%s%.*s%s%s%s%s", name, state,
		*since ? " since " : "", LOCAL_SECONDS, since, *why ? ": " : "", why,
		retry ? "; the next attempt is at " : "", retry ? retry : "");
	return false;
}

static void bridges_check(struct doctor *doctor)
{
	CLEANUP(bridge_configs_release) struct bridge_configs bridges = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int root = doctor->project.root;
	bool fine = true;

	if (bridge_configs_read(root, &bridges, &err) < 0) {
		doctor_problem(doctor, "bridges", err.hint, "%s", err.message);
		return;
	}
	for (size_t i = 0; i < bridges.count; i++) {
		const struct bridge_config *bridge = &bridges.list[i];

		if (!bridge->fault && doctor_can_run(bridge->argv[0], root))
			continue;
		fine = false;
		if (bridge->fault)
			doctor_problem(doctor, "bridges",
				"docs/bridge-protocol.md shows such a file", "%s",
				bridge->fault);
		else
			doctor_problem(doctor, "bridges", NULL,
				"'" BRIDGE_FOLDER
				"/%s.json': its program does not exist or cannot be run",
				bridge->name);
	}
	if (fine && bridges.count)
		doctor_ok(
			doctor, "bridges", "their programs can be started: %zu", bridges.count);
}

static void run_channels(struct doctor *doctor)
{
	bridges_check(doctor);
	if (doctor->status) {
		const json_t *channels = json_object_get(doctor->status, "channels");
		bool fine = true;
		json_t *channel;
		size_t i;

		json_array_foreach(channels, i, channel)
			fine &= channel_report(doctor, channel);
		if (fine)
			doctor_ok(doctor, "channels", "all are connected: %zu",
				json_array_size(channels));
	}
}

PROBE(channels) = {
	.name = "channels",
	.of_assistant = true,
	.run = run_channels,
};
