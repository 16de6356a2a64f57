#include "engine/disk/descend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "fs/sys.h"

/* At most this many of the deepest folders are open. */
#define MOST_OPEN 64

static void descend_pop(struct descend *d)
{
	closep(&d->levels[--d->depth].fd);
}

static size_t descend_len(const struct descend *d)
{
	return d->depth ? d->levels[d->depth - 1].len : 0;
}

/* Enter the folder whose path is `d->folder`, and whose name begins at `name`. */
static int descend_push(struct descend *d, size_t name)
{
	int above = d->depth ? d->levels[d->depth - 1].fd : d->root;
	int fd;

	if (d->made) {
		if (sys.mkdir(above, d->folder.data + name, 0777) == 0)
			d->made(d->folder.data, d->data);
		else if (errno != EEXIST)
			return -1;
	}
	fd = openat(
		above, d->folder.data + name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	GROW(d->levels, d->depth, d->cap);
	d->levels[d->depth++] = (struct descend_level){d->folder.len, fd};
	if (d->depth > MOST_OPEN)
		closep(&d->levels[d->depth - 1 - MOST_OPEN].fd);
	return 0;
}

int descend_to(struct descend *d, const char *path, int *ret_folder, const char **ret_name)
{
	const char *name, *slash;

	/* One that was closed, as all above it, is found again from the root. */
	while (d->depth && (d->levels[d->depth - 1].fd < 0 ||
				   strncmp(path, d->folder.data, descend_len(d)) != 0 ||
				   path[descend_len(d)] != '/'))
		descend_pop(d);
	buf_set_len(&d->folder, descend_len(d));
	name = path + d->folder.len + (d->depth ? 1 : 0);
	while ((slash = strchr(name, '/'))) {
		size_t start = (size_t)(name - path);

		buf_append(&d->folder, path + d->folder.len,
			(size_t)(slash - path) - d->folder.len);
		if (descend_push(d, start) < 0) {
			int errnum = errno;

			buf_set_len(&d->folder, descend_len(d));
			errno = errnum == ELOOP ? ENOTDIR : errnum;
			return -1;
		}
		name = slash + 1;
	}
	*ret_folder = d->depth ? d->levels[d->depth - 1].fd : d->root;
	*ret_name = name;
	return 0;
}

void descend_release(struct descend *d)
{
	while (d->depth)
		descend_pop(d);
	free(d->levels);
	buf_release(&d->folder);
}
