#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "channels/discord/discord.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "time/timestamp.h"

#define MOST_UNDER_WAY 20
#define MOST_FILES     10 /* of a message */
#define NONCE_SIZE     25 /* with the end */

/* Where a text is searched that may have been sent: from its creation on, in so many pages. */
#define CLOCKS_DIFFER 2000
#define PAGE          100
#define MOST_PAGES    10

/* Codes of refusals. */
enum refusal {
	UNKNOWN_CHANNEL = 10003,
	UNKNOWN_MESSAGE = 10008,
	TOO_LARGE = 40005,
	NO_ACCESS = 50001,
	NO_PERMISSION = 50013,
	THREAD_ARCHIVED = 50083,
	NO_HISTORY = 160002,
};

/* A text that has no receipt yet: one call, with its files. */
struct discord_sending {
	struct discord_sending *next;
	struct discord *discord;
	struct discord_call *call;
	enum outbox_action action;
	char *key;
	char *jid;
	char *content;  /* as Discord writes it; of a reaction the emoji */
	char *thread;   /* NULL: none */
	char *reply_to; /* NULL: no message */
	char *target;   /* the message that an action is about; else NULL */
	char nonce[NONCE_SIZE];
	struct string_array paths; /* of the files … */
	struct string_array names;
	char *after; /* while it is searched: the last message that was looked at; else NULL */
	unsigned pages;
};

static void sending_remove(struct discord_sending *sending)
{
	struct discord_sending **at = &sending->discord->sendings;

	while (*at != sending)
		at = &(*at)->next;
	*at = sending->next;
	sending->discord->sending_count--;
	free(sending->key);
	free(sending->jid);
	free(sending->content);
	free(sending->thread);
	free(sending->reply_to);
	free(sending->target);
	free(sending->after);
	string_array_release(&sending->paths);
	string_array_release(&sending->names);
	free(sending);
}

/* Nothing may be done with the channel after this: it may be gone. */
static void sending_done(struct discord_sending *sending, enum channel_receipt receipt,
	const char *detail, int64_t later)
{
	struct discord *discord = sending->discord;
	const struct channel_events *events = discord->channel.events;

	events->receipt(&discord->channel, sending->key, receipt, detail, later);
	sending_remove(sending);
	if (discord->turned_away) {
		discord->turned_away = false;
		events->ready(&discord->channel, NULL);
	}
	if (discord->closing && !discord->sendings) {
		uv_timer_stop(&discord->timer);
		discord_finish(discord);
	}
}

/* Where it goes: to its thread, else to the chat. */
static const char *sending_chat(const struct discord_sending *sending)
{
	return sending->thread ? sending->thread : discord_chat_id(sending->jid);
}

/* --- replies ----------------------------------------------------------------- */

/* A message of ours begins the history of a chat that a person has just paired. */
static void sending_sent(struct discord_sending *sending, const char *id)
{
	struct discord *discord = sending->discord;
	struct channel *channel = &discord->channel;
	const char *chat = discord_chat_id(sending->jid);

	backoff_reset(&discord->backoff); /* the connection is of use */
	if (!discord->closing && id && !sending->thread && !sending->target &&
		!discord_history_has(discord, chat)) {
		channel->events->begin(channel->host);
		discord_history_note(
			discord, &(struct discord_note){chat, id, NULL,
					 discord_place_guild(discord, chat), true});
		discord_history_committed(discord, channel->events->commit(channel->host) == 0);
	}
	sending_done(sending, RECEIPT_SENT, id, 0);
}

