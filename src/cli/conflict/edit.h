/*
 * A text with conflict markers, given to the person's editor or merge tool.
 *
 *	CLEANUP(conflict_edit_release) struct conflict_edit edit = CONFLICT_EDIT_INIT;
 *
 *	if (conflict_edit_by_editor(&edit, name, text, err) < 0)
 *		return -1;
 *	if (edit.changed)
 *		... edit.text ...
 *
 * The program works on a copy in a private temporary folder, so that the file in the project
 * changes in one step and only at the end. If the text cannot be used after all,
 * conflict_edit_keep() keeps the copy, so that nobody has to type it again.
 */
#ifndef CLI_CONFLICT_EDIT_H
#define CLI_CONFLICT_EDIT_H

#include <stdbool.h>

#include "engine/disk/project.h"
#include "engine/text/conflict_text.h"
#include "fs/scratch.h"

struct conflict_edit {
	struct scratch scratch;
	char *file; /* the copy, for the program and for messages */
	struct buf text;
	bool changed; /* and the program ended as if all went well */
};

#define CONFLICT_EDIT_INIT ((struct conflict_edit){.scratch = {.fd = -1}, .text = BUF_INIT})

/*
 * $VISUAL, $EDITOR or vi. `name` is the name of the copy, so that the editor can
 * choose colours by it. If the program fails, or leaves an empty file, standard error says so
 * and the text stays unchanged.
 */
int conflict_edit_by_editor(
	struct conflict_edit *edit, const char *name, struct view text, struct error *err);

/*
 * The shell command of the merge tool, or NULL: the variable NANOCLAW_MERGETOOL, else
 * git's `merge.tool` if we know it and it is installed.
 */
char *conflict_edit_tool(const struct project *project);

/*
 * Run the tool on the whole file. It gets the names of three files in $BASE, $LOCAL and $REMOTE,
 * and writes to the fourth, $MERGED, which has the markers. The sides of all hunks must be
 * unambiguous.
 */
int conflict_edit_by_tool(struct conflict_edit *edit, const char *tool, const char *name,
	struct view text, const struct conflict_text *marked, struct error *err);

/* Leave the copy, and return its name. */
const char *conflict_edit_keep(struct conflict_edit *edit);

void conflict_edit_release(struct conflict_edit *edit);

#endif
