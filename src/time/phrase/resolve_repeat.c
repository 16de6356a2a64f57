/*
 * The schedule of a repetition.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "time/phrase/resolve.h"

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
		when->taken = "you did not name a day, so I assumed today's";
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
			when->taken = "you did not name a day, so I assumed today's";
	} else if (said->unit == TIME_YEAR) {
		if (said->days || (count ? date->kind != DATE_FULL || date->year : !now))
			return false;
		buf_appendf(out, "%d %d *", count ? date->number : now->day,
			count ? date->month : now->month);
		if (!count)
			when->taken = "you did not name a day, so I assumed today's";
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

/* The `count`th time of the schedule after `after`, in local time. */
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
		/* The interval begins some seconds after the phrase is read: add half of it. */
		if (when->type == SCHEDULE_INTERVAL) {
			int days = said->unit == TIME_WEEK ? 7 : said->unit == TIME_DAY;

			until = civil_of(
				civil_seconds(&until) +
				said->every * (days ? INT64_C(1) * days * DAY : 1) / 2);
		}
	} else if (said->has_until) {
		int minute = said->has_until_clock ? said->until_clock.minute : MIDNIGHT - 1;

		if (said->until_clock.bare && minute < 7 * 60)
			minute += 12 * 60;
		if (said->until.kind == DATE_NONE && said->unit != TIME_SECOND)
			return false;
		resolve_day(when, &said->until, minute, &until);
		until = resolve_minute(until, minute);
	} else {
		until = *first;
		resolve_add_months(&until, said->lasting.months);
		until = civil_of(civil_seconds(&until) + said->lasting.seconds +
				 (int64_t)said->lasting.days * DAY - 60);
	}
	*ret_until = until;
	return when_compare(&until, first) >= 0;
}

static void resolve_limits(struct when *when, const struct civil *now, struct buf *value)
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
		resolve_cannot(when, "A schedule in a file has no day to count from.");
		return;
	}
	if (said->from.kind) {
		resolve_day(when, &said->from, MIDNIGHT, &from);
		from = resolve_minute(from, 0);
		from = civil_of(civil_seconds(&from) - 60);
	}
	if (when_compare(&from, now) < 0)
		from = *now;
	/* "every 6 months" without a day begins in six months, as "every 6 days" does. */
	if (step && said->unit >= TIME_MONTH && !said->by_clock && !said->days &&
		!said->date_count && !said->from.kind) {
		from = resolve_minute(from, 0);
		resolve_add_months(&from, said->every * (said->unit == TIME_YEAR ? 12 : 1));
	}
	if (said->has_from_clock) {
		resolve_day(when, &said->from, said->from_clock.minute, &from);
		from = resolve_minute(from, said->from_clock.minute);
		if (said->from_clock.bare)
			when->ask = "you did not say am or pm";
		first = from;
	} else if (!nth_time(when, value->data, &from, 1, &first)) {
		resolve_cannot(when, "I cannot make out on which days that is.");
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
		resolve_cannot(when, "I cannot make out when that ends.");
		return;
	}
	append_moment(value, " until ", &until);
}

void resolve_repeat(struct when *when, const struct civil *now)
{
	CLEANUP(buf_release) struct buf value = BUF_INIT;
	struct said *said = &when->said;
	bool has_clock = said->clock_count || said->part;
	struct civil base;
	bool done;

	if (said->has_span || said->offset_sign) {
		resolve_cannot(when, "I cannot count from a time that repeats.");
		return;
	}
	if (said->except && !(said->days & ~said->except)) {
		resolve_cannot(when, "That leaves no day.");
		return;
	}
	if (said->except & ~said->days)
		said->ask = "not all of the exceptions are among the days";
	said->days &= ~said->except;
	if (said->per && said->per != (said->clock_count ? said->clock_count : 1)) {
		resolve_cannot(
			when, "Please say at which times, such as 'every day at 9 and 18:00'.");
		return;
	}
	when->kind = WHEN_REPEAT;
	when->type = SCHEDULE_CRON;
	if (said->unit == TIME_SECOND) {
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
			resolve_cannot(when,
				"I can count from now ('every 2 hours') or keep to the "
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
			resolve_cannot(when, "Please say at which times.");
			return;
		}
		resolve_clocks(when, now);
		if (when->kind == WHEN_CANNOT)
			return;
		/* "weekly from Friday" is on Fridays. */
		if (now && said->from.kind) {
			base = *now;
			resolve_day(when, &said->from, MIDNIGHT, &base);
		}
		if (!append_crons(when, now && said->from.kind ? &base : now, &value)) {
			resolve_cannot(when, "I cannot make out on which days that is.");
			return;
		}
	}
	resolve_limits(when, now, &value);
	free(when->value);
	when->value = buf_take(&value);
}
