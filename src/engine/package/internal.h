/*
 * The parts of manifest_parse(). Each reads one field that is set and not null; errors go to
 * the faults.
 */
#ifndef ENGINE_PACKAGE_INTERNAL_H
#define ENGINE_PACKAGE_INTERNAL_H

#include "engine/package/manifest.h"

/* --- paths (manifest_paths.c) ---------------------------------------------------- */

void manifest_read_paths(const struct yaml_node *node, const char *what,
	struct manifest_paths *ret_paths, struct faults *faults);
void manifest_read_base_hashes(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults);

/* Paths of `adds` and `modifies` that get in each other's way. */
void manifest_check_collisions(const struct manifest *manifest, struct faults *faults);

/* The path in the list, or NULL. */
const struct manifest_path *manifest_paths_find(
	const struct manifest_paths *paths, const struct relpath *path);

#endif
