/*
 * Requests to a gate, one after the other with their bodies: any input is read in the same way,
 * however it is cut into pieces. An accepted head contains no line end within a field, has one
 * length, and is complete. The first two bytes say how the rest is cut into pieces.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "net/parse/http_body.h"

#define MAXIMUM 4096

/* What was read of a connection. */
struct reading {
	struct buf in;
	size_t from;
	bool in_body;
	bool refused;
	struct http_body body;
	struct buf story; /* of everything that was taken */
};

static void check_head(const struct http_head *head)
{
	size_t lengths = 0;
	size_t codings = 0;

	assert(http_is_token(head->method) && head->target.len);
	assert(!memchr(head->target.data, ' ', head->target.len) &&
		http_is_value(head->target));
	for (size_t i = 0; i < head->count; i++) {
		assert(http_is_token(head->headers[i].name));
		assert(http_is_value(head->headers[i].value));
		lengths += http_name_is(head->headers[i].name, "content-length");
		codings += http_name_is(head->headers[i].name, "transfer-encoding");
	}
	assert(lengths + codings <= 1);
	assert((head->framing == HTTP_CHUNKED) == (codings == 1));
	assert(head->framing != HTTP_LENGTH || lengths == 1);
}

/* Does one step; false if there is nothing to be done until more comes. */
static bool step(struct reading *reading)
{
	struct view bytes =
		view_slice(view_of_buf(&reading->in), reading->from, reading->in.len);
	struct http_fault fault = {0};
	struct http_head head;
	struct view piece;
	ssize_t len;

	if (reading->in_body && http_body_is_done(&reading->body)) {
		buf_append_str(&reading->story, "|");
		reading->in_body = false;
		return true;
	}
	if (!bytes.len)
		return false;
	if (reading->in_body) {
		len = http_body_take(&reading->body, bytes, &piece, &fault);
		assert(len != 0 && len <= (ssize_t)bytes.len);
		if (len > 0)
			buf_append(&reading->story, piece.data, piece.len);
	} else {
		len = http_head_parse(bytes, &head, &fault);
		if (len > 0) {
			check_head(&head);
			buf_append(&reading->story, bytes.data, (size_t)len);
			http_body_init(&reading->body, &head, MAXIMUM);
			reading->in_body = true;
		}
	}
	if (len < 0) {
		assert(fault.status >= 400 && fault.status < 600 && fault.why);
		reading->refused = true;
	}
	if (len <= 0)
		return false;
	reading->from += (size_t)len;
	return true;
}

static void feed(struct reading *reading, const uint8_t *data, size_t len)
{
	buf_append(&reading->in, data, len);
	while (!reading->refused && step(reading))
		;
}

static void release(struct reading *reading)
{
	buf_release(&reading->in);
	buf_release(&reading->story);
}

FUZZ_TARGET(http_head)
{
	CLEANUP(release) struct reading whole = {.in = BUF_INIT, .story = BUF_INIT};
	CLEANUP(release) struct reading pieces = {.in = BUF_INIT, .story = BUF_INIT};
	unsigned seed;

	if (len < 2)
		return 0;
	seed = data[0] * 256u + data[1];
	data += 2;
	len -= 2;
	feed(&whole, data, len);
	for (size_t at = 0; at < len;) {
		size_t size = 1 + (seed >> 16) % 40;

		seed = seed * 1103515245 + 12345;
		size = size < len - at ? size : len - at;
		feed(&pieces, data + at, size);
		at += size;
	}
	assert(whole.refused == pieces.refused && whole.in_body == pieces.in_body);
	assert(whole.story.len == pieces.story.len &&
		!memcmp(whole.story.data, pieces.story.data, whole.story.len));
	return 0;
}
