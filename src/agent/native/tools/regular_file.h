/*
 * Open a file that a model names, without ever blocking. A FIFO, socket or device is refused before
 * it is opened.
 */
#ifndef AGENT_NATIVE_TOOLS_REGULAR_FILE_H
#define AGENT_NATIVE_TOOLS_REGULAR_FILE_H

#include <sys/stat.h>

#include "base/error.h"

/*
 * For reading. Links are followed. A folder is opened, too, if `folders`, and else refused with
 * errnum EISDIR.
 */
int regular_file_open(
	const char *path, bool folders, int *ret_fd, struct stat *ret_stat, struct error *err);

#endif
