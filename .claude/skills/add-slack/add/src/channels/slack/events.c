#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/slack/slack.h"
#include "proc/log.h"

/* Slack waits three seconds for an acknowledgement. */
#define PATIENCE_MS 2000

/* Events beyond this number are not acknowledged, so that Slack repeats them. */
#define MOST_EVENTS 2000

struct slack_event {
	struct slack_event *next;
	json_t *event;
	struct slack_socket *socket; /* NULL: it is gone, or this is of the history */
	char *envelope;              /* NULL: of the history */
	bool last;                   /* of a chat's history */
	uint64_t deadline;           /* after which it waits no longer; 0: not set */
};

static void event_free(struct slack_event *event)
{
	json_decref(event->event);
	free(event->envelope);
	free(event);
}

static struct slack_event *event_new(struct slack *slack, json_t *event)
{
	struct slack_event *new = xcalloc(1, sizeof(*new));

	new->event = json_incref(event);
	slack->event_count++;
	return new;
}

static struct slack_event *event_shift(struct slack *slack)
{
	struct slack_event *event = slack->events;

	slack->events = event->next;
	slack->event_count--;
	return event;
}

void slack_events_end(struct slack *slack)
{
	uv_timer_stop(&slack->event_timer);
	while (slack->events)
		event_free(event_shift(slack));
}

void slack_events_forget_socket(struct slack *slack, const struct slack_socket *socket)
{
	for (struct slack_event *event = slack->events; event; event = event->next)
		if (event->socket == socket)
			event->socket = NULL;
}

/* --- storing ----------------------------------------------------------------- */

/*
 * Names come with a call each, and the history of its chat belongs before a message. It is
 * stored without them if they take too long.
 */
static bool event_is_ready(struct slack *slack, struct slack_event *event)
{
	const char *chat = slack_text(event->event, "channel");
	bool named = slack_message_named(slack, event->event);

	if (!event->deadline)
		event->deadline = uv_now(slack->timer.loop) + PATIENCE_MS;
	if (uv_now(slack->timer.loop) >= event->deadline)
		return true;
	return named && (!event->envelope || !chat || !slack_history_missing(slack, chat));
}

/*
 * Has it waited in vain for the history of its chat? Then it comes with that, in its place. An edit
 * does not.
 */
static bool event_comes_again(const struct slack *slack, const struct slack_event *event)
{
	const char *chat = slack_text(event->event, "channel");
	const char *subtype = slack_text(event->event, "subtype");

	return event->envelope && chat && slack_history_missing(slack, chat) &&
	       !(subtype && !strcmp(subtype, "message_changed"));
}

/* L1: an event is acknowledged after the commit. */
static int event_store(struct slack *slack, struct slack_event *event)
{
	struct channel *channel = &slack->channel;
	int failed;

	channel->events->begin(channel->host);
	slack_message_take(slack, event->event, !event->envelope);
	failed = channel->events->commit(channel->host);
	slack_history_committed(slack, failed == 0);
	if (failed < 0)
		return -1;
	if (event->socket)
		slack_socket_acknowledge(event->socket, event->envelope);
	backoff_reset(&slack->backoff); /* the connection is of use */
	return 0;
}

/* Everything is fetched again: by Slack's repetition, and from the history. */
static void events_failed(struct slack *slack)
{
	slack_events_end(slack);
	slack_socket_drop(slack, true);
	slack_connect_lost(slack, "its messages could not be stored, and are fetched again");
}

static void events_work(uv_timer_t *timer)
{
	struct slack *slack = timer->data;

	uv_timer_stop(timer);
	while (slack->events) {
		struct slack_event *event = slack->events;
		CLEANUP(freep) char *chat = NULL;
		int failed;

		if (!event_is_ready(slack, event)) {
			uv_timer_start(
				timer, events_work, event->deadline - uv_now(timer->loop), 0);
			return;
		}
		event_shift(slack);
		if (event_comes_again(slack, event)) {
			event_free(event);
			continue;
		}
		if (event->last)
			chat = xstrdup(slack_text(event->event, "channel"));
		failed = event_store(slack, event);
		event_free(event);
		if (failed < 0) {
			events_failed(slack);
			return;
		}
		if (chat)
			slack_history_done(slack, chat);
	}
}

void slack_events_go_on(struct slack *slack)
{
	if (slack->events)
		uv_timer_start(&slack->event_timer, events_work, 0, 0);
}

const char *slack_events_chat(const struct slack *slack)
{
	return slack->events ? slack_text(slack->events->event, "channel") : NULL;
}

/* --- arriving ---------------------------------------------------------------- */

void slack_events_add(
	struct slack *slack, struct slack_socket *socket, const char *envelope, json_t *event)
{
	struct slack_event **at = &slack->events;
	struct slack_event *new;

	if (slack->event_count >= MOST_EVENTS) {
		log_warning("Slack sends more than can be stored; it has to repeat some of it");
		return;
	}
	new = event_new(slack, event);
	new->socket = socket;
	new->envelope = xstrdup(envelope);
	new->deadline = uv_now(slack->timer.loop) + PATIENCE_MS;
	while (*at)
		at = &(*at)->next;
	*at = new;
	slack_message_named(slack, event);
	slack_events_go_on(slack);
}

void slack_events_insert(struct slack *slack, const char *chat, const json_t *messages)
{
	struct slack_event **at = &slack->events;
	json_t *message;
	size_t i;

	json_array_foreach(messages, i, message) {
		struct slack_event *new = event_new(slack, message);

		json_object_set_new(message, "channel", json_string(chat));
		new->last = i + 1 == json_array_size(messages);
		new->next = *at;
		*at = new;
		at = &new->next;
	}
	slack_events_go_on(slack);
}
