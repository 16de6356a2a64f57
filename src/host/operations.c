#include "host/operations.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "channels/local/local.h"
#include "compose/compose.h"
#include "compose/global_memory.h"
#include "host/auditing.h"
#include "host/composed_report.h"
#include "host/delivery.h"
#include "host/group_config.h"
#include "host/queue.h"
#include "host/skill_operations.h"
#include "host/split.h"
#include "host/task_operations.h"
#include "host/worker.h"
#include "store/chats.h"
#include "store/trace.h"
#include "util/json.h"
#include "util/log.h"
#include "util/timestamp.h"
#include "util/utf8.h"

#define MAX_CHATS   100
#define MAX_MESSAGE ((size_t)256 * 1024)
#define MAX_KEY     64

struct call {
	struct host *host;
	const struct actor *actor;
	const json_t *request;
	json_t *reply;
};

/* Does it run, or is it only its store, in the hands of a command? */
static bool host_is_live(const struct host *host)
{
	return host->queue != NULL;
}

/* --- arguments --------------------------------------------------------------- */

/* NULL if it is not there; an error if it is no string, or has a NUL in it. */
static int optional(
	const struct call *call, const char *name, const char **ret_text, struct error *err)
{
	const json_t *value = json_object_get(call->request, name);
	const char *text = json_string_value(value);

	*ret_text = NULL;
	if (!value || json_is_null(value))
		return 0;
	if (!text || strlen(text) != json_string_length(value))
		return error_set(err, ERROR_INVALID, "'%s' must be a text", name);
	*ret_text = text;
	return 0;
}

static int required(
	const struct call *call, const char *name, const char **ret_text, struct error *err)
{
	if (optional(call, name, ret_text, err) < 0)
		return -1;
	if (*ret_text && **ret_text)
		return 0;
	error_set(err, ERROR_INVALID, "'%s' is missing", name);
	return -1;
}

static int find_group(
	struct call *call, const char *word, struct group *ret_group, struct error *err)
{
	if (store_group_find(call->host->store, word, ret_group, err) < 0)
		return -1;
	if (ret_group->folder)
		return 0;
	registry_unknown(&call->host->registry, word, err);
	return -1;
}

/* --- groups ------------------------------------------------------------------ */

json_t *operations_group_json(const struct group *group)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:s, s:b, s:b, s:s?}", "folder", group->folder,
		"jid", group->jid, "name", json_text(view_of(group->name)), "trigger",
		json_text(view_of(group->trigger)), "addedAt", group->added_at,
		"requiresTrigger", group->requires_trigger, "isMain", group->is_main, "agent",
		group->agent);
}

static int list_groups(struct call *call, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	json_t *list = json_array();
	bool all;

	json_object_set_new(call->reply, "groups", list);
	if (rights_allow(call->host->store, call->actor, RIGHT_LIST_GROUPS, &all, err) < 0 ||
		store_group_list(call->host->store, &groups, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++)
		if (all || !strcmp(groups.list[i].folder, call->actor->folder))
			json_array_append_new(list, operations_group_json(&groups.list[i]));
	return 0;
}

static int find_chats(struct call *call, struct error *err)
{
	CLEANUP(chat_list_release) struct chat_list chats = {0};
	json_t *list = json_array();
	const char *text;

	json_object_set_new(call->reply, "chats", list);
	if (rights_require(call->host->store, call->actor, RIGHT_FIND_CHATS, err) < 0 ||
		optional(call, "text", &text, err) < 0 ||
		store_chat_search(call->host->store, text ? text : "", MAX_CHATS, &chats, err) <
			0)
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
	const json_t *list = json_object_get(call->request, "allow");
	CLEANUP(freep)
	const char **allow = xcalloc(json_array_size(list) + 1, sizeof(*allow));

	if (list && !json_is_array(list))
		return error_set(err, ERROR_INVALID, "'allow' must be a list of senders");
	for (size_t i = 0; i < json_array_size(list); i++) {
		allow[i] = json_string_value(json_array_get(list, i));
		if (!allow[i] || !*allow[i] || strlen(allow[i]) > GROUP_JID_MAX)
			return error_set(
				err, ERROR_INVALID, "'allow' must be a list of senders");
	}
	*ret_allow = TAKE(allow);
	return 0;
}

static int register_group(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) const char **allow = NULL;
	const json_t *trigger = json_object_get(call->request, "requires_trigger");
	struct registration r = {
		.no_trigger = json_is_false(trigger),
		.by_person = call->actor->kind == ACTOR_PERSON,
	};

	if (rights_require(call->host->store, call->actor, RIGHT_REGISTER_GROUP, err) < 0 ||
		required(call, "jid", &r.jid, err) < 0 ||
		required(call, "name", &r.name, err) < 0 ||
		optional(call, "folder", &r.folder, err) < 0 ||
		optional(call, "trigger", &r.trigger, err) < 0 ||
		optional(call, "instructions", &r.instructions, err) < 0 ||
		optional(call, "agent", &r.agent, err) < 0 || read_allow(call, &allow, err) < 0)
		return -1;
	/* A program that an agent could choose would run without its bounds. */
	if (r.agent &&
		rights_require(call->host->store, call->actor, RIGHT_CHOOSE_AGENT, err) < 0)
		return -1;
	r.allow = allow;
	if (registry_add(&call->host->registry, &r, &group, err) < 0)
		return -1;
	if (host_is_live(call->host))
		log_note("group '%s' is registered", group.folder);
	json_object_set_new(call->reply, "group", operations_group_json(&group));
	return 0;
}

