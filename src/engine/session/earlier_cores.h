/*
 * The cores that a project had before: .nanoclaw/cores/VERSION, a list of files and their
 * hashes as in base_sums.h. The contents are among the objects (objects.h), or still in the
 * base, where an update has not changed them.
 *
 * A skill that was written for such a core is merged with the files of that core.
 */
#ifndef ENGINE_SESSION_EARLIER_CORES_H
#define ENGINE_SESSION_EARLIER_CORES_H

#include "engine/session/session.h"

/* Stage the list of the present base, before another base replaces it. */
int earlier_cores_keep(struct session *s, struct error *err);

/*
 * A file of an earlier core. `*ret_known` is false if that core, or the content of the
 * file, is not known; TX_ABSENT if that core did not have it.
 */
int earlier_cores_read(struct session *s, const char *version, const struct relpath *path,
	struct tx_file *ret_file, bool *ret_known, struct error *err);

#endif
