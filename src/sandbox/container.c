/* The command line of podman and docker. It gives the same guarantees as bwrap's. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/file.h"
#include "proc/process.h"
#include "sandbox/internal.h"
#include "sandbox/ownership.h"

/* The record of the run, inside. */
#define SANDBOX_RECORD SANDBOX_INSIDE ".run"

#define MAX_DOCKER_CONFIG ((size_t)1024 * 1024)
#define MAX_ADDRESS       ((size_t)4096)
#define CONTEXT_MS        5000

static bool is_docker(const struct sandbox_kind *kind)
{
	return !strcmp(kind->name, "docker");
}

static bool is_cgroup_v2(void)
{
	return !access("/sys/fs/cgroup/cgroup.controllers", F_OK);
}

static void add_limits(struct sandbox *sandbox, struct string_array *words)
{
	const struct sandbox_limits *limits = &sandbox->limits;
	uint64_t bytes = limits->disk_megabytes * 1024 * 1024;

	/* An ordinary user's podman can set these with version 2 only; otherwise watch.h does. */
	if (is_docker(sandbox->kind) || !geteuid() || is_cgroup_v2()) {
		sandbox->cgroup.limits_memory = true;
		string_array_addf(words, "--memory=%" PRIu64 "m", limits->memory_megabytes);
		string_array_addf(
			words, "--memory-swap=%" PRIu64 "m", limits->memory_megabytes);
		string_array_addf(words, "--pids-limit=%" PRIu64, limits->processes);
		string_array_addf(words, "--cpus=%" PRIu64 ".%02" PRIu64,
			limits->cpu_percent / 100, limits->cpu_percent % 100);
	}
	string_array_addf(words, "--ulimit=fsize=%" PRIu64 ":%" PRIu64, bytes, bytes);
	/* In docker it would count all processes of the host's user; --pids-limit holds there. */
	if (!is_docker(sandbox->kind))
		string_array_addf(words, "--ulimit=nproc=%" PRIu64 ":%" PRIu64,
			limits->processes, limits->processes);
	STRING_ARRAY_ADD(words, "--ulimit=core=0:0", "--ulimit=nofile=1024:4096");
}

/* docker maps users for all containers or for none, so there the launcher does it inside. */
static bool launcher_maps_user(const struct sandbox_kind *kind)
{
	return is_docker(kind) && (geteuid() != SANDBOX_USER || getegid() != SANDBOX_USER);
}

/*
 * Inside, the host's user is user 1000, so both can use each other's files.
 *
 * docker's own filter refuses user namespaces, so the launcher can map the user only without
 * it, and root only with CAP_SETFCAP. The launcher drops that and applies our filter, the one
 * that bwrap has, before the agent starts.
 */
static void add_user(struct string_array *words, const struct sandbox_kind *kind)
{
	if (is_docker(kind)) {
		string_array_addf(
			words, "--user=%u:%u", (unsigned)geteuid(), (unsigned)getegid());
		if (launcher_maps_user(kind))
			string_array_add(words, "--security-opt=seccomp=unconfined");
		if (!geteuid())
			string_array_add(words, "--cap-add=SETFCAP");
		return;
	}
	string_array_addf(words, "--user=%d:%d", SANDBOX_USER, SANDBOX_USER);
	if (geteuid()) {
		string_array_addf(
			words, "--userns=keep-id:uid=%d,gid=%d", SANDBOX_USER, SANDBOX_USER);
		return;
	}
	string_array_addf(words, "--uidmap=0:100000:%d", SANDBOX_USER);
	string_array_addf(words, "--uidmap=%d:0:1", SANDBOX_USER);
	string_array_addf(words, "--gidmap=0:100000:%d", SANDBOX_USER);
	string_array_addf(words, "--gidmap=%d:0:1", SANDBOX_USER);
}

static void add_masks(struct string_array *words)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (const char *const *path = sandbox_masked; *path; path++)
		buf_appendf(&text, ":%s", *path);
	string_array_addf(words, "--security-opt=mask=/sys%s", text.data);
}

static int add_mounts(
	const struct sandbox_spec *spec, struct string_array *words, struct error *err)
{
	for (size_t i = 0; i < spec->mount_count; i++) {
		const struct sandbox_mount *mount = &spec->mounts[i];
		CLEANUP(freep) char *path = sandbox_path_of(mount->source, err);

		if (!path)
			return -1;
		if (strpbrk(path, ",\"") || strpbrk(mount->target, ",\""))
			return error_set(err, ERROR_INVALID,
				"'%s' has a comma or a quote in its name, which podman and "
				"docker cannot mount",
				path);
		string_array_addf(words, "--mount=type=bind,source=%s,target=%s%s", path,
			mount->target, mount->flags & SANDBOX_WRITABLE ? "" : ",readonly");
	}
	return 0;
}

