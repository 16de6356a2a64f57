/*
 * An error: a message for a person, and its kind, which determines the exit code.
 *
 * A function that can fail takes a `struct error *` as its last parameter and returns 0 or -1.
 * Where it fails, it sets the message:
 *
 *	if (fd < 0)
 *		return error_errno(err, "cannot open '%s'", path);
 *
 * On the way up, a caller can add where that was:
 *
 *	if (yaml_parse(text, path, &doc, err) < 0)
 *		return error_prefix(err, "skill '%s'", name);
 *
 * The caller at the top owns the object:
 *
 *	CLEANUP(error_release) struct error err = ERROR_INIT;
 *
 * Messages are in lower case, without a full stop, with the thing in single quotes. The first
 * failure is the one that people need to read, so setting an error that is already set changes
 * nothing. Output parameters (`ret_x`) are untouched on failure.
 *
 * A conflict is a result and not an error; a bug is an assertion.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

#include "base/alloc.h"

enum error_kind {
	ERROR_NONE,
	ERROR_FAILED,  /* it did not work, and everything is as it was before */
	ERROR_INVALID, /* the request or its input is wrong; nothing was touched */
	ERROR_BUSY,    /* another operation holds the lock, or one is pending */
	ERROR_TEST,    /* a test command failed, and everything is as it was before */
};

struct error {
	enum error_kind kind;
	int errnum;    /* the errno that caused it, or 0 */
	char *message; /* what went wrong, and where */
	char *hint;    /* what to type next, or NULL */
};

#define ERROR_INIT ((struct error){0})

/* All of these return -1, for use in a return statement. */
int error_set(struct error *err, enum error_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int error_errno(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int error_prefix(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int error_hint(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Move everything out of `from`. */
int error_move(struct error *err, struct error *from);

/* The text of an errno in the style of our messages: "permission denied". */
const char *error_text(int errnum);

void error_release(struct error *err);
void error_clear(struct error *err);

#endif
