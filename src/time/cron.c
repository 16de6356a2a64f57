#include "time/cron.h"

#include <string.h>
#include <strings.h>

#include "base/quote.h"

/* --- reading ----------------------------------------------------------------- */

static const char *const month_names[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL",
	"AUG", "SEP", "OCT", "NOV", "DEC", NULL};
static const char *const weekday_names[] = {
	"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", NULL};

static const struct field {
	const char *name;
	int least;
	int most;
	int values; /* different ones: a greater step is a mistake */
	const char *const *names;
} fields[] = {
	{"minute", 0, 59, 60, NULL},
	{"hour", 0, 23, 24, NULL},
	{"day of the month", 1, 31, 31, NULL},
	{"month", 1, 12, 12, month_names},
	{"day of the week", 0, 7, 7, weekday_names},
};

#define FIELDS ARRAY_SIZE(fields)

static const struct {
	const char *name;
	const char *means;
} nicknames[] = {
	{"@yearly", "0 0 1 1 *"},
	{"@annually", "0 0 1 1 *"},
	{"@monthly", "0 0 1 * *"},
	{"@weekly", "0 0 * * 0"},
	{"@daily", "0 0 * * *"},
	{"@midnight", "0 0 * * *"},
	{"@hourly", "0 * * * *"},
};

/* "the hour '25' is not a number from 0 to 23" */
static int field_error(
	const struct field *field, struct view item, const char *why, struct error *err)
{
	CLEANUP(freep) char *shown = quote(item);

	error_set(err, ERROR_INVALID, "the %s %s %s", field->name, shown, why);
	return -1;
}

/* Cut the digits or letters off the beginning. */
static struct view take_word(struct view *text)
{
	size_t len = 0;
	struct view word;

	while (len < text->len && !strchr("-/,", text->data[len]))
		len++;
	word = view_slice(*text, 0, len);
	*text = view_slice(*text, len, text->len);
	return word;
}

static int parse_digits(struct view word)
{
	int number = 0;

	if (!word.len || word.len > 4)
		return -1;
	for (size_t i = 0; i < word.len; i++) {
		if (word.data[i] < '0' || word.data[i] > '9')
			return -1;
		number = number * 10 + (word.data[i] - '0');
	}
	return number;
}

static int field_value(
	const struct field *field, struct view word, int *ret_value, struct error *err)
{
	int value = parse_digits(word);
	char why[80];

	for (int i = 0; field->names && field->names[i]; i++)
		if (word.len == 3 && !strncasecmp(word.data, field->names[i], 3))
			value = field->least + i;
	snprintf(why, sizeof(why), "is not a number from %d to %d%s%s%s", field->least,
		field->most, field->names ? " or a name such as " : "",
		field->names ? field->names[1] : "", field->names ? "" : " or *");
	if (value < field->least || value > field->most)
		return field_error(field, word, why, err);
	*ret_value = value;
	return 0;
}

/* "*", "5", "1-5", "MON-FRI": the values that a step after it would run over. */
static int field_read_range(const struct field *field, struct view item, struct view *rest,
	int *ret_first, int *ret_last, struct error *err)
{
	struct view word = take_word(rest);

	if (view_equal_str(word, "*")) {
		*ret_first = field->least;
		*ret_last = field->least + field->values - 1;
		return 0;
	}
	if (field_value(field, word, ret_first, err) < 0)
		return -1;
	*ret_last = *ret_first;
	if (rest->len && rest->data[0] == '-') {
		*rest = view_slice(*rest, 1, rest->len);
		word = take_word(rest);
		if (field_value(field, word, ret_last, err) < 0)
			return -1;
		/* Sunday ends a week as well as it begins one. */
		if (field->names == weekday_names && !*ret_last && *ret_first)
			*ret_last = 7;
		if (*ret_last < *ret_first) {
			field_error(field, item, "goes backwards", err);
			error_hint(err, "write two ranges as 22-23,0-2");
			return -1;
		}
	} else if (rest->len && rest->data[0] == '/') {
		*ret_last = field->least + field->values - 1;
		if (*ret_last < *ret_first)
			*ret_last = *ret_first;
	}
	return 0;
}

