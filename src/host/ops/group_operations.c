#include "host/ops/operation_table.h"

#include <inttypes.h>
#include <string.h>

#include "channels/bridge/config.h"
#include "channels/local/local.h"
#include "format/json.h"
#include "group/container_file.h"
#include "host/base/installation.h"
#include "host/chat/delivery.h"
#include "host/schedule/scheduler.h"
#include "host/turn/queue.h"
#include "ledger/chats.h"
#include "proc/log.h"
#include "sandbox/ownership.h"

#define MAX_CHATS 100

json_t *group_json(const struct group *group)
{
	return json_build(
		"folder:s jid:s name:s trigger:s addedAt:s requiresTrigger:b isMain:b agent:s",
		group->folder, group->jid, group->name, group->trigger, group->added_at,
		group->requires_trigger, group->is_main, group->agent);
}

int op_list_groups(struct call *call, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	json_t *list = json_array();
	bool all;

	json_put(call->reply, "groups:o", list);
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

	json_put(call->reply, "chats:o", list);
	if (store_chat_search(call->store, text ? text : "", MAX_CHATS, &chats, err) < 0)
		return -1;
	for (size_t i = 0; i < chats.count; i++) {
		const struct chat *chat = &chats.list[i];

		json_add(list,
			"jid:s name:s lastMessageTime:s channel:s isGroup:b registered:b",
			chat->jid, chat->name, chat->last_message_time, chat->channel,
			chat->is_group, chat->registered);
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

/* Does a channel serve the chat? Without a host, only bridges are known. */
static int add_served(struct call *call, const char *jid, struct error *err)
{
	CLEANUP(bridge_configs_release) struct bridge_configs bridges = {0};
	bool served = local_group(jid);

	if (!served && call->host)
		served = installation_channel(call->host->inst, jid) != NULL;
	else if (!served && bridge_configs_read(call->registry->root, &bridges, err) < 0)
		error_clear(err); /* the channel reports it */
	json_put(call->reply, "served:b", served || (!call->host && bridges.count));
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
	if (call->host) {
		log_note("group '%s' is %s", group.folder,
			group.removed_at ? "taken back" : "registered");
		/* What it left when it went into the bin. */
		queue_wake(call->host->queue, group.folder, NULL);
		scheduler_changed(call->host->scheduler);
	}
	json_put(call->reply, "takenBack:b", group.removed_at != NULL);
	json_put(call->reply, "group:o", group_json(&group));
	return add_served(call, group.jid, err);
}

/*
 * An agent may make a group's list of senders shorter, begin one, and make it wait for its trigger:
 * nothing else, and not to main, which it could take from its owner.
 */
static int check_tightens(const struct call *call, const struct group *group,
	const char *const *allow, struct error *err)
{
	const json_t *requires_trigger = json_object_get(call->arguments, "requires_trigger");
	bool tightens = !group->is_main && !call_text(call, "jid") &&
			!call_text(call, "name") && !call_text(call, "trigger") &&
			!json_is_false(requires_trigger) &&
			(allow[0] || !json_object_get(call->arguments, "allow"));

	if (call->actor->kind == ACTOR_PERSON)
		return 0;
	for (; *allow && tightens; allow++)
		if (store_sender_allowed(call->store, group->folder, *allow, &tightens, err) <
			0)
			return -1;
	return tightens ? 0 : rights_require(call->store, call->actor, RIGHT_SET_BOUNDS, err);
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

	if (call_group(call, &group, err) < 0 || read_allow(call, &allow, err) < 0 ||
		check_tightens(call, &group, allow, err) < 0)
		return -1;
	if (json_object_get(call->arguments, "allow"))
		change.allow = allow;
	if (registry_set(call->registry, &group, &change, err) < 0)
		return -1;
	if (call->host)
		log_note("group '%s' is changed", group.folder);
	json_put(call->reply, "group:o", group_json(&group));
	return add_served(call, group.jid, err);
}

/* --- container.json ------------------------------------------------------------- */

/* No agent may see the keys of another group's servers. */
static void hide_variables(json_t *config)
{
	const char *name, *variable;
	json_t *server, *value;

	json_object_foreach(json_object_get(config, "mcpServers"), name, server) {
		json_object_foreach(json_object_get(server, "env"), variable, value) {
			json_object_set_new(json_object_get(server, "env"), variable,
				json_string("(hidden)"));
		}
	}
}

/* The file as it is, including unknown keys, and its warnings. */
static int reply_config(struct call *call, const char *folder, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(freep) char *shown = container_shown(folder);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *warnings = json_array();
	json_t *config = NULL;

	json_put(call->reply, "folder:s warnings:o", folder, warnings);
	if (container_look(call->registry->root, folder, &container, &text, err) < 0 ||
		json_read(view_of_buf(&text), shown, CONTAINER_MAX_FILE, &config, err) < 0)
		return -1;
	if (call->actor->kind != ACTOR_PERSON && !call_is_own(call, folder))
		hide_variables(config);
	json_put(call->reply, "config:o", config);
	for (size_t i = 0; i < container.warnings.count; i++)
		json_array_append_new(warnings, json_text(view_of(container.warnings.list[i])));
	return 0;
}

int op_get_group_config(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;

	if (call_group(call, &group, err) < 0)
		return -1;
	return reply_config(call, group.folder, err);
}

/*
 * All other keys restrict an agent, and only a person may change them, because main's agent is an
 * agent too.
 */
static enum right right_to_set(const char *key, bool is_own)
{
	size_t len = strcspn(key, ".");
	struct view name = {key, len};

	/* An MCP server is a program, which would run with what another group has. */
	return view_equal_str(name, "skills") || (is_own && view_equal_str(name, "mcpServers"))
		       ? RIGHT_CONFIGURE_GROUPS
		       : RIGHT_SET_BOUNDS;
}

/* Bounds that a person has set go with a group: not by a caller that may not set any. */
static int check_bounds_may_go(
	const struct call *call, const struct group *group, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(freep) char *shown = container_shown(group->folder);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *config = NULL;
	bool bounded = group->agent;
	const char *key;
	json_t *value;

	if (call->actor->kind == ACTOR_PERSON)
		return 0;
	if (container_look(call->registry->root, group->folder, &container, &text, err) < 0 ||
		(text.len && json_read(view_of_buf(&text), shown, CONTAINER_MAX_FILE, &config,
				     err) < 0))
		return -1;
	json_object_foreach(config, key, value) {
		bounded |= right_to_set(key, true) == RIGHT_SET_BOUNDS;
	}
	/* Registered again, it would be without them. */
	return bounded ? rights_require(call->store, call->actor, RIGHT_SET_BOUNDS, err) : 0;
}

int op_set_group_config(struct call *call, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const json_t *value = json_object_get(call->arguments, "value");
	const char *key = call_text(call, "key");
	int root = call->registry->root;

	if (rights_require(call->store, call->actor, RIGHT_CONFIGURE_GROUPS, err) < 0 ||
		call_group(call, &group, err) < 0 ||
		rights_require(call->store, call->actor,
			right_to_set(key, call_is_own(call, group.folder)), err) < 0)
		return -1;
	/* A host that was killed may have left a file as its agent wrote it (guard.h). */
	if (!call->host) {
		struct ownership *owner;

		if (ownership_open(root, &owner, err) < 0)
			return -1;
		ownership_sweep(owner);
		ownership_free(owner);
	}
	if (container_set(root, group.folder, key, json_is_null(value) ? NULL : value,
		    &container, err) < 0)
		return -1;
	if (call->host) {
		log_note("group '%s': '%s' in its container.json is %s by %s", group.folder,
			key, json_is_null(value) ? "taken out" : "set",
			call->actor->kind == ACTOR_PERSON ? "a person" : call->actor->folder);
		queue_renew(call->host->queue, group.folder);
		queue_wake_paused(call->host->queue, group.folder);
	}
	return reply_config(call, group.folder, err);
}

/* --- removal -------------------------------------------------------------------- */

/*
 * The person hears of it, and how to take it back: a line to paste into a shell, so it has the folder
 * in place of the name and the JID, which an agent or a stranger chose.
 */
static int tell_of_bin(const struct call *call, const struct group *group, struct error *err)
{
	CLEANUP(freep) char *about = xasprintf("bin-%s-%" PRId64, group->folder, call->now);
	CLEANUP(freep)
	char *text = xasprintf("The agent of '%s' has removed the group '%s'. It is kept for "
			       "%d days. To take it back: nanoclaw group add %s %s",
		call->actor->folder, group->folder, REGISTRY_BIN_DAYS, group->folder,
		group->folder);

	return call->host ? delivery_notice_main(call->host->delivery, NULL, about, text, err)
			  : 0;
}

/* Also a group in the bin, for a person, who deletes it for good. */
static int group_to_remove(const struct call *call, struct group *ret_group, struct error *err)
{
	if (call->actor->kind != ACTOR_PERSON)
		return call_group(call, ret_group, err);
	if (store_group_owner(call->store, call_text(call, "group"), ret_group, err) < 0)
		return -1;
	if (ret_group->removed_at)
		return 0;
	group_release(ret_group);
	return call_group(call, ret_group, err);
}

int op_remove_group(struct call *call, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *chat = NULL;

	if (group_to_remove(call, &group, err) < 0)
		return -1;
	if (group.is_main)
		return error_set(err, ERROR_INVALID, "the main group cannot be removed");
	if (check_bounds_may_go(call, &group, err) < 0)
		return -1;
	chat = xasprintf("%s%s", LOCAL_PREFIX, group.folder);
	if (call->host) {
		queue_forget(call->host->queue, group.folder);
		/* Tell a waiting terminal that no answer will come. */
		delivery_settled(call->host->delivery, chat, INT64_MAX);
	}
	if (call->actor->kind != ACTOR_PERSON) {
		if (txn_begin(&txn, call->store, err) < 0 ||
			registry_bin(call->registry, &group, err) < 0 ||
			tell_of_bin(call, &group, err) < 0 || txn_commit(&txn, "bin", err) < 0)
			return -1;
	} else if (registry_remove(call->registry, &group, err) < 0) {
		return -1;
	}
	if (call->host)
		log_note("group '%s' is removed", group.folder);
	json_put(call->reply, "folder:s", group.folder);
	return 0;
}
