#include "channels/email/imap.h"

#include <nettle/base64.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "net/stream/stream.h"

#define MAX_LINE  ((size_t)64 * 1024)
#define SILENT_MS 120000

enum imap_idle {
	IDLE_NOT,
	IDLE_ASKED,    /* the server has not agreed yet … */
	IDLE_UNWANTED, /* … and it ends as soon as it has */
	IDLE_ON,
};

struct imap {
	struct net_stream *stream; /* NULL once it has ended */
	struct imap_handlers handlers;
	void *data;
	const struct email_settings *settings;
	struct buf line;     /* of the response so far, literals as "{N}" */
	struct buf literal;  /* the first one of the response */
	size_t literal_left; /* bytes of a literal that are still to come */
	bool literal_kept;   /* it is the first one */
	bool has_literal;
	char *capabilities; /* " IMAP4rev1 IDLE " */
	bool greeted;
	bool logged_in;
	enum imap_idle idle;
	bool proving; /* the password goes out at the next "+" */
	unsigned tag;
	imap_done done; /* of the command that is under way, or NULL */
	uv_timer_t timer;
	char *fault; /* why it could not even be begun, or NULL */
	bool closed; /* the loop frees it */
};

/* --- the end ----------------------------------------------------------------- */

static void imap_timer_closed(uv_handle_t *handle)
{
	struct imap *imap = handle->data;

	buf_release(&imap->line);
	buf_release(&imap->literal);
	free(imap->capabilities);
	free(imap->fault);
	free(imap);
}

void imap_close(struct imap *imap)
{
	if (!imap || imap->closed)
		return;
	imap->closed = true;
	if (imap->stream)
		net_stream_close(imap->stream);
	imap->stream = NULL;
	uv_close((uv_handle_t *)&imap->timer, imap_timer_closed);
}

static void imap_fail(struct imap *imap, bool refused, const char *why)
{
	CLEANUP(freep) char *reason = utf8_excerpt(view_of(why));
	struct imap_handlers handlers = imap->handlers;
	void *data = imap->data;

	if (imap->closed)
		return;
	imap_close(imap);
	handlers.closed(data, refused, reason);
}

static void imap_silent(uv_timer_t *timer)
{
	struct imap *imap = timer->data;

	imap_fail(imap, false, imap->fault ? imap->fault : "the server is silent");
}

/* --- commands ---------------------------------------------------------------- */

static void imap_write(struct imap *imap, struct view bytes)
{
	uv_timer_start(&imap->timer, imap_silent, SILENT_MS, 0);
	if (imap->stream && !net_stream_write(imap->stream, bytes))
		imap_fail(imap, false, "the server does not read");
}

void imap_command(struct imap *imap, imap_done done, const char *format, ...)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	va_list args;

	if (imap->closed)
		return;
	imap->done = done;
	buf_appendf(&line, "n%u ", ++imap->tag);
	va_start(args, format);
	buf_appendv(&line, format, args);
	va_end(args);
	buf_append_str(&line, "\r\n");
	imap_write(imap, view_of_buf(&line));
}

void imap_idle(struct imap *imap, imap_done done)
{
	imap_command(imap, done, "IDLE");
	imap->idle = IDLE_ASKED;
}

void imap_idle_end(struct imap *imap)
{
	if (imap->idle == IDLE_ASKED)
		imap->idle = IDLE_UNWANTED;
	if (imap->idle != IDLE_ON || imap->closed)
		return;
	imap->idle = IDLE_NOT;
	imap_write(imap, view_of("DONE\r\n"));
}

/* While it idles, a server may be silent: the owner ends it now and then. */
static void imap_idles(struct imap *imap)
{
	bool unwanted = imap->idle == IDLE_UNWANTED;

	imap->idle = IDLE_ON;
	uv_timer_stop(&imap->timer);
	if (unwanted)
		imap_idle_end(imap);
}

bool imap_can(const struct imap *imap, const char *capability)
{
	CLEANUP(freep) char *word = xasprintf(" %s ", capability);

	return imap->capabilities && strstr(imap->capabilities, word);
}

