#include "loop/line_server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "format/json.h"
#include "format/line_reader.h"
#include "fs/sys.h"
#include "loop/stream.h"
#include "proc/local_socket.h"
#include "proc/log.h"

#define LOOK_EVERY_MS 2000

struct line_client {
	uv_pipe_t pipe;
	struct line_server *server;
	struct line_reader lines;
	struct line_client *next;
	struct line_client *previous;
	void *data;
	bool dropped;
	bool paused; /* it is to read first */
};

struct line_server {
	uv_pipe_t *pipe;
	uv_timer_t timer; /* looks whether the socket is still there */
	struct line_server_handlers handlers;
	void *data;
	struct line_client *clients;
	size_t client_count;
	int folder;
	char *name;
	bool closing;
	bool closed;
};

/* --- the end ----------------------------------------------------------------- */

static void server_free_when_done(struct line_server *server)
{
	if (!server->closed || server->clients)
		return;
	closep(&server->folder);
	free(server->name);
	free(server);
}

static void client_closed(uv_handle_t *handle)
{
	struct line_client *client = handle->data;
	struct line_server *server = client->server;

	if (client->next)
		client->next->previous = client->previous;
	if (client->previous)
		client->previous->next = client->next;
	else
		server->clients = client->next;
	server->client_count--;
	line_reader_release(&client->lines);
	free(client);
	server_free_when_done(server);
}

void line_client_drop(struct line_client *client)
{
	if (client->dropped)
		return;
	client->dropped = true;
	if (client->server->handlers.gone)
		client->server->handlers.gone(client, client->server->data);
	uv_close((uv_handle_t *)&client->pipe, client_closed);
}

static void pipe_closed(uv_handle_t *handle)
{
	free(handle);
}

static void server_closed(uv_handle_t *handle)
{
	struct line_server *server = handle->data;

	server->closed = true;
	server_free_when_done(server);
}

void line_server_close(struct line_server *server)
{
	if (server->closing)
		return;
	server->closing = true;
	for (struct line_client *client = server->clients; client; client = client->next)
		line_client_drop(client);
	sys.unlink(server->folder, server->name, 0);
	uv_close((uv_handle_t *)server->pipe, pipe_closed);
	uv_close((uv_handle_t *)&server->timer, server_closed);
}

/* --- lines ------------------------------------------------------------------- */

static void client_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk);

static void client_pause_or_go_on(struct line_client *client)
{
	uv_stream_t *stream = (uv_stream_t *)&client->pipe;
	size_t limit = client->server->handlers.pause_at;
	bool full = loop_queued(stream) > limit;

	if (!limit || client->dropped || full == client->paused)
		return;
	client->paused = full;
	if (full)
		uv_read_stop(stream);
	else if (uv_read_start(stream, loop_chunk, client_read) < 0)
		line_client_drop(client);
}

static void client_wrote(uv_stream_t *stream, int status)
{
	struct line_client *client = stream->data;

	if (status < 0)
		line_client_drop(client);
	else
		client_pause_or_go_on(client);
}

void line_client_send(struct line_client *client, json_t *document)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	uv_stream_t *stream = (uv_stream_t *)&client->pipe;

	if (!client->dropped && loop_queued(stream) > client->server->handlers.max_queue)
		line_client_drop(client);
	if (client->dropped) {
		json_decref(document);
		return;
	}
	json_write_ours(document, false, &line);
	json_decref(document);
	buf_append_char(&line, '\n');
	if (loop_write(stream, &line, client_wrote) < 0)
		line_client_drop(client);
	else
		client_pause_or_go_on(client);
}

static bool client_take_line(struct view line, bool too_long, void *data)
{
	struct line_client *client = data;

	if (too_long)
		line_client_drop(client);
	else if (view_trim(line).len)
		client->server->handlers.line(client, line, client->server->data);
	return !client->dropped;
}

static void client_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct line_client *client = stream->data;

	if (got < 0)
		line_client_drop(client);
	else if (got > 0)
		line_reader_feed(
			&client->lines, chunk->base, (size_t)got, client_take_line, client);
}

