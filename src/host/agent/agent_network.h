/*
 * An agent's access to the network (egress/egress.h), with its group's list of hosts and the limits
 * of the installation. The host's log records it, and so does the audit log under "egress".
 *
 *	agent_network_open(…)			with its gate
 *	agent_network_egress(network)		for that gate
 *	agent_network_refused(network, …)	the gate itself has refused something
 *	agent_network_failed(network, …)	the API was not reached
 *	agent_network_over_budget(network, …)	it may not be asked now
 *	agent_network_close(network)		after the gate
 *
 * An agent can make a thousand requests in a second. So connections, refused connections, and
 * requests over its budget are each logged at a limited rate (rate_limit.h); the rest is
 * counted, and the next entry has the number.
 *
 * Settings: NANOCLAW_NETWORK_IDLE_SECONDS and NANOCLAW_NETWORK_MEGABYTES, for one connection.
 */
#ifndef HOST_AGENT_AGENT_NETWORK_H
#define HOST_AGENT_AGENT_NETWORK_H

#include "egress/egress.h"
#include "host/agent/agent_access.h"
#include "host/base/installation.h"

struct agent_network;
struct auditing;

struct agent_network *agent_network_open(struct installation *inst, struct auditing *auditing,
	const struct agent_access *access, const struct hosts *hosts);
void agent_network_close(struct agent_network *network);

struct egress *agent_network_egress(const struct agent_network *network);

/* NULL for the network is fine. */
void agent_network_refused(struct agent_network *network, const char *what, const char *why);
void agent_network_failed(struct agent_network *network, const char *what, const char *why);
void agent_network_over_budget(struct agent_network *network, const char *why);

#endif
