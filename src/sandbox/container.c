/* The command line of podman and docker, with the same promises as that of bwrap. */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/parts.h"
#include "util/process.h"

static void add_limits(struct words *words, const struct sandbox_limits *limits)
{
	words_addf(words, "--memory=%" PRIu64 "m", limits->memory_megabytes);
	words_addf(words, "--memory-swap=%" PRIu64 "m", limits->memory_megabytes);
	words_addf(words, "--pids-limit=%" PRIu64, limits->processes);
	words_addf(words, "--cpus=%" PRIu64 ".%02" PRIu64, limits->cpu_percent / 100,
		limits->cpu_percent % 100);
	words_addf(words, "--ulimit=fsize=%" PRIu64 ":%" PRIu64,
		limits->disk_megabytes * 1024 * 1024, limits->disk_megabytes * 1024 * 1024);
	WORDS_ADD(words, "--ulimit=core=0:0", "--ulimit=nofile=1024:4096");
}

static void add_walls(struct words *words)
{
	WORDS_ADD(words, "--rm", "--init", "--interactive", "--read-only", "--cap-drop=all",
		"--security-opt=no-new-privileges", "--network=none", "--ipc=private",
		"--hostname=nanoclaw", "--log-driver=none", "--pull=never", "--user=1000:1000");
	words_addf(words, "--tmpfs=/tmp:rw,nosuid,nodev,size=%" PRIu64 ",mode=1777",
		SANDBOX_TMP_BYTES);
	words_addf(words, "--tmpfs=" SANDBOX_HOME ":rw,nosuid,nodev,size=%" PRIu64 ",mode=0777",
		SANDBOX_OTHER_BYTES);
	words_addf(words, "--shm-size=%" PRIu64, SANDBOX_OTHER_BYTES);
}

/*
 * The user of the host is user 1000 inside. docker has no such mapping; there the agent has
 * the number of the host's user.
 */
static void add_user(struct words *words, enum sandbox_kind kind)
{
	if (kind == SANDBOX_DOCKER) {
		free(words->list[words->count - 1]);
		words->list[--words->count] = NULL;
		words_addf(words, "--user=%u:%u", (unsigned)getuid(), (unsigned)getgid());
		return;
	}
	if (geteuid())
		words_add(words, "--userns=keep-id:uid=1000,gid=1000");
	else
		WORDS_ADD(words, "--uidmap=1000:0:1", "--gidmap=1000:0:1");
}

static int add_mount(const struct sandbox_mount *mount, struct words *words, struct error *err)
{
	CLEANUP(freep) char *path = sandbox_path_of(mount->source, err);

	if (!path)
		return -1;
	if (strchr(path, ',') || strchr(mount->target, ','))
		return error_set(err, ERROR_INVALID,
			"'%s' has a comma in its name, which podman and docker cannot mount",
			path);
	words_addf(words, "--mount=type=bind,source=%s,target=%s%s", path, mount->target,
		mount->flags & SANDBOX_WRITABLE ? "" : ",readonly");
	return 0;
}

/* By name only: the values are in the environment, which nobody else can list. */
static void add_environment(const struct sandbox *sandbox, struct words *words)
{
	for (size_t i = 0; i < sandbox->env.count; i++) {
		const char *variable = sandbox->env.list[i];

		words_add(words, "--env");
		words_addf(words, "%.*s", (int)(strchr(variable, '=') - variable), variable);
	}
}

static void add_labels(struct words *words, const struct sandbox *sandbox)
{
	words_addf(words, "--name=%s", sandbox->container);
	words_add(words, "--label");
	words_addf(words, LABEL_INSTALLATION "%s", ownership_installation(sandbox->owner));
	words_add(words, "--label");
	words_addf(words, LABEL_RUN "%s", sandbox->run);
	words_add(words, "--label");
	words_addf(words, "nanoclaw.group=%s", sandbox->group);
}

static int check_links(const struct sandbox_spec *spec, struct error *err)
{
	(void)spec;
	(void)err;
	return 0;
}

static void add_root(const struct sandbox_spec *spec, struct words *words)
{
	if (spec->kind == SANDBOX_PODMAN && spec->rootfs)
		WORDS_ADD(words, "--rootfs", spec->rootfs);
	else
		words_add(words, spec->image ? spec->image : SANDBOX_IMAGE);
}

int container_command(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct error *err)
{
	const char *name = sandbox_kind_name(spec->kind);
	CLEANUP(freep) char *engine = process_find(name);
	struct words *words = &sandbox->argv;
	(void)launcher;

	if (!engine) {
		error_set(err, ERROR_FAILED, "'%s' is not installed", name);
		return error_hint(err, "install it, or choose the sandbox 'bwrap'");
	}
	WORDS_ADD(words, "--", engine);
	if (spec->kind == SANDBOX_PODMAN && !access("/usr/bin/crun", X_OK) == 0)
		WORDS_ADD(words, "--runtime=runc");
	words_add(words, "run");
	add_walls(words);
	add_user(words, spec->kind);
	add_limits(words, &sandbox->limits);
	add_labels(words, sandbox);
	for (size_t i = 0; i < spec->mount_count; i++)
		if (add_mount(&spec->mounts[i], words, err) < 0)
			return -1;
	if (check_links(spec, err) < 0)
		return -1;
	words_addf(words, "--workdir=%s", spec->workdir);
	add_environment(sandbox, words);
	add_root(spec, words);
	words_add_all(words, spec->argv);
	return 0;
}
