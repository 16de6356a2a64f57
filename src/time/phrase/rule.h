/*
 * The grammar's rules, and the reader that they are matched against.
 *
 * A rule is a row of classes (language.h), by their names in the files of the languages:
 *
 *	at|by		one of them
 *	[the]		it may be missing
 *	ordinal=n	its value is `n` of the match
 *	unit/month	only with this value
 *	month!		not if it is an everyday word, too
 *	<date>		a piece, which has a table of rules of its own (piece.h)
 *
 *	struct rule rule = {"[the] ordinal=n of month=m"};
 *
 *	if (rule_match(&reader, &rule, &match))
 *		day = VALUE(&match, 'n') …
 *
 * An optional element is taken if the rest matches then. A rule that does not match leaves the
 * reader where it was. Rules are compiled when they are used first.
 */
#ifndef TIME_PHRASE_RULE_H
#define TIME_PHRASE_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "time/phrase/language.h"
#include "time/phrase/piece.h"

struct reader {
	const struct language *language;
	const struct token *list;
	size_t end;
	size_t at;
	size_t start;         /* of the phrase */
	bool front;           /* before the text, where more words count as times */
	bool told;            /* after "on" and the like, where everyday words are days */
	enum time_class lead; /* of a date: AT, IN, or another */
	enum wish wish;
	struct view text; /* of the tokens */
};

#define RULE_MAX_ELEMENTS 8

struct match {
	int value[26]; /* by the letter */
	struct span span;
	struct clock clocks[2];
	int clock_count;
	bool plain; /* of the clock: it can be nothing else */
	struct date date;
	unsigned days;
	bool ordinal; /* of a repetition: "every second …" */
	bool part;    /* likewise: the word is a part of the day, too */
};

struct element {
	uint64_t classes[2];
	bool (*read)(struct reader *r, struct match *match);
	int value;
	char letter;
	bool optional;
	bool strong;
};

struct rule {
	const char *pattern;
	int kind;
	int number; /* its meaning depends on the table */
	unsigned flags;
	struct element elements[RULE_MAX_ELEMENTS];
	int count; /* 0: not yet compiled */
};

#define VALUE(match, letter) ((match)->value[(letter) - 'a'])

bool rule_match(struct reader *reader, struct rule *rule, struct match *match);

/* The first rule of a table that matches; NULL if none does. */
struct rule *rule_match_any(
	struct reader *reader, struct rule *rules, size_t count, struct match *match);

/* A token further on; after the end, one without a class. */
const struct token *reader_token(const struct reader *reader, size_t ahead);
bool reader_is(const struct reader *reader, size_t ahead, enum time_class class);

/* Can a phrase end here, because the text follows, or nothing? */
bool reader_at_border(const struct reader *reader);

/* "and" or a comma between the members of a list. */
bool reader_take_and(struct reader *reader);

#endif
