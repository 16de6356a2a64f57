#include "base/alloc.h"
#include "channels/discord/discord.h"

/* Discord shows it for ten seconds. */
#define REPEAT_MS 9000

/* Whether it is shown does not matter. */
static void typing_say(struct discord *discord, const char *jid)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("channels/%s/typing", discord_chat_id(jid));

	if (discord->channel.state == CHANNEL_CONNECTED)
		discord_call(&discord->api, &(struct discord_request){"POST", path}, NULL, NULL,
			NULL, &ignored);
}

static void typing_repeat(uv_timer_t *timer)
{
	struct discord *discord = timer->data;

	for (size_t i = 0; i < discord->typing.count; i++)
		typing_say(discord, discord->typing.list[i]);
	if (!discord->typing.count)
		uv_timer_stop(timer);
}

void discord_typing(struct channel *channel, const char *jid, bool on)
{
	struct discord *discord = (struct discord *)channel;

	if (discord->closing || string_array_has(&discord->typing, jid) == on)
		return;
	if (!on) {
		string_array_remove(&discord->typing, jid);
		return;
	}
	string_array_add(&discord->typing, jid);
	typing_say(discord, jid);
	if (!uv_is_active((uv_handle_t *)&discord->typing_timer))
		uv_timer_start(&discord->typing_timer, typing_repeat, REPEAT_MS, REPEAT_MS);
}
