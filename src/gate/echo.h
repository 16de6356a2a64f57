/*
 * A secret that comes back: a server may echo what it was sent, in its body, too.
 *
 *	struct echo echo = {.secret = key};
 *
 *	echo_mask(&echo, bytes, &out);		any number of times
 *	echo_end(&echo, &out);			what was held back
 *
 * Every occurrence becomes as many '*', also one that comes in several pieces: the end of a
 * piece that may be the beginning of the secret waits for the next one. So `out` has as many
 * bytes in the end as came in. A secret of less than ECHO_MIN bytes is ignored.
 */
#ifndef GATE_ECHO_H
#define GATE_ECHO_H

#include "base/buf.h"
#include "base/view.h"

#define ECHO_MIN 8

struct echo {
	char *secret; /* or NULL; the caller's */
	size_t held;  /* so many bytes of its beginning */
};

void echo_mask(struct echo *echo, struct view bytes, struct buf *out);
void echo_end(struct echo *echo, struct buf *out);

#endif
