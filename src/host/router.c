#include "host/router.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "channels/local/local.h"
#include "db/facts.h"
#include "format/json.h"
#include "host/base/trigger.h"
#include "host/base/watchers.h"
#include "host/chat/delivery.h"
#include "host/chat/media.h"
#include "host/ops/operations.h"
#include "host/skill/skill_turn.h"
#include "host/turn/queue.h"
#include "ledger/messages.h"
#include "ledger/retention.h"
#include "proc/log.h"
#include "time/timestamp.h"

/* A message from further in the future than this gets the time of its arrival. */
#define MAX_CLOCK_ERROR DAY_MS
#define DAY_MS          ((int64_t)24 * 60 * 60 * 1000)

#define JID_WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@:._+-"

static void batch_fail(struct router *router, const struct error *err)
{
	log_error("%s%s%s", err->message, err->hint ? "; " : "", err->hint ? err->hint : "");
	free(router->batch_error);
	router->batch_error = xstrdup(err->message);
}

static void begin_batch(void *data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct router *router = data;

	router->batch_failed = txn_begin(&router->batch, router->inst->store, &err) < 0;
	if (router->batch_failed)
		batch_fail(router, &err);
}

/* Update what is in memory, if the batch was stored. */
static void batch_end(struct router *router, bool stored)
{
	struct router_move *move;

	while ((move = router->moves)) {
		router->moves = move->next;
		if (stored) {
			log_note("the chat '%s' has moved to '%s'", move->jid, move->new_jid);
			queue_chat_moved(router->queue, move->jid, move->new_jid);
			delivery_moved(router->delivery, move->jid, move->new_jid);
		}
		free(move->jid);
		free(move->new_jid);
		free(move);
	}
	if (router->paired && stored)
		pairing_end(&router->operations->pairing);
	router->paired = false;
}

static int commit_batch(void *data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct router *router = data;
	bool failed = router->batch_failed;

	router->batch_failed = false; /* further messages are in no batch */
	if (failed)
		txn_end(&router->batch);
	else if (txn_commit(&router->batch, "batch", &err) < 0)
		batch_fail(router, &err), failed = true;
	batch_end(router, !failed);
	if (failed)
		return -1;
	if (router->rows_added >= RETENTION_EVERY) {
		router->rows_added = 0;
		if (store_retain(router->inst->store, timestamp_clock(), &err) < 0)
			log_warning("old messages stay in the store: %s", err.message);
	}
	return 0;
}

static const char *batch_reason(void *data)
{
	const struct router *router = data;

	return router->batch_error ? router->batch_error : "";
}

/* A terminal chat belongs to a folder; any other chat is found by its JID. */
static int find_group(
	struct router *router, const char *jid, struct group *ret_group, struct error *err)
{
	const char *folder = local_group(jid);

	if (folder)
		return store_group_by_folder(router->inst->store, folder, ret_group, err);
	return store_group_by_jid(router->inst->store, jid, ret_group, err);
}

static int wants_answer(struct router *router, const struct group *group,
	const struct channel_message *message, bool *ret_wants, struct error *err)
{
	enum chat_kind kind = message->chat_kind;

	if (kind == CHAT_UNKNOWN &&
		store_chat_kind(router->inst->store, message->chat_jid, &kind, err) < 0)
		return -1;
	*ret_wants = group->is_main || !group->requires_trigger || kind == CHAT_DIRECT ||
		     message->mentions_me || trigger_matches(group->trigger, message->text);
	return 0;
}

static int store_message(struct router *router, struct channel *channel,
	const struct group *group, const struct channel_message *message, int64_t now,
	int64_t *ret_seq, struct error *err)
{
	struct arrival arrival = {
		.channel = channel->name,
		.chat_jid = message->chat_jid,
		.id = message->id,
		.sender = message->sender,
		.sender_name = message->sender_name,
		.content = message->text,
		.time = message->time,
		.from_me = message->from_me,
		.group_folder = group->folder,
		.thread = message->thread,
		.reference = message->reference,
		.refers_to = message->refers_to,
	};
	const struct said said = {
		group->folder, message->chat_jid, message->sender, message->text, 0, now};
	bool is_new = false;

	if (!arrival.time || arrival.time > now + MAX_CLOCK_ERROR ||
		arrival.time < TIMESTAMP_MIN)
		arrival.time = now;
	if (wants_answer(router, group, message, &arrival.wants_answer, err) < 0 ||
		skill_turn_arrival(router->inst->store, group, &said, &arrival.wants_answer,
			&arrival.alone, err) < 0)
		return -1;
	if (arrival.reference == REFERENCE_REACTION)
		arrival.wants_answer = arrival.alone = false;
	if (arrival.reference == REFERENCE_EDIT &&
		message_edit(router->inst->store, &arrival, ret_seq, &is_new, err) < 0)
		return -1;
	if (!*ret_seq && (message_receive(router->inst->store, &arrival, now, ret_seq, &is_new,
				  err) < 0 ||
				 (is_new && media_arrived(router->media, group->folder,
						    *ret_seq, message, now, err) < 0)))
		return -1;
	router->rows_added += is_new;
	if (is_new && watchers_wanted(router->inst->watchers))
		watchers_send(
			router->inst->watchers, json_build("type:s group:s message:I",
							"message", group->folder, *ret_seq));
	if (is_new && arrival.wants_answer)
		queue_wake(router->queue, group->folder, NULL);
	return 0;
}

