/*
 * A sandbox: the only place where an agent may run.
 *
 *	struct sandbox_spec spec = SANDBOX_SPEC_INIT;
 *
 *	sandbox_add_mount(&spec, fd_of_the_folder, "/workspace/agent", SANDBOX_WRITABLE);
 *	…
 *	if (sandbox_prepare(owner, &spec, &sandbox, err) < 0)	recorded on the disk
 *		return -1;
 *	if (child_start(sandbox_command(sandbox), &child, err) < 0)
 *		… sandbox_ended(sandbox) …
 *	sandbox_started(sandbox, child.pid)
 *	… every second or so: watch_verdict() says which are over a limit (watch.h) …
 *	… after the child was reaped: sandbox_ended(sandbox) …
 *
 *	           sandbox_prepare      child_start, sandbox_started       reaped
 *	[nothing] ----------------> [recorded] ----------------> [runs] ----------> [ended]
 *	                                |                          |                   ^
 *	                                |  the host is killed      |                   |
 *	                                +-----------> [left] <-----+                   |
 *	                                                 |   ownership_sweep()         |
 *	                                                 +-----------------------------+
 *
 * The command is not the agent but nanoclaw-sandbox, a small program beside this one
 * (launcher.h), which sets limits and becomes bwrap, podman or docker. It has the standard
 * streams of the agent, ends when the agent ends, with its exit code, and is killed with us.
 *
 * For every kind:
 *  S1. Nothing runs outside a sandbox. A sandbox that cannot be made is an error, and then the
 *	agent does not run; there is no way to start it without one.
 *  S2. Inside are the files that `mounts` names, a system to run programs with (/usr and the
 *	necessary parts of /etc, read-only; or the image), its own /proc, /dev and /tmp, and
 *	nothing else.
 *  S3. It has its own namespaces: user, pid, ipc, uts, cgroup, mount, network. The network has
 *	only a loopback device. There are no capabilities and no new privileges, and a filter of
 *	system calls (seccomp.h).
 *  S4. A mount is the very file that `source` is open at. If its path leads elsewhere by the
 *	time it is mounted, the agent is not started. (podman and docker look the path up
 *	themselves; there it is compared just before.)
 *  S5. The sandbox is recorded before it starts, and carries the labels nanoclaw.installation
 *	and nanoclaw.run from its first instruction to its last (ownership.h).
 *  S6. It gets none of our environment, and no descriptors except the first three.
 *
 * The agent is user 1000, "node", which is mapped to the user of the host. Each owns the files
 * that the other creates.
 *
 * The kind `landlock` has no namespaces and no mounts (S2, S3): the agent sees the host's paths,
 * and runs as the host's user. Landlock allows the files that `mounts` names and the system, and
 * nothing else; the filter refuses every socket, and every call that could affect another
 * process. S1 and S4 to S6 hold. guard.h explains how a read-only file in a writable folder is
 * protected.
 */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/entry.h"
#include "base/error.h"
#include "proc/child.h"
#include "sandbox/limits/limits.h"

#define SANDBOX_HOME       "/home/node"
#define SANDBOX_WORKDIR    "/workspace/agent"
#define SANDBOX_PATH       "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#define SANDBOX_IMAGE      "nanoclaw-agent:latest"
#define SANDBOX_MAX_MOUNTS 400
#define SANDBOX_USER       1000 /* "node", user and group */

/* The usual kind, and that of our own agents where it does not work. */
#define SANDBOX_USUAL    "bwrap"
#define SANDBOX_FALLBACK "landlock"

/* Exit codes of the engine of a kind that runs elsewhere. */
#define SANDBOX_NO_PLACE 75 /* no machine took the agent; the last line of errors says why */
#define SANDBOX_LOST     76 /* the machine was lost, and the agent has surely ended */

struct sandbox;
struct sandbox_spec;

/* A file declares one with SANDBOX_KIND(), and nothing else has to be edited. */
struct sandbox_kind {
	const char *name;
	/*
	 * The program that starts a container, or NULL; one of ours if its name begins with
	 * "nanoclaw-". `ENGINE inspect --type container NAME` says whether it is still there,
	 * and `ENGINE rm --force NAME` removes it, both in the folder of the project.
	 */
	const char *engine;
	bool network;    /* an agent can reach hosts through our gate */
	bool host_paths; /* an agent sees the paths of the host */
	/*
	 * On another machine, which each start finds anew, so it is not probed. NANOCLAW_SANDBOX
	 * does not choose it for main and for readers of files: these stay here.
	 */
	bool elsewhere;
	/* Fills the command line; `launcher` is the path of nanoclaw-sandbox. */
	int (*command)(const struct sandbox_spec *spec, struct sandbox *sandbox,
		const char *launcher, struct error *err);
	void (*hint)(struct error *err); /* what to do where it does not work */
};

