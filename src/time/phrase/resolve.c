/*
 * What a phrase means at a given time: once, in a while, or never.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "time/phrase/resolve.h"

#define MAX_DAYS 3650

int when_weekday(const struct civil *civil)
{
	return civil_of(civil_days(civil->year, civil->month, civil->day) * DAY).weekday;
}

void when_add_days(struct civil *civil, int days)
{
	*civil = civil_of(civil_seconds(civil) + (int64_t)days * DAY);
}

int when_compare(const struct civil *a, const struct civil *b)
{
	int64_t left = civil_seconds(a);
	int64_t right = civil_seconds(b);

	return left < right ? -1 : left > right;
}

void resolve_add_months(struct civil *at, int months)
{
	int total = at->year * 12 + at->month - 1 + months;

	at->year = total / 12;
	at->month = total % 12 + 1;
	if (at->day > civil_month_length(at->year, at->month))
		at->day = civil_month_length(at->year, at->month);
}

void resolve_cannot(struct when *when, const char *why)
{
	when->kind = WHEN_CANNOT;
	when->why = why;
	when->taken = NULL;
}

/* --- clocks ------------------------------------------------------------------ */

/* The hour of a part of the day in which no time is said. */
static const int part_hours[] = {
	[PART_NONE] = 9,
	[PART_MORNING] = 9,
	[PART_AFTERNOON] = 15,
	[PART_EVENING] = 18,
	[PART_TONIGHT] = 20,
	[PART_NIGHT] = 21,
};

/* The minutes from 1:00 to 12:59, made definite by the part of the day. */
static int minute_in_part(int minute, enum day_part part)
{
	bool late = part == PART_AFTERNOON || part == PART_EVENING || part == PART_TONIGHT ||
		    (part == PART_NIGHT && minute >= 6 * 60);

	if (minute >= 12 * 60)
		return part == PART_AFTERNOON || part == PART_NONE ? minute : minute - 12 * 60;
	return late ? minute + 12 * 60 : minute;
}

static bool said_is_today(const struct said *said)
{
	return !said->unit && (!said->date_count || (said->dates[0].kind == DATE_IN_DAYS &&
							    !said->dates[0].number));
}

static void resolve_bare(
	struct when *when, struct clock *clock, bool day_of_24, const struct civil *now)
{
	const struct said *said = &when->said;
	int minute_now = now ? now->hour * 60 + now->minute : 0;

	clock->bare = false;
	if (day_of_24)
		return; /* "at 8 and 20" */
	if (said->part) {
		clock->minute = minute_in_part(clock->minute, said->part);
		return;
	}
	if (when->wish == WISH_WAKE)
		return;
	when->taken = "you did not say am or pm";
	if (clock->minute < 7 * 60) {
		clock->minute += 12 * 60;
		if (!now)
			resolve_cannot(when,
				"It could be in the morning or in the afternoon; please "
				"say am or pm.");
	} else if (clock->minute < 12 * 60 && now && said_is_today(said) &&
		   clock->minute <= minute_now && clock->minute + 12 * 60 > minute_now) {
		clock->minute += 12 * 60;
	}
}

/* "at 5pm in the morning" */
static bool part_has_minute(int minute, enum day_part part)
{
	static const int hours[][2] = {[PART_NONE] = {0, 24},
		[PART_MORNING] = {0, 12},
		[PART_AFTERNOON] = {12, 19},
		[PART_EVENING] = {15, 24},
		[PART_TONIGHT] = {16, 24},
		[PART_NIGHT] = {0, 24}};

	return (minute >= hours[part][0] * 60 && minute < hours[part][1] * 60) ||
	       minute == MIDNIGHT;
}

void resolve_clocks(struct when *when, const struct civil *now)
{
	struct said *said = &when->said;
	bool day_of_24 = false;
	bool bare = false;

	for (int i = 0; i < said->clock_count; i++) {
		day_of_24 |= !said->clocks[i].half && said->clocks[i].minute >= 13 * 60;
		bare |= said->clocks[i].bare;
	}
	for (int i = 0; i < said->clock_count; i++)
		if (said->clocks[i].bare)
			resolve_bare(when, &said->clocks[i], day_of_24, now);
		else if (!part_has_minute(said->clocks[i].minute, said->part) ||
			 (said->part == PART_NIGHT && said->clocks[i].minute >= 6 * 60 &&
				 said->clocks[i].minute < 18 * 60))
			said->ask = "that time is in another part of the day";
	/* "at 10 and 11", at half past ten */
	for (int i = 1; i < said->clock_count && bare; i++)
		if (said->clocks[i].minute < said->clocks[i - 1].minute)
			said->ask = "it could be in the morning or in the evening";
	if (said->clock_count)
		return;
	said->clock_count = 1;
	said->default_clock = true;
	said->clocks[0] = (struct clock){.minute = part_hours[said->part] * 60};
	if (said->has_span && !said->part && now)
		said->clocks[0].minute = now->hour * 60 + now->minute;
	else if (!said->part)
		when->taken = "you said no time of day";
}

