#include "agent/offline/phrases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/offline/phrase_parts.h"

#define MAX_PHRASE_WORDS 24 /* at the end of a text */
#define MAX_LEAD_WORDS   20 /* before "remind me" */
#define MAX_SPAN_SECONDS ((int64_t)3650 * 86400)
#define MAX_SPAN_DAYS    3650
#define DEFAULT_HOUR     9

void phrase_release(struct phrase *phrase)
{
	free(phrase->what);
	phrase->what = NULL;
}

/* --- from words to a meaning ------------------------------------------------- */

static bool is_empty(const struct meaning *m)
{
	return !m->has_clock && !m->part && !m->date && !m->has_span && !m->repeat;
}

static size_t read_part(const struct words *words, size_t at, struct meaning *meaning)
{
	size_t len;

	/* "in 20 minutes" is the whole of it. */
	if (meaning->has_span)
		return 0;
	len = phrase_repeat(words, at, meaning);
	if (!len)
		len = phrase_span(words, at, meaning);
	if (!len)
		len = phrase_date(words, at, meaning);
	if (!len)
		len = phrase_day_part(words, at, meaning);
	return len ? len : phrase_clock(words, at, meaning);
}

/* As many parts as there are from here on, before `end`. */
static size_t read_parts(
	const struct words *words, size_t at, size_t end, struct meaning *meaning)
{
	size_t start = at;
	size_t len;

	while (at < end && (len = read_part(words, at, meaning))) {
		at += len;
		if (at < end && words_is(words, at, "and|,|-") && !words->list[at].clause) {
			struct meaning ahead = *meaning;

			if (read_part(words, at + 1, &ahead))
				at++;
		}
	}
	return at > end ? 0 : at - start;
}

/* --- which words are what ---------------------------------------------------- */

struct reading {
	size_t begin; /* of what stands behind the wish */
	size_t end;
	struct meaning meaning;
};

static size_t polite(const struct words *words, size_t at)
{
	static const char *const phrases[] = {"can you", "could you", "would you", "will you",
		"i want you to", "i'd like you to", "you must", "you should",
		"don't forget to"};

	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
		size_t len = words_are(words, at, phrases[i]);

		if (len)
			return len;
	}
	return words_is(words, at, "please|kindly|ok|okay|hey|hi|hello|and|then|also|just|pls")
		       ? 1
		       : 0;
}

/* Where a wish begins and ends: "remind me", "set a reminder". */
static size_t wish_at(const struct words *words, size_t at)
{
	static const char *const wishes[] = {"remind me", "remind us", "set a reminder",
		"set me a reminder", "create a reminder", "add a reminder", "make a reminder",
		"new reminder", "reminder", "set an alarm", "wake me up", "wake me",
		"don't let me forget", "give me a reminder", "send me a reminder", "ping me",
		"alert me", "notify me"};

	for (size_t i = 0; i < ARRAY_SIZE(wishes); i++) {
		size_t len = words_are(words, at, wishes[i]);

		if (len)
			return len;
	}
	return 0;
}

/* The lead is politeness and parts of a time, and nothing else. */
static bool find_wish(const struct words *words, struct reading *reading)
{
	size_t at = 0;

	while (at < words->count && at < MAX_LEAD_WORDS) {
		size_t len = wish_at(words, at);

		if (len) {
			reading->begin = at + len;
			return true;
		}
		len = read_part(words, at, &reading->meaning);
		if (!len)
			len = polite(words, at);
		if (!len)
			return false;
		at += len;
	}
	return false;
}

static void drop_thanks(const struct words *words, struct reading *reading)
{
	while (reading->end > reading->begin &&
		words_is(words, reading->end - 1, "please|thanks|thx|pls|ok|okay|cheers"))
		reading->end--;
	if (reading->end >= reading->begin + 2 &&
		words_are(words, reading->end - 2, "thank you"))
		reading->end -= 2;
}

/* A meaning that goes on from `meaning`, and takes all words from here to the end. */
static bool reads_to_end(const struct words *words, size_t at, size_t end,
	const struct meaning *meaning, struct meaning *ret_meaning)
{
	struct meaning longer = *meaning;

	longer.front = false;
	if (read_parts(words, at, end, &longer) != end - at)
		return false;
	*ret_meaning = longer;
	return true;
}

