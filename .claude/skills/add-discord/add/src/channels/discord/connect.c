#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/discord/discord.h"
#include "time/timestamp.h"

#define READY_MS     30000 /* from opening a socket to READY or RESUMED */
#define SETTLED_MS   5000  /* a server that wants another socket sooner than this has to wait */
#define LASTED_MS    60000 /* a connection that lasted longer was a good one */
#define MOST_RESUMES 6     /* in vain; the server of the session may be gone */
#define REFUSED_MS   ((int64_t)60 * 60 * 1000)

/* Discord takes 1000 sessions a day from a bot; beyond that it resets the token. */
static const struct rate_rule identify_rule = {
	.count = 800, .period_ms = (int64_t)24 * 60 * 60 * 1000, .burst = 50};

static void connect_now(uv_timer_t *timer);

static void connect_later(struct discord *discord, int64_t wait)
{
	uv_timer_start(&discord->timer, connect_now, (uint64_t)wait, 0);
}

static void connect_stop(struct discord *discord)
{
	uv_timer_stop(&discord->timer);
	if (discord->call)
		discord_call_cancel(discord->call);
	discord->call = NULL;
}

/* The log has a line for each change, not for each attempt: `kind` is the same for the same. */
static void connect_trouble(
	struct discord *discord, enum channel_state state, const char *kind, const char *detail)
{
	struct channel *channel = &discord->channel;
	bool same = discord->trouble && !strcmp(discord->trouble, kind);

	if (channel->state == state && same) {
		free(channel->detail);
		channel->detail = xstrdup(detail);
		return;
	}
	free(discord->trouble);
	discord->trouble = xstrdup(kind);
	channel_set_state(channel, state, detail);
}

static void connect_is_up(struct discord *discord)
{
	struct channel *channel = &discord->channel;

	if (discord->checking || channel->state == CHANNEL_CONNECTED)
		return;
	free(discord->trouble);
	discord->trouble = NULL;
	channel_set_state(channel, CHANNEL_CONNECTED, NULL);
	channel->events->ready(channel, NULL);
}

/* --- failures ---------------------------------------------------------------- */

void discord_connect_refused(struct discord *discord, const char *detail)
{
	connect_stop(discord);
	discord_gateway_drop(discord);
	discord_history_stop(discord);
	discord->ready_at = 0;
	discord->checking = true;
	discord->channel.retry_at = timestamp_clock() + REFUSED_MS;
	connect_trouble(discord, CHANNEL_DOWN, detail, detail);
	if (!discord->closing)
		connect_later(discord, REFUSED_MS);
}

void discord_connect_no_token(struct discord *discord)
{
	discord_connect_refused(discord,
		"Discord refuses the token in DISCORD_BOT_TOKEN: get another one from the page "
		"'Bot' at https://discord.com/developers/applications ('Reset Token'), put it "
		"into '.env', then restart");
}

static void connect_failed(struct discord *discord, const struct discord_reply *reply)
{
	CLEANUP(freep) char *detail = xasprintf("Discord cannot be reached: %s", reply->error);
	int64_t wait = reply->outcome == DISCORD_UNANSWERED ? backoff_away(&discord->backoff)
							    : backoff_next(&discord->backoff);

	if (reply->outcome == DISCORD_NO_TOKEN) {
		discord_connect_no_token(discord);
		return;
	}
	if (reply->outcome == DISCORD_LATER && reply->retry_after_ms > wait)
		wait = reply->retry_after_ms;
	if (discord->checking || !discord->ready_at)
		connect_trouble(discord, CHANNEL_DISCONNECTED, "unreachable", detail);
	connect_later(discord, wait);
}

static void connect_failed_because(struct discord *discord, const char *why)
{
	connect_failed(
		discord, &(struct discord_reply){.outcome = DISCORD_UNANSWERED, .error = why});
}

void discord_connect_lost(struct discord *discord, const char *why)
{
	CLEANUP(freep) char *detail = xasprintf("the connection ended: %s", why);

	if (discord->ready_at && timestamp_clock() - discord->ready_at > LASTED_MS)
		backoff_reset(&discord->backoff);
	discord->ready_at = 0;
	discord_history_stop(discord);
	if (discord->channel.state == CHANNEL_CONNECTED)
		connect_trouble(discord, CHANNEL_DISCONNECTED, "lost", detail);
	if (!discord->call)
		connect_later(discord, backoff_next(&discord->backoff));
}

