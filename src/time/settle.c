/*
 * From what was said to what it means at a given time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "time/when.h"
#include "util/alloc.h"
#include "util/buf.h"

#define DAY          86400
#define MAX_DAYS     3650
#define DEFAULT_HOUR 9
#define MIDNIGHT     1440

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

static void add_months(struct civil *at, int months)
{
	int total = at->year * 12 + at->month - 1 + months;

	at->year = total / 12;
	at->month = total % 12 + 1;
	if (at->day > civil_month_length(at->year, at->month))
		at->day = civil_month_length(at->year, at->month);
}

static void cannot(struct when *when, const char *why)
{
	when->kind = WHEN_CANNOT;
	when->why = why;
	when->taken = NULL;
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

/* The minutes from 1:00 to 12:59, made definite by the part of the day. */
static int minute_in_part(int minute, enum day_part part)
{
	bool late = part == PART_AFTERNOON || part == PART_EVENING || part == PART_TONIGHT ||
		    (part == PART_NIGHT && minute >= 6 * 60);

	if (minute >= 12 * 60)
		return part == PART_AFTERNOON || part == PART_NONE ? minute : minute - 12 * 60;
	return late ? minute + 12 * 60 : minute;
}

static bool is_today(const struct said *said)
{
	return !said->unit && (!said->date_count || (said->dates[0].kind == DATE_IN_DAYS &&
							    !said->dates[0].number));
}

static void settle_bare(
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
			cannot(when, "It could be in the morning or in the afternoon; please "
				     "say am or pm.");
	} else if (clock->minute < 12 * 60 && now && is_today(said) &&
		   clock->minute <= minute_now && clock->minute + 12 * 60 > minute_now) {
		clock->minute += 12 * 60;
	}
}

/* "at 5pm in the morning" */
static bool fits_part(int minute, enum day_part part)
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

/* Afterwards there is a clock, and none is bare. */
static void settle_clocks(struct when *when, const struct civil *now)
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
			settle_bare(when, &said->clocks[i], day_of_24, now);
		else if (!fits_part(said->clocks[i].minute, said->part) ||
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
	said->clocks[0] = (struct clock){.minute = part_hour(said->part) * 60};
	if (said->has_span && !said->part && now)
		said->clocks[0].minute = now->hour * 60 + now->minute;
	else if (!said->part)
		when->taken = "you said no time of day";
}

/* --- days -------------------------------------------------------------------- */

static bool is_later(int minute, const struct civil *now)
{
	return minute > now->hour * 60 + now->minute;
}

/* The next day of this number, today included if it is still to come. */
static void next_day_of_month(const struct date *date, int minute, struct civil *at)
{
	bool over =
		date->number < at->day || (date->number == at->day && !is_later(minute, at));

	at->day = 1;
	do {
		if (over)
			add_months(at, 1);
		over = true;
	} while (date->number > civil_month_length(at->year, at->month));
	at->day = date->number;
}

static void next_full(const struct date *date, int minute, struct civil *at)
{
	int today = at->month * 100 + at->day;
	int wanted = date->month * 100 + date->number;

	at->year += wanted < today || (wanted == today && !is_later(minute, at));
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
		add_months(at, 1);
	}
	do {
		bool found = nth_weekday(date, at);
		int64_t days = civil_days(at->year, at->month, found ? at->day : 1) -
			       civil_days(now.year, now.month, now.day);

		over = !found || days < 0 || (!days && !is_later(minute, &now));
		if (over && date->year > 0)
			return;
		if (over) {
			at->day = 1;
			add_months(at, date->month ? 12 : 1);
		}
	} while (over);
}

