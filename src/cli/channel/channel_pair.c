#include <stdio.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "format/json.h"

static int run_channel_pair(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *request = host_request(args, "pair_channel", "channel", NULL);

	if (assistant_find(&assistant, err) < 0 ||
		client_require(assistant.project.root, &assistant.client, err) < 0) {
		json_decref(request);
		return -1;
	}
	assistant.running = true;
	if (client_request(&assistant.client, request, &reply, err) < 0)
		return -1;
	if (cli->json) {
		output_json(reply_json(reply));
		return EXIT_DONE;
	}
	printf("Send this in the chat within ten minutes: %s\n", json_member(reply, "code"));
	printf("The chat will then belong to the group '%s'.\n", json_member(reply, "folder"));
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "folder", "FOLDER", NULL},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw channel pair telegram --folder family",
		"the chat where someone writes the code becomes the chat of 'family'"},
	{0},
};

COMMAND(channel_pair) = {
	.name = "channel pair",
	.summary = "get a code that connects a chat to a group",
	.usage = "<channel>",
	.description =
		"Prints a code. The chat on that channel where someone writes it within ten minutes\n"
		"becomes the chat of the group, replacing its present one. A hundred wrong\n"
		"codes end the pairing, and so does a restart of the host. Without '--folder' it is\n"
		"for main, if main has no chat besides the terminal.",
	.operation = "pair_channel",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run_channel_pair,
};
