/*
 * The things that every part of a running host uses: its loop, the project, the settings, the
 * store. Each part gets a pointer to this and to the other parts that it uses; host.c connects
 * them.
 */
#ifndef HOST_BASE_INSTALLATION_H
#define HOST_BASE_INSTALLATION_H

#include <uv.h>

#include "channels/channel.h"
#include "db/store.h"
#include "group/container_cache.h"
#include "host/base/registry.h"
#include "host/base/settings.h"

/* Failed turns and messages are tried again at least this often. */
#define LONGEST_RETRY_MS ((int64_t)15 * 60 * 1000)

struct limits {
	int64_t agents;        /* that run at a time, without main's */
	int64_t failures;      /* of a turn, before it is given up */
	int64_t retry_ms;      /* before the second attempt; four times as long each time */
	int64_t turn_seconds;  /* without a sign of life */
	int64_t idle_seconds;  /* without a turn */
	int64_t wait_seconds;  /* for a place, until main hears of it */
	int64_t alert_seconds; /* that something is dead, before the owner is told */
	int64_t grace_seconds; /* for agents and bridges to end */
	int64_t session_turns; /* before a new session begins */
	int64_t session_hours; /* without a turn, before a new session begins */
	int64_t send_failures; /* of a text, before it is dead */
	int64_t send_retry_ms; /* before the second attempt; doubled each time */
	int64_t media_days;    /* that a file of a message is kept */
	int64_t media_file_megabytes;
	int64_t media_megabytes;      /* of all files of a group */
	int64_t reading_seconds;      /* the time limit of a reader for one file */
	int64_t network_idle_seconds; /* of an agent's connection, before it is closed */
	int64_t network_megabytes;    /* over one, in both directions */
	/* Of a turn, until its chat sees its progress (0: never), and between two lines of that. */
	int64_t progress_seconds;
	int64_t progress_line_seconds;
};

struct network;
struct watchers;

struct installation {
	uv_loop_t loop;
	struct network *network; /* connections of channels, and of agents to their API */
	int root;
	const char *root_path;
	int64_t started_at;
	struct settings settings;
	struct limits limits;
	struct store *store;
	struct registry registry;
	struct container_cache containers;
	struct channel *channels;
	struct watchers *watchers; /* watchers.h; NULL: the host stops */
};

/* ERROR_INVALID if one of them is not a number, or out of range. */
int limits_read(const struct settings *settings, struct limits *ret_limits, struct error *err);

/* The channel that delivers for this JID, or NULL. */
struct channel *installation_channel(const struct installation *inst, const char *jid);

/* Agents that are known by a word; any other is a command line (agent_program.h). */
#define AGENT_OFFLINE "offline"
#define AGENT_CLAUDE  "claude"
#define AGENT_NATIVE  "native"

/*
 * The agent of a group: that of its container.json, else the one that it was registered with,
 * else the setting NANOCLAW_AGENT, else "offline".
 */
const char *agent_command_of(const struct container *container, const struct group *group,
	const struct settings *settings);

#endif
