/*
 * What stands behind the name of a dependency: a range of versions, or a tag, an address,
 * a path, another name.
 *
 * Only ranges can be put together. Of the others nobody knows which versions they mean
 * before they are fetched, so two of them agree if they are the same text. "*" gives way
 * to everything.
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_SPEC_H
#define ENGINE_STRUCTURED_NPM_NPM_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/view.h"

enum npm_spec_kind {
	NPM_SPEC_ANY,     /* "*", "", "x" */
	NPM_SPEC_RANGE,   /* "^1.2.0" */
	NPM_SPEC_TAG,     /* "latest" */
	NPM_SPEC_ADDRESS, /* "file:../a", "user/repo", "git+ssh://…", "npm:other@1" … */
	NPM_SPEC_WRONG,   /* npm refuses it */
};

enum npm_spec_kind npm_spec_kind(struct view spec);

/*
 * What satisfies all of them, in `*ret_text`; the order does not matter. False, and
 * nothing is written, if nothing does. Without any it is "*".
 */
bool npm_specs_combine(const char *const *specs, size_t count, struct buf *ret_text);

/* Whether npm_specs_combine() would find something. */
bool npm_specs_agree(const char *a, const char *b);

#endif
