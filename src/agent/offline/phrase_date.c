#include <string.h>

#include "agent/offline/moment.h"
#include "agent/offline/phrase_parts.h"

int phrase_weekday(const char *word, bool *ret_short, bool *ret_plural)
{
	static const struct {
		const char *name;
		int day;
		bool is_short;
	} names[] = {
		{"sunday", 0, false},
		{"monday", 1, false},
		{"tuesday", 2, false},
		{"wednesday", 3, false},
		{"thursday", 4, false},
		{"friday", 5, false},
		{"saturday", 6, false},
		{"sun", 0, true},
		{"mon", 1, true},
		{"tue", 2, false},
		{"tues", 2, false},
		{"wed", 3, true},
		{"thu", 4, false},
		{"thur", 4, false},
		{"thurs", 4, false},
		{"fri", 5, false},
		{"sat", 6, true},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len = strlen(names[i].name);

		if (strncmp(word, names[i].name, len) != 0 ||
			(word[len] && strcmp(word + len, "s") != 0))
			continue;
		if (word[len] && len < strlen("sunday"))
			continue;
		*ret_short = names[i].is_short;
		*ret_plural = word[len] != '\0';
		return names[i].day;
	}
	return -1;
}

int phrase_month(const char *word)
{
	static const char *const names[] = {"january", "february", "march", "april", "may",
		"june", "july", "august", "september", "october", "november", "december"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(word, names[i]) ||
			(strlen(word) == 3 && !strncmp(word, names[i], 3)))
			return (int)i + 1;
	return strcmp(word, "sept") ? -1 : 9;
}

static void set(struct meaning *meaning, enum date_kind kind, int number)
{
	meaning->date = kind;
	meaning->number = number;
}

static size_t read_relative(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t after = words_are(words, at, "the day after tomorrow");

	if (!after)
		after = words_are(words, at, "day after tomorrow");
	if (after) {
		set(meaning, DATE_IN_DAYS, 2);
		return after;
	}
	if (words_is(words, at, "tonight") && !meaning->part) {
		set(meaning, DATE_IN_DAYS, 0);
		meaning->part = PART_TONIGHT;
		return 1;
	}
	if (words_is(words, at, "today")) {
		set(meaning, DATE_IN_DAYS, 0);
		return 1;
	}
	if (words_is(words, at, "tomorrow|tomorow|tommorow|tommorrow|tmrw")) {
		set(meaning, DATE_IN_DAYS, 1);
		return 1;
	}
	if (words_are(words, at, "next week")) {
		set(meaning, DATE_NEXT_WEEK, 0);
		return 2;
	}
	if (words_are(words, at, "next month")) {
		set(meaning, DATE_NEXT_MONTH, 0);
		return 2;
	}
	return 0;
}

static size_t read_weekend(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t len = words_are(words, at, "this weekend");

	if (!len)
		len = words_are(words, at, "the weekend");
	if (len)
		set(meaning, DATE_WEEKEND, 0);
	return len;
}

static int read_year(const struct words *words, size_t at)
{
	const char *text = words_at(words, at);

	return strlen(text) == 4 && strspn(text, "0123456789") == 4 &&
			       words_digits(text) >= 1970
		       ? words_digits(text)
		       : 0;
}

static bool is_date(int day, int month, int year)
{
	/* The 29th of February of some year. */
	return month >= 1 && month <= 12 && day >= 1 &&
	       day <= civil_month_length(year ? year : 2000, month);
}

static size_t full(struct meaning *meaning, int day, int month, int year, size_t len)
{
	if (!is_date(day, month, year))
		return 0;
	set(meaning, DATE_FULL, day);
	meaning->month = month;
	meaning->year = year;
	return len;
}

/* "march 3rd", "march 3, 2027" */
static size_t read_month_first(const struct words *words, size_t at, struct meaning *meaning)
{
	int month = phrase_month(words_at(words, at));
	size_t the = words_is(words, at + 1, "the") ? 1 : 0;
	int day = words_ordinal(words, at + 1 + the);
	int year = read_year(words, at + 2 + the);

	if (day < 0 && words_at(words, at + 1)[0] < ':')
		day = words_number(words, at + 1);
	if (month < 0 || day < 0)
		return 0;
	return full(meaning, day, month, year, 2 + the + (year ? 1 : 0));
}

/* "the 3rd", "3rd of march", "3 march 2027" */
static size_t read_day_first(
	const struct words *words, size_t at, bool told, struct meaning *meaning)
{
	size_t the = words_is(words, at, "the") ? 1 : 0;
	int day = words_ordinal(words, at + the);
	bool ordinal = day > 0;
	size_t of = words_is(words, at + the + 1, "of") ? 1 : 0;
	int month = phrase_month(words_at(words, at + the + 1 + of));
	int year = month > 0 ? read_year(words, at + the + 2 + of) : 0;

	if (!ordinal)
		day = words_number(words, at + the);
	if (month > 0 && day > 0)
		return full(meaning, day, month, year, the + of + 2 + (year ? 1 : 0));
	/* "the second" of something, unless it was "on the second". */
	if (!ordinal || !the || !told || day > 31)
		return 0;
	set(meaning, DATE_DAY, day);
	if (words_are(words, at + 2, "of the month") ||
		words_are(words, at + 2, "of this month"))
		return 5;
	return 2;
}

/* "25/12/2026": `count` numbers with this in between, and nothing else. */
static bool read_numbers(const char *text, const char *separators, int *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strspn(text, "0123456789");

		if (!len || len > 4)
			return false;
		numbers[i] = words_digits(text);
		text += len;
		if (i + 1 < count && *text++ != separators[i])
			return false;
	}
	return !*text;
}

