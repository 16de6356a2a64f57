/*
 * What a text says about time, part by part: the grammar between tokens (language.h) and
 * times (when.h).
 *
 * A time is said in parts, in any order: a clock ("at 5pm"), a part of the day ("in the
 * evening"), a day ("next Friday"), a span ("in 20 minutes"), a distance ("an hour before"),
 * a repetition ("every weekday") and its limits ("until Christmas", "for a week", "5
 * times", "except Sundays"), a zone ("Tokyo time"). Each fills its place in `struct said`
 * once. A part that finds its place taken is not read, so it is left over, and when.h asks.
 *
 *	phrase   = part { ["and" | ","] part }
 *	part     = repeat | limit | span | date | part of day | clock | zone
 *	clock    = ["at"] time { ("and" | ",") ["at"] time }
 *	date     = ["on"] day { ("and" | ",") day }
 *	span     = "in" length | length ("from now" | "before" | "after" | "from" day)
 *	repeat   = "every" (unit | number unit | days | nth weekday | part of day | date)
 *	limit    = "until" date | "for" length | number "times" | "starting" date
 *	         | "between" time "and" time | "except" days
 */
#ifndef TIME_SAID_H
#define TIME_SAID_H

#include <stdbool.h>
#include <stddef.h>

#include "time/language.h"

#define SAID_MAX_TIMES 6

struct clock {
	int minute; /* of the day; 1440 is midnight, the end of it */
	bool bare;  /* without am, pm or anything that tells which */
	bool half;  /* with am or pm */
};

enum date_kind {
	DATE_NONE,
	DATE_IN_DAYS,      /* `number` */
	DATE_WEEKDAY,      /* `number`: the next one */
	DATE_NEXT_WEEKDAY, /* `number`: of the next week */
	DATE_NEXT_WEEK,
	DATE_NEXT_MONTH,
	DATE_NEXT_YEAR,
	DATE_WEEKEND,
	DATE_NEXT_WEEKEND,
	DATE_DAY,       /* `number` of this month or the next that has it */
	DATE_FULL,      /* `number`, `month`, and `year` or 0 */
	DATE_NTH,       /* weekday `number`, the `nth` of `month` or (0) of this one */
	DATE_NTH_NEXT,  /* likewise of the next month */
	DATE_MONTH_END, /* of this month */
};

struct date {
	enum date_kind kind;
	int number;
	int month;
	int year;
	int nth;     /* 1 to 5; -1: the last */
	int weekday; /* that was said beside a date, from 1 (Sunday); 0: none */
	int days;    /* further: "a week from Friday" */
};

struct said {
	struct clock clocks[SAID_MAX_TIMES];
	int clock_count;
	bool default_clock; /* it was not said */
	enum day_part part;
	struct date dates[SAID_MAX_TIMES];
	int date_count;

	bool has_span; /* from now on */
	struct span span;
	int offset_sign; /* -1: before, 1: after, 0: neither */
	struct span offset;

	enum time_unit unit; /* of a repetition; 0: none */
	int every;           /* so many of them */
	bool by_clock;       /* "every other day" keeps to the clock, "every 2 days" counts */
	unsigned days;       /* of the week, a bit for each; 0: not said */
	int nth;             /* those of a month; 0: all */
	int per;             /* "twice a day": so many clocks are needed */
	unsigned except;

	bool has_until;
	struct date until;
	struct clock until_clock;
	bool has_until_clock;
	struct span lasting; /* all 0: not said */
	int count;           /* 0: not said */
	struct date from;
	bool has_from_clock;
	struct clock from_clock;
	bool has_window; /* of the day, for every 2 hours */
	struct clock window[2];

	const char *zone; /* NULL: not said */

	const char *ask;    /* the reading is a guess, because … */
	const char *cannot; /* why it cannot be, as a sentence */
};

struct said_reader {
	const struct language *language;
	const struct token *list;
	size_t end;
	size_t at;
	size_t start; /* of the phrase */
	bool front;   /* before the text, where more can be told */
	bool told;    /* behind "on" and the like, where everyday words are days */
	enum wish wish;
	struct view text; /* of the tokens */
};

/* Reads one part; false if none begins here. */
bool said_part(struct said_reader *reader, struct said *said);

/* As many parts as there are from here on; false if there is none. */
bool said_phrase(struct said_reader *reader, struct said *said);

bool said_is_empty(const struct said *said);

/* Does the repetition end? */
bool said_ends(const struct said *said);

#endif
