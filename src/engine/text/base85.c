#include "engine/text/base85.h"

#include <stdint.h>
#include <string.h>

#define BYTES_PER_LINE  52
#define BYTES_PER_GROUP 4
#define GROUP           5

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			     "!#$%&()*+-;<=>?@^_`{|}~";

_Static_assert(sizeof(digits) == 85 + 1, "85 digits");

void base85_append(struct buf *out, struct view data)
{
	while (data.len) {
		size_t len = data.len < BYTES_PER_LINE ? data.len : BYTES_PER_LINE;

		buf_append_char(out, (char)(len <= 26 ? 'A' + len - 1 : 'a' + len - 27));
		/* A group that is cut off at the end is filled up with zeros. */
		for (size_t at = 0; at < len; at += BYTES_PER_GROUP) {
			char group[GROUP];
			uint32_t value = 0;

			for (size_t i = at; i < at + BYTES_PER_GROUP; i++)
				value = value << 8 |
					(i < len ? (unsigned char)data.data[i] : 0);
			for (size_t i = GROUP; i-- > 0; value /= 85)
				group[i] = digits[value % 85];
			buf_append(out, group, sizeof(group));
		}
		buf_append_char(out, '\n');
		data = view_slice(data, len, data.len);
	}
}

static bool read_group(const char *text, uint32_t *ret_value)
{
	uint64_t value = 0;

	for (size_t i = 0; i < GROUP; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;

		if (!digit)
			return false;
		value = value * 85 + (uint64_t)(digit - digits);
	}
	if (value > UINT32_MAX)
		return false;
	*ret_value = (uint32_t)value;
	return true;
}

bool base85_undo(struct view line, struct buf *out)
{
	char letter = line.len ? line.data[0] : '\0';
	size_t len = 0, groups;

	if (letter >= 'A' && letter <= 'Z')
		len = (size_t)(letter - 'A') + 1;
	else if (letter >= 'a' && letter <= 'z')
		len = (size_t)(letter - 'a') + 27;
	groups = (len + BYTES_PER_GROUP - 1) / BYTES_PER_GROUP;
	if (!len || line.len != 1 + groups * GROUP)
		return false;
	for (size_t i = 0; i < groups; i++) {
		size_t count = len - i * BYTES_PER_GROUP;
		unsigned char bytes[BYTES_PER_GROUP];
		uint32_t value;

		if (!read_group(line.data + 1 + i * GROUP, &value))
			return false;
		for (size_t j = 0; j < BYTES_PER_GROUP; j++)
			bytes[j] = (unsigned char)(value >> (24 - 8 * j));
		buf_append(out, bytes, count < BYTES_PER_GROUP ? count : BYTES_PER_GROUP);
	}
	return true;
}
