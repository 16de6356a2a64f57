#include "base/buf.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

char buf_empty[1];

size_t buf_reserve(struct buf *b, size_t len)
{
	size_t limit = b->max ? b->max : SIZE_MAX - 1;
	size_t need;

	if (len > limit - b->len)
		len = limit - b->len;
	need = b->len + len + 1;
	if (need > b->cap) {
		size_t cap = b->cap + b->cap / 2;

		if (cap < need)
			cap = need;
		if (cap < 64)
			cap = 64;
		b->data = xreallocarray(b->cap ? b->data : NULL, cap, 1);
		b->data[b->len] = '\0';
		b->cap = cap;
	}
	return len;
}

void buf_set_len(struct buf *b, size_t len)
{
	assert(len == b->len || len < b->cap);
	b->len = len;
	if (b->cap)
		b->data[len] = '\0';
}

void buf_shrink(struct buf *b)
{
	if (b->cap <= b->len + 1)
		return;
	b->data = xreallocarray(b->data, b->len + 1, 1);
	b->cap = b->len + 1;
}

void buf_append(struct buf *b, const void *data, size_t len)
{
	size_t room;

	if (!len)
		return;
	room = buf_reserve(b, len);
	if (room < len)
		b->overflow = true;
	memcpy(b->data + b->len, data, room);
	buf_set_len(b, b->len + room);
}

void buf_append_str(struct buf *b, const char *string)
{
	buf_append(b, string, strlen(string));
}

void buf_append_char(struct buf *b, char c)
{
	buf_append(b, &c, 1);
}

void buf_append_repeated(struct buf *b, char c, size_t count)
{
	size_t room = buf_reserve(b, count);

	if (room < count)
		b->overflow = true;
	memset(b->data + b->len, c, room);
	buf_set_len(b, b->len + room);
}

void buf_appendf(struct buf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_appendv(b, format, args);
	va_end(args);
}

void buf_appendv(struct buf *b, const char *format, va_list args)
{
	char *text;
	int len = vasprintf(&text, format, args);

	assert(len >= 0);
	buf_append(b, text, (size_t)len);
	free(text);
}

char *buf_take(struct buf *b)
{
	char *text = b->cap ? b->data : xmemdupz("", 0);

	*b = BUF_INIT_MAX(b->max);
	return text;
}

void buf_release(struct buf *b)
{
	if (b->cap)
		free(b->data);
}

void buf_clear(struct buf *b)
{
	size_t max = b->max;

	buf_release(b);
	*b = BUF_INIT_MAX(max);
}
