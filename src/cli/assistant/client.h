/*
 * A client of a running host, on its socket (channels/local/local.h), with blocking calls: for
 * commands, which do one thing at a time.
 *
 *	CLEANUP(client_release) struct client client = CLIENT_INIT;
 *
 *	if (client_connect(root, &client, &running, err) < 0)
 *		return -1;
 *	if (running && client_request(&client, request, &reply, err) < 0)
 *		return -1;
 */
#ifndef CLI_ASSISTANT_CLIENT_H
#define CLI_ASSISTANT_CLIENT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "format/json.h"

struct client {
	int fd;
	struct buf input;
	int patience_ms; /* with a host that does not answer */
};

#define CLIENT_INIT                                                                            \
	((struct client){.fd = -1, .input = BUF_INIT_MAX(JSON_MAX_SIZE), .patience_ms = 10000})

/* It is not an error if no host runs; a host that does not answer in time is ERROR_BUSY. */
int client_connect(int root, struct client *ret_client, bool *ret_running, struct error *err);
void client_release(struct client *client);

/* The same, but a host must be running; else the error has ECONNREFUSED. */
int client_require(int root, struct client *ret_client, struct error *err);

/* Write a line; `line` is released. */
int client_send(struct client *client, json_t *line, struct error *err);

/* Wait for a line. The host's end is an error. */
int client_receive(struct client *client, json_t **ret_line, struct error *err);

/* Has a complete line arrived, so that client_receive() does not wait? */
bool client_has_line(const struct client *client);

/* An operation (host/ops/operations.h) and its reply; one that is not ok is the error. */
int client_request(
	struct client *client, json_t *request, json_t **ret_reply, struct error *err);

/* The same for a reply that has already arrived; `reply` is released. */
int client_take_reply(json_t *reply, json_t **ret_reply, struct error *err);

#endif
