/*
 * Checking files of user skills: each by itself, where it lies, and all together.
 *
 *	CLEANUP(checked_skills_release) struct checked_skills all = {0};
 *
 *	skill_check_path(AT_FDCWD, "skills", &all, err)		any number of times
 *	skill_check_together(&all)
 */
#ifndef USERSKILL_CHECK_H
#define USERSKILL_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "userskill/library.h"
#include "userskill/text/faults.h"

struct checked_skill {
	char *path;
	struct user_skill skill; /* empty if it was not read */
	struct skill_faults faults;
	bool fixed;     /* it was written in the usual form */
	bool misplaced; /* it was not read: see its only fault */
	dev_t device;   /* a file with several names is checked once */
	ino_t inode;
};

struct checked_skills {
	struct checked_skill *list;
	size_t count;
	size_t cap;
	size_t files; /* that were read; set by skill_check_together() */
	size_t errors;
	size_t warnings;
	bool fix; /* write files without errors in the usual form (print.h) */
};

/*
 * A file; or a folder: a library, a category of one, or the folder of one skill. A missing path, a
 * folder without a skill, and a platform skill are ERROR_INVALID.
 */
int skill_check_path(
	int dirfd, const char *path, struct checked_skills *all, struct error *err);

/* The same ID in two of them is an error, the same command a warning. Counts the faults. */
void skill_check_together(struct checked_skills *all);

void checked_skills_release(struct checked_skills *all);

#endif
