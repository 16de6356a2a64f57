/*
 * Where package.json pins a version for the whole tree: `overrides` of npm and bun,
 * `pnpm.overrides`, `resolutions` of yarn.
 *
 * npm refuses a direct dependency whose specifier is another than its override's, and the
 * other managers take the pinned one whatever is declared.
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_PINS_H
#define ENGINE_STRUCTURED_NPM_NPM_PINS_H

#include <jansson.h>
#include <stdbool.h>

#include "util/view.h"

struct npm_pin {
	const char *where; /* "overrides" */
	const char *spec;  /* points into the package */
};

/*
 * The pin for a direct dependency that has, or would get, the specifier `spec`: pins for
 * other versions ("foo@2": …) and for the dependencies of others do not count.
 */
bool npm_pin_find(json_t *package, const char *name, const char *spec, struct npm_pin *ret_pin);

#endif
