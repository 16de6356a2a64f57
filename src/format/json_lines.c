#include "format/json_lines.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "format/json.h"

#define CHUNK ((size_t)64 * 1024)

int json_lines_send(int fd, json_t *document)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	size_t done = 0;

	json_write_ours(document, false, &line);
	json_decref(document);
	buf_append_char(&line, '\n');
	while (done < line.len) {
		ssize_t n = send(fd, line.data + done, line.len - done, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return -1;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

ssize_t json_lines_read(int fd, struct buf *input, int flags)
{
	size_t room = buf_reserve(input, CHUNK);
	ssize_t n;

	if (!room) {
		errno = EFBIG;
		return -1;
	}
	do
		n = recv(fd, input->data + input->len, room, flags);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		buf_set_len(input, input->len + (size_t)n);
	return n;
}

bool json_lines_ready(const struct buf *input)
{
	return memchr(input->data, '\n', input->len) != NULL;
}

int json_lines_take(
	struct buf *input, const char *name, json_t **ret_document, struct error *err)
{
	struct view rest = view_of_buf(input);
	struct view line;
	int failed;

	if (!json_lines_ready(input))
		return 0;
	view_next(&rest, '\n', &line);
	failed = json_read(line, name, JSON_MAX_SIZE, ret_document, err);
	memmove(input->data, rest.data, rest.len);
	buf_set_len(input, rest.len);
	return failed < 0 ? -1 : 1;
}