static void read_end(const struct words *words, struct reading *reading)
{
	size_t first = reading->end > reading->begin + MAX_PHRASE_WORDS
			       ? reading->end - MAX_PHRASE_WORDS
			       : reading->begin;

	for (size_t at = first; at < reading->end; at++)
		if (reads_to_end(
			    words, at, reading->end, &reading->meaning, &reading->meaning)) {
			reading->end = at;
			return;
		}
}

/* "to", "that", "about": between the time and what to remind of. */
static void drop_connectors(const struct words *words, struct reading *reading)
{
	while (reading->begin < reading->end &&
		words_is(words, reading->begin, "to|that|about|of|-|–|for|,|:|=|is|and"))
		reading->begin++;
}

static char *cut_out(struct view text, const struct words *words, const struct reading *reading)
{
	struct view what = {"", 0};

	if (reading->begin < reading->end)
		what = view_slice(text, words->list[reading->begin].start,
			words->list[reading->end - 1].end);
	while (what.len && strchr(",.;:-?", what.data[what.len - 1]))
		what.len--;
	while (what.len >= 2 && strchr("\"'", what.data[0]) &&
		what.data[what.len - 1] == what.data[0])
		what = view_slice(what, 1, what.len - 1);
	what = view_trim(what);
	return xmemdupz(what.data, what.len);
}

/* --- clocks ------------------------------------------------------------------ */

static int part_hour(enum day_part part)
{
	static const int hours[] = {[PART_NONE] = DEFAULT_HOUR,
		[PART_MORNING] = 9,
		[PART_AFTERNOON] = 15,
		[PART_EVENING] = 18,
		[PART_TONIGHT] = 20,
		[PART_NIGHT] = 21};

	return hours[part];
}

/* An hour from 1 to 12 that the part of the day makes definite. */
static int hour_in_part(int hour, enum day_part part)
{
	bool late = part == PART_AFTERNOON || part == PART_EVENING || part == PART_TONIGHT ||
		    (part == PART_NIGHT && hour >= 6);

	if (hour == 12)
		return part == PART_AFTERNOON || part == PART_NONE ? 12 : 0;
	return late ? hour + 12 : hour;
}

static void settle_clock(struct meaning *m, const struct civil *now, struct phrase *phrase)
{
	if (m->midnight)
		return;
	if (!m->has_clock) {
		m->hour = m->keeps_clock && !m->part ? now->hour : part_hour(m->part);
		m->minute = m->keeps_clock && !m->part ? now->minute : 0;
		if (!m->keeps_clock && !m->part)
			phrase->taken = "you said no time of day";
		return;
	}
	if (!m->bare)
		return;
	if (m->part) {
		m->hour = hour_in_part(m->hour, m->part);
		return;
	}
	phrase->taken = "you did not say am or pm";
	if (m->hour < 7)
		m->hour += 12;
	else if (m->hour < 12 && !m->repeat &&
		 (!m->date || (m->date == DATE_IN_DAYS && !m->number)) &&
		 (m->hour < now->hour || (m->hour == now->hour && m->minute <= now->minute)) &&
		 (m->hour + 12 > now->hour ||
			 (m->hour + 12 == now->hour && m->minute > now->minute)))
		m->hour += 12;
}

/* --- days -------------------------------------------------------------------- */

static bool is_later(const struct meaning *m, const struct civil *now)
{
	return m->midnight || m->hour > now->hour ||
	       (m->hour == now->hour && m->minute > now->minute);
}

static void add_months(struct civil *at, int months)
{
	int total = at->year * 12 + at->month - 1 + months;

	at->year = total / 12;
	at->month = total % 12 + 1;
	if (at->day > civil_month_length(at->year, at->month))
		at->day = civil_month_length(at->year, at->month);
}

/* The next day of this number, today included if it is still to come. */
static void next_day_of_month(const struct meaning *m, struct civil *at)
{
	bool over = m->number < at->day || (m->number == at->day && !is_later(m, at));

	at->day = 1;
	do {
		if (over)
			add_months(at, 1);
		over = true;
	} while (m->number > civil_month_length(at->year, at->month));
	at->day = m->number;
}

