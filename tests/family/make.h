/*
 * A core and a family of skills, at random.
 *
 * All of them change the same files, each at places of its own, so that they never
 * conflict: line `n * 7 + 1` of a file belongs to the skill number n, and line
 * `n * 7 + 5` to the person. They also add files, rename and delete files of the core,
 * build on files of each other, change permissions, and declare dependencies, variables,
 * services and packages.
 */
#ifndef FAMILY_MAKE_H
#define FAMILY_MAKE_H

#include <stdbool.h>

#include "tree.h"

#define FAMILY_SIZE  8
#define CORE_FILES   6
#define LINES_OF_ALL 60

struct family {
	struct tree files;            /* the core, and the packages in skills/ */
	int depends[FAMILY_SIZE];     /* on that one, or -1 */
	char *added[FAMILY_SIZE];     /* a file that the skill adds, or NULL */
	size_t order[FAMILY_SIZE];    /* in which they can be applied */
	bool renamed[CORE_FILES + 1]; /* by one of them; the last is the link */
};

/* 'a' to 'h' */
char family_name(size_t skill);

void family_make(struct family *family);
void family_release(struct family *family);

void put_text(struct tree *tree, const char *path, const char *text, mode_t mode);

#endif
