#include "channels/discord/discord.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_BACKOFF   1000
#define LONGEST_BACKOFF 120000

/* UTF-16 units, which are never fewer than characters. */
#define MAX_TEXT 2000

const char *discord_chat_id(const char *jid)
{
	const char *id = jid + strlen(DISCORD_PREFIX);

	if (strncmp(jid, DISCORD_PREFIX, strlen(DISCORD_PREFIX)) != 0)
		return NULL;
	return discord_is_id(id) ? id : NULL;
}

char *discord_jid(const char *id)
{
	return xasprintf("%s%s", DISCORD_PREFIX, id);
}

static bool owns_jid(const struct channel *channel, const char *jid)
{
	(void)channel;
	return discord_chat_id(jid) != NULL;
}

/* --- the end ----------------------------------------------------------------- */

static void discord_closed(uv_handle_t *handle)
{
	struct discord *discord = handle->data;

	if (--discord->open_handles)
		return;
	discord_api_release(&discord->api);
	closep(&discord->root);
	free(discord->bot);
	free(discord->trouble);
	free(discord->session.id);
	free(discord->session.url);
	string_array_release(&discord->typing);
	channel_release(&discord->channel);
	free(discord);
}

void discord_finish(struct discord *discord)
{
	uv_close((uv_handle_t *)&discord->timer, discord_closed);
	uv_close((uv_handle_t *)&discord->beat_timer, discord_closed);
	uv_close((uv_handle_t *)&discord->event_timer, discord_closed);
	uv_close((uv_handle_t *)&discord->history_timer, discord_closed);
	uv_close((uv_handle_t *)&discord->typing_timer, discord_closed);
}

static void grace_is_over(uv_timer_t *timer)
{
	struct discord *discord = timer->data;

	discord_send_end(discord);
	discord_finish(discord);
}

/*
 * Texts that are under way get their answers: without these they would be sent again. The session
 * is not ended, so that the next host can resume it.
 */
static void close_discord(struct channel *channel)
{
	struct discord *discord = (struct discord *)channel;

	discord->closing = true;
	discord_connect_end(discord);
	discord_events_end(discord);
	discord_places_end(discord);
	discord_history_end(discord);
	discord_fetch_end(discord);
	uv_timer_stop(&discord->typing_timer);
	if (discord->sendings)
		uv_timer_start(&discord->timer, grace_is_over, discord->grace_ms, 0);
	else
		discord_finish(discord);
}

/* --- the beginning ----------------------------------------------------------- */

static int open_discord(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(discord) = {
	.name = "discord",
	.open = open_discord,
	.close = close_discord,
	.owns_jid = owns_jid,
	.send = discord_send,
	.fetch = discord_fetch,
	.typing = discord_typing,
};

static void init_timers(struct discord *discord, uv_loop_t *loop)
{
	uv_timer_t *timers[] = {&discord->timer, &discord->beat_timer, &discord->event_timer,
		&discord->history_timer, &discord->typing_timer};

	for (size_t i = 0; i < ARRAY_SIZE(timers); i++) {
		uv_timer_init(loop, timers[i]);
		timers[i]->data = discord;
	}
	discord->open_handles = ARRAY_SIZE(timers);
}

/* Without a token the channel opens all the same, and reports that it is missing. */
static int open_discord(const struct channel_setup *setup, struct error *err)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	CLEANUP(freep) char *marks = setup->recall(setup->host, "discord");
	struct discord *discord = xcalloc(1, sizeof(*discord));
	const char *token = setup->setting(setup->host, "DISCORD_BOT_TOKEN");
	const char *url = setup->setting(setup->host, "DISCORD_API_URL");

	(void)err;
	channel_init(&discord->channel, &channel_kind_discord, "discord", setup);
	discord->channel.form = (struct markup_form){MARKUP_DISCORD, MARKUP_UTF16, MAX_TEXT};
	discord->channel.remembers_keys = true;
	discord->channel.abilities =
		CHANNEL_TYPING | CHANNEL_REACT | CHANNEL_EDIT | CHANNEL_FILES;
	discord->root = fcntl(setup->root, F_DUPFD_CLOEXEC, 0);
	discord->grace_ms = setup->grace_ms;
	discord->backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	discord->history_backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	discord->last_event = &discord->events;
	init_timers(discord, setup->loop);
	discord_history_recall(discord, marks);
	setup->add(setup->host, &discord->channel);
	if (!token)
		channel_set_state(&discord->channel, CHANNEL_DOWN,
			"DISCORD_BOT_TOKEN is not set: put it into '.env', then restart");
	else if (discord_api_init(&discord->api, setup->network, url, token, &fault) < 0)
		channel_set_state(&discord->channel, CHANNEL_DOWN, fault.message);
	else
		discord_connect_begin(discord);
	return 0;
}
