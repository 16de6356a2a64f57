/*
 * Creates skill packages: an example to begin with, or a package from changes.
 *
 *	CLEANUP(author_result_release) struct author_result result = AUTHOR_RESULT_INIT;
 *
 *	if (author_new(&project, &request, &result, err) < 0)
 *		return -1;
 *
 * The changes are the differences between what is recorded (the core, the applied skills, the
 * custom patches) and the tree, new files included; or between two commits of the project's
 * repository. Each change becomes an entry of the package:
 *
 *	a new file			add/
 *	an edited file			modify/: the core's file with this change alone
 *	a renamed or deleted file	file_ops
 *	an entry in package.json	npm_dependencies, and the like (structured_declare.h)
 *
 * If other skills have also changed the file, the change is carried over to the core's file by a
 * three-way merge. If it lies within the lines of another skill, or in a file that another skill
 * has added, the package depends on that skill, and its file builds on that skill's file.
 *
 * Changes that no package can express are refused, all of them at once (ERROR_INVALID). Before
 * anything is written the package is applied in memory: to the recorded state, which must give
 * the tree, and to the core with only its dependencies.
 *
 * The package appears as a whole, by one rename; nothing else is changed, and nothing is ever
 * overwritten.
 */
#ifndef ENGINE_AUTHOR_AUTHOR_H
#define ENGINE_AUTHOR_AUTHOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string_array.h"
#include "engine/disk/project.h"

#define AUTHOR_FOLDER  ".claude/skills"
#define AUTHOR_VERSION "1.0.0"

struct author_request {
	const char *skill;
	const char *into;        /* the folder for the package; NULL: AUTHOR_FOLDER */
	const char *version;     /* or NULL: AUTHOR_VERSION */
	const char *description; /* or NULL: it is derived from the changes */
	bool from_changes;
	const char *range;        /* of the repository: A..B, or one commit; NULL: the tree */
	const char *const *paths; /* only these; relative to the current folder */
	size_t path_count;
	bool exact;   /* declare a change only if the engine writes the same bytes */
	bool dry_run; /* write nothing */
};

/* How the package stores a change. */
enum author_part {
	AUTHOR_ADD,
	AUTHOR_RENAME,
	AUTHOR_DELETE,
	AUTHOR_DECLARE,
	AUTHOR_MODIFY,
};

/* "add", "rename", "delete", "declare", "modify" */
extern const char *const author_part_names[];

struct author_file {
	enum author_part part;
	char *path;
	char *from;  /* of a rename: the old name; else NULL */
	char *skill; /* the skills on top of whose file it is made; NULL: the core's */
	char *note;  /* or NULL */
};

struct author_result {
	char *folder;              /* of the package, below the root of the project */
	char *apply_as;            /* the argument for 'skill apply': the name, or the folder */
	struct author_file *files; /* sorted by path; none for an example */
	size_t count, cap;
	struct string_array depends;
	struct string_array warnings;
	bool by_meaning; /* some structured files will not be the same to the byte */
	bool is_in_tree; /* the tree already has the changes, so the skill can take them over */
	bool by_head;    /* they are compared with git's, and no core is saved yet */
};

#define AUTHOR_RESULT_INIT ((struct author_result){0})

/* `project` must be locked, and recovered. */
int author_new(const struct project *project, const struct author_request *request,
	struct author_result *ret_result, struct error *err);

void author_result_release(struct author_result *result);

#endif