/* The day that is meant, seen from `at`, which becomes it. */
static void find_day(struct when *when, const struct date *date, int minute, struct civil *at)
{
	int today = when_weekday(at);
	int days = (date->number - today + 7) % 7;
	int to_monday = (8 - today) % 7 ? (8 - today) % 7 : 7;
	struct civil start = *at;

	switch (date->kind) {
	case DATE_NONE:
		if (!is_later(minute, at))
			when_add_days(at, 1);
		break;
	case DATE_IN_DAYS:
		when_add_days(at, date->number);
		break;
	case DATE_WEEKDAY:
		when_add_days(at, days || (!date->days && !when->said.default_clock &&
						  is_later(minute, at))
					  ? days
					  : 7);
		break;
	case DATE_NEXT_WEEKDAY:
		when_add_days(at, to_monday + (date->number + 6) % 7);
		if (days && days < to_monday)
			when->taken = "I took it for the one of next week";
		break;
	case DATE_NEXT_WEEK:
		when_add_days(at, to_monday);
		when->taken = "I took next week's Monday";
		break;
	case DATE_NEXT_MONTH:
		at->day = 1;
		add_months(at, 1);
		if (date->number && date->number <= civil_month_length(at->year, at->month))
			at->day = date->number;
		else
			when->taken = "I took the first day of it";
		break;
	case DATE_NEXT_YEAR:
		*at = (struct civil){.year = at->year + 1, .month = 1, .day = 1};
		when->taken = "I took the first day of it";
		break;
	case DATE_WEEKEND:
	case DATE_NEXT_WEEKEND:
		when_add_days(
			at, date->kind == DATE_WEEKEND ? (6 - today + 7) % 7 : to_monday + 5);
		when->taken = "I took the Saturday";
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
		if (at->day == start.day && !is_later(minute, &start)) {
			at->day = 1;
			add_months(at, 1);
			at->day = civil_month_length(at->year, at->month);
		}
		break;
	}
	if (date->days)
		when_add_days(at, date->days);
}

static struct civil at_minute(struct civil day, int minute)
{
	day.hour = minute % MIDNIGHT / 60;
	day.minute = minute % 60;
	day.second = 0;
	if (minute == MIDNIGHT)
		when_add_days(&day, 1);
	return day;
}

/* --- once -------------------------------------------------------------------- */

/* A later time that is like the one that is over. */
static void propose(struct when *when, const struct civil *now)
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

static int compare_times(const void *a, const void *b)
{
	return when_compare(a, b);
}

static void settle_offset(const struct said *said, struct civil *at)
{
	add_months(at, said->offset_sign * said->offset.months);
	*at = civil_of(
		civil_seconds(at) +
		said->offset_sign * (said->offset.seconds + (int64_t)said->offset.days * DAY));
}

static void settle_once(struct when *when, const struct civil *now)
{
	struct said *said = &when->said;
	static const struct date none;

	if (said->has_span) {
		said->dates[0] = none;
		said->date_count = 0;
	}
	if (said->date_count > 1 && !said->ask)
		said->ask = "I took each day once; say 'every' if it repeats";
	for (int d = 0; d < (said->date_count ? said->date_count : 1); d++)
		for (int c = 0; c < said->clock_count && when->count < WHEN_MAX_TIMES; c++) {
			struct civil at = *now;
			int minute = said->clocks[c].minute;
			const struct date *date = said->date_count ? &said->dates[d] : &none;

			if (said->has_span) {
				add_months(&at, said->span.months);
				when_add_days(&at, said->span.days);
			} else {
				find_day(when, date, minute, &at);
			}
			if (minute == MIDNIGHT && date->kind)
				when->taken = "I took midnight for the end of that day";
			if (date->weekday && date->weekday != when_weekday(&at) + 1) {
				cannot(when, "The day of the week and the date do not go "
					     "together.");
				return;
			}
			at = at_minute(at, minute);
			settle_offset(said, &at);
			when->at[when->count++] = at;
		}
	qsort(when->at, when->count, sizeof(when->at[0]), compare_times);
	when->kind = WHEN_ONCE;
	/* Of several, those that are over are left out. */
	while (when->count > 1 && when_compare(&when->at[0], now) <= 0) {
		memmove(when->at, when->at + 1, --when->count * sizeof(when->at[0]));
		said->ask = "one of the times is over";
	}
	if (when_compare(&when->at[0], now) <= 0)
		propose(when, now);
	else if (civil_seconds(&when->at[when->count - 1]) - civil_seconds(now) >
		 (int64_t)MAX_DAYS * DAY)
		cannot(when, "That is more than ten years from now.");
}

static void settle_span(struct when *when, const struct civil *now)
{
	const struct said *said = &when->said;
	int64_t seconds = said->span.seconds + (int64_t)said->span.days * DAY;

	if (seconds > (int64_t)MAX_DAYS * DAY || said->span.months > MAX_DAYS / 30) {
		cannot(when, "That is more than ten years from now.");
	} else if (said->span.seconds && said->span.months) {
		cannot(when, "Please say months and hours one by one.");
	} else if (said->span.seconds) {
		when->kind = WHEN_IN;
		when->seconds = seconds;
	} else if (!said->span.days && !said->span.months) {
		cannot(when, "That is now.");
	} else {
		settle_clocks(when, now);
		settle_once(when, now);
	}
}

