/*
 * The rule for times after the last transition in a zone's file, such as
 * "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX TZ, with the extensions of RFC 8536).
 */
#ifndef TIME_ZONE_RULE_H
#define TIME_ZONE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

#define ZONE_ABBREVIATION_MAX 16

struct zone_period {
	char abbreviation[ZONE_ABBREVIATION_MAX + 1];
	int32_t offset; /* seconds to the east of UTC */
};

enum zone_date_kind {
	ZONE_DATE_MONTH,  /* Mm.w.d */
	ZONE_DATE_JULIAN, /* Jn: 1 to 365, February has 28 days */
	ZONE_DATE_DAY,    /* n: 0 to 365 */
};

struct zone_date {
	enum zone_date_kind kind;
	int month;
	int week; /* 5: the last */
	int day;
	int32_t time; /* seconds after midnight, perhaps before it or on later days */
};

struct zone_rule {
	struct zone_period standard;
	struct zone_period daylight;
	bool has_daylight;
	struct zone_date start;
	struct zone_date end;
};

int zone_rule_parse(struct view text, struct zone_rule *ret_rule, struct error *err);

struct zone_rule_span {
	int64_t from;
	int64_t until;
	const struct zone_period *period;
	bool is_dst;
};

struct zone_rule_span zone_rule_at(const struct zone_rule *rule, int64_t instant);

#endif
