#include <ctype.h>
#include <string.h>

#include "base/string_array.h"
#include "base/utf8.h"
#include "channels/irc/line.h"

/* Codes that turn formatting on and off; 3 and 4 have a color behind them. */
#define FORMATTING "\x02\x03\x04\x0f\x11\x16\x1d\x1e\x1f"

/* --- what comes in ----------------------------------------------------------- */

static const char *skip_digits(const char *at, int most, int (*is_digit)(int))
{
	while (most-- && is_digit((unsigned char)*at))
		at++;
	return at;
}

/* Behind a formatting code and its colors: "\x03" "4,12" */
static const char *skip_code(const char *at)
{
	char code = *at++;
	int most = code == 3 ? 2 : 6;
	int (*is_digit)(int) = code == 3 ? isdigit : isxdigit;
	const char *end;

	if (code != 3 && code != 4)
		return at;
	end = skip_digits(at, most, is_digit);
	if (end > at && *end == ',' && is_digit((unsigned char)end[1]))
		end = skip_digits(end + 1, most, is_digit);
	return end;
}

void irc_text_plain(const char *text, struct buf *out)
{
	while (*text) {
		uint32_t character;
		size_t len = utf8_decode(view_of(text), &character);

		if (strchr(FORMATTING, *text)) {
			text = skip_code(text);
		} else if (!len) {
			buf_append_str(out, UTF8_REPLACEMENT);
			text++;
		} else {
			if (character >= ' ' || character == '\t')
				buf_append(out, text, len);
			text += len;
		}
	}
}

/* --- what goes out ----------------------------------------------------------- */

/* How much of a line fits: up to a space, unless that would waste half of it. */
static size_t line_cut(struct view line, size_t max)
{
	size_t cut = max;
	size_t space;

	if (line.len <= max)
		return line.len;
	while (cut > 1 && ((unsigned char)line.data[cut] & 0xc0) == 0x80)
		cut--;
	for (space = cut; space > max / 2; space--)
		if (line.data[space] == ' ')
			return space;
	return cut;
}

static void line_clean(struct view line, struct buf *out)
{
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.data[i];

		if (c >= ' ' || (c && strchr(FORMATTING, c)))
			buf_append_char(out, (char)c);
		else if (c == '\t')
			buf_append_char(out, ' ');
	}
}

void irc_text_lines(struct view text, size_t max, struct string_array *ret_lines)
{
	CLEANUP(buf_release) struct buf all = BUF_INIT;
	struct view rest;
	struct view line;

	for (size_t i = 0; i < text.len; i++)
		buf_append_char(&all, text.data[i] == '\r' ? '\n' : text.data[i]);
	rest = view_of_buf(&all);
	while (view_next(&rest, '\n', &line)) {
		CLEANUP(buf_release) struct buf clean = BUF_INIT;
		struct view left;

		line_clean(line, &clean);
		left = view_of_buf(&clean);
		while (view_trim(left).len) {
			size_t cut = line_cut(left, max);

			string_array_addf(ret_lines, "%.*s", (int)cut, left.data);
			left = view_slice(left, cut, left.len);
			if (left.len && *left.data == ' ')
				left = view_slice(left, 1, left.len);
		}
	}
}
