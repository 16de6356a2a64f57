#include "engine/disk/project.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/stamp.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "veil/veil.h"

/*
 * A folder above may be open to others, such as /tmp: a .nanoclaw there counts only if
 * it is ours or, under sudo, belongs to the user who ran sudo.
 */
static bool holds_nanoclaw(const char *folder, bool above)
{
	CLEANUP(freep) char *path = xasprintf("%s/.nanoclaw", folder);
	const char *sudo = getenv("SUDO_UID");
	struct stat st;

	if (lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return false;
	return !above || st.st_uid == geteuid() ||
	       (geteuid() == 0 && sudo && strtoul(sudo, NULL, 10) == st.st_uid);
}

static int open_root(char *path, struct project *ret_project, struct error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0) {
		error_errno(err, "cannot open the folder '%s'", path);
		free(path);
		return -1;
	}
	veil_protect(path);
	*ret_project = (struct project){.path = path, .root = fd};
	return 0;
}

int project_open_here(struct project *ret_project, struct error *err)
{
	char *path = getcwd(NULL, 0);

	if (!path)
		return error_errno(err, "cannot get the current folder");
	return open_root(path, ret_project, err);
}

int project_open_folder(const char *path, struct project *ret_project, struct error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return error_errno(err, "cannot open the folder '%s'", path);
	*ret_project = (struct project){.path = xstrdup(path), .root = fd};
	return 0;
}

int project_open(struct project *ret_project, struct error *err)
{
	char *here = getcwd(NULL, 0);
	CLEANUP(freep) char *above = NULL;

	if (!here)
		return error_errno(err, "cannot get the current folder");
	above = xstrdup(here);
	for (;;) {
		char *slash = strrchr(above, '/');

		if (holds_nanoclaw(*above ? above : "/", strcmp(above, here) != 0)) {
			free(here);
			return open_root(xstrdup(*above ? above : "/"), ret_project, err);
		}
		if (!slash)
			return open_root(here, ret_project, err);
		*slash = '\0';
	}
}

/* --- the lock -------------------------------------------------------------------- */

#define LOCK_NAME "lock"

/*
 * A killed process can hold the lock a little longer: it may be in the middle of a sync, or its
 * child may be about to exec. On a busy machine that takes seconds, so we wait longer for such
 * a lock than for one of a running operation.
 */
#define LOCK_TRIES        50
#define LOCK_TRIES_KILLED 1000
#define LOCK_MOMENT       ((struct timespec){.tv_nsec = 10 * 1000 * 1000})

/* Users who may write to the folder may lock it, and no others. */
static mode_t lock_mode(const struct stat *folder)
{
	return 0600 | (folder->st_mode & 0020 ? 0060 : 0) | (folder->st_mode & 0002 ? 0006 : 0);
}

/* As the owner of the folder: under sudo the file must not become root's. */
static int lock_create(int nanoclaw, const struct stat *folder)
{
	mode_t mode = lock_mode(folder);
	int fd;

	if (geteuid() == 0) {
		setfsgid(folder->st_gid);
		setfsuid(folder->st_uid);
	}
	fd = sys.create(nanoclaw, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW, mode);
	if (fd >= 0 && mode != 0600)
		sys.chmod(fd, mode); /* against the umask */
	if (geteuid() == 0) {
		setfsuid(0);
		setfsgid(getegid());
	}
	return fd;
}

/*
 * Returns -1 with errno: ENOENT if there is nothing to lock, because there is no folder
 * .nanoclaw, or we may not write there.
 */
static int lock_open(const struct project *project)
{
	CLEANUP(closep) int nanoclaw = disk_open_folder(project->root, ".nanoclaw");
	struct stat folder, st;
	int fd;

	if (nanoclaw < 0 && (errno == ENOTDIR || errno == ELOOP || errno == EACCES))
		errno = ENOENT;
	if (nanoclaw < 0 || fstat(nanoclaw, &folder) < 0)
		return -1;
	fd = openat(nanoclaw, LOCK_NAME, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	/* In a clone of a project whose lock was committed, everybody can open it. */
	if (fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & 0066 & ~lock_mode(&folder)))
		sys.chmod(fd, lock_mode(&folder));
	if (fd < 0 && errno == ENOENT)
		fd = lock_create(nanoclaw, &folder);
	if (fd < 0 && (errno == EACCES || errno == EROFS) &&
		faccessat(nanoclaw, ".", W_OK, AT_EACCESS) < 0)
		errno = ENOENT;
	return fd;
}

/* Returns -1 with errno: EWOULDBLOCK if it is taken. */
static int lock_take(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return -1;
	if (fstat(fd, &st) < 0)
		return -1;
	if (st.st_nlink)
		return 0;
	errno = ESTALE; /* it was removed together with .nanoclaw */
	return -1;
}

