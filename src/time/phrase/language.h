/*
 * The words of a language, and a text as tokens that know what they can mean.
 *
 *	const struct language *english = language_at(0);
 *	CLEANUP(tokens_release) struct tokens tokens = {0};
 *
 *	language_read(english, view_of("on Friday at 5:30pm"), &tokens);
 *	token_is(&tokens.list[1], CLASS_WEEKDAY)	and its value is 5
 *
 * The words are data: src/time/phrase/languages/NAME.txt has a line for each meaning (its head
 * explains the form), and the build puts the files into the program. The longest phrase
 * counts: "day after tomorrow" is one token. A token can have several classes ("second" is
 * a unit and an ordinal); the grammar (said.h) asks for the one that fits.
 *
 * Digits are read here for all languages: 17, 5pm, 17:30, 17h30, 1h20m, 3rd, 25.12.,
 * 2026-12-25, 2026-12-25T18:00. Impossible ones (25:00) have the class BAD, and others that
 * look like a time (13:00Z, GMT+2) the class ODD.
 */
#ifndef TIME_PHRASE_LANGUAGE_H
#define TIME_PHRASE_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/view.h"
#include "time/civil.h"

/* The names are those in the files; the classes from BAD on are made of digits. */
#define TIME_CLASSES(X)                                                                        \
	X(AFTER, "after")                                                                      \
	X(AM, "am")                                                                            \
	X(AND, "and")                                                                          \
	X(ARTICLE, "article")                                                                  \
	X(AT, "at")                                                                            \
	X(BEFORE, "before")                                                                    \
	X(BETWEEN, "between")                                                                  \
	X(BY, "by")                                                                            \
	X(CLOCKWORD, "clockword") /* "Tokyo time" */                                           \
	X(CONNECT, "connect")     /* between the time and the text: "to" */                    \
	X(DASH, "dash")                                                                        \
	X(DAY, "day")         /* days from today */                                            \
	X(DAYSET, "dayset")   /* of the week, a bit for each; after "every" */                 \
	X(DAYSETS, "daysets") /* likewise; the word alone means a repetition */                \
	X(EVERY, "every")                                                                      \
	X(EVERYMONTHEND, "everymonthend")                                                      \
	X(EXCEPT, "except")                                                                    \
	X(FEW, "few")                                                                          \
	X(FOR, "for")                                                                          \
	X(FRACTION, "fraction") /* sixtieths */                                                \
	X(FROM, "from")                                                                        \
	X(FUZZ, "fuzz")       /* "around", "sharp": changes nothing */                         \
	X(HALFTO, "halfto")   /* "halb sechs": 5:30 */                                         \
	X(HOLIDAY, "holiday") /* month * 100 + day */                                          \
	X(IN, "in")                                                                            \
	X(INTHE, "inthe") /* before a part of the day */                                       \
	X(LAST, "last")                                                                        \
	X(MINUS, "minus") /* "seis menos cuarto" */                                            \
	X(MONTH, "month")                                                                      \
	X(MONTHEND, "monthend")                                                                \
	X(NEXT, "next")                                                                        \
	X(NO, "no") /* before a correction */                                                  \
	X(NOON, "noon")                                                                        \
	X(NOW, "now")                                                                          \
	X(NUMBER, "number")                                                                    \
	X(OCLOCK, "oclock")                                                                    \
	X(OF, "of")                                                                            \
	X(ON, "on")                                                                            \
	X(ONCE, "once")                                                                        \
	X(OR, "or")                                                                            \
	X(ORDINAL, "ordinal")                                                                  \
	X(OTHER, "other")                                                                      \
	X(PART, "part")     /* of the day */                                                   \
	X(PARTOF, "partof") /* "in the morning" in one */                                      \
	X(PARTS, "parts")                                                                      \
	X(PAST, "past") /* "ten past" */                                                       \
	X(PER, "per")                                                                          \
	X(PLAIN, "plain") /* not a slip of the pen */                                          \
	X(PLUS, "plus")   /* "seis y cuarto" */                                                \
	X(PM, "pm")                                                                            \
	X(POLITE, "polite")                                                                    \
	X(RANGE, "range")                                                                      \
	X(REPEAT, "repeat") /* a unit */                                                       \
	X(STARTING, "starting")                                                                \
	X(THANKS, "thanks")                                                                    \
	X(THE, "the")                                                                          \
	X(THISPART, "thispart") /* "this evening" in one */                                    \
	X(THIS, "this")                                                                        \
	X(TIMES, "times")                                                                      \
	X(TO, "to") /* "ten to" */                                                             \
	X(TONIGHT, "tonight")                                                                  \
	X(UNIT, "unit")                                                                        \
	X(UNTIL, "until")                                                                      \
	X(VAGUE, "vague")                                                                      \
	X(WEEKDAY, "weekday")                                                                  \
	X(WEEKDAYS, "weekdays")                                                                \
	X(WEEKEND, "weekend")                                                                  \
	X(WISH, "wish")                                                                        \
	X(ZONE, "zone") /* language_zone() */                                                  \
	X(BAD, "bad")                                                                          \
	X(CLOCKTIME, "clocktime")                                                              \
	X(DATE, "date")                                                                        \
	X(DECIMAL, "decimal") /* hundredths */                                                 \
	X(ODD, "odd")         /* like a time or a zone, but unknown */                         \
	X(SPAN, "span")

