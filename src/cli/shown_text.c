#include "cli/shown_text.h"

#include <unistd.h>

#include "util/utf8.h"

bool shown_on_terminal(void)
{
	return isatty(STDOUT_FILENO);
}

void shown_append(struct buf *out, struct view line)
{
	uint32_t character = 0;

	while (line.len) {
		size_t len = utf8_decode(line, &character);

		if (!len)
			buf_appendf(out, "<%02X>", (unsigned char)line.data[0]);
		else if (character == '\t' || utf8_printable(character))
			buf_append(out, line.data, len);
		else if (character < 0x80)
			buf_appendf(out, "^%c", (char)(character ^ 0x40));
		else
			buf_appendf(out, "<U+%04X>", (unsigned)character);
		line = view_slice(line, len ? len : 1, line.len);
	}
}
