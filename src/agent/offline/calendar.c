#include "agent/offline/calendar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/offline/memory.h"
#include "agent/offline/moment.h"
#include "agent/offline/words.h"

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

static bool same_day(const struct civil *a, const struct civil *b)
{
	return a->year == b->year && a->month == b->month && a->day == b->day;
}

void calendar_describe(const struct civil *moment, struct buf *out)
{
	buf_appendf(out, "%s, %d %s %d at %02d:%02d", weekdays[moment_weekday(moment)],
		moment->day, months[moment->month - 1], moment->year, moment->hour,
		moment->minute);
}

void calendar_describe_from(
	const struct civil *moment, const struct civil *today, struct buf *out)
{
	struct civil tomorrow = *today;

	moment_add_days(&tomorrow, 1);
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
	int number = words_digits(text);

	return text[0] && strspn(text, "0123456789") == strlen(text) && number >= least &&
			       number <= most
		       ? number
		       : -1;
}

/* "1,4": days of the week, and nothing else. */
static bool describe_days(struct view field, struct buf *out)
{
	CLEANUP(buf_release) struct buf days = BUF_INIT;
	struct view day;

	if (view_equal_str(field, "*") || view_equal_str(field, "1-5")) {
		buf_append_str(out, field.data[0] == '*' ? "every day" : "every weekday");
		return true;
	}
	buf_append_str(&days, "every ");
	while (view_next(&field, ',', &day)) {
		int number = number_in(day, 0, 6);

		if (number < 0)
			return false;
		buf_append_str(&days, weekdays[number]);
		if (field.len)
			buf_append_str(
				&days, memchr(field.data, ',', field.len) ? ", " : " and ");
	}
	buf_append(out, days.data, days.len);
	return true;
}

static bool describe_fields(struct view fields[static 5], struct buf *out)
{
	int minute = number_in(fields[0], 0, 59);
	int hour = number_in(fields[1], 0, 23);
	int day = number_in(fields[2], 1, 31);
	int month = number_in(fields[3], 1, 12);
	bool any_day = view_equal_str(fields[2], "*");
	bool any_month = view_equal_str(fields[3], "*");
	bool any_weekday = view_equal_str(fields[4], "*");

	if (minute < 0 || hour < 0 || (!any_day && day < 0) || (!any_month && month < 0) ||
		(any_day && !any_month) || (!any_day && !any_weekday))
		return false;
	if (any_day && !describe_days(fields[4], out))
		return false;
	if (!any_day && any_month)
		buf_appendf(out, "every month on day %d", day);
	else if (!any_day)
		buf_appendf(out, "every year on %d %s", day, months[month - 1]);
	buf_appendf(out, " at %02d:%02d", hour, minute);
	return true;
}

void calendar_describe_cron(const char *cron, struct buf *out)
{
	struct view fields[5] = {0};
	struct view rest = view_of(cron);
	size_t count = 0;

	while (count < 5 && view_next(&rest, ' ', &fields[count]))
		count++;
	if (count < 5 || rest.len || !describe_fields(fields, out))
		buf_appendf(out, "by '%s'", cron);
}

void calendar_describe_span(int64_t seconds, struct buf *out)
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

/* `count` digits, and the character behind them. */
static bool read_number(const char **text, size_t count, char behind, int *ret_number)
{
	if (strspn(*text, "0123456789") != count || (behind && (*text)[count] != behind))
		return false;
	*ret_number = words_digits(*text);
	*text += count + (behind ? 1 : 0);
	return true;
}

bool calendar_read(const char *text, struct civil *ret_moment)
{
	struct civil moment = {0};

	if (!read_number(&text, 4, '-', &moment.year) ||
		!read_number(&text, 2, '-', &moment.month) ||
		!read_number(&text, 2, 'T', &moment.day) ||
		!read_number(&text, 2, ':', &moment.hour) ||
		!read_number(&text, 2, 0, &moment.minute) || !civil_is_valid(&moment))
		return false;
	*ret_moment = moment;
	return true;
}
