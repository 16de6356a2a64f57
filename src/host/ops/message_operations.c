/* What agents and people say in chats: texts, files, reactions, and changes to a text or a state. */
#include <inttypes.h>
#include <string.h>

#include "format/json.h"
#include "host/chat/delivery.h"
#include "host/chat/media.h"
#include "host/ops/operation_table.h"
#include "host/turn/worker.h"
#include "ledger/messages.h"
#include "ledger/outbox.h"
#include "sandbox/sandbox.h"
#include "time/timestamp.h"

/* With more bytes of unsent files than this, a group must wait. */
#define MAX_FILES_WAITING ((int64_t)64 * 1024 * 1024)

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
		/*
		 * A folder's name can be a number, but it cannot begin with '-' or contain a
		 * '.'.
		 */
		return xasprintf("%s--%s.k%s", installation,
			call->actor->folder ? call->actor->folder : "", own);
	return xasprintf("%s-%" PRId64 "-s%u", installation, timestamp_clock(),
		++call->host->messages_said);
}

/* Limits the texts that wait because the platform is offline, or slower than the agent. */
static int check_room(struct call *call, const struct group *group, struct error *err)
{
	const char *text = call_text(call, "text");
	int64_t bytes;

	if (outbox_waiting_bytes(call->store, group->folder, &bytes, err) < 0)
		return -1;
	if (bytes + (int64_t)strlen(text ? text : "") <= OUTBOX_MAX_WAITING)
		return 0;
	error_set(err, ERROR_INVALID,
		"%" PRId64 " KiB wait to be sent to the group '%s' already", bytes / 1024,
		group->folder);
	return error_hint(err, "wait until they are sent");
}

/* In a turn: the chat that is being answered. */
static const char *chat_of(const struct call *call, const struct group *group)
{
	const struct worker *worker = call->actor->worker;

	return worker && worker->turn.id && call_is_own(call, group->folder)
		       ? worker->turn.chat_jid
		       : group->jid;
}

static struct outbox_row row_for(
	const struct call *call, const struct group *group, const char *chat, char *key)
{
	const struct worker *worker = call->actor->worker;

	return (struct outbox_row){
		.key = key,
		.turn = worker && !strcmp(worker->folder, group->folder) ? worker->turn.id : 0,
		.group_folder = group->folder,
		.chat_jid = (char *)(uintptr_t)chat,
		.kind = OUTBOX_MESSAGE,
		.part = 1,
		.parts = 1,
	};
}

/* `*ret_last` is the key of the last part; to be freed. */
static int add_parts(struct call *call, const struct group *group, const char *chat,
	char **ret_last, bool *ret_added, struct error *err)
{
	CLEANUP(string_array_release) struct string_array parts = {0};
	CLEANUP(freep) char *key = message_key(call);
	const char *text = call_text(call, "text");

	channel_split(installation_channel(call->host->inst, chat), view_of(text ? text : ""),
		&parts);
	if (!parts.count)
		string_array_add(&parts, "");
	for (size_t i = 0; i < parts.count; i++) {
		CLEANUP(freep) char *part_key = xasprintf("%s-%zu", key, i + 1);
		struct outbox_row row = row_for(call, group, chat, part_key);

		row.part = (int)i + 1;
		row.parts = (int)parts.count;
		row.content = parts.list[i];
		if (outbox_add(call->store, &row, call->now, ret_added, err) < 0)
			return -1;
		if (ret_last && i + 1 == parts.count)
			*ret_last = TAKE(part_key);
	}
	return 0;
}

static int reply_sent(struct call *call, const char *chat, bool added)
{
	delivery_wake(call->host->delivery, chat);
	json_put(call->reply, "added:b", added);
	return 0;
}

int op_send_message(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	bool added = false;

	if (call_group(call, &group, err) < 0 || check_room(call, &group, err) < 0 ||
		add_parts(call, &group, chat_of(call, &group), NULL, &added, err) < 0)
		return -1;
	return reply_sent(call, chat_of(call, &group), added);
}

/* --- what not every channel can do -------------------------------------------- */

static int check_ability(struct call *call, const char *chat, enum channel_ability ability,
	const char *what, struct error *err)
{
	const struct channel *channel = installation_channel(call->host->inst, chat);

	if (channel && channel->abilities & (unsigned)ability)
		return 0;
	return error_set(err, ERROR_INVALID, "%s%s%s cannot %s",
		channel ? "the channel '" : "the channel of this chat",
		channel ? channel->name : "", channel ? "'" : "", what);
}

/* Below the caller's folder, as it is named inside the sandbox or relative to that. */
static const char *own_path(const struct call *call)
{
	const char *path = call_text(call, "path");
	size_t len = strlen(SANDBOX_WORKDIR "/");

	return strncmp(path, SANDBOX_WORKDIR "/", len) ? path : path + len;
}

/*
 * Check before the file is copied; otherwise an agent could fill the disk with refused files.
 */
