#include "format/clean_text.h"

#include <string.h>

#include "base/utf8.h"

/* Valid characters, with every NUL replaced. */
static void clean_text_append_valid(struct buf *out, struct view text)
{
	const char *nul;

	while (text.len && (nul = memchr(text.data, '\0', text.len))) {
		buf_append(out, text.data, (size_t)(nul - text.data));
		buf_append_str(out, UTF8_REPLACEMENT);
		text = view_slice(text, (size_t)(nul - text.data) + 1, text.len);
	}
	buf_append(out, text.data, text.len);
}

void clean_text_append(struct buf *out, struct view bytes)
{
	while (bytes.len) {
		size_t len = utf8_valid_len(bytes);

		clean_text_append_valid(out, view_slice(bytes, 0, len));
		if (len < bytes.len) {
			buf_append_str(out, UTF8_REPLACEMENT);
			len++;
		}
		bytes = view_slice(bytes, len, bytes.len);
	}
}

size_t clean_text_cut(struct view text, size_t max)
{
	size_t at = max;

	if (text.len <= max)
		return text.len;
	/* At most three bytes of a character are before the cut. */
	while (at && max - at < 3 && ((unsigned char)text.data[at] & 0xc0) == 0x80)
		at--;
	return ((unsigned char)text.data[at] & 0xc0) == 0x80 ? max : at;
}

void clean_text_bound(struct buf *text, size_t max)
{
	struct buf valid = BUF_INIT;
	size_t len;

	clean_text_append(&valid, view_of_buf(text));
	if (valid.len > max) {
		const size_t note = 60;

		len = clean_text_cut(view_of_buf(&valid), max > note ? max - note : 0);
		size_t more = valid.len - len;

		buf_set_len(&valid, len);
		buf_appendf(&valid, "\n… (%zu more bytes are left out)", more);
	}
	buf_release(text);
	*text = valid;
}
