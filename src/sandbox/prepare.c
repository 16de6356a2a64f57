/* Makes a sandbox, and ends it: sandbox_prepare() to sandbox_ended(). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/relpath.h"
#include "fs/sys.h"
#include "proc/log.h"
#include "proc/process.h"
#include "proc/process_stat.h"
#include "sandbox/internal.h"
#include "sandbox/limits/disk_trim.h"
#include "sandbox/ownership.h"
#include "sandbox/processes.h"
#include "sandbox/sandbox.h"

#define FIRST_FD 3

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

const char *const sandbox_system[] = {
	"/usr",
	"/bin",
	"/sbin",
	"/lib",
	"/lib32",
	"/lib64",
	"/libx32",
	"/etc/alternatives",
	"/etc/crypto-policies",
	"/etc/ld.so.cache",
	"/etc/localtime",
	"/etc/os-release",
	"/etc/pki/ca-trust",
	"/etc/pki/tls/certs",
	"/etc/services",
	"/etc/ssl/certs",
	"/etc/ssl/openssl.cnf",
	NULL,
};

const char *const sandbox_masked[] = {
	"/proc/acpi",
	"/proc/asound",
	"/proc/driver",
	"/proc/fs",
	"/proc/kcore",
	"/proc/key-users",
	"/proc/keys",
	"/proc/kmsg",
	"/proc/kpagecgroup",
	"/proc/kpagecount",
	"/proc/kpageflags",
	"/proc/latency_stats",
	"/proc/mtrr",
	"/proc/pressure",
	"/proc/sched_debug",
	"/proc/scsi",
	"/proc/slabinfo",
	"/proc/sysrq-trigger",
	"/proc/timer_list",
	"/proc/timer_stats",
	"/proc/vmallocinfo",
	NULL,
};

/* --- pieces that all kinds need ----------------------------------------------- */

int64_t sandbox_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int sandbox_hand_over(struct sandbox *sandbox, int fd)
{
	GROW(sandbox->fds, sandbox->fd_count, sandbox->fd_cap);
	sandbox->fds[sandbox->fd_count++] = fd;
	return FIRST_FD + (int)sandbox->fd_count - 1;
}

char *sandbox_path_of(int fd, struct error *err)
{
	CLEANUP(freep) char *link = xasprintf("/proc/self/fd/%d", fd);
	char path[PATH_MAX];
	ssize_t len = readlink(link, path, sizeof(path));

	if (len < 0)
		error_errno(err, "cannot find the location of a mount");
	else if (len == sizeof(path) || path[0] != '/')
		error_set(err, ERROR_INVALID, "a mount has no path that can be used");
	else
		return xmemdupz(path, (size_t)len);
	return NULL;
}

int sandbox_memory_file(const char *name, const void *data, size_t len, struct error *err)
{
	CLEANUP(closep) int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0 || sys_write_all(fd, data, len) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return error_errno(err, "cannot create a file in memory");
	return TAKE_FD(fd);
}

/* --- checking ---------------------------------------------------------------- */

/* Absolute, without . and .., and nothing that is the system's own. */
static int check_target(const char *target, struct error *err)
{
	static const char *const taken[] = {
		"/", "/usr", "/proc", "/dev", "/etc", "/sys", "/bin", "/sbin", "/lib"};
	CLEANUP(freep) char *shown = quote(view_of(target));
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		if (!strcmp(target, taken[i]))
			return error_set(err, ERROR_INVALID,
				"nothing can be mounted at %s in a sandbox", shown);
	if (target[0] != '/')
		return error_set(
			err, ERROR_INVALID, "the path %s in a sandbox is not absolute", shown);
	if (relpath_parse(view_of(target + 1), &path, err) < 0)
		return error_prefix(err, "the path %s in a sandbox", shown);
	return 0;
}

static int spec_check(const struct sandbox_spec *spec, struct error *err)
{
	if (!spec->argv || !spec->argv[0])
		return error_set(err, ERROR_INVALID, "there is no program to run");
	if (spec->mount_count > SANDBOX_MAX_MOUNTS)
		return error_set(err, ERROR_INVALID, "a sandbox has at most %d mounts",
			SANDBOX_MAX_MOUNTS);
	if (spec->workdir[0] != '/')
		return error_set(err, ERROR_INVALID,
			"the folder to work in, '%s', is not absolute", spec->workdir);
	for (size_t i = 0; i < spec->mount_count; i++)
		if (check_target(spec->mounts[i].target, err) < 0)
			return -1;
	for (size_t i = 0; i < spec->link_count; i++)
		if (check_target(spec->links[i].target, err) < 0)
			return -1;
	return 0;
}

/* --- making ------------------------------------------------------------------ */

