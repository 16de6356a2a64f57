/*
 * The command line for a sandbox without namespaces (launcher/landlock.c). There are no mounts:
 * the agent sees the paths of the host. So every word and every variable that names a place of
 * the spec is rewritten to where that place lies, and a socket becomes "fd:N", a descriptor
 * that is connected to it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/internal.h"

#define FIRST_CONNECTION 3

static bool is_socket(const struct sandbox_mount *mount)
{
	struct stat st;

	return fstat(mount->source, &st) == 0 && S_ISSOCK(st.st_mode);
}

static bool lies_in(const char *path, const char *folder)
{
	size_t len = strcmp(folder, "/") ? strlen(folder) : 0;

	return !strncmp(path, folder, len) && (!path[len] || path[len] == '/');
}

/* The innermost mount that contains `path`. */
static const struct sandbox_mount *mount_of(const struct sandbox_spec *spec, const char *path)
{
	const struct sandbox_mount *found = NULL;

	for (size_t i = 0; i < spec->mount_count; i++) {
		const struct sandbox_mount *mount = &spec->mounts[i];

		if (lies_in(path, mount->target) &&
			(!found || strlen(mount->target) > strlen(found->target)))
			found = mount;
	}
	return found;
}

/* Which connection the socket becomes: they are numbered as the spec has them. */
static int connection_of(const struct sandbox_spec *spec, const struct sandbox_mount *mount)
{
	int number = FIRST_CONNECTION;

	for (const struct sandbox_mount *at = spec->mounts; at < mount; at++)
		number += is_socket(at);
	return number;
}

/* The text with a place of the spec replaced by the host's; to be freed, NULL on failure. */
static char *path_on_host(const struct sandbox_spec *spec, const char *text, struct error *err)
{
	const struct sandbox_mount *mount = mount_of(spec, text);
	CLEANUP(freep) char *path = NULL;

	if (!mount)
		return xstrdup(text);
	if (is_socket(mount))
		return xasprintf("fd:%d", connection_of(spec, mount));
	path = sandbox_path_of(mount->source, err);
	return path ? xasprintf("%s%s", path, text + strlen(mount->target)) : NULL;
}

/*
 * The launcher has the environment of the agent, and hands it on. There is no /home/node and
 * no /tmp: both are the folder of the session, or else the one that the agent works in.
 */
static int add_environment(
	const struct sandbox_spec *spec, struct sandbox *sandbox, struct error *err)
{
	CLEANUP(freep) char *session = path_on_host(spec, SANDBOX_HOME "/.claude", err);
	CLEANUP(freep) char *work = path_on_host(spec, spec->workdir, err);
	const char *home;

	if (!session || !work)
		return -1;
	home = mount_of(spec, SANDBOX_HOME "/.claude") ? session : work;
	for (size_t i = 0; i < sandbox->env.count; i++) {
		const char *variable = sandbox->env.list[i];
		int name_len = (int)(strchr(variable, '=') - variable);
		CLEANUP(freep) char *value = path_on_host(spec, variable + name_len + 1, err);

		if (!value)
			return -1;
		string_array_addf(&sandbox->outside, "%.*s=%s", name_len, variable,
			strcmp(value, SANDBOX_HOME) ? value : home);
	}
	string_array_addf(&sandbox->outside, "TMPDIR=%s", home);
	return 0;
}

/*
 * Grants a part of the system. If it contains the installation, grants the siblings of the
 * installation, folder by folder: Landlock cannot revoke what a parent folder grants.
 */
static void add_system(struct string_array *words, const char *path, const char *root)
{
	CLEANUP(freep) char *real = realpath(path, NULL);
	DIR *folder = NULL;
	struct dirent *entry;

	if (!real || !strcmp(real, root))
		return;
	if (!lies_in(root, real)) {
		string_array_addf(words, "system=%s", real);
		return;
	}
	folder = opendir(real);
	while (folder && (entry = readdir(folder))) {
		CLEANUP(freep) char *inner = xasprintf("%s/%s", real, entry->d_name);
		struct stat st;

		/* Skip links: the target is granted elsewhere, or not at all. */
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			lstat(inner, &st) == 0 && !S_ISLNK(st.st_mode))
			add_system(words, inner, root);
	}
	if (folder)
		closedir(folder);
}

