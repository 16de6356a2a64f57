/*
 * Any text is a time at any time. A time that comes out lies in the future and in the
 * calendar, a proposal too; a repetition is one that the scheduler takes; and the text to
 * remind of is a piece of the whole.
 */
#include "time/phrase/when.h"

#include <assert.h>
#include <string.h>

#include "fuzz.h"

static void check_moment(const struct civil *m, const struct civil *now)
{
	assert(m->month >= 1 && m->month <= 12 && m->day >= 1);
	assert(m->day <= civil_month_length(m->year, m->month));
	assert(m->hour >= 0 && m->hour < 24 && m->minute >= 0 && m->minute < 60);
	assert(when_compare(m, now) > 0);
}

static void check_schedule(const struct when *when, const struct civil *now)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	int64_t anchor = now ? civil_seconds(now) * 1000 : 0;

	assert(schedule_parse(when->type, when->value, "UTC", anchor, &schedule, &err) == 0);
}

static void check(const struct when *when, struct view text, const struct civil *now)
{
	assert(when->what);
	assert(!*when->what || memmem(text.data, text.len, when->what, strlen(when->what)));
	assert(when->kind != WHEN_ONCE || when->count);
	for (size_t i = 0; when->kind == WHEN_ONCE && i < when->count; i++)
		check_moment(&when->at[i], now);
	if (when->kind == WHEN_PAST)
		check_moment(&when->proposal, now);
	if (when->kind == WHEN_REPEAT)
		check_schedule(when, now);
	if (when->kind == WHEN_IN)
		assert(when->seconds > 0);
	if (when->kind == WHEN_CANNOT)
		assert(when->why && *when->why);
}

FUZZ_TARGET(when)
{
	CLEANUP(when_release) struct when when = {0};
	CLEANUP(when_release) struct when whole = {0};
	CLEANUP(when_release) struct when corrected = {0};
	struct civil now = {.year = 1970, .month = 1, .day = 1};
	struct view text;

	if (len < 4 || memchr(data, '\0', len))
		return 0;
	when_add_days(&now, (data[0] << 8 | data[1]) * 2 / 3);
	now.hour = data[2] % 24;
	now.minute = data[3] % 60;
	text = (struct view){(const char *)data + 4, len - 4};
	when_read(text, &(struct when_context){.now = &now}, &when);
	check(&when, text, &now);
	when_read(text, &(struct when_context){.whole = true}, &whole);
	check(&whole, text, NULL);
	if (when_correct(&when, text, &now, &corrected))
		check(&corrected, text, &now);
	return 0;
}
