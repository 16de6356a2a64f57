#include "group/container_cache.h"

#include <string.h>

#include "fs/stamp.h"

/* Removed groups stay in the cache until it has this many entries. */
#define MAX_ENTRIES 1000

struct container_entry {
	char *folder;
	struct stamp stamp;
	struct container container;
};

void container_cache_release(struct container_cache *cache)
{
	for (size_t i = 0; i < cache->count; i++) {
		free(cache->list[i].folder);
		container_release(&cache->list[i].container);
	}
	free(cache->list);
	*cache = (struct container_cache){0};
}

static struct container_entry *entry_for(struct container_cache *cache, const char *folder)
{
	for (size_t i = 0; i < cache->count; i++)
		if (!strcmp(cache->list[i].folder, folder))
			return &cache->list[i];
	if (cache->count >= MAX_ENTRIES)
		container_cache_release(cache);
	GROW(cache->list, cache->count, cache->cap);
	cache->list[cache->count] = (struct container_entry){
		.folder = xstrdup(folder), .container = CONTAINER_INIT};
	return &cache->list[cache->count++];
}

int container_cache_look(struct container_cache *cache, int root, const char *folder,
	const struct container **ret_container, struct error *err)
{
	struct container_entry *entry = entry_for(cache, folder);
	CLEANUP(freep) char *path = container_shown(folder);
	struct stamp stamp = stamp_beneath(root, path);

	/* A missing file has the same stamp as an entry that was never read. */
	if (!stamp.inode || !stamp_equal(&stamp, &entry->stamp)) {
		container_release(&entry->container);
		entry->container = CONTAINER_INIT;
		entry->stamp = (struct stamp){0};
		if (container_look(root, folder, &entry->container, NULL, err) < 0)
			return -1;
		entry->stamp = stamp;
	}
	*ret_container = &entry->container;
	return 0;
}
