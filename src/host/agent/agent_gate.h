/*
 * The gates of agents (gate/gate.h), as the host has them: one for each agent that needs the
 * API of a model, or may reach other hosts. They share connections and the credential.
 *
 *	agent_gates_open(inst, …, &gates, err)		at the start
 *	agent_gate_open(gates, access, …, err)		with an agent
 *	agent_gates_close(gates)			when no agent is left, and the loop
 *							still runs
 *
 * The agent's model (agent_model.h) determines the address of the API and the key.
 */
#ifndef HOST_AGENT_AGENT_GATE_H
#define HOST_AGENT_AGENT_GATE_H

#include "gate/gate.h"
#include "host/agent/agent_access.h"
#include "host/agent/agent_model.h"
#include "host/base/installation.h"

struct agent_gates;
struct auditing;
struct hosts;
struct spending;

/* ERROR_INVALID if a setting is wrong, also one of the installation's model. */
int agent_gates_open(struct installation *inst, struct auditing *auditing,
	struct spending *spending, struct agent_gates **ret_gates, struct error *err);
void agent_gates_close(struct agent_gates *gates);

/*
 * `name` is the name of the worker's socket: "family", or the name of an isolated task. `model`
 * lives as long as the gate; without a provider there is no API. `hosts` are further hosts that
 * the agent may reach. ERROR_INVALID, with a message for the person, if the API requires a key
 * and none is set.
 */
int agent_gate_open(struct agent_gates *gates, struct agent_access *access, const char *name,
	const struct agent_model *model, const struct hosts *hosts, struct error *err);

#endif