/* The code was sent in this chat: it becomes the chat of the group that the person named. */
static int pair_chat(
	struct router *router, const struct channel_message *message, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(json_decrefp) json_t *request = NULL;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	struct pairing *pairing = &router->operations->pairing;
	CLEANUP(freep) char *about = xasprintf("pair-%s", pairing->code);
	CLEANUP(freep) char *text = NULL;
	const char *name = message->chat_name ? message->chat_name : pairing->folder;
	const char *folder;

	if (store_group_by_folder(router->inst->store, pairing->folder, &group, err) < 0)
		return -1;
	request = group.folder ? json_build("op:s group:s jid:s", "set_group", group.folder,
					 message->chat_jid)
			       : json_build("op:s jid:s name:s folder:s", "register_group",
					 message->chat_jid, name, pairing->folder);
	reply = operations_call(
		router->operations, &(struct actor){.kind = ACTOR_PERSON}, request);
	folder = json_member(json_object_get(reply, "group"), "folder");
	if (!folder || strcmp(folder, pairing->folder) != 0) {
		const char *hint = json_member(reply, "hint");

		log_warning("the chat '%s' cannot be paired: %s%s%s", message->chat_jid,
			json_member(reply, "error"), hint ? "; " : "", hint ? hint : "");
		return 0;
	}
	text = xasprintf("This chat now belongs to the group '%s'.", folder);
	if (delivery_notice(router->delivery, folder, message->chat_jid, about, text, err) < 0)
		return -1;
	router->paired = true; /* the code is used up when this is stored */
	return 0;
}

/* Before a pairing nobody answers; the person at the terminal is told, once a day. */
static int tell_unpaired(
	struct router *router, const struct channel *channel, int64_t now, struct error *err)
{
	CLEANUP(freep)
	char *about = xasprintf("unpaired-%s-%" PRId64, channel->name, now / DAY_MS);
	CLEANUP(freep) char *command = NULL;
	CLEANUP(freep) char *text = NULL;

	if (pairing_command(router->inst->store, channel->name, &command, err) < 0)
		return -1;
	if (!command)
		return 0;
	text = xasprintf(
		"Somebody wrote on the channel '%s', where no chat belongs to a group, so "
		"nobody answered. If it was you: %s",
		channel->name, command);
	return delivery_notice(
		router->delivery, GROUP_MAIN, LOCAL_PREFIX GROUP_MAIN, about, text, err);
}

/* Is this the pairing code? A wrong code counts as an attempt, and is handled like any message. */
static bool is_pairing(struct router *router, const struct channel *channel,
	const struct channel_message *message, int64_t now)
{
	enum pairing_outcome outcome = router->paired
					       ? PAIRING_NOTHING
					       : pairing_try(&router->operations->pairing,
							 channel->name, message->text, now);

	if (outcome == PAIRING_GIVEN_UP)
		log_warning("wrong codes on the channel '%s': the pairing is given up; "
			    "'nanoclaw channel pair' begins another one",
			channel->name);
	return outcome == PAIRING_RIGHT;
}

/* A list of senders may have a name that anybody can take: it holds, with a warning. */
static int sender_is_allowed(struct router *router, const struct group *group,
	const struct channel_message *message, bool *ret_allowed, struct error *err)
{
	struct store *store = router->inst->store;
	bool everybody;
	bool by_name = false;

	if (store_sender_allowed(store, group->folder, "", &everybody, err) < 0 ||
		store_sender_allowed(store, group->folder, message->sender, ret_allowed, err) <
			0 ||
		(message->alias && store_sender_allowed(store, group->folder, message->alias,
					   &by_name, err) < 0))
		return -1;
	if (everybody || !by_name ||
		(*ret_allowed && strcmp(message->alias, message->sender) != 0))
		return 0;
	*ret_allowed = true;
	if (!string_array_has(&router->warned, group->folder)) {
		string_array_add(&router->warned, group->folder);
		log_warning("the list of senders of '%s' has the name '%s', which anybody can "
			    "take; this message is from '%s'",
			group->folder, message->alias, message->sender);
	}
	return 0;
}

