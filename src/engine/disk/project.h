/*
 * A project: the source tree that skills are applied to.
 *
 *	CLEANUP(project_release) struct project project = PROJECT_INIT;
 *
 *	if (project_open(&project, err) < 0 || project_lock(&project, err) < 0)
 *		return -1;
 *
 * The root is the nearest folder at or above the current one that has a folder .nanoclaw,
 * else the current folder itself. Above the current folder, a .nanoclaw that belongs to
 * another user does not count.
 */
#ifndef ENGINE_DISK_PROJECT_H
#define ENGINE_DISK_PROJECT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "fs/relpath.h"

struct project {
	char *path; /* absolute, for messages */
	int root;   /* the open folder */
	bool locked;
	int *lock; /* the open file .nanoclaw/lock, once there is one; or NULL */
};

#define PROJECT_INIT ((struct project){.root = -1})

int project_open(struct project *ret_project, struct error *err);

/* Open the current folder itself, even inside another project. */
int project_open_here(struct project *ret_project, struct error *err);

/* This folder itself, which must not be a symbolic link. */
int project_open_folder(const char *path, struct project *ret_project, struct error *err);

/*
 * One operation at a time. The lock is on the open file .nanoclaw/lock, which only those
 * who may write to .nanoclaw can open, so no other user of the machine can hold it. The
 * kernel releases it however the process ends. ERROR_BUSY if another process holds it
 * for half a second.
 *
 * Without .nanoclaw there is nothing to lock: the operation that makes the folder locks it
 * then (project_make_nanoclaw()). Where we may not write, no lock is needed.
 */
int project_lock(struct project *project, struct error *err);
void project_unlock(struct project *project);

/*
 * Is the present .nanoclaw the one that project_lock() locked? ERROR_BUSY if another operation
 * has created it since, or if we may not write there.
 */
int project_check_lock(const struct project *project, struct error *err);

/*
 * For an operation that has found something in .nanoclaw. ERROR_BUSY if another operation has
 * made it since project_lock(), which had nothing to lock.
 */
int project_check_found(const struct project *project, struct error *err);

/*
 * Create the folder .nanoclaw if it does not exist, and lock it. ERROR_BUSY if another
 * operation has created it since project_lock().
 */
int project_make_nanoclaw(const struct project *project, bool *ret_created, struct error *err);

/* Remove the folder .nanoclaw if there is nothing in it but the lock and the index. */
void project_remove_nanoclaw(const struct project *project);

/* Hold the lock only for a moment, if it is free. Returns -1, or what to close. */
int project_try_lock(const struct project *project);

/*
 * A reader without the lock may see some files from before an operation and others from after
 * it. So open the project with `open` and read from it with `read`; if an operation began or
 * ended in the meantime, open it again and call `read` once more, which has to start over. When
 * operations keep getting in the way, `running` is true, as if one of them were running all the
 * time.
 */
typedef int project_opener(struct project *ret_project, bool *ret_running, struct error *err);
typedef int project_reader(
	const struct project *project, bool running, void *data, struct error *err);
int project_read_still(struct project *project, project_opener *open, project_reader *read,
	void *data, struct error *err);

/* Open the folder .nanoclaw; -1 and errnum ENOENT if it does not exist. */
int project_open_nanoclaw(const struct project *project, int *ret_fd, struct error *err);

void project_release(struct project *project);

/* Remove a folder of the project if it exists and is empty. */
int project_remove_empty(
	const struct project *project, const struct relpath *path, struct error *err);

/* The cache of stat_index.h in .nanoclaw, and the name under which it is written. */
#define PROJECT_INDEX     "index"
#define PROJECT_INDEX_NEW "index.new"

/* Does the name exist in the folder, even as a broken link? */
bool disk_exists(int folder, const char *name);

/* Open a folder, never through a link. Returns -1 with errno. */
int disk_open_folder(int parent, const char *name);

/*
 * The process with the lock on this file, in the format of /proc/locks; 0 if none has it. Some
 * file systems (btrfs) show another device there than stat(); then only the inode is compared.
 */
pid_t lock_find_holder(FILE *locks, const struct stat *st);

/*
 * The hint for an error about lost or damaged files in .nanoclaw, when nothing has been
 * changed. Returns -1.
 *
 *	error_set(err, ERROR_INVALID, "'%s' is gone", path);
 *	return damage_hint(err);
 */
int damage_hint(struct error *err);

#endif
