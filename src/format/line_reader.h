/*
 * Lines from a stream that comes in pieces, with a maximum.
 *
 *	struct line_reader reader;
 *
 *	line_reader_init(&reader, 1024 * 1024);
 *	…
 *	line_reader_feed(&reader, data, len, take_line, context);
 *
 * The line has no newline, and is valid only during the call. A line longer than the maximum is
 * reported once, as soon as it is too long, with `too_long` and its first `max` bytes; the rest
 * of it is discarded. Text after the last newline waits for more.
 */
#ifndef FORMAT_LINE_READER_H
#define FORMAT_LINE_READER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/view.h"

struct line_reader {
	struct buf pending;
	size_t max;
	bool skipping;
};

/* Returns false to skip the rest of the data that is being fed. */
typedef bool (*line_function)(struct view line, bool too_long, void *data);

void line_reader_init(struct line_reader *reader, size_t max);
void line_reader_release(struct line_reader *reader);

void line_reader_feed(struct line_reader *reader, const char *bytes, size_t len,
	line_function function, void *data);

#endif