/* Store the message, unless the channel only asks; `*ret_allowed` says whether it may be stored. */
static int route_message(struct router *router, struct channel *channel,
	const struct channel_message *message, bool *ret_allowed, int64_t *ret_seq,
	struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	bool terminal = local_group(message->chat_jid);
	int64_t now = timestamp_clock();
	bool allowed = true;

	if (find_group(router, message->chat_jid, &group, err) < 0)
		return -1;
	if (!group.folder && terminal)
		return 0; /* a missing group is a mistake, and not a chat to list */
	if (store_chat_note(router->inst->store, message->chat_jid, message->chat_name,
		    channel->name, message->chat_kind, now, group.folder != NULL, err) < 0)
		return -1;
	if (is_pairing(router, channel, message, now))
		return pair_chat(router, message, err);
	if (!group.folder)
		return tell_unpaired(router, channel, now, err);
	/* The terminal is the owner's. */
	if (!terminal && sender_is_allowed(router, &group, message, &allowed, err) < 0)
		return -1;
	*ret_allowed = allowed;
	if (!allowed || message->only_ask)
		return 0;
	return store_message(router, channel, &group, message, now, ret_seq, err);
}

static enum channel_arrival message_arrived(
	struct channel *channel, const struct channel_message *message, int64_t *ret_seq)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct router *router = channel->host;
	bool allowed = false;

	*ret_seq = 0;
	channel->last_event = timestamp_clock();
	if (router->batch_failed)
		return ARRIVAL_FAILED;
	if (installation_channel(router->inst, message->chat_jid) != channel ||
		message->text.len > CHANNEL_MAX_TEXT || !utf8_valid(message->text))
		return ARRIVAL_REFUSED;
	if (route_message(router, channel, message, &allowed, ret_seq, &err) < 0) {
		error_prefix(&err, "a message from '%s'", channel->name);
		batch_fail(router, &err);
		router->batch_failed = true;
		return ARRIVAL_FAILED;
	}
	return *ret_seq || (allowed && message->only_ask) ? ARRIVAL_STORED : ARRIVAL_IGNORED;
}

static void chat_noted(
	struct channel *channel, const char *jid, const char *name, enum chat_kind kind)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct router *router = channel->host;

	if (router->batch_failed || installation_channel(router->inst, jid) != channel)
		return;
	if (find_group(router, jid, &group, &err) < 0 ||
		store_chat_note(router->inst->store, jid, name, channel->name, kind, 0,
			group.folder != NULL, &err) < 0)
		log_error("a chat of '%s': %s", channel->name, err.message);
}

/* In the caller's transaction. Main, which does not move this way, gets a notice. */
static int store_move(struct router *router, const struct channel *channel,
	const struct group *group, const char *new_jid, struct error *err)
{
	CLEANUP(freep)
	char *about = xasprintf("moved-%s-%" PRId64, group->folder, timestamp_clock());
	CLEANUP(freep)
	char *text = xasprintf("The chat of the group '%s' is '%s' now: its platform has given "
			       "it another id.",
		group->folder, new_jid);
	struct store *store = router->inst->store;

	if (store_chat_note(store, new_jid, group->name, channel->name, CHAT_UNKNOWN, 0, true,
		    err) < 0 ||
		store_chat_move(store, group->jid, new_jid, err) < 0)
		return -1;
	return delivery_notice_main(router->delivery, NULL, about, text, err);
}

/*
 * What a platform says decides which chat is main's only if a person agrees, who is asked at the
 * terminal, once a day however many ids it names. A JID that a shell may read as more than a word
 * does not stand in a line to paste. In the caller's transaction.
 */
static int hold_move(struct router *router, const struct group *group, const char *new_jid,
	struct error *err)
{
	bool plain = new_jid[0] != '-' && !new_jid[strspn(new_jid, JID_WORD)];
	CLEANUP(freep)
	char *about = xasprintf("held-%s-%" PRId64, group->jid, timestamp_clock() / DAY_MS);
	CLEANUP(freep) char *terminal = xasprintf(LOCAL_PREFIX "%s", group->folder);
	CLEANUP(freep)
	char *text = xasprintf(
		"Is '%s' your chat now? Its platform says that '%s', the chat of main, has this id "
		"from now on. If you know of it: nanoclaw group set %s --jid %s. If you do not, "
		"do nothing: main stays where it is.",
		new_jid, group->jid, group->folder, plain ? new_jid : "JID");

	log_warning("the chat of main is to move from '%s' to '%s': held until a person agrees",
		group->jid, new_jid);
	return delivery_notice(router->delivery, group->folder, terminal, about, text, err);
}

