#include "channels/email/smtp.h"

#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "format/line_reader.h"
#include "net/stream/stream.h"

#define MAX_REPLY 2048
#define SILENT_MS 300000 /* RFC 5321 allows a server minutes to take a mail */

/* What the server answers next. */
enum smtp_step {
	SMTP_GREETING,
	SMTP_HELLO,
	SMTP_PASSWORD,
	SMTP_FROM,
	SMTP_TO,
	SMTP_DATA,
	SMTP_END,
};

struct smtp {
	struct net_stream *stream;
	const struct email_settings *settings;
	struct line_reader lines;
	struct buf mail; /* as it goes over the wire, with the line that ends it */
	char *to;
	enum smtp_step step;
	bool has_auth; /* the server asks for a name and password */
	smtp_done done;
	void *data;
	uv_timer_t timer;
	char *fault; /* why it could not even be begun, or NULL */
	bool closed; /* the loop frees it */
};

/* --- the end ----------------------------------------------------------------- */

static void smtp_timer_closed(uv_handle_t *handle)
{
	struct smtp *smtp = handle->data;

	line_reader_release(&smtp->lines);
	buf_release(&smtp->mail);
	free(smtp->to);
	free(smtp->fault);
	free(smtp);
}

void smtp_cancel(struct smtp *smtp)
{
	if (!smtp || smtp->closed)
		return;
	smtp->closed = true;
	if (smtp->stream)
		net_stream_close(smtp->stream);
	smtp->stream = NULL;
	uv_close((uv_handle_t *)&smtp->timer, smtp_timer_closed);
}

static void smtp_finish(struct smtp *smtp, enum channel_receipt receipt, const char *why)
{
	CLEANUP(freep) char *reason = why ? utf8_excerpt(view_of(why)) : NULL;
	struct net_stream *stream = smtp->stream;

	if (smtp->closed)
		return;
	if (stream && net_stream_write(stream, view_of("QUIT\r\n"))) {
		smtp->stream = NULL;
		net_stream_finish(stream);
	}
	smtp_cancel(smtp);
	smtp->done(smtp->data, receipt, reason);
}

/* The connection is gone. Did the server have everything? */
static void smtp_lost(struct smtp *smtp, const char *why)
{
	smtp_finish(smtp, smtp->step == SMTP_END ? RECEIPT_LOST : RECEIPT_FAILED, why);
}

static void smtp_silent(uv_timer_t *timer)
{
	struct smtp *smtp = timer->data;

	smtp_lost(smtp, smtp->fault ? smtp->fault : "the server is silent");
}

/* --- the conversation -------------------------------------------------------- */

static void smtp_write(struct smtp *smtp, enum smtp_step step, struct view bytes)
{
	smtp->step = step;
	uv_timer_start(&smtp->timer, smtp_silent, SILENT_MS, 0);
	if (!net_stream_write(smtp->stream, bytes))
		smtp_lost(smtp, "the server does not read");
}

static void smtp_write_line(struct smtp *smtp, enum smtp_step step, const char *before,
	const char *middle, const char *after)
{
	CLEANUP(freep) char *line = xasprintf("%s%s%s\r\n", before, middle, after);

	smtp_write(smtp, step, view_of(line));
}

static void smtp_write_password(struct smtp *smtp)
{
	CLEANUP(buf_release) struct buf plain = BUF_INIT;
	CLEANUP(buf_release) struct buf encoded = BUF_INIT;
	size_t len;

	buf_append_char(&plain, '\0');
	buf_append_str(&plain, smtp->settings->user);
	buf_append_char(&plain, '\0');
	buf_append_str(&plain, smtp->settings->password);
	len = BASE64_ENCODE_RAW_LENGTH(plain.len);
	buf_reserve(&encoded, len);
	base64_encode_raw(encoded.data, plain.len, (const uint8_t *)plain.data);
	buf_set_len(&encoded, len);
	smtp_write_line(smtp, SMTP_PASSWORD, "AUTH PLAIN ", encoded.data, "");
}

/* A server that does not want this step as it should. */
static void smtp_refused(struct smtp *smtp, struct view line)
{
	CLEANUP(freep) char *said = xmemdupz(line.data, line.len);
	bool final = line.data[0] == '5';

	if (smtp->step == SMTP_PASSWORD)
		smtp_finish(smtp, RECEIPT_LATER, said);
	else if (final && smtp->step >= SMTP_TO)
		smtp_finish(smtp, RECEIPT_REFUSED, said);
	else
		smtp_finish(smtp, RECEIPT_FAILED, said);
}

