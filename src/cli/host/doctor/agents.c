/* Are the programs there that answer? Which they are is not shown: it is a setting. */
#include <string.h>

#include "cli/host/doctor/host_probe.h"
#include "host/registry.h"
#include "store/groups.h"
#include "util/child.h"

#define OFFLINE "offline" /* the agent that is built in, and taken if none is set */

/* NULL if it can be started, else what is wrong. */
static const char *trouble_with(const struct host_doctor *doctor, const struct group *group,
	const char *command, struct error *err)
{
	CLEANUP(child_free_argv) char **argv = NULL;
	CLEANUP(closep) int folder = -1;

	if (child_split(command, &argv, err) < 0)
		return err->message;
	if (registry_open_folder(doctor->findings.project.root, group->folder, &folder, err) <
		0)
		return err->message;
	return host_probe_can_run(argv[0], folder)
		       ? NULL
		       : "its program is not there, or cannot be executed";
}

static bool look_at(struct host_doctor *doctor, const struct group *group)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *setting = settings_get(&doctor->settings, "NANOCLAW_AGENT");
	const char *command = group->agent ? group->agent : setting;
	const char *trouble;

	if (!command || !strcmp(command, OFFLINE))
		return true;
	trouble = trouble_with(doctor, group, command, &err);
	if (trouble)
		doctor_problem(&doctor->findings, "agents", NULL,
			"the agent of group '%s' (%s): %s", group->folder,
			group->agent ? "its own" : "NANOCLAW_AGENT", trouble);
	return !trouble;
}

static void run(struct host_doctor *doctor)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool fine = true;

	if (!doctor->store)
		return;
	if (store_group_list(doctor->store, &groups, &err) < 0) {
		doctor_warning(&doctor->findings, "agents", err.hint, "%s", err.message);
		return;
	}
	for (size_t i = 0; i < groups.count; i++)
		fine &= look_at(doctor, &groups.list[i]);
	if (fine)
		doctor_ok(&doctor->findings, "agents",
			"the agents of all groups can be started: %zu", groups.count);
}

HOST_PROBE(agents) = {
	.name = "agents",
	.run = run,
};
