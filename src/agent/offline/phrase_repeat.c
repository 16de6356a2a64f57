#include <string.h>

#include "agent/offline/phrase_parts.h"

static void repeat(struct meaning *meaning, enum repeat_kind kind, unsigned days)
{
	meaning->repeat = kind;
	meaning->days = days;
}

static size_t cannot(struct meaning *meaning, const char *why, size_t len)
{
	meaning->cannot = why;
	meaning->repeat = REPEAT_DAYS;
	meaning->days = ALL_DAYS;
	return len;
}

/* --- days of the week -------------------------------------------------------- */

/* From one day to another, over the end of the week if need be. */
static unsigned range(int first, int last)
{
	unsigned days = 1U << last;

	for (int day = first; day != last; day = (day + 1) % 7)
		days |= 1U << day;
	return days;
}

/* "monday to friday", "mon-fri" */
static size_t read_range(const struct words *words, size_t at, unsigned *ret_days)
{
	const char *word = words_at(words, at);
	const char *hyphen = strchr(word, '-');
	char first_word[WORD_SIZE] = "";
	bool is_short, plural;
	int first, last;

	if (hyphen)
		memcpy(first_word, word, (size_t)(hyphen - word));
	else if (!words_is(words, at + 1, "to|through|thru|till|until|-|–"))
		return 0;
	first = phrase_weekday(hyphen ? first_word : word, &is_short, &plural);
	last = phrase_weekday(
		hyphen ? hyphen + 1 : words_at(words, at + 2), &is_short, &plural);
	if (first < 0 || last < 0 || first == last)
		return 0;
	*ret_days = range(first, last);
	return hyphen ? 1 : 3;
}

/* "monday", "mondays, wednesdays and fridays"; all of them plural if that is wanted. */
static size_t read_days(
	const struct words *words, size_t at, bool plural_only, unsigned *ret_days)
{
	unsigned days = 0;
	size_t len = read_range(words, at, ret_days);

	if (len)
		return len;
	for (;;) {
		size_t joined = days && words_is(words, at + len, "and|&|or") ? 1 : 0;
		bool is_short;
		bool plural;
		int day =
			phrase_weekday(words_at(words, at + len + joined), &is_short, &plural);

		if (day < 0 || (plural_only && !plural))
			break;
		days |= 1U << day;
		len += joined + 1;
	}
	*ret_days = days;
	return len;
}

