/*
 * What phrases.c and the files for its parts share. Only for those.
 *
 * A time phrase is a row of parts: a clock ("at 5pm"), a part of the day ("in the
 * evening"), a day ("next Friday"), a span ("in 20 minutes"), a repetition ("every
 * weekday"). A function here looks whether its part begins at word `at`. If so, it adds
 * it to the meaning and returns how many words it is; else, or where the meaning has
 * such a part already, it returns 0 and changes nothing.
 */
#ifndef AGENT_OFFLINE_PHRASE_PARTS_H
#define AGENT_OFFLINE_PHRASE_PARTS_H

#include <stdint.h>

#include "agent/offline/phrases.h"
#include "agent/offline/words.h"

enum day_part {
	PART_NONE,
	PART_MORNING,
	PART_AFTERNOON,
	PART_EVENING,
	PART_TONIGHT,
	PART_NIGHT,
};

enum date_kind {
	DATE_NONE,
	DATE_IN_DAYS,      /* `number` */
	DATE_IN_MONTHS,    /* `number` */
	DATE_WEEKDAY,      /* `number`: the next one */
	DATE_NEXT_WEEKDAY, /* `number`: of the next week */
	DATE_NEXT_WEEK,
	DATE_NEXT_MONTH,
	DATE_WEEKEND,
	DATE_DAY,  /* `number` of this month or the next that has it */
	DATE_FULL, /* `number`, `month`, and `year` or 0 */
};

enum repeat_kind {
	REPEAT_NONE,
	REPEAT_DAYS,     /* `days`: a bit for each, 1 is Sunday */
	REPEAT_WEEKLY,   /* on a day that is said elsewhere, or today's */
	REPEAT_MONTHLY,  /* likewise */
	REPEAT_YEARLY,   /* likewise */
	REPEAT_INTERVAL, /* `seconds` */
};

#define ALL_DAYS     0x7fU
#define WORKING_DAYS 0x3eU
#define WEEKEND_DAYS 0x41U

struct meaning {
	bool front; /* before what to remind of, where more can be told */

	bool has_clock;
	int hour;
	int minute;
	bool bare;     /* without am, pm or anything that tells which */
	bool midnight; /* the end of the day */
	enum day_part part;

	enum date_kind date;
	int number;
	int month;
	int year;
	int weekday;      /* that was said beside a date, from 1 (Sunday); 0: none */
	bool keeps_clock; /* of now, if none is said: "in 2 weeks" */

	bool has_span;
	enum repeat_kind repeat;
	unsigned days;
	int64_t seconds; /* of a span or an interval */
	bool has_exception;

	const char *cannot; /* why not, as a sentence */
};

size_t phrase_clock(const struct words *words, size_t at, struct meaning *meaning);
size_t phrase_day_part(const struct words *words, size_t at, struct meaning *meaning);
size_t phrase_date(const struct words *words, size_t at, struct meaning *meaning);
size_t phrase_span(const struct words *words, size_t at, struct meaning *meaning);
size_t phrase_repeat(const struct words *words, size_t at, struct meaning *meaning);

/* Everything of the phrase but `what`; what was left open is settled in the meaning. */
void phrase_settle(struct meaning *meaning, const struct civil *now, struct phrase *phrase);

/* "2 hours and 15 minutes", "half an hour", "1h30m", "3 weeks". */
struct span {
	int64_t seconds;
	int days;
	int months;
};

#define SPAN_MAX_NUMBER 100000

size_t phrase_read_span(const struct words *words, size_t at, struct span *ret_span);

/* 0 is Sunday; -1. "sun", "sat", "wed" and "mon" are `*ret_short`: other words, too. */
int phrase_weekday(const char *word, bool *ret_short, bool *ret_plural);
/* 1 to 12; -1. */
int phrase_month(const char *word);

#endif
