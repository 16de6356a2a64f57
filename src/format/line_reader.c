#include "format/line_reader.h"

#include <string.h>

void line_reader_init(struct line_reader *reader, size_t max)
{
	*reader = (struct line_reader){.pending = BUF_INIT, .max = max};
}

void line_reader_release(struct line_reader *reader)
{
	buf_release(&reader->pending);
}

/* As much of it as may be kept. Taken first: `function` may release the reader. */
static bool line_reader_cut(
	struct line_reader *reader, struct view bytes, line_function function, void *data)
{
	CLEANUP(buf_release) struct buf head = reader->pending;

	reader->pending = BUF_INIT;
	buf_append(&head, bytes.data,
		bytes.len < reader->max - head.len ? bytes.len : reader->max - head.len);
	return function(view_of_buf(&head), true, data);
}

/* The rest of a line, or a whole one; straight from `bytes` if nothing was pending. */
static bool end_line(
	struct line_reader *reader, struct view bytes, line_function function, void *data)
{
	bool go_on = true;

	if (reader->skipping) {
		reader->skipping = false;
	} else if (reader->pending.len + bytes.len > reader->max) {
		return line_reader_cut(reader, bytes, function, data);
	} else if (!reader->pending.len) {
		go_on = function(bytes, false, data);
	} else {
		CLEANUP(buf_release) struct buf line = reader->pending;

		/* Taken first: `function` may release the reader. */
		reader->pending = BUF_INIT;
		buf_append(&line, bytes.data, bytes.len);
		return function(view_of_buf(&line), false, data);
	}
	if (go_on)
		buf_clear(&reader->pending);
	return go_on;
}

void line_reader_feed(struct line_reader *reader, const char *bytes, size_t len,
	line_function function, void *data)
{
	struct view rest = {bytes, len};
	const char *end;

	while (rest.len && (end = memchr(rest.data, '\n', rest.len))) {
		size_t line = (size_t)(end - rest.data);

		if (!end_line(reader, view_slice(rest, 0, line), function, data))
			return;
		rest = view_slice(rest, line + 1, rest.len);
	}
	if (reader->skipping || !rest.len)
		return;
	if (reader->pending.len + rest.len > reader->max) {
		reader->skipping = true;
		line_reader_cut(reader, rest, function, data);
		return;
	}
	buf_append(&reader->pending, rest.data, rest.len);
}