/* --- again and again --------------------------------------------------------- */

static void append_moment(struct buf *out, const char *word, const struct civil *at)
{
	buf_appendf(out, "%s%04d-%02d-%02dT%02d:%02d", word, at->year, at->month, at->day,
		at->hour, at->minute);
}

static void append_weekdays(const struct said *said, struct buf *out)
{
	bool first = true;

	if (said->days == ALL_DAYS || !said->days ||
		(said->days == WORKING_DAYS && !said->nth)) {
		buf_append_str(out, said->days == WORKING_DAYS ? "1-5" : "*");
		return;
	}
	for (int day = 0; day < 7; day++) {
		if (!(said->days & 1U << day))
			continue;
		buf_appendf(out, "%s%d", first ? "" : ",", day);
		if (said->nth < 0)
			buf_append_str(out, "#L");
		else if (said->nth)
			buf_appendf(out, "#%d", said->nth);
		first = false;
	}
}

/* Day of the month, month and weekday of a cron expression; false if they are unclear. */
static bool append_days(struct when *when, const struct civil *now, struct buf *out)
{
	const struct said *said = &when->said;
	const struct date *date = &said->dates[0];
	int count = said->date_count;

	for (int i = 0; i < count; i++)
		if (count > 1 && (said->unit != TIME_MONTH || date[i].kind != DATE_DAY))
			return false;
	if (said->unit == TIME_WEEK && !said->days && count && date->kind == DATE_WEEKDAY) {
		buf_appendf(out, "* * %d", date->number);
	} else if (said->unit == TIME_WEEK && !said->days) {
		if (count || !now)
			return false;
		buf_appendf(out, "* * %d", when_weekday(now));
		when->taken = "you said no day, so I took that of today";
	} else if (said->unit == TIME_MONTH && !said->days) {
		if (count ? date->kind != DATE_DAY && date->kind != DATE_MONTH_END : !now)
			return false;
		if (count && date->kind == DATE_MONTH_END)
			buf_append_str(out, "L");
		else
			buf_appendf(out, "%d", count ? date->number : now->day);
		for (int i = 1; i < count; i++)
			buf_appendf(out, ",%d", date[i].number);
		buf_append_str(out, " * *");
		if (!count)
			when->taken = "you said no day, so I took that of today";
	} else if (said->unit == TIME_YEAR) {
		if (said->days || (count ? date->kind != DATE_FULL || date->year : !now))
			return false;
		buf_appendf(out, "%d %d *", count ? date->number : now->day,
			count ? date->month : now->month);
		if (!count)
			when->taken = "you said no day, so I took that of today";
	} else {
		if (count)
			return false;
		buf_append_str(out, "* * ");
		append_weekdays(said, out);
	}
	return true;
}

/* "0 9,18 * * 1", or one expression for each time if their minutes differ. */
static bool append_crons(struct when *when, const struct civil *now, struct buf *out)
{
	const struct said *said = &when->said;
	bool same = true;

	for (int i = 1; i < said->clock_count; i++)
		same = same && said->clocks[i].minute % 60 == said->clocks[0].minute % 60;
	for (int i = 0; i < said->clock_count; i++) {
		if (i && same)
			break;
		buf_appendf(out, "%s%d %d", i ? "; " : "", said->clocks[i].minute % 60,
			said->clocks[i].minute % MIDNIGHT / 60);
		for (int more = 1; same && more < said->clock_count; more++)
			buf_appendf(out, ",%d", said->clocks[more].minute % MIDNIGHT / 60);
		buf_append_char(out, ' ');
		if (!append_days(when, now, out))
			return false;
	}
	return true;
}