void line_client_set_data(struct line_client *client, void *data)
{
	client->data = data;
}

void *line_client_data(const struct line_client *client)
{
	return client->data;
}

/* --- connections ------------------------------------------------------------- */

static void server_connected(uv_stream_t *stream, int status)
{
	struct line_server *server = stream->data;
	struct line_client *client;
	int fd;

	if (status < 0 || server->closing)
		return;
	client = xcalloc(1, sizeof(*client));
	client->server = server;
	client->pipe.data = client;
	line_reader_init(&client->lines, LINE_CLIENT_MAX);
	uv_pipe_init(stream->loop, &client->pipe, 0);
	client->next = server->clients;
	if (client->next)
		client->next->previous = client;
	server->clients = client;
	server->client_count++;
	if (uv_accept(stream, (uv_stream_t *)&client->pipe) < 0 ||
		uv_fileno((uv_handle_t *)&client->pipe, &fd) < 0 || !local_socket_is_ours(fd) ||
		server->client_count > server->handlers.max_clients ||
		uv_read_start((uv_stream_t *)&client->pipe, loop_chunk, client_read) < 0) {
		client->dropped = true; /* no handler knows of it */
		uv_close((uv_handle_t *)&client->pipe, client_closed);
	}
}

/* Listen at a new socket, instead of the one before if there was one. */
static int server_listen(
	struct line_server *server, uv_loop_t *loop, int folder, struct error *err)
{
	CLEANUP(closep) int kept = fcntl(folder, F_DUPFD_CLOEXEC, 3);
	uv_pipe_t *pipe;
	int fd;

	if (kept < 0 || local_socket_bind(folder, server->name, &fd) < 0)
		return error_errno(err, "cannot open the socket '%s'", server->name);
	pipe = xcalloc(1, sizeof(*pipe));
	pipe->data = server;
	uv_pipe_init(loop, pipe, 0);
	if (uv_pipe_open(pipe, fd) < 0 ||
		uv_listen((uv_stream_t *)pipe, 64, server_connected) < 0) {
		uv_close((uv_handle_t *)pipe, pipe_closed);
		return error_set(
			err, ERROR_FAILED, "cannot listen on the socket '%s'", server->name);
	}
	if (server->pipe)
		uv_close((uv_handle_t *)server->pipe, pipe_closed);
	server->pipe = pipe;
	closep(&server->folder);
	server->folder = TAKE_FD(kept);
	return 0;
}

/* Somebody may remove the socket, or its folder. Who is connected stays so. */
static void server_look(uv_timer_t *timer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct line_server *server = timer->data;
	CLEANUP(closep) int folder = -1;
	struct stat st;

	if (fstatat(server->folder, server->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return;
	if (server->handlers.again(server->data, &folder, &err) < 0 ||
		server_listen(server, timer->loop, folder, &err) < 0)
		log_warning("%s", err.message);
	else
		log_note("the socket '%s' was gone and is made again", server->name);
}

int line_server_open(uv_loop_t *loop, int folder, const char *name,
	const struct line_server_handlers *handlers, void *data,
	struct line_server **ret_server, struct error *err)
{
	struct line_server *server = xcalloc(1, sizeof(*server));

	server->handlers = *handlers;
	if (!server->handlers.max_clients)
		server->handlers.max_clients = LINE_SERVER_CLIENTS;
	if (!server->handlers.max_queue)
		server->handlers.max_queue = LINE_CLIENT_MAX_QUEUE;
	server->data = data;
	server->folder = -1;
	server->name = xstrdup(name);
	if (server_listen(server, loop, folder, err) < 0) {
		free(server->name);
		free(server);
		return -1;
	}
	uv_timer_init(loop, &server->timer);
	server->timer.data = server;
	if (handlers->again)
		uv_timer_start(&server->timer, server_look, LOOK_EVERY_MS, LOOK_EVERY_MS);
	uv_unref((uv_handle_t *)&server->timer);
	*ret_server = server;
	return 0;
}