pid_t lock_find_holder(FILE *locks, const struct stat *st)
{
	unsigned long inode;
	unsigned major_number, minor_number;
	pid_t holder = 0;
	char line[256];
	int pid;

	while (fgets(line, sizeof(line), locks)) {
		if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%lu", &pid, &major_number,
			    &minor_number, &inode) != 4 ||
			inode != st->st_ino)
			continue;
		if (makedev(major_number, minor_number) == st->st_dev)
			return pid;
		if (!holder)
			holder = pid;
	}
	return holder;
}

/*
 * The process that holds the lock; 0 if it has ended, or is invisible from this container; -1
 * if the kernel does not say.
 */
static pid_t lock_holder(int fd)
{
	FILE *locks = fopen("/proc/locks", "re");
	struct stat st;
	pid_t holder;

	if (!locks)
		return -1;
	holder = fstat(fd, &st) == 0 ? lock_find_holder(locks, &st) : 0;
	fclose(locks);
	return holder;
}

/* Was the process killed? Then its remains, or its child, will release the lock. */
static bool was_killed(pid_t pid)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/status", (int)pid);
	FILE *status;
	unsigned long long pending;
	char line[256];
	bool killed = false;

	if (pid <= 0)
		return pid == 0;
	status = fopen(path, "re");
	if (!status)
		return errno == ENOENT;
	while (!killed && fgets(line, sizeof(line), status))
		killed = !strncmp(line, "State:\tZ", 8) || !strncmp(line, "State:\tX", 8) ||
			 ((sscanf(line, "ShdPnd: %llx", &pending) == 1 ||
				  sscanf(line, "SigPnd: %llx", &pending) == 1) &&
				 (pending & (1ULL << (SIGKILL - 1))));
	fclose(status);
	return killed;
}

static int lock_refuse(const struct project *project, pid_t holder, struct error *err)
{
	if (holder > 0)
		error_set(err, ERROR_BUSY, "another operation is running in '%s' (process %d)",
			project->path, (int)holder);
	else
		error_set(
			err, ERROR_BUSY, "another operation is running in '%s'", project->path);
	return error_hint(err, "wait for it to end, then run the command again");
}

static int lock_fail(const struct project *project, struct error *err)
{
	int errnum = errno;

	error_errno(err, "cannot lock '%s/.nanoclaw/" LOCK_NAME "'", project->path);
	if (errnum == ELOOP || errnum == EISDIR)
		error_hint(err, "nothing was changed; it must be an empty file: delete it");
	return -1;
}

int project_lock(struct project *project, struct error *err)
{
	CLEANUP(closep) int fd = -1;

	for (int i = 0;; i++) {
		closep(&fd);
		fd = lock_open(project);
		if (fd < 0 && errno != ENOENT)
			return lock_fail(project, err);
		if (fd < 0 || lock_take(fd) == 0)
			break;
		if (errno == ESTALE && i < LOCK_TRIES)
			continue;
		if (errno != EWOULDBLOCK)
			return lock_fail(project, err);
		if (i >= LOCK_TRIES) {
			pid_t holder = lock_holder(fd);

			if (i >= LOCK_TRIES_KILLED || !was_killed(holder))
				return lock_refuse(project, holder, err);
		}
		nanosleep(&LOCK_MOMENT, NULL);
	}
	project->lock = xmalloc(sizeof(*project->lock));
	*project->lock = TAKE_FD(fd);
	project->locked = true;
	return 0;
}

static void lock_release(struct project *project)
{
	if (project->lock) {
		flock(*project->lock, LOCK_UN); /* also where a child has it */
		closep(project->lock);
	}
	free(project->lock);
	project->lock = NULL;
}

void project_unlock(struct project *project)
{
	lock_release(project);
	project->locked = false;
}

int project_try_lock(const struct project *project)
{
	int fd = lock_open(project);

	if (fd >= 0 && lock_take(fd) < 0)
		closep(&fd);
	return fd;
}

static bool may_write_nanoclaw(const struct project *project)
{
	/* One that is gone was another operation's. */
	return faccessat(project->root, ".nanoclaw", W_OK, AT_EACCESS) == 0 || errno == ENOENT;
}

static bool holds_lock(const struct project *project)
{
	struct stat st;

	/* A scratch folder has no lock, since no other process works in it. */
	return !project->lock ||
	       (*project->lock >= 0 && fstat(*project->lock, &st) == 0 && st.st_nlink);
}

int project_check_lock(const struct project *project, struct error *err)
{
	if (holds_lock(project))
		return 0;
	if (may_write_nanoclaw(project))
		return lock_refuse(project, 0, err);
	error_set(err, ERROR_BUSY,
		"an operation is running in '%s', or was interrupted, and you may not write to "
		"its '.nanoclaw'",
		project->path);
	return error_hint(err, "run the command as its owner");
}

int project_check_found(const struct project *project, struct error *err)
{
	if (holds_lock(project) || !may_write_nanoclaw(project))
		return 0;
	return lock_refuse(project, 0, err);
}

