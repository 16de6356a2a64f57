/*
 * The pieces that parts of a time are made of: numbers, lengths, clocks, days. A rule names
 * them in angle brackets (rule.h); each is a table of rules itself.
 *
 * A piece is read into its place in the match. If it is not there, the result is false, and
 * the caller goes back to where it was.
 */
#ifndef TIME_PHRASE_PIECE_H
#define TIME_PHRASE_PIECE_H

#include <stdbool.h>

struct match;
struct reader;

struct clock {
	int minute; /* of the day; 1440 is midnight, the end of it */
	bool bare;  /* without am, pm or another hint at the half of the day */
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

/* "45", "forty five": `n`. */
bool piece_number(struct reader *reader, struct match *match);
/* From 1970 on: `y`. */
bool piece_year(struct reader *reader, struct match *match);

/* "2 hours", "an hour and a half", "1h20". */
bool piece_span(struct reader *reader, struct match *match);
/* The same, and "week" is one week. */
bool piece_length(struct reader *reader, struct match *match);

/* "17:30", "ten to five"; a match has up to two. */
bool piece_clock(struct reader *reader, struct match *match);

/* A date with its month. */
bool piece_full_date(struct reader *reader, struct match *match);
/* Any day: "tomorrow", "next Friday", "the 3rd". */
bool piece_date(struct reader *reader, struct match *match);
/* A date, a clock or both: the end or the beginning of a repetition. */
bool piece_moment(struct reader *reader, struct match *match);

/* "Monday to Friday", "Mon, Wed and Fri", "weekday". */
bool piece_days(struct reader *reader, struct match *match);
/* The same, for words that mean a repetition by themselves: "Mondays", "weekdays". */
bool piece_plural_days(struct reader *reader, struct match *match);

/* Does the calendar have this day? */
bool date_is_possible(const struct date *date);
/* The `h` and `y` of a match. */
struct date date_of_holiday(const struct match *match);

#endif