static void next_date(const struct meaning *m, struct civil *at)
{
	bool over = m->month < at->month || (m->month == at->month && m->number < at->day) ||
		    (m->month == at->month && m->number == at->day && !is_later(m, at));

	at->year += over ? 1 : 0;
	while (m->number > civil_month_length(at->year, m->month))
		at->year++;
	at->month = m->month;
	at->day = m->number;
}

static void find_day(const struct meaning *m, struct civil *at, struct phrase *phrase)
{
	int today = moment_weekday(at);
	int days = (m->number - today + 7) % 7;
	int to_monday = (8 - today) % 7 ? (8 - today) % 7 : 7;

	switch (m->date) {
	case DATE_NONE:
		if (!is_later(m, at))
			moment_add_days(at, 1);
		break;
	case DATE_IN_DAYS:
		moment_add_days(at, m->number);
		break;
	case DATE_IN_MONTHS:
		add_months(at, m->number);
		break;
	case DATE_WEEKDAY:
		moment_add_days(at, days || (m->has_clock && is_later(m, at)) ? days : 7);
		break;
	case DATE_NEXT_WEEKDAY:
		moment_add_days(at, to_monday + (m->number + 6) % 7);
		if (days && days < to_monday)
			phrase->taken = "I took it for the one of next week";
		break;
	case DATE_NEXT_WEEK:
		moment_add_days(at, to_monday);
		phrase->taken = "I took next week's Monday";
		break;
	case DATE_NEXT_MONTH:
		at->day = 1;
		add_months(at, 1);
		phrase->taken = "I took the first day of it";
		break;
	case DATE_WEEKEND:
		moment_add_days(at, (6 - today + 7) % 7);
		phrase->taken = "I took the Saturday";
		break;
	case DATE_DAY:
		next_day_of_month(m, at);
		break;
	case DATE_FULL:
		if (m->year)
			*at = (struct civil){
				.year = m->year, .month = m->month, .day = m->number};
		else
			next_date(m, at);
		break;
	}
}

/* --- from a meaning to a phrase ---------------------------------------------- */

static void cannot(struct phrase *phrase, const char *why)
{
	phrase->kind = PHRASE_CANNOT;
	phrase->why = why;
}

/* A later time that is like the one that is over. */
static void propose(const struct meaning *m, const struct civil *now, struct phrase *phrase)
{
	struct civil proposal = phrase->at;

	if (m->date == DATE_FULL && m->year) {
		proposal.year = now->year;
		if (proposal.day > civil_month_length(proposal.year, proposal.month))
			proposal.day = 28;
		if (moment_compare(&proposal, now) <= 0) {
			proposal.year++;
			if (proposal.day > civil_month_length(proposal.year, proposal.month))
				proposal.day = 28;
		}
	} else {
		while (moment_compare(&proposal, now) <= 0)
			moment_add_days(&proposal, 1);
	}
	phrase->kind = PHRASE_PAST;
	phrase->proposal = proposal;
}

static void settle_once(struct meaning *m, const struct civil *now, struct phrase *phrase)
{
	struct civil at = *now;

	if ((m->date == DATE_IN_DAYS || m->date == DATE_IN_MONTHS) &&
		m->number > (m->date == DATE_IN_DAYS ? MAX_SPAN_DAYS : MAX_SPAN_DAYS / 30)) {
		cannot(phrase, "That is more than ten years from now.");
		return;
	}
	if (m->midnight && m->date)
		phrase->taken = "I took midnight for the end of that day";
	find_day(m, &at, phrase);
	at.hour = m->midnight ? 0 : m->hour;
	at.minute = m->midnight ? 0 : m->minute;
	at.second = 0;
	if (m->weekday && m->weekday != moment_weekday(&at) + 1) {
		cannot(phrase, "The day of the week and the date do not go together.");
		return;
	}
	if (m->midnight)
		moment_add_days(&at, 1);
	phrase->at = at;
	phrase->kind = PHRASE_AT;
	if (moment_compare(&at, now) <= 0)
		propose(m, now, phrase);
	else if (at.year > now->year + 10)
		cannot(phrase, "That is more than ten years from now.");
}

