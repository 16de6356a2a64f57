/*
 * A zone file. For any content: an instant is within its span, an existing civil time converts
 * back to itself, and a skipped one is at the end of a span.
 */
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "time/zone.h"

static void check_instant(const struct zone *zone, int64_t instant)
{
	struct zone_span span = zone_span_at(zone, instant);

	assert(span.from <= instant && instant < span.until);
	assert(strlen(span.abbreviation) < 4096);
	zone_local(zone, instant, NULL);
}

static void check_civil(const struct zone *zone, int64_t local)
{
	struct zone_instants found = zone_instants(zone, local);

	assert(found.first <= found.last);
	if (found.fit == ZONE_GAP)
		return;
	assert(found.first + zone_span_at(zone, found.first).offset == local);
	assert(found.last + zone_span_at(zone, found.last).offset == local);
}

FUZZ_TARGET(zone)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;
	char text[ZONE_TEXT_SIZE];

	if (zone_parse((struct view){len ? (const char *)data : "", len}, "Fuzz/Zone", &zone,
		    &err) < 0) {
		assert(err.kind == ERROR_INVALID);
		return 0;
	}
	for (int64_t t = -2000000000; t < INT64_C(6000000000); t += 40000037) {
		check_instant(zone, t);
		check_civil(zone, t);
	}
	zone_format(zone, CIVIL_MAX, text);
	return 0;
}
