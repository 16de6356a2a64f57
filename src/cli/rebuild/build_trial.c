#include "cli/rebuild/build_trial.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/snapshot.h"
#include "engine/disk/command.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "fs/walk.h"
#include "proc/process_stat.h"

/*
 * Ends the processes that a program leaves behind, in any process group.
 *
 *	orphans_adopt();
 *	... process_run() ...
 *	orphans_end();		kills all processes that came from it
 *
 * For a process that has no other children.
 */

#define WAIT_MS 10
#define WAITS   1000

static void orphans_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* The children of one that is killed become ours. One that waits for a disk may never end. */
static void orphans_end(void)
{
	for (int i = 0; i < WAITS; i++) {
		CLEANUP(closedirp) DIR *dir = NULL;
		const struct dirent *entry;
		pid_t ended = waitpid(-1, NULL, WNOHANG);

		if (ended < 0 && errno != EINTR)
			break;
		if (ended)
			continue;
		dir = opendir("/proc");
		while (dir && (entry = readdir(dir))) {
			int pid = (int)strtol(entry->d_name, NULL, 10);

			if (pid > 0 && process_parent(pid) == getpid())
				kill(pid, SIGKILL);
		}
		poll(NULL, 0, WAIT_MS);
	}
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

#define MAX_FILE      ((off_t)1024 * 1024)
#define MAX_BYTES     ((off_t)64 * 1024 * 1024)
#define MAX_ENTRIES   10000
#define TRIAL_SECONDS 120

/* --- the copy ------------------------------------------------------------------ */

struct trial_copy {
	int to;
	bool data;   /* of data/, not of groups/ */
	off_t bytes; /* that it may still have */
	int entries;
};

/* Sockets, and files of messages, which can be many. */
static bool entry_is_left_out(const struct trial_copy *copy, const struct walk_entry *entry)
{
	return copy->data && (!strcmp(entry->path, "run") || !strcmp(entry->path, "media"));
}

/* Agents write meanwhile: what vanishes or cannot be read is left out, and so is too much. */
static enum walk_result copy_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct trial_copy *copy = data;
	off_t size = entry->stat.st_size;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	(void)err;
	if (entry->kind == WALK_DIR && (entry_is_left_out(copy, entry) || copy->entries <= 0 ||
					       sys.mkdir(copy->to, entry->path, 0700) < 0))
		return WALK_SKIP;
	copy->entries--;
	if (entry->kind != WALK_FILE || copy->entries < 0 || size > MAX_FILE ||
		size > copy->bytes || !strcmp(entry->name, "container.json"))
		return WALK_GO_ON;
	copy->bytes -= size;
	tree_copy_file(entry->dirfd, entry->name, copy->to, entry->path, &ignored);
	return WALK_GO_ON;
}

