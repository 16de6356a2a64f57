/*
 * Where a file comes from.
 *
 * Paths of packages may be old names (remap.h); `path` in the functions below is
 * where the file is now.
 *
 * A file as it was before any skill changed it, and with the changes of all applied skills: for
 * a file that somebody deleted, and for a change that is removed again.
 */
#ifndef ENGINE_SESSION_ORIGIN_H
#define ENGINE_SESSION_ORIGIN_H

#include "engine/package/pack.h"
#include "engine/session/session.h"

/* The pack of an applied skill, which may still be staged; empty if it has none. */
int origin_load_pack(
	struct session *s, const char *skill, struct pack *ret_pack, struct error *err);

/* The manifest in it. */
int origin_read_manifest(
	struct session *s, const char *skill, struct manifest *ret_manifest, struct error *err);

/*
 * The hash of the files that are now in the folder from which a skill was applied; false if there
 * is no package. `ret_version`, which may be NULL, is its version.
 */
bool origin_package_hash(const struct project *project, const struct applied_skill *skill,
	char **ret_version, struct hash *ret_hash);

/*
 * The pack, read once in a session, which keeps it until session_forget_pack(). NULL after an
 * error. An entry by its content: the state has the names that files got later.
 */
const struct session_pack *origin_pack(struct session *s, const char *skill, struct error *err);
const struct pack_entry *origin_find_content(
	const struct session_pack *pack, enum pack_part part, const struct hash *hash);

/* Does the skill of this manifest depend on `skill`, directly or through applied skills? */
bool origin_depends_on(struct session *s, const struct manifest *manifest, const char *skill);

/*
 * Where a path of a package is now: remap_resolve(). An old name that another skill has
 * used for a new file means that file only for a skill that builds on the other one.
 */
struct relpath origin_resolve(struct session *s, const struct relpath *path);

/* The entry for the file that is at this path now, also if it had another name; or NULL. */
const struct pack_entry *origin_find_entry(struct session *s, const struct pack *pack,
	enum pack_part part, const struct relpath *real);

/* The same in either part. */
const struct pack_entry *origin_find_any(
	struct session *s, const struct pack *pack, const struct relpath *real);

/*
 * The core's file for what a package calls `declared`. Where it was renamed, the base
 * has it under its old name if a skill did that, and under its new one if the core
 * did. `ret_found`, which may be NULL, is the name in the base.
 */
int origin_read_base(struct session *s, const struct relpath *declared,
	struct tx_file *ret_file, struct relpath *ret_found, struct error *err);

/* The file of the core, or of the skill that added it; TX_ABSENT if neither has it. */
int origin_read(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err);

#endif
