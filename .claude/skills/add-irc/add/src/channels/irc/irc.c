#include "channels/irc/irc.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "time/timestamp.h"

#define FIRST_BACKOFF   1000
#define LONGEST_BACKOFF 300000

/* Bytes of a part of an answer, so that a line of it fits in most channels; send.c cuts others. */
#define MAX_TEXT 380

/* In lower case: which other letters are the same, only the server knows. */
const char *irc_target(const char *jid)
{
	const char *target = jid + strlen(IRC_PREFIX);

	if (strncmp(jid, IRC_PREFIX, strlen(IRC_PREFIX)) != 0 || !utf8_valid(view_of(target)))
		return NULL;
	for (const char *at = target; *at; at++)
		if (*at >= 'A' && *at <= 'Z')
			return NULL;
	return irc_is_nick(target) || irc_is_channel(target) ? target : NULL;
}

char *irc_jid(const struct irc *irc, const char *target)
{
	CLEANUP(freep) char *folded = irc_fold(irc->mapping, target);

	return xasprintf("%s%s", IRC_PREFIX, folded);
}

bool irc_is_me(const struct irc *irc, const char *nick)
{
	return irc->nick && irc_same(irc->mapping, irc->nick, nick);
}

static bool owns_jid(const struct channel *channel, const char *jid)
{
	(void)channel;
	return irc_target(jid) != NULL;
}

/* --- the end ----------------------------------------------------------------- */

static void irc_closed(uv_handle_t *handle)
{
	struct irc *irc = handle->data;

	if (--irc->open_handles)
		return;
	irc_rooms_release(irc);
	irc_send_release(irc);
	irc_settings_release(&irc->settings);
	line_reader_release(&irc->reader);
	free(irc->trouble);
	free(irc->nick);
	free(irc->id_prefix);
	channel_release(&irc->channel);
	free(irc);
}

void irc_finish(struct irc *irc)
{
	irc_connect_end(irc);
	uv_close((uv_handle_t *)&irc->timer, irc_closed);
	uv_close((uv_handle_t *)&irc->room_timer, irc_closed);
	uv_close((uv_handle_t *)&irc->send_timer, irc_closed);
	uv_close((uv_handle_t *)&irc->hold_timer, irc_closed);
}

static void grace_is_over(uv_timer_t *timer)
{
	irc_send_lost(timer->data, "the host ends"); /* it finishes behind the last one */
}

/* Texts that are under way get their receipts: without these they would be sent again. */
static void close_irc(struct channel *channel)
{
	struct irc *irc = (struct irc *)channel;

	irc->closing = true;
	uv_timer_stop(&irc->room_timer);
	uv_timer_stop(&irc->hold_timer);
	if (irc->sendings)
		uv_timer_start(&irc->timer, grace_is_over, irc->grace_ms, 0);
	else
		irc_finish(irc);
}

/* --- the beginning ----------------------------------------------------------- */

static int open_irc(const struct channel_setup *setup, struct error *err);

CHANNEL_KIND(irc) = {
	.name = "irc",
	.open = open_irc,
	.close = close_irc,
	.owns_jid = owns_jid,
	.send = irc_send,
};

static void init_timers(struct irc *irc, uv_loop_t *loop)
{
	uv_timer_init(loop, &irc->timer);
	uv_timer_init(loop, &irc->room_timer);
	uv_timer_init(loop, &irc->send_timer);
	uv_timer_init(loop, &irc->hold_timer);
	irc->timer.data = irc->room_timer.data = irc->send_timer.data = irc;
	irc->hold_timer.data = irc;
	irc->open_handles = 4;
}

/* One without settings is there, and says what is missing. */
static int open_irc(const struct channel_setup *setup, struct error *err)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	struct irc *irc = xcalloc(1, sizeof(*irc));

	(void)err;
	channel_init(&irc->channel, &channel_kind_irc, "irc", setup);
	irc->channel.form = (struct markup_form){MARKUP_IRC, MARKUP_BYTES, MAX_TEXT};
	irc->channel.abilities = CHANNEL_LIVE;
	irc->network = setup->network;
	irc->grace_ms = setup->grace_ms;
	irc->backoff = BACKOFF_INIT(FIRST_BACKOFF, LONGEST_BACKOFF);
	irc->id_prefix = xasprintf("%llx", (unsigned long long)timestamp_clock());
	line_reader_init(&irc->reader, IRC_MAX_LINE);
	init_timers(irc, setup->loop);
	setup->add(setup->host, &irc->channel);
	if (irc_settings_read(&irc->settings, setup->setting, setup->host, &fault) < 0) {
		channel_set_state(&irc->channel, CHANNEL_DOWN, fault.message);
		return 0;
	}
	irc_rooms_init(irc);
	irc_connect_begin(irc);
	return 0;
}
