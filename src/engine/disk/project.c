#include "engine/disk/project.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/disk/internal.h"
#include "fs/beneath.h"
#include "fs/tree.h"

/*
 * A folder above may be open to others, such as /tmp: a .nanoclaw there counts only if
 * it is ours or, under sudo, that of the person behind it.
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
	*ret_project = (struct project){.path = path, .root = fd};
	return 0;
}

int project_open_here(struct project *ret_project, struct error *err)
{
	char *path = getcwd(NULL, 0);

	if (!path)
		return error_errno(err, "cannot find out the current folder");
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
		return error_errno(err, "cannot find out the current folder");
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

/*
 * A nanoclaw that is killed while it starts a program leaves a child, which has the lock
 * until it has become that program. So a lock that is taken may be free in a moment.
 */
#define LOCK_TRIES  50
#define LOCK_MOMENT ((struct timespec){.tv_nsec = 10 * 1000 * 1000})

int project_lock(struct project *project, struct error *err)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(project->root, LOCK_EX | LOCK_NB) == 0) {
			project->locked = true;
			return 0;
		}
		if (errno != EWOULDBLOCK)
			break;
		if (i + 1 < LOCK_TRIES)
			nanosleep(&LOCK_MOMENT, NULL);
		errno = EWOULDBLOCK;
	}
	if (errno != EWOULDBLOCK)
		return error_errno(err, "cannot lock '%s'", project->path);
	error_set(err, ERROR_BUSY, "another operation is running in '%s'", project->path);
	return error_hint(err, "wait for it to end, then run the command again");
}

void project_unlock(struct project *project)
{
	flock(project->root, LOCK_UN);
	project->locked = false;
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
}

int damage_hint(struct error *err)
{
	return error_hint(err,
		"nothing was changed; 'nanoclaw doctor --fix' mends what is kept in '.nanoclaw', "
		"and 'nanoclaw verify' shows what is damaged");
}

/* --- names ----------------------------------------------------------------------- */

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
