#include "engine/core/gitdir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"
#include "util/view.h"

#define LINK_MAX_SIZE ((size_t)16 * 1024)

static int open_folder(int dirfd, const char *path)
{
	return openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Open the folder that the file in `fd` names behind `prefix`, from `dirfd`. */
static int open_named(int dirfd, int fd, const char *prefix)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t len = strlen(prefix);

	if (file_read_fd(fd, "gitdir", LINK_MAX_SIZE, &text, &err) < 0)
		return -1;
	while (text.len && strchr("\r\n", text.data[text.len - 1]))
		buf_set_len(&text, text.len - 1);
	if (!view_starts_with(view_of_buf(&text), prefix) || text.len == len)
		return -1;
	return open_folder(dirfd, text.data + len);
}

static int open_common(int gitdir)
{
	CLEANUP(closep)
	int fd = openat(gitdir, "commondir", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return fd >= 0 ? open_named(gitdir, fd, "") : open_folder(gitdir, ".");
}

void gitdir_open(int root, struct gitdir *ret_gitdir)
{
	CLEANUP(closep)
	int fd = openat(root, ".git", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool missing = fd < 0 && errno == ENOENT;
	struct stat st = {0};

	*ret_gitdir = GITDIR_INIT;
	if (missing)
		return;
	if (fd >= 0 && fstat(fd, &st) == 0)
		ret_gitdir->fd = S_ISDIR(st.st_mode)   ? open_folder(fd, ".")
				 : S_ISREG(st.st_mode) ? open_named(root, fd, "gitdir: ")
						       : -1;
	if (ret_gitdir->fd < 0)
		ret_gitdir->unknown = "its repository cannot be opened";
	else
		ret_gitdir->common = open_common(ret_gitdir->fd);
}

void gitdir_release(struct gitdir *gitdir)
{
	closep(&gitdir->fd);
	closep(&gitdir->common);
}
