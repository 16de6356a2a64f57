#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/slack/slack.h"
#include "format/json.h"
#include "time/timestamp.h"

#define MOST_UNDER_WAY 20
#define MOST_UNSURE    200
#define LOOK_BACK      "100" /* messages in which a text is searched that may have been sent */

/* A text that has no receipt yet. */
struct slack_sending {
	struct slack_sending *next;
	struct slack *slack;
	struct slack_call *call;
	char *key;
	char *jid;
	char *content;
	char *thread; /* NULL: none */
	bool plain;   /* Slack has refused the Markdown */
};

static void sending_remove(struct slack_sending *sending)
{
	struct slack_sending **at = &sending->slack->sendings;

	while (*at != sending)
		at = &(*at)->next;
	*at = sending->next;
	sending->slack->sending_count--;
	free(sending->key);
	free(sending->jid);
	free(sending->content);
	free(sending->thread);
	free(sending);
}

/* Nothing may be done with the channel after this: it may be gone. */
static void sending_done(struct slack_sending *sending, enum channel_receipt receipt,
	const char *detail, int64_t later)
{
	struct slack *slack = sending->slack;
	const struct channel_events *events = slack->channel.events;

	events->receipt(&slack->channel, sending->key, receipt, detail, later);
	sending_remove(sending);
	if (slack->turned_away) {
		slack->turned_away = false;
		events->ready(&slack->channel, NULL);
	}
	if (slack->closing && !slack->sendings) {
		uv_timer_stop(&slack->timer);
		slack_finish(slack);
	}
}

/* --- texts that may have been sent ------------------------------------------- */

static void unsure_add(struct slack *slack, const char *key)
{
	struct string_array *unsure = &slack->unsure;

	if (unsure->count == MOST_UNSURE) {
		free(unsure->list[0]);
		unsure->count--;
		memmove(unsure->list, unsure->list + 1, unsure->count * sizeof(*unsure->list));
	}
	string_array_add_new(unsure, key);
}

static void unsure_remove(struct slack *slack, const char *key)
{
	struct string_array *unsure = &slack->unsure;

	for (size_t i = 0; i < unsure->count; i++)
		if (!strcmp(unsure->list[i], key)) {
			free(unsure->list[i]);
			unsure->list[i] = unsure->list[--unsure->count];
		}
}

/* --- what Slack says --------------------------------------------------------- */

/* A message of ours begins the history of a chat that a person has just paired. */
static void sending_sent(struct slack_sending *sending, const char *ts)
{
	struct slack *slack = sending->slack;
	struct channel *channel = &slack->channel;
	const char *chat = slack_chat_id(sending->jid);

	unsure_remove(slack, sending->key);
	backoff_reset(&slack->backoff); /* the connection is of use */
	if (!slack->closing && ts && !slack_history_has(slack, chat)) {
		channel->events->begin(channel->host);
		slack_history_note(slack, chat, ts, NULL, true);
		slack_history_committed(slack, channel->events->commit(channel->host) == 0);
	}
	sending_done(sending, RECEIPT_SENT, ts, 0);
}

/* It may have arrived. It is looked for, and perhaps sent again, when Slack answers. */
static void sending_lost(struct slack_sending *sending, const struct slack_reply *reply)
{
	unsure_add(sending->slack, sending->key);
	slack_connect_check(sending->slack, reply->error);
	sending_done(sending, RECEIPT_LOST, reply->error, 0);
}

/* True: it has its receipt. */
static bool sending_hindered(struct slack_sending *sending, const struct slack_reply *reply)
{
	switch (reply->outcome) {
	case SLACK_UNANSWERED:
		sending_lost(sending, reply);
		return true;
	case SLACK_NO_TOKEN:
		if (!sending->slack->closing)
			slack_connect_no_token(sending->slack, "SLACK_BOT_TOKEN", reply);
		sending_done(sending, RECEIPT_LOST, reply->error, 0);
		return true;
	case SLACK_LATER:
		sending_done(sending, RECEIPT_LATER, reply->error,
			timestamp_clock() + reply->retry_after_ms);
		return true;
	case SLACK_BUSY:
		sending_done(sending, RECEIPT_FAILED, reply->error, 0);
		return true;
	case SLACK_DONE:
	case SLACK_REFUSED:
		return false;
	}
	return false;
}

static bool is_error(const struct slack_reply *reply, const char *const *errors)
{
	for (; *errors; errors++)
		if (!strcmp(reply->error, *errors))
			return true;
	return false;
}

/* Can it be sent in another way? Each is tried once. */
static bool sending_eased(struct slack_sending *sending, const struct slack_reply *reply)
{
	static const char *const of_form[] = {"invalid_arguments", "invalid_blocks",
		"invalid_blocks_format", "markdown_text_conflict", "msg_blocks_too_long",
		"no_text", NULL};
	static const char *const of_thread[] = {
		"cannot_reply_to_message", "message_not_found", "thread_not_found", NULL};

	if (!sending->plain && is_error(reply, of_form)) {
		sending->plain = true;
	} else if (sending->thread && is_error(reply, of_thread)) {
		free(sending->thread);
		sending->thread = NULL;
	} else {
		return false;
	}
	return true;
}