static int copy_folder(const struct host_rebuild *r, int trial, const char *name,
	struct trial_copy *copy, struct error *err)
{
	CLEANUP(closep)
	int from = openat(r->assistant.project.root, name,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(closep) int to = -1;

	if (from < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open '%s'", name);
	if (sys.mkdir(trial, name, 0700) < 0)
		return error_errno(err, "cannot create a folder for the trial");
	to = openat(trial, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (to < 0)
		return error_errno(err, "cannot open the folder of the trial");
	copy->to = to;
	return walk(from, copy_entry, copy, err);
}

static int copy_store(
	const struct host_rebuild *r, int trial, bool *ret_there, struct error *err)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	CLEANUP(freep)
	char *path =
		xasprintf("%s/" BUILDS_TRIAL "/" STORE_FOLDER "/" STORE_FILE, r->builds.path);
	int version;

	if (sys.mkdir(trial, STORE_FOLDER, 0700) < 0)
		return error_errno(err, "cannot create a folder for the trial");
	*ret_there = store_snapshot(r->assistant.project.path, path, &version, &why) == 0;
	if (!*ret_there && why.errnum != ENOENT)
		return error_move(err, &why);
	return 0;
}

static int copy_data(const struct host_rebuild *r, bool *ret_store, struct error *err)
{
	struct trial_copy copy = {-1, false, MAX_BYTES, MAX_ENTRIES};
	CLEANUP(closep) int trial = -1;

	if (sys.mkdir(r->builds.fd, BUILDS_TRIAL, 0700) < 0)
		return error_errno(err, "cannot create a folder for the trial");
	trial = openat(r->builds.fd, BUILDS_TRIAL, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* .nanoclaw makes it a project of its own; it stays because it is not empty. */
	if (trial < 0 || sys.mkdir(trial, ".nanoclaw", 0700) < 0 ||
		sys.mkdir(trial, ".nanoclaw/trial", 0700) < 0)
		return error_errno(err, "cannot create a folder for the trial");
	if (copy_store(r, trial, ret_store, err) < 0 ||
		copy_folder(r, trial, "groups", &copy, err) < 0)
		return -1;
	copy.data = true;
	return copy_folder(r, trial, "data", &copy, err);
}

/* --- the question -------------------------------------------------------------- */

/* Its log is gone with the folder, so the end of it is part of the answer. */
static const char script[] =
	"answer=$(echo notes | \"$1\" -C \"$2\" start) && [ -n \"$answer\" ] && exit 0\n"
	"tail -n 5 \"$2/logs/host.log\" >&2 2>/dev/null\n"
	"exit 1\n";

static int trial_ask(const struct host_rebuild *r, const char *folder, struct error *err)
{
	CLEANUP(freep) char *program = builds_program(&r->builds, r->source.name);
	CLEANUP(freep) char *home = xasprintf("HOME=%s", folder);
	struct command_request command = {
		.argv = (const char *const[]){"sh", "-c", script, "sh", program, folder, NULL},
		.env = (const char *const[]){"NANOCLAW_AGENT=offline", home, NULL},
		.what = "the trial of the new build",
		.writes = folder,
		.shown = "echo notes | nanoclaw start",
		.kind = ERROR_FAILED,
		.seconds = TRIAL_SECONDS,
	};

	if (command_run(&r->assistant.project, &command, err) == 0)
		return 0;
	return err->hint ? -1
			 : error_hint(err, "nothing was switched, and the host runs as before");
}

/* The new build has migrated the copy of the store: can the old one still read it? */
static int trial_way_back(const struct host_rebuild *r, const char *folder, struct error *err)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	CLEANUP(freep) char *back = builds_way_back(&r->builds);
	CLEANUP(freep) char *program = builds_program(&r->builds, back);
	struct command_request command = {
		.argv = (const char *const[]){program, "-C", folder, "group", "list", NULL},
		.what = "the previous build",
		.shown = "nanoclaw group list",
		.writes = folder,
		.kind = ERROR_FAILED,
		.seconds = TRIAL_SECONDS,
	};

	if (command_run(&r->assistant.project, &command, &why) == 0)
		return 0;
	if (why.errnum == EINTR)
		return error_move(err, &why);
	error_set(err, ERROR_INVALID,
		"the new build changes the store so that the previous build cannot read it: %s",
		why.message);
	return error_hint(
		err, "'nanoclaw rebuild --one-way' switches anyway, without a way back");
}

int build_trial_run(struct host_rebuild *rebuild, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *folder = xasprintf("%s/" BUILDS_TRIAL, rebuild->builds.path);
	bool store = false;
	int result;

	result = copy_data(rebuild, &store, err);
	/* A host that hangs has a process group of its own, and does not hear SIGTERM. */
	orphans_adopt();
	if (!result)
		result = trial_ask(rebuild, folder, err);
	if (!result && store && !rebuild->options.one_way)
		result = trial_way_back(rebuild, folder, err);
	orphans_end();
	tree_remove(rebuild->builds.fd, BUILDS_TRIAL, result ? &ignored : err);
	return result || err->message ? -1 : 0;
}