/* "every 2 hours between 9 and 17" */
static bool append_window(struct when *when, struct buf *out)
{
	const struct said *said = &when->said;
	int step = said->every / 60; /* minutes */
	int first = said->has_window ? said->window[0].minute : 0;
	int last = said->has_window ? said->window[1].minute : MIDNIGHT - 1;

	if (said->has_window && last < 12 * 60 && said->window[1].bare && last <= first)
		last += 12 * 60; /* "between 9 and 5" */
	if (said->every % 60 || last <= first || (step < 60 ? 60 % step : step % 60) ||
		(!said->has_window && step > 60 && 24 % (step / 60)))
		return false;
	if (step < 60) {
		if (first % 60 || (said->has_window && last % 60))
			return false;
		buf_appendf(out, "*/%d %d-%d * * ", step, first / 60, (last - 1) / 60);
		append_weekdays(said, out);
		if (said->has_window) {
			buf_appendf(out, "; 0 %d * * ", last / 60);
			append_weekdays(said, out);
		}
		return true;
	}
	buf_appendf(out, "%d %d-%d", first % 60, first / 60,
		first % 60 > last % 60 ? last / 60 - 1 : last / 60);
	if (step > 60)
		buf_appendf(out, "/%d", step / 60);
	buf_append_str(out, " * * ");
	append_weekdays(said, out);
	return true;
}

