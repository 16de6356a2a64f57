#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char *__attribute__((format(printf, 1, 0)))
format_message(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		return xstrdup(format);
	return text;
}

int error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
	va_list args;

	if (err->kind != ERROR_NONE)
		return -1;
	va_start(args, format);
	err->message = format_message(format, args);
	va_end(args);
	err->kind = kind;
	return -1;
}

int error_errno(struct error *err, const char *format, ...)
{
	int errnum = errno;
	CLEANUP(freep) char *what = NULL;
	va_list args;

	if (err->kind != ERROR_NONE)
		return -1;
	va_start(args, format);
	what = format_message(format, args);
	va_end(args);
	err->message = xasprintf("%s: %s", what, error_text(errnum));
	err->kind = ERROR_FAILED;
	err->errnum = errnum;
	return -1;
}

int error_move(struct error *err, struct error *from)
{
	if (err->kind != ERROR_NONE)
		return -1;
	*err = *from;
	*from = ERROR_INIT;
	return -1;
}

int error_prefix(struct error *err, const char *format, ...)
{
	CLEANUP(freep) char *old = TAKE(err->message);
	CLEANUP(freep) char *where = NULL;
	va_list args;

	va_start(args, format);
	where = format_message(format, args);
	va_end(args);
	err->message = xasprintf("%s: %s", where, old ? old : "failed");
	return -1;
}

int error_hint(struct error *err, const char *format, ...)
{
	char *before = err->hint;
	va_list args;

	/* It may be among the arguments. */
	va_start(args, format);
	err->hint = format_message(format, args);
	va_end(args);
	free(before);
	return -1;
}

const char *error_text(int errnum)
{
	static _Thread_local char text[128];

	if (errnum == ENOSPC)
		return "the disk is full";
	if (errnum == EDQUOT)
		return "the disk quota is used up";
	snprintf(text, sizeof(text), "%s", strerror(errnum));
	/* "Is a directory" becomes lower case, "RPC failed" stays. */
	if (isupper((unsigned char)text[0]) && !isupper((unsigned char)text[1]))
		text[0] = (char)tolower((unsigned char)text[0]);
	return text;
}

void error_release(struct error *err)
{
	free(err->message);
	free(err->hint);
}

void error_clear(struct error *err)
{
	error_release(err);
	*err = ERROR_INIT;
}
