#include "base/utf8.h"

#include <assert.h>
#include <string.h>

#define EXCERPT_MAX 60

/* How long a character is by its first byte, and what that byte gives to it. */
static size_t sequence_len(unsigned char first, uint32_t *ret_bits)
{
	if (first < 0x80) {
		*ret_bits = first;
		return 1;
	}
	if (first >= 0xc2 && first < 0xe0) {
		*ret_bits = first & 0x1f;
		return 2;
	}
	if (first >= 0xe0 && first < 0xf0) {
		*ret_bits = first & 0x0f;
		return 3;
	}
	if (first >= 0xf0 && first < 0xf5) {
		*ret_bits = first & 0x07;
		return 4;
	}
	return 0;
}

size_t utf8_decode(struct view text, uint32_t *ret_character)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t c;
	size_t len;

	if (!text.len)
		return 0;
	len = sequence_len((unsigned char)text.data[0], &c);
	if (!len || len > text.len)
		return 0;
	for (size_t i = 1; i < len; i++) {
		unsigned char next = (unsigned char)text.data[i];

		if ((next & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (next & 0x3f);
	}
	if (c < smallest[len] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff)
		return 0;
	*ret_character = c;
	return len;
}

/* ASCII from `at` on, in steps of eight bytes. */
static size_t skip_ascii(struct view text, size_t at)
{
	uint64_t bytes;

	for (; text.len - at >= sizeof(bytes); at += sizeof(bytes)) {
		memcpy(&bytes, text.data + at, sizeof(bytes));
		if (bytes & 0x8080808080808080)
			break;
	}
	return at;
}

size_t utf8_valid_len(struct view text)
{
	size_t at = skip_ascii(text, 0);

	while (at < text.len) {
		uint32_t c;
		size_t len = utf8_decode(view_slice(text, at, text.len), &c);

		if (!len)
			break;
		at = skip_ascii(text, at + len);
	}
	return at;
}

bool utf8_valid(struct view text)
{
	return utf8_valid_len(text) == text.len;
}

bool utf8_printable(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0))
		return false;
	if (c == 0x061c || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e))
		return false;
	if ((c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c & 0xfffe) == 0xfffe)
		return false;
	return (c < 0xd800 || c > 0xdfff) && c <= 0x10ffff;
}

bool utf8_all_printable(struct view text)
{
	uint32_t character;

	while (text.len) {
		size_t len = utf8_decode(text, &character);

		if (!len || !utf8_printable(character))
			return false;
		text = view_slice(text, len, text.len);
	}
	return true;
}

void utf8_place(struct view text, size_t offset, size_t *ret_line, size_t *ret_column)
{
	size_t line = 1;
	size_t column = 1;

	assert(offset <= text.len);
	for (size_t i = 0; i < offset; i++) {
		unsigned char c = (unsigned char)text.data[i];
		bool before_lf = c == '\r' && i + 1 < text.len && text.data[i + 1] == '\n';

		if (c == '\n' || (c == '\r' && !before_lf)) {
			line++;
			column = 1;
		} else if ((c & 0xc0) != 0x80) {
			column++;
		}
	}
	*ret_line = line;
	*ret_column = column;
}

char *utf8_excerpt(struct view text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	size_t characters = 0;

	while (text.len && characters++ < EXCERPT_MAX) {
		uint32_t c = 0;
		size_t len = utf8_decode(text, &c);

		if (len && utf8_printable(c))
			buf_append(&out, text.data, len);
		else
			buf_append_char(&out, '?');
		text = view_slice(text, len ? len : 1, text.len);
	}
	if (text.len)
		buf_append_str(&out, "...");
	return buf_take(&out);
}
