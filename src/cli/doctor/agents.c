/* Are the programs there that answer? Which they are is not shown: it is a setting. */
#include <string.h>

#include "cli/doctor/doctor.h"
#include "cli/output.h"
#include "gate/api_address.h"
#include "gate/credentials.h"
#include "gate/provider.h"
#include "group/container_file.h"
#include "host/agent/agent_claude.h"
#include "host/agent/agent_native.h"
#include "host/agent/agent_program.h"
#include "host/base/registry.h"
#include "proc/child.h"
#include "proc/process.h"
#include "sandbox/sandbox.h"

#define MAX_VERSION ((size_t)4096)
#define TIMEOUT_MS  60000

/* NULL if it can be started, else the reason. */
static const char *trouble_with(const struct doctor *doctor, const struct group *group,
	const char *command, struct error *err)
{
	CLEANUP(child_free_argv) char **argv = NULL;
	CLEANUP(closep) int folder = -1;

	if (child_split(command, &argv, err) < 0)
		return err->message;
	if (registry_open_folder(doctor->project.root, group->folder, &folder, err) < 0)
		return err->message;
	return doctor_can_run(argv[0], folder) ? NULL
					       : "its program does not exist or cannot be run";
}

/* A kind of its own, which the probe of the installation does not try. */
static bool has_sandbox(struct doctor *doctor, const struct group *group, const char *wanted)
{
	static const struct sandbox_kind *works; /* the last one that was tried */
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct sandbox_kind *kind;

	/* An unknown kind was reported already. */
	if (!wanted || sandbox_kind_find(wanted, &kind, &err) < 0 || works == kind ||
		kind->elsewhere)
		return true;
	if (sandbox_probe(kind, settings_get(&doctor->settings, "NANOCLAW_SANDBOX_IMAGE"), NULL,
		    &err) < 0) {
		doctor_problem(doctor, "agents", err.hint,
			"the agent of group '%s' does not start: %s", group->folder,
			err.message);
		return false;
	}
	works = kind;
	return true;
}

static bool has_native(struct doctor *doctor, const struct group *group)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *program = process_find_own(AGENT_NATIVE_PROGRAM, &err);

	if (!program)
		doctor_problem(doctor, "agents", NULL,
			"the agent of group '%s' does not start: %s", group->folder,
			err.message);
	return program;
}

/* An agent that a group names itself is looked up in its sandbox, not here. */
static bool agent_check(struct doctor *doctor, const struct group *group, bool *claude)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *setting = settings_get(&doctor->settings, "NANOCLAW_AGENT");
	const char *command = group->agent ? group->agent : setting;
	const char *trouble;

	if (container_look(doctor->project.root, group->folder, &container, NULL, &err) < 0 &&
		err.kind == ERROR_INVALID) {
		doctor_problem(doctor, "agents", NULL,
			"the agent of group '%s' does not start: %s", group->folder,
			err.message);
		return false;
	}
	error_clear(&err);
	if (!has_sandbox(doctor, group, container.sandbox))
		return false;
	if (container.agent)
		command = container.agent;
	if (command && !strcmp(command, AGENT_CLAUDE))
		*claude = true;
	if (command && !strcmp(command, AGENT_NATIVE))
		return has_native(doctor, group);
	if (!command || container.agent || !strcmp(command, AGENT_CLAUDE) ||
		!strcmp(command, AGENT_OFFLINE))
		return true;
	trouble = trouble_with(doctor, group, command, &err);
	if (trouble)
		doctor_problem(doctor, "agents", NULL, "the agent of group '%s' (%s): %s",
			group->folder, group->agent ? "its own" : "NANOCLAW_AGENT", trouble);
	return !trouble;
}

/* Which Claude Code is it? Asked by starting it. */
static void claude_check(struct doctor *doctor)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(freep) char *program = agent_program_claude(&doctor->settings);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(freep) char *version = NULL;

	if (!program) {
		doctor_problem(doctor, "claude", AGENT_CLAUDE_INSTALL,
			"Claude Code is not installed, and a group uses it as its agent");
		return;
	}
	request.argv = (const char *const[]){program, "--version", NULL};
	request.timeout_ms = TIMEOUT_MS;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, MAX_VERSION};
	request.errors = (struct process_stream){PROCESS_DISCARD};
	if (process_run(&request, &result, &err) < 0 || result.exit_code) {
		doctor_problem(doctor, "claude", AGENT_CLAUDE_INSTALL,
			"Claude Code is installed, but does not run");
		return;
	}
	version = output_first_line(result.output.data);
	doctor_ok(doctor, "claude",
		"Claude Code is installed: %s (tested with " AGENT_CLAUDE_VERSION ")", version);
}

/* Is there a key? Its value is not shown. */
static void key_check(struct doctor *doctor)
{
	const struct settings *settings = &doctor->settings;
	const char *url = settings_get(settings, "ANTHROPIC_BASE_URL");
	const struct provider *provider = provider_find(PROVIDER_ANTHROPIC);

	for (size_t i = 0; i < PROVIDER_MAX_KEYS; i++) {
		if (!settings_get(settings, provider->keys[i]))
			continue;
		doctor_ok(doctor, "key", "there is an API key: %s", provider->keys[i]);
		return;
	}
	if (!url || !strcmp(url, API_ADDRESS_DEFAULT))
		doctor_problem(doctor, "key", "echo 'ANTHROPIC_API_KEY=...' >>.env",
			"there is no API key, and a group uses Claude Code as its agent");
}

static void run_agents(struct doctor *doctor)
{
	const struct group_list *groups = &doctor->groups;
	bool fine = true;
	bool claude = false;

	if (!doctor->groups_known)
		return;
	for (size_t i = 0; i < groups->count; i++)
		fine &= agent_check(doctor, &groups->list[i], &claude);
	if (fine)
		doctor_ok(doctor, "agents", "the agents of all groups can be started: %zu",
			groups->count);
	if (claude) {
		claude_check(doctor);
		key_check(doctor);
	}
}

PROBE(agents) = {
	.name = "agents",
	.of_assistant = true,
	.run = run_agents,
};
