/*
 * The grammar: from tokens (language.h) to the parts of a time. when.h makes a time of them.
 *
 * A time is said in parts, in any order: a clock ("at 5pm"), a part of the day ("in the
 * evening"), a day ("next Friday"), a span ("in 20 minutes"), a distance ("an hour before"),
 * a repetition ("every weekday") and its limits ("until Christmas", "for a week", "5
 * times", "except Sundays"), a zone ("Tokyo time"). Each fills its place in `struct said`
 * once. A part whose place is taken is not read, so it is left over, and when.h asks.
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
#ifndef TIME_PHRASE_SAID_H
#define TIME_PHRASE_SAID_H

#include <stdbool.h>
#include <stddef.h>

#include "time/phrase/rule.h"

#define SAID_MAX_TIMES 6

struct said {
	struct clock clocks[SAID_MAX_TIMES];
	int clock_count;
	bool default_clock; /* chosen, not said */
	enum day_part part;
	struct date dates[SAID_MAX_TIMES];
	int date_count;

	bool has_span; /* from now on */
	struct span span;
	bool no_unit;    /* "in 5": the span is in minutes, and asked about */
	int offset_sign; /* -1: before, 1: after, 0: neither */
	struct span offset;

	enum time_unit unit; /* of a repetition; 0: none */
	int every;           /* this many units */
	bool by_clock;       /* "every other day" keeps to the clock, "every 2 days" counts */
	unsigned days;       /* of the week, a bit for each; 0: not said */
	int nth;             /* those of a month; 0: all */
	int per;             /* "twice a day": the number of clocks needed */
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

/* Reads one part; false if none begins here. */
bool said_part(struct reader *reader, struct said *said);

/* Reads as many parts as follow; false if none does. */
bool said_phrase(struct reader *reader, struct said *said);

bool said_is_empty(const struct said *said);

/* How many tokens here are about time in any text: "at 5", "next week", "Friday". */
size_t said_about_time(const struct reader *reader);

/* Does the repetition end? */
bool said_ends(const struct said *said);

/* --- for the files of the grammar --------------------------------------------- */

bool said_repeat(struct reader *reader, struct said *said);
bool said_limit(struct reader *reader, struct said *said);
void said_add_date(struct said *said, const struct date *date);

#endif
