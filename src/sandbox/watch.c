#include "sandbox/watch.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/file.h"
#include "sandbox/internal.h"
#include "sandbox/ownership.h"
#include "sandbox/processes.h"

#define MAX_STAT 4096
#define MEGABYTE ((uint64_t)1024 * 1024)
/* More open files, or bytes of lists of mappings, are more than an agent may have. */
#define WATCH_FILES 50000
#define WATCH_MAPS  ((size_t)16 * 1024 * 1024)
/* Reading these lists takes longer than everything else. */
#define WATCH_MAPS_EVERY 8
/* How often in a row it is seen: a process that is about to run another program, and files that
 * are just being sent, are nothing odd. */
#define WATCH_PATIENCE 3
/*
 * The most unread data that a socket can hold, and the size to assume for a mapped deleted file
 * that cannot be inspected.
 */
#define SOCKET_BYTES ((uint64_t)512 * 1024)
#define MAPPED_BYTES (256 * MEGABYTE)
#define MAX_DEPTH    1000 /* of ancestors; the tree may change while it is read */

/* The fields of /proc/PID/stat that are used, counted from 1. */
enum {
	FIELD_PARENT = 4,
	FIELD_USER_TIME = 14,
	FIELD_SYSTEM_TIME = 15,
	FIELD_THREADS = 20,
	FIELD_RESIDENT = 24,
	FIELD_LAST = FIELD_RESIDENT,
};

struct watch_process {
	bool has_ended; /* and waits for its parent */
	pid_t pid;
	pid_t parent;
	uint64_t ticks;
	uint64_t threads;
	uint64_t pages;
};

static bool read_process(const char *pid, struct watch_process *ret_process)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("/proc/%s/stat", pid);
	uint64_t fields[FIELD_LAST + 1] = {0};
	char *at;

	if (file_read(path, MAX_STAT, &text, &ignored) < 0)
		return false;
	/* Skip the name, which may contain anything; field 3 is a letter. */
	at = strrchr(text.data, ')');
	if (!at || strlen(at) < 4)
		return false;
	ret_process->has_ended = at[2] == 'Z' || at[2] == 'X';
	at += strlen(") S");
	for (int i = FIELD_PARENT; i <= FIELD_LAST; i++)
		fields[i] = strtoull(at, &at, 10);
	*ret_process = (struct watch_process){
		.has_ended = ret_process->has_ended,
		.pid = (pid_t)strtol(pid, NULL, 10),
		.parent = (pid_t)fields[FIELD_PARENT],
		.ticks = fields[FIELD_USER_TIME] + fields[FIELD_SYSTEM_TIME],
		.threads = fields[FIELD_THREADS],
		.pages = fields[FIELD_RESIDENT],
	};
	return true;
}

static int compare_pids(const void *a, const void *b)
{
	const struct watch_process *left = a;
	const struct watch_process *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

void watch_look(struct watch *watch)
{
	DIR *all = opendir("/proc");
	struct dirent *entry;

	watch->count = 0;
	while (all && (entry = readdir(all))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		GROW(watch->processes, watch->count, watch->cap);
		watch->count += read_process(entry->d_name, &watch->processes[watch->count]);
	}
	if (all)
		closedir(all);
	if (watch->count)
		qsort(watch->processes, watch->count, sizeof(*watch->processes), compare_pids);
}

static const struct watch_process *find_process(const struct watch *watch, pid_t pid)
{
	struct watch_process key = {.pid = pid};

	return watch->count ? bsearch(&key, watch->processes, watch->count,
				      sizeof(*watch->processes), compare_pids)
			    : NULL;
}

static bool is_below(
	const struct watch *watch, const struct watch_process *process, pid_t ancestor)
{
	for (int i = 0; process && i < MAX_DEPTH; i++) {
		if (process->pid == ancestor)
			return true;
		process = process->parent ? find_process(watch, process->parent) : NULL;
	}
	return false;
}

static struct watch_process sum_of(const struct watch *watch, pid_t pid)
{
	struct watch_process sum = {0};

	for (size_t i = 0; i < watch->count; i++) {
		const struct watch_process *process = &watch->processes[i];

		if (!is_below(watch, process, pid))
			continue;
		sum.ticks += process->ticks;
		sum.threads += process->threads;
		sum.pages += process->pages;
	}
	return sum;
}

/* --- what processes hold that has no name --------------------------------------- */

struct unlinked {
	uint64_t memory; /* of memfd_create() and the like, and of sockets */
	uint64_t disk;   /* deleted, and still open or mapped */
	bool unseen;     /* a process does not show its files */
	bool sent;       /* files are in transit in a socket, where they cannot be seen */
	bool too_many;
};

struct held {
	dev_t device;
	ino_t inode;
	uint64_t bytes;
	bool is_guess;
};

struct held_list {
	struct held *list;
	size_t count, cap;
	size_t looked_at;
	size_t map_bytes;
};

static void held_release(struct held_list *held)
{
	free(held->list);
}

static void held_add(
	struct held_list *held, const struct stat *st, uint64_t bytes, bool is_guess)
{
	GROW(held->list, held->count, held->cap);
	held->list[held->count++] = (struct held){st->st_dev, st->st_ino, bytes, is_guess};
}

static bool socket_holds_files(pid_t pid, const char *number)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("/proc/%d/fdinfo/%s", (int)pid, number);
	const char *files;

	if (file_read(path, MAX_STAT, &text, &ignored) < 0)
		return false;
	files = strstr(text.data, "scm_fds:");
	return files && strtoull(files + strlen("scm_fds:"), NULL, 10) > 0;
}

