#include <string.h>

#include "markup/markup.h"

static const char *const names[] = {
	[MARKUP_BYTES] = "bytes",
	[MARKUP_UTF16] = "utf16",
	[MARKUP_CHARACTERS] = "characters",
};

bool markup_unit_find(const char *name, enum markup_unit *ret_unit)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i])) {
			*ret_unit = (enum markup_unit)i;
			return true;
		}
	return false;
}

/* A character begins with every byte that continues none; the longest are two UTF-16 units. */
size_t markup_length(struct view text, enum markup_unit unit)
{
	size_t length = 0;

	if (unit == MARKUP_BYTES)
		return text.len;
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		length += (c & 0xc0) != 0x80;
		length += unit == MARKUP_UTF16 && c >= 0xf0;
	}
	return length;
}
