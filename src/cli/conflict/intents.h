/*
 * The intents of the skills on both sides of a conflict: their intent files
 * (engine/package/intent.h), if their packages are found.
 */
#ifndef CLI_CONFLICT_INTENTS_H
#define CLI_CONFLICT_INTENTS_H

#include "cli/command.h"
#include "engine/commit/pending.h"

struct conflict_intent {
	char *skill;
	char *version;
	bool yours; /* of a skill that is applied; else of the one that comes */
	struct buf text;
};

struct conflict_intents {
	struct conflict_intent *list;
	size_t count;
	size_t cap;
};

#define CONFLICT_INTENTS_INIT ((struct conflict_intents){0})

/*
 * First the new skill's, then those of the skills that touched the file before, in order.
 * Packages are found by name; `typed` are others, as a person named them, ending in NULL, or
 * NULL. Missing ones are omitted.
 */
void conflict_intents_read(const struct project *project, const struct pending *pending,
	const struct conflict *conflict, const char *const *typed,
	struct conflict_intents *ret_intents);

/* The first lines of each section, or with `whole` all of them. */
void conflict_intents_print(
	const struct cli *cli, const struct conflict_intents *intents, bool whole);

void conflict_intents_release(struct conflict_intents *intents);

#endif
