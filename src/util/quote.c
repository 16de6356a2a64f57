#include "util/quote.h"

#include <stdint.h>
#include <string.h>

/* The length of the UTF-8 character at the start of `text`, or 0 if there is none. */
static size_t decode(struct view text, uint32_t *ret_code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)text.data;
	uint32_t code;
	size_t len;

	if (p[0] < 0x80) {
		len = 1;
		code = p[0];
	} else if ((p[0] & 0xe0) == 0xc0) {
		len = 2;
		code = p[0] & 0x1f;
	} else if ((p[0] & 0xf0) == 0xe0) {
		len = 3;
		code = p[0] & 0x0f;
	} else if ((p[0] & 0xf8) == 0xf0) {
		len = 4;
		code = p[0] & 0x07;
	} else {
		return 0;
	}
	if (len > text.len)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < smallest[len] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return len;
}

static bool is_harmless(uint32_t code)
{
	return code >= 0x20 && (code < 0x7f || code > 0x9f) && /* C0, DEL, C1 */
	       code != 0x061c && code != 0x200e && code != 0x200f &&
	       (code < 0x2028 || code > 0x202e) && /* separators, embeddings, overrides */
	       (code < 0x2066 || code > 0x2069);   /* isolates */
}

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

void quote_append(struct buf *b, struct view text)
{
	buf_append_char(b, '\'');
	while (text.len) {
		uint32_t code = 0;
		size_t len = decode(text, &code);

		if (len && is_harmless(code) && code != '\'' && code != '\\') {
			buf_append(b, text.data, len);
		} else {
			len = len ? len : 1;
			for (size_t i = 0; i < len; i++)
				append_escaped(b, (unsigned char)text.data[i]);
		}
		text = view_slice(text, len, text.len);
	}
	buf_append_char(b, '\'');
}

char *quote(struct view text)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT;

	quote_append(&b, text);
	return buf_take(&b);
}
