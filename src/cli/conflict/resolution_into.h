/*
 * A folder of the project for recorded resolutions, as a person names it.
 */
#ifndef CLI_CONFLICT_RESOLUTION_INTO_H
#define CLI_CONFLICT_RESOLUTION_INTO_H

#include "engine/disk/project.h"
#include "fs/relpath.h"

/*
 * `typed` is the value of the option `name`, or NULL: then it is `usual`. It may have the path
 * of the project before it. ERROR_INVALID if it leads elsewhere, or to where only the engine
 * writes.
 */
int resolution_into(const struct project *project, const char *name, const char *typed,
	const char *usual, struct relpath *ret_folder, struct error *err);

#endif
