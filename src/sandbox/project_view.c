/* The project as the main group's agent sees it: sandbox_add_project(). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/sandbox.h"
#include "util/beneath.h"
#include "util/quote.h"

#define MAX_ENTRIES (SANDBOX_MAX_MOUNTS / 2)

/* Keys, and what other groups say and do. */
static bool is_hidden(const char *name)
{
	static const char *const hidden[] = {"data", "groups", "logs", "store"};

	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (!strcmp(name, hidden[i]))
			return true;
	/* Editors have copies of it under names such as "#.env#". */
	return strstr(name, ".env") && strcmp(name, ".env.example") != 0;
}

/* One of 'nanoclaw backup', with all that is hidden: compressed, and for the owner alone. */
static bool is_backup(int root, const char *name, const struct stat *st)
{
	CLEANUP(closep) int fd = -1;
	unsigned char magic[2];

	if (!S_ISREG(st->st_mode) || (st->st_mode & 077))
		return false;
	fd = openat(root, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 || (read(fd, magic, sizeof(magic)) == sizeof(magic) && magic[0] == 0x1f &&
				 magic[1] == 0x8b);
}

static void add_link(struct sandbox_spec *spec, int root, const char *name, const char *target)
{
	char to[PATH_MAX];
	ssize_t len = readlinkat(root, name, to, sizeof(to) - 1);

	if (len <= 0)
		return;
	to[len] = '\0';
	sandbox_add_link(spec, target, to);
}

/* What is gone by now, or is neither file nor folder nor link, is left out. */
static void add_entry(
	struct sandbox_spec *spec, int root, const char *name, const char *target_folder)
{
	CLEANUP(closep) int fd = openat(root, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(freep) char *target = xasprintf("%s/%s", target_folder, name);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || is_backup(root, name, &st))
		return;
	if (S_ISLNK(st.st_mode))
		add_link(spec, root, name, target);
	else if (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))
		sandbox_add_mount(spec, TAKE_FD(fd), target, 0);
}

static int add_entries(
	struct sandbox_spec *spec, DIR *folder, const char *target, struct error *err)
{
	size_t count = 0;
	struct dirent *entry;

	while ((entry = readdir(folder))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
			is_hidden(entry->d_name))
			continue;
		if (++count > MAX_ENTRIES)
			return error_set(err, ERROR_INVALID,
				"the project has more than %d files and folders at its root",
				MAX_ENTRIES);
		add_entry(spec, dirfd(folder), entry->d_name, target);
	}
	return 0;
}

static int add_own(struct sandbox_spec *spec, int root, const char *own_folder,
	const char *target, struct error *err)
{
	CLEANUP(freep) char *path_text = xasprintf("groups/%s", own_folder);
	CLEANUP(freep) char *inside = xasprintf("%s/%s", target, path_text);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	int fd = -1;

	if (relpath_parse(view_of(path_text), &path, err) < 0 ||
		beneath_open_dir(root, &path, &fd, err) < 0)
		return -1;
	sandbox_add_mount(spec, fd, inside, 0);
	return 0;
}

static void closedirp(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

int sandbox_add_project(struct sandbox_spec *spec, int root, const char *own_folder,
	const char *target, struct error *err)
{
	CLEANUP(closep) int fd = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closedirp) DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (!folder)
		return error_errno(err, "cannot read the folder of the project");
	fd = -1; /* the folder's now */
	if (add_entries(spec, folder, target, err) < 0)
		return -1;
	return add_own(spec, root, own_folder, target, err);
}