static void settle_interval(const struct meaning *m, struct phrase *phrase)
{
	if (m->has_clock || m->date || m->part) {
		cannot(phrase, "I can count from now ('every 2 days'), or keep to the clock "
			       "('every day at 9'), but not both at once.");
	} else if (m->seconds > MAX_SPAN_SECONDS) {
		cannot(phrase, "That is less than once in ten years.");
	} else {
		phrase->kind = PHRASE_INTERVAL;
		phrase->seconds = m->seconds;
	}
}

static void write_days(unsigned days, char *out, size_t size)
{
	size_t len = 0;

	if (days == ALL_DAYS || days == WORKING_DAYS) {
		snprintf(out, size, "%s", days == ALL_DAYS ? "*" : "1-5");
		return;
	}
	for (int day = 0; day < 7; day++)
		if (days & (1U << day))
			len += (size_t)snprintf(
				out + len, size - len, "%s%d", len ? "," : "", day);
}

/* Which day of the week, month or year, if it was not said: that of today. */
static bool settle_days(const struct meaning *m, const struct civil *now, char days[16],
	char dates[16], struct phrase *phrase)
{
	int day = m->date == DATE_DAY || m->date == DATE_FULL ? m->number : now->day;
	int month = m->date == DATE_FULL ? m->month : now->month;

	snprintf(days, 16, "*");
	snprintf(dates, 16, "* *");
	switch (m->repeat) {
	case REPEAT_WEEKLY:
		if (m->date && m->date != DATE_WEEKDAY)
			return false;
		snprintf(days, 16, "%d", m->date ? m->number : moment_weekday(now));
		break;
	case REPEAT_MONTHLY:
		if (m->date && m->date != DATE_DAY)
			return false;
		snprintf(dates, 16, "%d *", day);
		break;
	case REPEAT_YEARLY:
		if (m->date && (m->date != DATE_FULL || m->year))
			return false;
		snprintf(dates, 16, "%d %d", day, month);
		break;
	default:
		if (m->date)
			return false;
		write_days(m->days, days, 16);
		return true;
	}
	if (!m->date)
		phrase->taken = "you said no day, so I took that of today";
	return true;
}

static void settle_cron(struct meaning *m, const struct civil *now, struct phrase *phrase)
{
	char days[16];
	char dates[16];

	if (!settle_days(m, now, days, dates, phrase)) {
		cannot(phrase, "I cannot make out on which days that is.");
		return;
	}
	phrase->kind = PHRASE_CRON;
	snprintf(phrase->cron, sizeof(phrase->cron), "%d %d %s %s", m->minute,
		m->midnight ? 0 : m->hour, dates, days);
}

static void settle(struct meaning *m, const struct civil *now, struct phrase *phrase)
{
	if (m->cannot) {
		cannot(phrase, m->cannot);
	} else if (is_empty(m)) {
		phrase->kind = PHRASE_NONE;
	} else if (m->has_span) {
		phrase->kind = PHRASE_IN;
		phrase->seconds = m->seconds;
		if (m->seconds > MAX_SPAN_SECONDS)
			cannot(phrase, "That is more than ten years from now.");
	} else if (m->repeat == REPEAT_INTERVAL) {
		settle_interval(m, phrase);
	} else {
		settle_clock(m, now, phrase);
		if (m->repeat)
			settle_cron(m, now, phrase);
		else
			settle_once(m, now, phrase);
	}
}

void phrase_read(struct view text, const struct civil *now, struct phrase *ret_phrase)
{
	CLEANUP(words_release) struct words words = {0};
	struct reading reading = {.meaning = {.front = true}};
	struct phrase phrase = {0};

	words_split(text, &words);
	if (!find_wish(&words, &reading))
		reading = (struct reading){.meaning = {.front = true}};
	reading.end = words.count;
	drop_thanks(&words, &reading);
	reading.begin += read_parts(&words, reading.begin, reading.end, &reading.meaning);
	drop_connectors(&words, &reading);
	read_end(&words, &reading);
	settle(&reading.meaning, now, &phrase);
	phrase.what = cut_out(text, &words, &reading);
	*ret_phrase = phrase;
}

bool phrase_is_wish(struct view text)
{
	CLEANUP(words_release) struct words words = {0};
	struct reading reading = {.meaning = {.front = true}};

	words_split(text, &words);
	return find_wish(&words, &reading);
}
