#include "engine/commit/agreed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/file.h"
#include "fs/sys.h"

#define AGREED_MAX_SIZE ((size_t)64 * 1024 * 1024)

/* The folder that the file is in, from the root; NULL if there is no place outside of the project. */
static char *find_folder(const struct project *project)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	CLEANUP(freep) char *folder = NULL;
	size_t len = strlen(project->path);

	if (state && *state == '/')
		folder = xasprintf("%s/nanoclaw", state);
	else if (home && *home == '/')
		folder = xasprintf("%s/.local/state/nanoclaw", home);
	if (!folder || (!strncmp(folder, project->path, len) && folder[len] == '/'))
		return NULL;
	return TAKE(folder);
}

int agreed_read(const struct project *project, struct buf *ret_text, struct error *err)
{
	CLEANUP(freep) char *folder = find_folder(project);
	CLEANUP(freep) char *path = folder ? xasprintf("%s/agreed", folder) : NULL;
	CLEANUP(closep)
	int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
		st.st_mode & 022)
		return 0;
	return file_read_fd(fd, path, AGREED_MAX_SIZE, ret_text, err);
}

bool agreed_has(const struct buf *text, const struct hash *content)
{
	struct view rest = view_of_buf(text), line;
	char hex[HASH_HEX_SIZE];

	hash_to_hex(content, hex);
	while (view_next(&rest, '\n', &line))
		if (view_starts_with(line, hex))
			return true;
	return false;
}

/* With the folders above it, for the person alone. */
static int make_folder(const char *folder, struct error *err)
{
	CLEANUP(freep) char *part = xstrdup(folder);

	for (char *slash = part + 1; slash; slash++) {
		slash = strchr(slash, '/');
		if (slash)
			*slash = '\0';
		if (sys.mkdir(AT_FDCWD, part, 0700) < 0 && errno != EEXIST)
			return error_errno(err, "cannot create the folder '%s'", part);
		if (!slash)
			break;
		*slash = '/';
	}
	return 0;
}

int agreed_add(const struct project *project, const struct hash *content, const char *about,
	struct error *err)
{
	CLEANUP(freep) char *folder = find_folder(project);
	CLEANUP(freep) char *path = folder ? xasprintf("%s/agreed", folder) : NULL;
	CLEANUP(freep) char *line = NULL;
	CLEANUP(closep) int fd = -1;
	char hex[HASH_HEX_SIZE];

	if (!folder)
		return error_set(err, ERROR_FAILED, "HOME is not a folder outside the project");
	if (make_folder(folder, err) < 0)
		return -1;
	hash_to_hex(content, hex);
	line = xasprintf("%s %s\n", hex, about);
	fd = sys.create(
		AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || sys_write_all(fd, line, strlen(line)) < 0)
		return error_errno(err, "cannot write '%s'", path);
	return 0;
}
