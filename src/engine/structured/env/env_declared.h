/*
 * `env_additions` of a manifest: the variables that a skill declares.
 *
 *	env_additions:                      env_additions:
 *	  - TELEGRAM_TOKEN                    TELEGRAM_TOKEN:
 *	  - TELEGRAM_MODE=poll                TELEGRAM_MODE: poll
 *	  - name: TELEGRAM_URL                TELEGRAM_URL:
 *	    default: https://example.org        default: https://example.org
 *	    comment: Where the API is           comment: Where the API is
 *	  - TELEGRAM_LIMIT: 5                 TELEGRAM_LIMIT: 5
 */
#ifndef ENGINE_STRUCTURED_ENV_ENV_DECLARED_H
#define ENGINE_STRUCTURED_ENV_ENV_DECLARED_H

#include <stddef.h>

#include "engine/package/faults.h"
#include "util/yaml.h"

struct env_variable {
	char *name;
	char *value;   /* the default; "" expects nothing, and agrees with any */
	char *comment; /* lines, without '#'; or "" */
};

struct env_declared {
	struct env_variable *list; /* as declared, each name once */
	size_t count;
	size_t cap;
};

#define ENV_DECLARED_INIT ((struct env_declared){0})

/* What is wrong is left out, and goes to `faults`, which may be NULL. */
void env_declared_read(
	const struct yaml_node *node, struct env_declared *ret_declared, struct faults *faults);

void env_declared_release(struct env_declared *declared);

#endif
