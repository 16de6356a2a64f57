#include "sandbox/limits/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fs/file.h"
#include "fs/sys.h"
#include "proc/log.h"

#define MOUNT    "/sys/fs/cgroup"
#define MAX_TEXT ((size_t)1024 * 1024)
#define PERIOD   100000 /* microseconds, over which processor time is shared out */

static const char *const controllers[] = {
	[CGROUP_CPU] = "cpu",
	[CGROUP_MEMORY] = "memory",
	[CGROUP_PIDS] = "pids",
};

/* --- files ------------------------------------------------------------------- */

static bool cgroup_set(const char *folder, const char *name, const char *text)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, name);
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd >= 0 && sys.write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static bool cgroup_set_number(const char *folder, const char *name, uint64_t number)
{
	CLEANUP(freep) char *text = xasprintf("%" PRIu64, number);

	return cgroup_set(folder, name, text);
}

static bool cgroup_get(const char *folder, const char *name, struct buf *ret_text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, name);

	return file_read(path, MAX_TEXT, ret_text, &ignored) == 0;
}

static bool has_word(struct view text, char separator, const char *wanted)
{
	struct view word;

	while (view_next(&text, separator, &word))
		if (view_equal_str(view_trim(word), wanted))
			return true;
	return false;
}

/* --- where ------------------------------------------------------------------- */

/* Version 2: our own cgroup, if it may give controllers on. */
static void find_unified(const char *mount, struct view path, struct cgroup_place *place)
{
	CLEANUP(freep) char *own = xasprintf("%s%.*s", mount, VIEW_ARGS(path));
	CLEANUP(freep) char *leaf = xasprintf("%s/host", own);
	CLEANUP(buf_release) struct buf given = BUF_INIT;

	if (!cgroup_get(own, "cgroup.controllers", &given) || access(own, W_OK) < 0)
		return;
	if (sys.mkdir(AT_FDCWD, leaf, 0755) < 0 && errno != EEXIST)
		return;
	cgroup_set(leaf, "cgroup.procs", "0");
	for (int i = 0; i < CGROUP_CONTROLLERS; i++) {
		CLEANUP(freep) char *enable = xasprintf("+%s", controllers[i]);

		if (has_word(view_of_buf(&given), ' ', controllers[i]) &&
			cgroup_set(own, "cgroup.subtree_control", enable))
			place->folders[i] = xstrdup(own);
	}
	place->unified = true;
}

/* Version 1: one hierarchy per controller, or for several that are named with commas. */
static void find_hierarchy(
	const char *mount, struct view names, struct view path, struct cgroup_place *place)
{
	for (int i = 0; i < CGROUP_CONTROLLERS; i++) {
		CLEANUP(freep)
		char *own = xasprintf("%s/%s%.*s", mount, controllers[i], VIEW_ARGS(path));

		if (has_word(names, ',', controllers[i]) && !access(own, W_OK) &&
			!place->folders[i])
			place->folders[i] = TAKE(own);
	}
}

void cgroup_find_in(const char *mount, struct view own, struct cgroup_place *ret_place)
{
	struct cgroup_place place = {0};
	struct view line;
	struct view unified = {0};
	bool any = false;

	/* "4:memory:/path", or "0::/path" for version 2. */
	while (view_next(&own, '\n', &line)) {
		struct view number;
		struct view names;

		if (!view_next(&line, ':', &number) || !view_next(&line, ':', &names))
			continue;
		if (view_equal_str(line, "/"))
			line.len = 0;
		if (!names.len && view_equal_str(number, "0"))
			unified = line.data ? line : view_of("");
		else
			find_hierarchy(mount, names, line, &place);
	}
	for (int i = 0; i < CGROUP_CONTROLLERS; i++)
		any |= place.folders[i] != NULL;
	if (!any && unified.data)
		find_unified(mount, unified, &place);
	*ret_place = place;
}

void cgroup_find(struct cgroup_place *ret_place)
{
	CLEANUP(buf_release) struct buf own = BUF_INIT;

	*ret_place = (struct cgroup_place){0};
	if (cgroup_get("/proc/self", "cgroup", &own))
		cgroup_find_in(MOUNT, view_of_buf(&own), ret_place);
}

bool cgroup_may_limit_memory(void)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view own;
	struct view line;

	if (!cgroup_get("/proc/self", "cgroup", &text))
		return false;
	own = view_of_buf(&text);
	while (view_next(&own, '\n', &line)) {
		CLEANUP(buf_release) struct buf given = BUF_INIT;
		CLEANUP(freep) char *folder = NULL;
		struct view number;
		struct view names;

		if (!view_next(&line, ':', &number) || !view_next(&line, ':', &names))
			continue;
		folder = xasprintf(MOUNT "%s%.*s", names.len ? "/memory" : "", VIEW_ARGS(line));
		if (names.len ? !has_word(names, ',', "memory")
			      : !cgroup_get(folder, "cgroup.controllers", &given) ||
					!has_word(view_of_buf(&given), ' ', "memory"))
			continue;
		if (!access(folder, W_OK))
			return true;
	}
	return false;
}

/* --- one of them ------------------------------------------------------------- */

static bool limit_memory(const char *folder, bool unified, uint64_t megabytes)
{
	uint64_t bytes = megabytes * 1024 * 1024;

	if (unified) {
		cgroup_set(folder, "memory.swap.max", "0");
		cgroup_set(folder, "memory.oom.group", "1");
		return cgroup_set_number(folder, "memory.max", bytes);
	}
	if (!cgroup_set_number(folder, "memory.limit_in_bytes", bytes))
		return false;
	cgroup_set_number(folder, "memory.memsw.limit_in_bytes", bytes);
	return true;
}

