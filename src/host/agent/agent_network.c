#include "host/agent/agent_network.h"

#include <inttypes.h>
#include <stdlib.h>

#include "host/base/auditing.h"
#include "host/base/call_rate.h"
#include "proc/log.h"

/* Notes that are kept, and how many were not since the last of them. */
struct notes {
	struct rate_limit rate;
	uint64_t left_out;
};

struct agent_network {
	struct auditing *auditing;
	uv_loop_t *loop;
	const struct agent_access *access;
	struct egress *egress;
	struct notes made;
	struct notes others;
	struct notes over_budget;
};

static void network_audit(const struct agent_network *network, enum audit_kind kind,
	enum audit_outcome outcome, const char *what, const char *detail)
{
	auditing_add(network->auditing, &(struct audit_entry){
						.group = network->access->folder,
						.turn = network->access->turn->id,
						.kind = kind,
						.what = what,
						.outcome = outcome,
						.detail = detail,
					});
}

static void network_log(
	const char *folder, enum audit_outcome outcome, const char *what, const char *detail)
{
	if (outcome == AUDIT_DONE)
		log_debug("the agent of '%s' is connected to %s, %s", folder, what, detail);
	else
		log_warning("the agent of '%s' was %s %s: %s", folder,
			outcome == AUDIT_REFUSED ? "refused" : "not connected to", what,
			detail);
}

/* The text of an entry, to be freed; NULL if there are too many. */
static char *network_note(
	const struct agent_network *network, struct notes *notes, const char *why)
{
	uint64_t left_out = notes->left_out;

	if (rate_limit_take(&notes->rate, &call_rate, (int64_t)uv_now(network->loop))) {
		notes->left_out++;
		return NULL;
	}
	notes->left_out = 0;
	if (!left_out)
		return xstrdup(why);
	return xasprintf("%s (and %" PRIu64 " before it that are not listed)", why, left_out);
}

static void note_connection(
	void *data, enum egress_outcome outcome, const char *what, const char *why)
{
	static const enum audit_outcome outcomes[] = {
		[EGRESS_DONE] = AUDIT_DONE,
		[EGRESS_REFUSED] = AUDIT_REFUSED,
		[EGRESS_FAILED] = AUDIT_FAILED,
	};
	struct agent_network *network = data;
	struct notes *notes = outcome == EGRESS_DONE ? &network->made : &network->others;
	CLEANUP(freep) char *detail = network_note(network, notes, why);

	if (!detail)
		return;
	network_log(network->access->folder, outcomes[outcome], what, detail);
	network_audit(network, AUDIT_EGRESS, outcomes[outcome], what, detail);
}

void agent_network_refused(struct agent_network *network, const char *what, const char *why)
{
	if (network)
		note_connection(network, EGRESS_REFUSED, what, why);
}

void agent_network_failed(struct agent_network *network, const char *what, const char *why)
{
	if (network)
		note_connection(network, EGRESS_FAILED, what, why);
}

/* The gate has logged the refusal; this is for the audit log only. */
void agent_network_over_budget(struct agent_network *network, const char *why)
{
	CLEANUP(freep)
	char *detail = network ? network_note(network, &network->over_budget, why) : NULL;

	if (detail)
		network_audit(network, AUDIT_BUDGET, AUDIT_REFUSED, "request", detail);
}

struct agent_network *agent_network_open(struct installation *inst, struct auditing *auditing,
	const struct agent_access *access, const struct hosts *hosts)
{
	struct agent_network *network = xcalloc(1, sizeof(*network));
	const struct limits *limits = &inst->limits;

	network->auditing = auditing;
	network->loop = &inst->loop;
	network->access = access;
	network->egress = egress_new(&(struct egress_options){
		.loop = &inst->loop,
		.group = access->folder,
		.hosts = hosts,
		.idle_ms = (uint64_t)limits->network_idle_seconds * 1000,
		.bytes_most = (uint64_t)limits->network_megabytes * 1024 * 1024,
		.note = note_connection,
		.data = network,
	});
	return network;
}

struct egress *agent_network_egress(const struct agent_network *network)
{
	return network->egress;
}

static void tell_left_out(const struct agent_network *network, const struct notes *notes,
	enum audit_kind kind, enum audit_outcome outcome)
{
	CLEANUP(freep)
	char *detail = xasprintf("%" PRIu64 " that are not listed", notes->left_out);

	if (notes->left_out)
		network_audit(network, kind, outcome, "more of them", detail);
}

void agent_network_close(struct agent_network *network)
{
	if (!network)
		return;
	egress_close(network->egress);
	tell_left_out(network, &network->made, AUDIT_EGRESS, AUDIT_DONE);
	tell_left_out(network, &network->others, AUDIT_EGRESS, AUDIT_REFUSED);
	tell_left_out(network, &network->over_budget, AUDIT_BUDGET, AUDIT_REFUSED);
	free(network);
}