static int check_files_room(struct call *call, const struct group *group, struct error *err)
{
	int64_t waiting;

	if (attachment_waiting_bytes(call->store, group->folder, &waiting, err) < 0)
		return -1;
	if (waiting < MAX_FILES_WAITING)
		return 0;
	error_set(err, ERROR_INVALID,
		"%" PRId64 " MB of files wait to be sent to the group '%s' already",
		waiting / 1024 / 1024, group->folder);
	return error_hint(err, "wait until they are sent");
}

static int add_file(
	struct call *call, const struct group *group, const char *key, struct error *err)
{
	const char *path = own_path(call);
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const char *from = call->actor->folder ? call->actor->folder : group->folder;
	CLEANUP(freep) char *file = NULL;
	struct media_stored stored = {0};
	int64_t outbox;

	if (media_copy(call->host->inst, from, path, group->folder, &stored, err) < 0)
		return -1;
	file = stored.name;
	media_added(call->host->media);
	if (outbox_find(call->store, key, &outbox, err) < 0)
		return -1;
	return attachment_add(call->store,
		&(struct attachment_row){
			.outbox = outbox,
			.group_folder = group->folder,
			.about = &(struct attachment_arrival){.name = name},
			.size = stored.size,
			.file = file,
		},
		call->now, err);
}

/* The file goes with the last part of the text. */
int op_send_file(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *key = NULL;
	bool added = false;

	if (*own_path(call) == '/')
		return error_set(err, ERROR_INVALID, "'%s' is not in your folder, '%s'",
			own_path(call), SANDBOX_WORKDIR);
	if (call_group(call, &group, err) < 0 || check_room(call, &group, err) < 0 ||
		check_files_room(call, &group, err) < 0 ||
		check_ability(call, chat_of(call, &group), CHANNEL_FILES, "send files", err) <
			0 ||
		add_parts(call, &group, chat_of(call, &group), &key, &added, err) < 0 ||
		(added && add_file(call, &group, key, err) < 0))
		return -1;
	return reply_sent(call, chat_of(call, &group), added);
}

/* One row that does something to a message. */
static int add_action(struct call *call, const struct group *group, enum outbox_action action,
	const char *content, char *target, struct error *err)
{
	CLEANUP(freep) char *key = message_key(call);
	CLEANUP(freep) char *part_key = xasprintf("%s-1", key);
	struct outbox_row row = row_for(call, group, chat_of(call, group), part_key);
	bool added;

	row.action = action;
	row.content = (char *)(uintptr_t)content;
	row.target = target;
	if (outbox_add(call->store, &row, call->now, &added, err) < 0)
		return -1;
	return reply_sent(call, row.chat_jid, added);
}

/* To the last message of the turn. */
int op_react(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *target = NULL;
	const struct worker *worker = call->actor->worker;

	if (call_group(call, &group, err) < 0 ||
		check_ability(call, chat_of(call, &group), CHANNEL_REACT, "react to messages",
			err) < 0)
		return -1;
	if (worker && worker->turn.last_seq &&
		message_get_id(call->store, worker->turn.last_seq, &target, err) < 0)
		return -1;
	if (!target)
		return error_set(err, ERROR_INVALID, "there is no message to react to");
	return add_action(call, &group, OUTBOX_REACT, call_text(call, "emoji"), target, err);
}

int op_edit_message(struct call *call, struct error *err)
{
	CLEANUP(string_array_release) struct string_array parts = {0};
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *target = NULL;
	const char *text = call_text(call, "text");
	const char *chat;

	if (call_group(call, &group, err) < 0)
		return -1;
	chat = chat_of(call, &group);
	if (check_ability(call, chat, CHANNEL_EDIT, "change messages", err) < 0 ||
		outbox_last_receipt(call->store, group.folder, chat, &target, err) < 0)
		return -1;
	if (!target)
		return error_set(err, ERROR_INVALID,
			"you have sent no single message here that can be changed");
	channel_split(installation_channel(call->host->inst, chat), view_of(text), &parts);
	if (parts.count != 1)
		return error_set(err, ERROR_INVALID,
			"the text is longer than one message of this channel");
	return add_action(call, &group, OUTBOX_EDIT, text, target, err);
}

/* Of what the thread of the turn is about: an agent cannot name another one. */
int op_set_state(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(freep) char *thread = NULL;
	const struct worker *worker = call->actor->worker;
	const char *state = call_text(call, "state");
	const struct channel *channel;

	if (call_group(call, &group, err) < 0 ||
		check_ability(
			call, chat_of(call, &group), CHANNEL_STATE, "change states", err) < 0)
		return -1;
	if (worker && worker->turn.last_seq &&
		message_get_thread(call->store, worker->turn.last_seq, &thread, err) < 0)
		return -1;
	if (!thread)
		return error_set(err, ERROR_INVALID, "this conversation is not about an issue");
	channel = installation_channel(call->host->inst, chat_of(call, &group));
	if (channel->kind->check_state &&
		channel->kind->check_state(channel, thread, state, err) < 0)
		return -1;
	return add_action(call, &group, OUTBOX_STATE, state, NULL, err);
}
