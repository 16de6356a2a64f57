#include "base/quote.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

static void append_escaped(struct buf *b, unsigned char c)
{
	static const char letters[] = "abtnvfr";

	if (c == '\'' || c == '\\')
		buf_appendf(b, "\\%c", c);
	else if (c >= '\a' && c <= '\r')
		buf_appendf(b, "\\%c", letters[c - '\a']);
	else
		buf_appendf(b, "\\%03o", c);
}

/* Escape characters in `special` and characters that are not printable. */
static void append_safe(struct buf *b, struct view text, const char *special)
{
	while (text.len) {
		uint32_t code = 0;
		size_t len = utf8_decode(text, &code);

		if (len && utf8_printable(code) && !strchr(special, text.data[0])) {
			buf_append(b, text.data, len);
		} else {
			len = len ? len : 1;
			for (size_t i = 0; i < len; i++)
				append_escaped(b, (unsigned char)text.data[i]);
		}
		text = view_slice(text, len, text.len);
	}
}

void quote_append(struct buf *b, struct view text)
{
	buf_append_char(b, '\'');
	append_safe(b, text, "'\\");
	buf_append_char(b, '\'');
}

char *quote_command(struct view text)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT;

	append_safe(&b, text, "");
	return buf_take(&b);
}

char *quote_text(struct view text)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT;

	while (text.len) {
		size_t len = 0;

		while (len < text.len && !strchr("\n\t", text.data[len]))
			len++;
		append_safe(&b, view_slice(text, 0, len), "");
		if (len < text.len)
			buf_append_char(&b, text.data[len++]);
		text = view_slice(text, len, text.len);
	}
	return buf_take(&b);
}

char *quote_start(struct view text)
{
	return quote(view_slice(text, 0, text.len < 60 ? text.len : 60));
}

char *quote(struct view text)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT;

	quote_append(&b, text);
	return buf_take(&b);
}

int quote_errno(struct error *err, const char *what, const char *path)
{
	int errnum = errno;
	CLEANUP(freep) char *shown = quote(view_of(path));

	errno = errnum;
	return error_errno(err, "cannot %s %s", what, shown);
}

int quote_errno_typed(struct error *err, const char *what, const char *path)
{
	quote_errno(err, what, path);
	err->kind = ERROR_INVALID;
	return -1;
}
