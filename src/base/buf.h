/*
 * A growing buffer for text or bytes.
 *
 *	CLEANUP(buf_release) struct buf out = BUF_INIT;
 *	buf_append_str(&out, "name: ");
 *	buf_appendf(&out, "%d\n", number);
 *	puts(out.data);
 *
 * `data` is never NULL and always ends in a NUL that `len` does not count, so
 * it can be used as a C string. It moves when the buffer grows.
 *
 * A buffer that outside input can fill needs a maximum:
 *
 *	struct buf reply = BUF_INIT_MAX(64 * 1024);
 *
 * Bytes beyond the maximum are dropped and `overflow` is set for good; the code that fills such
 * a buffer has to check it. A buffer without a maximum cannot overflow.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"

struct buf {
	char *data;
	size_t len;
	size_t cap; /* 0: `data` is not allocated */
	size_t max; /* 0: no maximum */
	bool overflow;
};

extern char buf_empty[];

#define BUF_INIT              ((struct buf){.data = buf_empty})
#define BUF_INIT_MAX(maximum) ((struct buf){.data = buf_empty, .max = (maximum)})

void buf_append(struct buf *b, const void *data, size_t len);
void buf_append_str(struct buf *b, const char *string);
void buf_append_char(struct buf *b, char c);
void buf_append_repeated(struct buf *b, char c, size_t count);
void buf_appendf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_appendv(struct buf *b, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/*
 * Room for `len` more bytes after the end, for a read() into `data + len`; the
 * caller sets the new length and the NUL with buf_set_len().
 * Returns how many bytes there is room for: less than asked at the maximum.
 */
size_t buf_reserve(struct buf *b, size_t len);
void buf_set_len(struct buf *b, size_t len);

/* The content as an allocated string; the buffer is empty afterwards. */
char *buf_take(struct buf *b);

/* Give back the room after the end, for a buffer that is kept. */
void buf_shrink(struct buf *b);

void buf_release(struct buf *b);
void buf_clear(struct buf *b);

#endif
