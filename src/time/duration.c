#include "time/duration.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static const struct unit {
	const char *name;
	int64_t ms;
	bool of_day; /* in ISO 8601 it comes after the T */
} units[] = {
	{"s", SECOND, true},
	{"m", MINUTE, true},
	{"h", HOUR, true},
	{"d", DAY, false},
	{"w", 7 * DAY, false},
	{"sec", SECOND, true},
	{"second", SECOND, true},
	{"min", MINUTE, true},
	{"minute", MINUTE, true},
	{"hour", HOUR, true},
	{"day", DAY, false},
	{"week", 7 * DAY, false},
};

/* Cut the letters off the beginning; in ISO 8601 only one. */
static struct view take_word(struct view *text, bool iso)
{
	size_t len = 0;
	struct view word;

	while (len < text->len && (text->data[len] | 0x20) >= 'a' &&
		(text->data[len] | 0x20) <= 'z' && !(iso && len))
		len++;
	word = view_slice(*text, 0, len);
	*text = view_slice(*text, len, text->len);
	return word;
}

/* In upper or lower case, and with an s at its end. */
static const struct unit *find_unit(struct view word)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t len = strlen(units[i].name);
		bool many = len > 1 && word.len == len + 1 && (word.data[len] | 0x20) == 's';

		if ((word.len == len || many) && !strncasecmp(word.data, units[i].name, len))
			return &units[i];
	}
	return NULL;
}

static void skip_spaces(struct view *text)
{
	while (text->len && text->data[0] == ' ')
		*text = view_slice(*text, 1, text->len);
}

/* Cut the digits off the beginning. */
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

static bool duration_read_units(struct view text, bool iso, int64_t *ret_ms)
{
	int64_t total = 0;
	int64_t last = INT64_MAX;
	bool after_t = false;

	while (text.len) {
		const struct unit *unit;
		int64_t number;

		if (iso && !after_t && (text.data[0] | 0x20) == 't') {
			after_t = true;
			text = view_slice(text, 1, text.len);
		}
		if (!take_number(&text, &number))
			return false;
		if (!iso)
			skip_spaces(&text);
		unit = find_unit(take_word(&text, iso));
		/* From large to small: 5m3h is likely a mistake. */
		if (!unit || unit->ms >= last || (iso && unit->of_day != after_t) ||
			number > DURATION_MAX / unit->ms)
			return false;
		total += number * unit->ms;
		last = unit->ms;
		if (!iso)
			skip_spaces(&text);
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
		!duration_read_units(view_slice(trimmed, iso, trimmed.len), iso, &ms)) {
		CLEANUP(freep) char *shown = quote(trimmed);

		error_set(err, ERROR_INVALID, "%s is not a duration", shown);
		return error_hint(err, "write it as 30s, 15m, 2h, 1d, 1w or 1h30m");
	}
	if (ms > DURATION_MAX)
		return error_set(err, ERROR_INVALID, "more than ten years is too long");
	*ret_ms = ms;
	return 0;
}
