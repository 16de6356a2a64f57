/*
 * The first line is a cron expression, the second a length of time, the third a date
 * with a time. A valid expression gives increasing times, none of which is before the date.
 */
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "time/cron.h"
#include "time/duration.h"
#include "time/point.h"

/* 2026-03-28T12:00:00Z, before the clock is put forward */
#define START INT64_C(1774699200)

static void check_cron(struct view text, const struct zone *zone)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct cron cron;
	int64_t time = START;

	if (cron_parse(text, &cron, &err) < 0) {
		assert(err.kind == ERROR_INVALID);
		return;
	}
	for (int i = 0; i < 20; i++) {
		int64_t next;

		if (!cron_next(&cron, zone, time, &next))
			break;
		assert(next > time);
		time = next;
	}
}

FUZZ_TARGET(cron)
{
	static struct zone *zone;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct view rest = {len ? (const char *)data : "", len};
	struct view line;
	int64_t ms;

	if (!zone && zone_open("Europe/Berlin", &zone, &err) < 0)
		return 0;
	if (view_next(&rest, '\n', &line))
		check_cron(line, zone);
	if (view_next(&rest, '\n', &line) && duration_parse(line, &ms, &err) == 0)
		assert(ms >= 0 && ms <= DURATION_MAX);
	error_clear(&err);
	if (view_next(&rest, '\n', &line) && point_parse(line, zone, &ms, &err) == 0)
		assert(ms / 1000 >= CIVIL_MIN - 86400 && ms / 1000 <= CIVIL_MAX + 86400);
	return 0;
}
