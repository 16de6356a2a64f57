#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/slack/slack.h"
#include "channels/slack/upload.h"
#include "format/json.h"
#include "time/timestamp.h"

#define MOST_UNDER_WAY 20
#define LOOK_BACK      "200" /* messages in which a text is searched that may have been sent */
#define CLOCKS_DIFFER  3600  /* by so many seconds at most: ours, and Slack's */

/* A text that has no receipt yet. Its files follow it: each is uploaded, then all are shared. */
struct slack_sending {
	struct slack_sending *next;
	struct slack *slack;
	struct slack_call *call;
	char *key;
	char *jid;
	char *content;
	char *thread; /* NULL: none */
	char *edits;  /* the message whose text it replaces; NULL: none */
	bool plain;   /* Slack has refused the Markdown */
	char *ts;     /* of the text, when it is sent; else NULL */
	struct slack_upload *upload;
	struct string_array paths; /* of the files … */
	struct string_array names;
	json_t *uploaded; /* {"id", "title"} of those that are at Slack */
	double created;   /* in seconds: it cannot have been sent before */
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
	free(sending->edits);
	free(sending->ts);
	string_array_release(&sending->paths);
	string_array_release(&sending->names);
	json_decref(sending->uploaded);
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

/* --- replies ----------------------------------------------------------------- */

/* A message of ours begins the history of a chat that a person has just paired. */
static void sending_sent(struct slack_sending *sending)
{
	struct slack *slack = sending->slack;
	CLEANUP(freep) char *ts = TAKE(sending->ts);
	struct channel *channel = &slack->channel;
	const char *chat = slack_chat_id(sending->jid);

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
	case SLACK_UNREADABLE:
		sending_done(sending, RECEIPT_FAILED, reply->error, 0);
		return true;
	case SLACK_DONE:
	case SLACK_REFUSED:
		return false;
	}
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

	if (!sending->plain && slack_reply_is(reply, of_form)) {
		sending->plain = true;
	} else if (sending->thread && slack_reply_is(reply, of_thread)) {
		free(sending->thread);
		sending->thread = NULL;
	} else {
		return false;
	}
	return true;
}

static void sending_go_on(struct slack_sending *sending);

static void take_sent(void *data, const struct slack_reply *reply)
{
	struct slack_sending *sending = data;
	const char *ts = slack_text(reply->document, "ts");
	CLEANUP(freep) char *reason = NULL;

	sending->call = NULL;
	if (sending_hindered(sending, reply))
		return;
	if (reply->outcome == SLACK_DONE)
		sending->ts = xstrdup(ts ? ts : "");
	if (reply->outcome == SLACK_DONE || sending_eased(sending, reply)) {
		sending_go_on(sending);
	} else {
		reason = slack_reply_refusal(reply);
		sending_done(sending, RECEIPT_REFUSED, reason, 0);
	}
}

static void take_shared(void *data, const struct slack_reply *reply)
{
	struct slack_sending *sending = data;
	CLEANUP(freep) char *reason = NULL;

	sending->call = NULL;
	if (sending_hindered(sending, reply))
		return;
	if (reply->outcome == SLACK_DONE) {
		sending_sent(sending);
	} else {
		reason = slack_reply_refusal(reply);
		sending_done(sending, RECEIPT_REFUSED, reason, 0);
	}
}

static void take_uploaded(void *data, const char *id, const struct slack_reply *reply)
{
	struct slack_sending *sending = data;
	const char *title = sending->names.list[json_array_size(sending->uploaded)];

	sending->upload = NULL;
	if (!id) {
		take_shared(sending, reply);
		return;
	}
	json_array_append_new(sending->uploaded,
		json_pack("{s:s, s:o}", "id", id, "title", json_text(view_of(title))));
	sending_go_on(sending);
}

/* --- requests ---------------------------------------------------------------- */

/* The key goes along, so that the text can be found again. */
static json_t *sending_parameters(const struct slack_sending *sending)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *parameters = json_pack("{s:s, s:{s:s, s:{s:s}}}", "channel",
		slack_chat_id(sending->jid), "metadata", "event_type", "nanoclaw_text",
		"event_payload", "key", sending->key);

	if (sending->edits)
		json_object_set_new(parameters, "ts", json_string(sending->edits));
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

static json_t *sharing_parameters(const struct slack_sending *sending)
{
	json_t *parameters = json_pack("{s:O, s:s}", "files", sending->uploaded, "channel_id",
		slack_chat_id(sending->jid));

	if (sending->thread)
		json_object_set_new(parameters, "thread_ts", json_string(sending->thread));
	return parameters;
}

