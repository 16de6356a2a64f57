#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/slack/slack.h"
#include "time/timestamp.h"

#define HELLO_MS   30000 /* from the address of a socket to its first word */
#define SETTLED_MS 5000  /* a server that wants another one sooner than this has to wait */
#define LASTED_MS  60000 /* a connection that lasted longer was a good one */
#define REFUSED_MS ((int64_t)60 * 60 * 1000)

static void connect_now(uv_timer_t *timer);

static void connect_later(struct slack *slack, int64_t wait)
{
	uv_timer_start(&slack->timer, connect_now, (uint64_t)wait, 0);
}

static void connect_stop(struct slack *slack)
{
	uv_timer_stop(&slack->timer);
	if (slack->call)
		slack_call_cancel(slack->call);
	slack->call = NULL;
}

/* The log has a line for each change, not for each attempt: `kind` is the same for the same. */
static void connect_trouble(
	struct slack *slack, enum channel_state state, const char *kind, const char *detail)
{
	struct channel *channel = &slack->channel;
	bool same = slack->trouble && !strcmp(slack->trouble, kind);

	if (channel->state == state && same) {
		free(channel->detail);
		channel->detail = xstrdup(detail);
		return;
	}
	free(slack->trouble);
	slack->trouble = xstrdup(kind);
	channel_set_state(channel, state, detail);
}

static void connect_is_up(struct slack *slack)
{
	struct channel *channel = &slack->channel;

	if (slack->checking || channel->state == CHANNEL_CONNECTED)
		return;
	free(slack->trouble);
	slack->trouble = NULL;
	channel_set_state(channel, CHANNEL_CONNECTED, NULL);
	channel->events->ready(channel, NULL);
}

/* --- failures ---------------------------------------------------------------- */

void slack_connect_refused(struct slack *slack, const char *detail)
{
	connect_stop(slack);
	slack_socket_drop(slack, true);
	slack_history_stop(slack);
	slack->checking = true;
	slack->channel.retry_at = timestamp_clock() + REFUSED_MS;
	connect_trouble(slack, CHANNEL_DOWN, detail, detail);
	if (!slack->closing)
		connect_later(slack, REFUSED_MS);
}

bool slack_connect_no_token(
	struct slack *slack, const char *variable, const struct slack_reply *reply)
{
	CLEANUP(freep) char *detail = NULL;

	if (reply->outcome == SLACK_NO_TOKEN)
		detail = xasprintf(
			"Slack refuses the token in %s (%s): get another one from "
			"https://api.slack.com/apps, put it into '.env', then restart",
			variable, reply->error);
	else if (reply->needed)
		detail = xasprintf("the token in %s lacks the scope '%s': add it to the app at "
				   "https://api.slack.com/apps, and install the app again",
			variable, reply->needed);
	else
		return false;
	slack_connect_refused(slack, detail);
	return true;
}

static void connect_failed(
	struct slack *slack, const char *variable, const struct slack_reply *reply)
{
	CLEANUP(freep) char *detail = xasprintf("Slack cannot be reached: %s", reply->error);
	int64_t wait = reply->outcome == SLACK_UNANSWERED ? backoff_away(&slack->backoff)
							  : backoff_next(&slack->backoff);

	if (slack_connect_no_token(slack, variable, reply))
		return;
	if (reply->outcome == SLACK_LATER && reply->retry_after_ms > wait)
		wait = reply->retry_after_ms;
	/* The old socket may still be good while a new one cannot be had. */
	if (slack->checking || !slack_socket_listens(slack))
		connect_trouble(slack, CHANNEL_DISCONNECTED, "unreachable", detail);
	connect_later(slack, wait);
}

static void connect_failed_because(struct slack *slack, const char *why)
{
	connect_failed(
		slack, "", &(struct slack_reply){.outcome = SLACK_UNANSWERED, .error = why});
}

void slack_connect_lost(struct slack *slack, const char *why)
{
	CLEANUP(freep) char *detail = xasprintf("the connection ended: %s", why);

	if (slack->greeted_at && timestamp_clock() - slack->greeted_at > LASTED_MS)
		backoff_reset(&slack->backoff);
	if (!slack_socket_listens(slack)) {
		slack->greeted_at = 0;
		slack_history_stop(slack);
		if (slack->channel.state == CHANNEL_CONNECTED)
			connect_trouble(slack, CHANNEL_DISCONNECTED, "lost", detail);
	}
	if (!slack->call && !slack_socket_lasts(slack))
		connect_later(slack, backoff_next(&slack->backoff));
}

void slack_connect_check(struct slack *slack, const char *why)
{
	if (slack->closing || slack->channel.state != CHANNEL_CONNECTED)
		return;
	connect_stop(slack);
	slack->checking = true;
	connect_failed_because(slack, why);
}

/* --- the way up -------------------------------------------------------------- */

void slack_connect_greeted(struct slack *slack, bool deaf)
{
	if (!slack->checking)
		connect_stop(slack);
	slack->greeted_at = timestamp_clock();
	connect_is_up(slack);
	if (deaf)
		slack_history_begin(slack);
}

static void take_url(void *data, const struct slack_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct slack *slack = data;
	const char *url = slack_text(reply->document, "url");

	slack->call = NULL;
	if (reply->outcome != SLACK_DONE)
		connect_failed(slack, "SLACK_APP_TOKEN", reply);
	else if (!url)
		connect_failed_because(slack, "it gave no socket address");
	else if (slack_socket_open(slack, url, &err) < 0)
		connect_failed_because(slack, err.message);
	else
		connect_later(slack, HELLO_MS);
}

static void take_bot(void *data, const struct slack_reply *reply)
{
	struct slack *slack = data;
	const char *user = slack_text(reply->document, "user_id");

	slack->call = NULL;
	if (reply->outcome != SLACK_DONE) {
		connect_failed(slack, "SLACK_BOT_TOKEN", reply);
		return;
	}
	if (!user || !slack_is_id(user)) {
		connect_failed_because(slack, "it does not say who the bot is");
		return;
	}
	free(slack->bot_user);
	slack->bot_user = xstrdup(user);
	slack->checking = false;
	if (slack_socket_listens(slack))
		connect_is_up(slack);
	connect_later(slack, 0);
}

static void connect_now(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct slack *slack = timer->data;
	int failed = 0;

	if (slack->checking || !slack->bot_user) {
		failed = slack_call(&slack->api, SLACK_BOT, "auth.test", json_object(),
			take_bot, slack, &slack->call, &err);
	} else {
		slack_socket_drop(slack, false);
		if (!slack_socket_lasts(slack))
			failed = slack_call(&slack->api, SLACK_APP, "apps.connections.open",
				json_object(), take_url, slack, &slack->call, &err);
	}
	if (failed < 0)
		connect_failed_because(slack, err.message);
}

void slack_connect_renew(struct slack *slack)
{
	bool soon = slack->greeted_at && timestamp_clock() - slack->greeted_at > SETTLED_MS;

	if (!slack->call && !slack_socket_lasts(slack))
		connect_later(slack, soon ? 0 : backoff_next(&slack->backoff));
}

void slack_connect_begin(struct slack *slack)
{
	connect_later(slack, 0);
}

void slack_connect_end(struct slack *slack)
{
	connect_stop(slack);
	slack_socket_drop(slack, true);
}
