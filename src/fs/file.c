#include "fs/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"

#define READ_SIZE (64 * 1024)

int file_read_fd(int fd, const char *path, size_t max, struct buf *ret_text, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *shown = NULL;
	struct stat st;
	ssize_t n;

	/* Where the size is known, all room at once: growing costs more than reading. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uintmax_t)st.st_size <= max)
		buf_reserve(&text, (size_t)st.st_size + 2);
	do {
		/* The last read, which finds the end, needs no new room. */
		if (text.len + 1 >= text.cap)
			buf_reserve(&text, READ_SIZE);
		n = read(fd, text.data + text.len, text.cap - text.len - 1);
		if (n > 0)
			buf_set_len(&text, text.len + (size_t)n);
	} while ((n > 0 && text.len <= max) || (n < 0 && errno == EINTR));

	if (n < 0) {
		int saved = errno;

		shown = quote(view_of(path));
		errno = saved;
		return error_errno(err, "cannot read %s", shown);
	}
	if (text.len > max) {
		shown = quote(view_of(path));
		return error_set(err, ERROR_INVALID, "%s is larger than %zu bytes", shown, max);
	}
	buf_release(ret_text);
	*ret_text = text;
	text = BUF_INIT;
	return 0;
}

int file_read(const char *path, size_t max, struct buf *ret_text, struct error *err)
{
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0) {
		int saved = errno;
		CLEANUP(freep) char *shown = quote(view_of(path));

		errno = saved;
		return error_errno(err, "cannot open %s", shown);
	}
	return file_read_fd(fd, path, max, ret_text, err);
}

void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}
