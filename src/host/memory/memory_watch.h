/*
 * Reports possible changes to the files that agents start with. Only for memory.c.
 *
 *	memory_watch_add(watch, folder)		also the container.json of this group
 *	memory_watch_renew(watch)		folders that have been made or moved since
 *
 * It watches folders, not files: a file may be replaced by a rename, deleted, and created again.
 */
#ifndef HOST_MEMORY_MEMORY_WATCH_H
#define HOST_MEMORY_MEMORY_WATCH_H

#include <uv.h>

#include "base/error.h"

struct memory_watch;

int memory_watch_new(uv_loop_t *loop, int root, void (*changed)(void *data), void *data,
	struct memory_watch **ret_watch, struct error *err);

void memory_watch_add(struct memory_watch *watch, const char *folder);
void memory_watch_renew(struct memory_watch *watch);

/* Frees itself when the loop has closed its handle. */
void memory_watch_close(struct memory_watch *watch);

#endif
