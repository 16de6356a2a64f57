#include "host/group_socket.h"

#include <fcntl.h>
#include <string.h>

#include "channels/local/local.h"
#include "host/group_calls.h"
#include "host/worker.h"
#include "loop/line_server.h"
#include "util/beneath.h"

/* Longer ids of tasks do not become part of a name. */
#define MAX_ID 16

/* An agent, and what it runs: few at a time, and none of them a burden. */
#define MAX_CLIENTS 16
#define MAX_QUEUE   ((size_t)2 * 1024 * 1024)

struct group_socket {
	struct line_server *server;
	struct worker *worker;
	char *name; /* without group- and .sock */
	int folder;
};

/* An isolated task has one of its own; what its id is made of is not ours to say. */
static char *name_for(const struct worker *worker)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (!worker->task)
		return xstrdup(worker->folder);
	if (strlen(worker->task) <= MAX_ID && group_check_folder(worker->task, &ignored) == 0)
		return xasprintf("%s.%s", worker->folder, worker->task);
	return xasprintf("%s.+%u", worker->folder, ++worker->host->odd_sockets);
}

static void take_line(struct line_client *client, struct view text, void *data)
{
	struct group_socket *socket = data;

	line_client_send(client, group_calls_take(socket->worker, text));
}

int group_socket_open(
	struct worker *worker, struct group_socket **ret_socket, struct error *err)
{
	static const struct line_server_handlers handlers = {
		.line = take_line,
		.max_clients = MAX_CLIENTS,
		.max_queue = MAX_QUEUE,
		.pause_at = MAX_QUEUE / 8,
	};
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *name = name_for(worker);
	CLEANUP(freep) char *file = xasprintf("group-%s.sock", name);
	CLEANUP(closep) int folder = -1;
	struct group_socket *socket;

	if (relpath_parse(view_of(LOCAL_FOLDER), &path, err) < 0 ||
		beneath_open_dir(worker->host->root, &path, &folder, err) < 0)
		return -1;
	socket = xcalloc(1, sizeof(*socket));
	socket->worker = worker;
	if (line_server_open(&worker->host->loop, folder, file, &handlers, socket,
		    &socket->server, err) < 0) {
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
	group_calls_end(socket->worker);
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
