/*
 * nanoclaw-sandbox, the program between the host and an agent. The host builds its command
 * line (bwrap.c, container.c); people do not run it.
 *
 *	nanoclaw-sandbox engine WORD... -- ENGINE ARGUMENTS...
 *		outside: runs the engine, and removes the container when the host dies
 *	nanoclaw-sandbox landlock WORD... -- PROGRAM ARGUMENTS...
 *		confines a child by Landlock and the strict filter, which becomes the agent,
 *		and waits for it (landlock.c)
 *	nanoclaw-sandbox inside WORD... -- PROGRAM ARGUMENTS...
 *		inside, as the first program that bwrap or a container runs: limits itself
 *		and bwrap's process there, compares the mounts with the files that the host has opened, closes these, and
 *		becomes the agent; as the first process of a container it starts the agent and
 *		waits for it
 *
 *	nanoclaw-sandbox breakout
 *		inside: tries to get out, for a probe
 *
 * Words: nanoclaw.installation=ID and nanoclaw.run=RUN are labels; record=PATH must hold that RUN;
 * join=FD is a cgroup to join; file-size=BYTES, cpu-seconds=N and processes=N are limits;
 * mount=FD:PATH is a mount; container=NAME is the container to remove; filter=1 filters system
 * calls; user=N maps the current user and group to number N in a new user namespace, and
 * mask=PATH then covers a file or folder, unless AppArmor forbids it. For landlock, read=FD and
 * write=FD are files or folders that the agent may use, connect=FD is a socket that it may
 * connect to, and system=PATH is a part of the system that it may read and execute; for tests,
 * landlock-version=N limits it to the features of an older kernel. An unknown word is an error,
 * so that no limit gets lost.
 *
 * If a step fails, it ends with EXIT_SANDBOX and one line on standard error. The agent starts
 * only after every step has succeeded.
 */
#ifndef SANDBOX_LAUNCHER_LAUNCHER_H
#define SANDBOX_LAUNCHER_LAUNCHER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define EXIT_SANDBOX       125
#define LAUNCHER_MAX_WORDS 1024

#define LAUNCHER_MAX_CONNECTIONS 8

struct launch_grant {
	enum { GRANT_READ, GRANT_WRITE, GRANT_CONNECTION } kind;
	int fd;
};

struct launch {
	uint64_t joins[8];
	size_t join_count;
	const char **mounts;
	size_t mount_count, mount_cap;
	struct launch_grant *grants;
	size_t grant_count, grant_cap;
	const char **system;
	size_t system_count, system_cap;
	uint64_t file_size;
	uint64_t cpu_seconds;
	uint64_t processes;
	uint64_t filter;
	uint64_t user; /* 0: stay who we are */
	const char **masks;
	size_t mask_count, mask_cap;
	uint64_t landlock_version; /* 0: the kernel's */
	const char *container;
	const char *run;
	const char *record;
	char **argv; /* the words after -- */
};

/* Each returns only on failure, or with an exit code. */
int launch_container(const struct launch *launch, struct error *err);
int launch_landlock(const struct launch *launch, struct error *err);
int launch_inside(const struct launch *launch, struct error *err);
int launch_breakout(void);

/* Checks that each mount is the file that the host opened. */
int launch_compare(const struct launch *launch, struct error *err);

/* For this process and its children. Drops as much of the bounding set as it may. */
int launch_drop_capabilities(struct error *err);

/* For a process and the programs that it executes from now on; 0 is the launcher. */
int launch_limit(const struct launch *launch, pid_t pid, struct error *err);

/* Makes this process the kernel's first choice when the machine runs out of memory. */
void launch_be_first_to_go(void);

#endif
