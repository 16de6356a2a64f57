#include "host/agent_network.h"

#include <inttypes.h>
#include <stdlib.h>

#include "host/auditing.h"
#include "host/call_rate.h"
#include "host/worker.h"
#include "util/log.h"

/* Notes that are kept, and how many were not since the last of them. */
struct notes {
	struct call_rate rate;
	uint64_t left_out;
};

struct agent_network {
	struct worker *worker;
	struct egress *egress;
	struct notes made;
	struct notes others;
};

static void keep(const struct worker *worker, enum audit_outcome outcome, const char *what,
	const char *detail)
{
	auditing_add(worker->host->auditing, &(struct audit_entry){
						     .group = worker->folder,
						     .turn = worker->turn.id,
						     .kind = AUDIT_EGRESS,
						     .what = what,
						     .outcome = outcome,
						     .detail = detail,
					     });
}

static void log_it(const struct worker *worker, enum audit_outcome outcome, const char *what,
	const char *detail)
{
	if (outcome == AUDIT_DONE)
		log_debug("the agent of '%s' is connected to %s, %s", worker->folder, what,
			detail);
	else
		log_warning("the agent of '%s' was %s %s: %s", worker->folder,
			outcome == AUDIT_REFUSED ? "refused" : "not connected to", what,
			detail);
}

static void note(void *data, enum egress_outcome outcome, const char *what, const char *why)
{
	static const enum audit_outcome outcomes[] = {
		[EGRESS_DONE] = AUDIT_DONE,
		[EGRESS_REFUSED] = AUDIT_REFUSED,
		[EGRESS_FAILED] = AUDIT_FAILED,
	};
	struct agent_network *network = data;
	struct worker *worker = network->worker;
	struct notes *notes = outcome == EGRESS_DONE ? &network->made : &network->others;
	CLEANUP(freep) char *detail = NULL;

	if (call_rate_take(&notes->rate, (int64_t)uv_now(&worker->host->loop))) {
		notes->left_out++;
		return;
	}
	detail = notes->left_out
			 ? xasprintf("%s (and %" PRIu64 " before it that are not listed)", why,
				   notes->left_out)
			 : xstrdup(why);
	notes->left_out = 0;
	log_it(worker, outcomes[outcome], what, detail);
	keep(worker, outcomes[outcome], what, detail);
}

void agent_network_refused(struct agent_network *network, const char *what, const char *why)
{
	if (network)
		note(network, EGRESS_REFUSED, what, why);
}

struct agent_network *agent_network_open(struct worker *worker, const struct hosts *hosts)
{
	struct agent_network *network = xcalloc(1, sizeof(*network));
	const struct host_limits *limits = &worker->host->limits;

	network->worker = worker;
	network->egress = egress_new(&(struct egress_options){
		.loop = &worker->host->loop,
		.group = worker->folder,
		.hosts = hosts,
		.idle_ms = (uint64_t)limits->network_idle_seconds * 1000,
		.bytes_most = (uint64_t)limits->network_megabytes * 1024 * 1024,
		.note = note,
		.data = network,
	});
	return network;
}

struct egress *agent_network_egress(const struct agent_network *network)
{
	return network->egress;
}

static void tell_left_out(const struct agent_network *network, const struct notes *notes,
	enum audit_outcome outcome)
{
	CLEANUP(freep)
	char *detail = xasprintf("%" PRIu64 " that are not listed", notes->left_out);

	if (notes->left_out)
		keep(network->worker, outcome, "more of them", detail);
}

void agent_network_close(struct agent_network *network)
{
	if (!network)
		return;
	egress_close(network->egress);
	tell_left_out(network, &network->made, AUDIT_DONE);
	tell_left_out(network, &network->others, AUDIT_REFUSED);
	free(network);
}
