#include "host/ops/operation_table.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "channels/local/local.h"
#include "compose/compose.h"
#include "compose/global_memory.h"
#include "format/json.h"
#include "host/base/auditing.h"
#include "host/chat/delivery.h"
#include "host/memory/composed_report.h"
#include "host/ops/tools.h"
#include "host/turn/queue.h"
#include "host/turn/worker.h"
#include "ledger/trace.h"
#include "time/timestamp.h"

/* --- messages ---------------------------------------------------------------- */

/* L8: by the turn, and the agent's own key or how many it has sent in this attempt. */
static char *message_key(struct call *call)
{
	const char *own = call_text(call, "key");
	struct worker *worker = call->actor->worker;
	const char *installation = store_installation(call->store);

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

/* What waits because its platform is away, or slower than an agent talks. */
static int check_room(struct call *call, const struct group *group, struct error *err)
{
	int64_t bytes;

	if (outbox_waiting_bytes(call->store, group->folder, &bytes, err) < 0)
		return -1;
	if (bytes + (int64_t)strlen(call_text(call, "text")) <= OUTBOX_MAX_WAITING)
		return 0;
	error_set(err, ERROR_INVALID,
		"%" PRId64 " KiB wait to be sent to the group '%s' already", bytes / 1024,
		group->folder);
	return error_hint(err, "wait until they are sent");
}

static int add_parts(struct call *call, const struct group *group, const char *chat,
	const char *key, bool *ret_added, struct error *err)
{
	CLEANUP(string_array_release) struct string_array parts = {0};
	struct channel *channel = installation_channel(call->host->inst, chat);
	const struct worker *worker = call->actor->worker;

	channel_split(channel, view_of(call_text(call, "text")), &parts);
	for (size_t i = 0; i < parts.count; i++) {
		CLEANUP(freep) char *part_key = xasprintf("%s-%zu", key, i + 1);

		if (outbox_add(call->store,
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
			    call->now, ret_added, err) < 0)
			return -1;
	}
	return 0;
}

int op_send_message(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *key = NULL;
	const struct worker *worker = call->actor->worker;
	const char *chat;
	bool added = false;

	if (call_group(call, &group, err) < 0)
		return -1;
	/* In a turn: to the chat that is being answered. */
	chat = worker && worker->turn.id && call_is_own(call, group.folder)
		       ? worker->turn.chat_jid
		       : group.jid;
	key = message_key(call);
	if (check_room(call, &group, err) < 0 ||
		add_parts(call, &group, chat, key, &added, err) < 0)
		return -1;
	delivery_wake(call->host->delivery, chat);
	json_object_set_new(call->reply, "added", json_boolean(added));
	return 0;
}

/* --- memory ------------------------------------------------------------------ */

int op_write_global_memory(struct call *call, struct error *err)
{
	return global_memory_write(call->registry->root, view_of(call_text(call, "text")), err);
}

int op_remember_globally(struct call *call, struct error *err)
{
	bool added;

	if (global_memory_add(
		    call->registry->root, view_of(call_text(call, "text")), &added, err) < 0)
		return -1;
	json_object_set_new(call->reply, "added", json_boolean(added));
	return 0;
}

int op_compose(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;

	if (call_text(call, "group") && call_group(call, &group, err) < 0)
		return -1;
	return composed_report(call->registry, group.folder,
		call_flag(call, "check") ? COMPOSE_DRY_RUN : 0, call->reply, err);
}

/* --- the host ---------------------------------------------------------------- */

static json_t *channel_json(const struct channel *c)
{
	json_t *json = json_pack("{s:s, s:s, s:s, s:o?, s:b}", "name", c->name, "kind",
		c->kind->name, "state", channel_state_name(c->state), "detail",
		c->detail ? json_text(view_of(c->detail)) : NULL, "remembersKeys",
		c->remembers_keys);
	char time[TIMESTAMP_SIZE];

	if (c->last_event) {
		timestamp_format(c->last_event, time);
		json_object_set_new(json, "lastEvent", json_string(time));
	}
	if (c->retry_at) {
		timestamp_format(c->retry_at, time);
		json_object_set_new(json, "retryAt", json_string(time));
	}
	return json;
}

int op_list_channels(struct call *call, struct error *err)
{
	json_t *list = json_array();

	(void)err;
	for (const struct channel *c = call->host->inst->channels; c; c = c->next)
		json_array_append_new(list, channel_json(c));
	json_object_set_new(call->reply, "channels", list);
	return 0;
}

/* Others cannot read this link: the host is not dumpable. */
static json_t *program_json(void)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

	return len > 0 ? json_text((struct view){path, (size_t)len}) : json_null();
}

