/*
 * What the parts of the host share. Only for src/host.
 */
#ifndef HOST_PARTS_H
#define HOST_PARTS_H

#include <uv.h>

#include "channels/channel.h"
#include "group/container_cache.h"
#include "host/host.h"
#include "host/registry.h"
#include "host/settings.h"
#include "store/store.h"

struct agent_gates;
struct auditing;
struct delivery;
struct memory;
struct queue;
struct sandboxes;
struct scheduler;
struct spending;

struct host_limits {
	int64_t agents;        /* that run at a time */
	int64_t failures;      /* of a turn, before it is given up */
	int64_t retry_ms;      /* before the second attempt; four times as long each time */
	int64_t turn_seconds;  /* without a sign of life */
	int64_t idle_seconds;  /* without a turn */
	int64_t grace_seconds; /* for agents and bridges that shall end */
	int64_t session_turns; /* before a session starts afresh */
	int64_t session_hours; /* unused */
	int64_t send_failures; /* of a text, before it is dead */
	int64_t send_retry_ms; /* before the second attempt; doubled each time */
	int64_t network_idle_seconds; /* of a connection of an agent, before it is ended */
	int64_t network_megabytes;    /* over one, both ways */
};

struct host {
	uv_loop_t loop;
	uv_prepare_t before_sleep;
	uv_signal_t signals[4];
	uv_timer_t pulse; /* for the watchdog of the service manager */
	int root;
	const char *root_path;
	int64_t started_at;
	struct settings settings;
	struct host_limits limits;
	struct store *store;
	struct registry registry;
	struct container_cache containers;
	struct channel *channels;
	struct auditing *auditing;
	struct queue *queue;
	struct sandboxes *sandboxes;
	struct agent_gates *gates;
	struct delivery *delivery;
	struct memory *memory;
	struct scheduler *scheduler;
	struct spending *spending;
	unsigned odd_sockets;   /* that got a number for a name */
	unsigned messages_said; /* by operations, outside of turns */
	struct txn batch;       /* of the messages that a channel brings at once */
	bool batch_failed;
	char *batch_error; /* of the last one that failed, or NULL */
	bool stopping;
	bool again; /* after that */
};

/* Longest wait before something is tried again. */
#define HOST_LONGEST_WAIT_MS ((int64_t)15 * 60 * 1000)

/* first * factor^count, at most the longest wait. */
int64_t host_backoff(int64_t first, int factor, int count);

/* Who delivers for this JID; NULL if nobody says so. */
struct channel *host_channel_for(const struct host *host, const char *jid);

/* Stop: no new work, agents and channels end, then host_run() returns. */
void host_stop(struct host *host);

#endif