/* --- the login --------------------------------------------------------------- */

static void imap_take_capabilities(struct imap *imap, struct view words)
{
	free(imap->capabilities);
	imap->capabilities = xasprintf(" %.*s ", VIEW_ARGS(words));
}

static void imap_capable(void *data, enum imap_status status, struct view text)
{
	struct imap *imap = data;

	(void)status;
	(void)text;
	imap->handlers.ready(imap->data);
}

static void imap_proven(void *data, enum imap_status status, struct view text)
{
	struct imap *imap = data;
	CLEANUP(freep) char *said = xmemdupz(text.data, text.len);

	if (status != IMAP_OK) {
		imap_fail(imap, true, said);
		return;
	}
	imap->logged_in = true;
	/* What it can do may be more than it said to a stranger. */
	imap_command(imap, imap_capable, "CAPABILITY");
}

static void imap_login(struct imap *imap)
{
	imap->proving = true;
	imap_command(imap, imap_proven, "AUTHENTICATE PLAIN");
}

static void imap_send_password(struct imap *imap)
{
	CLEANUP(buf_release) struct buf plain = BUF_INIT;
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	size_t len;

	buf_append_char(&plain, '\0');
	buf_append_str(&plain, imap->settings->user);
	buf_append_char(&plain, '\0');
	buf_append_str(&plain, imap->settings->password);
	len = BASE64_ENCODE_RAW_LENGTH(plain.len);
	buf_reserve(&line, len + 2);
	base64_encode_raw(line.data, plain.len, (const uint8_t *)plain.data);
	buf_set_len(&line, len);
	buf_append_str(&line, "\r\n");
	imap->proving = false;
	imap_write(imap, view_of_buf(&line));
}

/* --- responses --------------------------------------------------------------- */

static struct view imap_after(struct view text, const char *prefix)
{
	return view_slice(text, strlen(prefix), text.len);
}

static void imap_take_tagged(struct imap *imap, struct view text)
{
	imap_done done = imap->done;
	enum imap_status status;
	struct view word;
	void *data = done == imap_proven || done == imap_capable ? imap : imap->data;

	view_next(&text, ' ', &word);
	status = view_equal_str(word, "OK")   ? IMAP_OK
		 : view_equal_str(word, "NO") ? IMAP_NO
					      : IMAP_BAD;
	imap->done = NULL;
	imap->proving = false;
	imap->idle = IDLE_NOT;
	uv_timer_stop(&imap->timer);
	if (done)
		done(data, status, text);
}

static void imap_take_untagged(struct imap *imap, struct view text)
{
	if (!imap->greeted) {
		imap->greeted = true;
		if (!view_starts_with(text, "OK"))
			imap_fail(imap, false,
				"the server does not greet as an IMAP server does");
		else
			imap_login(imap);
		return;
	}
	if (view_starts_with(text, "CAPABILITY "))
		imap_take_capabilities(imap, imap_after(text, "CAPABILITY "));
	else if (view_starts_with(text, "BYE"))
		imap_fail(imap, false, "the server ends the connection");
	else if (imap->logged_in)
		imap->handlers.untagged(
			imap->data, &(struct imap_response){text, view_of_buf(&imap->literal)});
}

static void imap_take_response(struct imap *imap)
{
	struct view text = view_of_buf(&imap->line);
	CLEANUP(freep) char *tag = xasprintf("n%u ", imap->tag);

	if (view_starts_with(text, "* "))
		imap_take_untagged(imap, imap_after(text, "* "));
	else if (view_starts_with(text, "+") && imap->proving)
		imap_send_password(imap);
	else if (view_starts_with(text, "+") && imap->idle)
		imap_idles(imap);
	else if (imap->done && view_starts_with(text, tag))
		imap_take_tagged(imap, imap_after(text, tag));
	if (imap->closed)
		return;
	if (imap->done && imap->idle != IDLE_ON)
		uv_timer_start(&imap->timer, imap_silent, SILENT_MS, 0);
	buf_clear(&imap->line);
	buf_clear(&imap->literal);
	imap->has_literal = false;
}