static void sending_refused(struct discord_sending *sending, const struct discord_reply *reply)
{
	static const struct {
		int code;
		const char *words;
	} known[] = {
		{UNKNOWN_CHANNEL, "Discord does not know this chat"},
		{UNKNOWN_MESSAGE, "the message is gone"},
		{TOO_LARGE, "the file is larger than Discord takes there"},
		{NO_ACCESS, "the bot is not in the chat"},
		{NO_PERMISSION, "the bot lacks a permission in the chat"},
	};
	CLEANUP(freep) char *reason = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].code == reply->code)
			reason = xasprintf("%s (%s)", known[i].words, reply->error);
	if (!reason)
		reason = xasprintf("Discord refuses it: %s", reply->error);
	sending_done(sending, RECEIPT_REFUSED, reason, 0);
}

/* True: it has its receipt. */
static bool sending_hindered(struct discord_sending *sending, const struct discord_reply *reply)
{
	switch (reply->outcome) {
	case DISCORD_UNANSWERED:
		/* It may have arrived. It is looked for, and perhaps sent again, when Discord
		 * answers; a file not for ever, because that may be what cannot be sent. */
		discord_connect_check(sending->discord, reply->error);
		sending_done(sending, sending->paths.count ? RECEIPT_FAILED : RECEIPT_LOST,
			reply->error, 0);
		return true;
	case DISCORD_NO_TOKEN:
		if (!sending->discord->closing)
			discord_connect_no_token(sending->discord);
		sending_done(sending, RECEIPT_LOST, reply->error, 0);
		return true;
	case DISCORD_LATER:
		sending_done(sending, RECEIPT_LATER, reply->error,
			timestamp_clock() + reply->retry_after_ms);
		return true;
	case DISCORD_BUSY:
		sending_done(sending, RECEIPT_FAILED, reply->error, 0);
		return true;
	case DISCORD_DONE:
	case DISCORD_REFUSED:
		return false;
	}
	return false;
}

/* Can it be sent in another way? Each is tried once. */
static bool sending_eased(struct discord_sending *sending, const struct discord_reply *reply)
{
	bool no_thread = reply->code == UNKNOWN_CHANNEL || reply->code == THREAD_ARCHIVED ||
			 reply->code == NO_ACCESS || reply->code == NO_PERMISSION ||
			 (sending->target && reply->code == UNKNOWN_MESSAGE);

	if (sending->thread && no_thread) {
		free(sending->thread);
		sending->thread = NULL;
	} else if (sending->reply_to && reply->code == NO_HISTORY) {
		free(sending->reply_to);
		sending->reply_to = NULL;
	} else {
		return false;
	}
	return true;
}

static void sending_start(struct discord_sending *sending);

static void take_sent(void *data, const struct discord_reply *reply)
{
	struct discord_sending *sending = data;

	sending->call = NULL;
	if (sending_hindered(sending, reply))
		return;
	if (reply->outcome == DISCORD_DONE)
		sending_sent(sending, discord_text(reply->document, "id"));
	else if (sending_eased(sending, reply))
		sending_start(sending);
	else
		sending_refused(sending, reply);
}

/* --- requests ---------------------------------------------------------------- */

static void sending_call(struct discord_sending *sending, const struct discord_request *request,
	discord_call_function function)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (discord_call(&sending->discord->api, request, function, sending, &sending->call,
		    &err) < 0)
		sending_done(sending, RECEIPT_FAILED, err.message, 0);
}

/* An agent can mention people, but not everybody in a server or all who have a role. */
static json_t *sending_json(const struct discord_sending *sending)
{
	json_t *json = json_pack("{s:o, s:{s:[s], s:b}}", "content",
		json_text(view_of(sending->content)), "allowed_mentions", "parse", "users",
		"replied_user", true);

	if (sending->action == OUTBOX_EDIT) {
		json_object_del(json_object_get(json, "allowed_mentions"), "replied_user");
		return json;
	}
	json_object_set_new(json, "nonce", json_string(sending->nonce));
	json_object_set_new(json, "enforce_nonce", json_true());
	if (sending->reply_to)
		json_object_set_new(json, "message_reference",
			json_pack("{s:s, s:b}", "message_id", sending->reply_to,
				"fail_if_not_exists", false));
	return json;
}

