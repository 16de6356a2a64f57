#include "agent/mcp/host_link.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "agent/host_socket.h"
#include "util/json.h"

/* A host that takes nothing for so long does not take it any more. */
#define SEND_SECONDS 30

void host_link_close(struct host_link *link)
{
	closep(&link->fd);
	link->fd = -1;
	buf_release(&link->input);
	link->input = (struct buf)BUF_INIT_MAX(HOST_LINK_MAX_REPLY);
}

static int connect_to_host(struct host_link *link, struct error *err)
{
	struct timeval limit = {.tv_sec = SEND_SECONDS};
	CLEANUP(closep) int fd = host_socket_connect(err);

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0)
		return error_errno(err, "the host cannot be asked");
	link->fd = TAKE_FD(fd);
	return 0;
}

static int send_all(struct host_link *link, const struct buf *line, struct error *err)
{
	size_t sent = 0;

	while (sent < line->len) {
		ssize_t n = send(link->fd, line->data + sent, line->len - sent, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return error_errno(err, "the host cannot be asked");
		sent += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int host_link_send(struct host_link *link, json_t *question, struct error *err)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	json_write_ours(question, false, &line);
	json_decref(question);
	buf_append_char(&line, '\n');
	if (line.len > HOST_LINK_MAX_QUESTION)
		return error_set(err, ERROR_FAILED, "the call is too long for the host");
	if ((link->fd < 0 && connect_to_host(link, err) < 0) ||
		send_all(link, &line, err) < 0) {
		host_link_close(link);
		return -1;
	}
	return 0;
}

/* The first line that has come whole, out of the input. */
static int take_line(struct host_link *link, json_t **ret_reply, struct error *err)
{
	char *end = memchr(link->input.data, '\n', link->input.len);
	size_t len;

	if (!end)
		return 0;
	len = (size_t)(end - link->input.data);
	if (json_read((struct view){link->input.data, len}, "the reply of the host",
		    HOST_LINK_MAX_REPLY, ret_reply, err) < 0)
		return -1;
	memmove(link->input.data, end + 1, link->input.len - len - 1);
	buf_set_len(&link->input, link->input.len - len - 1);
	return 1;
}

int host_link_read(struct host_link *link, json_t **ret_reply, struct error *err)
{
	size_t room;
	ssize_t n;
	int found = take_line(link, ret_reply, err);

	if (found)
		return found;
	room = buf_reserve(&link->input, 65536);
	if (!room) {
		error_set(err, ERROR_FAILED, "the reply of the host is too long");
		return error_hint(err, "ask for less");
	}
	n = recv(link->fd, link->input.data + link->input.len, room, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) {
		error_set(err, ERROR_FAILED, "the host has ended the connection");
		return error_hint(err, "whether it was done is not known; look before you try "
				       "again");
	}
	buf_set_len(&link->input, link->input.len + (size_t)n);
	return take_line(link, ret_reply, err);
}