/* --- days -------------------------------------------------------------------- */

static bool is_later_today(int minute, const struct civil *now)
{
	return minute > now->hour * 60 + now->minute;
}

/* The next day of this number, today included if it is still to come. */
static void next_day_of_month(const struct date *date, int minute, struct civil *at)
{
	bool over = date->number < at->day ||
		    (date->number == at->day && !is_later_today(minute, at));

	at->day = 1;
	do {
		if (over)
			resolve_add_months(at, 1);
		over = true;
	} while (date->number > civil_month_length(at->year, at->month));
	at->day = date->number;
}

static void next_full(const struct date *date, int minute, struct civil *at)
{
	int today = at->month * 100 + at->day;
	int wanted = date->month * 100 + date->number;

	at->year += wanted < today || (wanted == today && !is_later_today(minute, at));
	while (date->number > civil_month_length(at->year, date->month))
		at->year++;
	at->month = date->month;
	at->day = date->number;
}

/* In the month of `at`; false if that has no such day. */
static bool nth_weekday(const struct date *date, struct civil *at)
{
	int length = civil_month_length(at->year, at->month);

	at->day = 1;
	at->day += (date->number - when_weekday(at) + 7) % 7;
	if (date->nth > 0)
		at->day += 7 * (date->nth - 1);
	while (date->nth < 0 && at->day + 7 <= length)
		at->day += 7;
	return at->day <= length;
}

static void next_nth(const struct date *date, int minute, struct civil *at)
{
	struct civil now = *at;
	bool over;

	if (date->month) {
		at->year = date->year > 0 ? date->year : at->year;
		at->month = date->month;
	} else if (date->kind == DATE_NTH_NEXT) {
		at->day = 1;
		resolve_add_months(at, 1);
	}
	do {
		bool found = nth_weekday(date, at);
		int64_t days = civil_days(at->year, at->month, found ? at->day : 1) -
			       civil_days(now.year, now.month, now.day);

		over = !found || days < 0 || (!days && !is_later_today(minute, &now));
		if (over && date->year > 0)
			return;
		if (over) {
			at->day = 1;
			resolve_add_months(at, date->month ? 12 : 1);
		}
	} while (over);
}

void resolve_day(struct when *when, const struct date *date, int minute, struct civil *at)
{
	int today = when_weekday(at);
	int days = (date->number - today + 7) % 7;
	int to_monday = (8 - today) % 7 ? (8 - today) % 7 : 7;
	struct civil start = *at;

	switch (date->kind) {
	case DATE_NONE:
		if (!is_later_today(minute, at))
			when_add_days(at, 1);
		break;
	case DATE_IN_DAYS:
		when_add_days(at, date->number);
		break;
	case DATE_WEEKDAY:
		when_add_days(at, days || (!date->days && !when->said.default_clock &&
						  is_later_today(minute, at))
					  ? days
					  : 7);
		break;
	case DATE_NEXT_WEEKDAY:
		when_add_days(at, to_monday + (date->number + 6) % 7);
		if (days && days < to_monday)
			when->taken = "I assumed the one next week";
		break;
	case DATE_NEXT_WEEK:
		when_add_days(at, to_monday);
		when->taken = "I assumed next week's Monday";
		break;
	case DATE_NEXT_MONTH:
		at->day = 1;
		resolve_add_months(at, 1);
		if (date->number && date->number <= civil_month_length(at->year, at->month))
			at->day = date->number;
		else
			when->taken = "I assumed its first day";
		break;
	case DATE_NEXT_YEAR:
		*at = (struct civil){.year = at->year + 1, .month = 1, .day = 1};
		when->taken = "I assumed its first day";
		break;
	case DATE_WEEKEND:
	case DATE_NEXT_WEEKEND:
		when_add_days(
			at, date->kind == DATE_WEEKEND ? (6 - today + 7) % 7 : to_monday + 5);
		when->taken = "I assumed Saturday";
		break;
	case DATE_DAY:
		next_day_of_month(date, minute, at);
		break;
	case DATE_FULL:
		if (date->year)
			*at = (struct civil){
				.year = date->year, .month = date->month, .day = date->number};
		else
			next_full(date, minute, at);
		break;
	case DATE_NTH:
	case DATE_NTH_NEXT:
		next_nth(date, minute, at);
		break;
	case DATE_MONTH_END:
		at->day = civil_month_length(at->year, at->month);
		if (at->day == start.day && !is_later_today(minute, &start)) {
			at->day = 1;
			resolve_add_months(at, 1);
			at->day = civil_month_length(at->year, at->month);
		}
		break;
	}
	if (date->days)
		when_add_days(at, date->days);
}

struct civil resolve_minute(struct civil day, int minute)
{
	day.hour = minute % MIDNIGHT / 60;
	day.minute = minute % 60;
	day.second = 0;
	if (minute == MIDNIGHT)
		when_add_days(&day, 1);
	return day;
}

