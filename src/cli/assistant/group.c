#include <stdio.h>
#include <string.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "cli/table.h"
#include "format/json.h"
#include "host/ops/operation.h"
#include "ledger/chats.h"
#include "ledger/groups.h"
#include "proc/log.h"

static void warn_unserved(const json_t *reply)
{
	const json_t *group = json_object_get(reply, "group");

	if (json_is_false(json_object_get(reply, "served")))
		log_warning(
			"no channel here serves '%s' yet; 'nanoclaw channel list' lists them",
			json_member(group, "jid"));
}

static int run_group_add(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *request = host_request(args, "register_group", "jid", "name", NULL);
	const json_t *group;

	json_put(request, "requires_trigger:b", !arguments_flag(args, "no-trigger"));
	if (host_call(request, &reply, err) < 0)
		return -1;
	group = json_object_get(reply, "group");
	warn_unserved(reply);
	if (cli->json) {
		output_success(
			"group:O takenBack:O", group, json_object_get(reply, "takenBack"));
		return EXIT_DONE;
	}
	if (json_is_true(json_object_get(group, "isMain"))) {
		CLEANUP(freep)
		char *jid = output_path(json_member(group, "jid"));

		printf("main is now at %s\n", jid);
		return EXIT_DONE;
	}
	printf("%s, with the folder 'groups/%s'\n",
		json_is_true(json_object_get(reply, "takenBack")) ? "taken back from the bin"
								  : "registered",
		json_member(group, "folder"));
	if (json_is_true(json_object_get(group, "requiresTrigger")))
		printf("messages that begin with '%s' are answered\n",
			json_member(group, "trigger"));
	return EXIT_DONE;
}

static const struct option group_add_options[] = {
	{0, "folder", "FOLDER", NULL},
	{0, "trigger", "TEXT", NULL},
	{0, "no-trigger", NULL, "answer every message"},
	{0, "instructions", "TEXT", NULL},
	{0, "allow", "SENDER", NULL},
	{0, "agent", "COMMAND", NULL},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw group add 120363336345536173@g.us 'Family Chat'",
		"answers '@Andy …' there; its folder is family-chat"},
	{"nanoclaw group add 4915112345@s.whatsapp.net Me --folder main",
		"main is now in this chat"},
	{0},
};

COMMAND(group_add) = {
	.name = "group add",
	.summary = "register a chat as a group",
	.usage = "<jid> <name>",
	.description =
		"Creates the folder 'groups/FOLDER' with its memory and logs, and listens to the\n"
		"chat from now on. 'nanoclaw group list --chats' lists chats that you can register.\n"
		"A chat between two people needs no trigger.\n"
		"\n"
		"A group that an agent has removed is in the bin for 30 days. Its JID, or its folder\n"
		"in place of the JID, takes it back as it was.\n"
		"\n"
		"'--folder main' moves the main group to this chat; 'local:main' as the JID moves\n"
		"it back to the terminal.",
	.operation = "register_group",
	.section = SECTION_ASSISTANT,
	.options = group_add_options,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.run = run_group_add,
};

/* --- changing -------------------------------------------------------------------- */

static void print_changed(const json_t *group)
{
	CLEANUP(freep)
	char *jid = output_path(json_member(group, "jid"));
	CLEANUP(freep)
	char *name = output_first_line(json_member(group, "name"));
	CLEANUP(freep)
	char *trigger = output_first_line(json_member(group, "trigger"));

	printf("'%s' is '%s' at %s; ", json_member(group, "folder"), name, jid);
	if (json_is_true(json_object_get(group, "requiresTrigger")))
		printf("messages that begin with '%s' are answered\n", trigger);
	else
		printf("every message is answered\n");
}