static int remove_group(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *chat = NULL;
	const char *word;

	if (rights_require(call->host->store, call->actor, RIGHT_REMOVE_GROUP, err) < 0 ||
		required(call, "group", &word, err) < 0 ||
		find_group(call, word, &group, err) < 0)
		return -1;
	if (group.is_main)
		return error_set(err, ERROR_INVALID, "the main group cannot be removed");
	chat = xasprintf("%s%s", LOCAL_PREFIX, group.folder);
	if (host_is_live(call->host)) {
		queue_forget(call->host->queue, group.folder);
		/* Whoever waits at the terminal for an answer hears that there is none. */
		delivery_settled(call->host->delivery, chat, INT64_MAX);
	}
	if (registry_remove(&call->host->registry, &group, err) < 0)
		return -1;
	if (host_is_live(call->host))
		log_note("group '%s' is removed", group.folder);
	json_object_set_new(call->reply, "folder", json_string(group.folder));
	return 0;
}

/* --- messages ---------------------------------------------------------------- */

static bool is_own(const struct actor *actor, const struct group *group)
{
	return actor->kind == ACTOR_GROUP && group->folder &&
	       !strcmp(actor->folder, group->folder);
}

/*
 * Which group, and which of its chats: in a turn the one that is being answered. Who may not
 * send elsewhere does not hear which groups there are.
 */
static int find_target(
	struct call *call, struct group *ret_group, char **ret_chat, struct error *err)
{
	const struct actor *actor = call->actor;
	const char *word;

	if (optional(call, "group", &word, err) < 0)
		return -1;
	if (!word && actor->kind == ACTOR_PERSON) {
		error_set(err, ERROR_INVALID, "'group' is missing");
		return -1;
	}
	word = word ? word : actor->folder;
	if (store_group_find(call->host->store, word, ret_group, err) < 0 ||
		rights_require(call->host->store, actor,
			is_own(actor, ret_group) ? RIGHT_SEND : RIGHT_SEND_ELSEWHERE, err) < 0)
		return -1;
	if (!ret_group->folder)
		return registry_unknown(&call->host->registry, word, err);
	*ret_chat = xstrdup(actor->worker && actor->worker->turn.id &&
					    !strcmp(actor->folder, ret_group->folder)
				    ? actor->worker->turn.chat_jid
				    : ret_group->jid);
	return 0;
}

/* L8: by the turn, and the agent's own key or how many it has sent in this attempt. */
static char *message_key(struct call *call, const char *own)
{
	struct worker *worker = call->actor->worker;
	const char *installation = store_installation(call->host->store);

	if (worker && worker->turn.id && own)
		return xasprintf("%s-%" PRId64 "-k%s", installation, worker->turn.id, own);
	if (worker && worker->turn.id)
		return xasprintf("%s-%" PRId64 "-m%d", installation, worker->turn.id,
			++worker->sent_in_turn);
	if (own)
		/* A folder can be a number, too, but not begin with '-'; nor has it a '.'. */
		return xasprintf("%s--%s.k%s", installation,
			call->actor->folder ? call->actor->folder : "", own);
	return xasprintf("%s-%" PRId64 "-s%u", installation, timestamp_clock(),
		++call->host->messages_said);
}

static int add_parts(struct call *call, const struct group *group, const char *chat,
	const char *text, const char *key, bool *ret_added, struct error *err)
{
	CLEANUP(split_parts_release) struct split_parts parts = {0};
	struct host *host = call->host;
	struct channel *channel = host_channel_for(host, chat);

	split_text(view_of(text), channel ? channel->max_text : 0, &parts);
	for (size_t i = 0; i < parts.count; i++) {
		CLEANUP(freep) char *part_key = xasprintf("%s-%zu", key, i + 1);
		struct worker *worker = call->actor->worker;

		if (outbox_add(host->store,
			    &(struct outbox_row){
				    .key = part_key,
				    .turn = worker && !strcmp(worker->folder, group->folder)
						    ? worker->turn.id
						    : 0,
				    .group_folder = group->folder,
				    .chat_jid = (char *)(uintptr_t)chat,
				    .kind = OUTBOX_MESSAGE,
				    .part = (int)i + 1,
				    .parts = (int)parts.count,
				    .content = parts.list[i],
			    },
			    timestamp_clock(), ret_added, err) < 0)
			return -1;
	}
	return 0;
}

