#include "channels/slack/slack.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_BACKOFF   1000
#define LONGEST_BACKOFF 60000
#define MAX_ID          32

/* Characters of a 'markdown_text'. */
#define MAX_TEXT 12000

bool slack_is_id(const char *text)
{
	size_t len = strlen(text);

	if (len < 2 || len > MAX_ID)
		return false;
	for (; *text; text++)
		if (!isupper((unsigned char)*text) && !isdigit((unsigned char)*text))
			return false;
	return true;
}

const char *slack_chat_id(const char *jid)
{
	const char *id = jid + strlen(SLACK_PREFIX);

	if (strncmp(jid, SLACK_PREFIX, strlen(SLACK_PREFIX)) != 0)
		return NULL;
	return strchr("CDG", *id) && slack_is_id(id) ? id : NULL;
}

char *slack_jid(const char *id)
{
	return xasprintf("%s%s", SLACK_PREFIX, id);
}

static bool owns_jid(const struct channel *channel, const char *jid)
{
	(void)channel;
	return slack_chat_id(jid) != NULL;
}

/* --- the end ----------------------------------------------------------------- */

static void slack_closed(uv_handle_t *handle)
{
	struct slack *slack = handle->data;

	if (--slack->open_handles)
		return;
	slack_api_release(&slack->api);
	closep(&slack->root);
	free(slack->bot_user);
	free(slack->trouble);
	channel_release(&slack->channel);
	free(slack);
}

void slack_finish(struct slack *slack)
{
	uv_close((uv_handle_t *)&slack->timer, slack_closed);
	uv_close((uv_handle_t *)&slack->event_timer, slack_closed);
	uv_close((uv_handle_t *)&slack->history_timer, slack_closed);
}

static void grace_is_over(uv_timer_t *timer)
{
	struct slack *slack = timer->data;

	slack_send_end(slack);
	slack_finish(slack);
}

/* Texts that are under way get their answers: without these they would be sent again. */
static void close_slack(struct channel *channel)
{
	struct slack *slack = (struct slack *)channel;

	slack->closing = true;
	slack_connect_end(slack);
	slack_events_end(slack);
	slack_names_end(slack);
	slack_history_end(slack);
	slack_fetch_end(slack);
	if (slack->sendings)
		uv_timer_start(&slack->timer, grace_is_over, slack->grace_ms, 0);
	else
		slack_finish(slack);
}

/* --- the beginning ----------------------------------------------------------- */

static int open_slack(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(slack) = {
	.name = "slack",
	.open = open_slack,
	.close = close_slack,
	.owns_jid = owns_jid,
	.send = slack_send,
	.fetch = slack_fetch,
};

static void init_timers(struct slack *slack, uv_loop_t *loop)
{
	uv_timer_init(loop, &slack->timer);
	uv_timer_init(loop, &slack->event_timer);
	uv_timer_init(loop, &slack->history_timer);
	slack->timer.data = slack->event_timer.data = slack->history_timer.data = slack;
	slack->open_handles = 3;
}

/* Without tokens the channel opens all the same, and reports which one is missing. */
static int open_slack(const struct channel_setup *setup, struct error *err)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	CLEANUP(freep) char *marks = setup->recall(setup->host, "slack");
	struct slack *slack = xcalloc(1, sizeof(*slack));
	const char *bot = setup->setting(setup->host, "SLACK_BOT_TOKEN");
	const char *app = setup->setting(setup->host, "SLACK_APP_TOKEN");
	const char *url = setup->setting(setup->host, "SLACK_API_URL");

	(void)err;
	channel_init(&slack->channel, &channel_kind_slack, "slack", setup);
	slack->channel.form = (struct markup_form){MARKUP_SOURCE, MARKUP_CHARACTERS, MAX_TEXT};
	slack->channel.remembers_keys = true;
	slack->channel.abilities = CHANNEL_EDIT | CHANNEL_FILES;
	slack->root = fcntl(setup->root, F_DUPFD_CLOEXEC, 0);
	slack->grace_ms = setup->grace_ms;
	slack->backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	slack->history_backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	init_timers(slack, setup->loop);
	slack_history_recall(slack, marks);
	setup->add(setup->host, &slack->channel);
	if (!bot || !app)
		channel_set_state(&slack->channel, CHANNEL_DOWN,
			bot ? "SLACK_APP_TOKEN is not set: put it into '.env', then restart"
			    : "SLACK_BOT_TOKEN is not set: put it into '.env', then restart");
	else if (slack_api_init(&slack->api, setup->network, url, bot, app, &fault) < 0)
		channel_set_state(&slack->channel, CHANNEL_DOWN, fault.message);
	else
		slack_connect_begin(slack);
	return 0;
}
