/*
 * Finds the end of a request's body, and the bytes that belong to it.
 *
 *	struct http_body body;
 *
 *	http_body_init(&body, &head, MAXIMUM);
 *	while (!http_body_is_done(&body) && (bytes = …).len) {
 *		ssize_t used = http_body_take(&body, bytes, &piece, &fault);
 *		… used < 0: answer with `fault`, and close
 *		… `piece` is part of the body; `used` bytes are consumed …
 *	}
 *
 * Nothing is copied: a piece points into the bytes given. Each call consumes at least one byte,
 * if there is one. Chunk sizes are plain hexadecimal numbers; chunk extensions are refused.
 * Trailers are checked and skipped.
 */
#ifndef NET_PARSE_HTTP_BODY_H
#define NET_PARSE_HTTP_BODY_H

#include "net/parse/http_head.h"

/* Of all trailers together. */
#define HTTP_TRAILERS_MAX ((size_t)8 * 1024)

enum http_body_state {
	HTTP_BODY_DATA,
	HTTP_BODY_SIZE,     /* digits */
	HTTP_BODY_SIZE_END, /* the LF after them */
	HTTP_BODY_DATA_CR,  /* after a chunk */
	HTTP_BODY_DATA_LF,
	HTTP_BODY_TRAILER, /* at the beginning of a line */
	HTTP_BODY_TRAILER_IN,
	HTTP_BODY_TRAILER_LF,
	HTTP_BODY_END_LF,
	HTTP_BODY_DONE,
};

struct http_body {
	enum http_framing framing;
	enum http_body_state state;
	uint64_t left; /* of the body, or of the chunk */
	uint64_t room; /* until the maximum is reached */
	unsigned digits;
	size_t trailers;
	bool colon; /* seen in this line of the trailer */
};

void http_body_init(struct http_body *body, const struct http_head *head, uint64_t max);

ssize_t http_body_take(struct http_body *body, struct view bytes, struct view *ret_piece,
	struct http_fault *ret_fault);

bool http_body_is_done(const struct http_body *body);

#endif
