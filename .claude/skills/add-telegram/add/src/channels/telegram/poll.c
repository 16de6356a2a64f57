#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/telegram/telegram.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define POLL_SECONDS 50 /* that Telegram waits for an update */
#define POLL_MARGIN  25000
#define MOST_UPDATES 100
#define LEAST_WAIT   1000
#define LASTED_MS    10000
#define REFUSED_MS   ((int64_t)60 * 60 * 1000)

static void poll_now(uv_timer_t *timer);

static void poll_later(struct telegram *telegram, int64_t wait)
{
	uv_timer_start(&telegram->timer, poll_now, (uint64_t)wait, 0);
}

/* The log has a line for each change, not for each attempt. */
static void poll_trouble(
	struct telegram *telegram, enum channel_state state, int code, const char *detail)
{
	struct channel *channel = &telegram->channel;

	if (channel->state == state && telegram->trouble == code) {
		free(channel->detail);
		channel->detail = xstrdup(detail);
		return;
	}
	telegram->trouble = code;
	channel_set_state(channel, state, detail);
}

void telegram_poll_refused(struct telegram *telegram, const char *description)
{
	CLEANUP(freep)
	char *detail =
		xasprintf("Telegram refuses the token (%s): get a new one from @BotFather, "
			  "put it into '.env', then restart",
			description);

	if (telegram->closing)
		return;
	telegram_poll_end(telegram);
	telegram->channel.retry_at = timestamp_clock() + REFUSED_MS;
	poll_trouble(telegram, CHANNEL_DOWN, 401, detail);
	poll_later(telegram, REFUSED_MS);
}

/* A connection that lasted for a while and ends, as some networks want it, is no sign of trouble. */
static bool poll_has_lasted(const struct telegram *telegram)
{
	return telegram->channel.state == CHANNEL_CONNECTED &&
	       uv_now(telegram->timer.loop) - telegram->polled > LASTED_MS;
}

static void poll_failed(struct telegram *telegram, const struct telegram_reply *reply)
{
	CLEANUP(freep) char *detail = NULL;
	int64_t wait;

	if (poll_has_lasted(telegram))
		backoff_reset(&telegram->backoff);
	wait = reply->code ? backoff_next(&telegram->backoff)
			   : backoff_away(&telegram->backoff);
	if (reply->code == 401 || reply->code == 404) {
		telegram_poll_refused(telegram, reply->description);
		return;
	}
	if (reply->retry_after_ms > wait)
		wait = reply->retry_after_ms;
	detail = reply->code == 409
			 ? xasprintf(
				   "another program receives this bot's messages, and only one "
				   "can: end it, or use a bot of your own (%s)",
				   reply->description)
			 : xasprintf("Telegram cannot be reached: %s", reply->description);
	poll_trouble(telegram, CHANNEL_DISCONNECTED, reply->code, detail);
	poll_later(telegram, wait);
}

void telegram_poll_check(struct telegram *telegram, const char *why)
{
	if (telegram->closing || telegram->channel.state != CHANNEL_CONNECTED)
		return;
	telegram_poll_end(telegram);
	poll_failed(
		telegram, &(struct telegram_reply){.description = why, .retry_after_ms = -1});
}

/* --- updates ----------------------------------------------------------------- */

/*
 * An update that cannot be read must not keep all others from us: they are fetched one by one, and
 * its number is enough to pass it. False if these are no updates.
 */
static bool pass_unreadable(struct telegram *telegram, struct view body)
{
	static const char key[] = "\"update_id\":";
	const char *at = body.len ? memmem(body.data, body.len, key, strlen(key)) : NULL;
	CLEANUP(freep) char *digits = NULL;
	int64_t id;

	if (!at)
		return false;
	at += strlen(key);
	digits = xmemdupz(at, (size_t)(body.data + body.len - at));
	id = strtoll(digits, NULL, 10);
	if (id <= 0 || id == INT64_MAX)
		return false;
	if (telegram->one_by_one) {
		telegram->offset = id + 1;
		log_warning("a message from Telegram cannot be read, and is passed over");
	}
	telegram->one_by_one = true;
	poll_later(telegram, backoff_next(&telegram->backoff));
	return true;
}

/*
 * L1: the next offset confirms them. It may be lower than the last one: after a week without an
 * update, Telegram chooses the next number at random.
 */
