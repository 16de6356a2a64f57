/*
 * The inside of verify, for verify*.c only.
 */
#ifndef ENGINE_LOOK_INTERNAL_H
#define ENGINE_LOOK_INTERNAL_H

#include "engine/core/base_sums.h"

#include "engine/session/drift.h"
#include "engine/session/recorded.h"

struct verify_result;

struct verifying {
	struct session *session; /* to read with; never changes anything */
	const struct state *state;
	const struct recorded *recorded;
	struct verify_result *result;
	bool has_sums; /* the list of the base's contents was read */
	bool bad_sums; /* the list exists, but is damaged */
	struct base_sums sums;
	struct base_sums base; /* its present contents; only with `has_sums` */
};

/* Report damage to a file of the engine; `layer` is NULL for the core. */
void verify_add_damage(struct verify_result *result, const struct layer *layer,
	const char *path, const char *change, const struct hash *expected,
	const struct hash *found, const char *note);

#define FROM_A_COPY "restore it from a copy of the project"

char *verify_hex(const struct hash *hash); /* NULL of NULL */

/* verify_base.c: read the recorded and the present contents of the base. */
int verify_base_open(struct verifying *v, struct error *err);

/* The file as the core had it when the base was made, or as the base has it. */
int verify_base_file(struct verifying *v, const struct relpath *path,
	struct layer_file *ret_file, struct error *err);

/*
 * Paths of the core that no layer has, and whose copy in the base is gone or damaged: the
 * search for drift cannot have found out whether they are as they were.
 */
void verify_base_doubtful(const struct verifying *v, struct drift_list *list);

/* Compare every file of the base with its record. */
int verify_base(struct verifying *v, struct error *err);

/* verify_kept.c: what else is in .nanoclaw. */
int verify_kept(struct verifying *v, struct error *err);

#endif
