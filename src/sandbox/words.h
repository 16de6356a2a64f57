/* A growing list of words: the arguments or the environment of a program. */
#ifndef SANDBOX_WORDS_H
#define SANDBOX_WORDS_H

#include <stddef.h>

struct words {
	char **list; /* ends with NULL once it has a word */
	size_t count;
	size_t cap;
};

void words_add(struct words *words, const char *word);
void words_addf(struct words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Each up to a NULL. */
void words_add_all(struct words *words, const char *const *more);
#define WORDS_ADD(words, ...) words_add_all((words), (const char *const[]){__VA_ARGS__, NULL})

void words_release(struct words *words);

#endif
