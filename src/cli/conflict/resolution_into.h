/*
 * A folder of the project for recorded resolutions, as a person names it.
 */
#ifndef CLI_CONFLICT_RESOLUTION_INTO_H
#define CLI_CONFLICT_RESOLUTION_INTO_H

#include "engine/disk/project.h"
#include "fs/relpath.h"

/*
 * `typed` is the value of the option `name`; NULL means `usual`. It may begin with the path of
 * the project. ERROR_INVALID if it is outside the project, or where only the engine writes.
 */
int resolution_into(const struct project *project, const char *name, const char *typed,
	const char *usual, struct relpath *ret_folder, struct error *err);

#endif
