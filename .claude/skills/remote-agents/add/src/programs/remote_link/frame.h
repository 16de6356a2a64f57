/*
 * Frames, of which the byte stream between the two halves of a remote agent consists:
 *
 *	stream 2 bytes | type 2 bytes | length 4 bytes | payload
 *
 * Numbers are big-endian. Everything that comes from the other half is untrusted.
 */
#ifndef PROGRAMS_REMOTE_LINK_FRAME_H
#define PROGRAMS_REMOTE_LINK_FRAME_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

#define FRAME_HEADER  8
#define FRAME_MAX     ((size_t)64 * 1024) /* of the payload */
#define FRAME_STREAMS 1024                /* their numbers are below this */

enum frame_type {
	FRAME_MESSAGE = 1, /* of stream 0: a piece of a line of JSON */
	FRAME_DATA,
	FRAME_TAKEN, /* a number of bytes that were written where they belong */
	FRAME_END,   /* no more data in this direction */
	FRAME_OPEN,  /* a connection to the socket with this number */
};

struct frame {
	unsigned stream;
	enum frame_type type;
	struct view payload;
	uint32_t number; /* the payload of FRAME_TAKEN and FRAME_OPEN */
};

/* The first frame of these bytes: its length, 0 if it is not complete, -1 if it is malformed. */
ssize_t frame_read(struct view bytes, struct frame *ret_frame, struct error *err);

void frame_write(struct buf *out, unsigned stream, enum frame_type type, struct view payload);
void frame_write_number(
	struct buf *out, unsigned stream, enum frame_type type, uint32_t number);

/* Big-endian numbers of 1 to 8 bytes. */
void number_write(struct buf *out, uint64_t number, size_t bytes);
uint64_t number_read(const char *data, size_t bytes);

#endif
