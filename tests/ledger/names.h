/*
 * Where files are that have got other names: the test's own account of it.
 */
#ifndef LEDGER_NAMES_H
#define LEDGER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct renamed {
	char *from;
	char *to;
};

struct names {
	struct renamed *list;
	size_t count;
	size_t cap;
};

/* Where the file is that once had this name; lives as long as both arguments. */
const char *names_where(const struct names *names, const char *path);

/* Are the two names of the same file? */
bool names_same(const struct names *names, const char *a, const char *b);

bool names_is_old(const struct names *names, const char *path);

/* The file that is at `from` is at `to` from now on. */
void names_note(struct names *names, const char *from, const char *to);

void names_copy(struct names *to, const struct names *from);
void names_release(struct names *names);

#endif