/* Its files, and the rest as one more part. */
static struct http_multipart *sending_form(
	const struct discord_sending *sending, struct error *err)
{
	struct http_multipart *form = http_multipart_new();
	CLEANUP(json_decrefp) json_t *json = sending_json(sending);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *attachments = json_array();

	json_object_set_new(json, "attachments", attachments);
	for (size_t i = 0; i < sending->names.count; i++)
		json_array_append_new(
			attachments, json_pack("{s:i, s:o}", "id", (int)i, "filename",
					     json_text(view_of(sending->names.list[i]))));
	json_write_ours(json, false, &text);
	http_multipart_text(form, "payload_json", view_of_buf(&text));
	for (size_t i = 0; i < sending->paths.count; i++) {
		CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;
		char field[32];
		struct stat st;
		int file;

		snprintf(field, sizeof(field), "files[%zu]", i);
		if (relpath_parse(view_of(sending->paths.list[i]), &place, err) < 0 ||
			beneath_open_file(sending->discord->root, &place, &file, &st, err) <
				0) {
			http_multipart_free(form);
			return NULL;
		}
		http_multipart_file(
			form, field, sending->names.list[i], NULL, file, st.st_size);
	}
	return form;
}

static void append_encoded(struct buf *path, const char *text)
{
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || strchr("-._~", *text))
			buf_append_char(path, *text);
		else
			buf_appendf(path, "%%%02X", (unsigned char)*text);
}

static void sending_start(struct discord_sending *sending)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf path = BUF_INIT;
	struct discord_request request = {.method = "POST"};

	buf_appendf(&path, "channels/%s/messages", sending_chat(sending));
	if (sending->target)
		buf_appendf(&path, "/%s", sending->target);
	if (sending->action == OUTBOX_REACT) {
		request.method = "PUT";
		buf_append_str(&path, "/reactions/");
		append_encoded(&path, sending->content);
		buf_append_str(&path, "/@me");
	} else if (sending->action == OUTBOX_EDIT) {
		request.method = "PATCH";
		request.json = sending_json(sending);
	} else if (sending->paths.count) {
		request.form = sending_form(sending, &err);
		if (!request.form) {
			sending_done(sending, RECEIPT_REFUSED, err.message, 0);
			return;
		}
	} else {
		request.json = sending_json(sending);
	}
	request.path = path.data;
	sending_call(sending, &request, take_sent);
}

/* --- was it sent before? ----------------------------------------------------- */

/* Discord forgets the nonce of a message after some minutes; then its content counts. */
static bool is_sent(const struct discord_sending *sending, const json_t *message)
{
	const char *author = discord_text(json_object_get(message, "author"), "id");
	const char *nonce = discord_text(message, "nonce");
	const char *content = discord_text(message, "content");
	const json_t *files = json_object_get(message, "attachments");

	if (!author || strcmp(author, sending->discord->bot) != 0 ||
		!discord_text(message, "id"))
		return false;
	if (nonce)
		return !strcmp(nonce, sending->nonce);
	return content &&
	       view_equal(view_trim(view_of(content)), view_trim(view_of(sending->content))) &&
	       json_array_size(files) == sending->names.count;
}

static void sending_look(struct discord_sending *sending);

static void take_latest(void *data, const struct discord_reply *reply)
{
	struct discord_sending *sending = data;
	size_t size = json_array_size(reply->document);
	const char *found = NULL;
	json_t *message;
	size_t i;

	sending->call = NULL;
	if (sending_hindered(sending, reply))
		return;
	json_array_foreach(reply->document, i, message) {
		const char *id = discord_text(message, "id");

		if (is_sent(sending, message))
			found = id;
		if (id && discord_is_id(id) && discord_id_compare(id, sending->after) > 0) {
			free(sending->after);
			sending->after = xstrdup(id);
		}
	}
	if (found)
		sending_sent(sending, found);
	else if (size == PAGE && ++sending->pages < MOST_PAGES)
		sending_look(sending);
	else
		sending_start(sending);
}

