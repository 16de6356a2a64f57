#include "host/agent/group_socket.h"

#include <fcntl.h>
#include <string.h>

#include "channels/local/local.h"
#include "fs/beneath.h"
#include "ledger/groups.h"
#include "loop/line_server.h"

/* Longer ids of tasks do not become part of a name. */
#define MAX_ID 16

/* Connections of an agent and its programs. */
#define MAX_CLIENTS 16
#define MAX_QUEUE   ((size_t)2 * 1024 * 1024)

struct group_socket {
	struct line_server *server;
	group_socket_call *call;
	void *data;
	char *name; /* without group- and .sock */
	int folder;
};

/* An isolated task has its own; its id may contain any characters. */
static char *name_for(const char *folder, const char *task)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	static unsigned odd; /* sockets that got a number for a name */

	if (!task)
		return xstrdup(folder);
	if (strlen(task) <= MAX_ID && group_check_folder(task, &ignored) == 0)
		return xasprintf("%s.%s", folder, task);
	return xasprintf("%s.+%u", folder, ++odd);
}

static void group_socket_line(struct line_client *client, struct view text, void *data)
{
	struct group_socket *socket = data;

	line_client_send(client, socket->call(text, socket->data));
}

int group_socket_open(struct installation *inst, const char *group, const char *task,
	group_socket_call *call, void *data, struct group_socket **ret_socket,
	struct error *err)
{
	static const struct line_server_handlers handlers = {
		.line = group_socket_line,
		.max_clients = MAX_CLIENTS,
		.max_queue = MAX_QUEUE,
		.pause_at = MAX_QUEUE / 8,
	};
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *name = name_for(group, task);
	CLEANUP(freep) char *file = xasprintf("group-%s.sock", name);
	CLEANUP(closep) int folder = -1;
	struct group_socket *socket;

	if (relpath_parse(view_of(LOCAL_FOLDER), &path, err) < 0 ||
		beneath_open_dir(inst->root, &path, &folder, err) < 0)
		return -1;
	socket = xcalloc(1, sizeof(*socket));
	socket->call = call;
	socket->data = data;
	if (line_server_open(
		    &inst->loop, folder, file, &handlers, socket, &socket->server, err) < 0) {
		free(socket);
		return -1;
	}
	socket->name = TAKE(name);
	socket->folder = TAKE_FD(folder);
	*ret_socket = socket;
	return 0;
}

void group_socket_close(struct group_socket *socket)
{
	if (!socket)
		return;
	line_server_close(socket->server);
	closep(&socket->folder);
	free(socket->name);
	free(socket);
}

const char *group_socket_name(const struct group_socket *socket)
{
	return socket->name;
}

int group_socket_file(const struct group_socket *socket, int *ret_fd, struct error *err)
{
	CLEANUP(freep) char *file = xasprintf("group-%s.sock", socket->name);
	int fd = openat(socket->folder, file, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return error_errno(err, "cannot open the socket '%s'", file);
	*ret_fd = fd;
	return 0;
}
