#include "host/base/installation.h"

int limits_read(const struct settings *settings, struct limits *ret_limits, struct error *err)
{
	struct limits *l = ret_limits;
	const struct {
		const char *name;
		int64_t least;
		int64_t most;
		int64_t otherwise;
		int64_t *ret;
	} limits[] = {
		{"NANOCLAW_AGENTS", 1, 1000, 5, &l->agents},
		{"NANOCLAW_ALERT_SECONDS", 1, 86400, 600, &l->alert_seconds},
		{"NANOCLAW_GRACE_SECONDS", 1, 3600, 2, &l->grace_seconds},
		{"NANOCLAW_IDLE_SECONDS", 1, 86400, 300, &l->idle_seconds},
		{"NANOCLAW_READING_SECONDS", 1, 3600, 100, &l->reading_seconds},
		{"NANOCLAW_MEDIA_DAYS", 1, 36500, 90, &l->media_days},
		{"NANOCLAW_MEDIA_FILE_MEGABYTES", 1, 1024, 20, &l->media_file_megabytes},
		{"NANOCLAW_MEDIA_MEGABYTES", 1, 1048576, 500, &l->media_megabytes},
		{"NANOCLAW_NETWORK_IDLE_SECONDS", 1, 86400, 300, &l->network_idle_seconds},
		{"NANOCLAW_NETWORK_MEGABYTES", 1, 16777216, 4096, &l->network_megabytes},
		{"NANOCLAW_PROGRESS_LINE_SECONDS", 1, 86400, 60, &l->progress_line_seconds},
		{"NANOCLAW_PROGRESS_SECONDS", 0, 86400, 10, &l->progress_seconds},
		{"NANOCLAW_RETRY_MS", 1, 600000, 2000, &l->retry_ms},
		{"NANOCLAW_SEND_RETRY_MS", 1, 600000, 1000, &l->send_retry_ms},
		{"NANOCLAW_SEND_TRIES", 1, 100, 10, &l->send_failures},
		{"NANOCLAW_SESSION_HOURS", 1, 100000, 24 * 30, &l->session_hours},
		{"NANOCLAW_SESSION_TURNS", 1, 1000000, 500, &l->session_turns},
		{"NANOCLAW_TURN_SECONDS", 1, 86400, 600, &l->turn_seconds},
		{"NANOCLAW_TURN_TRIES", 1, 100, 3, &l->failures},
		{"NANOCLAW_WAIT_SECONDS", 1, 86400, 300, &l->wait_seconds},
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (settings_number(settings, limits[i].name, limits[i].least, limits[i].most,
			    limits[i].otherwise, limits[i].ret, err) < 0)
			return -1;
	return 0;
}

struct channel *installation_channel(const struct installation *inst, const char *jid)
{
	struct channel *channel = inst->channels;

	while (channel && !channel->kind->owns_jid(channel, jid))
		channel = channel->next;
	return channel;
}

const char *agent_command_of(const struct container *container, const struct group *group,
	const struct settings *settings)
{
	const char *setting = settings_get(settings, "NANOCLAW_AGENT");

	if (container->agent)
		return container->agent;
	if (group->agent)
		return group->agent;
	return setting ? setting : AGENT_OFFLINE;
}
