/*
 * Time zones against the system's own date arithmetic (glibc's localtime_r).
 *
 *	differential-zone STEP-HOURS
 *
 * For every zone of a list: the offset at every STEP hours from 1970 to 2060; and the civil
 * times around every change of the clock. The list has the unusual ones: half an hour of
 * daylight saving, a negative one, one that pauses for Ramadan, a day that was left out, a
 * clock that is put forward at midnight.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../harness/tap.h"
#include "time/zone.h"

static const char *const zones[] = {
	"Africa/Cairo",
	"Africa/Casablanca",
	"America/Argentina/Buenos_Aires",
	"America/New_York",
	"America/Nuuk",
	"America/Sao_Paulo",
	"America/St_Johns",
	"Antarctica/Troll",
	"Asia/Gaza",
	"Asia/Kathmandu",
	"Asia/Tehran",
	"Asia/Tokyo",
	"Australia/Lord_Howe",
	"Australia/Sydney",
	"Europe/Berlin",
	"Europe/Dublin",
	"Europe/London",
	"Pacific/Apia",
	"Pacific/Auckland",
	"Pacific/Chatham",
	"Pacific/Kiritimati",
	"UTC",
};

#define HOUR         3600
#define DAY          (24 * HOUR)
#define FIRST        0
#define LAST         INT64_C(2840140800) /* 2060 */
#define WINDOW       (30 * HOUR)
#define WINDOW_STEPS (2 * WINDOW / 60)

static unsigned compared;

static int64_t peer_offset(int64_t instant)
{
	time_t t = (time_t)instant;
	struct tm tm;

	localtime_r(&t, &tm);
	return tm.tm_gmtoff;
}

static bool offset_agrees(const struct zone *zone, int64_t instant)
{
	int32_t offset;
	struct civil ours = zone_local(zone, instant, &offset);
	time_t t = (time_t)instant;
	struct tm tm;

	localtime_r(&t, &tm);
	compared++;
	if (offset == tm.tm_gmtoff && ours.year == tm.tm_year + 1900 &&
		ours.month == tm.tm_mon + 1 && ours.day == tm.tm_mday &&
		ours.hour == tm.tm_hour && ours.minute == tm.tm_min &&
		ours.second == tm.tm_sec && ours.weekday == tm.tm_wday)
		return true;
	printf("# %s at %" PRId64 ": %+d, and the system says %+ld\n", zone_name(zone), instant,
		offset, tm.tm_gmtoff);
	return false;
}

/* What the clock on the wall shows in each minute around a change. */
static bool civil_agrees(
	const struct zone *zone, int64_t change, const int64_t *shown, int64_t local)
{
	struct zone_instants ours = zone_instants(zone, local);
	int64_t first = 0;
	int64_t last = 0;
	int count = 0;

	for (int i = 0; i < WINDOW_STEPS; i++)
		if (shown[i] == local) {
			last = change - WINDOW + (int64_t)i * 60;
			first = count++ ? first : last;
		}
	if (!count)
		first = last = change;
	compared++;
	if (ours.first == first && ours.last == last &&
		ours.fit == (count == 0          ? ZONE_GAP
				    : count == 1 ? ZONE_ONCE
						 : ZONE_TWICE))
		return true;
	printf("# %s, civil %" PRId64 ": %d from %" PRId64 " to %" PRId64
	       ", and the system says %d from %" PRId64 " to %" PRId64 "\n",
		zone_name(zone), local, ours.fit, ours.first, ours.last, count, first, last);
	return false;
}

static bool change_agrees(const struct zone *zone, int64_t change)
{
	static int64_t shown[WINDOW_STEPS];
	int64_t before = change - 1 + peer_offset(change - 1) + 1;
	int64_t after = change + peer_offset(change);
	int64_t low = before < after ? before : after;
	int64_t high = before < after ? after : before;
	bool ok = offset_agrees(zone, change - 1) && offset_agrees(zone, change);

	for (int i = 0; i < WINDOW_STEPS; i++) {
		int64_t instant = change - WINDOW + (int64_t)i * 60;

		shown[i] = instant + peer_offset(instant);
	}
	for (int64_t local = low - 2 * HOUR; local <= high + 2 * HOUR && ok; local += 300)
		ok = civil_agrees(zone, change, shown, local);
	return ok;
}

/* The first second at which the offset is another one. */
static int64_t find_change(int64_t low, int64_t high)
{
	int64_t old = peer_offset(low);

	while (high - low > 1) {
		int64_t middle = (low + high) / 2;

		if (peer_offset(middle) == old)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static bool zone_agrees(const char *name, int64_t step, unsigned *ret_changes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;
	int64_t last = FIRST;

	setenv("TZ", name, 1);
	tzset();
	if (zone_open(name, &zone, &err) < 0) {
		printf("# %s\n", err.message);
		return false;
	}
	for (int64_t t = FIRST; t < LAST; t += step) {
		if (!offset_agrees(zone, t))
			return false;
		/* Near offsets with seconds there is no minute to compare. */
		if (peer_offset(t) != peer_offset(last) && peer_offset(t) % 60 == 0 &&
			peer_offset(last) % 60 == 0) {
			(*ret_changes)++;
			if (!change_agrees(zone, find_change(last, t)))
				return false;
		}
		last = t;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct tap tap = {0};
	unsigned changes = 0;
	int64_t step;

	if (argc != 2 || (step = strtol(argv[1], NULL, 10) * HOUR) <= 0)
		return 2;
	for (size_t i = 0; i < ARRAY_SIZE(zones); i++) {
		CLEANUP(freep) char *claim = xasprintf("%s is as the system has it", zones[i]);

		tap_result(&tap, zone_agrees(zones[i], step, &changes), claim);
	}
	printf("# %u comparisons, %u changes of the clock\n", compared, changes);
	tap_result(&tap, changes > 1000, "there were changes of the clock to compare");
	return tap_end(&tap);
}
