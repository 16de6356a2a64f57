/*
 * A file as it was before any skill changed it, and with the changes of all skills
 * that are applied: for a file that somebody deleted, and for a change that is
 * taken out again.
 */
#ifndef ENGINE_ORIGIN_H
#define ENGINE_ORIGIN_H

#include "engine/pack.h"
#include "engine/session.h"

/* The pack of an applied skill, be it still staged; empty if there is none. */
int origin_load_pack(
	struct session *s, const char *skill, struct pack *ret_pack, struct error *err);

/* The file of the core, or of the skill that added it; TX_ABSENT if there is none. */
int origin_read(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err);

/* The same with all changes. If they cannot be combined it is ERROR_INVALID. */
int origin_rebuild(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err);

#endif
