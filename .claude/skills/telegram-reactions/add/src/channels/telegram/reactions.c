#include <inttypes.h>

#include "base/alloc.h"
#include "channels/telegram/content.h"
#include "format/json.h"

/* Custom emoji have no character. */
static void append_emoji(const json_t *reactions, struct buf *text)
{
	json_t *reaction;
	size_t i;

	json_array_foreach(reactions, i, reaction) {
		const char *emoji = telegram_text(reaction, "emoji");

		if (emoji)
			buf_append_str(text, emoji);
	}
}

/* Telegram tells of all that somebody has put under a message; none: they were taken away. */
void telegram_reaction_take(struct telegram *telegram, const json_t *reaction, int64_t update)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT_MAX(CHANNEL_MAX_TEXT);
	const json_t *chat = json_object_get(reaction, "chat");
	const json_t *user = json_object_get(reaction, "user");
	const json_t *sender = user ? user : json_object_get(reaction, "actor_chat");
	CLEANUP(freep) char *jid = telegram_jid(telegram, telegram_number(chat, "id"));
	CLEANUP(freep) char *id = xasprintf("r%" PRId64, update);
	CLEANUP(freep)
	char *target = telegram_message_id(
		telegram, telegram_number(chat, "id"), telegram_number(reaction, "message_id"));
	CLEANUP(freep) char *sender_id = xasprintf("%" PRId64, telegram_number(sender, "id"));
	CLEANUP(freep) char *sender_name = telegram_name(sender);
	int64_t seq;

	append_emoji(json_object_get(reaction, "new_reaction"), &text);
	if (!text.len || !telegram_chat_id(telegram, jid))
		return;
	telegram->channel.events->message(&telegram->channel,
		&(struct channel_message){
			.chat_jid = jid,
			.id = id,
			.sender = sender_id,
			.sender_name = sender_name ? sender_name : sender_id,
			.text = view_of_buf(&text),
			.time = telegram_number(reaction, "date") * 1000,
			.chat_kind = CHAT_UNKNOWN,
			.reference = REFERENCE_REACTION,
			.refers_to = target,
		},
		&seq);
}

json_t *telegram_reaction_parameters(int64_t chat, int64_t message, const char *emoji)
{
	return json_pack("{s:I, s:I, s:[{s:s, s:o}]}", "chat_id", (json_int_t)chat,
		"message_id", (json_int_t)message, "reaction", "type", "emoji", "emoji",
		json_text(view_of(emoji)));
}