static int add_grants(
	const struct sandbox_spec *spec, struct sandbox *sandbox, struct error *err)
{
	CLEANUP(freep) char *root = sandbox_path_of(ownership_root(sandbox->owner), err);

	if (!root)
		return -1;
	for (const char *const *path = sandbox_system; *path; path++)
		add_system(&sandbox->argv, *path, root);
	for (size_t i = 0; i < spec->mount_count; i++) {
		const struct sandbox_mount *mount = &spec->mounts[i];
		int fd = fcntl(mount->source, F_DUPFD_CLOEXEC, 0);

		if (fd < 0)
			return error_errno(err, "cannot hand over '%s'", mount->target);
		string_array_addf(&sandbox->argv, "%s=%d",
			is_socket(mount)                  ? "connect"
			: mount->flags & SANDBOX_WRITABLE ? "write"
							  : "read",
			sandbox_hand_over(sandbox, fd));
	}
	return 0;
}

/*
 * A read-only file in a writable folder needs more than Landlock: guard.h. If another agent
 * of the group runs, it may have changed the file already.
 */
static int add_guards(
	const struct sandbox_spec *spec, struct sandbox *sandbox, struct error *err)
{
	CLEANUP(freep) char *root = sandbox_path_of(ownership_root(sandbox->owner), err);

	if (!root)
		return -1;
	ownership_share_guards(sandbox);
	for (size_t i = 0; i < spec->mount_count; i++) {
		const struct sandbox_mount *mount = &spec->mounts[i];
		CLEANUP(freep) char *path = sandbox_path_of(mount->source, err);
		const char *name;
		bool exposed = false;

		if (!path)
			return -1;
		for (size_t k = 0; k < spec->mount_count; k++)
			exposed |= spec->mounts[k].flags & SANDBOX_WRITABLE &&
				   lies_in(mount->target, spec->mounts[k].target);
		if (mount->flags & SANDBOX_WRITABLE || !exposed)
			continue;
		if (!lies_in(path, root))
			return error_set(err, ERROR_INVALID,
				"'%s' cannot be protected from the agent in a sandbox without "
				"mounts",
				mount->target);
		name = path + (strcmp(root, "/") ? strlen(root) : 0) + 1;
		if (!guards_find(&sandbox->guards, name) &&
			guards_add(&sandbox->guards, ownership_root(sandbox->owner), name,
				err) < 0)
			return -1;
	}
	return 0;
}

/* SANDBOX_INSIDE is the launcher itself. */
static int add_program(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct error *err)
{
	string_array_add(&sandbox->argv, "--");
	for (const char *const *word = spec->argv; *word; word++) {
		CLEANUP(freep)
		char *path = strcmp(*word, SANDBOX_INSIDE) ? path_on_host(spec, *word, err)
							   : xstrdup(launcher);

		if (!path)
			return -1;
		string_array_add(&sandbox->argv, path);
	}
	return 0;
}

int sandbox_landlock_version(void)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return version > 0 ? (int)version : 0;
}

static int landlock_command(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct error *err)
{
	CLEANUP(freep) char *workdir = path_on_host(spec, spec->workdir, err);

	if (!workdir)
		return -1;
	sandbox->cwd = open(workdir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (sandbox->cwd < 0)
		return error_errno(err, "cannot open '%s'", workdir);
	if (sandbox_launcher_words(sandbox, launcher, "landlock", err) < 0)
		return -1;
	if (spec->landlock_version)
		string_array_addf(
			&sandbox->argv, "landlock-version=%d", spec->landlock_version);
	/* The probe runs the launcher itself, which may be outside of the system folders. */
	string_array_addf(&sandbox->argv, "system=%s", launcher);
	if (add_environment(spec, sandbox, err) < 0 || add_grants(spec, sandbox, err) < 0 ||
		add_guards(spec, sandbox, err) < 0)
		return -1;
	return add_program(spec, sandbox, launcher, err);
}

static void landlock_hint(struct error *err)
{
	error_hint(err,
		"it needs Linux 5.13 or later with Landlock enabled: 'landlock' has to be "
		"in /sys/kernel/security/lsm, and the kernel option 'lsm=' can add it");
}

SANDBOX_KIND(landlock) = {
	.name = SANDBOX_FALLBACK,
	.host_paths = true,
	.command = landlock_command,
	.hint = landlock_hint,
};