/* What the owner reads about it. */
static char *refusal(const struct slack_reply *reply)
{
	static const struct {
		const char *error;
		const char *words;
	} known[] = {
		{"channel_not_found", "Slack knows no such chat, or the app is not in it"},
		{"is_archived", "the chat is archived"},
		{"missing_scope", "the app lacks a scope"},
		{"not_in_channel", "the app is not in the chat: invite it"},
		{"restricted_action", "the workspace does not allow the app to write there"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].error, reply->error))
			return xasprintf("%s (%s%s%s)", known[i].words, reply->error,
				reply->needed ? " " : "", reply->needed ? reply->needed : "");
	return xasprintf("Slack refuses it (%s)", reply->error);
}

static void sending_start(struct slack_sending *sending);

static void take_sent(void *data, const struct slack_reply *reply)
{
	struct slack_sending *sending = data;
	CLEANUP(freep) char *reason = NULL;

	sending->call = NULL;
	if (sending_hindered(sending, reply))
		return;
	if (reply->outcome == SLACK_DONE) {
		sending_sent(sending, slack_text(reply->document, "ts"));
	} else if (sending_eased(sending, reply)) {
		sending_start(sending);
	} else {
		reason = refusal(reply);
		sending_done(sending, RECEIPT_REFUSED, reason, 0);
	}
}

/* --- what it is told --------------------------------------------------------- */

/* The key goes along, so that the text can be found again. */
static json_t *sending_parameters(const struct slack_sending *sending)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *parameters = json_pack("{s:s, s:{s:s, s:{s:s}}}", "channel",
		slack_chat_id(sending->jid), "metadata", "event_type", "nanoclaw_text",
		"event_payload", "key", sending->key);

	if (sending->plain)
		markup_render(view_of(sending->content), MARKUP_SLACK, &text);
	else
		buf_append_str(&text, sending->content);
	json_object_set_new(parameters, sending->plain ? "text" : "markdown_text",
		json_text(view_of_buf(&text)));
	if (sending->thread)
		json_object_set_new(parameters, "thread_ts", json_string(sending->thread));
	return parameters;
}

static void sending_call(struct slack_sending *sending, const char *method, json_t *parameters,
	slack_call_function function)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (slack_call(&sending->slack->api, SLACK_BOT, method, parameters, function, sending,
		    &sending->call, &err) < 0)
		sending_lost(sending, &(struct slack_reply){.error = err.message});
}

static void sending_start(struct slack_sending *sending)
{
	sending_call(sending, "chat.postMessage", sending_parameters(sending), take_sent);
}

static void take_latest(void *data, const struct slack_reply *reply)
{
	struct slack_sending *sending = data;
	json_t *message;
	size_t i;

	sending->call = NULL;
	if (sending_hindered(sending, reply))
		return;
	json_array_foreach(json_object_get(reply->document, "messages"), i, message) {
		const json_t *metadata = json_object_get(message, "metadata");
		const char *key = slack_text(json_object_get(metadata, "event_payload"), "key");

		if (key && !strcmp(key, sending->key)) {
			sending_sent(sending, slack_text(message, "ts"));
			return;
		}
	}
	sending_start(sending);
}

static void sending_look(struct slack_sending *sending)
{
	json_t *parameters = json_pack("{s:s, s:s, s:b}", "channel",
		slack_chat_id(sending->jid), "limit", LOOK_BACK, "include_all_metadata", true);

	if (sending->thread)
		json_object_set_new(parameters, "ts", json_string(sending->thread));
	sending_call(sending,
		sending->thread ? "conversations.replies" : "conversations.history", parameters,
		take_latest);
}

enum channel_sent slack_send(struct channel *channel, const struct outbox_row *row)
{
	struct slack *slack = (struct slack *)channel;
	struct slack_sending *sending;

	if (channel->state != CHANNEL_CONNECTED)
		return CHANNEL_NOT_NOW;
	if (slack->sending_count >= MOST_UNDER_WAY) {
		slack->turned_away = true;
		return CHANNEL_NOT_NOW;
	}
	sending = xcalloc(1, sizeof(*sending));
	sending->slack = slack;
	sending->key = xstrdup(row->key);
	sending->jid = xstrdup(row->chat_jid);
	sending->content = xstrdup(row->content);
	sending->thread = row->thread ? xstrdup(row->thread) : NULL;
	sending->next = slack->sendings;
	slack->sendings = sending;
	slack->sending_count++;
	if (row->again || string_array_has(&slack->unsure, row->key))
		sending_look(sending);
	else
		sending_start(sending);
	return CHANNEL_TAKEN;
}

void slack_send_end(struct slack *slack)
{
	while (slack->sendings) {
		slack_call_cancel(slack->sendings->call);
		sending_remove(slack->sendings);
	}
}
