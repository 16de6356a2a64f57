/*
 * Change a file that a model names, atomically: a reader sees the old content or the new.
 *
 * A link is followed, and stays. The file keeps its mode. Only regular files can be changed.
 */
#ifndef AGENT_NATIVE_TOOLS_CHANGE_FILE_H
#define AGENT_NATIVE_TOOLS_CHANGE_FILE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"

/* Folders that are missing are made. */
int change_file(const char *path, struct view content, bool *ret_created, struct error *err);

#endif
