/*
 * New files in the tree: they are neither in the base nor in a layer. Ignored files (ignore.h)
 * are left out.
 */
#ifndef ENGINE_CUSTOM_NEW_FILES_H
#define ENGINE_CUSTOM_NEW_FILES_H

#include "engine/custom/custom.h"

typedef int (*new_file_function)(
	const struct relpath *path, const struct stat *st, void *data, struct error *err);

/* Call `each` for every one of them. */
int new_files_each(struct session *s, const struct recorded *recorded, new_file_function each,
	void *data, struct error *err);

/*
 * Where a deleted file among the changes has the same content as a new one, or nearly:
 * add the new one, for it was renamed.
 */
int new_files_add_renamed(struct session *s, const struct recorded *recorded,
	struct custom_changes *changes, struct error *err);

#endif