static int run_group_set(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *request = host_request(args, "set_group", "group", NULL);
	CLEANUP(json_decrefp) json_t *reply = NULL;
	bool no_trigger = arguments_flag(args, "no-trigger");

	if (no_trigger || arguments_value(args, "trigger"))
		json_put(request, "requires_trigger:b", !no_trigger);
	if (arguments_flag(args, "allow-all") && !json_object_get(request, "allow"))
		json_put(request, "allow:o", json_array());
	if (json_object_size(request) == 2) { /* the operation and the group */
		error_set(err, ERROR_INVALID, "'group set' needs something to change");
		return error_hint(err, "'nanoclaw group set --help' lists the options");
	}
	if (host_call(TAKE(request), &reply, err) < 0)
		return -1;
	if (arguments_value(args, "jid"))
		warn_unserved(reply);
	if (cli->json)
		output_success("group:O", json_object_get(reply, "group"));
	else
		print_changed(json_object_get(reply, "group"));
	return EXIT_DONE;
}

static const struct option group_set_options[] = {
	{0, "name", "NAME", NULL},
	{0, "jid", "JID", NULL},
	{0, "trigger", "TEXT", NULL},
	{0, "no-trigger", NULL, "answer every message"},
	{0, "allow", "SENDER", NULL},
	{0, "allow-all", NULL, "accept messages from everybody"},
	{0},
};

static const struct example group_set_examples[] = {
	{"nanoclaw group set family --trigger @Mia", "answer '@Mia …' from now on"},
	{"nanoclaw group set family --allow 4915112345@s.whatsapp.net",
		"listen to one person only"},
	{0},
};

COMMAND(group_set) = {
	.name = "group set",
	.summary = "change the name, chat, trigger or allowed senders of a group",
	.usage = "<group>",
	.description =
		"Its folder, memory, session and tasks stay. '--allow' replaces the list of\n"
		"allowed senders. 'nanoclaw group config' changes what its agent gets.",
	.operation = "set_group",
	.section = SECTION_ASSISTANT,
	.options = group_set_options,
	.examples = group_set_examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_group_set,
};

/* Also one in the bin. The store is closed again before anything is asked, locked or changed. */
static int find_group(const char *word, struct group *ret_group, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;

	if (assistant_look(&assistant, err) < 0 ||
		(assistant.store &&
			store_group_owner(assistant.store, word, ret_group, err) < 0))
		return -1;
	if (ret_group->removed_at)
		return 0;
	group_release(ret_group);
	return assistant_group(&assistant, word, ret_group, err);
}

static int run_group_remove(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(freep) char *question = NULL;

	if (find_group(args->words[0], &group, err) < 0)
		return -1;
	if (group.is_main) {
		error_set(err, ERROR_INVALID, "the main group cannot be removed");
		return error_hint(err, "'nanoclaw group add JID NAME --folder main' "
				       "moves it to another chat");
	}
	question = xasprintf(
		"This deletes everything of the group '%s': its messages, its session, "
		"and 'groups/%s' with its memory.",
		group.folder, group.folder);
	if (prompt_loss(cli, question, "delete all of it", group.folder,
		    "run it on a terminal, or with '--yes' to delete it", err) < 0 ||
		host_call(json_build("op:s group:s", "remove_group", group.folder), &reply,
			err) < 0)
		return -1;
	if (cli->json)
		output_success("folder:s", group.folder);
	else
		printf("'%s' is removed\n", group.folder);
	return EXIT_DONE;
}

COMMAND(group_remove) = {
	.name = "group remove",
	.summary = "remove a group and all its data",
	.usage = "<group>",
	.description =
		"Deletes its messages, its session and its folder, including its memory. This\n"
		"cannot be undone, so the command asks first; '--yes' answers. The chat can be\n"
		"registered again. A group in the bin, too, is deleted for good. The main group\n"
		"cannot be removed.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_group_remove,
};

#define MAX_CHATS 1000

