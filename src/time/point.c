#include "time/point.h"

#include "base/quote.h"

/* Cut `len` digits off the beginning. */
static bool take_digits(struct view *text, size_t len, int *ret_number)
{
	int number = 0;

	if (text->len < len)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (text->data[i] < '0' || text->data[i] > '9')
			return false;
		number = number * 10 + (text->data[i] - '0');
	}
	*text = view_slice(*text, len, text->len);
	*ret_number = number;
	return true;
}

static bool take_fraction(struct view *text, int *ret_ms)
{
	int scale = 100;
	int digit;

	*ret_ms = 0;
	if (!view_take_char(text, '.') && !view_take_char(text, ','))
		return true;
	if (!take_digits(text, 1, &digit))
		return false;
	do {
		*ret_ms += digit * scale;
		scale /= 10;
	} while (take_digits(text, 1, &digit));
	return true;
}

static bool take_civil(struct view *text, struct civil *c, int *ret_ms)
{
	*ret_ms = 0;
	if (!take_digits(text, 4, &c->year) || !view_take_char(text, '-') ||
		!take_digits(text, 2, &c->month) || !view_take_char(text, '-') ||
		!take_digits(text, 2, &c->day))
		return false;
	if (!view_take_char(text, 'T') && !view_take_char(text, 't') &&
		!view_take_char(text, ' '))
		return false;
	if (!take_digits(text, 2, &c->hour) || !view_take_char(text, ':') ||
		!take_digits(text, 2, &c->minute))
		return false;
	if (view_take_char(text, ':') &&
		(!take_digits(text, 2, &c->second) || !take_fraction(text, ret_ms)))
		return false;
	return civil_is_valid(c);
}

/* Z, +01, +0100, +01:00; false if there is something else. */
static bool take_offset(struct view *text, int *ret_offset)
{
	bool west = text->len && text->data[0] == '-';
	int hours;
	int minutes = 0;

	*ret_offset = 0;
	if (view_take_char(text, 'Z') || view_take_char(text, 'z'))
		return true;
	if (!view_take_char(text, '+') && !view_take_char(text, '-'))
		return false;
	if (!take_digits(text, 2, &hours))
		return false;
	view_take_char(text, ':');
	if (text->len && !take_digits(text, 2, &minutes))
		return false;
	*ret_offset = (hours * 3600 + minutes * 60) * (west ? -1 : 1);
	return hours <= 23 && minutes <= 59;
}

static int point_error(struct view text, struct error *err)
{
	CLEANUP(freep) char *shown = quote(text);

	error_set(err, ERROR_INVALID, "%s is not a date with a time", shown);
	return error_hint(err, "write it as 2026-11-17T09:00, or with an offset: "
			       "2026-11-17T09:00+01:00");
}

int point_parse(struct view text, const struct zone *zone, int64_t *ret_ms, struct error *err)
{
	struct view rest = view_trim(text);
	struct civil civil = {0};
	int ms;
	int offset;
	int64_t seconds;

	if (!take_civil(&rest, &civil, &ms))
		return point_error(text, err);
	seconds = civil_seconds(&civil);
	if (!rest.len) {
		struct zone_instants instants = zone_instants(zone, seconds);

		*ret_ms = instants.first * 1000 + (instants.fit == ZONE_GAP ? 0 : ms);
		return 0;
	}
	if (!take_offset(&rest, &offset) || rest.len)
		return point_error(text, err);
	*ret_ms = (seconds - offset) * 1000 + ms;
	return 0;
}
