#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/telegram/telegram.h"

/* Where a UTF-16 unit is, in bytes of UTF-8. */
static size_t bytes_of_units(struct view text, int64_t units)
{
	size_t at = 0;

	while (units > 0 && at < text.len) {
		uint32_t character;
		size_t len = utf8_decode(view_slice(text, at, text.len), &character);

		units -= character > 0xffff ? 2 : 1;
		at += len ? len : 1;
	}
	return at;
}

/* --- is it to us? ------------------------------------------------------------ */

static bool is_bot_name(const struct telegram *telegram, struct view name)
{
	return name.len == strlen(telegram->username) &&
	       !strncasecmp(name.data, telegram->username, name.len);
}

/* "@bot" and "/command@bot"; `*ret_at` is where the name begins, with its @. */
static bool names_bot(const struct telegram *telegram, struct view piece, size_t *ret_at)
{
	const char *at = memchr(piece.data, '@', piece.len);

	*ret_at = at ? (size_t)(at - piece.data) : 0;
	return at && is_bot_name(telegram, view_slice(piece, *ret_at + 1, piece.len));
}

static void cut_piece(struct buf *text, size_t from, size_t to)
{
	memmove(text->data + from, text->data + to, text->len - to + 1);
	text->len -= to - from;
}

/*
 * A mention by name, or of somebody without one, or a command for this bot. The name at the
 * beginning is cut out of `text`, so that "@bot remember milk" and "/skill@bot" are
 * "remember milk" and "/skill".
 */
static bool is_mentioned(
	const struct telegram *telegram, const json_t *entities, struct buf *text)
{
	struct view whole = view_of_buf(text);
	bool mentioned = false;
	size_t cut_from = 0;
	size_t cut_to = 0;
	json_t *entity;
	size_t i;

	json_array_foreach(entities, i, entity) {
		const char *type = telegram_text(entity, "type");
		int64_t offset = telegram_number(entity, "offset");
		size_t from = bytes_of_units(whole, offset);
		size_t to = bytes_of_units(whole, offset + telegram_number(entity, "length"));
		size_t at;

		if (!type || to < from)
			continue;
		if (!strcmp(type, "text_mention")) {
			mentioned |= telegram_number(json_object_get(entity, "user"), "id") ==
				     telegram->bot;
		} else if ((!strcmp(type, "mention") || !strcmp(type, "bot_command")) &&
			   names_bot(telegram, view_slice(whole, from, to), &at)) {
			mentioned = true;
			if (!from) {
				cut_from = at;
				cut_to = to;
			}
		}
	}
	/* "@bot" alone, and "@bot, hello". */
	if (cut_to && !cut_from)
		while (cut_to < text->len && strchr(" ,:\n", text->data[cut_to]))
			cut_to++;
	if (cut_to && (cut_from || cut_to < text->len))
		cut_piece(text, cut_from, cut_to);
	return mentioned;
}

/* --- contents ---------------------------------------------------------------- */

/* Names are what anybody chose: one line, without controls. NULL if there is none. */
static char *person_name(const json_t *person)
{
	CLEANUP(buf_release) struct buf name = BUF_INIT;
	const char *first = telegram_text(person, "first_name");
	const char *last = telegram_text(person, "last_name");
	const char *title = telegram_text(person, "title");

	buf_append_str(&name, title ? title : first ? first : "");
	if (!title && last)
		buf_appendf(&name, " %s", last);
	return view_trim(view_of_buf(&name)).len ? utf8_excerpt(view_trim(view_of_buf(&name)))
						 : NULL;
}

static void append_line(struct buf *text, const char *line)
{
	if (text->len)
		buf_append_char(text, '\n');
	buf_append_str(text, line);
}

/* Files, by the field that has one; a photo has several sizes, and no name. */
static void append_files(const json_t *message, struct buf *text)
{
	static const char *const kinds[] = {
		"animation", "audio", "document", "photo", "video", "video_note", "voice"};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const json_t *file = json_object_get(message, kinds[i]);
		const char *name = telegram_text(file, "file_name");
		const char *type = telegram_text(file, "mime_type");
		CLEANUP(freep) char *shown = utf8_excerpt(view_of(name ? name : kinds[i]));
		CLEANUP(freep) char *kind = type ? utf8_excerpt(view_of(type)) : NULL;
		CLEANUP(freep)
		char *line = kind ? xasprintf("[attached: %s (%s)]", shown, kind)
				  : xasprintf("[attached: %s]", shown);

		if (!file)
			continue;
		append_line(text, line);
		return; /* an animation is there as a document, too */
	}
}

/* What is not a text, in words. */
static void append_others(const json_t *message, struct buf *text)
{
	const json_t *place = json_object_get(message, "location");
	const json_t *contact = json_object_get(message, "contact");
	const char *sticker = telegram_text(json_object_get(message, "sticker"), "emoji");
	const char *poll = telegram_text(json_object_get(message, "poll"), "question");
	CLEANUP(freep) char *line = NULL;

	if (place)
		line = xasprintf("[location: %.6f, %.6f]",
			json_number_value(json_object_get(place, "latitude")),
			json_number_value(json_object_get(place, "longitude")));
	else if (contact) {
		CLEANUP(freep) char *name = person_name(contact);
		const char *number = telegram_text(contact, "phone_number");
		CLEANUP(freep) char *shown = utf8_excerpt(view_of(number ? number : ""));

		line = xasprintf("[contact: %s, %s]", name ? name : "", shown);
	} else if (sticker)
		line = xasprintf("[sticker: %s]", sticker);
	else if (poll)
		line = xasprintf("[poll: %s]", poll);
	if (line)
		append_line(text, line);
}

