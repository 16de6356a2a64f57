/*
 * The folder in which an installation is built aside.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/commit/recovery.h"
#include "engine/core/ignore.h"
#include "engine/replay/internal.h"
#include "fs/scratch.h"
#include "fs/sys.h"

/* --- is it a place? --------------------------------------------------------------- */

static int refuse_place(const char *path, const char *why, struct error *err)
{
	error_set(err, ERROR_INVALID, "cannot rebuild in '%s': %s", path, why);
	return error_hint(err, "name a new folder, or an empty one, outside of the project");
}

/* The absolute path, with the links in the folders above it resolved. */
static int find_path(const char *into, char **ret_path, struct error *err)
{
	CLEANUP(freep) char *text = xstrdup(into);
	CLEANUP(freep) char *above = NULL;
	CLEANUP(freep) char *real = NULL;
	size_t len = strlen(text);
	char *slash;

	while (len > 1 && text[len - 1] == '/')
		text[--len] = '\0';
	slash = strrchr(text, '/');
	if (!len || !strcmp(slash ? slash + 1 : text, "..") || !strcmp(text, "/"))
		return refuse_place(into, "the path must end in a name", err);
	if (!strcmp(slash ? slash + 1 : text, ".")) {
		*ret_path = realpath(text, NULL);
		return *ret_path ? 0 : error_errno(err, "cannot find '%s'", into);
	}
	above = slash ? xmemdupz(text, (size_t)(slash - text)) : xstrdup(".");
	real = realpath(*above ? above : "/", NULL);
	if (!real) {
		error_errno(err, "cannot build in '%s'", into);
		err->kind = ERROR_INVALID;
		return error_hint(err, "its parent folder must exist");
	}
	*ret_path = xasprintf("%s/%s", strcmp(real, "/") ? real : "", slash ? slash + 1 : text);
	return 0;
}

static int check_names(const char *path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath whole = RELPATH_INIT;
	struct view rest, name;

	if (relpath_parse(view_of(path + 1), &whole, err) < 0)
		return -1;
	rest = relpath_view(&whole);
	while (relpath_next(&rest, &name)) {
		CLEANUP(relpath_release) struct relpath alone = RELPATH_INIT;

		if (relpath_parse(name, &alone, err) < 0)
			return -1;
		if (relpath_protected(&alone))
			return refuse_place(path, "it is inside '.git' or '.nanoclaw'", err);
	}
	return 0;
}

/* Would it be a part of the core of the installation in the folder `above`? */
static int check_installation(const char *above, const char *path, struct error *err)
{
	CLEANUP(closep) int root = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	CLEANUP(relpath_release) struct relpath below = RELPATH_INIT;
	CLEANUP(freep) char *why = NULL;
	bool excluded;

	if (root < 0)
		return error_errno(err, "cannot open the folder '%s'", above);
	if (relpath_parse(view_of(path + strlen(above) + 1), &below, err) < 0 ||
		ignore_open(root, &ignore, err) < 0 ||
		ignore_excludes_file(ignore, &below, &excluded, err) < 0)
		return -1;
	why = xasprintf("it would be inside the project '%s'", above);
	return excluded ? 0 : refuse_place(path, why, err);
}

/* The folder of the core is also one, whether it has a .nanoclaw or not. */
static int check_above(const char *core, const char *path, struct error *err)
{
	CLEANUP(freep) char *above = xstrdup(path);
	CLEANUP(freep) char *real = realpath(core, NULL);

	for (char *slash = strrchr(above, '/'); slash && slash != above;
		slash = strrchr(above, '/')) {
		CLEANUP(freep) char *nanoclaw = NULL;
		struct stat st;

		*slash = '\0';
		nanoclaw = xasprintf("%s/.nanoclaw", above);
		if (((real && !strcmp(above, real)) ||
			    (lstat(nanoclaw, &st) == 0 && S_ISDIR(st.st_mode))) &&
			check_installation(above, path, err) < 0)
			return -1;
	}
	return 0;
}

static int check_empty(const struct project *project, struct error *err)
{
	int fd = openat(project->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool empty = true;

	if (!dir) {
		closep(&fd);
		return error_errno(err, "cannot read '%s'", project->path);
	}
	while (empty && (entry = readdir(dir)))
		empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	closedir(dir);
	return empty ? 0 : refuse_place(project->path, "it is not empty", err);
}

/* --- opening it ------------------------------------------------------------------- */

int place_open(const struct project *project, const struct replay_request *request,
	bool dry_run, struct place *ret_place, struct error *err)
{
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	CLEANUP(freep) char *path = NULL;
	struct stat st, own;

	if (find_path(request->into, &path, err) < 0 || check_names(path, err) < 0 ||
		check_above(request->core ? request->core : project->path, path, err) < 0)
		return -1;
	if (lstat(path, &st) < 0) {
		if (errno != ENOENT)
			return error_errno(err, "cannot access '%s'", path);
		if (dry_run) {
			struct scratch scratch;

			if (scratch_make("nanoclaw-replay-", &scratch, err) < 0)
				return -1;
			ret_place->dummy = true;
			ret_place->project =
				(struct project){.path = scratch.path, .root = scratch.fd};
			return 0;
		}
		if (sys.mkdir(AT_FDCWD, path, 0777) < 0)
			return error_errno(err, "cannot create the folder '%s'", path);
		ret_place->made = true;
	} else if (fstat(project->root, &own) == 0 && own.st_dev == st.st_dev &&
		   own.st_ino == st.st_ino) {
		return refuse_place(path, "it is the project itself", err);
	} else if (!S_ISDIR(st.st_mode)) {
		return refuse_place(path,
			S_ISLNK(st.st_mode) ? "it is a symbolic link" : "it is not a folder",
			err);
	}
	if (project_open_folder(path, &ret_place->project, err) < 0 ||
		project_lock(&ret_place->project, err) < 0 ||
		/* An earlier one that was killed may have left something, which is undone. */
		recovery_run(&ret_place->project, &recovery, err) < 0)
		return -1;
	return check_empty(&ret_place->project, err);
}

void place_close(struct place *place, bool keep)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (place->dummy) {
		struct scratch scratch = {place->project.path, place->project.root};

		scratch_remove(&scratch, &ignored);
		place->project = PROJECT_INIT;
	} else if (place->made && !keep && place->project.path) {
		/* Fails, as it should, if something is in it. */
		sys.unlink(AT_FDCWD, place->project.path, AT_REMOVEDIR);
	}
	project_release(&place->project);
}
