#include "agent/offline/calendar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/offline/memory.h"
#include "time/duration.h"
#include "time/phrase/when.h"
#include "time/phrase/word_list.h"

static const char *const weekdays[] = {
	"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June",
	"July", "August", "September", "October", "November", "December"};

int calendar_zone(int folder, struct zone **ret_zone, struct error *err)
{
	CLEANUP(freep) char *name = NULL;

	if (memory_zone(folder, &name, err) < 0)
		return -1;
	if (!name)
		name = zone_default_name(getenv("TZ"));
	return zone_open(name, ret_zone, err);
}

bool calendar_zone_is_known(int folder)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *noted = NULL;
	CLEANUP(freep) char *machine = NULL;
	const char *tz = getenv("TZ");

	if ((tz && *tz) || (memory_zone(folder, &noted, &ignored) == 0 && noted))
		return true;
	machine = zone_default_name(NULL);
	return strcmp(machine, "UTC") != 0 && strncmp(machine, "Etc/", 4) != 0;
}

static bool same_day(const struct civil *a, const struct civil *b)
{
	return a->year == b->year && a->month == b->month && a->day == b->day;
}

void calendar_describe(const struct civil *moment, struct buf *out)
{
	buf_appendf(out, "%s, %d %s %d at %02d:%02d", weekdays[when_weekday(moment)],
		moment->day, months[moment->month - 1], moment->year, moment->hour,
		moment->minute);
}

void calendar_describe_from(
	const struct civil *moment, const struct civil *today, struct buf *out)
{
	struct civil tomorrow = *today;

	when_add_days(&tomorrow, 1);
	buf_append_str(out, same_day(moment, today)       ? "today, "
			    : same_day(moment, &tomorrow) ? "tomorrow, "
							  : "on ");
	calendar_describe(moment, out);
}

/* --- again and again --------------------------------------------------------- */

/* A field that is one number in these bounds; -1 if it is something else. */
static int number_in(struct view field, int least, int most)
{
	CLEANUP(freep) char *text = xmemdupz(field.data, field.len);
	int number = word_digits(text);

	return text[0] && strspn(text, "0123456789") == strlen(text) && number >= least &&
			       number <= most
		       ? number
		       : -1;
}

/* "a", "a and b", "a, b and c" */
static void append_item(struct buf *out, size_t i, size_t count, const char *item)
{
	buf_appendf(out, "%s%s", !i ? "" : i + 1 == count ? " and " : ", ", item);
}

static size_t count_of(struct view list, char separator)
{
	struct view one;
	size_t count = 0;

	while (view_next(&list, separator, &one))
		count++;
	return count;
}

/* "1,4", "1#1", "5#L": days of the week, and nothing else. */
static bool describe_days(struct view field, struct buf *out)
{
	static const char *const which[] = {
		"last ", "first ", "second ", "third ", "fourth ", "fifth "};
	size_t count = count_of(field, ',');
	bool of_month = field.len && memchr(field.data, '#', field.len);
	struct view day;

	if (of_month)
		buf_append_str(out, "the ");
	for (size_t i = 0; view_next(&field, ',', &day); i++) {
		struct view nth = day;
		struct view name;
		CLEANUP(freep) char *text = NULL;
		int number;

		view_next(&nth, '#', &name);
		number = number_in(name, 0, 6);
		if (number < 0 || (of_month && (!nth.len || !strchr("L12345", nth.data[0]))))
			return false;
		text = xasprintf("%s%s",
			!of_month ? "" : which[nth.data[0] == 'L' ? 0 : nth.data[0] - '0'],
			weekdays[number]);
		append_item(out, i, count, text);
	}
	if (of_month)
		buf_append_str(out, " of the month");
	return true;
}

/* The days of an expression, after "every " or "every 2 weeks on ". */
static bool describe_dates(
	const struct view fields[static 5], const char *step, struct buf *out)
{
	int day = number_in(fields[2], 1, 31);
	int month = number_in(fields[3], 1, 12);
	bool last = view_equal_str(fields[2], "L");
	bool any_weekday = view_equal_str(fields[4], "*");

	if (view_equal_str(fields[2], "*") && view_equal_str(fields[3], "*")) {
		bool working = view_equal_str(fields[4], "1-5");

		if (*step && any_weekday) {
			buf_append_str(out, step);
			return true;
		}
		buf_appendf(out, "%s%s", step, *step ? " on " : "");
		if (any_weekday || working)
			buf_append_str(out, any_weekday ? "day"
					    : *step     ? "weekdays"
							: "weekday");
		return any_weekday || working || describe_days(fields[4], out);
	}
	if (!any_weekday || (day < 0 && !last))
		return false;
	if (view_equal_str(fields[3], "*") && last)
		buf_appendf(out, "%s on the last day", *step ? step : "month");
	else if (view_equal_str(fields[3], "*"))
		buf_appendf(out, "%s on day %d", *step ? step : "month", day);
	else if (month > 0 && !last)
		buf_appendf(out, "%s on %d %s", *step ? step : "year", day, months[month - 1]);
	else
		return false;
	return true;
}

static bool split_cron(struct view cron, struct view fields[static 5])
{
	size_t count = 0;

	cron = view_trim(cron);
	while (count < 5 && view_next(&cron, ' ', &fields[count]))
		count++;
	return count == 5 && !cron.len;
}