enum time_class {
#define X(name, text) CLASS_##name,
	TIME_CLASSES(X)
#undef X
		CLASS_COUNT,
};

_Static_assert(CLASS_COUNT <= 96, "the classes fit into the bits of a token");

enum time_unit {
	TIME_SECOND = 1,
	TIME_MINUTE,
	TIME_HOUR,
	TIME_DAY,
	TIME_WEEK,
	TIME_FORTNIGHT,
	TIME_MONTH,
	TIME_QUARTER,
	TIME_YEAR,
};

enum day_part {
	PART_NONE,
	PART_MORNING,
	PART_AFTERNOON,
	PART_EVENING,
	PART_TONIGHT,
	PART_NIGHT,
};

enum wish {
	WISH_NONE,
	WISH_REMIND,
	WISH_WAKE,
	WISH_TIMER,
};

#define ALL_DAYS     0x7fU
#define WORKING_DAYS 0x3eU
#define WEEKEND_DAYS 0x41U

/* How long; days and months are those of the calendar. */
struct span {
	int64_t seconds;
	int days;
	int months;
};

/* Adds hundredths of a unit; half a month is nothing definite, and false. */
bool span_add(struct span *span, enum time_unit unit, int64_t hundredths);

struct token {
	size_t start; /* in the text, with the punctuation around it */
	size_t end;
	uint64_t classes[2];
	int value[CLASS_COUNT];
	bool weak;   /* also an everyday word */
	bool slip;   /* mistyped: it is like a word of this meaning */
	bool clause; /* a comma or the like follows */
	bool quoted;
	bool plain;        /* of a clock: it can be nothing else */
	bool bare;         /* of a clock: without am or pm, and not of 24 hours */
	bool half;         /* of a clock: with am or pm */
	struct civil date; /* of DATE; the year 0 was not said */
	struct span span;
};

struct tokens {
	struct token *list;
	size_t count;
	size_t cap;
};

struct language;

/* NULL after the last; 0 is English. */
const struct language *language_at(size_t i);

void language_read(
	const struct language *language, struct view text, struct tokens *ret_tokens);
void tokens_release(struct tokens *tokens);

bool token_is(const struct token *token, enum time_class class);

/* The class and the value that have these names in the files. */
enum time_class language_class(struct view name);
int language_value(struct view name);

/* "Europe/Berlin" for the value of a ZONE, "" if it could be several. */
const char *language_zone(const struct language *language, int value);

/* "5", "five" in English; -1 if it is not a number. */
int language_number(const char *word);

#endif
