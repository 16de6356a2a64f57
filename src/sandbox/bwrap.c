/* The command line of bubblewrap. */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proc/process.h"
#include "sandbox/internal.h"
#include "sandbox/launcher/filter.h"

/* Files that are made up. */
static const struct {
	const char *path;
	const char *text;
} own_files[] = {
	{"/etc/passwd", "root:x:0:0:root:/root:/usr/sbin/nologin\n"
			"node:x:1000:1000:node:" SANDBOX_HOME ":/bin/sh\n"
			"nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"},
	{"/etc/group", "root:x:0:\nnode:x:1000:\nnogroup:x:65534:\n"},
	{"/etc/hosts", "127.0.0.1 localhost nanoclaw\n::1 localhost\n"},
	{"/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"},
};

static void add_link(struct string_array *words, const char *path)
{
	char to[PATH_MAX];
	ssize_t len = readlink(path, to, sizeof(to) - 1);

	if (len <= 0)
		return;
	to[len] = '\0';
	STRING_ARRAY_ADD(words, "--symlink", to, path);
}

/* On the root, which is read-only in the end. Unlike a mount it costs bwrap next to nothing. */
static void add_file(
	struct sandbox *sandbox, struct string_array *words, int fd, const char *path)
{
	STRING_ARRAY_ADD(words, "--perms", "0444", "--file");
	string_array_addf(words, "%d", sandbox_hand_over(sandbox, fd));
	string_array_add(words, path);
}

/* The installation may be inside a system folder, and must stay hidden from the agent. */
static void add_folder(struct string_array *words, const char *path, const char *installation)
{
	CLEANUP(freep) char *real = realpath(path, NULL);
	size_t len = real ? strlen(real) : 0;

	STRING_ARRAY_ADD(words, "--ro-bind", path, path);
	if (real && !strncmp(installation, real, len) && installation[len] == '/') {
		CLEANUP(freep) char *shown = xasprintf("%s%s", path, installation + len);

		STRING_ARRAY_ADD(
			words, "--perms", "0755", "--tmpfs", shown, "--remount-ro", shown);
	}
}

/* Folders are mounted, files copied, links made again; missing and unreadable ones left out. */
static int add_system(struct sandbox *sandbox, struct string_array *words, struct error *err)
{
	CLEANUP(freep)
	char *installation = sandbox_path_of(ownership_root(sandbox->owner), err);

	if (!installation)
		return -1;
	for (const char *const *path = sandbox_system; *path; path++) {
		struct stat st;
		int fd;

		if (lstat(*path, &st) < 0)
			continue;
		if (S_ISLNK(st.st_mode)) {
			add_link(words, *path);
		} else if (S_ISDIR(st.st_mode)) {
			add_folder(words, *path, installation);
		} else if (S_ISREG(st.st_mode)) {
			fd = open(*path, O_RDONLY | O_CLOEXEC);
			if (fd >= 0)
				add_file(sandbox, words, fd, *path);
		}
	}
	return 0;
}

static int add_own_files(struct sandbox *sandbox, struct string_array *words, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(own_files); i++) {
		const char *text = own_files[i].text;
		int fd = sandbox_memory_file("etc", text, strlen(text), err);

		if (fd < 0)
			return -1;
		add_file(sandbox, words, fd, own_files[i].path);
	}
	return 0;
}

