/*
 * JSON documents over a socket, one per line, with blocking calls: for programs that call a host
 * and wait. loop/line_server.h is the other side.
 *
 *	json_lines_send(fd, question, err)
 *	while ((found = json_lines_take(&input, "the reply", &reply, err)) == 0)
 *		… json_lines_read(fd, &input) …
 *
 * The maximum of `input` is the maximum length of a line.
 */
#ifndef FORMAT_JSON_LINES_H
#define FORMAT_JSON_LINES_H

#include <jansson.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

/* Releases `document`. On failure errno is set. */
int json_lines_send(int fd, json_t *document);

/*
 * Append received bytes to `input`; blocks unless MSG_DONTWAIT is in `flags`. Returns the
 * result of recv(), or -1 with EFBIG if the line is too long.
 */
ssize_t json_lines_read(int fd, struct buf *input, int flags);

/* 1: took the first whole line out of the input; 0: no whole line yet. */
int json_lines_take(
	struct buf *input, const char *name, json_t **ret_document, struct error *err);

/* Does the input have a whole line? */
bool json_lines_ready(const struct buf *input);

#endif
