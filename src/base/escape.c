#include "base/escape.h"

#include "base/utf8.h"

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

void escape_xml(struct buf *out, struct view text)
{
	while (text.len) {
		uint32_t c = 0;
		size_t len = utf8_decode(text, &c);
		bool allowed = c == '\t' || c == '\n' || (c >= 0x20 && c <= 0xd7ff) ||
			       (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000;

		if (c == '&')
			buf_append_str(out, "&amp;");
		else if (c == '<')
			buf_append_str(out, "&lt;");
		else if (c == '>')
			buf_append_str(out, "&gt;");
		else if (c == '"')
			buf_append_str(out, "&quot;");
		else if (c == '\r')
			buf_append_str(out, "&#13;");
		else if (len && allowed)
			buf_append(out, text.data, len);
		else
			buf_append_char(out, '?');
		text = view_slice(text, len ? len : 1, text.len);
	}
}
