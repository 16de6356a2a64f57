/*
 * Finds a file of an older core: in the base, the kept objects (objects.h), the earlier cores
 * (earlier_cores.h), and the history of the project's own repository, if that takes at most two
 * calls of git.
 *
 *	core_past_by_hash(s, &path, &hash, &file, &found, err)
 *	core_past_by_version(s, &path, "0.5.0", &file, &found, err)
 *
 * In git, a content is searched for among the last versions of the path, and a version of the
 * core is a tag, `v0.5.0` or `0.5.0`. An unreadable repository counts as empty.
 */
#ifndef ENGINE_SESSION_CORE_PAST_H
#define ENGINE_SESSION_CORE_PAST_H

#include "engine/session/session.h"

int core_past_by_hash(struct session *s, const struct relpath *path, const struct hash *hash,
	struct tx_file *ret_file, bool *ret_found, struct error *err);

/* Only among the last versions of the path in git: a content that is of this very file. */
int core_past_in_git(struct session *s, const struct relpath *path, const struct hash *hash,
	struct tx_file *ret_file, bool *ret_found, struct error *err);

/* A core that did not have the file has no such file, and then nothing is found. */
int core_past_by_version(struct session *s, const struct relpath *path, const char *version,
	struct tx_file *ret_file, bool *ret_found, struct error *err);

#endif
