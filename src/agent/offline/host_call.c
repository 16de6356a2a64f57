#include "agent/offline/host_call.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/host_socket.h"
#include "util/json.h"

#define MAX_REPLY ((size_t)4 * 1024 * 1024)

static int send_line(int fd, json_t *request, struct error *err)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	size_t done = 0;

	json_write_ours(request, false, &line);
	buf_append_char(&line, '\n');
	while (done < line.len) {
		ssize_t n = send(fd, line.data + done, line.len - done, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return error_errno(err, "the host cannot be asked");
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int read_line(int fd, struct buf *line, struct error *err)
{
	while (!memchr(line->data, '\n', line->len)) {
		size_t room = buf_reserve(line, 65536);
		ssize_t n = room ? read(fd, line->data + line->len, room) : 0;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return error_set(err, ERROR_FAILED, "the host did not answer");
		buf_set_len(line, line->len + (size_t)n);
	}
	return 0;
}

static int refused(const json_t *reply, struct error *err)
{
	const char *why = json_string_value(json_object_get(reply, "error"));
	const char *hint = json_string_value(json_object_get(reply, "hint"));
	const char *kind = json_string_value(json_object_get(reply, "kind"));

	error_set(err, kind && !strcmp(kind, "invalid") ? ERROR_INVALID : ERROR_FAILED, "%s",
		why ? why : "the host refused");
	return hint ? error_hint(err, "%s", hint) : -1;
}

int host_call(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(json_decrefp) json_t *owned = request;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(buf_release) struct buf line = BUF_INIT_MAX(MAX_REPLY);
	CLEANUP(closep) int fd = host_socket_connect(err);

	if (fd < 0 || send_line(fd, owned, err) < 0 || read_line(fd, &line, err) < 0 ||
		json_read(view_of_buf(&line), "the host's reply", MAX_REPLY, &reply, err) < 0)
		return -1;
	if (!json_is_true(json_object_get(reply, "ok")))
		return refused(reply, err);
	*ret_reply = TAKE(reply);
	return 0;
}
