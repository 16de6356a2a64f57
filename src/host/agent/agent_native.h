/*
 * Our own agent (agent/native), for any model: its command line and its environment.
 *
 *	nanoclaw-native [--resume SESSION] --mcp-config /run/nanoclaw/mcp.json
 *
 * It uses its gate directly, through the socket at AGENT_API_INSIDE; nanoclaw-relay runs only if
 * its commands may reach other hosts.
 */
#ifndef HOST_AGENT_AGENT_NATIVE_H
#define HOST_AGENT_AGENT_NATIVE_H

#include "base/string_array.h"
#include "group/container.h"
#include "host/agent/agent_model.h"
#include "host/base/installation.h"
#include "sandbox/sandbox.h"

#define AGENT_NATIVE_PROGRAM "nanoclaw-native"

/* The socket of an agent's gate (gate/gate.h). */
#define AGENT_API_INSIDE "/run/nanoclaw/api.sock"

/* Fails if the program is missing. `servers` as for agent_servers_mount(). */
int agent_native_words(struct installation *inst, const struct container *container,
	const char *servers, const char *session_id, struct sandbox_spec *spec,
	struct string_array *argv, struct error *err);

/* ERROR_INVALID, with a message for the person, if no model is configured. */
int agent_native_check(const struct agent_model *model, struct error *err);

/* Variables for it: the protocol, the socket, and the model. */
void agent_native_environment(const struct agent_model *model,
	void (*add)(void *data, const char *name, const char *value), void *data);

#endif
