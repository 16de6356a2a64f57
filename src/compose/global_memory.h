/*
 * The global memory, data/global.md, which all groups read and main writes through the host.
 * People may edit the file too. It does not affect the base, container/CLAUDE.md.
 */
#ifndef COMPOSE_GLOBAL_MEMORY_H
#define COMPOSE_GLOBAL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

#define GLOBAL_MEMORY_MAX ((size_t)256 * 1024)

/* The whole of it. ERROR_INVALID if it is too long. */
int global_memory_write(int root, struct view text, struct error *err);

/*
 * Add an entry at the end, separated from the text before it. An entry that already exists is not
 * added again, so that a turn can be repeated.
 */
int global_memory_add(int root, struct view text, bool *ret_added, struct error *err);

/*
 * The whole text with that entry, for the caller to write. From an agent, `source` stands in a line
 * above it, and the entry is quoted, so that it poses as nothing else, and its '@' import nothing.
 */
int global_memory_plan(int root, struct view text, const char *source, struct buf *ret_memory,
	bool *ret_added, struct error *err);

#endif