static void held_add_open(pid_t pid, struct held_list *held, struct unlinked *found)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/fd", (int)pid);
	CLEANUP(closedirp) DIR *files = opendir(path);
	struct dirent *entry;
	struct stat st;

	found->unseen |= !files && errno == EACCES;
	while (files && (entry = readdir(files))) {
		found->too_many |= ++held->looked_at > WATCH_FILES;
		if (found->too_many)
			return;
		if (fstatat(dirfd(files), entry->d_name, &st, 0) < 0)
			continue;
		if (S_ISSOCK(st.st_mode)) {
			held_add(held, &st, SOCKET_BYTES, true);
			found->sent |= socket_holds_files(pid, entry->d_name);
		} else if (S_ISREG(st.st_mode) && !st.st_nlink && st.st_blocks) {
			held_add(held, &st, (uint64_t)st.st_blocks * 512, false);
		}
	}
}

/* "7f…-7f… r--s 00000000 fe:00 1234   /path (deleted)": the path is as its process sees it. */
bool watch_mapping_read(
	const struct string_array *folders, const char *line, struct watch_mapping *ret_mapping)
{
	int at = 0;

	if (sscanf(line, "%63s %*s %*x %*x:%*x %" SCNu64 " %n", ret_mapping->range,
		    &ret_mapping->inode, &at) != 2)
		return false;
	for (size_t i = 0; i < folders->count; i++) {
		size_t len = strlen(folders->list[i]);

		if (!strncmp(line + at, folders->list[i], len) && line[at + (int)len] == '/')
			return true;
	}
	return false;
}

/*
 * Only root can inspect the file itself. Its device is not compared: the list shows the device
 * of the file system, and stat() reports another one on btrfs. Mappings outside of the writable
 * folders are libraries that an upgrade has replaced.
 */
static void held_add_mapping(pid_t pid, const struct sandbox *sandbox, const char *line,
	dev_t device, struct held_list *held)
{
	CLEANUP(freep) char *path = NULL;
	struct watch_mapping mapping;
	struct stat st = {0};

	if (!watch_mapping_read(&sandbox->writable, line, &mapping))
		return;
	path = xasprintf("/proc/%d/map_files/%s", (int)pid, mapping.range);
	if (stat(path, &st) == 0) {
		if (!st.st_nlink)
			held_add(held, &st, (uint64_t)st.st_blocks * 512, false);
		return;
	}
	st.st_dev = device;
	st.st_ino = (ino_t)mapping.inode;
	held_add(held, &st, MAPPED_BYTES, true);
}

static void held_add_mapped(pid_t pid, const struct sandbox *sandbox, dev_t device,
	struct held_list *held, struct unlinked *found)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/maps", (int)pid);
	FILE *maps = fopen(path, "re");
	CLEANUP(freep) char *line = NULL;
	size_t room = 0;
	ssize_t len;

	while (maps && !found->too_many && (len = getline(&line, &room, maps)) > 0) {
		held->map_bytes += (size_t)len;
		found->too_many |= held->map_bytes > WATCH_MAPS;
		if (view_ends_with(view_trim((struct view){line, (size_t)len}), " (deleted)"))
			held_add_mapping(pid, sandbox, line, device, held);
	}
	if (maps)
		fclose(maps);
}

static int compare_held(const void *a, const void *b)
{
	const struct held *x = a;
	const struct held *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->inode != y->inode)
		return x->inode > y->inode ? 1 : -1;
	return x->is_guess - y->is_guess;
}

/* Each file once, however many hold it. */
static struct unlinked unlinked_of(
	const struct watch *watch, struct sandbox *sandbox, pid_t first)
{
	CLEANUP(held_release) struct held_list held = {0};
	struct unlinked found = {0};
	struct stat disk = {0};
	bool maps = sandbox->looks++ % WATCH_MAPS_EVERY == 0;

	if (sandbox->disk.count)
		fstat(sandbox->disk.folders[0], &disk);
	for (size_t i = 0; i < watch->count; i++) {
		const struct watch_process *process = &watch->processes[i];

		if (process->has_ended || !is_below(watch, process, first))
			continue;
		held_add_open(process->pid, &held, &found);
		if (maps)
			held_add_mapped(process->pid, sandbox, disk.st_dev, &held, &found);
	}
	if (held.count)
		qsort(held.list, held.count, sizeof(*held.list), compare_held);
	for (size_t i = 0; i < held.count; i++) {
		const struct held *last = i ? &held.list[i - 1] : NULL;

		if (last && last->device == held.list[i].device &&
			last->inode == held.list[i].inode)
			continue;
		if (held.list[i].device == disk.st_dev)
			found.disk += held.list[i].bytes;
		else
			found.memory += held.list[i].bytes;
	}
	return found;
}