static size_t slashes(const char *text, struct meaning *meaning)
{
	int n[3] = {0};

	if (!read_numbers(text, "//", n, 3)) {
		n[2] = 0;
		if (!read_numbers(text, "/", n, 2))
			return 0;
	} else if (n[2] < 1970) {
		return 0;
	}
	if (n[0] >= 1 && n[1] >= 1 && n[0] <= 12 && n[1] <= 12 && n[0] != n[1]) {
		meaning->cannot = "I cannot tell which of the two numbers is the month; please "
				  "write it as a word, such as '3 April'.";
		return full(meaning, 1, 1, 0, 1);
	}
	return n[1] > 12 ? full(meaning, n[1], n[0], n[2], 1)
			 : full(meaning, n[0], n[1], n[2], 1);
}

/* "2026-12-25t18:00" */
static size_t read_date_and_clock(const char *text, struct meaning *meaning)
{
	int n[6] = {0};

	if (meaning->has_clock ||
		(!read_numbers(text, "--t:", n, 5) && !read_numbers(text, "--t::", n, 6)))
		return 0;
	if (n[0] < 1970 || n[3] > 23 || n[4] > 59 || !full(meaning, n[2], n[1], n[0], 1))
		return 0;
	meaning->has_clock = true;
	meaning->hour = n[3];
	meaning->minute = n[4];
	return 1;
}

/* "2026-12-25", "25.12.", "25.12.2026", "25/12/2026" */
static size_t read_numeric(
	const struct words *words, size_t at, bool told, struct meaning *meaning)
{
	const char *text = words_at(words, at);
	int n[3];

	if (read_numbers(text, "--", n, 3))
		return n[0] >= 1970 ? full(meaning, n[2], n[1], n[0], 1) : 0;
	if (read_numbers(text, "..", n, 3))
		return n[2] >= 1970 ? full(meaning, n[0], n[1], n[2], 1) : 0;
	if ((words->list[at].dot || told) && read_numbers(text, ".", n, 2))
		return full(meaning, n[0], n[1], 0, 1);
	if (read_date_and_clock(text, meaning))
		return 1;
	return slashes(text, meaning);
}

/* A date with its month: what may stand behind a day of the week. */
static bool read_full(
	const struct words *words, size_t at, struct meaning *meaning, size_t *ret_len)
{
	size_t the = words_is(words, at, "the") ? 1 : 0;
	size_t len = read_month_first(words, at, meaning);

	if (!len && words_number(words, at + the) + words_ordinal(words, at + the) > -2)
		len = read_day_first(words, at, false, meaning);
	if (!len && at < words->count)
		len = read_numeric(words, at, false, meaning);
	*ret_len = len;
	return len > 0;
}

static size_t read_weekday(
	const struct words *words, size_t at, bool told, struct meaning *meaning)
{
	bool next = words_is(words, at, "next");
	size_t prefix =
		next || words_is(words, at, "this|coming") || words_are(words, at, "the coming")
			? 1
			: 0;
	bool is_short;
	bool plural;
	size_t len;
	int day;

	if (words_are(words, at, "the coming"))
		prefix = 2;
	day = phrase_weekday(words_at(words, at + prefix), &is_short, &plural);
	/* "in the sun" and "has sat" are no days. */
	if (day < 0 || plural || (is_short && !told && !prefix && !meaning->front))
		return 0;
	prefix++;
	if (words_are(words, at + prefix, "next week")) {
		next = true;
		prefix += 2;
	}
	if (!next && read_full(words, at + prefix, meaning, &len)) {
		meaning->weekday = day + 1;
		return prefix + len;
	}
	set(meaning, next ? DATE_NEXT_WEEKDAY : DATE_WEEKDAY, day);
	return prefix;
}

/* "in 3 days", "a week from now", "in 2 months" */
static size_t read_span_of_days(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t in = words_is(words, at, "in|within") ? 1 : 0;
	struct span span;
	size_t len = phrase_read_span(words, at + in, &span);
	size_t behind = words_are(words, at + in + len, "from now");

	if (!behind)
		behind = words_are(words, at + in + len, "from today");
	if (!len || (!in && !behind) || span.seconds || (span.days && span.months))
		return 0;
	set(meaning, span.months ? DATE_IN_MONTHS : DATE_IN_DAYS,
		span.months ? span.months : span.days);
	meaning->keeps_clock = true;
	return in + len + (in ? 0 : behind);
}

/* Behind "at": "at the weekend", "at 2026-12-25T18:00"; a number there is a clock. */
static size_t read_behind_at(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t len = read_weekend(words, at, meaning);

	return len ? len : read_date_and_clock(words_at(words, at), meaning);
}

static size_t read_date(
	const struct words *words, size_t at, bool told, struct meaning *meaning)
{
	size_t len = read_relative(words, at, meaning);

	if (!len)
		len = read_weekend(words, at, meaning);
	if (!len)
		len = read_weekday(words, at, told, meaning);
	if (!len)
		len = read_month_first(words, at, meaning);
	if (!len)
		len = read_day_first(words, at, told || meaning->repeat, meaning);
	if (!len && at < words->count)
		len = read_numeric(words, at, told, meaning);
	return len;
}

size_t phrase_date(const struct words *words, size_t at, struct meaning *meaning)
{
	bool on = words_is(words, at, "on|by");
	size_t prefix = on || words_is(words, at, "for|at") ? 1 : 0;
	size_t len;

	if (meaning->date)
		return 0;
	if (words_is(words, at, "at"))
		len = read_behind_at(words, at + 1, meaning);
	else
		len = read_date(words, at + prefix, on || (prefix && meaning->front), meaning);
	if (!len && !prefix)
		len = read_span_of_days(words, at, meaning);
	return len ? len + prefix : 0;
}
