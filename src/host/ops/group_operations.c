#include "host/ops/group_operations.h"

#include <string.h>

#include "channels/bridge/config.h"
#include "channels/local/local.h"
#include "format/json.h"
#include "host/base/installation.h"
#include "host/chat/delivery.h"
#include "host/ops/group_config.h"
#include "host/turn/queue.h"
#include "ledger/chats.h"
#include "proc/log.h"

#define MAX_CHATS 100

json_t *group_json(const struct group *group)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:s, s:b, s:b, s:s?}", "folder", group->folder,
		"jid", group->jid, "name", json_text(view_of(group->name)), "trigger",
		json_text(view_of(group->trigger)), "addedAt", group->added_at,
		"requiresTrigger", group->requires_trigger, "isMain", group->is_main, "agent",
		group->agent);
}

int op_list_groups(struct call *call, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	json_t *list = json_array();
	bool all;

	json_object_set_new(call->reply, "groups", list);
	if (rights_allow(call->store, call->actor, call->operation->elsewhere, &all, err) < 0 ||
		store_group_list(call->store, &groups, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++)
		if (all || call_is_own(call, groups.list[i].folder))
			json_array_append_new(list, group_json(&groups.list[i]));
	return 0;
}

int op_find_chats(struct call *call, struct error *err)
{
	CLEANUP(chat_list_release) struct chat_list chats = {0};
	const char *text = call_text(call, "text");
	json_t *list = json_array();

	json_object_set_new(call->reply, "chats", list);
	if (store_chat_search(call->store, text ? text : "", MAX_CHATS, &chats, err) < 0)
		return -1;
	for (size_t i = 0; i < chats.count; i++) {
		const struct chat *chat = &chats.list[i];

		json_array_append_new(list,
			json_pack("{s:s, s:s?, s:s?, s:s, s:b, s:b}", "jid", chat->jid, "name",
				chat->name, "lastMessageTime", chat->last_message_time,
				"channel", chat->channel, "isGroup", chat->is_group,
				"registered", chat->registered));
	}
	return 0;
}

static int read_allow(const struct call *call, const char ***ret_allow, struct error *err)
{
	const json_t *list = json_object_get(call->arguments, "allow");
	CLEANUP(freep)
	const char **allow = xcalloc(json_array_size(list) + 1, sizeof(*allow));

	for (size_t i = 0; i < json_array_size(list); i++) {
		allow[i] = json_string_value(json_array_get(list, i));
		if (strlen(allow[i]) > GROUP_JID_MAX)
			return error_set(
				err, ERROR_INVALID, "'allow' must be a list of senders");
	}
	*ret_allow = TAKE(allow);
	return 0;
}

/* Is there a channel for the chat? Without a host only its bridges can be counted. */
static int add_served(struct call *call, const char *jid, struct error *err)
{
	CLEANUP(bridge_configs_release) struct bridge_configs bridges = {0};
	bool served = !strncmp(jid, LOCAL_PREFIX, strlen(LOCAL_PREFIX));

	if (!served && call->host)
		served = installation_channel(call->host->inst, jid) != NULL;
	else if (!served && bridge_configs_read(call->registry->root, &bridges, err) < 0)
		error_clear(err); /* the channel will tell */
	json_object_set_new(
		call->reply, "served", json_boolean(served || (!call->host && bridges.count)));
	return 0;
}

int op_register_group(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) const char **allow = NULL;
	struct registration r = {
		.jid = call_text(call, "jid"),
		.name = call_text(call, "name"),
		.folder = call_text(call, "folder"),
		.trigger = call_text(call, "trigger"),
		.no_trigger =
			json_is_false(json_object_get(call->arguments, "requires_trigger")),
		.instructions = call_text(call, "instructions"),
		.agent = call_text(call, "agent"),
		.by_person = call->actor->kind == ACTOR_PERSON,
	};

	/* A program that an agent could choose would run without its bounds. */
	if (r.agent && rights_require(call->store, call->actor, RIGHT_CHOOSE_AGENT, err) < 0)
		return -1;
	if (read_allow(call, &allow, err) < 0)
		return -1;
	r.allow = allow;
	if (registry_add(call->registry, &r, &group, err) < 0)
		return -1;
	if (call->host)
		log_note("group '%s' is registered", group.folder);
	json_object_set_new(call->reply, "group", group_json(&group));
	return add_served(call, group.jid, err);
}

int op_set_group(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) const char **allow = NULL;
	const json_t *requires_trigger = json_object_get(call->arguments, "requires_trigger");
	bool required = json_is_true(requires_trigger);
	struct registry_change change = {
		.jid = call_text(call, "jid"),
		.name = call_text(call, "name"),
		.trigger = call_text(call, "trigger"),
		.requires_trigger = requires_trigger ? &required : NULL,
	};

	if (call_group(call, &group, err) < 0 || read_allow(call, &allow, err) < 0)
		return -1;
	if (json_object_get(call->arguments, "allow"))
		change.allow = allow;
	if (registry_set(call->registry, &group, &change, err) < 0)
		return -1;
	if (call->host)
		log_note("group '%s' is changed", group.folder);
	json_object_set_new(call->reply, "group", group_json(&group));
	return add_served(call, group.jid, err);
}

int op_remove_group(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *chat = NULL;

	if (call_group(call, &group, err) < 0)
		return -1;
	if (group.is_main)
		return error_set(err, ERROR_INVALID, "the main group cannot be removed");
	if (group_config_may_go(call, &group, err) < 0)
		return -1;
	chat = xasprintf("%s%s", LOCAL_PREFIX, group.folder);
	if (call->host) {
		queue_forget(call->host->queue, group.folder);
		/* Whoever waits at the terminal for an answer hears that there is none. */
		delivery_settled(call->host->delivery, chat, INT64_MAX);
	}
	if (registry_remove(call->registry, &group, err) < 0)
		return -1;
	if (call->host)
		log_note("group '%s' is removed", group.folder);
	json_object_set_new(call->reply, "folder", json_string(group.folder));
	return 0;
}