static int field_read_step(const struct field *field, struct view item, struct view rest,
	int *ret_step, struct error *err)
{
	char why[64];

	*ret_step = 1;
	if (!rest.len)
		return 0;
	snprintf(why, sizeof(why), "has a step that is not a number from 1 to %d",
		field->values);
	if (rest.data[0] != '/')
		return field_error(field, item, "cannot be read", err);
	*ret_step = parse_digits(view_slice(rest, 1, rest.len));
	if (*ret_step < 1 || *ret_step > field->values) {
		field_error(field, item, why, err);
		error_hint(err, "for longer distances use an interval: 90m, 36h");
		return -1;
	}
	return 0;
}

/* "MON#1", "5#L": one weekday of the month. */
static int field_read_nth(const struct field *field, struct view item, const char *mark,
	struct cron *cron, struct error *err)
{
	struct view word = view_slice(item, 0, (size_t)(mark - item.data));
	char which = item.len == word.len + 2 ? mark[1] : '\0';
	int day;

	if (field_value(field, word, &day, err) < 0)
		return -1;
	if ((which < '1' || which > '5') && which != 'L' && which != 'l')
		return field_error(
			field, item, "is not one such as MON#1 (to 5) or FRI#L", err);
	cron->nth[which > '9' ? 0 : which - '0'] |= (uint8_t)(1U << day % 7);
	return 0;
}

static int field_read(const struct field *field, struct view text, struct cron *cron,
	uint64_t *ret_bits, struct error *err)
{
	uint64_t bits = 0;
	struct view rest = text;
	struct view item;

	if (text.data[text.len - 1] == ',')
		return field_error(field, text, "ends in a comma", err);
	while (view_next(&rest, ',', &item)) {
		struct view behind = item;
		int first;
		int last;
		int step;
		const char *mark = item.len ? memchr(item.data, '#', item.len) : NULL;

		if (mark && field->names == weekday_names) {
			if (field_read_nth(field, item, mark, cron, err) < 0)
				return -1;
			continue;
		}
		if (field->values == 31 &&
			(view_equal_str(item, "L") || view_equal_str(item, "l"))) {
			bits |= 1;
			continue;
		}
		if (field_read_range(field, item, &behind, &first, &last, err) < 0 ||
			field_read_step(field, item, behind, &step, err) < 0)
			return -1;
		for (int i = first; i <= last; i += step)
			bits |= (uint64_t)1
				<< ((unsigned)i % (field->names == weekday_names ? 7 : 64));
	}
	*ret_bits = bits;
	return 0;
}

static int split_fields(struct view text, struct view *ret_fields, struct error *err)
{
	size_t count = 0;
	size_t at = 0;

	while (at < text.len) {
		size_t start = at;

		while (at < text.len && text.data[at] != ' ' && text.data[at] != '\t')
			at++;
		if (at > start && count < FIELDS)
			ret_fields[count] = view_slice(text, start, at);
		count += at > start;
		at++;
	}
	if (count == FIELDS)
		return 0;
	error_set(err, ERROR_INVALID,
		"a cron expression has five fields (minute, hour, day, month, weekday), not "
		"%zu",
		count);
	error_hint(err, "at nine every day is '0 9 * * *'");
	return -1;
}

static int expand_nickname(struct view *text, struct error *err)
{
	CLEANUP(freep) char *shown = quote(*text);

	if (!text->len || text->data[0] != '@')
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(nicknames); i++)
		if (text->len == strlen(nicknames[i].name) &&
			!strncasecmp(text->data, nicknames[i].name, text->len)) {
			*text = view_of(nicknames[i].means);
			return 0;
		}
	error_set(err, ERROR_INVALID, "the cron expression %s is not known", shown);
	return error_hint(
		err, "the known ones are @hourly, @daily, @weekly, @monthly and @yearly");
}

int cron_parse(struct view text, struct cron *ret_cron, struct error *err)
{
	struct view parts[FIELDS];
	uint64_t bits[FIELDS];
	struct cron cron = {0};

	text = view_trim(text);
	if (text.len > CRON_MAX)
		return error_set(err, ERROR_INVALID, "the cron expression is too long");
	if (expand_nickname(&text, err) < 0 || split_fields(text, parts, err) < 0)
		return -1;
	for (size_t i = 0; i < FIELDS; i++)
		if (field_read(&fields[i], parts[i], &cron, &bits[i], err) < 0)
			return -1;
	cron.minutes = bits[0];
	cron.hours = (uint32_t)bits[1];
	cron.days = (uint32_t)bits[2];
	cron.months = (uint16_t)bits[3];
	cron.weekdays = (uint8_t)bits[4];
	cron.every_hour = parts[1].data[0] == '*';
	cron.every_day = parts[2].data[0] == '*';
	cron.every_weekday = parts[4].data[0] == '*';
	*ret_cron = cron;
	return 0;
}

