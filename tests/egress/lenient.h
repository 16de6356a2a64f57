/*
 * HTTP as a careless server or proxy reads it: lines end in LF, with or without a CR, headers
 * are found by their first letters, and whatever else is odd is taken as it comes. What the
 * strict reader of the gate refuses has to get through here, or refusing it shows nothing.
 */
#ifndef EGRESS_LENIENT_H
#define EGRESS_LENIENT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/view.h"

struct lenient {
	struct buf head; /* up to the empty line */
	struct buf rest; /* what was read behind it */
	char method[32];
	char target[4096];
	bool close;
	bool chunked;
	unsigned long long length;
};

/* The next request of this connection; false at its end. */
bool lenient_read(int fd, struct lenient *request);

/* The value of a header, in the head; empty if there is none. The last one counts. */
struct view lenient_header(const struct lenient *request, const char *name);

/* Reads the body to its end. */
void lenient_body(int fd, struct lenient *request, struct buf *out);

void lenient_release(struct lenient *request);

bool send_all(int fd, const void *data, size_t len);
bool send_text(int fd, const char *text);

#endif
