/*
 * Skills that the test makes up: packages with random changes, version after version.
 *
 * What is known of a skill is two packages, each a tree with `add/PATH` and
 * `modify/PATH`: the one on the disk, and the one that was applied last. From these
 * follows which tokens an apply brings in and which it may take away.
 */
#ifndef LEDGER_SKILL_H
#define LEDGER_SKILL_H

#include "token.h"
#include "tree.h"

struct skill {
	char *name;
	unsigned version; /* on the disk; 0: never made */
	unsigned applied; /* 0: not */
	struct tree files;
	struct tree was;
	const struct skill *depends; /* or NULL */
	unsigned next_token;
	bool in_batch; /* the package on the disk is being applied */
};

void skill_init(struct skill *skill, const char *name, const struct skill *depends);
void skill_release(struct skill *skill);

/* Make up a package for the present state of things: the first version, or the next. */
void skill_invent(struct skill *skill, const struct tree *base);

/* Put the package into a folder, in place of what is there. */
int skill_write(
	const struct skill *skill, const char *folder, bool failing_test, struct error *err);

struct skill_effect {
	struct tokens introduced;
	struct tokens removed;
	struct tokens touched; /* paths */
};

/* Add what applying the package to this tree does. */
void skill_effect_add(struct skill_effect *effect, const struct skill *skill,
	const struct tree *base, const struct tree *tree);
void skill_effect_release(struct skill_effect *effect);

/* Is the path one that the skill had, and the new version has not? */
bool skill_drops(const struct skill *skill, const char *path);

/* It has been applied. */
void skill_note_applied(struct skill *skill);

/* Put a file into a tree. */
void put_file(struct tree *tree, const char *path, struct view content, mode_t mode);

#endif
