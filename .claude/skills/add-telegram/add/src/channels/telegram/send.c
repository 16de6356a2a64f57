#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/telegram/telegram.h"
#include "format/json.h"
#include "time/timestamp.h"

/* Telegram takes some 30 texts a second from a bot. */
#define MOST_UNDER_WAY 30
#define SEND_MS        60000
#define LEAST_WAIT     1000

/* A text that has no receipt yet. */
struct sending {
	struct sending *next;
	struct telegram *telegram;
	struct telegram_call *call;
	char *key;
	char *jid;
	char *content;
	int64_t thread;   /* 0: none */
	int64_t reply_to; /* 0: no message */
	bool plain;       /* Telegram has refused the markup */
};

static void sending_remove(struct sending *sending)
{
	struct sending **at = &sending->telegram->sendings;

	while (*at != sending)
		at = &(*at)->next;
	*at = sending->next;
	sending->telegram->sending_count--;
	free(sending->key);
	free(sending->jid);
	free(sending->content);
	free(sending);
}

/* Nothing may be done with the channel after this: it may be gone. */
static void sending_done(struct sending *sending, enum channel_receipt receipt,
	const char *detail, int64_t later)
{
	struct telegram *telegram = sending->telegram;
	const struct channel_events *events = telegram->channel.events;

	events->receipt(&telegram->channel, sending->key, receipt, detail, later);
	sending_remove(sending);
	if (telegram->turned_away) {
		telegram->turned_away = false;
		events->ready(&telegram->channel, NULL);
	}
	if (telegram->closing && !telegram->sendings) {
		uv_timer_stop(&telegram->timer);
		telegram_finish(telegram);
	}
}

/* --- what Telegram says ------------------------------------------------------ */

static bool says(const struct telegram_reply *reply, const char *words)
{
	return strcasestr(reply->description, words) != NULL;
}

static int sending_start(struct sending *sending, struct error *err);

/* Can it be sent in another way? Each is tried once. */
static bool sending_eased(struct sending *sending, const struct telegram_reply *reply)
{
	if (reply->code != 400)
		return false;
	if (!sending->plain && (says(reply, "parse") || says(reply, "entit")))
		sending->plain = true;
	else if (sending->thread && (says(reply, "thread") || says(reply, "topic")))
		sending->thread = 0;
	else if (sending->reply_to && says(reply, "repl"))
		sending->reply_to = 0;
	else
		return false;
	return true;
}

static void sending_moved(struct sending *sending, int64_t chat)
{
	struct channel *channel = &sending->telegram->channel;
	CLEANUP(freep) char *jid = telegram_jid(chat);
	int moved;

	channel->events->begin(channel->host);
	moved = channel->events->moved(channel, sending->jid, jid);
	if (channel->events->commit(channel->host) < 0 || moved < 0)
		sending_done(sending, RECEIPT_FAILED, "the chat has moved", 0);
	else
		sending_done(sending, RECEIPT_LATER, "the chat has moved", timestamp_clock());
}

static void take_sent(void *data, const struct telegram_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct sending *sending = data;
	struct telegram *telegram = sending->telegram;
	CLEANUP(freep)
	char *id = xasprintf("%lld", (long long)telegram_number(reply->result, "message_id"));

	sending->call = NULL;
	if (reply->code == 200) {
		sending_done(sending, RECEIPT_SENT, id, 0);
	} else if (!reply->code) {
		/* It may have arrived. It is sent again when Telegram answers. */
		telegram_poll_check(telegram, reply->description);
		sending_done(sending, RECEIPT_LOST, reply->description, 0);
	} else if (reply->code == 401) {
		telegram_poll_refused(telegram, reply->description);
		sending_done(sending, RECEIPT_LOST, reply->description, 0);
	} else if (reply->code == 429) {
		sending_done(sending, RECEIPT_LATER, reply->description,
			timestamp_clock() + (reply->retry_after_ms > LEAST_WAIT
							    ? reply->retry_after_ms
							    : LEAST_WAIT));
	} else if (reply->migrate_to) {
		sending_moved(sending, reply->migrate_to);
	} else if (sending_eased(sending, reply)) {
		if (sending_start(sending, &err) < 0)
			sending_done(sending, RECEIPT_FAILED, err.message, 0);
	} else {
		sending_done(sending, reply->code >= 500 ? RECEIPT_FAILED : RECEIPT_REFUSED,
			reply->description, 0);
	}
}

/* --- what it is told --------------------------------------------------------- */

static json_t *sending_parameters(const struct sending *sending)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *parameters = json_object();

	markup_render(view_of(sending->content),
		sending->plain ? MARKUP_PLAIN : MARKUP_TELEGRAM, &text);
	json_object_set_new(
		parameters, "chat_id", json_integer(telegram_chat_id(sending->jid)));
	json_object_set_new(parameters, "text", json_text(view_of_buf(&text)));
	if (!sending->plain)
		json_object_set_new(parameters, "parse_mode", json_string("HTML"));
	if (sending->thread)
		json_object_set_new(
			parameters, "message_thread_id", json_integer(sending->thread));
	if (sending->reply_to)
		json_object_set_new(parameters, "reply_parameters",
			json_pack("{s:I, s:b}", "message_id", (json_int_t)sending->reply_to,
				"allow_sending_without_reply", true));
	return parameters;
}

static int sending_start(struct sending *sending, struct error *err)
{
	return telegram_call(&sending->telegram->api, "sendMessage",
		sending_parameters(sending), SEND_MS, take_sent, sending, &sending->call, err);
}

enum channel_sent telegram_send(struct channel *channel, const struct outbox_row *row)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct telegram *telegram = (struct telegram *)channel;
	struct sending *sending;

	if (channel->state != CHANNEL_CONNECTED)
		return CHANNEL_NOT_NOW;
	if (telegram->sending_count >= MOST_UNDER_WAY) {
		telegram->turned_away = true;
		return CHANNEL_NOT_NOW;
	}
	sending = xcalloc(1, sizeof(*sending));
	sending->telegram = telegram;
	sending->key = xstrdup(row->key);
	sending->jid = xstrdup(row->chat_jid);
	sending->content = xstrdup(row->content);
	sending->thread = row->thread ? strtoll(row->thread, NULL, 10) : 0;
	/* A long answer is one reply, in parts. */
	sending->reply_to =
		row->reply_to && row->part == 1 ? strtoll(row->reply_to, NULL, 10) : 0;
	sending->next = telegram->sendings;
	telegram->sendings = sending;
	telegram->sending_count++;
	if (sending_start(sending, &err) < 0) {
		sending_remove(sending);
		telegram_poll_check(telegram, err.message);
		return CHANNEL_NOT_NOW;
	}
	return CHANNEL_TAKEN;
}

void telegram_send_end(struct telegram *telegram)
{
	while (telegram->sendings) {
		telegram_call_cancel(telegram->sendings->call);
		sending_remove(telegram->sendings);
	}
}
