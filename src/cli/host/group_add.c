#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/host/place.h"
#include "cli/output.h"
#include "host/operations.h"
#include "util/json.h"

struct wish {
	struct registration registration;
	const char **allow;
};

static void wish_release(struct wish *wish)
{
	free(wish->allow);
}

static struct wish read_wish(const struct arguments *args)
{
	struct wish wish = {.allow = xcalloc(args->option_count + 1, sizeof(*wish.allow))};
	size_t count = 0;

	for (size_t i = 0; i < args->option_count; i++)
		if (args->options[i].option->name &&
			!strcmp(args->options[i].option->name, "allow") &&
			args->options[i].value)
			wish.allow[count++] = args->options[i].value;
	wish.registration = (struct registration){
		.jid = args->words[0],
		.name = args->words[1],
		.folder = arguments_value(args, "folder"),
		.trigger = arguments_value(args, "trigger"),
		.no_trigger = arguments_flag(args, "no-trigger"),
		.instructions = arguments_value(args, "instructions"),
		.agent = arguments_value(args, "agent"),
		.allow = wish.allow,
		.by_person = true,
	};
	return wish;
}

static json_t *text_or_null(const char *text)
{
	return text ? json_text(view_of(text)) : json_null();
}

/* By the host, if it runs: then it knows at once. */
static int ask_host(
	struct place *place, const struct wish *wish, json_t **ret_group, struct error *err)
{
	const struct registration *r = &wish->registration;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *allow = json_array();

	for (size_t i = 0; wish->allow[i]; i++)
		json_array_append_new(allow, json_text(view_of(wish->allow[i])));
	if (client_request(&place->client,
		    json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "op",
			    "register_group", "jid", json_text(view_of(r->jid)), "name",
			    json_text(view_of(r->name)), "folder", text_or_null(r->folder),
			    "trigger", text_or_null(r->trigger), "requires_trigger",
			    !r->no_trigger, "instructions", text_or_null(r->instructions),
			    "agent", text_or_null(r->agent), "allow", allow),
		    &reply, err) < 0)
		return -1;
	*ret_group = json_incref(json_object_get(reply, "group"));
	return 0;
}

static int do_it(
	struct place *place, const struct wish *wish, json_t **ret_group, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct registry registry = place_registry(place);

	if (place->running)
		return ask_host(place, wish, ret_group, err);
	if (registry_add(&registry, &wish->registration, &group, err) < 0)
		return -1;
	*ret_group = operations_group_json(&group);
	return 0;
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(wish_release) struct wish wish = read_wish(args);
	CLEANUP(json_decrefp) json_t *group = NULL;

	if (place_change(&place, err) < 0 || do_it(&place, &wish, &group, err) < 0)
		return -1;
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
