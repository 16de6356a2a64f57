#include "sandbox/processes.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/view.h"
#include "fs/file.h"
#include "proc/process_stat.h"

#define MAX_COMMAND_LINE ((size_t)4 * 1024 * 1024)

static bool read_proc(pid_t pid, const char *name, size_t max, struct buf *ret_text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("/proc/%d/%s", (int)pid, name);

	return file_read(path, max, ret_text, &ignored) == 0;
}

/* The run of a process of this installation, to be freed; NULL for any other process. */
static char *run_of(pid_t pid, const char *installation)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest;
	struct view word;
	struct view run = {0};
	bool ours = false;

	if (!read_proc(pid, "cmdline", MAX_COMMAND_LINE, &text))
		return NULL;
	rest = view_of_buf(&text);
	while (view_next(&rest, '\0', &word)) {
		if (view_starts_with(word, LABEL_INSTALLATION))
			ours |= view_equal_str(
				view_slice(word, strlen(LABEL_INSTALLATION), word.len),
				installation);
		else if (view_starts_with(word, LABEL_RUN) && !run.len)
			run = view_slice(word, strlen(LABEL_RUN), word.len);
	}
	return ours && run.len ? xmemdupz(run.data, run.len) : NULL;
}

static bool is_of_our_user(pid_t pid)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d", (int)pid);
	struct stat st;

	return !stat(path, &st) && st.st_uid == geteuid();
}

/* Check again: facts read before the pidfd was opened may be about another process. */
static bool kill_exactly(pid_t pid, const char *installation, const char *run)
{
	CLEANUP(closep) int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	CLEANUP(freep) char *again = pidfd < 0 ? NULL : run_of(pid, installation);

	if (!again || strcmp(again, run) != 0 || !is_of_our_user(pid))
		return false;
	/* Without namespaces its children have no labels, so kill its process group. */
	if (getpgid(pid) == pid && !syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0))
		kill(-pid, SIGKILL);
	return !syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
}

/* The next process other than this one, or 0 at the end. */
static pid_t next_process(DIR *all)
{
	struct dirent *entry;

	while (all && (entry = readdir(all))) {
		char *end;
		pid_t pid = (pid_t)strtol(entry->d_name, &end, 10);

		if (!*end && pid > 0 && pid != getpid())
			return pid;
	}
	return 0;
}

size_t processes_kill_if(
	const char *installation, bool (*wanted)(const char *run, void *data), void *data)
{
	CLEANUP(closedirp) DIR *all = opendir("/proc");
	size_t count = 0;
	pid_t pid;

	while ((pid = next_process(all))) {
		CLEANUP(freep) char *run = run_of(pid, installation);

		if (run && wanted(run, data))
			count += kill_exactly(pid, installation, run);
	}
	return count;
}

static bool is_this(const char *run, void *data)
{
	return !strcmp(run, data);
}

size_t processes_kill(const char *installation, const char *run)
{
	CLEANUP(freep) char *wanted = xstrdup(run);

	return processes_kill_if(installation, is_this, wanted);
}

/* --- probes ------------------------------------------------------------------- */

/* The number of a process is valid only in its namespace, and /proc also shows inner ones. */
static uint64_t pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) < 0 ? 0 : (uint64_t)st.st_ino;
}

char *processes_probe_id(void)
{
	return xasprintf(PROCESSES_PROBE "%" PRIu64 "-%d-%" PRIu64, pid_namespace(),
		(int)getpid(), process_start_time(getpid()));
}

bool processes_probe_is_left(const char *name)
{
	uint64_t namespace;
	uint64_t start;
	int pid;

	return sscanf(name, PROCESSES_PROBE "%" SCNu64 "-%d-%" SCNu64, &namespace, &pid,
		       &start) == 3 &&
	       namespace == pid_namespace() && process_start_time(pid) != start;
}

size_t processes_kill_probes(void)
{
	static const char label[] = LABEL_INSTALLATION PROCESSES_PROBE;
	CLEANUP(closedirp) DIR *all = opendir("/proc");
	size_t count = 0;
	pid_t pid;

	while ((pid = next_process(all))) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		const char *word;

		if (!read_proc(pid, "cmdline", MAX_COMMAND_LINE, &text) ||
			!(word = memmem(text.data, text.len, label, strlen(label))))
			continue;
		word += strlen(LABEL_INSTALLATION);
		if (processes_probe_is_left(word)) {
			CLEANUP(freep) char *run = run_of(pid, word);

			count += run && kill_exactly(pid, word, run);
		}
	}
	return count;
}

/* The engine's client has the same words on its command line, but after its own name. */
pid_t processes_first_inside(const char *installation, const char *run)
{
	CLEANUP(closedirp) DIR *all = opendir("/proc");
	pid_t pid;

	while ((pid = next_process(all))) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(freep) char *found = run_of(pid, installation);

		if (found && !strcmp(found, run) &&
			read_proc(pid, "cmdline", MAX_COMMAND_LINE, &text) &&
			!strcmp(text.data, SANDBOX_INSIDE))
			return pid;
	}
	return 0;
}
