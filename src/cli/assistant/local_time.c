#include "cli/assistant/local_time.h"

#include <stdio.h>
#include <stdlib.h>

#include "time/timestamp.h"
#include "time/zone.h"

static struct zone *zone;

void local_time_use(const char *tz)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (!zone && tz)
		zone_open(tz, &zone, &ignored);
}

static const struct zone *local_zone(void)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *name = NULL;

	if (zone)
		return zone;
	name = zone_default_name(getenv("TZ"));
	if (zone_open(name, &zone, &ignored) < 0) {
		error_clear(&ignored);
		zone_open("UTC", &zone, &ignored);
	}
	return zone;
}

const char *local_time_zone(void)
{
	return zone_name(local_zone());
}

void local_time(const char *utc, char ret_text[static LOCAL_TIME_SIZE])
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct civil c;
	int64_t ms;

	if (timestamp_parse(view_of(utc), &ms, &ignored) < 0) {
		snprintf(ret_text, LOCAL_TIME_SIZE, "%s", utc);
		return;
	}
	c = zone_local(local_zone(), ms >= 0 ? ms / 1000 : (ms - 999) / 1000, NULL);
	snprintf(ret_text, LOCAL_TIME_SIZE, "%04u-%02u-%02u %02u:%02u:%02u.%03u",
		(unsigned)c.year % 10000, (unsigned)c.month % 100, (unsigned)c.day % 100,
		(unsigned)c.hour % 100, (unsigned)c.minute % 100, (unsigned)c.second % 100,
		(unsigned)(ms % 1000 + 1000) % 1000);
}
