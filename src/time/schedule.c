#include "time/schedule.h"

#include <string.h>

#include "base/quote.h"
#include "time/duration.h"
#include "time/point.h"

const char *const schedule_type_names[] = {
	[SCHEDULE_CRON] = "cron",
	[SCHEDULE_INTERVAL] = "interval",
	[SCHEDULE_ONCE] = "once",
	NULL,
};

const char *schedule_type_name(enum schedule_type type)
{
	return schedule_type_names[type];
}

int schedule_type_parse(const char *name, enum schedule_type *ret_type, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(name));

	for (size_t i = 0; schedule_type_names[i]; i++)
		if (!strcmp(name, schedule_type_names[i])) {
			*ret_type = (enum schedule_type)i;
			return 0;
		}
	return error_set(err, ERROR_INVALID,
		"a schedule is 'cron', 'interval' or 'once', not %s", shown);
}

void schedule_release(struct schedule *schedule)
{
	zone_free(schedule->zone);
	*schedule = SCHEDULE_INIT;
}

/* Cuts " word REST" off the end of `text`, if present. */
static bool take_limit(struct view *text, const char *word, struct view *ret_rest)
{
	const char *found =
		text->len ? memmem(text->data, text->len, word, strlen(word)) : NULL;

	if (!found)
		return false;
	*ret_rest = view_slice(*text, (size_t)(found - text->data) + strlen(word), text->len);
	*text = view_slice(*text, 0, (size_t)(found - text->data));
	return true;
}

/* "2 weeks" */
static int parse_step(struct schedule *s, struct view text, struct error *err)
{
	static const char *const units[] = {
		[UNIT_DAYS] = "days", [UNIT_WEEKS] = "weeks", [UNIT_MONTHS] = "months"};
	CLEANUP(freep) char *shown = quote(text);
	struct view rest = text;
	struct view number = {"", 0};
	int step = 0;

	view_next(&rest, ' ', &number);
	for (size_t i = 0; i < number.len && step <= SCHEDULE_MAX_STEP; i++)
		step = number.data[i] >= '0' && number.data[i] <= '9'
			       ? step * 10 + (number.data[i] - '0')
			       : SCHEDULE_MAX_STEP + 1;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (step >= 1 && step <= SCHEDULE_MAX_STEP && view_equal_str(rest, units[i])) {
			s->step = step;
			s->unit = (enum schedule_unit)i;
			return 0;
		}
	return error_set(err, ERROR_INVALID,
		"'by' needs a number and 'days', 'weeks' or 'months', not %s", shown);
}

/* The limits of a cron or an interval, which are cut off the end of `text`. */
static int parse_limits(struct schedule *s, struct view *text, struct error *err)
{
	struct view limit;

	if (take_limit(text, " until ", &limit) &&
		point_parse(limit, s->zone, &s->until, err) < 0)
		return -1;
	if (take_limit(text, " from ", &limit) &&
		point_parse(limit, s->zone, &s->from, err) < 0)
		return -1;
	if (take_limit(text, " by ", &limit) && parse_step(s, limit, err) < 0)
		return -1;
	if (s->step && (s->from == INT64_MIN || s->type != SCHEDULE_CRON))
		return error_set(err, ERROR_INVALID,
			"'by' needs a cron expression, and a 'from' to count from");
	return 0;
}

static int parse_crons(struct schedule *s, struct view text, struct error *err)
{
	struct view one = text;

	do {
		if (s->count == SCHEDULE_MAX_CRONS)
			return error_set(err, ERROR_INVALID,
				"a schedule has at most %d cron expressions",
				SCHEDULE_MAX_CRONS);
		view_next(&text, ';', &one);
		if (cron_parse(one, &s->crons[s->count++], err) < 0)
			return -1;
	} while (text.len);
	return 0;
}