/* --- messages ---------------------------------------------------------------- */

static enum chat_kind kind_of_chat(const json_t *chat)
{
	const char *type = telegram_text(chat, "type");

	return type && !strcmp(type, "private") ? CHAT_DIRECT : CHAT_GROUP;
}

/* A message of no text tells of its chat: its name has changed, the bot has joined. */
static void note_chat(struct telegram *telegram, const json_t *chat)
{
	CLEANUP(freep) char *jid = telegram_jid(telegram_number(chat, "id"));
	CLEANUP(freep) char *name = person_name(chat);

	if (telegram_chat_id(jid))
		telegram->channel.events->chat(
			&telegram->channel, jid, name, kind_of_chat(chat));
}

/* A group that becomes a supergroup has another id; both chats say so. */
static bool take_move(struct telegram *telegram, const json_t *message, int64_t chat)
{
	int64_t to = telegram_number(message, "migrate_to_chat_id");
	int64_t from = telegram_number(message, "migrate_from_chat_id");
	CLEANUP(freep) char *old_jid = telegram_jid(from ? from : chat);
	CLEANUP(freep) char *new_jid = telegram_jid(to ? to : chat);

	if (!to && !from)
		return false;
	telegram->channel.events->moved(&telegram->channel, old_jid, new_jid);
	return true;
}

/* In a topic, every message is a reply to the one that began it; that one says nothing. */
static const json_t *replied_to(const json_t *message)
{
	const json_t *other = json_object_get(message, "reply_to_message");

	return json_object_get(other, "forum_topic_created") ? NULL : other;
}

static void take_message(struct telegram *telegram, const json_t *message, int64_t edit)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT_MAX(CHANNEL_MAX_TEXT);
	const json_t *chat = json_object_get(message, "chat");
	const json_t *from = json_object_get(message, "from");
	const json_t *as_chat = json_object_get(message, "sender_chat");
	const json_t *sender = as_chat ? as_chat : from ? from : chat;
	const json_t *other = replied_to(message);
	const char *written = telegram_text(message, "text");
	CLEANUP(freep) char *jid = telegram_jid(telegram_number(chat, "id"));
	CLEANUP(freep) char *id = xasprintf("%" PRId64, telegram_number(message, "message_id"));
	CLEANUP(freep) char *edit_id = xasprintf("%s.%" PRId64, id, edit);
	CLEANUP(freep)
	char *other_id = xasprintf("%" PRId64, telegram_number(other, "message_id"));
	CLEANUP(freep) char *sender_id = xasprintf("%" PRId64, telegram_number(sender, "id"));
	CLEANUP(freep) char *sender_name = person_name(sender);
	CLEANUP(freep) char *chat_name = person_name(chat);
	CLEANUP(freep)
	char *thread = xasprintf("%" PRId64, telegram_number(message, "message_thread_id"));
	bool mentioned;
	int64_t seq;

	if (!telegram_chat_id(jid) || take_move(telegram, message, telegram_number(chat, "id")))
		return;
	/* Two bots that answer each other would never end. */
	if (!as_chat && json_is_true(json_object_get(from, "is_bot")))
		return;
	if (!written)
		written = telegram_text(message, "caption");
	buf_append_str(&text, written ? written : "");
	mentioned = is_mentioned(telegram,
		json_object_get(message,
			telegram_text(message, "text") ? "entities" : "caption_entities"),
		&text);
	mentioned |= telegram_number(json_object_get(other, "from"), "id") == telegram->bot;
	append_files(message, &text);
	append_others(message, &text);
	if (!text.len) {
		note_chat(telegram, chat);
		return;
	}
	telegram->channel.events->message(&telegram->channel,
		&(struct channel_message){
			.chat_jid = jid,
			.id = edit ? edit_id : id,
			.sender = sender_id,
			.sender_name = sender_name ? sender_name : sender_id,
			.text = view_of_buf(&text),
			.time = telegram_number(message, edit ? "edit_date" : "date") * 1000,
			.chat_name = chat_name,
			.chat_kind = kind_of_chat(chat),
			.mentions_me = mentioned,
			.thread = json_is_true(json_object_get(message, "is_topic_message"))
					  ? thread
					  : NULL,
			.reference = edit    ? REFERENCE_EDIT
				     : other ? REFERENCE_REPLY
					     : REFERENCE_NONE,
			.refers_to = edit    ? id
				     : other ? other_id
					     : NULL,
		},
		&seq);
}

void telegram_update_take(struct telegram *telegram, const json_t *update)
{
	static const struct {
		const char *field;
		bool edit;
	} kinds[] = {
		{"message", false},
		{"edited_message", true},
		{"channel_post", false},
		{"edited_channel_post", true},
	};
	const json_t *member = json_object_get(update, "my_chat_member");

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const json_t *message = json_object_get(update, kinds[i].field);

		if (message)
			take_message(telegram, message,
				kinds[i].edit ? telegram_number(update, "update_id") : 0);
	}
	if (member)
		note_chat(telegram, json_object_get(member, "chat"));
}