static void append_interval(int64_t seconds, struct buf *out)
{
	static const struct {
		int seconds;
		char name;
	} units[] = {{7 * DAY, 'w'}, {DAY, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (seconds % units[i].seconds == 0) {
			buf_appendf(out, "%" PRId64 "%c", seconds / units[i].seconds,
				units[i].name);
			return;
		}
}

/* The `count`th time of the schedule after `after`, on the clock on the wall. */
static bool nth_time(const struct when *when, const char *value, const struct civil *after,
	int count, struct civil *ret_at)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	int64_t time = civil_seconds(after) * 1000;

	if (schedule_parse(when->type, value, "UTC", time, &schedule, &ignored) < 0)
		return false;
	while (count-- > 0)
		if (!schedule_next(&schedule, time, &time))
			return false;
	*ret_at = civil_of(time / 1000);
	return true;
}

/* The last moment: of a day, a span, or a number of times. */
static bool find_until(struct when *when, const struct civil *now, const struct civil *first,
	const char *value, struct civil *ret_until)
{
	struct said *said = &when->said;
	struct civil until = *now;

	if (said->count) {
		if (said->count > 10000 ||
			!nth_time(when, value, first, said->count - 1, &until))
			return false;
		/* The interval begins a moment later than it was said. */
		if (when->type == SCHEDULE_INTERVAL)
			until = civil_of(civil_seconds(&until) + 59);
	} else if (said->has_until) {
		int minute = said->has_until_clock ? said->until_clock.minute : MIDNIGHT - 1;

		if (said->until_clock.bare && minute < 7 * 60)
			minute += 12 * 60;
		if (said->until.kind == DATE_NONE && said->unit != TIME_SECOND)
			return false;
		find_day(when, &said->until, minute, &until);
		until = at_minute(until, minute);
	} else {
		until = *first;
		add_months(&until, said->lasting.months);
		until = civil_of(civil_seconds(&until) + said->lasting.seconds +
				 (int64_t)said->lasting.days * DAY - 60);
	}
	*ret_until = until;
	return when_compare(&until, first) >= 0;
}

static void settle_limits(struct when *when, const struct civil *now, struct buf *value)
{
	static const char *const units[] = {[TIME_DAY] = "days",
		[TIME_WEEK] = "weeks",
		[TIME_MONTH] = "months",
		[TIME_YEAR] = "months"};
	const struct said *said = &when->said;
	bool step = when->type == SCHEDULE_CRON && said->unit >= TIME_DAY && said->every > 1;
	bool ends = said_ends(said);
	struct civil from = now ? *now : (struct civil){0};
	struct civil first;
	struct civil until;

	if (!step && !ends && !said->from.kind && !said->has_from_clock)
		return;
	if (!now) {
		cannot(when, "A schedule in a file has no day to count from.");
		return;
	}
	if (said->from.kind) {
		find_day(when, &said->from, MIDNIGHT, &from);
		from = at_minute(from, 0);
		from = civil_of(civil_seconds(&from) - 60);
	}
	if (when_compare(&from, now) < 0)
		from = *now;
	if (said->has_from_clock) {
		find_day(when, &said->from, said->from_clock.minute, &from);
		from = at_minute(from, said->from_clock.minute);
		if (said->from_clock.bare)
			when->ask = "you did not say am or pm";
		first = from;
	} else if (!nth_time(when, value->data, &from, 1, &first)) {
		cannot(when, "I cannot make out on which days that is.");
		return;
	}
	if (step)
		buf_appendf(value, " by %d %s",
			said->every * (said->unit == TIME_YEAR ? 12 : 1), units[said->unit]);
	if (step || said->from.kind || said->has_from_clock)
		append_moment(value, " from ", &first);
	if (!ends)
		return;
	if (!find_until(when, now, &first, value->data, &until)) {
		cannot(when, "I cannot make out when that ends.");
		return;
	}
	append_moment(value, " until ", &until);
}

static void settle_repeat(struct when *when, const struct civil *now)
{
	CLEANUP(buf_release) struct buf value = BUF_INIT;
	struct said *said = &when->said;
	bool has_clock = said->clock_count || said->part;
	struct civil base;
	bool done;

	if (said->has_span || said->offset_sign) {
		cannot(when, "I cannot count from a time that repeats.");
		return;
	}
	if (said->except && !(said->days & ~said->except)) {
		cannot(when, "That leaves no day.");
		return;
	}
	if (said->except & ~said->days)
		said->ask = "not all of the exceptions are among the days";
	said->days &= ~said->except;
	if (said->per && said->per != (said->clock_count ? said->clock_count : 1)) {
		cannot(when, "Please say at which times, such as 'every day at 9 and 18:00'.");
		return;
	}
	when->kind = WHEN_REPEAT;
	when->type = SCHEDULE_CRON;
	if (said->unit <= TIME_HOUR) {
		if (said->unit == TIME_HOUR)
			said->every *= 3600;
		if (said->unit == TIME_MINUTE)
			said->every *= 60;
		said->unit = TIME_SECOND;
		done = !has_clock && !said->date_count;
		if (said->has_window || said->days || (!now && said->every == 3600)) {
			if (!said->has_window && !said->days && done)
				buf_append_str(&value, "0 * * * *");
			else
				done = done && append_window(when, &value);
		} else {
			when->type = SCHEDULE_INTERVAL;
			append_interval(said->every, &value);
		}
		if (!done) {
			cannot(when, "I can count from now ('every 2 hours') or keep to the "
				     "clock ('every day at 9'), but not both at once.");
			return;
		}
	} else if ((said->unit == TIME_DAY || said->unit == TIME_WEEK) && said->every > 1 &&
		   !said->by_clock && !has_clock && !said->days && !said->date_count &&
		   !said->from.kind && !said->has_window) {
		when->type = SCHEDULE_INTERVAL;
		append_interval(
			(int64_t)said->every * (said->unit == TIME_DAY ? 1 : 7) * DAY, &value);
	} else {
		if (said->has_window) {
			cannot(when, "Please say at which times.");
			return;
		}
		settle_clocks(when, now);
		if (when->kind == WHEN_CANNOT)
			return;
		/* "weekly from Friday" is on Fridays. */
		if (now && said->from.kind) {
			base = *now;
			find_day(when, &said->from, MIDNIGHT, &base);
		}
		if (!append_crons(when, now && said->from.kind ? &base : now, &value)) {
			cannot(when, "I cannot make out on which days that is.");
			return;
		}
	}
	settle_limits(when, now, &value);
	free(when->value);
	when->value = buf_take(&value);
}

void when_settle(struct when *when, const struct civil *now)
{
	struct said *said = &when->said;

	when->kind = WHEN_NONE;
	when->count = 0;
	when->taken = NULL;
	when->ask = NULL;
	snprintf(when->zone, sizeof(when->zone), "%s", said->zone ? said->zone : "");
	if (said->cannot)
		cannot(when, said->cannot);
	else if (said_is_empty(said))
		return;
	else if (said->unit)
		settle_repeat(when, now);
	else if (!now)
		cannot(when, "That happens only once.");
	else if (said_ends(said) || said->from.kind || said->has_window || said->has_from_clock)
		cannot(when, "I cannot make out how often that is.");
	else if (said->has_span)
		settle_span(when, now);
	else if (said->offset_sign && !said->clock_count &&
		 (!said->date_count || said->offset.seconds))
		cannot(when, "Please say the time from which I have to count.");
	else {
		settle_clocks(when, now);
		settle_once(when, now);
	}
	if (!when->ask)
		when->ask = said->ask;
}
