/*
 * A message as words, the way commands and times are looked for in it.
 *
 *	CLEANUP(words_release) struct words words = {0};
 *
 *	words_split(view_of("Please, remind me at 5PM!"), &words);
 *	words_are(&words, 1, "remind me")	true
 *	words_is(&words, 3, "at|by")		true
 *
 * A word is in lower case and without the punctuation around it; `start` and `end` are
 * its place in the text, with that punctuation. Asking for a word behind the end is
 * allowed, and finds none. Only ASCII letters are lowered; the typographic apostrophe
 * counts as the plain one.
 */
#ifndef AGENT_OFFLINE_WORDS_H
#define AGENT_OFFLINE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/view.h"

/* A longer word is cut off: it is none that we know. */
#define WORD_SIZE 40

struct word {
	char text[WORD_SIZE];
	size_t start;
	size_t end;
	bool dot;    /* it ended in a full stop */
	bool clause; /* it ended in other punctuation: a comma, a colon */
};

struct words {
	struct word *list;
	size_t count;
	size_t cap;
};

void words_split(struct view text, struct words *ret_words);
void words_release(struct words *words);

/* The word, or "" behind the end. */
const char *words_at(const struct words *words, size_t at);

/* Is it one of these, which are separated by '|'? */
bool words_is(const struct words *words, size_t at, const char *any);

/* How many words these are (with spaces in between) if they stand here, else 0. */
size_t words_are(const struct words *words, size_t at, const char *several);

/* A number in digits or letters ("forty-five"), at most 999999; -1 if it is none. */
int words_number(const struct words *words, size_t at);

/* The digits at the start of a text, at most 999999; 0 if there are none. */
int words_digits(const char *text);

/* "3rd", "third", "3."; -1 if it is none. "3" is none. */
int words_ordinal(const struct words *words, size_t at);

#endif
