/*
 * Processes that agents or bridges of a host that is gone have left. The kernel kills
 * those themselves with their host, but not what they have started. They are known by the
 * variables that the host gives (host/agent/agent_setup.h, channels/bridge) and by their folder.
 * Nothing is killed here: who they are is for a person to see.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "fs/file.h"
#include "proc/process_stat.h"

#define MAX_ENVIRONMENT ((size_t)4 * 1024 * 1024)
#define MAX_SHOWN       20
#define MAX_DEPTH       1000 /* of ancestors; the tree may change while it is read */

static int read_proc(long pid, const char *name, size_t max, struct buf *ret_text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("/proc/%ld/%s", pid, name);

	return file_read(path, max, ret_text, &ignored);
}

static bool process_is_below(pid_t pid, pid_t ancestor)
{
	for (int i = 0; pid > 0 && i < MAX_DEPTH; i++, pid = process_parent(pid))
		if (pid == ancestor)
			return true;
	return false;
}

static bool path_is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (path[len] == '/' || path[len] == '\0');
}

/* Was it started by a host of this project, directly or indirectly? */
static bool process_is_of(long pid, const char *root)
{
	CLEANUP(buf_release) struct buf environment = BUF_INIT;
	CLEANUP(freep) char *link = xasprintf("/proc/%ld/cwd", pid);
	CLEANUP(freep) char *cwd = realpath(link, NULL);
	struct view rest;
	struct view variable;

	if (read_proc(pid, "environ", MAX_ENVIRONMENT, &environment) < 0)
		return false;
	rest = view_of_buf(&environment);
	while (view_next(&rest, '\0', &variable)) {
		CLEANUP(freep) char *text = xmemdupz(variable.data, variable.len);
		bool socket = view_starts_with(variable, "NANOCLAW_SOCKET=");

		if (socket && path_is_in(strchr(text, '=') + 1, root))
			return true;
		if ((socket || view_starts_with(variable, "NANOCLAW_BRIDGE=")) && cwd &&
			path_is_in(cwd, root))
			return true;
	}
	return false;
}

static bool process_is_left(const struct doctor *doctor, long pid, const char *root)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%ld", pid);
	pid_t host = (pid_t)json_number_value(json_object_get(doctor->status, "pid"));
	struct stat st;

	if (stat(path, &st) < 0 || st.st_uid != geteuid() ||
		process_is_below(getpid(), (pid_t)pid))
		return false;
	return process_is_of(pid, root) && !(host && process_is_below((pid_t)pid, host));
}

static size_t processes_find(
	const struct doctor *doctor, const char *root, struct buf *ret_pids)
{
	CLEANUP(closedirp) DIR *all = opendir("/proc");
	struct dirent *entry;
	size_t count = 0;

	while (all && (entry = readdir(all))) {
		char *end;
		long pid = strtol(entry->d_name, &end, 10);

		if (*end || pid <= 0 || !process_is_left(doctor, pid, root))
			continue;
		if (count++ < MAX_SHOWN)
			buf_appendf(ret_pids, " %ld", pid);
	}
	return count;
}

static void run_processes(struct doctor *doctor)
{
	CLEANUP(freep) char *root = realpath(doctor->project.path, NULL);
	CLEANUP(buf_release) struct buf pids = BUF_INIT;
	CLEANUP(freep) char *fix = NULL;
	size_t count;

	if (!root || doctor_is_silent(doctor))
		return;
	count = processes_find(doctor, root, &pids);
	fix = xasprintf("kill%s", pids.data);
	if (count)
		doctor_warning(doctor, "processes", fix,
			"processes left by agents or bridges of a dead host: %zu", count);
	else
		doctor_ok(doctor, "processes", "none left by a dead host");
}

PROBE(processes) = {
	.name = "processes",
	.of_assistant = true,
	.run = run_processes,
};
