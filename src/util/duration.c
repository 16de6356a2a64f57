#include "util/duration.h"

#include <stdbool.h>

#include "util/quote.h"

static int64_t unit_of(char letter)
{
	switch (letter | 0x20) {
	case 's':
		return 1000;
	case 'm':
		return 60 * 1000;
	case 'h':
		return 60 * 60 * 1000;
	case 'd':
		return 24 * 60 * 60 * 1000;
	case 'w':
		return 7 * 24 * 60 * 60 * 1000;
	default:
		return 0;
	}
}

/* The digits at the beginning, at most ten of them, which are taken off. */
static bool take_number(struct view *text, int64_t *ret_number)
{
	int64_t number = 0;
	size_t len = 0;

	while (len < text->len && len < 15 && text->data[len] >= '0' && text->data[len] <= '9')
		number = number * 10 + (text->data[len++] - '0');
	*text = view_slice(*text, len, text->len);
	*ret_number = number;
	return len > 0;
}

/* ISO 8601: days and weeks stand before the T, the others behind it. */
static bool stands_right(char letter, bool iso, bool behind_t)
{
	letter |= 0x20;
	return !iso || behind_t == (letter == 'h' || letter == 'm' || letter == 's');
}

static bool read_pieces(struct view text, bool iso, int64_t *ret_ms)
{
	int64_t total = 0;
	int64_t last = INT64_MAX;
	bool behind_t = false;

	while (text.len) {
		int64_t number;
		int64_t unit;

		if (iso && !behind_t && (text.data[0] | 0x20) == 't') {
			behind_t = true;
			text = view_slice(text, 1, text.len);
		}
		if (!take_number(&text, &number) || !text.len)
			return false;
		unit = unit_of(text.data[0]);
		/* From great to small, so that 5m3h is no riddle. */
		if (!unit || unit >= last || !stands_right(text.data[0], iso, behind_t) ||
			number > DURATION_MAX / unit)
			return false;
		total += number * unit;
		last = unit;
		text = view_slice(text, 1, text.len);
	}
	*ret_ms = total;
	return last != INT64_MAX;
}

int duration_parse(struct view text, int64_t *ret_ms, struct error *err)
{
	struct view trimmed = view_trim(text);
	struct view rest = trimmed;
	bool iso = trimmed.len && (trimmed.data[0] | 0x20) == 'p';
	int64_t ms;

	if ((!take_number(&rest, &ms) || rest.len) &&
		!read_pieces(view_slice(trimmed, iso, trimmed.len), iso, &ms)) {
		CLEANUP(freep) char *shown = quote(trimmed);

		error_set(err, ERROR_INVALID, "%s is no length of time", shown);
		return error_hint(err, "write it as 30s, 15m, 2h, 1d, 1w or 1h30m");
	}
	if (ms > DURATION_MAX)
		return error_set(err, ERROR_INVALID, "more than ten years is too long");
	*ret_ms = ms;
	return 0;
}
