#include "host/agent/agent_gate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "channels/local/local.h"
#include "egress/egress.h"
#include "fs/beneath.h"
#include "host/agent/agent_network.h"
#include "host/money/spending.h"

#define MAX_DESCRIPTORS 16384

struct agent_gates {
	struct installation *inst;
	struct auditing *auditing;
	struct spending *spending;
	struct credentials *credentials;
};

/* --- what gates ask and tell ------------------------------------------------- */

static void tell_refused(void *data, const char *what, const char *why)
{
	const struct agent_access *access = data;

	agent_network_refused(access->network, what, why);
}

static void tell_failed(void *data, const char *what, const char *why)
{
	const struct agent_access *access = data;

	agent_network_failed(access->network, what, why);
}

static int may_spend(void *data, struct error *err)
{
	struct agent_access *access = data;

	if (access->turn->id) {
		access->asked_in = access->turn->id;
		access->asked = true;
	}
	if (spending_may_ask(access->spending, access->folder, err) == 0)
		return 0;
	agent_network_over_budget(access->network, err->message);
	return -1;
}

/* An answer may end after the turn that it was for. */
static void note_used(void *data, const struct api_usage *usage)
{
	const struct agent_access *access = data;

	spending_used(access->spending, access->folder, access->asked_in, usage);
}

static const struct gate_handlers handlers = {
	.may_spend = may_spend,
	.used = note_used,
	.refused = tell_refused,
	.failed = tell_failed,
};

/* --- all of them ------------------------------------------------------------- */

/* For credentials.h: its own copy, and nothing of the others' is left. */
static int find_setting(struct view text, const char *name, char **ret_value, struct error *err)
{
	CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;
	const char *value;

	if (settings_parse(text, ".env", &settings, err) < 0)
		return -1;
	value = settings_in_file(&settings, name);
	*ret_value = value ? xstrdup(value) : NULL;
	return 0;
}

/* Earlier versions had no other way to give an agent its key. */
static int check_agent_env(const struct settings *settings, struct error *err)
{
	const char *names = settings_get(settings, "NANOCLAW_AGENT_ENV");
	struct view rest = view_of(names ? names : "");
	struct view piece;

	while (view_next(&rest, ',', &piece)) {
		struct view trimmed = view_trim(piece);
		CLEANUP(freep) char *name = xmemdupz(trimmed.data, trimmed.len);

		if (!credentials_is_secret(name))
			continue;
		error_set(err, ERROR_INVALID,
			"NANOCLAW_AGENT_ENV names %s, which agents never get", name);
		return error_hint(err,
			"remove it there: the host adds the key to the requests of agents");
	}
	return 0;
}

/*
 * Each connection of an agent is two descriptors here, and the usual limit is for programs
 * that call select(). Sandboxes have a limit of their own.
 */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= MAX_DESCRIPTORS)
		return;
	limit.rlim_cur = limit.rlim_max < MAX_DESCRIPTORS ? limit.rlim_max : MAX_DESCRIPTORS;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int agent_gates_open(struct installation *inst, struct auditing *auditing,
	struct spending *spending, struct agent_gates **ret_gates, struct error *err)
{
	CLEANUP(agent_model_release) struct agent_model model = AGENT_MODEL_INIT;
	CLEANUP(agent_model_release) struct agent_model claude = AGENT_MODEL_INIT;
	struct agent_gates *gates;

	if (check_agent_env(&inst->settings, err) < 0 ||
		agent_model_find(&inst->settings, NULL, &model, err) < 0 ||
		agent_model_find_claude(&inst->settings, NULL, &claude, err) < 0)
		return -1;
	allow_descriptors();
	egress_prepare();
	gates = xcalloc(1, sizeof(*gates));
	gates->inst = inst;
	gates->auditing = auditing;
	gates->spending = spending;
	credentials_new(inst->root, find_setting, &gates->credentials);
	*ret_gates = gates;
	return 0;
}

void agent_gates_close(struct agent_gates *gates)
{
	if (!gates)
		return;
	credentials_free(gates->credentials);
	free(gates);
}

/* --- one --------------------------------------------------------------------- */

int agent_gate_open(struct agent_gates *gates, struct agent_access *access, const char *name,
	const struct agent_model *model, const struct hosts *hosts, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *file = xasprintf("api-%s.sock", name);
	CLEANUP(closep) int folder = -1;
	struct gate_options options = {
		.loop = &gates->inst->loop,
		.name = file,
		.provider = model->provider,
		.address = &model->address,
		.needs_key = model->needs_key,
		.no_key = model->no_key,
		.credentials = gates->credentials,
		.network = gates->inst->network,
		.handlers = &handlers,
		.data = access,
	};
	struct credential credential;

	/* Before an agent is started that could only say the same in other words. */
	if ((model->provider && gate_credential(&options, &credential, err) < 0) ||
		relpath_parse(view_of(LOCAL_FOLDER), &path, err) < 0 ||
		beneath_open_dir(gates->inst->root, &path, &folder, err) < 0)
		return -1;
	access->spending = gates->spending;
	access->network = agent_network_open(gates->inst, gates->auditing, access, hosts);
	options.folder = folder;
	options.egress = agent_network_egress(access->network);
	return gate_open(&options, &access->gate, err);
}