/* The next call: the text, a file, or all of them to the chat. */
static void sending_go_on(struct slack_sending *sending)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	size_t next = json_array_size(sending->uploaded);

	if (!sending->ts && sending->edits) {
		sending_call(sending, "chat.update", sending_parameters(sending), take_sent);
	} else if (!sending->ts && *sending->content) {
		sending_call(
			sending, "chat.postMessage", sending_parameters(sending), take_sent);
	} else if (!sending->paths.count) {
		sending_sent(sending);
	} else if (next == sending->paths.count) {
		sending_call(sending, "files.completeUploadExternal",
			sharing_parameters(sending), take_shared);
	} else if (slack_upload(&sending->slack->api, sending->slack->root,
			   sending->paths.list[next], sending->names.list[next], take_uploaded,
			   sending, &sending->upload, &err) < 0) {
		sending_done(sending, RECEIPT_REFUSED, err.message, 0);
	}
}

/* --- was it sent before? ----------------------------------------------------- */

/*
 * Files have no key: a message of ours with the same titles counts, if it is later than the text, or
 * than the order to send files without a text.
 */
static bool are_our_files(const struct slack_sending *sending, const json_t *message)
{
	const json_t *files = json_object_get(message, "files");
	const char *user = slack_text(message, "user");
	const char *ts = slack_text(message, "ts");

	if (!user || strcmp(user, sending->slack->bot_user) != 0 || !ts ||
		(sending->ts ? strcmp(ts, sending->ts) <= 0
			     : strtod(ts, NULL) < sending->created) ||
		json_array_size(files) != sending->names.count)
		return false;
	for (size_t i = 0; i < sending->names.count; i++) {
		const char *title = slack_text(json_array_get(files, i), "title");

		if (!title || strcmp(title, sending->names.list[i]) != 0)
			return false;
	}
	return sending->names.count > 0;
}

static void take_latest(void *data, const struct slack_reply *reply)
{
	const json_t *messages = json_object_get(reply->document, "messages");
	struct slack_sending *sending = data;
	bool files_sent = false;
	json_t *message;
	size_t i;

	sending->call = NULL;
	/* A message that cannot be read must not keep our texts from its chat. */
	if (reply->outcome != SLACK_UNREADABLE && sending_hindered(sending, reply))
		return;
	json_array_foreach(messages, i, message) {
		const json_t *metadata = json_object_get(message, "metadata");
		const char *key = slack_text(json_object_get(metadata, "event_payload"), "key");
		const char *ts = slack_text(message, "ts");

		if (!sending->ts && ts && key && !strcmp(key, sending->key))
			sending->ts = xstrdup(ts);
	}
	json_array_foreach(messages, i, message)
		files_sent |= are_our_files(sending, message);
	if (files_sent && (sending->ts || !*sending->content))
		sending_sent(sending);
	else
		sending_go_on(sending);
}

static void sending_look(struct slack_sending *sending)
{
	double oldest = sending->created > CLOCKS_DIFFER ? sending->created - CLOCKS_DIFFER : 0;
	CLEANUP(freep) char *since = xasprintf("%.0f.000000", oldest);
	json_t *parameters =
		json_pack("{s:s, s:s, s:s, s:b}", "channel", slack_chat_id(sending->jid),
			"oldest", since, "limit", LOOK_BACK, "include_all_metadata", true);

	if (sending->thread)
		json_object_set_new(parameters, "ts", json_string(sending->thread));
	sending_call(sending,
		sending->thread ? "conversations.replies" : "conversations.history", parameters,
		take_latest);
}

/* --- rows -------------------------------------------------------------------- */

static struct slack_sending *sending_new(struct slack *slack, const struct outbox_row *row)
{
	struct slack_sending *sending = xcalloc(1, sizeof(*sending));

	sending->slack = slack;
	sending->key = xstrdup(row->key);
	sending->jid = xstrdup(row->chat_jid);
	sending->content = xstrdup(row->content);
	sending->thread = row->thread ? xstrdup(row->thread) : NULL;
	if (row->action == OUTBOX_EDIT && row->target)
		sending->edits = xstrdup(row->target);
	sending->created = (double)row->created_at / 1000;
	sending->uploaded = json_array();
	for (size_t i = 0; i < row->attachments.count; i++) {
		const struct attachment *file = &row->attachments.list[i];
		const char *stored = file->file ? file->file : "";

		string_array_addf(
			&sending->paths, "data/media/%s/%s", file->group_folder, stored);
		string_array_add(&sending->names, file->name ? file->name : stored);
	}
	sending->next = slack->sendings;
	slack->sendings = sending;
	slack->sending_count++;
	return sending;
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
	sending = sending_new(slack, row);
	/* The same edit may be made twice. */
	if (!sending->edits && row->again)
		sending_look(sending);
	else
		sending_go_on(sending);
	return CHANNEL_TAKEN;
}

void slack_send_end(struct slack *slack)
{
	while (slack->sendings) {
		if (slack->sendings->upload)
			slack_upload_cancel(slack->sendings->upload);
		else
			slack_call_cancel(slack->sendings->call);
		sending_remove(slack->sendings);
	}
}