/* --- judging ------------------------------------------------------------------- */

/* bwrap and the first process inside are not the agent's. */
#define OWN_PROCESSES 2

static char *judge_processes(const struct watch_process *sum, const struct sandbox *sandbox)
{
	const struct sandbox_limits *limits = &sandbox->limits;
	uint64_t memory = sum->pages * (uint64_t)sysconf(_SC_PAGESIZE) / MEGABYTE;
	uint64_t seconds = sum->ticks / (uint64_t)sysconf(_SC_CLK_TCK);

	/* Counts shared memory once per process; a cgroup is more accurate. */
	if (!sandbox->cgroup.limits_memory && memory > limits->memory_megabytes)
		return xasprintf(SANDBOX_MEMORY_USED_UP, limits->memory_megabytes);
	if (sum->threads > limits->processes + OWN_PROCESSES)
		return xasprintf("it had more than %" PRIu64 " processes", limits->processes);
	if (seconds > limits->seconds * limits->cpu_percent / 100)
		return xasprintf("it used more than %" PRIu64 " seconds of processor time",
			limits->seconds * limits->cpu_percent / 100);
	return NULL;
}

/* Memory that cannot be counted might be any amount. */
static char *judge_unlinked(struct sandbox *sandbox, const struct unlinked *found)
{
	sandbox->unseen = found->unseen ? sandbox->unseen + 1 : 0;
	sandbox->sent = found->sent ? sandbox->sent + 1 : 0;
	if (found->too_many)
		return xasprintf(
			"it had more than %d files open, or too many mapped", WATCH_FILES);
	if (sandbox->unseen >= WATCH_PATIENCE)
		return xstrdup("it has a process that hides its files");
	if (sandbox->sent >= WATCH_PATIENCE)
		return xstrdup("it keeps files in a socket, where they cannot be counted");
	return NULL;
}

/* `unlinked` bytes belong to deleted files that a process still holds. */
static char *judge_disk(struct sandbox *sandbox, uint64_t unlinked)
{
	uint64_t megabytes = sandbox->limits.disk_megabytes;

	if (sandbox->disk.too_deep)
		return xasprintf(
			"its folders are nested more than %d deep", DISK_USE_MAX_DEPTH);
	if (sandbox->disk.unreadable)
		return xstrdup("it has a folder that cannot be read");
	if (sandbox->disk.so_far + unlinked > megabytes * MEGABYTE ||
		sandbox->disk.bytes + unlinked > megabytes * MEGABYTE)
		return xasprintf("its files take more than %" PRIu64 " MB", megabytes);
	return NULL;
}

/*
 * The process that all others of the sandbox are below. A container's is a child of its engine,
 * and not of ours. 0: it has not started yet.
 */
static pid_t first_process(const struct watch *watch, struct sandbox *sandbox)
{
	if (!sandbox->container)
		return sandbox->pid;
	if (!sandbox->inside || !find_process(watch, sandbox->inside))
		sandbox->inside = processes_first_inside(
			ownership_installation(sandbox->owner), sandbox->run);
	return sandbox->inside;
}

const char *watch_verdict(const struct watch *watch, struct sandbox *sandbox)
{
	struct unlinked unlinked = {0};
	pid_t first;

	if (sandbox->verdict || !sandbox->pid)
		return sandbox->verdict;
	if (sandbox_now_ms() - sandbox->started_at_ms >
		(int64_t)sandbox->limits.seconds * 1000) {
		sandbox->verdict = xasprintf(
			"it ran longer than %" PRIu64 " seconds", sandbox->limits.seconds);
		return sandbox->verdict;
	}
	first = first_process(watch, sandbox);
	if (first) {
		struct watch_process sum = sum_of(watch, first);

		unlinked = unlinked_of(watch, sandbox, first);
		sum.pages += unlinked.memory / (uint64_t)sysconf(_SC_PAGESIZE);
		sandbox->verdict = judge_processes(&sum, sandbox);
		if (!sandbox->verdict)
			sandbox->verdict = judge_unlinked(sandbox, &unlinked);
	}
	disk_use_step(&sandbox->disk, WATCH_STEPS);
	if (!sandbox->verdict)
		sandbox->verdict = judge_disk(sandbox, unlinked.disk);
	return sandbox->verdict;
}

const char *watch_disk_verdict(struct sandbox *sandbox)
{
	if (sandbox->verdict || !sandbox->pid)
		return sandbox->verdict;
	disk_use_whole(&sandbox->disk, WATCH_WHOLE);
	sandbox->verdict = judge_disk(sandbox, 0);
	return sandbox->verdict;
}

void watch_release(struct watch *watch)
{
	free(watch->processes);
	*watch = WATCH_INIT;
}
