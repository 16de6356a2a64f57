#include "channels/linear/linear.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_BACKOFF   1000
#define LONGEST_BACKOFF 300000

#define DEFAULT_SECONDS 30
#define LEAST_MS        100
#define MOST_MS         3600000

/* Linear does not say how long a comment may be. */
#define MAX_TEXT 30000

static bool owns_jid(const struct channel *channel, const char *jid)
{
	(void)channel;
	return !strcmp(jid, LINEAR_CHAT);
}

/* --- the end ----------------------------------------------------------------- */

static void linear_closed(uv_handle_t *handle)
{
	struct linear *linear = handle->data;

	linear_poll_release(linear);
	linear_api_release(&linear->api);
	json_decref(linear->states);
	free(linear->team);
	free(linear->me);
	free(linear->mention);
	free(linear->profile);
	channel_release(&linear->channel);
	free(linear);
}

void linear_finish(struct linear *linear)
{
	linear_send_end(linear);
	uv_close((uv_handle_t *)&linear->timer, linear_closed);
}

static void grace_is_over(uv_timer_t *timer)
{
	linear_finish(timer->data);
}

/* A comment that is under way gets its receipt. */
static void close_linear(struct channel *channel)
{
	struct linear *linear = (struct linear *)channel;

	linear->closing = true;
	linear_hook_close(linear);
	linear_poll_end(linear);
	if (linear->sending)
		uv_timer_start(&linear->timer, grace_is_over, linear->grace_ms, 0);
	else
		linear_finish(linear);
}

/* --- the beginning ----------------------------------------------------------- */

static int open_linear(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(linear) = {
	.name = "linear",
	.open = open_linear,
	.close = close_linear,
	.owns_jid = owns_jid,
	.send = linear_send,
	.check_state = linear_check_state,
};

static int read_settings(
	struct linear *linear, const struct channel_setup *setup, struct error *err)
{
	const char *key = setup->setting(setup->host, "LINEAR_API_KEY");
	const char *url = setup->setting(setup->host, "LINEAR_API_URL");
	const char *team = setup->setting(setup->host, "LINEAR_TEAM");
	const char *seconds = setup->setting(setup->host, "LINEAR_POLL_SECONDS");
	char *end = NULL;
	double interval = seconds && *seconds ? strtod(seconds, &end) : DEFAULT_SECONDS;

	if (!key || !*key)
		return error_set(err, ERROR_INVALID,
			"LINEAR_API_KEY is not set: put it into '.env', then restart");
	if ((end && *end) || !(interval * 1000 >= LEAST_MS && interval * 1000 <= MOST_MS))
		return error_set(err, ERROR_INVALID,
			"LINEAR_POLL_SECONDS must be a number of seconds, such as '30'");
	linear->interval = (int64_t)(interval * 1000);
	linear->team = team && *team ? xstrdup(team) : NULL;
	return linear_api_init(
		&linear->api, setup->network, url && *url ? url : NULL, key, err);
}

/* One without a key is there, and says what is missing. */
static int open_linear(const struct channel_setup *setup, struct error *err)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *memory = NULL;
	CLEANUP(freep) char *text = setup->recall(setup->host, "linear");
	struct linear *linear = xcalloc(1, sizeof(*linear));

	(void)err;
	channel_init(&linear->channel, &channel_kind_linear, "linear", setup);
	linear->channel.form = (struct markup_form){MARKUP_SOURCE, MARKUP_UTF16, MAX_TEXT};
	linear->channel.remembers_keys = true;
	linear->channel.abilities = CHANNEL_EDIT | CHANNEL_STATE;
	linear->grace_ms = setup->grace_ms;
	linear->backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	uv_timer_init(setup->loop, &linear->timer);
	linear->timer.data = linear;
	linear->seen = json_object();
	linear->states = json_object();
	memory = text ? json_loads(text, 0, NULL) : NULL;
	linear->begin = linear_time(memory, "begin");
	linear->mark = linear_time(memory, "mark");
	setup->add(setup->host, &linear->channel);
	if (read_settings(linear, setup, &fault) < 0 ||
		linear_hook_open(linear, setup, &fault) < 0)
		channel_set_state(&linear->channel, CHANNEL_DOWN, fault.message);
	else
		linear_poll_begin(linear);
	return 0;
}