static void smtp_greet(struct smtp *smtp)
{
	smtp_write_line(
		smtp, SMTP_HELLO, "EHLO ", strchr(smtp->settings->address, '@') + 1, "");
}

/* The last line of a reply. */
static void smtp_take_reply(struct smtp *smtp, struct view line)
{
	char class = smtp->step == SMTP_DATA ? '3' : '2';
	const char *from = smtp->settings->address;

	if (line.data[0] != class) {
		smtp_refused(smtp, line);
		return;
	}
	switch (smtp->step) {
	case SMTP_GREETING:
		smtp_greet(smtp);
		break;
	case SMTP_HELLO:
		if (smtp->has_auth)
			smtp_write_password(smtp);
		else
			smtp_write_line(smtp, SMTP_FROM, "MAIL FROM:<", from, ">");
		break;
	case SMTP_PASSWORD:
		smtp_write_line(smtp, SMTP_FROM, "MAIL FROM:<", from, ">");
		break;
	case SMTP_FROM:
		smtp_write_line(smtp, SMTP_TO, "RCPT TO:<", smtp->to, ">");
		break;
	case SMTP_TO:
		smtp_write(smtp, SMTP_DATA, view_of("DATA\r\n"));
		break;
	case SMTP_DATA:
		smtp_write(smtp, SMTP_END, view_of_buf(&smtp->mail));
		break;
	case SMTP_END:
		smtp_finish(smtp, RECEIPT_SENT, NULL);
		break;
	}
}

static bool smtp_take_line(struct view line, bool too_long, void *data)
{
	struct smtp *smtp = data;

	line = view_trim(line);
	if (too_long || line.len < 3) {
		smtp_lost(smtp, "the server does not speak SMTP");
		return false;
	}
	if (smtp->step == SMTP_HELLO && line.len > 4 &&
		view_starts_with(view_slice(line, 4, line.len), "AUTH"))
		smtp->has_auth = true;
	if (line.len == 3 || line.data[3] != '-')
		smtp_take_reply(smtp, line);
	return !smtp->closed;
}

/* --- the stream -------------------------------------------------------------- */

/* The server speaks first, unless it has already done so before STARTTLS. */
static void stream_connected(void *data)
{
	struct smtp *smtp = data;

	if (smtp->settings->starttls)
		smtp_greet(smtp);
}

static void stream_bytes(void *data, struct view bytes)
{
	struct smtp *smtp = data;

	line_reader_feed(&smtp->lines, bytes.data, bytes.len, smtp_take_line, smtp);
}

static void stream_closed(void *data, const char *why)
{
	struct smtp *smtp = data;

	smtp->stream = NULL;
	smtp_lost(smtp, why ? why : "the server closed the connection");
}

/* A line that begins with a dot gets another one, and a single dot ends the mail. */
static void smtp_stuff(struct view bytes, struct buf *out)
{
	struct view line;

	while (view_next(&bytes, '\n', &line)) {
		if (view_starts_with(line, "."))
			buf_append_char(out, '.');
		buf_append(out, line.data, line.len);
		buf_append_char(out, '\n');
	}
	buf_append_str(out, ".\r\n");
}

struct smtp *smtp_send(struct network *network, const struct email_settings *settings,
	const char *to, struct view bytes, smtp_done done, void *data)
{
	static const struct net_stream_handlers handlers = {
		stream_connected, stream_bytes, stream_closed};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct smtp *smtp = xcalloc(1, sizeof(*smtp));
	struct net_stream_options options = {
		.host = settings->smtp.host,
		.port = settings->smtp.port,
		.plain = settings->plain,
		.starttls = settings->starttls ? strchr(settings->address, '@') + 1 : NULL,
	};

	smtp->settings = settings;
	smtp->to = xstrdup(to);
	smtp->mail = BUF_INIT;
	smtp_stuff(bytes, &smtp->mail);
	options.max_queue = smtp->mail.len + MAX_REPLY;
	smtp->done = done;
	smtp->data = data;
	line_reader_init(&smtp->lines, MAX_REPLY);
	uv_timer_init(network_loop(network), &smtp->timer);
	smtp->timer.data = smtp;
	uv_timer_start(&smtp->timer, smtp_silent, SILENT_MS, 0);
	if (net_stream_open(network, &options, &handlers, smtp, &smtp->stream, &err) < 0) {
		smtp->fault = xstrdup(err.message);
		uv_timer_start(&smtp->timer, smtp_silent, 0, 0);
	}
	return smtp;
}