static int list_groups(const struct cli *cli, struct assistant *assistant, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	CLEANUP(group_list_release) struct group_list binned = {0};
	json_t *list, *bin;

	if (assistant->store &&
		(store_group_list(assistant->store, &groups, err) < 0 ||
			store_group_binned(assistant->store, 0, &binned, err) < 0))
		return -1;
	if (!cli->json) {
		if (groups.count) {
			CLEANUP(table_release) struct table table = TABLE_INIT;

			table_head(&table, "folder", "jid", "name", NULL);
			for (size_t i = 0; i < groups.count; i++) {
				table_row(&table);
				table_cell(&table, COLOR_CYAN, "%s", groups.list[i].folder);
				table_cell(&table, NULL, "%s", groups.list[i].jid);
				table_cell(&table, NULL, "%s", groups.list[i].name);
			}
			table_print(&table, cli);
		} else {
			printf("no groups yet: 'nanoclaw start' creates the main one\n");
		}
		for (size_t i = 0; i < binned.count; i++) {
			const struct group *group = &binned.list[i];

			printf("'%s' is in the bin since %.10s; 'nanoclaw group add %s %s' "
			       "takes it back\n",
				group->folder, group->removed_at, group->folder, group->folder);
		}
		return EXIT_DONE;
	}
	list = json_array();
	for (size_t i = 0; i < groups.count; i++)
		json_array_append_new(list, group_json(&groups.list[i]));
	bin = json_array();
	for (size_t i = 0; i < binned.count; i++) {
		json_array_append_new(bin, group_json(&binned.list[i]));
		json_put(json_array_get(bin, i), "removedAt:s", binned.list[i].removed_at);
	}
	output_success("groups:o bin:o", list, bin);
	return EXIT_DONE;
}

static int list_chats(const struct cli *cli, struct assistant *assistant, struct error *err)
{
	CLEANUP(chat_list_release) struct chat_list chats = {0};
	CLEANUP(table_release) struct table table = TABLE_INIT;
	json_t *list = json_array();

	table_head(&table, "jid", "name", "registered", NULL);

	if (assistant->store &&
		store_chat_search(assistant->store, "", MAX_CHATS, &chats, err) < 0) {
		json_decref(list);
		return -1;
	}
	for (size_t i = 0; i < chats.count; i++) {
		const struct chat *chat = &chats.list[i];
		CLEANUP(freep) char *name = output_first_line(chat->name ? chat->name : "");

		json_add(list,
			"jid:s name:s lastMessageTime:s channel:s isGroup:b registered:b",
			chat->jid, chat->name, chat->last_message_time, chat->channel,
			chat->is_group, chat->registered);
		if (!cli->json)
			table_add(&table, chat->jid, *name ? name : "-",
				chat->registered ? "yes" : "no", NULL);
	}
	if (cli->json)
		output_success("chats:O", list);
	else if (!chats.count)
		printf("no channel has reported a chat yet\n");
	else
		table_print(&table, cli);
	json_decref(list);
	return EXIT_DONE;
}

static int run_group_list(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;

	if (assistant_look(&assistant, err) < 0)
		return -1;
	return arguments_flag(args, "chats") ? list_chats(cli, &assistant, err)
					     : list_groups(cli, &assistant, err);
}

static const struct option group_list_options[] = {
	{0, "chats", NULL, "all known chats, registered or not"},
	{0},
};

COMMAND(group_list) = {
	.name = "group list",
	.summary = "list the groups, also in the bin, or chats that can become one",
	.section = SECTION_ASSISTANT,
	.options = group_list_options,
	.run = run_group_list,
};

static void complete_groups(struct completion *completion)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(group_list_release) struct group_list list = {0};
	struct store *store = assistant_peek();

	if (store && store_group_list(store, &list, &ignored) == 0)
		for (size_t i = 0; i < list.count; i++)
			completion_add(completion, list.list[i].folder, list.list[i].name);
	store_free(store);
}

COMPLETER(COMPLETE_GROUPS, complete_groups);
