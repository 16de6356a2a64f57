/*
 * Files and folders of the project that a person named on the command line.
 *
 *	CLEANUP(selection_release) struct selection selection = SELECTION_INIT;
 *
 *	if (selection_add(&selection, &project, "../lib", err) < 0)
 *		return -1;
 *	if (selection_has(&selection, path)) ...
 *
 * They are relative to the current folder, or absolute, and must be inside the project. An empty
 * selection contains everything.
 */
#ifndef ENGINE_LOOK_SELECTION_H
#define ENGINE_LOOK_SELECTION_H

#include <stdbool.h>

#include "engine/disk/project.h"
#include "fs/relpath.h"

struct selection {
	struct relpath *list;
	size_t count;
	size_t cap;
	bool whole; /* the root itself was named */
};

#define SELECTION_INIT ((struct selection){0})

/* ERROR_INVALID for a path outside of the project, or inside .nanoclaw. */
int selection_add(struct selection *selection, const struct project *project,
	const char *argument, struct error *err);

/* Is it one of them, or below one? */
bool selection_has(const struct selection *selection, struct view path);

/* Is `path` the same as `folder`, or below it? */
bool selection_below(struct view path, struct view folder);

void selection_release(struct selection *selection);

#endif