/* Does the open folder .nanoclaw contain only the lock? */
static bool has_only_lock(int nanoclaw)
{
	CLEANUP(closep) int fd = openat(nanoclaw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closedirp) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	bool only = dir != NULL;

	if (!dir)
		return false;
	TAKE_FD(fd); /* closed with the folder */
	for (struct dirent *entry; (entry = readdir(dir));)
		only &= !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
			!strcmp(entry->d_name, LOCK_NAME);
	return only;
}

/*
 * A command that finds the new folder empty takes it for the remains of a killed operation,
 * locks it and removes it. In that case it is created again.
 */
int project_make_nanoclaw(const struct project *project, bool *ret_created, struct error *err)
{
	CLEANUP(closep) int nanoclaw = -1;

	for (int i = 0;; i++) {
		*ret_created = sys.mkdir(project->root, ".nanoclaw", 0777) == 0;
		if (!*ret_created && errno != EEXIST)
			return error_errno(err, "cannot create the folder '.nanoclaw'");
		if (holds_lock(project) || (!*ret_created && !may_write_nanoclaw(project)))
			return 0;
		closep(project->lock);
		*project->lock = project_try_lock(project);
		if (*project->lock >= 0)
			break;
		if (errno != EWOULDBLOCK && errno != ESTALE && errno != ENOENT) {
			lock_fail(project, err);
			sys.unlink(project->root, ".nanoclaw", AT_REMOVEDIR); /* if empty */
			return -1;
		}
		if (i >= LOCK_TRIES)
			return lock_refuse(project, 0, err);
		nanosleep(&LOCK_MOMENT, NULL);
	}
	nanoclaw = disk_open_folder(project->root, ".nanoclaw");
	*ret_created = *ret_created || has_only_lock(nanoclaw);
	if (*ret_created)
		return 0;
	closep(project->lock);
	return lock_refuse(project, 0, err);
}

void project_remove_nanoclaw(const struct project *project)
{
	CLEANUP(closep) int nanoclaw = disk_open_folder(project->root, ".nanoclaw");

	if (nanoclaw < 0)
		return;
	sys.unlink(nanoclaw, PROJECT_INDEX_NEW, 0);
	sys.unlink(nanoclaw, PROJECT_INDEX, 0);
	if (has_only_lock(nanoclaw)) {
		sys.unlink(nanoclaw, LOCK_NAME, 0);
		sys.unlink(project->root, ".nanoclaw", AT_REMOVEDIR);
	}
}

#define READ_TRIES 5

int project_read_still(struct project *project, project_opener *open, project_reader *read,
	void *data, struct error *err)
{
	for (int i = 0;; i++) {
		CLEANUP(error_release) struct error local = ERROR_INIT;
		struct stamp before, after;
		bool running, operating;
		int failed;

		if (open(project, &running, err) < 0)
			return -1;
		/* Each operation makes .nanoclaw/tx, links state.yaml and replaces it. */
		before = stamp_beneath(project->root, ".nanoclaw/state.yaml");
		operating = disk_exists(project->root, ".nanoclaw/tx");
		failed = read(project, running || i == READ_TRIES, data, &local);
		after = stamp_beneath(project->root, ".nanoclaw/state.yaml");
		if (i == READ_TRIES ||
			(stamp_equal(&before, &after) &&
				operating == disk_exists(project->root, ".nanoclaw/tx")))
			return failed ? error_move(err, &local) : 0;
		project_release(project);
		*project = PROJECT_INIT;
	}
}

int project_open_nanoclaw(const struct project *project, int *ret_fd, struct error *err)
{
	int fd = disk_open_folder(project->root, ".nanoclaw");

	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR)) {
		error_set(err, ERROR_INVALID, "'%s/.nanoclaw' is not a folder", project->path);
		return error_hint(err, "nothing was changed; move it away first");
	}
	if (fd < 0)
		return error_errno(err, "cannot open '.nanoclaw'");
	*ret_fd = fd;
	return 0;
}

void project_release(struct project *project)
{
	free(project->path);
	closep(&project->root);
	lock_release(project);
}

int damage_hint(struct error *err)
{
	return error_hint(err,
		"nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw "
		"verify' shows the damage");
}

/* --- names --- */

bool disk_exists(int folder, const char *name)
{
	return faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

int disk_open_folder(int parent, const char *name)
{
	return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int project_remove_empty(
	const struct project *project, const struct relpath *path, struct error *err)
{
	CLEANUP(error_release) struct error gone = ERROR_INIT;
	CLEANUP(closep) int parent = -1;

	if (beneath_open_parent(project->root, path, 0, &parent, &gone) < 0)
		return beneath_is_absent(&gone) ? 0 : error_move(err, &gone);
	return tree_remove_empty(parent, relpath_base(path), err);
}
