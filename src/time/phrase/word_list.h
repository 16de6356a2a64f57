/*
 * A message as words, to find commands and times in it.
 *
 *	CLEANUP(word_list_release) struct word_list words = {0};
 *
 *	word_list_split(view_of("Please, remind me at 5PM!"), &words);
 *	word_list_are(&words, 1, "remind me")	true
 *	word_list_is(&words, 3, "at|by")		true
 *
 * A word is in lower case and without the punctuation around it; `start` and `end` are
 * its place in the text, with that punctuation. A word after the end may be asked for; it
 * is "". Letters of ASCII and Latin-1 are lowered; apostrophes are left out, because
 * people leave them out ("whats on").
 */
#ifndef TIME_PHRASE_WORD_LIST_H
#define TIME_PHRASE_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

/* A longer word is cut off: it has no meaning here. */
#define WORD_SIZE 40

struct word {
	char text[WORD_SIZE];
	size_t start;
	size_t end;
	bool dot;    /* it ended in a full stop */
	bool clause; /* it ended in other punctuation: a comma, a colon */
};

struct word_list {
	struct word *list;
	size_t count;
	size_t cap;
};

void word_list_split(struct view text, struct word_list *ret_words);
void word_list_release(struct word_list *words);

/* The word, or "" after the end. */
const char *word_list_at(const struct word_list *words, size_t at);

/* Is it one of these, which are separated by '|'? */
bool word_list_is(const struct word_list *words, size_t at, const char *any);

/* How many words `several` has (with spaces in between) if these are here, else 0. */
size_t word_list_are(const struct word_list *words, size_t at, const char *several);

/* The number at the start of a text, at most 999999; 0 if there is none. */
int word_digits(const char *text);

#endif
