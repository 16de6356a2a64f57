#include <stdlib.h>
#include <string.h>

#include "agent/offline/phrase_parts.h"

struct unit {
	const char *names;
	int seconds;
	int days;
	int months;
};

static const struct unit units[] = {
	{"second|seconds|sec|secs|s", 1, 0, 0},
	{"minute|minutes|min|mins|m", 60, 0, 0},
	{"hour|hours|hr|hrs|h", 3600, 0, 0},
	{"day|days|d", 0, 1, 0},
	{"week|weeks|w|wk|wks", 0, 7, 0},
	{"fortnight|fortnights", 0, 14, 0},
	{"month|months", 0, 0, 1},
	{"year|years", 0, 0, 12},
};

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		struct view rest = view_of(units[i].names);
		struct view one;

		while (*name && view_next(&rest, '|', &one))
			if (view_equal_str(one, name))
				return &units[i];
	}
	return NULL;
}

static void add(struct span *span, const struct unit *unit, int64_t number)
{
	span->seconds += number * unit->seconds;
	span->days += (int)number * unit->days;
	span->months += (int)number * unit->months;
}

/* "90s", "2h", "1h30m", "1h30", "1.5h": in one word. */
static bool read_joined(const char *text, struct span *span)
{
	const struct unit *last = NULL;

	while (*text) {
		char *end;
		long number = strtol(text, &end, 10);
		char name[8] = "";
		size_t len = strspn(end, "abcdefghijklmnopqrstuvwxyz");

		if (end == text || number < 0 || number > SPAN_MAX_NUMBER ||
			len >= sizeof(name))
			return false;
		memcpy(name, end, len);
		/* The number behind the hours of "1h30" is minutes. */
		if (!len && (!last || last->seconds != 3600 || end[len]))
			return false;
		last = find_unit(len ? name : "m");
		if (!last)
			return false;
		add(span, last, number);
		text = end + len;
	}
	return last != NULL;
}

/* "1.5 hours", "2.5": `*ret_tenths` of one. */
static bool read_decimal(const char *text, int64_t *ret_hundredths)
{
	size_t len = strspn(text, "0123456789");
	size_t more =
		text[len] == '.' || text[len] == ',' ? strspn(text + len + 1, "0123456789") : 0;
	int fraction;

	if (!len || len > 4 || !more || more > 2 || text[len + 1 + more])
		return false;
	fraction = words_digits(text + len + 1) * (more == 1 ? 10 : 1);
	*ret_hundredths = (int64_t)words_digits(text) * 100 + fraction;
	return true;
}

/* "half an hour", "a quarter of an hour", "three quarters of an hour" */
static size_t read_fraction(const struct words *words, size_t at, struct span *span)
{
	static const struct {
		const char *words;
		int seconds;
	} fractions[] = {
		{"half an hour", 1800},
		{"half a minute", 30},
		{"half hour", 1800},
		{"a half hour", 1800},
		{"a quarter of an hour", 900},
		{"quarter of an hour", 900},
		{"quarter hour", 900},
		{"a quarter hour", 900},
		{"three quarters of an hour", 2700},
		{"half a day", 43200},
	};

	for (size_t i = 0; i < ARRAY_SIZE(fractions); i++) {
		size_t len = words_are(words, at, fractions[i].words);

		if (len) {
			span->seconds += fractions[i].seconds;
			return len;
		}
	}
	return 0;
}

/* A number before a unit: "20", "twenty", "an", "a couple of". */
static size_t read_count(const struct words *words, size_t at, int64_t *ret_hundredths)
{
	int number = words_number(words, at);
	size_t len;

	if (words_is(words, at, "a|an")) {
		len = words_are(words, at, "a couple of");
		if (!len)
			len = words_are(words, at, "a couple");
		*ret_hundredths = len ? 200 : 100;
		return len ? len : 1;
	}
	if (read_decimal(words_at(words, at), ret_hundredths))
		return 1;
	if (number < 0 || number > SPAN_MAX_NUMBER)
		return 0;
	*ret_hundredths = (int64_t)number * 100;
	len = words_are(words, at + 1, "and a half");
	if (len)
		*ret_hundredths += 50;
	return 1 + len;
}

static bool add_hundredths(struct span *span, const struct unit *unit, int64_t hundredths)
{
	if (hundredths % 100 == 0) {
		add(span, unit, hundredths / 100);
		return true;
	}
	/* One and a half days are hours; half a month is nothing definite. */
	if (unit->months)
		return false;
	span->seconds += hundredths * (unit->seconds + unit->days * 86400) / 100;
	return true;
}

static size_t read_one(const struct words *words, size_t at, struct span *span)
{
	size_t len = read_fraction(words, at, span);
	const struct unit *unit;
	int64_t hundredths;

	if (len)
		return len;
	if (read_joined(words_at(words, at), span))
		return 1;
	len = read_count(words, at, &hundredths);
	unit = len ? find_unit(words_at(words, at + len)) : NULL;
	if (!unit || !add_hundredths(span, unit, hundredths))
		return 0;
	len++;
	/* "an hour and a half" */
	if (words_are(words, at + len, "and a half") && unit->seconds) {
		span->seconds += unit->seconds / 2;
		len += 3;
	}
	return len;
}

size_t phrase_read_span(const struct words *words, size_t at, struct span *ret_span)
{
	struct span span = {0};
	size_t len = read_one(words, at, &span);

	while (len) {
		size_t and = words_is(words, at + len, "and") ? 1 : 0;
		struct span longer = span;
		size_t more = read_one(words, at + len + and, &longer);

		if (!more || len > 12)
			break;
		span = longer;
		len += and+more;
	}
	if (len)
		*ret_span = span;
	return len;
}

size_t phrase_span(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t in = words_is(words, at, "in|within|after") ? 1 : 0;
	struct span span;
	size_t len;
	size_t behind;

	if (meaning->repeat || meaning->date || meaning->has_clock || meaning->part)
		return 0;
	if (in && (words_are(words, at + 1, "a few") || words_are(words, at + 1, "some") ||
			  words_is(words, at + 1, "several"))) {
		len = words_is(words, at + 1, "a") ? 3 : 2;
		if (!find_unit(words_at(words, at + len)))
			return 0;
		meaning->cannot = "I need a number, such as 'in 5 minutes'.";
		meaning->has_span = true;
		return len + 1;
	}
	len = phrase_read_span(words, at + in, &span);
	behind = words_are(words, at + in + len, "from now");
	if (!len || (!in && !behind) || !span.seconds || span.months)
		return 0;
	meaning->has_span = true;
	meaning->seconds = span.seconds + (int64_t)span.days * 86400;
	return in + len + (in ? 0 : behind);
}
