/*
 * The inside of verify, for verify*.c only.
 */
#ifndef ENGINE_VERIFY_PARTS_H
#define ENGINE_VERIFY_PARTS_H

#include "engine/recorded.h"
#include "engine/verify.h"

struct verifying {
	struct session *session; /* to read with; never changes anything */
	const struct state *state;
	const struct recorded *recorded;
	struct verify_result *result;
};

/* Takes over what the difference owns. */
void verify_add(struct verify_result *result, struct verify_difference difference);

/* The same for a file of the engine; `layer` is NULL of the core. */
void verify_add_damage(struct verify_result *result, const struct layer *layer,
	const char *path, const char *change, const struct hash *expected,
	const struct hash *found, const char *note);

char *verify_hex(const struct hash *hash); /* NULL of NULL */

/* verify_kept.c: what is in .nanoclaw. */
int verify_kept(struct verifying *v, struct error *err);

#endif
