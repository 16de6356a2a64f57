/*
 * A prepared sandbox, and what the kinds of sandboxes (bwrap.c, container.c, landlock.c), their
 * records (ownership.c) and their limits (watch.c, disk_use.c) share. Only for src/sandbox;
 * others use sandbox.h.
 */
#ifndef SANDBOX_INTERNAL_H
#define SANDBOX_INTERNAL_H

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>

#include "base/string_array.h"
#include "fs/file.h"
#include "sandbox/guard.h"
#include "sandbox/limits/cgroup.h"
#include "sandbox/limits/disk_use.h"
#include "sandbox/processes.h"
#include "sandbox/sandbox.h"

#define SANDBOX_RUN_LEN     16
#define SANDBOX_PROGRAM     "nanoclaw-sandbox"
#define SANDBOX_MAX_RECORD  ((size_t)8 * 1024 * 1024)
#define SANDBOX_TMP_BYTES   ((uint64_t)256 * 1024 * 1024)
#define SANDBOX_OTHER_BYTES ((uint64_t)64 * 1024 * 1024)

#define SANDBOX_MEMORY_USED_UP "it used more than %" PRIu64 " MB of memory"

/* `argv`, `outside` and `fds` are for the first program. */
struct sandbox {
	struct ownership *owner;
	const struct sandbox_kind *kind;
	char run[SANDBOX_RUN_LEN + 1];
	char *group;
	char *container; /* its name for podman and docker, else NULL */
	struct sandbox_limits limits;
	struct cgroup cgroup;
	struct string_array argv;
	struct string_array env;     /* of the agent */
	struct string_array outside; /* of the first program */
	struct child_request command;
	int *fds;
	size_t fd_count, fd_cap;
	int cwd;
	pid_t pid;
	pid_t inside;   /* the first process of a container, once it is known */
	uint64_t start; /* of the process; 0: not known */
	int64_t started_at_ms;
	time_t started_at; /* by the system clock, like the times of files */
	struct disk_use disk;
	struct string_array writable; /* the folders of `disk`, as the agent sees their paths */
	struct guards guards;         /* landlock only */
	unsigned looks, unseen,
		sent; /* how often watch.c looked, and how often in a row it found a violation */
	char *verdict;
	struct sandbox *next; /* of the same owner */
};

/*
 * The words of the launcher that all kinds have, limits and labels among them (launcher.h);
 * `launcher` is its path, where it runs.
 */
int sandbox_launcher_words(
	struct sandbox *sandbox, const char *launcher, const char *mode, struct error *err);

/* The parts of the machine that programs need, without those for root. Ends with NULL. */
extern const char *const sandbox_system[];

/* Parts of /proc that reveal the machine, or that its owner could write. Ends with NULL. */
extern const char *const sandbox_masked[];

/* The descriptor is taken over; returns the number that it has for the launcher. */
int sandbox_hand_over(struct sandbox *sandbox, int fd);

/* A line of /proc/PID/maps; false if its file is not in one of the folders. */
struct watch_mapping {
	char range[64];
	uint64_t inode;
};

bool watch_mapping_read(const struct string_array *folders, const char *line,
	struct watch_mapping *ret_mapping);

/* The current path of an open file. To be freed. */
char *sandbox_path_of(int fd, struct error *err);

/* A file in memory with this content, or -1. */
int sandbox_memory_file(const char *name, const void *data, size_t len, struct error *err);

/* Write, change and remove the record. */
int ownership_record(struct sandbox *sandbox, bool durable, struct error *err);
/* Its path, to be freed; NULL after an error. */
char *ownership_record_path(const struct sandbox *sandbox, struct error *err);
void ownership_add(struct sandbox *sandbox);
void ownership_drop(struct sandbox *sandbox);
int ownership_root(const struct ownership *owner);

/* Adopts the content that another sandbox of the group already guards. */
void ownership_share_guards(struct sandbox *sandbox);
struct cgroup_place *ownership_cgroups(struct ownership *owner);

/* Ends a container without waiting for it. */
void ownership_remove_container(
	struct ownership *owner, const char *engine, const char *container);

int64_t sandbox_now_ms(void);

#endif
