#include "fs/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <sys/random.h>

#include "base/quote.h"
#include "fs/sys.h"
#include "fs/tree.h"

static int scratch_errno(const char *path, struct error *err)
{
	int errnum = errno;
	CLEANUP(freep) char *shown = quote(view_of(path));

	errno = errnum;
	return error_errno(err, "cannot create the temporary folder %s", shown);
}

int scratch_make(const char *prefix, struct scratch *ret_scratch, struct error *err)
{
	const char *temporary = getenv("TMPDIR");
	CLEANUP(freep) char *path = NULL;
	uint64_t number;
	int fd;

	temporary = temporary && *temporary ? temporary : "/tmp";
	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return scratch_errno(temporary, err);
	path = xasprintf("%s/%s%016" PRIx64, temporary, prefix, number);
	if (sys.mkdir(AT_FDCWD, path, 0700) < 0)
		return scratch_errno(path, err);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		scratch_errno(path, err);
		sys.unlink(AT_FDCWD, path, AT_REMOVEDIR);
		return -1;
	}
	*ret_scratch = (struct scratch){.path = TAKE(path), .fd = fd};
	return 0;
}

int scratch_remove(struct scratch *scratch, struct error *err)
{
	CLEANUP(freep) char *path = TAKE(scratch->path);

	closep(&scratch->fd);
	scratch->fd = -1;
	return tree_remove(AT_FDCWD, path, err);
}