/* --- once -------------------------------------------------------------------- */

/* The time is over: propose a later one that is like it. */
static void resolve_past(struct when *when, const struct civil *now)
{
	struct civil proposal = when->at[0];

	if (when->said.date_count && when->said.dates[0].kind == DATE_FULL) {
		proposal.year = now->year;
		for (int i = 0; i < 2; i++) {
			if (proposal.day > civil_month_length(proposal.year, proposal.month))
				proposal.day = 28;
			if (when_compare(&proposal, now) <= 0)
				proposal.year++;
		}
		if (proposal.day > civil_month_length(proposal.year, proposal.month))
			proposal.day = 28;
	} else {
		proposal = *now;
		proposal.hour = when->at[0].hour;
		proposal.minute = when->at[0].minute;
		proposal.second = 0;
		while (when_compare(&proposal, now) <= 0)
			when_add_days(&proposal, 1);
	}
	when->kind = WHEN_PAST;
	when->proposal = proposal;
}

static int compare_civil(const void *a, const void *b)
{
	return when_compare(a, b);
}

static void resolve_once(struct when *when, const struct civil *now)
{
	struct said *said = &when->said;
	static const struct date none;

	if (said->has_span) {
		said->dates[0] = none;
		said->date_count = 0;
	}
	if (said->date_count > 1 && !said->ask)
		said->ask = "I assumed each day once; say 'every' if it repeats";
	for (int d = 0; d < (said->date_count ? said->date_count : 1); d++)
		for (int c = 0; c < said->clock_count && when->count < WHEN_MAX_TIMES; c++) {
			struct civil at = *now;
			int minute = said->clocks[c].minute;
			const struct date *date = said->date_count ? &said->dates[d] : &none;

			if (said->has_span) {
				resolve_add_months(&at, said->span.months);
				when_add_days(&at, said->span.days);
			} else {
				resolve_day(when, date, minute, &at);
			}
			if (minute == MIDNIGHT && date->kind)
				when->taken = "I read midnight as the end of that day";
			if (date->weekday && date->weekday != when_weekday(&at) + 1) {
				resolve_cannot(when, "The weekday and the date do not match.");
				return;
			}
			at = resolve_minute(at, minute);
			resolve_add_months(&at, said->offset_sign * said->offset.months);
			when->at[when->count++] = civil_of(
				civil_seconds(&at) +
				said->offset_sign * (said->offset.seconds +
							    (int64_t)said->offset.days * DAY));
		}
	qsort(when->at, when->count, sizeof(when->at[0]), compare_civil);
	when->kind = WHEN_ONCE;
	/* Of several times, drop the ones that are over. */
	while (when->count > 1 && when_compare(&when->at[0], now) <= 0) {
		memmove(when->at, when->at + 1, --when->count * sizeof(when->at[0]));
		said->ask = "one of the times has passed";
	}
	if (when_compare(&when->at[0], now) <= 0)
		resolve_past(when, now);
	else if (civil_seconds(&when->at[when->count - 1]) - civil_seconds(now) >
		 (int64_t)MAX_DAYS * DAY)
		resolve_cannot(when, "That is more than ten years from now.");
}

static void resolve_span(struct when *when, const struct civil *now)
{
	const struct said *said = &when->said;
	int64_t seconds = said->span.seconds + (int64_t)said->span.days * DAY;

	if (seconds > (int64_t)MAX_DAYS * DAY || said->span.months > MAX_DAYS / 30) {
		resolve_cannot(when, "That is more than ten years from now.");
	} else if (said->span.seconds && said->span.months) {
		resolve_cannot(when, "Please say months and hours one by one.");
	} else if (said->span.seconds) {
		when->kind = WHEN_IN;
		when->seconds = seconds;
	} else if (!said->span.days && !said->span.months) {
		resolve_cannot(when, "That is now.");
	} else {
		resolve_clocks(when, now);
		resolve_once(when, now);
	}
}

void when_resolve(struct when *when, const struct civil *now)
{
	struct said *said = &when->said;

	when->kind = WHEN_NONE;
	when->count = 0;
	when->taken = NULL;
	when->ask = NULL;
	snprintf(when->zone, sizeof(when->zone), "%s", said->zone ? said->zone : "");
	if (said->cannot)
		resolve_cannot(when, said->cannot);
	else if (said_is_empty(said))
		return;
	else if (said->unit)
		resolve_repeat(when, now);
	else if (!now)
		resolve_cannot(when, "That happens only once.");
	else if (said_ends(said) || said->from.kind || said->has_window || said->has_from_clock)
		resolve_cannot(when, "I cannot make out how often that is.");
	else if (said->has_span)
		resolve_span(when, now);
	else if (said->offset_sign && !said->clock_count &&
		 (!said->date_count || said->offset.seconds))
		resolve_cannot(when, "Please say the time to count from.");
	else {
		resolve_clocks(when, now);
		resolve_once(when, now);
	}
	if (!when->ask)
		when->ask = said->ask;
}