/* --- searching --------------------------------------------------------------- */

#define SEARCH_YEARS 400

static bool cron_has_day(const struct cron *cron, const struct civil *c)
{
	int length = civil_month_length(c->year, c->month);
	bool day = cron->days >> c->day & 1 || (cron->days & 1 && c->day == length);
	unsigned weekdays = cron->weekdays | cron->nth[(c->day + 6) / 7] |
			    (c->day + 7 > length ? cron->nth[0] : 0);
	bool weekday = weekdays >> c->weekday & 1;

	return cron->every_day || cron->every_weekday ? day && weekday : day || weekday;
}

/* The lowest bit from `from` on, or -1. */
static int next_bit(uint64_t bits, int from)
{
	bits = from < 64 ? bits >> from << from : 0;
	return bits ? __builtin_ctzll(bits) : -1;
}

/* To the beginning of the next day. */
static void next_day(struct civil *c)
{
	c->hour = c->minute = 0;
	c->weekday = (c->weekday + 1) % 7;
	if (c->day++ < civil_month_length(c->year, c->month))
		return;
	c->day = 1;
	if (c->month++ == 12) {
		c->month = 1;
		c->year++;
	}
}

/* The time of day, from the one in `c` on. */
static bool cron_next_time(const struct cron *cron, struct civil *c)
{
	int hour = next_bit(cron->hours, c->hour);
	int minute = hour == c->hour ? next_bit(cron->minutes, c->minute) : -1;

	if (minute < 0 && hour == c->hour)
		hour = next_bit(cron->hours, hour + 1);
	if (hour < 0)
		return false;
	c->hour = hour;
	c->minute = minute >= 0 ? minute : next_bit(cron->minutes, 0);
	return true;
}

/* The first civil minute from `local` on that fits. */
static bool cron_next_local(const struct cron *cron, int64_t local, int64_t *ret_local)
{
	struct civil c;
	int limit;

	if (local < CIVIL_MIN)
		local = CIVIL_MIN;
	local += ((60 - local % 60) % 60 + 60) % 60;
	c = civil_of(local);
	limit = c.year + SEARCH_YEARS;
	while (c.year <= limit && c.year <= 9999) {
		if (!(cron->months >> c.month & 1))
			c = civil_of(
				86400 * civil_days(c.year + c.month / 12, c.month % 12 + 1, 1));
		else if (!cron_has_day(cron, &c) || !cron_next_time(cron, &c))
			next_day(&c);
		else {
			*ret_local = civil_seconds(&c);
			return true;
		}
	}
	return false;
}

/* Every time that the clock shows such a minute, including again after it was set back. */
static bool next_by_time(
	const struct cron *cron, const struct zone *zone, int64_t after, int64_t *ret_next)
{
	struct zone_span span = zone_span_at(zone, after + 1);
	int64_t from = after + 1;
	int64_t local;

	while (cron_next_local(cron, from + span.offset, &local)) {
		if (local - span.offset < span.until) {
			*ret_next = local - span.offset;
			return true;
		}
		from = span.until;
		span = zone_span_at(zone, from);
	}
	return false;
}

/*
 * By local times: later local times never have earlier instants, so the first one whose instant
 * is later than `after` is the next.
 */
static bool next_by_clock(
	const struct cron *cron, const struct zone *zone, int64_t after, int64_t *ret_next)
{
	int64_t local = after + zone_span_at(zone, after).offset;

	while (cron_next_local(cron, local + 1, &local)) {
		int64_t instant = zone_instants(zone, local).first;

		if (instant > after) {
			*ret_next = instant;
			return true;
		}
	}
	return false;
}

bool cron_next(
	const struct cron *cron, const struct zone *zone, int64_t after, int64_t *ret_next)
{
	if (after < CIVIL_MIN || after >= CIVIL_MAX)
		return false;
	return cron->every_hour ? next_by_time(cron, zone, after, ret_next)
				: next_by_clock(cron, zone, after, ret_next);
}
