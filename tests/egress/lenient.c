#include "lenient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

bool send_all(int fd, const void *data, size_t len)
{
	const char *bytes = data;

	while (len) {
		ssize_t done = send(fd, bytes, len, MSG_NOSIGNAL);

		if (done <= 0)
			return false;
		bytes += done;
		len -= (size_t)done;
	}
	return true;
}

bool send_text(int fd, const char *text)
{
	return send_all(fd, text, strlen(text));
}

static bool read_some(int fd, struct buf *out)
{
	char bytes[4096];
	ssize_t got = recv(fd, bytes, sizeof(bytes), 0);

	if (got > 0)
		buf_append(out, bytes, (size_t)got);
	return got > 0;
}

/* Where the head ends, or 0. */
static size_t find_end(const struct buf *bytes)
{
	for (size_t i = 0; i + 1 < bytes->len; i++) {
		if (bytes->data[i] != '\n')
			continue;
		if (bytes->data[i + 1] == '\n')
			return i + 2;
		if (i + 2 < bytes->len && bytes->data[i + 1] == '\r' &&
			bytes->data[i + 2] == '\n')
			return i + 3;
	}
	return 0;
}

/* The first of them counts: of "a: 1\r\nb: 2" the value of "b" is "2". */
struct view lenient_header(const struct lenient *request, const char *name)
{
	struct view rest = view_of_buf(&request->head);
	struct view found = {"", 0};
	struct view line;

	while (view_next(&rest, '\n', &line)) {
		size_t len = strlen(name);

		if (line.len <= len || strncasecmp(line.data, name, len) != 0)
			continue;
		line = view_trim(view_slice(line, len, line.len));
		if (line.len && line.data[0] == ':')
			found = view_trim(view_slice(line, 1, line.len));
	}
	return found;
}

static bool has_word(struct view value, const char *word)
{
	return memmem(value.data, value.len, word, strlen(word)) != NULL;
}

static void take_out(struct buf *bytes, size_t len)
{
	memmove(bytes->data, bytes->data + len, bytes->len - len);
	buf_set_len(bytes, bytes->len - len);
}

bool lenient_read(int fd, struct lenient *request)
{
	CLEANUP(freep) char *length = NULL;
	struct view value;
	size_t end;

	while (!(end = find_end(&request->rest)))
		if (request->rest.len > 1 << 20 || !read_some(fd, &request->rest))
			return false;
	buf_clear(&request->head);
	buf_append(&request->head, request->rest.data, end);
	take_out(&request->rest, end);
	request->method[0] = request->target[0] = '\0';
	sscanf(request->head.data, "%31s %4095s", request->method, request->target);
	request->close = has_word(lenient_header(request, "connection"), "close") ||
			 !strstr(request->head.data, "HTTP/1.1");
	request->chunked = has_word(lenient_header(request, "transfer-encoding"), "chunked");
	value = lenient_header(request, "content-length");
	length = xmemdupz(value.data, value.len);
	request->length = strtoull(length, NULL, 10);
	return true;
}

static bool next_line(int fd, struct lenient *request, char *ret_line, size_t size)
{
	char *end;
	size_t len;

	while (!(end = memchr(request->rest.data, '\n', request->rest.len)))
		if (!read_some(fd, &request->rest))
			return false;
	len = (size_t)(end - request->rest.data);
	snprintf(ret_line, size, "%.*s", (int)len, request->rest.data);
	take_out(&request->rest, len + 1);
	return true;
}

static void take_body(int fd, struct lenient *request, size_t len, struct buf *out)
{
	while (request->rest.len < len)
		if (!read_some(fd, &request->rest))
			return;
	buf_append(out, request->rest.data, len);
	take_out(&request->rest, len);
}

void lenient_body(int fd, struct lenient *request, struct buf *out)
{
	char line[64];

	if (!request->chunked) {
		take_body(fd, request, (size_t)request->length, out);
		return;
	}
	while (next_line(fd, request, line, sizeof(line))) {
		size_t len = strtoul(line, NULL, 16);

		if (len)
			take_body(fd, request, len, out);
		if (!next_line(fd, request, line, sizeof(line)) || !len)
			return;
	}
}

void lenient_release(struct lenient *request)
{
	buf_release(&request->head);
	buf_release(&request->rest);
}
