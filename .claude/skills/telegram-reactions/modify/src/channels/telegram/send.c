#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/telegram/telegram.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "time/timestamp.h"

/* Telegram takes some 30 texts a second from a bot. */
#define MOST_UNDER_WAY 30
#define SEND_MS        60000
#define LEAST_WAIT     1000
#define MAX_CAPTION    1024 /* UTF-16 units */
#define MAX_PHOTO      ((int64_t)10 * 1024 * 1024)

/*
 * A text that has no receipt yet. It goes in one or more calls: the text, unless it is the caption
 * of the first file, and each file. If a later call has to wait or fails, it is parked: the calls
 * before it have shown something in the chat, and are not repeated.
 */
struct sending {
	struct sending *next;
	struct telegram *telegram;
	struct telegram_call *call;
	char *key;
	char *jid;
	char *content;
	int64_t thread;               /* 0: none */
	int64_t reply_to;             /* 0: no message */
	int64_t reacts_to;            /* a message; 0: none */
	int64_t edits;                /* the message whose text it replaces; 0: none */
	struct attachment_list files; /* their places, names and sizes */
	size_t file;                  /* the next one */
	int64_t id;                   /* of the first message; 0: not yet */
	bool text_sent;
	bool parked;      /* the host has its receipt, and sends it again */
	bool moved;       /* its chat has, since it was begun */
	bool plain;       /* Telegram has refused the markup */
	bool as_document; /* or what it would show: a photo, a video */
};

static void sending_remove(struct sending *sending)
{
	struct sending **at = &sending->telegram->sendings;

	while (*at != sending)
		at = &(*at)->next;
	*at = sending->next;
	sending->telegram->sending_count -= !sending->parked;
	free(sending->key);
	free(sending->jid);
	free(sending->content);
	attachment_list_release(&sending->files);
	free(sending);
}

/* Nothing may be done with the channel after this: it may be gone. */
static void sending_done(struct sending *sending, enum channel_receipt receipt,
	const char *detail, int64_t later)
{
	struct telegram *telegram = sending->telegram;
	const struct channel_events *events = telegram->channel.events;

	events->receipt(&telegram->channel, sending->key, receipt, detail, later);
	if (sending->id && receipt != RECEIPT_SENT && receipt != RECEIPT_REFUSED) {
		sending->parked = true;
		telegram->sending_count--;
	} else {
		sending_remove(sending);
	}
	if (telegram->turned_away) {
		telegram->turned_away = false;
		events->ready(&telegram->channel, NULL);
	}
	if (telegram->closing && !telegram->sending_count) {
		uv_timer_stop(&telegram->timer);
		telegram_finish(telegram);
	}
}

/* --- what it is told --------------------------------------------------------- */

static void sending_render(const struct sending *sending, struct buf *out)
{
	markup_render(view_of(sending->content),
		sending->plain ? MARKUP_PLAIN : MARKUP_TELEGRAM, out);
}

/* What all methods have in common; the text under the name `field`, if it goes with this call. */
static json_t *sending_parameters(const struct sending *sending, const char *field)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *parameters = json_pack("{s:I}", "chat_id",
		(json_int_t)telegram_chat_id(sending->telegram, sending->jid));

	sending_render(sending, &text);
	if (field && text.len) {
		json_object_set_new(parameters, field, json_text(view_of_buf(&text)));
		if (!sending->plain)
			json_object_set_new(parameters, "parse_mode", json_string("HTML"));
	}
	if (sending->edits) {
		json_object_set_new(parameters, "message_id", json_integer(sending->edits));
		return parameters;
	}
	if (sending->thread)
		json_object_set_new(
			parameters, "message_thread_id", json_integer(sending->thread));
	if (sending->reply_to && !sending->id)
		json_object_set_new(parameters, "reply_parameters",
			json_pack("{s:I, s:b}", "message_id", (json_int_t)sending->reply_to,
				"allow_sending_without_reply", true));
	return parameters;
}

/* A caption is shorter than a text. */
static bool sending_has_caption(const struct sending *sending)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	sending_render(sending, &text);
	return sending->files.count &&
	       markup_length(view_of_buf(&text), MARKUP_UTF16) <= MAX_CAPTION;
}

