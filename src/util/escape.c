#include "util/escape.h"

void escape_append(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			buf_append_str(out, "\\n");
		else if (*text == '\\')
			buf_append_str(out, "\\\\");
		else
			buf_append_char(out, *text);
	}
}

char *escape_undo(struct view text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		if (c == '\\' && i + 1 < text.len)
			c = text.data[++i] == 'n' ? '\n' : '\\';
		buf_append_char(&out, c);
	}
	return buf_take(&out);
}
