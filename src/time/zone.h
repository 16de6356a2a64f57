/*
 * Time zones by their IANA names ("Europe/Berlin"), read from the system's files, independent
 * of this process's own zone.
 *
 *	CLEANUP(zone_freep) struct zone *zone = NULL;
 *
 *	if (zone_open("Europe/Berlin", &zone, err) < 0)
 *		return -1;
 *	local = zone_local(zone, instant, NULL);
 *
 * Instants are seconds since 1970 in UTC; civil times are in civil.h. A civil time can occur
 * once, never (the clock was put forward over it), or twice (the clock was put back over it).
 *
 * The files are read from $TZDIR, or from /usr/share/zoneinfo. "UTC" needs no file. A bad file
 * is an error, never a wrong time: a zone with leap seconds is refused, because instants have
 * none.
 */
#ifndef TIME_ZONE_H
#define TIME_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "time/civil.h"

#define ZONE_NAME_MAX 64

struct zone;

/*
 * ERROR_INVALID for a name that is not known, with the nearest one as the hint. The zones used
 * last are kept in memory until their files change.
 */
int zone_open(const char *name, struct zone **ret_zone, struct error *err);
/* The same zone for another user, who frees it too. */
struct zone *zone_share(struct zone *zone);
void zone_free(struct zone *zone);
void zone_freep(struct zone **zone);

/* A file's content (RFC 8536); `name` is for messages. */
int zone_parse(struct view data, const char *name, struct zone **ret_zone, struct error *err);

const char *zone_name(const struct zone *zone);

/*
 * The zone of this machine: `tz` (the variable TZ, or NULL) if that names a zone, else
 * /etc/localtime or /etc/timezone, else UTC. To be freed.
 */
char *zone_default_name(const char *tz);

/*
 * The zone that people mean by the end of a name ("berlin", "new york"), or by hours from UTC
 * ("GMT+1", which is ahead of it). NULL, or to be freed.
 */
char *zone_meant(const char *words);
/* That, or a known name that is like this one. */
char *zone_suggest(const char *words);

/* --- conversions ------------------------------------------------------------- */

/* A time without a change of the clock: from `from` until before `until`. */
struct zone_span {
	int64_t from;  /* INT64_MIN: always */
	int64_t until; /* INT64_MAX: for ever */
	int32_t offset;
	bool is_dst;
	const char *abbreviation;
};

struct zone_span zone_span_at(const struct zone *zone, int64_t instant);

/* `ret_offset`, seconds to the east of UTC, may be NULL. */
struct civil zone_local(const struct zone *zone, int64_t instant, int32_t *ret_offset);

enum zone_fit {
	ZONE_ONCE,
	ZONE_GAP,   /* never: `first` is when the clock was put forward */
	ZONE_TWICE, /* at `first`, and again at `last` */
};

struct zone_instants {
	enum zone_fit fit;
	int64_t first;
	int64_t last; /* the same as `first` unless ZONE_TWICE */
};

/* `local` is a civil time in seconds, between CIVIL_MIN and CIVIL_MAX. */
struct zone_instants zone_instants(const struct zone *zone, int64_t local);

/* "2026-11-17T09:00:00+01:00" */
#define ZONE_TEXT_SIZE                                                                         \
	96 /* "2026-11-17T09:00:00+01:00:00", and what a compiler thinks possible */
void zone_format(
	const struct zone *zone, int64_t instant, char ret_text[static ZONE_TEXT_SIZE]);

#endif
