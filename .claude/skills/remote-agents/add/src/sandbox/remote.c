/*
 * The command line for an agent on another machine: nanoclaw-remote (src/programs/remote) is the
 * engine. It gets the spec in a file in memory, and the mounts as the files that the host opened.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/json.h"
#include "proc/process.h"
#include "sandbox/internal.h"
#include "sandbox/ownership.h"

#define REMOTE_PROGRAM "nanoclaw-remote"

/* What the programs of schedulers, and ssh, need to find their files and services. */
static void add_outside(struct string_array *outside)
{
	extern char **environ;
	static const char *const wanted[] = {"CONTAINER_", "DOCKER_", "HOME=", "KRB5", "KUBE",
		"LOGNAME=", "NOMAD_", "PATH=", "SLURM",
		"SSH_AUTH_SOCK=", "TMPDIR=", "USER=", "XDG_"};

	for (char **variable = environ; *variable; variable++)
		for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
			if (view_starts_with(view_of(*variable), wanted[i]))
				string_array_add(outside, *variable);
}

/* NULL if one is not UTF-8. */
static json_t *texts_to_json(const char *const *texts)
{
	json_t *list = json_array();

	for (; *texts; texts++)
		if (json_array_append_new(list, json_string(*texts)) < 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}

/* Each mount is compared with its path once more, and then the engine has the file itself. */
static int add_mounts(const struct sandbox_spec *spec, struct sandbox *sandbox, json_t *mounts,
	struct error *err)
{
	for (size_t i = 0; i < spec->mount_count; i++) {
		const struct sandbox_mount *mount = &spec->mounts[i];
		CLEANUP(freep) char *path = sandbox_path_of(mount->source, err);
		CLEANUP(closep) int fd = fcntl(mount->source, F_DUPFD_CLOEXEC, 0);
		struct stat st;
		int number;

		if (!path)
			return -1;
		if (fd < 0 || fstat(fd, &st) < 0)
			return error_errno(err, "cannot hand over '%s'", mount->target);
		number = sandbox_hand_over(sandbox, TAKE_FD(fd));
		string_array_addf(&sandbox->argv, "mount=%d:%s", number, path);
		json_add(mounts, "fd:i target:s kind:s writable:b counted:b", number,
			mount->target,
			S_ISDIR(st.st_mode)    ? "folder"
			: S_ISSOCK(st.st_mode) ? "socket"
					       : "file",
			(mount->flags & SANDBOX_WRITABLE) != 0,
			!(mount->flags & SANDBOX_UNCOUNTED));
	}
	return 0;
}

static json_t *links_to_json(const struct sandbox_spec *spec)
{
	json_t *links = json_array();

	for (size_t i = 0; i < spec->link_count; i++)
		json_add(links, "target:s to:s", spec->links[i].target, spec->links[i].to);
	return links;
}

static int remote_command(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct error *err)
{
	CLEANUP(freep) char *program = process_find_own(REMOTE_PROGRAM, err);
	CLEANUP(json_decrefp) json_t *whole = NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct sandbox_limits *limits = &sandbox->limits;
	json_t *mounts = json_array();
	json_t *argv = texts_to_json(spec->argv);
	json_t *env = texts_to_json((const char *const *)sandbox->env.list);
	int fd;

	whole = json_build("installation:s run:s name:s group:s workdir:s image:S argv:o env:o "
			   "links:o mounts:o memory:I processes:I cpu:I disk:I",
		ownership_installation(sandbox->owner), sandbox->run, sandbox->container,
		sandbox->group, spec->workdir, spec->image, argv, env, links_to_json(spec),
		mounts, limits->memory_megabytes, limits->processes, limits->cpu_percent,
		limits->disk_megabytes);
	if (!program)
		return -1;
	if (!argv || !env)
		return error_set(err, ERROR_INVALID,
			"a word or a variable of the agent is not UTF-8, which the sandbox "
			"'remote' cannot pass on");
	add_outside(&sandbox->outside);
	if (sandbox_launcher_words(sandbox, launcher, "engine", err) < 0)
		return -1;
	string_array_addf(&sandbox->argv, "container=%s", sandbox->container);
	if (add_mounts(spec, sandbox, mounts, err) < 0)
		return -1;
	json_write_ours(whole, false, &text);
	fd = sandbox_memory_file("spec", text.data, text.len, err);
	if (fd < 0)
		return -1;
	/* Where its settings are. */
	sandbox->cwd = fcntl(ownership_root(sandbox->owner), F_DUPFD_CLOEXEC, 0);
	STRING_ARRAY_ADD(&sandbox->argv, "--", program, "run");
	string_array_addf(&sandbox->argv, LABEL_INSTALLATION "%s",
		ownership_installation(sandbox->owner));
	string_array_addf(&sandbox->argv, LABEL_RUN "%s", sandbox->run);
	string_array_addf(&sandbox->argv, "spec=%d", sandbox_hand_over(sandbox, fd));
	return 0;
}

static void remote_hint(struct error *err)
{
	error_hint(err, "docs/remote-agents.md says what it needs");
}

SANDBOX_KIND(remote) = {
	.name = "remote",
	.engine = REMOTE_PROGRAM,
	.network = true,
	.elsewhere = true,
	.command = remote_command,
	.hint = remote_hint,
};
