/*
 * Text from outside, made safe and unambiguous for a message.
 *
 *	CLEANUP(freep) char *shown = quote(view_of(path));
 *	return error_set(err, ERROR_INVALID, "%s: not a regular file", shown);
 *
 * The result is in single quotes. Anything that could move the cursor, start a new line, or
 * hide or reorder text on a terminal is escaped as in C: bytes that are not UTF-8, and all
 * characters that utf8_printable() rejects. Other UTF-8 is unchanged. Numbers are octal with
 * three digits, because a hexadecimal escape in C has no fixed length.
 */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

char *quote(struct view text);

/* The first 60 bytes, which are enough to recognize a long text in a message. */
char *quote_start(struct view text);

/* A command for a person to read, as it would be typed: without quotes around it. */
char *quote_command(struct view text);

/* A text of several lines for a person to read: line breaks and tabs stay. */
char *quote_text(struct view text);
void quote_append(struct buf *b, struct view text);

/* "cannot open 'path': permission denied", for what = "open", from errno. Returns -1. */
int quote_errno(struct error *err, const char *what, const char *path);

/* The same for a path that a person has typed: ERROR_INVALID. */
int quote_errno_typed(struct error *err, const char *what, const char *path);

#endif
