/*
 * Limits that the kernel enforces, where we may make a cgroup: below our own, in version 2 if its
 * controllers are delegated to us, or in the hierarchies of version 1.
 *
 *	cgroup_find(&place)			at start
 *	cgroup_make(&place, name, limits, &cgroup)	one per sandbox, empty
 *	cgroup_open(&place, cgroup.folders[i])	for the launcher, which joins each
 *	cgroup_remove(&cgroup)			true when it is gone
 *
 * A resource that cannot be limited this way is not an error: `limits_memory` and `limits_cpu`
 * say which are limited, and watch.h watches the rest. In version 2 a cgroup that has processes
 * cannot have limited ones below it, so the process of the host moves itself into a cgroup "host"
 * below its own.
 */
#ifndef SANDBOX_LIMITS_CGROUP_H
#define SANDBOX_LIMITS_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/view.h"
#include "sandbox/limits/limits.h"

#define CGROUP_MAX_FOLDERS 3

enum cgroup_controller {
	CGROUP_CPU,
	CGROUP_MEMORY,
	CGROUP_PIDS,
	CGROUP_CONTROLLERS,
};

/* Where cgroups can be made: a folder per controller, or NULL. */
struct cgroup_place {
	char *folders[CGROUP_CONTROLLERS];
	bool unified; /* version 2: it is the same folder */
};

struct cgroup {
	char *folders[CGROUP_MAX_FOLDERS];
	size_t count;
	bool limits_memory;
	bool limits_cpu;
};

/* `mount` is /sys/fs/cgroup, and `own` the text of /proc/self/cgroup, except in tests. */
void cgroup_find(struct cgroup_place *ret_place);
void cgroup_find_in(const char *mount, struct view own, struct cgroup_place *ret_place);

/* Only checks whether cgroup_find() could find a place that limits memory. */
bool cgroup_may_limit_memory(void);

void cgroup_make(const struct cgroup_place *place, const char *name,
	const struct sandbox_limits *limits, struct cgroup *ret_cgroup);

/* A descriptor: a process that writes "0" to it joins the cgroup. -1 with errno on failure. */
int cgroup_open(const struct cgroup_place *place, const char *folder);

/* Did the kernel kill a process in it because its memory was used up? */
bool cgroup_ran_out_of_memory(const struct cgroup *cgroup);

/* Kills the processes of a cgroup, and removes its folder; false if it still exists. */
bool cgroup_remove_folder(const char *folder);
bool cgroup_remove(struct cgroup *cgroup);

/* Each cgroup at the place whose name has this beginning. */
void cgroup_each(const struct cgroup_place *place, const char *prefix,
	void (*function)(const char *folder, const char *name, void *data), void *data);

void cgroup_release(struct cgroup *cgroup);
void cgroup_place_release(struct cgroup_place *place);

#endif