/* Does its present call send a file? */
static bool sending_is_at_file(const struct sending *sending)
{
	return !sending->edits && (sending->text_sent || sending_has_caption(sending));
}

/* How Telegram shows a file; the store keeps the end of its name. */
static void choose_method(const struct attachment *file, struct telegram_request *request)
{
	static const struct {
		const char *end;
		const char *method;
		const char *field;
	} methods[] = {
		{".jpeg", "sendPhoto", "photo"},
		{".jpg", "sendPhoto", "photo"},
		{".m4a", "sendAudio", "audio"},
		{".mp3", "sendAudio", "audio"},
		{".mp4", "sendVideo", "video"},
		{".oga", "sendVoice", "voice"},
		{".ogg", "sendVoice", "voice"},
		{".png", "sendPhoto", "photo"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		if (view_ends_with(view_of(file->file), methods[i].end) &&
			(strcmp(methods[i].field, "photo") != 0 || file->size <= MAX_PHOTO)) {
			request->method = methods[i].method;
			request->field = methods[i].field;
		}
}

static int sending_file(
	struct sending *sending, struct telegram_request *request, struct error *err)
{
	const struct attachment *file = &sending->files.list[sending->file];
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *name = attachment_path(file->group_folder, file->file);
	struct stat st;

	if (relpath_parse(view_of(name), &path, err) < 0 ||
		beneath_open_file(sending->telegram->root, &path, &request->file, &st, err) < 0)
		return -1;
	request->method = "sendDocument";
	request->field = "document";
	request->file_name = file->name;
	request->file_size = st.st_size;
	if (!sending->as_document)
		choose_method(file, request);
	request->parameters =
		sending_parameters(sending, sending->text_sent ? NULL : "caption");
	return 0;
}

static void take_sent(void *data, const struct telegram_reply *reply);

/* The next call. */
static int sending_start(struct sending *sending, struct error *err)
{
	struct telegram_request request = {.method = "sendMessage", .wait_ms = SEND_MS};

	if (sending->reacts_to) {
		request.method = "setMessageReaction";
		request.parameters = telegram_reaction_parameters(
			telegram_chat_id(sending->telegram, sending->jid), sending->reacts_to,
			sending->content);
	} else if (!sending_is_at_file(sending)) {
		if (sending->edits)
			request.method = "editMessageText";
		request.parameters = sending_parameters(sending, "text");
	} else if (sending_file(sending, &request, err) < 0) {
		return -1;
	}
	return telegram_call(
		&sending->telegram->api, &request, take_sent, sending, &sending->call, err);
}

/* --- what Telegram says ------------------------------------------------------ */

static bool says(const struct telegram_reply *reply, const char *words)
{
	return strcasestr(reply->description, words) != NULL;
}

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
	else if (sending_is_at_file(sending) && !sending->as_document && !says(reply, "chat"))
		sending->as_document = true;
	else
		return false;
	return true;
}

/* The text follows its chat, also where that is no group's: the host would send it as before. */
static void sending_moved(struct sending *sending, int64_t chat)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct channel *channel = &sending->telegram->channel;
	CLEANUP(freep) char *jid = telegram_jid(sending->telegram, chat);
	int moved;

	channel->events->begin(channel->host);
	moved = channel->events->moved(channel, sending->jid, jid);
	if (channel->events->commit(channel->host) < 0 || moved < 0 || sending->moved) {
		sending_done(sending, RECEIPT_FAILED, "the chat has moved", 0);
		return;
	}
	free(sending->jid);
	sending->jid = TAKE(jid);
	sending->moved = true;
	if (sending_start(sending, &err) < 0)
		sending_done(sending, RECEIPT_FAILED, err.message, 0);
}

/* One call has done its part. */
static void sending_go_on(struct sending *sending, int64_t id)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *first = NULL;

	sending->id = sending->id ? sending->id : id;
	if (sending_is_at_file(sending)) {
		sending->file++;
		sending->as_document = false;
	}
	sending->text_sent = true;
	first = telegram_message_id(sending->telegram,
		telegram_chat_id(sending->telegram, sending->jid), sending->id);
	if (sending->edits || sending->file >= sending->files.count)
		sending_done(sending, RECEIPT_SENT, first, 0);
	else if (sending_start(sending, &err) < 0)
		sending_done(sending, RECEIPT_REFUSED, err.message, 0);
}

