#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/whatsapp_cloud/cloud.h"

#define MOST_CHATS 1000

/* WhatsApp shows it for 25 seconds, or until a text comes. */
#define REPEAT_MS 20000

/* When it wants texts later: 4 seconds, then longer, as Meta asks. */
#define FIRST_WAIT   4000
#define LONGEST_WAIT 300000

static void chat_free(struct cloud_chat *chat)
{
	free(chat->jid);
	free(chat->last_message);
	free(chat->taken_key);
	free(chat);
}

/* Nothing in it is needed: the chat that was silent for longest makes room. */
static void chat_drop_last(struct cloud *cloud)
{
	struct cloud_chat **at = &cloud->chats;

	while ((*at)->next)
		at = &(*at)->next;
	chat_free(*at);
	*at = NULL;
	cloud->chat_count--;
}

struct cloud_chat *cloud_chat_get(struct cloud *cloud, const char *jid)
{
	struct cloud_chat **at = &cloud->chats;
	struct cloud_chat *chat;

	while (*at && strcmp((*at)->jid, jid) != 0)
		at = &(*at)->next;
	chat = *at;
	if (chat) {
		*at = chat->next;
	} else {
		chat = xcalloc(1, sizeof(*chat));
		chat->jid = xstrdup(jid);
		chat->limited = BACKOFF_INIT(FIRST_WAIT, LONGEST_WAIT);
		if (++cloud->chat_count > MOST_CHATS)
			chat_drop_last(cloud);
	}
	chat->next = cloud->chats;
	cloud->chats = chat;
	return chat;
}

void cloud_chat_heard(struct cloud *cloud, const char *jid, const char *message)
{
	struct cloud_chat *chat = cloud_chat_get(cloud, jid);

	free(chat->last_message);
	chat->last_message = xstrdup(message);
}

/* --- typing ------------------------------------------------------------------ */

/* Whether it was shown does not matter. */
static void typing_shown(void *data, const struct cloud_reply *reply)
{
	(void)data;
	(void)reply;
}

/* It also marks the message as read. */
static void typing_say(struct cloud *cloud, const struct cloud_chat *chat)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct cloud_call *call;

	if (chat->last_message && cloud->channel.state == CHANNEL_CONNECTED)
		cloud_call(&cloud->api,
			&(struct cloud_request){"POST", "messages",
				.json = json_pack("{s:s, s:s, s:s, s:{s:s}}",
					"messaging_product", "whatsapp", "status", "read",
					"message_id", chat->last_message, "typing_indicator",
					"type", "text")},
			typing_shown, NULL, &call, &ignored);
}

static void typing_repeat(uv_timer_t *timer)
{
	struct cloud *cloud = timer->data;
	bool any = false;

	for (struct cloud_chat *chat = cloud->chats; chat; chat = chat->next)
		if (chat->typing) {
			any = true;
			typing_say(cloud, chat);
		}
	if (!any)
		uv_timer_stop(timer);
}

void cloud_typing(struct channel *channel, const char *jid, bool on)
{
	struct cloud *cloud = (struct cloud *)channel;
	struct cloud_chat *chat;

	if (cloud->closing)
		return;
	chat = cloud_chat_get(cloud, jid);
	if (on && !chat->typing) {
		typing_say(cloud, chat);
		if (!uv_is_active((uv_handle_t *)&cloud->typing_timer))
			uv_timer_start(
				&cloud->typing_timer, typing_repeat, REPEAT_MS, REPEAT_MS);
	}
	chat->typing = on;
}

void cloud_chats_end(struct cloud *cloud)
{
	while (cloud->chats) {
		struct cloud_chat *chat = cloud->chats;

		cloud->chats = chat->next;
		chat_free(chat);
	}
}
