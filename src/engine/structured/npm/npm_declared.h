/*
 * `npm_dependencies` of manifests: a mapping of names and ranges, or, as old packages have
 * it, a list of names, of "name@range", or of mappings. A name without a range has "*".
 *
 *	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;
 *
 *	npm_claims_read(contributions, count, &claims);
 *	for (size_t i = 0, end; i < claims.count; i = end) {
 *		end = npm_claims_end(&claims, i);
 *		… list[i] to list[end - 1] are what skills want of one name
 *	}
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_DECLARED_H
#define ENGINE_STRUCTURED_NPM_NPM_DECLARED_H

#include <stddef.h>

#include "engine/package/structured_format.h"

struct npm_claim {
	char *name;
	char *skill;
	char *spec;
};

/* Sorted by name, then by skill; of each pair there is one. */
struct npm_claims {
	struct npm_claim *list;
	size_t count;
	size_t cap;
};

#define NPM_CLAIMS_INIT ((struct npm_claims){0})

/* What is no string is passed over: npm_declared_check() has seen it. */
void npm_claims_read(
	const struct contribution *contributions, size_t count, struct npm_claims *ret_claims);

/* Behind the last claim about the name of the claim at `start`. */
size_t npm_claims_end(const struct npm_claims *claims, size_t start);

void npm_claims_release(struct npm_claims *claims);

/* The `check` of the format. */
void npm_declared_check(const struct yaml_node *declared, struct faults *faults);

#endif
