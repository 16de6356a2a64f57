/*
 * Masks a secret in a response, because a server may echo its request in the body.
 *
 *	struct echo echo = {.secret = key};
 *
 *	echo_mask(&echo, bytes, &out);		any number of times
 *	echo_end(&echo, &out);			the rest
 *
 * Every byte of the secret becomes '*', even if the secret arrives in several pieces: the end of
 * a piece that may be the beginning of the secret waits for the next piece. In the end, `out` has
 * as many bytes as came in. A secret of less than ECHO_MIN bytes is ignored.
 */
#ifndef GATE_ECHO_H
#define GATE_ECHO_H

#include "base/buf.h"
#include "base/view.h"

#define ECHO_MIN 8

struct echo {
	char *secret; /* or NULL; the caller's */
	size_t held;  /* bytes of its beginning that wait */
};

void echo_mask(struct echo *echo, struct view bytes, struct buf *out);
void echo_end(struct echo *echo, struct buf *out);

#endif
