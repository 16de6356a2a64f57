/*
 * The parts of manifest_parse(), for manifest*.c only. Each reads one field that
 * is there and is not null; what is wrong goes to the faults.
 */
#ifndef ENGINE_PACKAGE_MANIFEST_PARTS_H
#define ENGINE_PACKAGE_MANIFEST_PARTS_H

#include "engine/package/manifest.h"

/* Report something at a place of the document. */
void manifest_fault(struct faults *faults, enum fault_severity severity,
	const struct yaml_doc *doc, struct yaml_place at, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* A note for every key of the mapping that is not among `known`, which ends with NULL. */
void manifest_note_unknown(
	const struct yaml_node *mapping, const char *const *known, struct faults *faults);

/* manifest_paths.c */
void manifest_read_paths(const struct yaml_node *node, const char *what,
	struct manifest_paths *ret_paths, struct faults *faults);
void manifest_read_file_ops(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults);
void manifest_read_base_hashes(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults);
bool manifest_paths_contain(const struct manifest_paths *paths, const struct relpath *path);
void manifest_paths_release(struct manifest_paths *paths);

/* manifest_collide.c: paths of adds and modifies that get into each other's way. */
void manifest_check_file_ops(const struct manifest *manifest, struct faults *faults);
void manifest_check_collisions(const struct manifest *manifest, struct faults *faults);

/* manifest_structured.c: checks the types; NULL if nothing is declared. */
const struct yaml_node *manifest_read_structured(
	const struct yaml_node *node, struct faults *faults);

#endif
