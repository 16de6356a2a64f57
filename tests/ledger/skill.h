/*
 * Skills that the test makes up: packages with random changes, version after version.
 *
 * What is known of a skill is two packages, each a tree with `add/PATH` and
 * `modify/PATH`: the one on the disk, and the one that was applied last. From these
 * follows which tokens an apply brings in and which it may take away. Paths are compared
 * by the file that they stand for, whatever it was called when the package was made.
 */
#ifndef LEDGER_SKILL_H
#define LEDGER_SKILL_H

#include "file_ops.h"
#include "names.h"
#include "token.h"
#include "tree.h"

struct skill {
	char *name;
	unsigned version; /* on the disk; 0: never made */
	unsigned applied; /* 0: not */
	struct tree files;
	struct tree was;
	struct file_ops ops; /* of the one on the disk */
	struct file_ops was_ops;
	const struct skill *depends; /* or NULL */
	unsigned next_token;
	bool in_batch; /* the package on the disk is being applied */
};

void skill_init(struct skill *skill, const char *name, const struct skill *depends);
void skill_release(struct skill *skill);

/* Make up a package for the present state of things: the first version, or the next. */
void skill_invent(struct skill *skill, const struct tree *base, const struct names *names);

/* Put the package into a folder, in place of what is there. */
int skill_write(
	const struct skill *skill, const char *folder, bool failing_test, struct error *err);

struct skill_effect {
	struct tokens introduced;
	struct tokens removed;
	struct tokens touched;  /* paths */
	struct tokens given_up; /* paths that the new version no longer has */
};

/* Add what applying the package to this tree does, whose files have their new names. */
void skill_effect_add(struct skill_effect *effect, const struct skill *skill,
	const struct tree *base, const struct tree *tree, const struct names *names);
void skill_effect_release(struct skill_effect *effect);

/* The paths that the two versions have to do with, as they name them. */
void skill_add_paths(const struct skill *skill, struct tokens *paths);

/* The file that the applied version of a skill has, or that a package adds, under any name. */
const struct tree_entry *skill_find_applied(
	const struct skill *skill, const struct names *names, const char *path);
const struct tree_entry *skill_find_added(
	const struct tree *files, const struct names *names, const char *path);

/* The file of the core, under any name. */
const struct tree_entry *find_core(
	const struct tree *base, const struct names *names, const char *path);

/* It has been applied. */
void skill_note_applied(struct skill *skill);

/* Put a file into a tree. */
void put_file(struct tree *tree, const char *path, struct view content, mode_t mode);

#endif
