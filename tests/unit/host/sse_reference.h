/*
 * Server-sent events once more, from the standard's text and without regard to memory or
 * time: all of the stream at once, line by line. The real reader must give the same result,
 * however the stream is cut into pieces.
 */
#ifndef UNIT_SSE_REFERENCE_H
#define UNIT_SSE_REFERENCE_H

#include <string.h>

#include "net/parse/sse.h"

/* How both write down an event. */
static inline void sse_note(struct buf *out, struct view type, struct view data, struct view id)
{
	buf_append(out, type.data, type.len);
	buf_append_str(out, "|");
	buf_append(out, data.data, data.len);
	buf_append_str(out, "|");
	buf_append(out, id.data, id.len);
	buf_append_char(out, '\0');
}

struct reference {
	struct buf data;
	struct buf type;
	struct buf id;
	struct buf *out;
};

static inline void reference_dispatch(struct reference *r)
{
	if (r->data.len)
		sse_note(r->out, r->type.len ? view_of_buf(&r->type) : view_of("message"),
			view_slice(view_of_buf(&r->data), 0, r->data.len - 1),
			view_of_buf(&r->id));
	buf_clear(&r->data);
	buf_clear(&r->type);
}

static inline void reference_field(struct reference *r, struct view name, struct view value)
{
	if (view_equal_str(name, "event")) {
		buf_clear(&r->type);
		buf_append(&r->type, value.data, value.len);
	} else if (view_equal_str(name, "data")) {
		buf_append(&r->data, value.data, value.len);
		buf_append_char(&r->data, '\n');
	} else if (view_equal_str(name, "id") && !memchr(value.data, '\0', value.len)) {
		buf_clear(&r->id);
		buf_append(&r->id, value.data, value.len);
	}
}

static inline void reference_line(struct reference *r, struct view line)
{
	const char *colon = memchr(line.data, ':', line.len);
	struct view name = line;
	struct view value = {"", 0};

	if (!line.len) {
		reference_dispatch(r);
		return;
	}
	if (colon == line.data)
		return;
	if (colon) {
		name.len = (size_t)(colon - line.data);
		value = view_slice(line, name.len + 1, line.len);
		if (value.len && value.data[0] == ' ')
			value = view_slice(value, 1, value.len);
	}
	reference_field(r, name, value);
}

/* Every end of a line is an LF first. */
static inline void reference_ends(struct view stream, struct buf *out)
{
	for (size_t i = 0; i < stream.len; i++) {
		if (stream.data[i] != '\r')
			buf_append_char(out, stream.data[i]);
		else if (i + 1 == stream.len || stream.data[i + 1] != '\n')
			buf_append_char(out, '\n');
	}
}

static inline void sse_reference(struct view stream, struct buf *out)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct reference r = {BUF_INIT, BUF_INIT, BUF_INIT, out};
	const char *end;
	struct view rest;

	if (view_starts_with(stream, "\xef\xbb\xbf"))
		stream = view_slice(stream, 3, stream.len);
	reference_ends(stream, &text);
	rest = view_of_buf(&text);
	while (rest.len && (end = memchr(rest.data, '\n', rest.len))) {
		size_t len = (size_t)(end - rest.data);

		reference_line(&r, view_slice(rest, 0, len));
		rest = view_slice(rest, len + 1, rest.len);
	}
	buf_release(&r.data);
	buf_release(&r.type);
	buf_release(&r.id);
}

#endif