static size_t read_kind_of_day(const struct words *words, size_t at, unsigned *ret_days)
{
	static const struct {
		const char *words;
		unsigned days;
	} kinds[] = {
		{"single day", ALL_DAYS},
		{"day of the week", ALL_DAYS},
		{"day", ALL_DAYS},
		{"weekday", WORKING_DAYS},
		{"weekdays", WORKING_DAYS},
		{"week day", WORKING_DAYS},
		{"workday", WORKING_DAYS},
		{"workdays", WORKING_DAYS},
		{"working day", WORKING_DAYS},
		{"business day", WORKING_DAYS},
		{"weekend", WEEKEND_DAYS},
		{"weekends", WEEKEND_DAYS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t len = words_are(words, at, kinds[i].words);

		if (len) {
			*ret_days = kinds[i].days;
			return len;
		}
	}
	return 0;
}

/* --- every … ----------------------------------------------------------------- */

static size_t every_other(const struct words *words, size_t at, struct meaning *meaning)
{
	unsigned days;
	bool other = words_is(words, at, "other|second|2nd|third|3rd|fourth|4th");
	bool counted = other || words_is(words, at, "last") || words_ordinal(words, at) > 0;
	size_t len = counted ? read_days(words, at + 1, false, &days) : 0;

	if (other && !len &&
		words_is(words, at + 1, "day|week|weekend|month|hour|year|weekday"))
		len = 1;
	if (!len)
		return 0;
	return cannot(meaning,
		"I cannot leave out every other time; I can do every day, every week on a day, "
		"or for example 'every 14 days', which counts from now.",
		1 + len);
}

static size_t every_part(const struct words *words, size_t at, struct meaning *meaning)
{
	enum day_part part = words_is(words, at, "morning")     ? PART_MORNING
			     : words_is(words, at, "afternoon") ? PART_AFTERNOON
			     : words_is(words, at, "evening")   ? PART_EVENING
			     : words_is(words, at, "night")     ? PART_NIGHT
								: PART_NONE;

	if (!part || meaning->part)
		return 0;
	meaning->part = part;
	repeat(meaning, REPEAT_DAYS, ALL_DAYS);
	return 1;
}

/* "3rd of the month", "march 3rd", "3rd of march", "month on …", "year on …" */
static size_t every_date(const struct words *words, size_t at, struct meaning *meaning)
{
	struct meaning date = {0};
	int day = words_ordinal(words, at);
	size_t len;

	if (words_is(words, at, "week|month|year")) {
		repeat(meaning,
			words_is(words, at, "week")    ? REPEAT_WEEKLY
			: words_is(words, at, "month") ? REPEAT_MONTHLY
						       : REPEAT_YEARLY,
			0);
		return 1;
	}
	len = phrase_date(words, at, &date);
	if (len && date.date == DATE_FULL && !date.year && !meaning->date && !date.cannot) {
		repeat(meaning, REPEAT_YEARLY, 0);
		meaning->date = DATE_FULL;
		meaning->number = date.number;
		meaning->month = date.month;
		return len;
	}
	if (day < 1 || day > 31 || meaning->date)
		return 0;
	repeat(meaning, REPEAT_MONTHLY, 0);
	meaning->date = DATE_DAY;
	meaning->number = day;
	len = words_are(words, at + 1, "of the month");
	return 1 + (len ? len : words_are(words, at + 1, "day of the month"));
}

static size_t every_span(const struct words *words, size_t at, struct meaning *meaning)
{
	struct span span = {0};
	size_t len = words_is(words, at, "second|minute|hour") ? 1 : 0;

	if (len)
		span.seconds = words_is(words, at, "hour")     ? 3600
			       : words_is(words, at, "minute") ? 60
							       : 1;
	else
		len = phrase_read_span(words, at, &span);
	if (len == 1 && words_are(words, at, "hour and a half")) {
		span.seconds = 5400;
		len = 4;
	}
	if (!len)
		return 0;
	if (span.months)
		return span.months == 1 || span.months == 12
			       ? (repeat(meaning,
					  span.months == 1 ? REPEAT_MONTHLY : REPEAT_YEARLY, 0),
					 len)
			       : cannot(meaning,
					 "I cannot count months; I can do 'every month', or "
					 "for example 'every 90 days'.",
					 len);
	span.seconds += (int64_t)span.days * 86400;
	if (span.seconds < 60)
		return cannot(meaning, "Once a minute is as often as I can.", len);
	if (span.seconds == 86400)
		repeat(meaning, REPEAT_DAYS, ALL_DAYS);
	else if (span.seconds == 7 * 86400)
		repeat(meaning, REPEAT_WEEKLY, 0);
	else
		repeat(meaning, REPEAT_INTERVAL, 0);
	meaning->seconds = span.seconds;
	return len;
}

static size_t read_every(const struct words *words, size_t at, struct meaning *meaning)
{
	unsigned days;
	size_t len = every_other(words, at, meaning);

	if (len)
		return len;
	len = read_kind_of_day(words, at, &days);
	if (!len)
		len = read_days(words, at, false, &days);
	if (len) {
		repeat(meaning, REPEAT_DAYS, days);
		return len;
	}
	len = every_part(words, at, meaning);
	if (!len)
		len = every_span(words, at, meaning);
	return len ? len : every_date(words, at, meaning);
}

/* --- in one word ------------------------------------------------------------- */

static size_t read_adverb(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t on = words_is(words, at, "on|at|during|from") ? 1 : 0;
	unsigned days;
	size_t len;

	if (words_is(words, at, "daily")) {
		repeat(meaning, REPEAT_DAYS, ALL_DAYS);
		return 1;
	}
	if (words_is(words, at, "hourly")) {
		repeat(meaning, REPEAT_INTERVAL, 0);
		meaning->seconds = 3600;
		return 1;
	}
	if (words_is(words, at, "weekly|monthly|yearly|annually")) {
		repeat(meaning,
			words_is(words, at, "weekly")    ? REPEAT_WEEKLY
			: words_is(words, at, "monthly") ? REPEAT_MONTHLY
							 : REPEAT_YEARLY,
			0);
		return 1;
	}
	if (words_is(words, at, "fortnightly|biweekly|bi-weekly"))
		return cannot(meaning,
			"I cannot leave out every other week; I can do 'every 14 days', "
			"which counts from now.",
			1);
	if (words_is(words, at + on, "weekdays|workdays|weekends")) {
		repeat(meaning, REPEAT_DAYS,
			words_is(words, at + on, "weekends") ? WEEKEND_DAYS : WORKING_DAYS);
		return on + 1;
	}
	len = read_days(words, at + on, true, &days);
	if (!len)
		return 0;
	repeat(meaning, REPEAT_DAYS, days);
	return on + len;
}

/* "twice a day", "3 times a week" */
static size_t read_times(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t len = words_is(words, at, "twice")                                      ? 1
		     : words_number(words, at) > 0 && words_is(words, at + 1, "times") ? 2
										       : 0;

	if (len && words_is(words, at + len, "a|per|every|each|daily"))
		return cannot(meaning,
			"Please set one reminder for each time, such as 'every day at 9' and "
			"'every day at 18:00'.",
			len + (words_is(words, at + len, "daily") ? 1 : 2));
	len = words_are(words, at, "once a");
	if (!len)
		len = words_are(words, at, "once every");
	return len ? len : 0;
}

/* --- what goes beyond a schedule --------------------------------------------- */

static size_t read_exception(const struct words *words, size_t at, struct meaning *meaning)
{
	unsigned days;
	size_t prefix = words_is(words, at, "except|but") ? 1 : 0;
	size_t len;

	if (!prefix || meaning->repeat != REPEAT_DAYS || meaning->has_exception)
		return 0;
	if (words_is(words, at + prefix, "not|on|for"))
		prefix++;
	if (words_is(words, at + prefix, "on|the"))
		prefix++;
	len = read_kind_of_day(words, at + prefix, &days);
	if (!len)
		len = read_days(words, at + prefix, false, &days);
	if (!len || !(meaning->days & ~days))
		return 0;
	meaning->days &= ~days;
	meaning->has_exception = true;
	return prefix + len;
}

/* "on the first monday of every month" */
static size_t read_counted_day(const struct words *words, size_t at, struct meaning *meaning)
{
	static const char *const months[] = {"of every month", "of each month", "of the month",
		"in every month", "in each month", "every month", "each month"};
	size_t start = at;
	unsigned days;
	size_t len;

	at += words_is(words, at, "on") ? 1 : 0;
	at += words_is(words, at, "the") ? 1 : 0;
	if (words_ordinal(words, at) <= 0 && !words_is(words, at, "last"))
		return 0;
	len = read_days(words, at + 1, false, &days);
	if (!len)
		len = read_kind_of_day(words, at + 1, &days);
	at += 1 + len;
	for (size_t i = 0; len && i < ARRAY_SIZE(months); i++) {
		size_t month = words_are(words, at, months[i]);

		/* "the 3rd day of every month" is a date. */
		if (month && days != ALL_DAYS)
			return cannot(meaning,
				"I cannot count the weekdays of a month; I can do 'every "
				"month on the 3rd', or every week on a day.",
				at + month - start);
	}
	return 0;
}

/* "10 minutes before 5pm" */
static size_t read_distance(const struct words *words, size_t at, struct meaning *meaning)
{
	struct meaning inner = {.front = true};
	struct span span = {0};
	size_t len = phrase_read_span(words, at, &span);
	size_t more;

	if (!len || !words_is(words, at + len, "before|after"))
		return 0;
	len++;
	more = phrase_date(words, at + len, &inner);
	if (!more)
		more = phrase_clock(words, at + len, &inner);
	if (!more)
		return 0;
	return cannot(meaning, "Please say the time itself; I do not count from another one.",
		len + more);
}

/* An end, a beginning, hours of the day: the rest of the text may be anything. */
static size_t read_bounds(const struct words *words, size_t at, struct meaning *meaning)
{
	struct meaning inner = {.front = true};
	size_t len = words_is(words, at, "until|till|starting|beginning|from|between") ? 1 : 0;
	size_t more = 0;

	if (!len || !meaning->repeat || meaning->cannot)
		return 0;
	if (words_is(words, at, "between")) {
		meaning->cannot = "I cannot keep to some hours of the day; please set a "
				  "reminder for each time.";
		return words->count - at;
	}
	more = phrase_date(words, at + len, &inner);
	if (!more)
		more = phrase_clock(words, at + len, &inner);
	if (!more)
		return 0;
	meaning->cannot = "I cannot give a repeated reminder a beginning or an end; please set "
			  "it when it shall begin, and say 'cancel' with its number then.";
	return len + more;
}

size_t phrase_repeat(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t len = read_exception(words, at, meaning);
	size_t prefix;

	if (!len)
		len = read_bounds(words, at, meaning);
	if (len || meaning->repeat)
		return len;
	len = read_counted_day(words, at, meaning);
	if (!len)
		len = read_distance(words, at, meaning);
	if (len)
		return len;
	prefix = read_times(words, at, meaning);
	if (meaning->repeat)
		return prefix;
	if (prefix || words_is(words, at, "every|each|everyday")) {
		if (words_is(words, at, "everyday")) {
			repeat(meaning, REPEAT_DAYS, ALL_DAYS);
			return 1;
		}
		len = read_every(words, at + (prefix ? prefix : 1), meaning);
		return len ? len + (prefix ? prefix : 1) : 0;
	}
	/* "of every month" behind a day */
	prefix = words_are(words, at, "of every month");
	if (!prefix)
		prefix = words_are(words, at, "of each month");
	if (prefix && meaning->date == DATE_DAY) {
		repeat(meaning, REPEAT_MONTHLY, 0);
		return prefix;
	}
	return read_adverb(words, at, meaning);
}