/* In a file that only the engine can open: a list of processes shows no values. */
static int add_environment(
	struct sandbox *sandbox, struct string_array *words, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	int fd;

	for (size_t i = 0; i < sandbox->env.count; i++) {
		const char *variable = sandbox->env.list[i];

		if (strchr(variable, '\n'))
			return error_set(err, ERROR_INVALID,
				"the variable '%.*s' has a line break, which podman and docker "
				"cannot pass on",
				(int)strcspn(variable, "="), variable);
		buf_appendf(&text, "%s\n", variable);
	}
	fd = sandbox_memory_file("environment", text.data, text.len, err);
	if (fd < 0)
		return -1;
	string_array_addf(words, "--env-file=/proc/self/fd/%d", sandbox_hand_over(sandbox, fd));
	return 0;
}

/* The variables that the engine needs to find its files and its service. */
static void add_outside(struct string_array *outside)
{
	static const char *const names[] = {"CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF",
		"CONTAINER_HOST", "DOCKER_CERT_PATH", "DOCKER_CONFIG", "DOCKER_CONTEXT",
		"DOCKER_HOST", "DOCKER_TLS_VERIFY", "HOME", "TMPDIR", "XDG_CONFIG_HOME",
		"XDG_DATA_HOME", "XDG_RUNTIME_DIR"};

	string_array_add(outside, "PATH=" SANDBOX_PATH);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (getenv(names[i]))
			string_array_addf(outside, "%s=%s", names[i], getenv(names[i]));
}

/* For the launcher: which container to remove, and which file must be at which path. */
static int add_launcher_words(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct error *err)
{
	if (sandbox_launcher_words(sandbox, launcher, "engine", err) < 0)
		return -1;
	string_array_addf(&sandbox->argv, "container=%s", sandbox->container);
	for (size_t i = 0; i < spec->mount_count; i++) {
		CLEANUP(freep) char *path = sandbox_path_of(spec->mounts[i].source, err);
		int fd = fcntl(spec->mounts[i].source, F_DUPFD_CLOEXEC, 0);

		if (!path || fd < 0)
			return error_errno(
				err, "cannot hand over '%s'", spec->mounts[i].target);
		string_array_addf(
			&sandbox->argv, "mount=%d:%s", sandbox_hand_over(sandbox, fd), path);
	}
	return 0;
}

/* podman's default runtime, crun, may be missing, and it refuses hybrid cgroups. */
static void add_runtime(struct string_array *words)
{
	CLEANUP(freep) char *crun = process_find("crun");
	CLEANUP(freep) char *runc = process_find("runc");

	if (runc && (!crun || !is_cgroup_v2()))
		string_array_addf(words, "--runtime=%s", runc);
}

/* Is a context of docker in use, instead of the engine of this machine? */
static bool docker_has_context(void)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf config = BUF_INIT;
	CLEANUP(freep) char *path = NULL;

	if (getenv("DOCKER_CONTEXT"))
		return true;
	if (getenv("DOCKER_CONFIG"))
		path = xasprintf("%s/config.json", getenv("DOCKER_CONFIG"));
	else
		path = xasprintf(
			"%s/.docker/config.json", getenv("HOME") ? getenv("HOME") : "");
	return file_read(path, MAX_DOCKER_CONFIG, &config, &ignored) == 0 &&
	       strstr(config.data, "\"currentContext\"");
}

/* The address of the engine, as the engine's own program will find it; NULL: the usual one. */
static char *engine_address(const struct sandbox_kind *kind, const char *engine)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	struct view address;
	const char *set = getenv(is_docker(kind) ? "DOCKER_HOST" : "CONTAINER_HOST");

	if (set && *set)
		return xstrdup(set);
	if (!is_docker(kind) || !docker_has_context())
		return NULL;
	request.argv = (const char *const[]){
		engine, "context", "inspect", "--format", "{{.Endpoints.docker.Host}}", NULL};
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_ADDRESS};
	request.errors = (struct process_stream){PROCESS_CAPTURE, MAX_ADDRESS};
	request.timeout_ms = CONTEXT_MS;
	if (process_run(&request, &result, &ignored) < 0 || result.exit_code)
		return xstrdup("a context that cannot be read");
	address = view_trim(view_of_buf(&result.output));
	return xmemdupz(address.data, address.len);
}

/*
 * An engine of another machine would mount that machine's folders. An address can also lead there
 * unseen, so the launcher inside compares the record of the run, which is mounted, with its label.
 */
