/*
 * Creates, reads and changes groups/FOLDER/container.json, for the host.
 *
 * In a sandbox the file is a read-only mount inside the group's writable folder. Replacing the
 * file would drop the mount, and the agent could write the new file. So an existing file is
 * written in place, after the new content was stored in data/run/container-FOLDER.json:
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
 * Without mounts, a running agent could write the file (sandbox/guard.h), so its content is kept
 * elsewhere: `held` returns that content, or NULL if no such agent runs, and `change` is called
 * before the file is written. Paths are those of container_shown().
 */
struct container_keeper {
	const char *(*held)(void *data, const char *path);
	int (*change)(void *data, const char *path, const char *text, struct error *err);
	void *data;
};

/* For the whole process; NULL removes it. It is not copied. */
void container_set_keeper(const struct container_keeper *keeper);

/* "groups/FOLDER/container.json", for messages. To be freed. */
char *container_shown(const char *folder);

/*
 * Creates the file if it is missing, so that no agent can: for a new group, so that its first
 * agent does not wait for the disk. The group's folder must exist.
 */
int container_create(int root, const char *folder, struct error *err);

/* For the start of an agent. Finishes a change that a crash interrupted, and creates the file. */
int container_load(
	int root, const char *folder, struct container *ret_container, struct error *err);

/*
 * Only reads the file, without following a link. A missing file gives an empty container.
 * `ret_text` may be NULL.
 */
int container_look(int root, const char *folder, struct container *ret_container,
	struct buf *ret_text, struct error *err);

/*
 * Change one setting: "skills", "mcpServers", "mcpServers.NAME", "model", "model.NAME", "mounts",
 * "agent", "sandbox", "network", "network.hosts", "limits", "limits.NAME", "budget" or
 * "budget.NAME"; NULL removes it. The rest of the file keeps its layout. ERROR_INVALID if there
 * is no such setting, or if the file would have a fault.
 */
int container_set(int root, const char *folder, const char *key, const json_t *value,
	struct container *ret_container, struct error *err);

#endif