#define SANDBOX_KIND(identifier) ENTRY(sandboxes, sandbox_kind, identifier)

/* All of them by name, ending with NULL. */
const struct sandbox_kind *const *sandbox_kinds(void);

/* ERROR_INVALID for any other name. */
int sandbox_kind_find(
	const char *name, const struct sandbox_kind **ret_kind, struct error *err);

/* One that is always there: SANDBOX_USUAL, SANDBOX_FALLBACK. */
const struct sandbox_kind *sandbox_kind_of(const char *name);

enum sandbox_mount_flags {
	SANDBOX_WRITABLE = 1 << 0,
	SANDBOX_UNCOUNTED = 1 << 1, /* does not count for disk_megabytes */
};

struct sandbox_mount {
	int source;   /* a file, folder or socket, open; O_PATH is enough. Owned by the spec */
	char *target; /* absolute */
	unsigned flags;
};

struct sandbox_link {
	char *target; /* absolute path of the link */
	char *to;     /* its content */
};

struct sandbox_spec {
	const struct sandbox_kind *kind; /* NULL: the usual one */
	const char *group;               /* its folder, for the record and the labels */
	const char *const *argv; /* the agent, as inside; argv[0] is looked for in PATH there */
	const char *const *env;  /* "NAME=value": all variables; HOME and PATH have defaults */
	const char *workdir;     /* inside */
	struct sandbox_limits limits;
	const char *image;    /* podman, docker; NULL: SANDBOX_IMAGE */
	int landlock_version; /* for tests: use no more of it than this; 0: all */
	struct sandbox_mount *mounts;
	size_t mount_count, mount_cap;
	struct sandbox_link *links;
	size_t link_count, link_cap; /* bwrap only */
};

#define SANDBOX_SPEC_INIT ((struct sandbox_spec){.workdir = SANDBOX_WORKDIR})

/* Takes over the descriptor. A later mount may be inside an earlier one. */
void sandbox_add_mount(
	struct sandbox_spec *spec, int source, const char *target, unsigned flags);
void sandbox_add_link(struct sandbox_spec *spec, const char *target, const char *to);

/*
 * Mounts the project at `target`, read-only, for the main group. Files that look like a secret or
 * a backup are left out, at any depth, and so are store, data, logs, and all groups except
 * `own_folder`. Each entry of the root, and of every folder with something to hide, is a separate
 * mount, so a .env that is created later does not appear either. A folder that would need too
 * many mounts is left out.
 */
int sandbox_add_project(struct sandbox_spec *spec, int root, const char *own_folder,
	const char *target, struct error *err);

void sandbox_spec_release(struct sandbox_spec *spec);

struct ownership;

/* Checks the spec and makes the cgroup. The spec is not needed afterwards. */
int sandbox_prepare(struct ownership *owner, const struct sandbox_spec *spec,
	struct sandbox **ret_sandbox, struct error *err);

/* The process to start: arguments, environment, folder, descriptors. Valid until sandbox_ended(). */
const struct child_request *sandbox_command(const struct sandbox *sandbox);

/* Records its process, and closes the descriptors that only the start needed. */
void sandbox_started(struct sandbox *sandbox, pid_t pid);

const struct sandbox_kind *sandbox_kind(const struct sandbox *sandbox);

/* 16 random hexadecimal digits. */
const char *sandbox_run(const struct sandbox *sandbox);

/*
 * After its process was reaped: the limit for which the kernel killed it, or NULL. To be freed.
 */
char *sandbox_limit_reached(const struct sandbox *sandbox, int exit_code);

/*
 * After its process was reaped: false while other processes of its cgroup remain; it kills them,
 * but they may write until they are gone. Always true without a cgroup.
 */
bool sandbox_is_clear(struct sandbox *sandbox);

/*
 * After its process was reaped, or never started: kills its remaining processes, removes its
 * cgroup and record, and trims its files to the limit of the disk (disk_trim.h).
 * ownership_sweep() removes later what cannot be removed now. Frees it.
 */
void sandbox_ended(struct sandbox *sandbox);

/*
 * Do sandboxes of this kind work here, and do they hold? Starts a real one, tries several ways
 * out of it, and waits for it, about a tenth of a second. The error says why the kind cannot be
 * used and what to do. `image` is as in the spec. `ret_ways`, which may be NULL, is the number of
 * ways that were tried and failed.
 */
int sandbox_probe(const struct sandbox_kind *kind, const char *image, size_t *ret_ways,
	struct error *err);

/* The kernel's Landlock version; 0 if it has none. */
int sandbox_landlock_version(void);

#endif
