/*
 * Update packages that lead from one version to another: folders named `0.5.0-to-0.6.0` side
 * by side, each of which begins where another ends.
 *
 *	CLEANUP(core_chain_release) struct core_chain chain = CORE_CHAIN_INIT;
 *
 *	core_chain_find(parent, shown, "0.5.0", NULL, "0.8.0", &chain, err)
 *
 * There must be exactly one way; if there are two, a person has to choose.
 */
#ifndef ENGINE_NEWCORE_CORE_CHAIN_H
#define ENGINE_NEWCORE_CORE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/view.h"

struct core_link {
	char *name; /* of the folder */
	char *from;
	char *to;
};

struct core_chain {
	struct core_link *list; /* in their order */
	size_t count;
	size_t cap;
};

#define CORE_CHAIN_INIT ((struct core_chain){0})

/* The maximum number of packages in one folder. */
#define CORE_CHAIN_MAX 500

/*
 * Parse the name of a package; false if it is not one. The first version is older than the
 * second, and there is only one way to read two versions in the name.
 */
bool core_link_parse(struct view name, struct core_link *ret_link);
void core_link_release(struct core_link *link);

/*
 * `folder` holds packages, and is called `shown` in messages. `named`, or NULL, is the package
 * that a person named: it is part of the way, and the end if `to` is NULL. With neither, the
 * chain goes as far as packages lead. A chain without links means that there is nothing to do:
 * `from` is the end already. Gaps, ambiguities and wrong starts are ERROR_INVALID.
 */
int core_chain_find(int folder, const char *shown, const char *from, const char *named,
	const char *to, struct core_chain *ret_chain, struct error *err);

void core_chain_release(struct core_chain *chain);

#endif
