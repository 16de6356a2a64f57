/* The command line of podman and docker, with the same promises as that of bwrap. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proc/process.h"
#include "sandbox/internal.h"

/* More than the engine covers by itself; docker has no such option. */
#define MASKED                                                                                 \
	"/sys:/proc/kpagecgroup:/proc/kpagecount:/proc/kpageflags:/proc/pressure:"             \
	"/proc/slabinfo:/proc/vmallocinfo"

static void add_walls(struct words *words)
{
	WORDS_ADD(words, "--rm", "--init", "--interactive", "--read-only", "--cap-drop=all",
		"--security-opt=no-new-privileges", "--network=none", "--ipc=private",
		"--hostname=nanoclaw", "--log-driver=none", "--pull=never");
	words_addf(words, "--tmpfs=/tmp:rw,nosuid,nodev,size=%" PRIu64 ",mode=1777",
		SANDBOX_TMP_BYTES);
	words_addf(words, "--tmpfs=" SANDBOX_HOME ":rw,nosuid,nodev,size=%" PRIu64 ",mode=1777",
		SANDBOX_OTHER_BYTES);
	words_addf(words, "--shm-size=%" PRIu64, SANDBOX_OTHER_BYTES);
}

static void add_limits(struct words *words, const struct sandbox_limits *limits)
{
	uint64_t bytes = limits->disk_megabytes * 1024 * 1024;

	words_addf(words, "--memory=%" PRIu64 "m", limits->memory_megabytes);
	words_addf(words, "--memory-swap=%" PRIu64 "m", limits->memory_megabytes);
	words_addf(words, "--pids-limit=%" PRIu64, limits->processes);
	words_addf(words, "--cpus=%" PRIu64 ".%02" PRIu64, limits->cpu_percent / 100,
		limits->cpu_percent % 100);
	words_addf(words, "--ulimit=fsize=%" PRIu64 ":%" PRIu64, bytes, bytes);
	words_addf(words, "--ulimit=nproc=%" PRIu64 ":%" PRIu64, limits->processes,
		limits->processes);
	WORDS_ADD(words, "--ulimit=core=0:0", "--ulimit=nofile=1024:4096");
}

/*
 * The user of the host is user 1000 inside, and root inside is nobody of importance. docker
 * maps users for all containers or none; there the agent has the number of the host's user.
 */
static void add_user(struct words *words, enum sandbox_kind kind)
{
	if (kind == SANDBOX_DOCKER) {
		words_addf(words, "--user=%u:%u", (unsigned)geteuid(), (unsigned)getegid());
		return;
	}
	words_add(words, "--user=1000:1000");
	if (geteuid())
		words_add(words, "--userns=keep-id:uid=1000,gid=1000");
	else
		WORDS_ADD(words, "--uidmap=0:100000:1000", "--uidmap=1000:0:1",
			"--gidmap=0:100000:1000", "--gidmap=1000:0:1");
}

static void add_labels(struct words *words, const struct sandbox *sandbox)
{
	words_addf(words, "--name=%s", sandbox->container);
	words_addf(words, "--label=" LABEL_INSTALLATION "%s",
		ownership_installation(sandbox->owner));
	words_addf(words, "--label=" LABEL_RUN "%s", sandbox->run);
	words_addf(words, "--label=nanoclaw.group=%s", sandbox->group);
}

static int add_mount(const struct sandbox_mount *mount, struct words *words, struct error *err)
{
	CLEANUP(freep) char *path = sandbox_path_of(mount->source, err);

	if (!path)
		return -1;
	if (strpbrk(path, ",\"") || strpbrk(mount->target, ",\""))
		return error_set(err, ERROR_INVALID,
			"'%s' has a comma or a quote in its name, which podman and docker "
			"cannot mount",
			path);
	words_addf(words, "--mount=type=bind,source=%s,target=%s%s", path, mount->target,
		mount->flags & SANDBOX_WRITABLE ? "" : ",readonly");
	return 0;
}

static int add_mounts(const struct sandbox_spec *spec, struct words *words, struct error *err)
{
	for (size_t i = 0; i < spec->mount_count; i++)
		if (add_mount(&spec->mounts[i], words, err) < 0)
			return -1;
	return 0;
}