static int parse_interval(struct schedule *s, struct view text, struct error *err)
{
	if (duration_parse(text, &s->every, err) < 0)
		return -1;
	if (s->every < SCHEDULE_LEAST_INTERVAL) {
		error_set(err, ERROR_INVALID, "an interval must be at least one second");
		return error_hint(err, "a number alone is milliseconds; write 30s or 30m");
	}
	if (s->from != INT64_MIN)
		s->anchor = s->from - s->every;
	return 0;
}

int schedule_parse(enum schedule_type type, const char *value, const char *zone_name,
	int64_t anchor, struct schedule *ret_schedule, struct error *err)
{
	CLEANUP(schedule_release)
	struct schedule schedule = {
		.type = type, .anchor = anchor, .from = INT64_MIN, .until = INT64_MAX};
	struct view text = view_of(value);
	int failed;

	if (zone_open(zone_name, &schedule.zone, err) < 0 ||
		(type != SCHEDULE_ONCE && parse_limits(&schedule, &text, err) < 0))
		return -1;
	if (type == SCHEDULE_ONCE)
		failed = point_parse(text, schedule.zone, &schedule.at, err);
	else if (type == SCHEDULE_CRON)
		failed = parse_crons(&schedule, text, err);
	else
		failed = parse_interval(&schedule, text, err);
	if (failed)
		return -1;
	*ret_schedule = schedule;
	schedule = SCHEDULE_INIT;
	return 0;
}

static int64_t floor_seconds(int64_t ms)
{
	return (ms - (ms % 1000 + 1000) % 1000) / 1000;
}

/* Is the time in a day, week or month that counts? `*ret_next_day` is when the next day begins. */
static bool fits_step(const struct schedule *s, int64_t time, int64_t *ret_next_day)
{
	struct civil from = zone_local(s->zone, floor_seconds(s->from), NULL);
	struct civil at = zone_local(s->zone, time, NULL);
	int64_t first = civil_days(from.year, from.month, from.day);
	int64_t day = civil_days(at.year, at.month, at.day);

	*ret_next_day = zone_instants(s->zone, (day + 1) * 86400).first;
	switch (s->unit) {
	case UNIT_DAYS:
		return (day - first) % s->step == 0;
	case UNIT_WEEKS:
		first -= (from.weekday + 6) % 7;
		day -= (at.weekday + 6) % 7;
		return (day - first) / 7 % s->step == 0;
	case UNIT_MONTHS:
		return ((at.year - from.year) * 12 + at.month - from.month) % s->step == 0;
	}
	return false;
}

/* More days than SCHEDULE_MAX_STEP months have. */
#define MAX_LOOKS 40000

static bool next_cron(const struct schedule *s, int64_t after, int64_t *ret_next)
{
	int64_t time = floor_seconds(after);

	if (s->from != INT64_MIN && after < s->from)
		time = floor_seconds(s->from - 1);
	for (int looks = 0; looks < MAX_LOOKS; looks++) {
		int64_t next = INT64_MAX;
		int64_t next_day;

		for (size_t i = 0; i < s->count; i++) {
			int64_t one;

			if (cron_next(&s->crons[i], s->zone, time, &one) && one < next)
				next = one;
		}
		if (next == INT64_MAX)
			return false;
		if (!s->step || fits_step(s, next, &next_day)) {
			*ret_next = next * 1000;
			return true;
		}
		time = next_day > next ? next_day - 1 : next;
	}
	return false;
}

bool schedule_next(const struct schedule *s, int64_t after, int64_t *ret_next)
{
	int64_t next = s->at;

	switch (s->type) {
	case SCHEDULE_CRON:
		if (!next_cron(s, after, &next))
			return false;
		break;
	case SCHEDULE_INTERVAL:
		next = s->anchor + s->every;
		if (after >= s->anchor)
			next += (after - s->anchor) / s->every * s->every;
		if (next / 1000 > CIVIL_MAX)
			return false;
		break;
	case SCHEDULE_ONCE:
		if (next <= after)
			return false;
		break;
	}
	if (next > s->until)
		return false;
	*ret_next = next;
	return true;
}