static bool limit_cpu(const char *folder, bool unified, uint64_t percent)
{
	uint64_t quota = percent * PERIOD / 100;
	CLEANUP(freep) char *both = xasprintf("%" PRIu64 " %d", quota, PERIOD);

	if (unified)
		return cgroup_set(folder, "cpu.max", both);
	return cgroup_set_number(folder, "cpu.cfs_period_us", PERIOD) &&
	       cgroup_set_number(folder, "cpu.cfs_quota_us", quota);
}

void cgroup_make(const struct cgroup_place *place, const char *name,
	const struct sandbox_limits *limits, struct cgroup *ret_cgroup)
{
	struct cgroup cgroup = {0};

	for (int i = 0; i < CGROUP_CONTROLLERS; i++) {
		CLEANUP(freep) char *folder = NULL;
		bool made = false;

		if (!place->folders[i])
			continue;
		folder = xasprintf("%s/%s", place->folders[i], name);
		for (size_t k = 0; k < cgroup.count; k++)
			made |= !strcmp(cgroup.folders[k], folder);
		if (!made && sys.mkdir(AT_FDCWD, folder, 0755) < 0)
			continue;
		if (!made)
			cgroup.folders[cgroup.count++] = xstrdup(folder);
		switch ((enum cgroup_controller)i) {
		case CGROUP_CPU:
			cgroup.limits_cpu =
				limit_cpu(folder, place->unified, limits->cpu_percent);
			break;
		case CGROUP_MEMORY:
			cgroup.limits_memory =
				limit_memory(folder, place->unified, limits->memory_megabytes);
			break;
		case CGROUP_PIDS:
		case CGROUP_CONTROLLERS:
			cgroup_set_number(folder, "pids.max", limits->processes);
			break;
		}
	}
	*ret_cgroup = cgroup;
}

/*
 * Writing to "cgroup.procs" waits until every processor has passed through the kernel, which
 * takes longer than all of bwrap. The launcher has a single thread, and moving a thread does not
 * wait; but only version 1 allows it.
 */
int cgroup_open(const struct cgroup_place *place, const char *folder)
{
	CLEANUP(freep)
	char *path = xasprintf("%s/%s", folder, place->unified ? "cgroup.procs" : "tasks");

	return open(path, O_WRONLY | O_CLOEXEC);
}

/* --- the end ----------------------------------------------------------------- */

/* "oom_kill 1" is a line of one of these, by version. */
static bool tells_of_kill(const char *folder, const char *name)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest;
	struct view line;

	if (!cgroup_get(folder, name, &text))
		return false;
	rest = view_of_buf(&text);
	while (view_next(&rest, '\n', &line))
		if (view_starts_with(line, "oom_kill ") && !view_equal_str(line, "oom_kill 0"))
			return true;
	return false;
}

bool cgroup_ran_out_of_memory(const struct cgroup *cgroup)
{
	for (size_t i = 0; cgroup->limits_memory && i < cgroup->count; i++)
		if (tells_of_kill(cgroup->folders[i], "memory.events") ||
			tells_of_kill(cgroup->folders[i], "memory.oom_control"))
			return true;
	return false;
}

/* Only if it is in that cgroup once its number is held fast. */
static void kill_member(pid_t pid, const char *name)
{
	CLEANUP(closep) int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	CLEANUP(freep) char *folder = xasprintf("/proc/%d", (int)pid);
	CLEANUP(buf_release) struct buf membership = BUF_INIT;

	if (pidfd < 0 || !cgroup_get(folder, "cgroup", &membership) ||
		!strstr(membership.data, name))
		return;
	syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
}

static void kill_members(const char *folder)
{
	CLEANUP(buf_release) struct buf members = BUF_INIT;
	const char *name = strrchr(folder, '/');
	struct view rest;
	struct view line;

	if (!name || !cgroup_get(folder, "cgroup.procs", &members))
		return;
	rest = view_of_buf(&members);
	while (view_next(&rest, '\n', &line)) {
		CLEANUP(freep) char *number = xmemdupz(line.data, line.len);
		long pid = strtol(number, NULL, 10);

		if (pid > 0)
			kill_member((pid_t)pid, name);
	}
}

bool cgroup_remove_folder(const char *folder)
{
	if (!sys.unlink(AT_FDCWD, folder, AT_REMOVEDIR) || errno == ENOENT)
		return true;
	kill_members(folder);
	return !sys.unlink(AT_FDCWD, folder, AT_REMOVEDIR) || errno == ENOENT;
}

bool cgroup_remove(struct cgroup *cgroup)
{
	bool all = true;

	for (size_t i = 0; i < cgroup->count; i++)
		all &= cgroup_remove_folder(cgroup->folders[i]);
	return all;
}

void cgroup_each(const struct cgroup_place *place, const char *prefix,
	void (*function)(const char *folder, const char *name, void *data), void *data)
{
	for (int i = 0; i < CGROUP_CONTROLLERS; i++) {
		DIR *all = place->folders[i] ? opendir(place->folders[i]) : NULL;
		struct dirent *entry;

		while (all && (entry = readdir(all)))
			if (!strncmp(entry->d_name, prefix, strlen(prefix)))
				function(place->folders[i], entry->d_name, data);
		if (all)
			closedir(all);
	}
}

void cgroup_release(struct cgroup *cgroup)
{
	for (size_t i = 0; i < cgroup->count; i++)
		free(cgroup->folders[i]);
	*cgroup = (struct cgroup){0};
}

void cgroup_place_release(struct cgroup_place *place)
{
	for (int i = 0; i < CGROUP_CONTROLLERS; i++)
		free(place->folders[i]);
	*place = (struct cgroup_place){0};
}