/* In a file that only the engine can open: nobody who lists processes sees values. */
static int add_environment(struct sandbox *sandbox, struct words *words, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	int fd;

	for (size_t i = 0; i < sandbox->env.count; i++) {
		const char *variable = sandbox->env.list[i];

		if (strchr(variable, '\n'))
			return error_set(err, ERROR_INVALID,
				"the variable '%.*s' has a line break, which podman and docker "
				"cannot hand on",
				(int)strcspn(variable, "="), variable);
		buf_appendf(&text, "%s\n", variable);
	}
	fd = sandbox_memory_file("environment", text.data, text.len, err);
	if (fd < 0)
		return -1;
	words_addf(words, "--env-file=/proc/self/fd/%d", sandbox_hand_over(sandbox, fd));
	return 0;
}

/* What the engine itself needs to find its files and its service. */
static void add_outside(struct words *outside)
{
	static const char *const names[] = {"CONTAINER_HOST", "DOCKER_CONFIG", "DOCKER_HOST",
		"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (getenv(names[i]))
			words_addf(outside, "%s=%s", names[i], getenv(names[i]));
}

/* For the launcher: what to remove, and what has to lie where it did. */
static int add_own_words(
	const struct sandbox_spec *spec, struct sandbox *sandbox, struct error *err)
{
	words_addf(&sandbox->argv, "container=%s", sandbox->container);
	for (size_t i = 0; i < spec->mount_count; i++) {
		CLEANUP(freep) char *path = sandbox_path_of(spec->mounts[i].source, err);
		int fd = fcntl(spec->mounts[i].source, F_DUPFD_CLOEXEC, 0);

		if (!path || fd < 0)
			return error_errno(
				err, "cannot hand over '%s'", spec->mounts[i].target);
		words_addf(&sandbox->argv, "mount=%d:%s", sandbox_hand_over(sandbox, fd), path);
	}
	return 0;
}

/* Its default, crun, is not everywhere. */
static void add_engine(struct words *words, enum sandbox_kind kind, const char *engine)
{
	CLEANUP(freep) char *crun = process_find("crun");
	CLEANUP(freep) char *runc = process_find("runc");

	WORDS_ADD(words, "--", engine);
	if (kind == SANDBOX_PODMAN && !crun && runc)
		words_add(words, "--runtime=runc");
	words_add(words, "run");
}

/* The first program inside adds our filter of system calls to that of the engine. */
static void add_inside(const struct sandbox_spec *spec, struct sandbox *sandbox)
{
	WORDS_ADD(&sandbox->argv, SANDBOX_INSIDE, "inside", "filter=1", "--");
	words_add_all(&sandbox->argv, spec->argv);
}

int container_command(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct error *err)
{
	const char *name = sandbox_kind_name(spec->kind);
	CLEANUP(freep) char *engine = process_find(name);
	struct words *words = &sandbox->argv;

	if (!engine) {
		error_set(err, ERROR_FAILED, "'%s' is not installed", name);
		return error_hint(err, "install it, or choose the sandbox 'bwrap'");
	}
	words_add(&sandbox->outside, "PATH=" SANDBOX_PATH);
	add_outside(&sandbox->outside);
	if (add_own_words(spec, sandbox, err) < 0)
		return -1;
	add_engine(words, spec->kind, engine);
	add_walls(words);
	if (spec->kind == SANDBOX_PODMAN)
		words_add(words, "--security-opt=mask=" MASKED);
	add_user(words, spec->kind);
	add_limits(words, &sandbox->limits);
	add_labels(words, sandbox);
	words_addf(words, "--mount=type=bind,source=%s,target=" SANDBOX_INSIDE ",readonly",
		launcher);
	if (add_mounts(spec, words, err) < 0 || add_environment(sandbox, words, err) < 0)
		return -1;
	words_addf(words, "--workdir=%s", spec->workdir);
	if (spec->kind == SANDBOX_PODMAN && spec->rootfs)
		WORDS_ADD(words, "--rootfs", spec->rootfs);
	else
		words_add(words, spec->image ? spec->image : SANDBOX_IMAGE);
	add_inside(spec, sandbox);
	return 0;
}
