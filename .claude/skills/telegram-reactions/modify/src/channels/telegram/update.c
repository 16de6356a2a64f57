#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/telegram/content.h"

static enum chat_kind kind_of_chat(const json_t *chat)
{
	const char *type = telegram_text(chat, "type");

	return type && !strcmp(type, "private") ? CHAT_DIRECT : CHAT_GROUP;
}

/* A message of no text tells of its chat: its name has changed, the bot has joined. */
static void note_chat(struct telegram *telegram, const json_t *chat)
{
	CLEANUP(freep) char *jid = telegram_jid(telegram, telegram_number(chat, "id"));
	CLEANUP(freep) char *name = telegram_name(chat);

	if (telegram_chat_id(telegram, jid))
		telegram->channel.events->chat(
			&telegram->channel, jid, name, kind_of_chat(chat));
}

/* A group that becomes a supergroup has another id; both chats say so. */
static bool take_move(struct telegram *telegram, const json_t *message, int64_t chat)
{
	int64_t to = telegram_number(message, "migrate_to_chat_id");
	int64_t from = telegram_number(message, "migrate_from_chat_id");
	CLEANUP(freep) char *old_jid = telegram_jid(telegram, from ? from : chat);
	CLEANUP(freep) char *new_jid = telegram_jid(telegram, to ? to : chat);

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

static bool is_of_bot(const struct telegram *telegram, const json_t *message)
{
	return telegram_number(json_object_get(message, "from"), "id") == telegram->bot;
}

/* Two bots that answer each other would never end; a place that moves would never, either. */
static bool is_ignored(const json_t *message, bool edit)
{
	bool as_chat = json_object_get(message, "sender_chat");

	return (!as_chat && json_is_true(json_object_get(
				    json_object_get(message, "from"), "is_bot"))) ||
	       (edit && json_object_get(message, "location"));
}

static char *id_text(int64_t id)
{
	return xasprintf("%" PRId64, id);
}

/* `edit` is the number of the update that changes the message; 0: it is new. */
static void take_message(struct telegram *telegram, const json_t *message, int64_t edit)
{
	CLEANUP(telegram_content_release) struct telegram_content content = {0};
	const json_t *chat = json_object_get(message, "chat");
	const json_t *from = json_object_get(message, "from");
	const json_t *as_chat = json_object_get(message, "sender_chat");
	const json_t *sender = as_chat ? as_chat : from ? from : chat;
	const json_t *other = replied_to(message);
	bool in_topic = json_is_true(json_object_get(message, "is_topic_message"));
	CLEANUP(freep) char *jid = telegram_jid(telegram, telegram_number(chat, "id"));
	CLEANUP(freep) char *chat_name = telegram_name(chat);
	CLEANUP(freep)
	char *id = telegram_message_id(
		telegram, telegram_number(chat, "id"), telegram_number(message, "message_id"));
	CLEANUP(freep) char *edit_id = xasprintf("%s.%" PRId64, id, edit);
	CLEANUP(freep)
	char *other_id = telegram_message_id(
		telegram, telegram_number(chat, "id"), telegram_number(other, "message_id"));
	CLEANUP(freep) char *sender_id = id_text(telegram_number(sender, "id"));
	CLEANUP(freep) char *sender_name = telegram_name(sender);
	CLEANUP(freep) char *thread = id_text(telegram_number(message, "message_thread_id"));
	int64_t seq;

	if (!telegram_chat_id(telegram, jid) || is_ignored(message, edit) ||
		take_move(telegram, message, telegram_number(chat, "id")))
		return;
	telegram_content_read(telegram, message, &content);
	if (telegram_content_is_empty(&content)) {
		note_chat(telegram, chat);
		return;
	}
	telegram->channel.events->message(&telegram->channel,
		&(struct channel_message){
			.chat_jid = jid,
			.id = edit ? edit_id : id,
			.sender = sender_id,
			.sender_name = sender_name ? sender_name : sender_id,
			.text = view_of_buf(&content.text),
			.time = telegram_number(message, edit ? "edit_date" : "date") * 1000,
			.chat_name = chat_name,
			.chat_kind = kind_of_chat(chat),
			.mentions_me = content.mentions_bot || is_of_bot(telegram, other),
			.thread = in_topic ? thread : NULL,
			.reference = edit    ? REFERENCE_EDIT
				     : other ? REFERENCE_REPLY
					     : REFERENCE_NONE,
			.refers_to = edit    ? id
				     : other ? other_id
					     : NULL,
			.attachments = &content.file,
			.attachment_count = content.has_file,
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
	const json_t *reaction = json_object_get(update, "message_reaction");

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const json_t *message = json_object_get(update, kinds[i].field);

		if (message)
			take_message(telegram, message,
				kinds[i].edit ? telegram_number(update, "update_id") : 0);
	}
	if (member)
		note_chat(telegram, json_object_get(member, "chat"));
	if (reaction)
		telegram_reaction_take(
			telegram, reaction, telegram_number(update, "update_id"));
}
