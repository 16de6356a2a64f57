#include <stdio.h>
#include <string.h>

#include "cli/helper.h"
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
		.folder = helper_value(args, "folder"),
		.trigger = helper_value(args, "trigger"),
		.no_trigger = helper_flag(args, "no-trigger"),
		.instructions = helper_value(args, "instructions"),
		.agent = helper_value(args, "agent"),
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

COMMAND_RUN(group_add, "group add", run);
