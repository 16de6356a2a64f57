#include "time/zone_rule.h"

#include "time/civil.h"

/* --- reading ----------------------------------------------------------------- */

static int rule_malformed(struct error *err)
{
	return error_set(err, ERROR_INVALID, "its rule for later years cannot be read");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int take_number(struct view *text, int least, int most, int *ret_number)
{
	int number = 0;
	size_t len = 0;

	while (len < text->len && len < 4 && is_digit(text->data[len]))
		number = number * 10 + (text->data[len++] - '0');
	if (!len || number < least || number > most)
		return -1;
	*text = view_slice(*text, len, text->len);
	*ret_number = number;
	return 0;
}

static int take_name(struct view *text, char *ret_name)
{
	bool quoted = view_take_char(text, '<');
	size_t len = 0;

	while (len < text->len &&
		(is_letter(text->data[len]) ||
			(quoted && (is_digit(text->data[len]) || text->data[len] == '+' ||
					   text->data[len] == '-'))))
		len++;
	if (!len || len > ZONE_ABBREVIATION_MAX)
		return -1;
	for (size_t i = 0; i < len; i++)
		ret_name[i] = text->data[i];
	ret_name[len] = '\0';
	*text = view_slice(*text, len, text->len);
	return !quoted || view_take_char(text, '>') ? 0 : -1;
}

/* [+-]hh[:mm[:ss]] */
static int take_time(struct view *text, int most_hours, int32_t *ret_seconds)
{
	bool negative = view_take_char(text, '-');
	int hours;
	int minutes = 0;
	int seconds = 0;

	if (!negative)
		view_take_char(text, '+');
	if (take_number(text, 0, most_hours, &hours) < 0)
		return -1;
	if (view_take_char(text, ':')) {
		if (take_number(text, 0, 59, &minutes) < 0)
			return -1;
		if (view_take_char(text, ':') && take_number(text, 0, 59, &seconds) < 0)
			return -1;
	}
	*ret_seconds = (hours * 3600 + minutes * 60 + seconds) * (negative ? -1 : 1);
	return 0;
}

static int take_date(struct view *text, struct zone_date *ret_date)
{
	struct zone_date date = {.time = 2 * 3600};

	if (!view_take_char(text, ','))
		return -1;
	if (view_take_char(text, 'M')) {
		date.kind = ZONE_DATE_MONTH;
		if (take_number(text, 1, 12, &date.month) < 0 || !view_take_char(text, '.') ||
			take_number(text, 1, 5, &date.week) < 0 || !view_take_char(text, '.') ||
			take_number(text, 0, 6, &date.day) < 0)
			return -1;
	} else if (view_take_char(text, 'J')) {
		date.kind = ZONE_DATE_JULIAN;
		if (take_number(text, 1, 365, &date.day) < 0)
			return -1;
	} else {
		date.kind = ZONE_DATE_DAY;
		if (take_number(text, 0, 365, &date.day) < 0)
			return -1;
	}
	if (view_take_char(text, '/') && take_time(text, 167, &date.time) < 0)
		return -1;
	*ret_date = date;
	return 0;
}

int zone_rule_parse(struct view text, struct zone_rule *ret_rule, struct error *err)
{
	struct zone_rule rule = {0};
	int32_t west;

	if (take_name(&text, rule.standard.abbreviation) < 0 || take_time(&text, 24, &west) < 0)
		return rule_malformed(err);
	rule.standard.offset = -west;
	rule.has_daylight = text.len > 0;
	if (rule.has_daylight) {
		if (take_name(&text, rule.daylight.abbreviation) < 0)
			return rule_malformed(err);
		rule.daylight.offset = rule.standard.offset + 3600;
		if (text.len && text.data[0] != ',') {
			if (take_time(&text, 24, &west) < 0)
				return rule_malformed(err);
			rule.daylight.offset = -west;
		}
		if (take_date(&text, &rule.start) < 0 || take_date(&text, &rule.end) < 0)
			return rule_malformed(err);
	}
	if (text.len)
		return rule_malformed(err);
	*ret_rule = rule;
	return 0;
}

/* --- changes ----------------------------------------------------------------- */

static int64_t date_in_month(const struct zone_date *date, int year)
{
	int64_t first = civil_days(year, date->month, 1);
	int weekday = (int)(((first + 4) % 7 + 7) % 7);
	int day = (date->day - weekday + 7) % 7 + (date->week - 1) * 7;

	if (day >= civil_month_length(year, date->month))
		day -= 7;
	return first + day;
}

/* When the clock of this period comes to the date, in seconds since 1970 in UTC. */
static int64_t change_in(
	const struct zone_date *date, int year, const struct zone_period *before)
{
	int64_t days = civil_days(year, 1, 1);

	switch (date->kind) {
	case ZONE_DATE_MONTH:
		days = date_in_month(date, year);
		break;
	case ZONE_DATE_JULIAN:
		days += date->day - 1;
		if (date->day >= 60 && civil_month_length(year, 2) == 29)
			days++;
		break;
	case ZONE_DATE_DAY:
		days += date->day;
		break;
	}
	return days * 86400 + date->time - before->offset;
}

struct change {
	int64_t at;
	bool to_daylight;
};

/* At the same time, daylight comes last: a year without standard time has such. */
static bool is_before(struct change a, struct change b)
{
	return a.at < b.at || (a.at == b.at && !a.to_daylight && b.to_daylight);
}

static void rule_insert(struct change *changes, int count, struct change change)
{
	while (count > 0 && is_before(change, changes[count - 1])) {
		changes[count] = changes[count - 1];
		count--;
	}
	changes[count] = change;
}

#define YEARS 5

struct zone_rule_span zone_rule_at(const struct zone_rule *rule, int64_t instant)
{
	struct zone_rule_span span = {INT64_MIN, INT64_MAX, &rule->standard, false};
	struct change changes[2 * YEARS];
	int count = 0;
	int year = civil_of(instant).year;

	if (!rule->has_daylight)
		return span;
	for (int y = year - YEARS / 2; y <= year + YEARS / 2; y++) {
		rule_insert(changes, count++,
			(struct change){change_in(&rule->start, y, &rule->standard), true});
		rule_insert(changes, count++,
			(struct change){change_in(&rule->end, y, &rule->daylight), false});
	}
	for (int i = 0; i < count && changes[i].at <= instant; i++) {
		span.from = changes[i].at;
		span.is_dst = changes[i].to_daylight;
		span.until = i + 1 < count ? changes[i + 1].at : INT64_MAX;
	}
	span.period = span.is_dst ? &rule->daylight : &rule->standard;
	return span;
}
