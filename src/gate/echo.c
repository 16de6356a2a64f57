#include "gate/echo.h"

#include <string.h>

/* How long an end of `text` is that begins the secret, but is not all of it. */
static size_t beginning_at_end(struct view text, const char *secret, size_t len)
{
	size_t most = text.len < len - 1 ? text.len : len - 1;

	while (most && memcmp(text.data + text.len - most, secret, most) != 0)
		most--;
	return most;
}

void echo_mask(struct echo *echo, struct view bytes, struct buf *out)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t len = echo->secret ? strlen(echo->secret) : 0;
	char *at;

	if (len < ECHO_MIN) {
		buf_append(out, bytes.data, bytes.len);
		return;
	}
	buf_append(&text, echo->secret, echo->held);
	buf_append(&text, bytes.data, bytes.len);
	at = text.data;
	while (text.len &&
		(at = memmem(at, text.len - (size_t)(at - text.data), echo->secret, len))) {
		memset(at, '*', len);
		at += len;
	}
	echo->held = beginning_at_end(view_of_buf(&text), echo->secret, len);
	buf_append(out, text.data, text.len - echo->held);
	explicit_bzero(text.data, text.len);
}

void echo_end(struct echo *echo, struct buf *out)
{
	buf_append(out, echo->secret ? echo->secret : "", echo->held);
	echo->held = 0;
}