static int make_run(char *run, struct error *err)
{
	unsigned char bytes[SANDBOX_RUN_LEN / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return error_errno(err, "cannot get random numbers");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(run + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

static bool has_variable(const struct sandbox_spec *spec, const char *name)
{
	size_t len = strlen(name);

	for (const char *const *variable = spec->env; variable && *variable; variable++)
		if (!strncmp(*variable, name, len) && (*variable)[len] == '=')
			return true;
	return false;
}

static int add_environment(
	const struct sandbox_spec *spec, struct string_array *env, struct error *err)
{
	for (const char *const *variable = spec->env; variable && *variable; variable++) {
		const char *sign = strchr(*variable, '=');

		if (!sign || sign == *variable)
			return error_set(err, ERROR_INVALID, "a variable has no name");
		string_array_add(env, *variable);
	}
	if (!has_variable(spec, "HOME"))
		string_array_add(env, "HOME=" SANDBOX_HOME);
	if (!has_variable(spec, "PATH"))
		string_array_add(env, "PATH=" SANDBOX_PATH);
	/* The search for leaks at a program's end traces it, which nothing may inside. */
	if (SANITIZED && !has_variable(spec, "ASAN_OPTIONS"))
		string_array_add(env, "ASAN_OPTIONS=detect_leaks=0");
	return 0;
}

static int watch_disk(
	const struct sandbox_spec *spec, struct sandbox *sandbox, struct error *err)
{
	for (size_t i = 0; i < spec->mount_count; i++) {
		const struct sandbox_mount *mount = &spec->mounts[i];
		struct stat st;
		int fd;

		if (!(mount->flags & SANDBOX_WRITABLE) || mount->flags & SANDBOX_UNCOUNTED ||
			fstat(mount->source, &st) < 0 || !S_ISDIR(st.st_mode))
			continue;
		fd = openat(mount->source, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			return error_errno(
				err, "cannot read the folder for '%s'", mount->target);
		disk_use_add(&sandbox->disk, fd);
		if (sandbox->kind->host_paths) {
			CLEANUP(freep) char *path = sandbox_path_of(mount->source, err);

			if (!path)
				return -1;
			string_array_add(&sandbox->writable, path);
		} else {
			string_array_add(&sandbox->writable, mount->target);
		}
	}
	return 0;
}

int sandbox_launcher_words(
	struct sandbox *sandbox, const char *launcher, const char *mode, struct error *err)
{
	STRING_ARRAY_ADD(&sandbox->argv, launcher, mode);
	string_array_addf(&sandbox->argv, LABEL_INSTALLATION "%s",
		ownership_installation(sandbox->owner));
	string_array_addf(&sandbox->argv, LABEL_RUN "%s", sandbox->run);
	for (size_t i = 0; i < sandbox->cgroup.count; i++) {
		int fd = cgroup_open(
			ownership_cgroups(sandbox->owner), sandbox->cgroup.folders[i]);

		if (fd < 0)
			return error_errno(
				err, "cannot open the cgroup '%s'", sandbox->cgroup.folders[i]);
		string_array_addf(&sandbox->argv, "join=%d", sandbox_hand_over(sandbox, fd));
	}
	string_array_addf(&sandbox->argv, "file-size=%llu",
		(unsigned long long)sandbox->limits.disk_megabytes * 1024 * 1024);
	if (!sandbox->cgroup.limits_cpu)
		string_array_addf(&sandbox->argv, "cpu-seconds=%llu",
			(unsigned long long)(sandbox->limits.seconds *
					     sandbox->limits.cpu_percent / 100));
	return 0;
}

static int make_command(
	const struct sandbox_spec *spec, struct sandbox *sandbox, struct error *err)
{
	CLEANUP(freep) char *launcher = process_find_own(SANDBOX_PROGRAM, err);

	if (!launcher)
		return -1;
	if (sandbox->kind->command(spec, sandbox, launcher, err) < 0)
		return -1;
	if (sandbox->cwd < 0)
		sandbox->cwd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (sandbox->cwd < 0)
		return error_errno(err, "cannot open '/'");
	sandbox->command = (struct child_request){
		.argv = (const char *const *)sandbox->argv.list,
		.env = (const char *const *)sandbox->outside.list,
		.cwd = sandbox->cwd,
		.fds = sandbox->fds,
		.fd_count = sandbox->fd_count,
		/* Supplementary groups could give access to more files than the user has. */
		.no_groups = true,
	};
	return 0;
}

static void sandbox_free(struct sandbox *sandbox)
{
	for (size_t i = 0; i < sandbox->fd_count; i++)
		close(sandbox->fds[i]);
	closep(&sandbox->cwd);
	free(sandbox->fds);
	free(sandbox->group);
	free(sandbox->container);
	free(sandbox->verdict);
	cgroup_release(&sandbox->cgroup);
	string_array_release(&sandbox->argv);
	string_array_release(&sandbox->env);
	string_array_release(&sandbox->outside);
	disk_use_release(&sandbox->disk);
	string_array_release(&sandbox->writable);
	guards_release(&sandbox->guards);
	free(sandbox);
}

static void sandbox_freep(struct sandbox **sandbox)
{
	if (*sandbox)
		sandbox_free(*sandbox);
}

int sandbox_prepare(struct ownership *owner, const struct sandbox_spec *spec,
	struct sandbox **ret_sandbox, struct error *err)
{
	CLEANUP(sandbox_freep) struct sandbox *sandbox = xcalloc(1, sizeof(*sandbox));
	CLEANUP(freep) char *name = NULL;

	sandbox->owner = owner;
	sandbox->kind = spec->kind ? spec->kind : sandbox_kind_of(SANDBOX_USUAL);
	sandbox->cwd = -1;
	sandbox->group = xstrdup(spec->group ? spec->group : "");
	sandbox->limits = sandbox_limits_or_default(spec->limits);
	if (spec_check(spec, err) < 0 || make_run(sandbox->run, err) < 0 ||
		add_environment(spec, &sandbox->env, err) < 0 ||
		watch_disk(spec, sandbox, err) < 0)
		return -1;
	name = xasprintf("nanoclaw-%s-%s", ownership_installation(owner), sandbox->run);
	if (sandbox->kind->engine)
		sandbox->container = TAKE(name);
	else
		cgroup_make(ownership_cgroups(owner), name, &sandbox->limits, &sandbox->cgroup);
	/* A power cut ends everything but containers, and the guarded content must survive it. */
	if (make_command(spec, sandbox, err) < 0 ||
		((sandbox->container || sandbox->guards.count) &&
			ownership_record(sandbox, true, err) < 0)) {
		cgroup_remove(&sandbox->cgroup);
		return -1;
	}
	ownership_add(sandbox);
	*ret_sandbox = TAKE(sandbox);
	return 0;
}

/* --- its life ---------------------------------------------------------------- */

const struct child_request *sandbox_command(const struct sandbox *sandbox)
{
	return &sandbox->command;
}

const struct sandbox_kind *sandbox_kind(const struct sandbox *sandbox)
{
	return sandbox->kind;
}

const char *sandbox_run(const struct sandbox *sandbox)
{
	return sandbox->run;
}

void sandbox_started(struct sandbox *sandbox, pid_t pid)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	for (size_t i = 0; i < sandbox->fd_count; i++)
		close(sandbox->fds[i]);
	sandbox->fd_count = 0;
	sandbox->command.fd_count = 0;
	sandbox->pid = pid;
	sandbox->start = process_start_time(pid);
	sandbox->started_at_ms = sandbox_now_ms();
	sandbox->started_at = time(NULL);
	/* Without it the labels are still there to find it by. */
	ownership_record(sandbox, sandbox->guards.count > 0, &ignored);
}

char *sandbox_limit_reached(const struct sandbox *sandbox, int exit_code)
{
	if (exit_code != 128 + SIGKILL || !cgroup_ran_out_of_memory(&sandbox->cgroup))
		return NULL;
	return xasprintf(SANDBOX_MEMORY_USED_UP, sandbox->limits.memory_megabytes);
}

/* Only another agent of the group still writes there. */
static void disk_trim_after(struct sandbox *sandbox)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct disk_trimmed trimmed;

	if (!sandbox->pid)
		return;
	if (disk_trim(&sandbox->disk, sandbox->limits.disk_megabytes * 1024 * 1024,
		    sandbox->started_at, &trimmed, &err) < 0)
		log_warning("group '%s': %s", sandbox->group, err.message);
	if (trimmed.files)
		log_warning("group '%s': its files took more than %llu MB; %zu that its agent "
			    "had changed are removed, with %llu MB",
			sandbox->group, (unsigned long long)sandbox->limits.disk_megabytes,
			trimmed.files, (unsigned long long)trimmed.bytes / 1024 / 1024);
}

bool sandbox_is_clear(struct sandbox *sandbox)
{
	return cgroup_remove(&sandbox->cgroup);
}

void sandbox_ended(struct sandbox *sandbox)
{
	processes_kill(ownership_installation(sandbox->owner), sandbox->run);
	cgroup_remove(&sandbox->cgroup);
	disk_trim_after(sandbox);
	if (sandbox->container && sandbox->pid)
		ownership_remove_container(
			sandbox->owner, sandbox->kind->engine, sandbox->container);
	ownership_drop(sandbox);
	sandbox_free(sandbox);
}
