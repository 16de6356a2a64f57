/*
 * container.json where it lies, groups/FOLDER/container.json: made, read, and changed by the
 * host.
 *
 * In a sandbox the file is a mount of its own, read-only, within the folder of the group, which
 * is not. Replacing the file would drop the mount: the agent inside would see the new file and
 * could write it. So an existing file is never replaced but written in place, and the new
 * content is in data/run/container-FOLDER.json first:
 *
 *	          journal                  write, sync              delete
 *	[before] --------> [journal] --------------------> [both] ---------> [after]
 *	                       |                               ^
 *	                       +--- a crash; the next call ----+
 *
 * A change is made by one process at a time, which holds the lock of the store.
 */
#ifndef GROUP_CONTAINER_FILE_H
#define GROUP_CONTAINER_FILE_H

#include <jansson.h>

#include "group/container.h"

/*
 * Without mounts, an agent that runs could write the file (sandbox/guard.h). Then somebody else
 * keeps what it says: `held` returns that, or NULL where no such agent runs, and `change` is
 * told before the file is written. Paths are those of container_shown().
 */
struct container_keeper {
	const char *(*held)(void *data, const char *path);
	int (*change)(void *data, const char *path, const char *text, struct error *err);
	void *data;
};

/* For the whole process; NULL ends it. It is not copied. */
void container_set_keeper(const struct container_keeper *keeper);

/* "groups/FOLDER/container.json", for messages. To be freed. */
char *container_shown(const char *folder);

/*
 * For the start of an agent: after what a crash has left is done, and with a file, so that
 * nobody else makes one. The folder of the group is there.
 */
int container_load(
	int root, const char *folder, struct container *ret_container, struct error *err);

/*
 * For looking: as it is, nothing is made, and never through a link. No file is a container with
 * nothing in it. `ret_text` may be NULL.
 */
int container_look(int root, const char *folder, struct container *ret_container,
	struct buf *ret_text, struct error *err);

/*
 * Change one setting: "skills", "mcpServers", "mcpServers.NAME", "model", "model.NAME",
 * "mounts", "agent", "sandbox", "network", "network.hosts", "limits", "limits.NAME", "budget" or
 * "budget.NAME"; NULL takes it out. The rest of the file stays as it was written. ERROR_INVALID if there is no such setting,
 * or if the file would have a fault.
 */
int container_set(int root, const char *folder, const char *key, const json_t *value,
	struct container *ret_container, struct error *err);

#endif
