/*
 * From what a phrase says to what it means at a given time.
 */
#include <stdio.h>

#include "agent/offline/phrase_parts.h"

#define MAX_SPAN_SECONDS ((int64_t)3650 * 86400)
#define MAX_SPAN_DAYS    3650
#define DEFAULT_HOUR     9

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

/* Is this hour of today over in the morning, and not yet in the evening? */
static bool is_evening_left(const struct meaning *m, const struct civil *now)
{
	int minutes = m->hour * 60 + m->minute;
	int minutes_now = now->hour * 60 + now->minute;

	return !m->repeat && (!m->date || (m->date == DATE_IN_DAYS && !m->number)) &&
	       minutes <= minutes_now && minutes + 12 * 60 > minutes_now;
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
	if (m->hour < 7 || (m->hour < 12 && is_evening_left(m, now)))
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

static bool is_empty(const struct meaning *m)
{
	return !m->has_clock && !m->part && !m->date && !m->has_span && !m->repeat;
}

void phrase_settle(struct meaning *m, const struct civil *now, struct phrase *phrase)
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