/* "every weekday at 09:00 and 18:30": all expressions are for the same days. */
static bool describe_crons(struct view crons, const char *step, struct buf *out)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view first[5];
	struct view rest = crons;
	struct view one;
	size_t count = 0;
	size_t i = 0;

	while (view_next(&rest, ';', &one)) {
		struct view fields[5];

		if (!split_cron(one, fields))
			return false;
		if (!count)
			memcpy(first, fields, sizeof(first));
		for (int f = 2; f < 5; f++)
			if (!view_equal(fields[f], first[f]))
				return false;
		count += count_of(fields[1], ',');
	}
	if (!count)
		return false;
	buf_append_str(&text,
		memmem(first[4].data, first[4].len, "#", 1) && !*step ? "on " : "every ");
	if (!describe_dates(first, step, &text))
		return false;
	buf_append_str(&text, " at ");
	while (view_next(&crons, ';', &one)) {
		struct view fields[5];
		struct view hour;

		split_cron(one, fields);
		while (view_next(&fields[1], ',', &hour)) {
			int minute = number_in(fields[0], 0, 59);
			int number = number_in(hour, 0, 23);
			char clock[24];

			if (minute < 0 || number < 0)
				return false;
			snprintf(clock, sizeof(clock), "%02d:%02d", number, minute);
			append_item(&text, i++, count, clock);
		}
	}
	buf_append(out, text.data, text.len);
	return true;
}

/* The words after "every": "2 hours", "hour", "1 day and 30 minutes". */
static void describe_span(int64_t seconds, struct buf *out)
{
	static const struct {
		const char *name;
		int64_t seconds;
	} units[] = {{"week", 604800}, {"day", 86400}, {"hour", 3600}, {"minute", 60},
		{"second", 1}};
	bool first = true;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		int64_t count = seconds / units[i].seconds;

		if (!count)
			continue;
		seconds -= count * units[i].seconds;
		if (first && count == 1 && !seconds) {
			buf_append_str(out, units[i].name);
			return;
		}
		if (!first)
			buf_append_str(out, seconds ? ", " : " and ");
		buf_appendf(
			out, "%" PRId64 " %s%s", count, units[i].name, count == 1 ? "" : "s");
		first = false;
	}
}

/* "every 2 hours from 09:00 to 17:00 on weekdays": the hours are a range. */
static bool describe_window(struct view crons, struct buf *out)
{
	CLEANUP(buf_release) struct buf days = BUF_INIT;
	CLEANUP(freep) char *first = NULL;
	struct view fields[5];
	struct view cron;
	int minute = 0;
	int step = 60;
	int from, to, hours = 1, last;

	if (!view_next(&crons, ';', &cron) || !split_cron(cron, fields) ||
		!view_equal_str(fields[2], "*") || !view_equal_str(fields[3], "*"))
		return false;
	first = xasprintf("%.*s %.*s", VIEW_ARGS(fields[0]), VIEW_ARGS(fields[1]));
	if (sscanf(first, "*/%d %d-%d", &step, &from, &to) != 3 &&
		sscanf(first, "%d %d-%d/%d", &minute, &from, &to, &hours) < 3)
		return false;
	last = step < 60 ? to * 60 + 60 - step
			 : from * 60 + minute + (to - from) / hours * hours * 60;
	/* "; 0 17 …" is the last time of a schedule that repeats within the hour. */
	if (crons.len && (sscanf(crons.data, " 0 %d", &to) != 1 || step == 60))
		return false;
	last = crons.len ? to * 60 : last;
	if (view_equal_str(fields[4], "1-5"))
		buf_append_str(&days, "weekdays");
	else if (!view_equal_str(fields[4], "*") && !describe_days(fields[4], &days))
		return false;
	buf_append_str(out, "every ");
	describe_span((step < 60 ? step : hours * 60) * 60, out);
	buf_appendf(out, " from %02d:%02d to %02d:%02d%s%s", from, minute, last / 60, last % 60,
		days.len ? " on " : "", days.len ? days.data : "");
	return true;
}

/* Cuts `word` and the rest off a schedule and returns the rest. */
static struct view take_limit(struct view *value, const char *word)
{
	const char *found =
		value->len ? memmem(value->data, value->len, word, strlen(word)) : NULL;
	struct view limit = {"", 0};

	if (found) {
		limit = view_slice(
			*value, (size_t)(found - value->data) + strlen(word), value->len);
		*value = view_slice(*value, 0, (size_t)(found - value->data));
	}
	return limit;
}

void calendar_describe_schedule(const char *type, const char *value, struct buf *out)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view rest = view_of(value);
	struct view until_text = take_limit(&rest, " until ");
	CLEANUP(freep) char *until = xmemdupz(until_text.data, until_text.len);
	struct view step_text;
	CLEANUP(freep) char *step = NULL;
	struct civil end;
	int64_t ms;

	take_limit(&rest, " from "); /* the next time shows it */
	step_text = take_limit(&rest, " by ");
	step = xmemdupz(step_text.data, step_text.len);
	if (!strcmp(type, "interval") && duration_parse(rest, &ms, &ignored) == 0) {
		buf_append_str(out, "every ");
		describe_span(ms / 1000, out);
	} else if (!strcmp(type, "cron") && !describe_crons(rest, step, out) &&
		   (*step || !describe_window(rest, out))) {
		buf_appendf(out, "by '%.*s'", VIEW_ARGS(rest));
	}
	if (!*until || !calendar_read(until, &end))
		return;
	buf_appendf(out, ", until %s, %d %s %d", weekdays[when_weekday(&end)], end.day,
		months[end.month - 1], end.year);
	if (end.hour != 23 || end.minute != 59)
		buf_appendf(out, " at %02d:%02d", end.hour, end.minute);
}

bool calendar_read(const char *text, struct civil *ret_moment)
{
	struct civil moment = {0};

	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d", &moment.year, &moment.month, &moment.day,
		    &moment.hour, &moment.minute) != 5 ||
		!civil_is_valid(&moment))
		return false;
	*ret_moment = moment;
	return true;
}
