/*
 * Keeps container.json of the groups in memory, and reads it again only if the file has changed.
 *
 *	if (container_cache_look(cache, root, folder, &container, err) < 0)
 *		return -1;
 *	… container->budget, good until the next call …
 */
#ifndef GROUP_CONTAINER_CACHE_H
#define GROUP_CONTAINER_CACHE_H

#include "group/container_file.h"

struct container_cache {
	struct container_entry *list;
	size_t count;
	size_t cap;
};

/* As container_look(). The container belongs to the cache. */
int container_cache_look(struct container_cache *cache, int root, const char *folder,
	const struct container **ret_container, struct error *err);

void container_cache_release(struct container_cache *cache);

#endif
