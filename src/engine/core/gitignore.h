/*
 * The rules of one .gitignore file, read and matched as git 2.39 does.
 *
 *	CLEANUP(gitignore_release) struct gitignore rules = GITIGNORE_INIT;
 *
 *	gitignore_parse(text, &rules);
 *	if (gitignore_match(&rules, "src/a.o", false) == GITIGNORE_EXCLUDE)
 *		...
 *
 * This is about one file and one path; ignore.h combines the files of several folders.
 *
 * Any text is valid: an invalid line matches nothing. Rules of git that its manual does not
 * mention: a byte order mark at the start and a CR before the line end are skipped, and
 * `[[:space:]]` is only space, tab, CR and LF. Case always matters, as core.ignorecase is not
 * read. Unlike in git, a rule of more than GITIGNORE_MAX_RULE bytes matches nothing, and
 * matching takes bounded time.
 */
#ifndef ENGINE_CORE_GITIGNORE_H
#define ENGINE_CORE_GITIGNORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

#define GITIGNORE_MAX_RULE 4096

struct gitignore_rule {
	const char *pattern; /* in the text; without `!` and the slash at the end */
	size_t len;
	size_t literal;   /* bytes before the first wildcard */
	bool negative;    /* `!` */
	bool only_folder; /* a slash at the end */
	bool any_depth;   /* no other slash: compared with the last component */
};

struct gitignore {
	char *text;
	struct gitignore_rule *rules; /* in the order of the file */
	size_t count;
	size_t cap;
};

#define GITIGNORE_INIT ((struct gitignore){0})

void gitignore_parse(struct view text, struct gitignore *ret_rules);

enum gitignore_match {
	GITIGNORE_NONE,
	GITIGNORE_EXCLUDE,
	GITIGNORE_INCLUDE,
};

/* The last rule that matches. `path` begins at the folder that holds the file. */
enum gitignore_match gitignore_match(
	const struct gitignore *rules, const char *path, bool is_folder);

void gitignore_release(struct gitignore *rules);

#endif
