/*
 * A server on a Unix socket for this user only, with a protocol of lines.
 *
 *	line_server_open(loop, folder, "host.sock", &handlers, data, &server, err)
 *	…
 *	handlers.line(client, line, …)		a line has come
 *	line_client_send(client, json)		a line goes back
 *
 * The socket has mode 0600, and the user id of a client (SO_PEERCRED) must be ours. A
 * socket that an earlier process has left is replaced: the caller holds a lock, so no
 * other process listens on it.
 *
 * A client that does not read is disconnected when LINE_CLIENT_MAX_QUEUE bytes wait for
 * it, and so is one that sends a line of more than LINE_CLIENT_MAX bytes.
 */
#ifndef LOOP_LINE_SERVER_H
#define LOOP_LINE_SERVER_H

#include <jansson.h>
#include <uv.h>

#include "base/error.h"
#include "base/view.h"

#define LINE_CLIENT_MAX       ((size_t)1024 * 1024)
#define LINE_CLIENT_MAX_QUEUE ((size_t)8 * 1024 * 1024)
#define LINE_SERVER_CLIENTS   256

struct line_server;
struct line_client;

struct line_server_handlers {
	void (*line)(struct line_client *client, struct view line, void *data);
	/* The client is gone, or is being disconnected. The last call for it; may be NULL. */
	void (*gone)(struct line_client *client, void *data);
	size_t max_clients; /* 0: LINE_SERVER_CLIENTS */
	size_t max_queue;   /* 0: LINE_CLIENT_MAX_QUEUE */
	/* The folder, made again: somebody has removed the socket. NULL: it stays removed. */
	int (*again)(void *data, int *ret_folder, struct error *err);
	/* Nothing is read from a client while this many bytes wait for it; 0: no limit. */
	size_t pause_at;
};

int line_server_open(uv_loop_t *loop, int folder, const char *name,
	const struct line_server_handlers *handlers, void *data,
	struct line_server **ret_server, struct error *err);

/* Disconnect all clients, remove the socket, and free the server. */
void line_server_close(struct line_server *server);

/* Send a document, which is released; does nothing for a client that is being disconnected. */
void line_client_send(struct line_client *client, json_t *document);
void line_client_drop(struct line_client *client);

/* The owner's data of a client. */
void line_client_set_data(struct line_client *client, void *data);
void *line_client_data(const struct line_client *client);

#endif
