#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/host/place.h"
#include "cli/output.h"
#include "util/json.h"

static json_t *text_or_null(const char *text)
{
	return text ? json_text(view_of(text)) : json_null();
}

static json_t *request_of(const struct arguments *args)
{
	json_t *allow = json_array();

	for (size_t i = 0; i < args->option_count; i++)
		if (args->options[i].option->name &&
			!strcmp(args->options[i].option->name, "allow") &&
			args->options[i].value)
			json_array_append_new(
				allow, json_text(view_of(args->options[i].value)));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "op",
		"register_group", "jid", json_text(view_of(args->words[0])), "name",
		json_text(view_of(args->words[1])), "folder",
		text_or_null(arguments_value(args, "folder")), "trigger",
		text_or_null(arguments_value(args, "trigger")), "requires_trigger",
		!arguments_flag(args, "no-trigger"), "instructions",
		text_or_null(arguments_value(args, "instructions")), "agent",
		text_or_null(arguments_value(args, "agent")), "allow", allow);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *group;

	if (host_call(request_of(args), &reply, err) < 0)
		return -1;
	group = json_object_get(reply, "group");
	if (cli->json) {
		output_json(json_pack("{s:b, s:O}", "success", true, "group", group));
		return EXIT_DONE;
	}
	if (json_is_true(json_object_get(group, "isMain"))) {
		CLEANUP(freep)
		char *jid = output_path(json_string_value(json_object_get(group, "jid")));

		printf("main is reached at %s now\n", jid);
		return EXIT_DONE;
	}
	printf("registered: its folder is 'groups/%s'\n",
		json_string_value(json_object_get(group, "folder")));
	if (json_is_true(json_object_get(group, "requiresTrigger")))
		printf("messages that begin with '%s' are answered\n",
			json_string_value(json_object_get(group, "trigger")));
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "folder", "FOLDER", "its folder below 'groups' (made from the name)"},
	{0, "trigger", "TEXT", "what a message begins with to be answered (@Andy)"},
	{0, "no-trigger", NULL, "answer every message"},
	{0, "instructions", "TEXT", "the beginning of its memory"},
	{0, "allow", "SENDER", "listen to this sender only; may be given more than once"},
	{0, "agent", "COMMAND", "its agent, instead of NANOCLAW_AGENT"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw group add 120363336345536173@g.us 'Family Chat'",
		"answers '@Andy …' there, in the folder family-chat"},
	{"nanoclaw group add 4915112345@s.whatsapp.net Me --folder main",
		"main is reached there, too"},
	{0},
};

COMMAND(group_add) = {
	.name = "group add",
	.summary = "register a chat as a group",
	.usage = "<jid> <name>",
	.description =
		"Makes the folder 'groups/FOLDER' with its memory and logs, and listens to that\n"
		"chat from now on. 'nanoclaw group list --chats' shows chats that could be\n"
		"registered. In a chat between two no trigger is needed.\n"
		"\n"
		"With '--folder main' the main group gets this chat in the place of the one it\n"
		"has; 'local:main' takes it back to the terminal.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.run = run,
};