/* Main has its chat at the terminal until a person gives it another one. */
static int pairing_folder(struct call *call, const char **ret_folder, struct error *err)
{
	CLEANUP(group_release) struct group main = GROUP_INIT;

	*ret_folder = call_text(call, "folder");
	if (*ret_folder)
		return group_check_folder(*ret_folder, err);
	if (store_group_by_folder(call->store, GROUP_MAIN, &main, err) < 0)
		return -1;
	if (main.folder && strncmp(main.jid, LOCAL_PREFIX, strlen(LOCAL_PREFIX)) != 0) {
		error_set(err, ERROR_INVALID, "main has a chat already: '%s'", main.jid);
		return error_hint(err, "name the group: '--folder NAME'");
	}
	*ret_folder = GROUP_MAIN;
	return 0;
}

int op_pair_channel(struct call *call, struct error *err)
{
	struct pairing *pairing = &call->host->pairing;
	const char *name = call_text(call, "channel");
	const struct channel *channel = call->host->inst->channels;
	const char *folder;
	char time[TIMESTAMP_SIZE];

	while (channel && strcmp(channel->name, name) != 0)
		channel = channel->next;
	if (!channel || !strcmp(channel->kind->name, "local")) {
		error_set(err, ERROR_INVALID, "there is no channel '%s' to pair with", name);
		return error_hint(err, "'nanoclaw channel list' lists them");
	}
	if (pairing_folder(call, &folder, err) < 0)
		return -1;
	pairing_begin(pairing, name, folder, call->now);
	timestamp_format(pairing->until, time);
	json_object_update_new(
		call->reply, json_pack("{s:s, s:s, s:s, s:s}", "code", pairing->code, "channel",
				     name, "folder", folder, "until", time));
	return 0;
}

int op_host_status(struct call *call, struct error *err)
{
	struct queue_numbers numbers = queue_count(call->host->queue);
	char time[TIMESTAMP_SIZE];

	timestamp_format(call->host->inst->started_at, time);
	json_object_update_new(
		call->reply, json_pack("{s:i, s:s, s:o, s:{s:i, s:i, s:i, s:I}}", "pid",
				     (int)getpid(), "since", time, "program", program_json(),
				     "agents", "alive", (int)numbers.agents, "working",
				     (int)numbers.working, "groupsInLine", (int)numbers.waiting,
				     "limit", (json_int_t)call->host->inst->limits.agents));
	return op_list_channels(call, err);
}

/* By this an agent knows a turn again that is repeated. */
int op_current_turn(struct call *call, struct error *err)
{
	const struct worker *worker = call->actor->worker;

	if (!worker || !worker->turn.id)
		return error_set(err, ERROR_INVALID, "no turn is under way");
	json_object_set_new(call->reply, "turn", json_sprintf("t%" PRId64, worker->turn.id));
	return 0;
}

/* Agents do not say which rights they have, so they have to ask. */
int op_get_rights(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	json_t *list = json_array();
	bool rights[RIGHT_COUNT];

	json_object_set_new(call->reply, "rights", list);
	if (rights_all(call->store, call->actor, rights, err) < 0)
		return -1;
	for (enum right right = RIGHT_NONE + 1; right < RIGHT_COUNT; right++)
		if (rights[right])
			json_array_append_new(list, json_string(rights_name(right)));
	if (call->actor->kind == ACTOR_PERSON)
		return 0;
	if (call_group(call, &group, err) < 0)
		return -1;
	json_object_set_new(call->reply, "group", group_json(&group));
	return 0;
}

int op_list_tools(struct call *call, struct error *err)
{
	bool rights[RIGHT_COUNT];

	if (rights_all(call->store, call->actor, rights, err) < 0)
		return -1;
	json_object_set_new(call->reply, "tools", tools_list(rights));
	return 0;
}

int op_write_audit(struct call *call, struct error *err)
{
	return auditing_write(call->host->auditing, err);
}
