/*
 * Server-sent events, read as the HTML standard says ("9.2.6 Interpreting an event stream"),
 * from pieces of any size.
 *
 *	struct sse sse;
 *
 *	sse_init(&sse, 1024 * 1024);
 *	…
 *	sse_feed(&sse, bytes, len, take_event, context);
 *	…
 *	sse_release(&sse);
 *
 * Lines end in LF, CR or CR LF, even if a piece ends between CR and LF. A byte order mark at the
 * beginning is dropped. Comments and unknown fields take no memory, however long they are. Data
 * after the last empty line is not an event.
 *
 * Texts are passed on unchanged: the caller handles bytes that are not UTF-8.
 *
 * An event whose data is longer than the maximum, or whose type or id is longer than
 * SSE_MAX_NAME, is skipped: it is never stored, only counted in `skipped`.
 */
#ifndef NET_PARSE_SSE_H
#define NET_PARSE_SSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"

#define SSE_MAX_NAME 256

/* Good during the call only. */
struct sse_event {
	struct view type; /* "message" if nothing was said */
	struct view data; /* lines with LF between them */
	struct view id;   /* the last one that was said; empty if none was */
};

typedef void (*sse_function)(const struct sse_event *event, void *data);

enum sse_state {
	SSE_MARK, /* at the beginning: there may be a byte order mark */
	SSE_NAME,
	SSE_SPACE, /* after the colon; one space is dropped */
	SSE_VALUE,
};

enum sse_field {
	SSE_FIELD_OTHER, /* or a comment */
	SSE_FIELD_DATA,
	SSE_FIELD_EVENT,
	SSE_FIELD_ID,
	SSE_FIELD_RETRY,
};

struct sse {
	uint64_t skipped;
	int64_t retry_ms; /* the last one that was said; -1: none was */

	enum sse_state state;
	enum sse_field field;
	unsigned mark;   /* bytes of the byte order mark that were seen */
	bool after_cr;   /* an LF that comes now belongs to it */
	bool too_long;   /* the event that is being read */
	char name[8];    /* of the field */
	size_t name_len; /* beyond its size: none that is known */
	struct buf data;
	struct buf value; /* of a field that replaces its previous value */
	struct buf type;
	struct buf id;
};

void sse_init(struct sse *sse, size_t max_data);
void sse_release(struct sse *sse);

void sse_feed(
	struct sse *sse, const char *bytes, size_t len, sse_function function, void *data);

#endif
