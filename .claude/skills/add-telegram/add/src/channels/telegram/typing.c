#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/telegram/telegram.h"

/* Telegram shows it for five seconds. */
#define REPEAT_MS 4500
#define TYPING_MS 5000

struct typing {
	struct typing *next;
	struct telegram *telegram;
	struct telegram_call *call; /* NULL: none is under way */
	char *jid;
	bool over; /* it is freed with its call */
};

static void typing_remove(struct typing *typing)
{
	struct typing **at = &typing->telegram->typing;

	while (*at != typing)
		at = &(*at)->next;
	*at = typing->next;
	free(typing->jid);
	free(typing);
}

/* Whether it was shown does not matter. */
static void typing_shown(void *data, const struct telegram_reply *reply)
{
	struct typing *typing = data;

	(void)reply;
	typing->call = NULL;
	if (typing->over)
		typing_remove(typing);
}

static void typing_say(struct typing *typing)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct telegram *telegram = typing->telegram;

	if (typing->call || typing->over || telegram->channel.state != CHANNEL_CONNECTED)
		return;
	if (telegram_call(&telegram->api,
		    &(struct telegram_request){.method = "sendChatAction",
			    .parameters = json_pack("{s:I, s:s}", "chat_id",
				    (json_int_t)telegram_chat_id(telegram, typing->jid),
				    "action", "typing"),
			    .wait_ms = TYPING_MS},
		    typing_shown, typing, &typing->call, &ignored) < 0)
		typing->call = NULL;
}

static void typing_repeat(uv_timer_t *timer)
{
	struct telegram *telegram = timer->data;

	for (struct typing *typing = telegram->typing; typing; typing = typing->next)
		typing_say(typing);
	if (!telegram->typing)
		uv_timer_stop(timer);
}

void telegram_typing(struct channel *channel, const char *jid, bool on)
{
	struct telegram *telegram = (struct telegram *)channel;
	struct typing *typing = telegram->typing;

	if (telegram->closing)
		return;
	while (typing && (typing->over || strcmp(typing->jid, jid) != 0))
		typing = typing->next;
	if (typing && !on) {
		typing->over = true;
		if (!typing->call)
			typing_remove(typing);
	} else if (!typing && on) {
		typing = xcalloc(1, sizeof(*typing));
		typing->telegram = telegram;
		typing->jid = xstrdup(jid);
		typing->next = telegram->typing;
		telegram->typing = typing;
		typing_say(typing);
		if (!uv_is_active((uv_handle_t *)&telegram->typing_timer))
			uv_timer_start(
				&telegram->typing_timer, typing_repeat, REPEAT_MS, REPEAT_MS);
	}
}

void telegram_typing_end(struct telegram *telegram)
{
	uv_timer_stop(&telegram->typing_timer);
	while (telegram->typing) {
		if (telegram->typing->call)
			telegram_call_cancel(telegram->typing->call);
		typing_remove(telegram->typing);
	}
}