/* "… {123}": so many bytes follow the line. */
static bool imap_announces(struct view line, size_t *ret_len)
{
	size_t start = line.len;
	size_t len = 0;

	if (!view_ends_with(line, "}"))
		return false;
	while (start && line.data[start - 1] != '{')
		start--;
	if (!start || start == line.len - 1)
		return false;
	for (size_t i = start; i < line.len - 1; i++) {
		if (line.data[i] < '0' || line.data[i] > '9' || len > IMAP_MAX_LITERAL)
			return false;
		len = len * 10 + (size_t)(line.data[i] - '0');
	}
	*ret_len = len;
	return true;
}

/* A whole line, without its end, has been appended to `line`. */
static void imap_end_line(struct imap *imap)
{
	size_t len;

	if (view_ends_with(view_of_buf(&imap->line), "\r"))
		buf_set_len(&imap->line, imap->line.len - 1);
	if (!imap_announces(view_of_buf(&imap->line), &len)) {
		imap_take_response(imap);
		return;
	}
	if (len > IMAP_MAX_LITERAL) {
		imap_fail(imap, false, "the server sends more than it was asked for");
		return;
	}
	imap->literal_left = len;
	imap->literal_kept = !imap->has_literal;
	imap->has_literal = true;
}

static size_t imap_take_literal(struct imap *imap, struct view bytes)
{
	size_t len = bytes.len < imap->literal_left ? bytes.len : imap->literal_left;

	if (imap->literal_kept)
		buf_append(&imap->literal, bytes.data, len);
	imap->literal_left -= len;
	return len;
}

static size_t imap_take_text(struct imap *imap, struct view bytes)
{
	const char *end = memchr(bytes.data, '\n', bytes.len);
	size_t len = end ? (size_t)(end - bytes.data) : bytes.len;

	buf_append(&imap->line, bytes.data, len);
	if (imap->line.len > MAX_LINE)
		imap_fail(imap, false, "the server sends a line that is too long");
	else if (end)
		imap_end_line(imap);
	return len + (end != NULL);
}

/* --- the stream -------------------------------------------------------------- */

static void stream_connected(void *data)
{
	(void)data; /* the server speaks first */
}

static void stream_bytes(void *data, struct view bytes)
{
	struct imap *imap = data;

	while (bytes.len && !imap->closed) {
		size_t used = imap->literal_left ? imap_take_literal(imap, bytes)
						 : imap_take_text(imap, bytes);

		bytes = view_slice(bytes, used, bytes.len);
	}
}

static void stream_closed(void *data, const char *why)
{
	struct imap *imap = data;

	imap->stream = NULL;
	imap_fail(imap, false, why ? why : "the server closed the connection");
}

struct imap *imap_open(struct network *network, const struct email_settings *settings,
	const struct imap_handlers *handlers, void *data)
{
	static const struct net_stream_handlers stream_handlers = {
		stream_connected, stream_bytes, stream_closed};
	struct net_stream_options options = {
		.host = settings->imap.host,
		.port = settings->imap.port,
		.plain = settings->plain,
	};
	struct imap *imap = xcalloc(1, sizeof(*imap));
	CLEANUP(error_release) struct error err = ERROR_INIT;

	imap->handlers = *handlers;
	imap->data = data;
	imap->settings = settings;
	imap->line = imap->literal = BUF_INIT;
	uv_timer_init(network_loop(network), &imap->timer);
	imap->timer.data = imap;
	uv_timer_start(&imap->timer, imap_silent, SILENT_MS, 0);
	/* Handlers are called from the loop only. */
	if (net_stream_open(network, &options, &stream_handlers, imap, &imap->stream, &err) <
		0) {
		imap->fault = xstrdup(err.message);
		uv_timer_start(&imap->timer, imap_silent, 0, 0);
	}
	return imap;
}