void discord_connect_renew(struct discord *discord)
{
	bool soon = discord->ready_at && timestamp_clock() - discord->ready_at > SETTLED_MS;

	discord_gateway_drop(discord);
	if (soon && !discord->checking) {
		discord->ready_at = 0;
		connect_later(discord, 0);
	} else {
		discord_connect_lost(discord, "Discord wants another one");
	}
}

void discord_connect_check(struct discord *discord, const char *why)
{
	if (discord->closing || discord->channel.state != CHANNEL_CONNECTED)
		return;
	connect_stop(discord);
	discord->checking = true;
	connect_failed_because(discord, why);
}

/* --- the way up -------------------------------------------------------------- */

void discord_connect_ready(struct discord *discord)
{
	if (!discord->checking)
		connect_stop(discord);
	discord->ready_at = timestamp_clock();
	connect_is_up(discord);
}

static void connect_open(struct discord *discord, const char *url)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (discord_gateway_open(discord, url, &err) < 0)
		connect_failed_because(discord, err.message);
	else
		connect_later(discord, READY_MS);
}

/* Is there a session left in what Discord allows for today, and in what we allow? */
static void take_gateway(void *data, const struct discord_reply *reply)
{
	struct discord *discord = data;
	const json_t *limit = json_object_get(reply->document, "session_start_limit");
	const json_t *remaining = json_object_get(limit, "remaining");
	double reset_ms = json_number_value(json_object_get(limit, "reset_after"));
	const char *url = discord_text(reply->document, "url");
	int64_t wait;

	discord->call = NULL;
	if (reply->outcome != DISCORD_DONE) {
		connect_failed(discord, reply);
		return;
	}
	if (!url) {
		connect_failed_because(discord, "it gave no gateway address");
		return;
	}
	wait = json_is_number(remaining) && json_number_value(remaining) < 1 && reset_ms > 0 &&
			       reset_ms < 1e9
		       ? (int64_t)reset_ms
		       : rate_limit_take(
				 &discord->identifies, &identify_rule, timestamp_steady());
	if (wait) {
		connect_trouble(discord, CHANNEL_DISCONNECTED, "sessions",
			"Discord limits new sessions per day, and the bot has used them up; it continues by itself when there are more");
		connect_later(discord, wait);
	} else {
		connect_open(discord, url);
	}
}

static void take_bot(void *data, const struct discord_reply *reply)
{
	struct discord *discord = data;
	const char *id = discord_text(reply->document, "id");

	discord->call = NULL;
	if (reply->outcome != DISCORD_DONE) {
		connect_failed(discord, reply);
		return;
	}
	if (!id || !discord_is_id(id)) {
		connect_failed_because(discord, "it does not say who the bot is");
		return;
	}
	free(discord->bot);
	discord->bot = xstrdup(id);
	discord->checking = false;
	if (discord->ready_at)
		connect_is_up(discord);
	else
		connect_later(discord, discord->socket ? READY_MS : 0);
}

static void connect_now(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct discord *discord = timer->data;
	int failed = 0;

	if (discord->checking || !discord->bot) {
		failed = discord_call(&discord->api,
			&(struct discord_request){"GET", "users/@me"}, take_bot, discord,
			&discord->call, &err);
	} else if (discord->socket) {
		discord_gateway_drop(discord);
		connect_failed_because(discord, "its gateway is silent");
	} else if (discord->session.id && discord->backoff.failures < MOST_RESUMES) {
		connect_open(discord, discord->session.url);
	} else {
		discord_session_forget(discord);
		failed = discord_call(&discord->api,
			&(struct discord_request){"GET", "gateway/bot"}, take_gateway, discord,
			&discord->call, &err);
	}
	if (failed < 0)
		connect_failed_because(discord, err.message);
}

void discord_connect_begin(struct discord *discord)
{
	connect_later(discord, 0);
}

void discord_connect_end(struct discord *discord)
{
	connect_stop(discord);
	discord_gateway_drop(discord);
}
