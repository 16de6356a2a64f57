#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/host/place.h"
#include "cli/output.h"
#include "host/operations.h"
#include "store/chats.h"
#include "util/json.h"

#define MAX_CHATS 1000

static void print_groups(const struct cli *cli, const struct group_list *groups)
{
	int folder = 6;
	int jid = 3;

	for (size_t i = 0; i < groups->count; i++) {
		int f = (int)strlen(groups->list[i].folder);
		int j = (int)strlen(groups->list[i].jid);

		folder = f > folder ? f : folder;
		jid = j > jid ? j : jid;
	}
	printf("%s%-*s  %-*s  %s%s\n", output_color(cli, COLOR_BOLD), folder, "folder", jid,
		"jid", "name", output_color(cli, COLOR_RESET));
	for (size_t i = 0; i < groups->count; i++) {
		CLEANUP(freep) char *name = output_first_line(groups->list[i].name);

		printf("%s%-*s%s  %-*s  %s\n", output_color(cli, COLOR_CYAN), folder,
			groups->list[i].folder, output_color(cli, COLOR_RESET), jid,
			groups->list[i].jid, name);
	}
}

static int list_groups(const struct cli *cli, struct place *place, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	json_t *list;

	if (place->store && store_group_list(place->store, &groups, err) < 0)
		return -1;
	if (!cli->json) {
		if (groups.count)
			print_groups(cli, &groups);
		else
			printf("no groups yet: 'nanoclaw run' makes the main one\n");
		return EXIT_DONE;
	}
	list = json_array();
	for (size_t i = 0; i < groups.count; i++)
		json_array_append_new(list, operations_group_json(&groups.list[i]));
	output_json(json_pack("{s:b, s:o}", "success", true, "groups", list));
	return EXIT_DONE;
}

static int list_chats(const struct cli *cli, struct place *place, struct error *err)
{
	CLEANUP(chat_list_release) struct chat_list chats = {0};
	json_t *list = json_array();

	if (place->store && store_chat_search(place->store, "", MAX_CHATS, &chats, err) < 0) {
		json_decref(list);
		return -1;
	}
	for (size_t i = 0; i < chats.count; i++) {
		const struct chat *chat = &chats.list[i];
		CLEANUP(freep) char *name = output_first_line(chat->name ? chat->name : "");

		json_array_append_new(list,
			json_pack("{s:s, s:s?, s:s?, s:s, s:b, s:b}", "jid", chat->jid, "name",
				chat->name, "lastMessageTime", chat->last_message_time,
				"channel", chat->channel, "isGroup", chat->is_group,
				"registered", chat->registered));
		if (!cli->json)
			printf("%s  %s%s\n", chat->jid, *name ? name : "(no name)",
				chat->registered ? "  (registered)" : "");
	}
	if (cli->json)
		output_json(json_pack("{s:b, s:O}", "success", true, "chats", list));
	else if (!chats.count)
		printf("no channel has told of a chat yet\n");
	json_decref(list);
	return EXIT_DONE;
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;

	if (place_look(&place, err) < 0)
		return -1;
	return arguments_flag(args, "chats") ? list_chats(cli, &place, err)
					     : list_groups(cli, &place, err);
}

static const struct option options[] = {
	{0, "chats", NULL, "chats that channels have told of, registered or not"},
	{0},
};

COMMAND(group_list) = {
	.name = "group list",
	.summary = "list the groups, or the chats that could become one",
	.section = SECTION_ASSISTANT,
	.options = options,
	.run = run,
};
