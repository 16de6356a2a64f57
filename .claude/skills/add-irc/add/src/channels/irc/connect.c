#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/irc/irc.h"
#include "time/timestamp.h"

#define LOOK_MS    30000 /* a server that is silent for twice this long is given up */
#define LASTED_MS  60000 /* a connection that lasted longer was a good one */
#define REFUSED_MS ((int64_t)60 * 60 * 1000)

/* Lines at once, after a rest: servers take some more. */
#define BURST 5

static void connect_now(uv_timer_t *timer);

static void connect_later(struct irc *irc, int64_t wait)
{
	uv_timer_start(&irc->timer, connect_now, (uint64_t)wait, 0);
}

/* The log has a line for each change, not for each attempt: `kind` is the same for the same. */
static void connect_trouble(
	struct irc *irc, enum channel_state state, const char *kind, const char *detail)
{
	struct channel *channel = &irc->channel;
	bool same = irc->trouble && !strcmp(irc->trouble, kind);

	if (channel->state == state && same) {
		free(channel->detail);
		channel->detail = xstrdup(detail);
		return;
	}
	free(irc->trouble);
	irc->trouble = xstrdup(kind);
	channel_set_state(channel, state, detail);
}

/* --- the end of a connection ------------------------------------------------- */

static void connect_drop(struct irc *irc)
{
	uv_timer_stop(&irc->timer);
	if (irc->stream)
		net_stream_close(irc->stream);
	irc->stream = NULL;
	irc->registered_at = 0;
	irc_rooms_lost(irc);
}

void irc_connect_lost(struct irc *irc, const char *why)
{
	CLEANUP(freep) char *reason = utf8_excerpt(view_of(why));
	CLEANUP(freep)
	char *detail = xasprintf(irc->registered_at ? "the connection ended: %s"
				 : irc->refused     ? "the server refuses the login: %s"
						    : "the server cannot be reached: %s",
		reason);
	bool away = !irc->registered_at && !irc->refused;

	if (irc->registered_at && timestamp_clock() - irc->registered_at > LASTED_MS)
		backoff_reset(&irc->backoff);
	connect_drop(irc);
	if (!irc->closing) {
		connect_trouble(irc, CHANNEL_DISCONNECTED, "lost", detail);
		connect_later(
			irc, away ? backoff_away(&irc->backoff) : backoff_next(&irc->backoff));
	}
	irc_send_lost(irc, reason);
}

void irc_connect_refused(struct irc *irc, const char *detail)
{
	connect_drop(irc);
	if (!irc->closing) {
		irc->channel.retry_at = timestamp_clock() + REFUSED_MS;
		connect_trouble(irc, CHANNEL_DOWN, detail, detail);
		connect_later(irc, REFUSED_MS);
	}
	irc_send_lost(irc, detail);
}

void irc_connect_end(struct irc *irc)
{
	struct net_stream *stream = irc->stream;

	if (stream && irc->registered_at && irc_write(irc, "QUIT :bye")) {
		irc->stream = NULL;
		net_stream_finish(stream);
	}
	connect_drop(irc);
}

/* --- lines ------------------------------------------------------------------- */

bool irc_write(struct irc *irc, const char *format, ...)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	va_list args;

	if (!irc->stream)
		return false;
	va_start(args, format);
	buf_appendv(&line, format, args);
	va_end(args);
	for (size_t i = 0; i < line.len; i++)
		if (strchr("\r\n", line.data[i])) /* finds NUL, too */
			line.data[i] = ' ';
	buf_append_str(&line, "\r\n");
	return net_stream_write(irc->stream, view_of_buf(&line));
}

int64_t irc_wait(struct irc *irc)
{
	struct rate_rule rule = {irc->settings.lines_per_minute, 60000, BURST};

	return rate_limit_take(&irc->rate, &rule, timestamp_steady());
}

static void connect_take(struct irc *irc, const struct irc_line *line)
{
	if (!irc->registered_at && (*line->command == '4' || !strcmp(line->command, "ERROR")))
		irc->refused = true;
	if (!strcmp(line->command, "PING"))
		irc_write(irc, "PONG :%s", line->parameters[0]);
	else if (!strcmp(line->command, "ERROR"))
		irc_connect_lost(irc, line->parameters[0]);
	else if (irc_register_take(irc, line) || irc_rooms_take(irc, line))
		return;
	else if (!strcmp(line->command, "PRIVMSG"))
		irc_message_take(irc, line);
	else
		irc_send_take(irc, line);
}

static bool connect_line(struct view text, bool too_long, void *data)
{
	CLEANUP(irc_line_release) struct irc_line line = {0};
	struct irc *irc = data;

	if (!too_long && irc_line_parse(text, &line) == 0)
		connect_take(irc, &line);
	return irc->stream != NULL;
}

/* --- the stream -------------------------------------------------------------- */

static void stream_connected(void *data)
{
	irc_register_begin(data);
}

static void stream_bytes(void *data, struct view bytes)
{
	struct irc *irc = data;

	irc->heard = true;
	irc->channel.last_event = timestamp_clock();
	line_reader_feed(&irc->reader, bytes.data, bytes.len, connect_line, irc);
}

static void stream_closed(void *data, const char *why)
{
	struct irc *irc = data;

	irc->stream = NULL;
	irc_connect_lost(irc, why ? why : "the server closed it");
}

/* A server that says nothing is asked for a sign of life, and given up if it stays silent. */
static void connect_look(uv_timer_t *timer)
{
	struct irc *irc = timer->data;

	if (irc->asked && (!irc->heard || !irc->registered_at)) {
		irc_connect_lost(irc, "the server is silent");
		return;
	}
	if (irc_send_is_stuck(irc)) {
		irc_connect_lost(irc, "the server has not confirmed a text");
		return;
	}
	irc->asked = !irc->heard || !irc->registered_at;
	if (irc->asked && irc->registered_at)
		irc_write(irc, "PING :alive");
	irc->heard = false;
	irc_register_regain(irc);
}

static void connect_now(uv_timer_t *timer)
{
	static const struct net_stream_handlers handlers = {
		stream_connected, stream_bytes, stream_closed};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct irc *irc = timer->data;
	struct net_stream_options options = {
		.host = irc->settings.host,
		.port = irc->settings.port,
		.plain = irc->settings.plain,
	};

	line_reader_release(&irc->reader);
	line_reader_init(&irc->reader, IRC_MAX_LINE);
	irc->heard = irc->asked = irc->refused = false;
	if (net_stream_open(irc->network, &options, &handlers, irc, &irc->stream, &err) < 0) {
		irc->stream = NULL;
		irc_connect_lost(irc, err.message);
		return;
	}
	uv_timer_start(timer, connect_look, LOOK_MS, LOOK_MS);
}

void irc_connect_begin(struct irc *irc)
{
	connect_later(irc, 0);
}

void irc_connect_is_up(struct irc *irc)
{
	struct channel *channel = &irc->channel;

	if (irc->closing || channel->state == CHANNEL_CONNECTED)
		return;
	free(irc->trouble);
	irc->trouble = NULL;
	channel_set_state(channel, CHANNEL_CONNECTED, NULL);
	channel->events->ready(channel, NULL);
	irc_rooms_join(irc);
}