static void take_sent(void *data, const struct telegram_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct sending *sending = data;
	struct telegram *telegram = sending->telegram;
	int64_t wait = reply->retry_after_ms > LEAST_WAIT ? reply->retry_after_ms : LEAST_WAIT;

	sending->call = NULL;
	if (reply->code == 200 || (sending->edits && says(reply, "message is not modified"))) {
		sending_go_on(sending, telegram_number(reply->result, "message_id"));
	} else if (!reply->code) {
		/* It may have arrived. It is sent again when Telegram answers; a file not for
		 * ever, because that may be what cannot be sent. */
		telegram_poll_check(telegram, reply->description);
		sending_done(sending,
			sending_is_at_file(sending) ? RECEIPT_FAILED : RECEIPT_LOST,
			reply->description, 0);
	} else if (reply->code == 401) {
		telegram_poll_refused(telegram, reply->description);
		sending_done(sending, RECEIPT_LOST, reply->description, 0);
	} else if (reply->code == 429) {
		sending_done(
			sending, RECEIPT_LATER, reply->description, timestamp_clock() + wait);
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

/* --- rows -------------------------------------------------------------------- */

static void copy_files(const struct attachment_list *from, struct attachment_list *files)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct attachment *file = &from->list[i];

		GROW(files->list, files->count, files->cap);
		files->list[files->count++] = (struct attachment){
			.group_folder = xstrdup(file->group_folder),
			.name = file->name ? xstrdup(file->name) : NULL,
			.file = xstrdup(file->file ? file->file : ""),
			.size = file->size,
		};
	}
}

static struct sending *new_sending(struct telegram *telegram, const struct outbox_row *row)
{
	struct sending *sending = xcalloc(1, sizeof(*sending));
	int64_t chat = telegram_chat_id(telegram, row->chat_jid);
	int64_t target = telegram_message_number(telegram, chat, row->target);

	sending->telegram = telegram;
	sending->key = xstrdup(row->key);
	sending->content = xstrdup(row->content);
	sending->thread = row->thread ? strtoll(row->thread, NULL, 10) : 0;
	/* A long answer is one reply, in parts. */
	sending->reply_to =
		row->part == 1 ? telegram_message_number(telegram, chat, row->reply_to) : 0;
	sending->reacts_to = row->action != OUTBOX_REACT ? 0 : target ? target : -1;
	/* Telegram refuses an edit of a message that is in the chat from before a move. */
	sending->edits = row->action != OUTBOX_EDIT ? 0 : target ? target : -1;
	copy_files(&row->attachments, &sending->files);
	sending->next = telegram->sendings;
	telegram->sendings = sending;
	return sending;
}

/* The row, if it is parked. Another one of the same chat is not: the host has given that up. */
static struct sending *take_parked(struct telegram *telegram, const struct outbox_row *row)
{
	struct sending *next;

	for (struct sending *sending = telegram->sendings; sending; sending = next) {
		next = sending->next;
		if (sending->parked && !strcmp(sending->key, row->key)) {
			sending->parked = false;
			return sending;
		}
		if (sending->parked && !strcmp(sending->jid, row->chat_jid))
			sending_remove(sending);
	}
	return NULL;
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
	sending = take_parked(telegram, row);
	if (!sending)
		sending = new_sending(telegram, row);
	free(sending->jid);
	sending->jid = xstrdup(row->chat_jid);
	telegram->sending_count++;
	if (sending_start(sending, &err) < 0)
		sending_done(sending, RECEIPT_FAILED, err.message, 0);
	return CHANNEL_TAKEN;
}

void telegram_send_end(struct telegram *telegram)
{
	while (telegram->sendings) {
		if (telegram->sendings->call)
			telegram_call_cancel(telegram->sendings->call);
		sending_remove(telegram->sendings);
	}
}