static int store_updates(struct telegram *telegram, const json_t *updates)
{
	const struct channel_events *events = telegram->channel.events;
	int64_t offset = 0;
	json_t *update;
	size_t i;

	events->begin(telegram->channel.host);
	json_array_foreach(updates, i, update) {
		int64_t id = telegram_number(update, "update_id");

		telegram_update_take(telegram, update);
		offset = id > 0 ? id + 1 : offset;
	}
	if (events->commit(telegram->channel.host) < 0)
		return -1;
	telegram->offset = offset ? offset : telegram->offset;
	return 0;
}

/* It answered at once with nothing new: something in between does not let it wait. */
static bool poll_is_hasty(const struct telegram *telegram, int64_t offset_before)
{
	return telegram->offset == offset_before &&
	       uv_now(telegram->timer.loop) - telegram->polled < LEAST_WAIT;
}

static void take_updates(void *data, const struct telegram_reply *reply)
{
	struct telegram *telegram = data;
	bool was_connected = telegram->channel.state == CHANNEL_CONNECTED;
	int64_t offset = telegram->offset;

	telegram->poll = NULL;
	if (!json_is_array(reply->result)) {
		if (reply->code || !pass_unreadable(telegram, reply->body))
			poll_failed(telegram, reply);
	} else if (store_updates(telegram, reply->result) < 0) {
		poll_trouble(telegram, CHANNEL_DISCONNECTED, 200,
			"its messages could not be stored, and are fetched again");
		poll_later(telegram, backoff_next(&telegram->backoff));
	} else {
		telegram->one_by_one = false;
		telegram->trouble = 200;
		if (was_connected || json_array_size(reply->result))
			backoff_reset(&telegram->backoff);
		if (!was_connected) {
			channel_set_state(&telegram->channel, CHANNEL_CONNECTED, NULL);
			telegram->channel.events->ready(&telegram->channel, NULL);
		}
		telegram->channel.last_event = timestamp_clock();
		poll_later(telegram, poll_is_hasty(telegram, offset) ? LEAST_WAIT : 0);
	}
}

static void take_bot(void *data, const struct telegram_reply *reply)
{
	struct telegram *telegram = data;
	const char *username = telegram_text(reply->result, "username");

	telegram->poll = NULL;
	telegram->bot = telegram_number(reply->result, "id");
	if (!telegram->bot || !username) {
		poll_failed(telegram, reply);
		return;
	}
	free(telegram->username);
	telegram->username = xstrdup(username);
	poll_later(telegram, 0);
}

static const char *const wanted_updates[] = {
	"message",
	"edited_message",
	"channel_post",
	"edited_channel_post",
	"my_chat_member",
};

/* The first time it does not wait: then it is known that there is a connection. */
static json_t *poll_parameters(const struct telegram *telegram)
{
	bool waits = telegram->channel.state == CHANNEL_CONNECTED;
	json_t *updates = json_array();
	json_t *parameters = json_pack("{s:i, s:i, s:o}", "timeout", waits ? POLL_SECONDS : 0,
		"limit", telegram->one_by_one ? 1 : MOST_UPDATES, "allowed_updates", updates);

	for (size_t i = 0; i < ARRAY_SIZE(wanted_updates); i++)
		json_array_append_new(updates, json_string(wanted_updates[i]));
	if (telegram->offset)
		json_object_set_new(
			parameters, "offset", json_integer((json_int_t)telegram->offset));
	return parameters;
}

static void poll_now(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct telegram *telegram = timer->data;
	int failed;

	telegram->polled = uv_now(timer->loop);
	if (telegram->bot)
		failed = telegram_call(&telegram->api,
			&(struct telegram_request){.method = "getUpdates",
				.parameters = poll_parameters(telegram),
				.wait_ms = POLL_SECONDS * 1000 + POLL_MARGIN},
			take_updates, telegram, &telegram->poll, &err);
	else
		failed = telegram_call(&telegram->api,
			&(struct telegram_request){
				.method = "getMe", .parameters = json_object()},
			take_bot, telegram, &telegram->poll, &err);
	if (failed < 0)
		poll_failed(telegram, &(struct telegram_reply){.description = err.message,
					      .retry_after_ms = -1});
}

void telegram_poll_begin(struct telegram *telegram)
{
	poll_later(telegram, 0);
}

void telegram_poll_end(struct telegram *telegram)
{
	uv_timer_stop(&telegram->timer);
	if (telegram->poll)
		telegram_call_cancel(telegram->poll);
	telegram->poll = NULL;
}