static int send_message(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *chat = NULL;
	CLEANUP(freep) char *key = NULL;
	struct host *host = call->host;
	const char *text;
	const char *own;
	bool added = false;

	if (required(call, "text", &text, err) < 0 || optional(call, "key", &own, err) < 0 ||
		find_target(call, &group, &chat, err) < 0)
		return -1;
	if (strlen(text) > MAX_MESSAGE || (own && (!*own || strlen(own) > MAX_KEY)))
		return error_set(err, ERROR_INVALID, "the text or the key is too long");
	key = message_key(call, own);
	if (store_begin(host->store, err) < 0)
		return -1;
	if (add_parts(call, &group, chat, text, key, &added, err) < 0) {
		store_rollback(host->store);
		return -1;
	}
	if (store_commit(host->store, "say", err) < 0)
		return -1;
	delivery_wake(host->delivery, chat);
	json_object_set_new(call->reply, "added", json_boolean(added));
	return 0;
}

/* --- memory ------------------------------------------------------------------ */

static int write_global_memory(struct call *call, struct error *err)
{
	const char *text;

	if (rights_require(call->host->store, call->actor, RIGHT_WRITE_GLOBAL_MEMORY, err) <
			0 ||
		optional(call, "text", &text, err) < 0)
		return -1;
	if (!text)
		return error_set(err, ERROR_INVALID, "'text' is missing");
	return global_memory_write(call->host->root, view_of(text), err);
}

static int remember_globally(struct call *call, struct error *err)
{
	const char *text;
	bool added;

	if (rights_require(call->host->store, call->actor, RIGHT_WRITE_GLOBAL_MEMORY, err) <
			0 ||
		required(call, "text", &text, err) < 0 ||
		global_memory_add(call->host->root, view_of(text), &added, err) < 0)
		return -1;
	json_object_set_new(call->reply, "added", json_boolean(added));
	return 0;
}

static int compose(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const char *word;

	if (rights_require(call->host->store, call->actor, RIGHT_COMPOSE, err) < 0 ||
		optional(call, "group", &word, err) < 0 ||
		(word && find_group(call, word, &group, err) < 0))
		return -1;
	return composed_report(&call->host->registry, group.folder,
		json_is_true(json_object_get(call->request, "check")) ? COMPOSE_DRY_RUN : 0,
		call->reply, err);
}

/* --- the host ---------------------------------------------------------------- */

static json_t *channel_json(const struct channel *c)
{
	json_t *json = json_pack("{s:s, s:s, s:s, s:o?, s:b}", "name", c->name, "kind",
		c->kind->name, "state", channel_state_name(c->state), "detail",
		c->detail ? json_text(view_of(c->detail)) : NULL, "remembersKeys",
		c->remembers_keys);
	char time[TIMESTAMP_SIZE];

	if (c->retry_at) {
		timestamp_format(c->retry_at, time);
		json_object_set_new(json, "retryAt", json_string(time));
	}
	return json;
}

static json_t *channels_json(const struct host *host)
{
	json_t *list = json_array();

	for (const struct channel *c = host->channels; c; c = c->next)
		json_array_append_new(list, channel_json(c));
	return list;
}

static int list_channels(struct call *call, struct error *err)
{
	if (rights_require(call->host->store, call->actor, RIGHT_LIST_CHANNELS, err) < 0)
		return -1;
	json_object_set_new(call->reply, "channels", channels_json(call->host));
	return 0;
}

static int host_status(struct call *call, struct error *err)
{
	struct queue_numbers numbers = queue_count(call->host->queue);
	char time[TIMESTAMP_SIZE];

	if (rights_require(call->host->store, call->actor, RIGHT_HOST_STATUS, err) < 0)
		return -1;
	timestamp_format(call->host->started_at, time);
	json_object_update_new(call->reply,
		json_pack("{s:i, s:s, s:o, s:{s:i, s:i, s:i, s:I}}", "pid", (int)getpid(),
			"since", time, "channels", channels_json(call->host), "agents", "alive",
			(int)numbers.agents, "working", (int)numbers.working, "groupsInLine",
			(int)numbers.waiting, "limit", (json_int_t)call->host->limits.agents));
	return 0;
}

