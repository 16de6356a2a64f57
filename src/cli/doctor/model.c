/*
 * Do the servers answer whose models groups use, and do they take the key? Each is asked for
 * its list of models, which costs nothing. For Claude Code see agents.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/string_array.h"
#include "cli/doctor/doctor.h"
#include "fs/beneath.h"
#include "fs/sys.h"
#include "gate/model_probe.h"
#include "group/container_file.h"
#include "host/agent/agent_model.h"
#include "host/agent/agent_native.h"
#include "host/base/installation.h"

#define MAX_ASKED 8 /* a person is waiting */
#define LIMIT_MS  10000

/* Each server is asked once. */
static bool model_is_new(struct string_array *asked, const struct agent_model *model)
{
	CLEANUP(freep) char *origin = api_address_origin(&model->address);
	CLEANUP(freep)
	char *name = xasprintf(
		"%s %s%s %s", model->provider->name, origin, model->address.path, model->name);

	if (asked->count == MAX_ASKED || string_array_has(asked, name))
		return false;
	string_array_add(asked, name);
	return true;
}

static struct credential find_key(
	const struct settings *settings, const struct provider *provider)
{
	for (size_t i = 0; i < PROVIDER_MAX_KEYS && provider->keys[i]; i++) {
		const char *name = provider->keys[i];
		const char *value = settings_get(settings, name);

		if (value)
			return (struct credential){credentials_kind(name), name, value};
	}
	return (struct credential){CREDENTIAL_NONE, NULL, NULL};
}

static void model_ask(struct doctor *doctor, const struct agent_model *model)
{
	CLEANUP(model_entries_release) struct model_entries models = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *shown = quote(view_of(model->name));
	struct model_probe probe = {
		.provider = model->provider,
		.address = &model->address,
		.title = model->title,
		.credential = model->no_key ? (struct credential){CREDENTIAL_NONE, NULL, NULL}
					    : find_key(&doctor->settings, model->provider),
		.ca_file = settings_ca_file(&doctor->settings),
		.limit_ms = LIMIT_MS,
	};
	const struct api_address *address = &model->address;

	if (model->needs_key && probe.credential.kind == CREDENTIAL_NONE)
		doctor_problem(doctor, "model", "nanoclaw setup",
			"there is no key for %s, and a group uses a model of it", model->title);
	else if (model_probe_list(&probe, &models, &err) < 0)
		doctor_problem(doctor, "model",
			probe.fault == MODEL_FAULT_ABSENT ? NULL : "nanoclaw setup",
			"a group's model cannot be used: %s", err.message);
	else if (models.count && !model_entries_find(&models, model->name))
		doctor_warning(doctor, "model", "nanoclaw setup",
			"%s answers, but does not list the model %s that a group uses",
			model->title, shown);
	else
		doctor_ok(doctor, "model", "%s answers, and %s", model->title,
			models.count ? "has the model that groups use"
				     : "does not list its models");
	/* Without TLS, everyone on the way to another machine can read the key. */
	if (probe.credential.kind != CREDENTIAL_NONE && !address->tls &&
		strcmp(address->host, "localhost") != 0 && strcmp(address->host, "::1") != 0 &&
		strncmp(address->host, "127.", 4) != 0)
		doctor_warning(doctor, "model", "nanoclaw setup",
			"the key for %s crosses the network without TLS: use an address that begins "
			"with https",
			model->title);
}

/*
 * An agent whose server has cut a prompt keeps to what the server took, also when the server takes
 * more by now: agent/native/native.h. The agent can write there, so no link is followed.
 */
static void model_look_at_window(struct doctor *doctor, const struct group *group)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int dir = -1;
	CLEANUP(freep)
	char *folder = xasprintf("data/sessions/%s/.claude/native", group->folder);
	CLEANUP(freep) char *path = xasprintf("%s/window", folder);
	const char *number;

	if (beneath_path_read(doctor->project.root, path, 1000, &text, &ignored) < 0 ||
		beneath_path_open_dir(doctor->project.root, folder, &dir, &ignored) < 0)
		return;
	number = strchr(text.data, '\n');
	if (doctor->fix && sys.unlink(dir, "window", 0) == 0)
		doctor_ok(doctor, "model",
			"the agent of group '%s' tries the whole window of its model again",
			group->folder);
	else
		doctor_warning(doctor, "model", "nanoclaw doctor --fix",
			"the agent of group '%s' keeps to a window of %lld tokens, because its "
			"server took no more; if it takes more now, let the agent try again",
			group->folder, number ? strtoll(number, NULL, 10) : 0);
}

static void model_check(
	struct doctor *doctor, const struct group *group, struct string_array *asked)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(agent_model_release) struct agent_model model = AGENT_MODEL_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	/* Another probe reports a faulty file. */
	if (container_look(doctor->project.root, group->folder, &container, NULL, &ignored) <
			0 ||
		strcmp(agent_command_of(&container, group, &doctor->settings), AGENT_NATIVE) !=
			0)
		return;
	model_look_at_window(doctor, group);
	if (agent_model_find(&doctor->settings, &container.model, &model, &err) < 0 ||
		agent_native_check(&model, &err) < 0)
		doctor_problem(doctor, "model", "nanoclaw setup",
			"the agent of group '%s' does not start: %s", group->folder,
			err.message);
	else if (model_is_new(asked, &model))
		model_ask(doctor, &model);
}

static void run_model(struct doctor *doctor)
{
	CLEANUP(string_array_release) struct string_array asked = {0};

	for (size_t i = 0; i < doctor->groups.count; i++)
		model_check(doctor, &doctor->groups.list[i], &asked);
}

PROBE(model) = {
	.name = "model",
	.of_assistant = true,
	.run = run_model,
};