static void sending_look(struct discord_sending *sending)
{
	CLEANUP(freep)
	char *path = xasprintf("channels/%s/messages?after=%s&limit=%d", sending_chat(sending),
		sending->after, PAGE);

	sending_call(sending, &(struct discord_request){"GET", path}, take_latest);
}

/* --- rows -------------------------------------------------------------------- */

/* Ids of edits and reactions have something behind the message's; NULL: it is none. */
static char *message_id(const char *id)
{
	CLEANUP(freep) char *number = id ? xmemdupz(id, strcspn(id, ":")) : NULL;

	return number && discord_is_id(number) ? TAKE(number) : NULL;
}

static void make_nonce(const char *key, char ret_nonce[static NONCE_SIZE])
{
	struct hash hash = hash_of(view_of(key));
	char hex[HASH_HEX_SIZE];

	hash_to_hex(&hash, hex);
	memcpy(ret_nonce, hex, NONCE_SIZE - 1);
	ret_nonce[NONCE_SIZE - 1] = '\0';
}

static struct discord_sending *sending_new(
	struct discord *discord, const struct outbox_row *row)
{
	struct discord_sending *sending = xcalloc(1, sizeof(*sending));
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	sending->discord = discord;
	sending->action = row->action;
	sending->key = xstrdup(row->key);
	sending->jid = xstrdup(row->chat_jid);
	if (row->action == OUTBOX_REACT)
		buf_append_str(&text, row->content);
	else
		markup_render(view_of(row->content), MARKUP_DISCORD, &text);
	sending->content = xstrdup(text.len ? text.data : "");
	sending->thread = message_id(row->thread);
	/* A long answer is one reply, in parts. */
	sending->reply_to = row->part == 1 ? message_id(row->reply_to) : NULL;
	sending->target = row->action == OUTBOX_TEXT ? NULL : message_id(row->target);
	make_nonce(row->key, sending->nonce);
	for (size_t i = 0; i < row->attachments.count; i++) {
		const struct attachment *file = &row->attachments.list[i];
		const char *stored = file->file ? file->file : "";
		CLEANUP(freep) char *path = attachment_path(file->group_folder, stored);

		string_array_add(&sending->paths, path);
		string_array_add(&sending->names, file->name ? file->name : stored);
	}
	sending->next = discord->sendings;
	discord->sendings = sending;
	discord->sending_count++;
	return sending;
}

enum channel_sent discord_send(struct channel *channel, const struct outbox_row *row)
{
	struct discord *discord = (struct discord *)channel;
	struct discord_sending *sending;

	if (channel->state != CHANNEL_CONNECTED)
		return CHANNEL_NOT_NOW;
	if (discord->sending_count >= MOST_UNDER_WAY) {
		discord->turned_away = true;
		return CHANNEL_NOT_NOW;
	}
	sending = sending_new(discord, row);
	if (row->action != OUTBOX_TEXT && !sending->target) {
		sending_done(
			sending, RECEIPT_REFUSED, "it is not about a message of Discord", 0);
	} else if (sending->paths.count > MOST_FILES) {
		sending_done(sending, RECEIPT_REFUSED, "Discord takes ten files at once", 0);
	} else if (row->action == OUTBOX_TEXT && row->again) {
		/* An edit or a reaction may be made twice. */
		sending->after = discord_id_at(row->created_at - CLOCKS_DIFFER);
		sending_look(sending);
	} else {
		sending_start(sending);
	}
	return CHANNEL_TAKEN;
}

void discord_send_end(struct discord *discord)
{
	while (discord->sendings) {
		if (discord->sendings->call)
			discord_call_cancel(discord->sendings->call);
		sending_remove(discord->sendings);
	}
}