/* By this an agent knows a turn again that is repeated. */
static int current_turn(struct call *call, struct error *err)
{
	const struct worker *worker = call->actor->worker;
	CLEANUP(freep) char *name = NULL;

	if (!worker || !worker->turn.id)
		return error_set(err, ERROR_INVALID, "no turn is under way");
	name = xasprintf("t%" PRId64, worker->turn.id);
	json_object_set_new(call->reply, "turn", json_string(name));
	return 0;
}

/* Which of them an agent has is nothing that it says, so it has to ask. */
static int get_rights(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const struct actor *actor = call->actor;
	json_t *list = json_array();

	json_object_set_new(call->reply, "rights", list);
	for (enum right right = 0; right < RIGHT_COUNT; right++) {
		bool allowed;

		if (rights_allow(call->host->store, actor, right, &allowed, err) < 0)
			return -1;
		if (allowed)
			json_array_append_new(list, json_string(rights_name(right)));
	}
	if (actor->kind == ACTOR_PERSON)
		return 0;
	if (find_group(call, actor->folder, &group, err) < 0)
		return -1;
	json_object_set_new(call->reply, "group", operations_group_json(&group));
	return 0;
}

static int write_audit(struct call *call, struct error *err)
{
	if (rights_require(call->host->store, call->actor, RIGHT_WRITE_AUDIT, err) < 0)
		return -1;
	return auditing_write(call->host->auditing, err);
}

/* --- the table --------------------------------------------------------------- */

static const struct {
	const char *name;
	int (*run)(struct call *call, struct error *err);
	bool live; /* only in a host that runs */
} operations[] = {
	{"compose", compose, false},
	{"current_turn", current_turn, true},
	{"find_chats", find_chats, false},
	{"get_rights", get_rights, false},
	{"host_status", host_status, true},
	{"list_channels", list_channels, true},
	{"list_groups", list_groups, false},
	{"register_group", register_group, false},
	{"remember_globally", remember_globally, false},
	{"remove_group", remove_group, false},
	{"send_message", send_message, true},
	{"write_audit", write_audit, true},
	{"write_global_memory", write_global_memory, false},
};

bool operations_know(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (!strcmp(operations[i].name, name))
			return true;
	return group_config_knows(name) || skill_operations_know(name) ||
	       task_operations_know(name);
}

static int run(struct call *call, struct error *err)
{
	const char *name;

	if (required(call, "op", &name, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (!strcmp(operations[i].name, name)) {
			if (operations[i].live && !host_is_live(call->host))
				return error_set(err, ERROR_FAILED,
					"the assistant's host is not running here");
			return operations[i].run(call, err);
		}
	if (group_config_knows(name))
		return group_config_run(
			&(struct config_desk){&call->host->registry, call->host->queue},
			call->actor, call->request, call->reply, err);
	if (skill_operations_know(name))
		return skill_operations_run(
			&(struct skill_desk){&call->host->registry,
				settings_get(&call->host->settings, LIBRARY_SETTING),
				{settings_get(&call->host->settings, "TZ"),
					call->host->scheduler}},
			call->actor, call->request, call->reply, err);
	if (task_operations_know(name))
		return task_operations_run(
			&(struct task_desk){call->host->store, &call->host->registry,
				settings_get(&call->host->settings, "TZ"),
				call->host->scheduler},
			call->actor, call->request, call->reply, err);
	return error_set(err, ERROR_INVALID, "this operation is not known");
}

static const char *kind_name(enum error_kind kind)
{
	return kind == ERROR_INVALID ? "invalid" : kind == ERROR_BUSY ? "busy" : "failed";
}

json_t *operations_call(struct host *host, const struct actor *actor, const json_t *request)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct call call = {host, actor, request, json_object()};
	json_t *id = json_object_get(request, "id");

	if (run(&call, &err) < 0) {
		json_object_clear(call.reply);
		json_object_set_new(call.reply, "ok", json_false());
		json_object_set_new(call.reply, "error", json_text(view_of(err.message)));
		json_object_set_new(call.reply, "kind", json_string(kind_name(err.kind)));
		if (err.hint)
			json_object_set_new(call.reply, "hint", json_text(view_of(err.hint)));
	} else {
		json_object_set_new(call.reply, "ok", json_true());
	}
	json_object_set_new(call.reply, "type", json_string("reply"));
	if (id && (json_is_string(id) || json_is_number(id)))
		json_object_set(call.reply, "id", id);
	return call.reply;
}

json_t *operations_call_alone(const struct registry *registry, const struct settings *settings,
	const struct actor *actor, const json_t *request)
{
	struct host host = {
		.root = registry->root,
		.settings = *settings,
		.store = registry->store,
		.registry = *registry,
	};

	return operations_call(&host, actor, request);
}
