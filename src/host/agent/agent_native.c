#include "host/agent/agent_native.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "host/agent/agent_program.h"
#include "host/agent/agent_servers.h"
#include "proc/process.h"

int agent_native_words(struct installation *inst, const struct container *container,
	const char *servers, const char *session_id, struct sandbox_spec *spec,
	struct string_array *argv, struct error *err)
{
	CLEANUP(freep) char *program = process_find_own(AGENT_NATIVE_PROGRAM, err);

	if (!program || agent_servers_mount(inst, container, servers, spec, err) < 0 ||
		agent_program_mount(inst, program, 0, spec, argv, err) < 0)
		return -1;
	if (session_id)
		STRING_ARRAY_ADD(argv, "--resume", session_id);
	STRING_ARRAY_ADD(argv, "--mcp-config", AGENT_SERVERS_INSIDE);
	return 0;
}

int agent_native_check(const struct agent_model *model, struct error *err)
{
	if (model->name)
		return 0;
	return error_set(err, ERROR_INVALID,
		"no model of %s is chosen: put NANOCLAW_MODEL=... into '.env'", model->title);
}

static void add_number(int64_t number, const char *name,
	void (*add)(void *data, const char *name, const char *value), void *data)
{
	CLEANUP(freep) char *text = xasprintf("%" PRId64, number);

	if (number)
		add(data, name, text);
}

void agent_native_environment(const struct agent_model *model,
	void (*add)(void *data, const char *name, const char *value), void *data)
{
	CLEANUP(freep) char *path = provider_path(model->provider, &model->address);

	add(data, "NANOCLAW_API", api_protocol_names[model->provider->protocol]);
	add(data, "NANOCLAW_API_PATH", path);
	add(data, "NANOCLAW_API_SOCKET", AGENT_API_INSIDE);
	add(data, "NANOCLAW_MODEL", model->name);
	add(data, "NANOCLAW_PROVIDER", model->title);
	add_number(model->context, "NANOCLAW_CONTEXT", add, data);
	add_number(model->max_output, "NANOCLAW_MAX_OUTPUT", add, data);
	if (model->vision)
		add(data, "NANOCLAW_VISION", "1");
}
