#include <stdio.h>
#include <string.h>

#include "channels/bridge/config.h"
#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/table.h"
#include "format/json.h"
#include "time/timestamp.h"

static json_t *channel_down_json(const char *name, const char *kind, const char *fault)
{
	return json_build("name:s kind:s state:s detail:s", name, kind, "down",
		fault ? fault : "the host is not running");
}

static int channels_read(struct assistant *assistant, json_t **ret_channels, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;

	if (assistant_find(assistant, err) < 0 ||
		client_connect(assistant->project.root, &assistant->client, &assistant->running,
			err) < 0)
		return -1;
	if (!assistant->running) {
		CLEANUP(bridge_configs_release) struct bridge_configs bridges = {0};
		json_t *list;

		/* Without a host: the channels that it would open. */
		if (bridge_configs_read(assistant->project.root, &bridges, err) < 0)
			return -1;
		list = json_array();
		json_array_append_new(list, channel_down_json("local", "local", NULL));
		for (size_t i = 0; i < bridges.count; i++)
			json_array_append_new(list, channel_down_json(bridges.list[i].name,
							    "bridge", bridges.list[i].fault));
		*ret_channels = list;
		return 0;
	}
	if (client_request(
		    &assistant->client, json_build("op:s", "list_channels"), &reply, err) < 0)
		return -1;
	*ret_channels = json_incref(json_object_get(reply, "channels"));
	return 0;
}

/* How long ago its platform was last heard of: one that is deaf says that it is connected. */
static char *event_age(const json_t *channel)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *text = json_string_value(json_object_get(channel, "lastEvent"));
	int64_t time, seconds;

	if (!text || timestamp_parse(view_of(text), &time, &ignored) < 0)
		return xstrdup("");
	seconds = (timestamp_clock() - time) / 1000;
	if (seconds < 120)
		return xstrdup("last event just now");
	if (seconds < 2 * 60 * 60)
		return xasprintf("last event %d minutes ago", (int)(seconds / 60));
	if (seconds < 2 * 24 * 60 * 60)
		return xasprintf("last event %d hours ago", (int)(seconds / 3600));
	return xasprintf("last event %d days ago", (int)(seconds / (24 * 60 * 60)));
}

static void print_channels(const struct cli *cli, const json_t *channels)
{
	CLEANUP(table_release) struct table table = TABLE_INIT;
	json_t *channel;
	size_t i;

	json_array_foreach(channels, i, channel) {
		const char *state = json_member(channel, "state");
		const char *detail = json_member(channel, "detail");
		CLEANUP(freep) char *age = event_age(channel);
		char since[LOCAL_TIME_SIZE];

		local_time(json_member(channel, "since"), since);
		table_row(&table);
		table_cell(&table, NULL, "%s", json_member(channel, "name"));
		table_cell(&table, strcmp(state, "connected") ? COLOR_YELLOW : COLOR_GREEN,
			"%s", state);
		if (json_object_get(channel, "pair"))
			table_cell(&table, COLOR_YELLOW,
				"somebody wrote and got no answer; if it was you: %s",
				json_member(channel, "pair"));
		else
			table_cell(&table, NULL, "%s%.*s%s%s", *since ? "since " : "",
				LOCAL_SECONDS, since, *since && *detail ? ": " : "",
				*detail ? detail : age);
	}
	table_print(&table, cli);
}

static int run_channel_list(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(json_decrefp) json_t *channels = NULL;

	(void)args;
	if (channels_read(&assistant, &channels, err) < 0)
		return -1;
	if (cli->json)
		output_success("running:b channels:O", assistant.running, channels);
	else
		print_channels(cli, channels);
	return EXIT_DONE;
}

COMMAND(channel_list) = {
	.name = "channel list",
	.summary = "list the channels and their state",
	.section = SECTION_ASSISTANT,
	.run = run_channel_list,
};
