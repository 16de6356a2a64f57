/*
 * Where a scenario runs: a temporary folder with
 *
 *	tree/	the scenario's files, its current directory
 *	home/	$HOME, empty at first, and no part of what is compared
 *	tmp/	$TMPDIR
 *	bin/	first in $PATH; `nanoclaw` in it is the program under test
 *
 * and an environment that is the same on every machine. It is made in $TMPDIR
 * or /tmp and deleted in the end unless `keep` is set.
 */
#ifndef HARNESS_WORKSPACE_H
#define HARNESS_WORKSPACE_H

#include <stdbool.h>

#include "base/error.h"
#include "command.h"
#include "lines.h"
#include "tree.h"

struct workspace {
	char *root;
	char *tree;
	char *home;
	char *tmp;
	struct lines env_lines;
	const char **env;
	bool keep;
};

int workspace_init(struct workspace *w, const char *nanoclaw, struct error *err);

/* Begin again with these files; `home` may be NULL for an empty one. */
int workspace_fill(struct workspace *w, const struct tree *tree, const struct tree *home,
	struct error *err);

/* The first of the programs that is not installed or does not work here, or NULL. */
const char *workspace_missing(const struct workspace *w, const struct lines *programs);

/* Ends what still runs, and deletes all. */
void workspace_release(struct workspace *w);

#endif
