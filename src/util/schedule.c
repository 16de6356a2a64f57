#include "util/schedule.h"

#include <string.h>

#include "util/duration.h"
#include "util/point.h"
#include "util/quote.h"

static const char *const type_names[] = {
	[SCHEDULE_CRON] = "cron",
	[SCHEDULE_INTERVAL] = "interval",
	[SCHEDULE_ONCE] = "once",
};

const char *schedule_type_name(enum schedule_type type)
{
	return type_names[type];
}

int schedule_type_parse(const char *name, enum schedule_type *ret_type, struct error *err)
{
	CLEANUP(freep) char *shown = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(type_names); i++)
		if (!strcmp(name, type_names[i])) {
			*ret_type = (enum schedule_type)i;
			return 0;
		}
	shown = quote(view_of(name));
	return error_set(err, ERROR_INVALID,
		"a schedule is 'cron', 'interval' or 'once', not %s", shown);
}

void schedule_release(struct schedule *schedule)
{
	zone_free(schedule->zone);
	*schedule = SCHEDULE_INIT;
}

static int parse_value(struct schedule *s, const char *value, struct error *err)
{
	switch (s->type) {
	case SCHEDULE_CRON:
		return cron_parse(view_of(value), &s->cron, err);
	case SCHEDULE_INTERVAL:
		if (duration_parse(view_of(value), &s->every, err) < 0)
			return -1;
		if (s->every >= SCHEDULE_LEAST_INTERVAL)
			return 0;
		error_set(err, ERROR_INVALID, "an interval is a second at least");
		return error_hint(err, "a number alone is milliseconds; write 30s or 30m");
	case SCHEDULE_ONCE:
		return point_parse(view_of(value), s->zone, &s->at, err);
	}
	return -1;
}

int schedule_parse(enum schedule_type type, const char *value, const char *zone_name,
	int64_t anchor, struct schedule *ret_schedule, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = {.type = type, .anchor = anchor};

	if (zone_open(zone_name, &schedule.zone, err) < 0 ||
		parse_value(&schedule, value, err) < 0)
		return -1;
	*ret_schedule = schedule;
	schedule = SCHEDULE_INIT;
	return 0;
}

static int64_t floor_seconds(int64_t ms)
{
	return (ms - (ms % 1000 + 1000) % 1000) / 1000;
}

static bool next_cron(const struct schedule *s, int64_t after, int64_t *ret_next)
{
	int64_t next;

	if (!cron_next(&s->cron, s->zone, floor_seconds(after), &next))
		return false;
	*ret_next = next * 1000;
	return true;
}

static int64_t next_interval(const struct schedule *s, int64_t after)
{
	if (after < s->anchor)
		return s->anchor + s->every;
	return s->anchor + ((after - s->anchor) / s->every + 1) * s->every;
}

bool schedule_next(const struct schedule *s, int64_t after, int64_t *ret_next)
{
	switch (s->type) {
	case SCHEDULE_CRON:
		return next_cron(s, after, ret_next);
	case SCHEDULE_INTERVAL:
		*ret_next = next_interval(s, after);
		return *ret_next / 1000 <= CIVIL_MAX;
	case SCHEDULE_ONCE:
		*ret_next = s->at;
		return s->at > after;
	}
	return false;
}
