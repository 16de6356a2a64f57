#include "agent/mcp/host_link.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "agent/host_socket.h"
#include "format/json.h"
#include "format/json_lines.h"

/* A host that reads nothing for so long has hung. */
#define SEND_SECONDS 30

void host_link_close(struct host_link *link)
{
	closep(&link->fd);
	link->fd = -1;
	buf_release(&link->input);
	link->input = (struct buf)BUF_INIT_MAX(HOST_LINK_MAX_REPLY);
}

int host_link_send(struct host_link *link, json_t *question, struct error *err)
{
	CLEANUP(json_decrefp) json_t *owned = question;
	struct timeval limit = {.tv_sec = SEND_SECONDS};

	if (json_dumpb(owned, NULL, 0, JSON_COMPACT) > HOST_LINK_MAX_QUESTION)
		return error_set(err, ERROR_FAILED, "the call is too long for the host");
	if (link->fd < 0) {
		CLEANUP(closep) int fd = host_socket_connect(err);

		if (fd < 0)
			return -1;
		if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0)
			return error_errno(err, "cannot reach the host");
		link->fd = TAKE_FD(fd);
	}
	if (json_lines_send(link->fd, TAKE(owned)) < 0) {
		error_errno(err, "cannot reach the host");
		host_link_close(link);
		return -1;
	}
	return 0;
}

int host_link_read(struct host_link *link, json_t **ret_reply, struct error *err)
{
	int found = json_lines_take(&link->input, "the reply of the host", ret_reply, err);
	ssize_t n;

	if (found)
		return found;
	n = json_lines_read(link->fd, &link->input, MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n < 0 && errno == EFBIG) {
		error_set(err, ERROR_FAILED, "the reply of the host is too long");
		return error_hint(err, "ask for less");
	}
	if (n <= 0) {
		error_set(err, ERROR_FAILED, "the host has ended the connection");
		return error_hint(err, "whether it was done is not known; look before you try "
				       "again");
	}
	return json_lines_take(&link->input, "the reply of the host", ret_reply, err);
}