static int check_engine(const struct sandbox_kind *kind, const char *engine, struct error *err)
{
	CLEANUP(freep) char *address = engine_address(kind, engine);
	CLEANUP(freep) char *shown = quote(view_of(address ? address : ""));

	if (!address || view_starts_with(view_of(address), "unix://"))
		return 0;
	error_set(err, ERROR_INVALID, "the engine of '%s' is %s, and not one of this machine",
		kind->name, shown);
	return error_hint(err, is_docker(kind) ? "unset DOCKER_HOST and DOCKER_CONTEXT, or run "
						 "'docker context use default'"
					       : "unset CONTAINER_HOST");
}

static int add_record(struct sandbox *sandbox, struct string_array *words, struct error *err)
{
	CLEANUP(freep) char *record = ownership_record_path(sandbox, err);

	if (!record)
		return -1;
	string_array_addf(words,
		"--mount=type=bind,source=%s,target=" SANDBOX_RECORD ",readonly", record);
	return 0;
}

static int container_command(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct error *err)
{
	const struct sandbox_kind *kind = sandbox->kind;
	const char *name = kind->name;
	CLEANUP(freep) char *engine = process_find(name);
	struct string_array *words = &sandbox->argv;

	if (!engine) {
		error_set(err, ERROR_FAILED, "'%s' is not installed", name);
		return error_hint(err, "install it, or choose the sandbox 'bwrap'");
	}
	if (check_engine(kind, engine, err) < 0)
		return -1;
	add_outside(&sandbox->outside);
	if (add_launcher_words(spec, sandbox, launcher, err) < 0)
		return -1;

	STRING_ARRAY_ADD(words, "--", engine);
	if (!is_docker(kind))
		add_runtime(words);
	STRING_ARRAY_ADD(words, "run", "--rm", "--interactive", "--read-only", "--cap-drop=all",
		"--security-opt=no-new-privileges", "--network=none", "--ipc=private",
		"--hostname=nanoclaw", "--log-driver=none", "--pull=never");
	if (!is_docker(kind))
		add_masks(words);
	else
		string_array_add(
			words, "--tmpfs=/sys:ro,nosuid,nodev,noexec,size=4k,mode=0555");
	string_array_addf(words, "--tmpfs=/tmp:rw,nosuid,nodev,size=%" PRIu64 ",mode=1777",
		SANDBOX_TMP_BYTES);
	string_array_addf(words,
		"--tmpfs=" SANDBOX_HOME ":rw,nosuid,nodev,size=%" PRIu64 ",mode=1777",
		SANDBOX_OTHER_BYTES);
	string_array_addf(words, "--shm-size=%" PRIu64, SANDBOX_OTHER_BYTES);
	add_user(words, kind);
	add_limits(sandbox, words);
	string_array_addf(words, "--name=%s", sandbox->container);
	string_array_addf(words, "--label=" LABEL_INSTALLATION "%s",
		ownership_installation(sandbox->owner));
	string_array_addf(words, "--label=" LABEL_RUN "%s", sandbox->run);
	string_array_addf(words, "--label=nanoclaw.group=%s", sandbox->group);
	string_array_addf(words,
		"--mount=type=bind,source=%s,target=" SANDBOX_INSIDE ",readonly", launcher);
	if (add_record(sandbox, words, err) < 0 || add_mounts(spec, words, err) < 0 ||
		add_environment(sandbox, words, err) < 0)
		return -1;
	string_array_addf(words, "--workdir=%s", spec->workdir);
	string_array_add(words, spec->image ? spec->image : SANDBOX_IMAGE);

	/* With the labels, so that watch.h finds the first process of the container. */
	STRING_ARRAY_ADD(words, SANDBOX_INSIDE, "inside", "filter=1", "record=" SANDBOX_RECORD);
	string_array_addf(
		words, LABEL_INSTALLATION "%s", ownership_installation(sandbox->owner));
	string_array_addf(words, LABEL_RUN "%s", sandbox->run);
	if (launcher_maps_user(kind)) {
		string_array_addf(words, "user=%d", SANDBOX_USER);
		for (const char *const *path = sandbox_masked; *path; path++)
			string_array_addf(words, "mask=%s", *path);
	}
	string_array_add(words, "--");
	string_array_add_all(words, spec->argv);
	return 0;
}

static void container_hint(struct error *err)
{
	error_hint(err,
		"build the image with 'container/build.sh', or choose the sandbox '" SANDBOX_USUAL
		"'");
}

SANDBOX_KIND(docker) = {
	.name = "docker",
	.engine = "docker",
	.network = true,
	.command = container_command,
	.hint = container_hint,
};

SANDBOX_KIND(podman) = {
	.name = "podman",
	.engine = "podman",
	.network = true,
	.command = container_command,
	.hint = container_hint,
};
