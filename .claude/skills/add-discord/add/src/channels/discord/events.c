#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/discord/discord.h"

/* Events beyond this number are fetched again. */
#define MOST_EVENTS 2000

struct discord_event {
	struct discord_event *next;
	enum discord_event_kind kind;
	json_t *event;
	int64_t seq; /* -1: of a session that is over; 0: of the history */
	bool last;   /* of a chat's history */
};

static struct discord_event *event_new(
	struct discord *discord, enum discord_event_kind kind, int64_t seq, json_t *event)
{
	struct discord_event *new = xcalloc(1, sizeof(*new));

	new->kind = kind;
	new->seq = seq;
	new->event = json_incref(event);
	discord->event_count++;
	return new;
}

static void event_remove_first(struct discord *discord)
{
	struct discord_event *event = discord->events;

	discord->events = event->next;
	if (!event->next)
		discord->last_event = &discord->events;
	discord->event_count--;
	json_decref(event->event);
	free(event);
}

void discord_events_end(struct discord *discord)
{
	uv_timer_stop(&discord->event_timer);
	while (discord->events)
		event_remove_first(discord);
}

void discord_events_outlive(struct discord *discord)
{
	for (struct discord_event *event = discord->events; event; event = event->next)
		if (event->seq)
			event->seq = -1;
}

/* --- storing ----------------------------------------------------------------- */

/* The history of its chat belongs before an event. */
static bool event_is_ready(struct discord *discord, const struct discord_event *event)
{
	const char *chat = discord_text(event->event, "channel_id");

	return discord_message_placed(discord, event->kind, event->event) &&
	       (!event->seq || !chat || !discord_history_missing(discord, chat));
}

static int event_store(struct discord *discord, const struct discord_event *event)
{
	struct channel *channel = &discord->channel;
	int failed;

	if (event->seq > 0)
		discord->session.done = event->seq;
	channel->events->begin(channel->host);
	discord_message_take(discord, event->kind, event->event, !event->seq);
	failed = channel->events->commit(channel->host);
	discord_history_committed(discord, failed == 0);
	return failed;
}

/* Everything is fetched again: what is not stored is repeated when the session is resumed. */
static void events_failed(struct discord *discord, const char *why)
{
	discord_events_end(discord);
	discord->session.seq = discord->session.done;
	discord_gateway_drop(discord);
	discord_connect_lost(discord, why);
}

static void events_work(uv_timer_t *timer)
{
	struct discord *discord = timer->data;
	int64_t done = discord->session.done;

	while (discord->events && event_is_ready(discord, discord->events)) {
		struct discord_event *event = discord->events;
		CLEANUP(freep) char *chat = NULL;

		if (event->last)
			chat = xstrdup(discord_text(event->event, "channel_id"));
		if (event_store(discord, event) < 0) {
			discord->session.done = done;
			events_failed(discord,
				"its messages could not be stored, and are fetched again");
			return;
		}
		event_remove_first(discord);
		done = discord->session.done;
		backoff_reset(&discord->backoff); /* the connection is of use */
		if (chat)
			discord_history_done(discord, chat);
	}
	if (!discord->events)
		discord->session.done = discord->session.seq;
}

void discord_events_go_on(struct discord *discord, int64_t wait_ms)
{
	if (discord->events && !discord->closing)
		uv_timer_start(&discord->event_timer, events_work, (uint64_t)wait_ms, 0);
}

const char *discord_events_chat(const struct discord *discord)
{
	return discord->events ? discord_text(discord->events->event, "channel_id") : NULL;
}

/* --- arriving ---------------------------------------------------------------- */

void discord_events_add(
	struct discord *discord, enum discord_event_kind kind, int64_t seq, json_t *event)
{
	if (discord->event_count >= MOST_EVENTS) {
		events_failed(discord, "it brings more than can be stored");
		return;
	}
	*discord->last_event = event_new(discord, kind, seq, event);
	discord->last_event = &(*discord->last_event)->next;
	discord_message_placed(discord, kind, event);
	discord_events_go_on(discord, 0);
}

void discord_events_insert(struct discord *discord, const char *chat, const json_t *messages)
{
	struct discord_event **at = &discord->events;
	json_t *message;
	size_t i;

	json_array_foreach(messages, i, message) {
		struct discord_event *new = event_new(discord, DISCORD_MESSAGE, 0, message);

		json_object_set_new(message, "channel_id", json_string(chat));
		new->last = i + 1 == json_array_size(messages);
		new->next = *at;
		if (!new->next)
			discord->last_event = &new->next;
		*at = new;
		at = &new->next;
	}
	discord_events_go_on(discord, 0);
}
