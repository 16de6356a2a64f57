/*
 * What becomes of one dependency: what the package itself has of it and what skills want
 * of it, put together, or else a clash and perhaps a decision about it.
 *
 *  - What the package has is its entry in `optionalDependencies`, `dependencies` or
 *    `devDependencies` (of several npm takes the first of these), narrowed by the one in
 *    `peerDependencies` unless the two contradict each other already.
 *  - A pin (npm_pins.h) stands for all that the package has. Where skills agree with it,
 *    the entry of the package stays as it is, and a new one gets the pinned text.
 *  - Who wants "*" has no part in a clash.
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_VERDICT_H
#define ENGINE_STRUCTURED_NPM_NPM_VERDICT_H

#include <jansson.h>

#include "engine/structured/npm/npm_declared.h"

enum npm_verdict_kind {
	NPM_WRITE,    /* `spec`, in `dependencies` */
	NPM_LEAVE,    /* a decision, or the side that was asked for: nowhere but in peers */
	NPM_UNWANTED, /* a person took it out */
};

struct npm_verdict {
	enum npm_verdict_kind kind;
	char *spec;            /* of NPM_WRITE */
	const char *own;       /* what the package has; NULL: nothing */
	const char *pinned_by; /* "overrides", or NULL */
};

#define NPM_VERDICT_INIT ((struct npm_verdict){0})

/*
 * About the claims from `claims` to `end`, all of one name. `package` is the own content.
 * A clash that no decision settles is added to the clashes of the output.
 */
int npm_verdict(const struct structured_input *input, json_t *package,
	const struct npm_claim *claims, const struct npm_claim *end,
	struct structured_output *output, struct npm_verdict *ret_verdict, struct error *err);

void npm_verdict_release(struct npm_verdict *verdict);

#endif