static void batch_add_move(struct router *router, const char *jid, const char *new_jid)
{
	struct router_move **at = &router->moves;

	while (*at)
		at = &(*at)->next;
	*at = xcalloc(1, sizeof(**at));
	(*at)->jid = xstrdup(jid);
	(*at)->new_jid = xstrdup(new_jid);
}

static int chat_moved(struct channel *channel, const char *jid, const char *new_jid)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(group_release) struct group other = GROUP_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct router *router = channel->host;
	struct store *store = router->inst->store;
	bool failed;
	bool held;

	if (router->batch_failed)
		return 0; /* the channel will report it again */
	if (installation_channel(router->inst, jid) != channel ||
		installation_channel(router->inst, new_jid) != channel || !strcmp(jid, new_jid))
		return -1;
	failed = store_group_owner(store, jid, &group, &err) < 0 ||
		 store_group_owner(store, new_jid, &other, &err) < 0;
	if (!failed && !group.folder)
		return 0;
	if (!failed && other.folder)
		return -1;
	held = !failed && group.is_main;
	if (failed || (held ? hold_move(router, &group, new_jid, &err)
			    : store_move(router, channel, &group, new_jid, &err)) < 0) {
		error_prefix(&err, "a chat of '%s'", channel->name);
		batch_fail(router, &err);
		router->batch_failed = true;
		return 0;
	}
	if (held)
		return -1;
	batch_add_move(router, jid, new_jid);
	return 0;
}

static void receipt_arrived(struct channel *channel, const char *key,
	enum channel_receipt receipt, const char *detail, int64_t later)
{
	struct router *router = channel->host;

	if (receipt == RECEIPT_SENT)
		channel->last_event = timestamp_clock();
	/* It cannot be stored, so the text is sent again (L6). */
	if (router->batch_failed)
		receipt = RECEIPT_LOST;
	delivery_receipt(router->delivery, key, receipt, detail, later);
}

static int file_fetched(struct channel *channel, int64_t id, struct view bytes)
{
	struct router *router = channel->host;

	return media_fetched(router->media, id, bytes);
}

static int fetch_ended(struct channel *channel, int64_t id, enum channel_receipt receipt,
	const char *reason, int64_t later)
{
	struct router *router = channel->host;

	return media_fetch_ended(router->media, id, receipt, reason, later);
}

static void channel_ready(struct channel *channel, const char *jid)
{
	struct router *router = channel->host;

	media_wake(router->media);
	if (jid)
		delivery_wake(router->delivery, jid);
	else
		delivery_wake_all(router->delivery);
}

static void channel_changed(struct channel *channel)
{
	struct router *router = channel->host;

	if (watchers_wanted(router->inst->watchers))
		watchers_send(router->inst->watchers,
			json_build("type:s channel:s state:s", "channel", channel->name,
				channel_state_name(channel->state)));
	if (channel->state == CHANNEL_CONNECTED)
		channel->last_event = timestamp_clock();
	if (channel->state == CHANNEL_CONNECTED || channel->detail)
		log_note("channel '%s' is %s%s%s", channel->name,
			channel_state_name(channel->state), channel->detail ? ": " : "",
			channel->detail ? channel->detail : "");
}

static void remember_channel(struct channel *channel, const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *fact = xasprintf("channel %s", channel->name);
	struct router *router = channel->host;

	if (!router->batch_failed && store_fact_set(router->inst->store, fact, text, &err) < 0)
		log_error("channel '%s': %s", channel->name, err.message);
}

char *router_recall(void *data, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *fact = xasprintf("channel %s", name);
	struct router *router = data;
	char *text = NULL;

	if (store_fact_get(router->inst->store, fact, &text, &err) < 0)
		log_error("%s", err.message);
	return text;
}

static json_t *person_request(struct channel *channel, json_t *request)
{
	struct router *router = channel->host;

	return operations_call(
		router->operations, &(struct actor){.kind = ACTOR_PERSON}, request);
}

static char *message_state(struct channel *channel, int64_t seq)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct router *router = channel->host;
	char *state;

	if (message_get_state(router->inst->store, seq, &state, &err) < 0) {
		log_error("%s", err.message);
		return xstrdup("received"); /* "" would mean that it is gone */
	}
	return state ? state : xstrdup("");
}

const struct channel_events router_events = {
	.begin = begin_batch,
	.commit = commit_batch,
	.reason = batch_reason,
	.message = message_arrived,
	.chat = chat_noted,
	.moved = chat_moved,
	.receipt = receipt_arrived,
	.fetched = file_fetched,
	.fetch_ended = fetch_ended,
	.ready = channel_ready,
	.changed = channel_changed,
	.remember = remember_channel,
	.request = person_request,
	.message_state = message_state,
};