static void add_proc(struct string_array *words)
{
	/* Where the host is root, so is the agent for what asks the kernel's root by number. */
	STRING_ARRAY_ADD(words, "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys");
	for (const char *const *path = sandbox_masked; *path; path++) {
		struct stat st;

		if (lstat(*path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			STRING_ARRAY_ADD(words, "--tmpfs", *path, "--remount-ro", *path);
		else if (!access(*path, R_OK) || !access(*path, W_OK))
			STRING_ARRAY_ADD(words, "--ro-bind", "/dev/null", *path);
	}
}

static void add_memory_folder(struct string_array *words, const char *path, uint64_t bytes)
{
	STRING_ARRAY_ADD(words, "--perms", "0700", "--size");
	string_array_addf(words, "%" PRIu64, bytes);
	STRING_ARRAY_ADD(words, "--tmpfs", path);
}

/* /dev comes first, so that the other mounts go on top. */
static void add_devices(struct string_array *words)
{
	STRING_ARRAY_ADD(words, "--dev", "/dev");
	add_memory_folder(words, "/dev/shm", SANDBOX_OTHER_BYTES);
	STRING_ARRAY_ADD(words, "--remount-ro", "/dev");
	add_memory_folder(words, "/tmp", SANDBOX_TMP_BYTES);
	STRING_ARRAY_ADD(words, "--perms", "0755", "--dir", "/home");
	add_memory_folder(words, SANDBOX_HOME, SANDBOX_OTHER_BYTES);
	STRING_ARRAY_ADD(words, "--perms", "0755", "--dir", "/workspace", "--perms", "0755",
		"--dir", "/run");
}

/* By the path that each has now; nanoclaw-sandbox compares them inside (S4). */
static int add_mounts(
	const struct sandbox_spec *spec, struct string_array *words, struct error *err)
{
	for (size_t i = 0; i < spec->mount_count; i++) {
		const struct sandbox_mount *mount = &spec->mounts[i];
		CLEANUP(freep) char *path = sandbox_path_of(mount->source, err);

		if (!path)
			return -1;
		STRING_ARRAY_ADD(words,
			mount->flags & SANDBOX_WRITABLE ? "--bind" : "--ro-bind", path,
			mount->target);
	}
	for (size_t i = 0; i < spec->link_count; i++)
		STRING_ARRAY_ADD(words, "--symlink", spec->links[i].to, spec->links[i].target);
	return 0;
}

static void add_environment(const struct sandbox *sandbox, struct string_array *words)
{
	string_array_add(words, "--clearenv");
	for (size_t i = 0; i < sandbox->env.count; i++) {
		const char *variable = sandbox->env.list[i];
		const char *sign = strchr(variable, '=');

		string_array_add(words, "--setenv");
		string_array_addf(words, "%.*s", (int)(sign - variable), variable);
		string_array_add(words, sign + 1);
	}
}

/* Pass the words through a descriptor, to keep them out of the process list. */
static int hand_over_words(struct sandbox *sandbox, const struct string_array *words,
	int *ret_fd, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	int fd;

	for (size_t i = 0; i < words->count; i++)
		buf_append(&text, words->list[i], strlen(words->list[i]) + 1);
	fd = sandbox_memory_file("arguments", text.data, text.len, err);
	if (fd < 0)
		return -1;
	*ret_fd = sandbox_hand_over(sandbox, fd);
	return 0;
}

static int bwrap_arguments(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct string_array *words, struct error *err)
{
	STRING_ARRAY_ADD(words, "--unshare-all", "--unshare-user", "--uid", "1000", "--gid",
		"1000", "--disable-userns", "--cap-drop", "ALL", "--die-with-parent",
		"--new-session", "--hostname", "nanoclaw");
	if (add_system(sandbox, words, err) < 0 || add_own_files(sandbox, words, err) < 0)
		return -1;
	add_proc(words);
	add_devices(words);
	STRING_ARRAY_ADD(words, "--ro-bind", launcher, SANDBOX_INSIDE);
	if (add_mounts(spec, words, err) < 0)
		return -1;
	STRING_ARRAY_ADD(words, "--remount-ro", "/", "--chdir", spec->workdir);
	add_environment(sandbox, words);
	return 0;
}

/* The first program inside: it compares the mounts, and then becomes the agent. */
static int add_inside(
	const struct sandbox_spec *spec, struct sandbox *sandbox, struct error *err)
{
	if (sandbox_launcher_words(sandbox, SANDBOX_INSIDE, "inside", err) < 0)
		return -1;
	string_array_addf(&sandbox->argv, "processes=%" PRIu64, sandbox->limits.processes);
	for (size_t i = 0; i < spec->mount_count; i++) {
		const struct sandbox_mount *mount = &spec->mounts[i];
		int fd = fcntl(mount->source, F_DUPFD_CLOEXEC, 0);

		if (fd < 0)
			return error_errno(err, "cannot hand over '%s'", mount->target);
		string_array_addf(&sandbox->argv, "mount=%d:%s", sandbox_hand_over(sandbox, fd),
			mount->target);
	}
	string_array_add(&sandbox->argv, "--");
	string_array_add_all(&sandbox->argv, spec->argv);
	return 0;
}

static int bwrap_command(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct error *err)
{
	CLEANUP(string_array_release) struct string_array words = {0};
	CLEANUP(freep) char *bwrap = process_find("bwrap");
	int filter;
	int arguments;

	if (!bwrap) {
		error_set(err, ERROR_FAILED, "'bwrap' is not installed");
		return error_hint(err, "install the package 'bubblewrap'");
	}
	string_array_add(&sandbox->outside, "PATH=" SANDBOX_PATH);
	filter = sandbox_memory_file(
		"seccomp", filter_usual, filter_usual_len * sizeof(filter_usual[0]), err);
	if (filter < 0)
		return -1;
	string_array_add(&words, "--seccomp");
	string_array_addf(&words, "%d", sandbox_hand_over(sandbox, filter));
	if (bwrap_arguments(spec, sandbox, launcher, &words, err) < 0 ||
		hand_over_words(sandbox, &words, &arguments, err) < 0)
		return -1;
	STRING_ARRAY_ADD(&sandbox->argv, bwrap, "--args");
	string_array_addf(&sandbox->argv, "%d", arguments);
	string_array_add(&sandbox->argv, "--");
	return add_inside(spec, sandbox, err);
}

/* The kernel settings with which distributions forbid it, and how to allow it. */
static const struct {
	const char *file;
	const char *fix;
} locks[] = {
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		"sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	{"/proc/sys/kernel/unprivileged_userns_clone",
		"sudo sysctl kernel.unprivileged_userns_clone=1"},
};

static void bwrap_hint(struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(locks); i++)
		if (!access(locks[i].file, F_OK)) {
			error_hint(err, "%s", locks[i].fix);
			return;
		}
	error_hint(err,
		"in a container or a chroot, run nanoclaw outside of it, let the container create "
		"user namespaces, or choose the sandbox 'landlock' (NANOCLAW_SANDBOX) for an agent "
		"without a network");
}

SANDBOX_KIND(bwrap) = {
	.name = SANDBOX_USUAL,
	.network = true,
	.command = bwrap_command,
	.hint = bwrap_hint,
};
