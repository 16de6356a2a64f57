/*
 * What a person does to files, at random: lines inserted, changed, moved and deleted,
 * files made, deleted, renamed, replaced by links, made executable; other line ends, no
 * newline at the end; conflicts settled in one way or the other.
 */
#ifndef LEDGER_EDIT_H
#define LEDGER_EDIT_H

#include "world.h"

/* Some edits anywhere. */
void edit_some(struct world *w);

/* Resolve the conflict in a file; the version of `skill` may be beside it. */
void edit_settle(struct world *w, const char *path, const char *skill);

/* Keep a file that a skill wants to delete, or delete it. */
void edit_decide(struct world *w, const char *path);

/* Make some of the files that are named in this patch as the core has them. */
void edit_revert(struct world *w, const char *patch);

#endif
