/*
 * A random set of changes to the files of a project, as an author makes them.
 *
 * Every line that is written is "author N", with another N each time.
 */
#ifndef AUTHOR_CHANGE_H
#define AUTHOR_CHANGE_H

#include "tree.h"

/* What the core has beyond that of a family (make.h): other line ends, other languages. */
void change_add_core(struct tree *core);

/* Change `tree` at some places; a description of what was done is added to `log`. */
void change_some(struct tree *tree, struct buf *log);

/* Is it one of the files that skills declare entries for? */
bool change_is_structured(const char *path);

#endif
