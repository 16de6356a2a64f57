#include "cli/assistant/client.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "channels/local/local.h"
#include "format/json_lines.h"
#include "fs/beneath.h"
#include "proc/local_socket.h"

void client_release(struct client *client)
{
	closep(&client->fd);
	buf_clear(&client->input);
}

/*
 * Does a host answer? A process that the host was about to start when it was killed can
 * hold its socket open for a moment longer; when that one goes, the connection ends.
 */
static int host_ping(struct client *client, bool *ret_running, struct error *err)
{
	CLEANUP(error_release) struct error ended = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *pong = NULL;
	struct pollfd answer = {client->fd, POLLIN, 0};

	if (client_send(client, json_build("type:s", "ping"), &ended) < 0)
		return 0;
	if (poll(&answer, 1, client->patience_ms) == 0) {
		struct ucred peer = {0};
		socklen_t len = sizeof(peer);

		getsockopt(client->fd, SOL_SOCKET, SO_PEERCRED, &peer, &len);
		error_set(err, ERROR_BUSY,
			"a host is running here (pid %d), but it does not answer",
			(int)peer.pid);
		return error_hint(
			err, "it may be suspended or waiting for its disk; try again");
	}
	*ret_running = client_receive(client, &pong, &ended) == 0;
	return 0;
}

int client_connect(int root, struct client *ret_client, bool *ret_running, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	int failed;

	*ret_running = false;
	if (beneath_path_open_dir_if(root, LOCAL_FOLDER, &folder, err) < 0)
		return -1;
	if (folder < 0)
		return 0;
	if (local_socket_connect(folder, LOCAL_SOCKET, &ret_client->fd) < 0) {
		if (errno == ENOENT || errno == ECONNREFUSED)
			return 0;
		return error_errno(err, "cannot talk to the host");
	}
	failed = host_ping(ret_client, ret_running, err);
	if (!*ret_running)
		client_release(ret_client);
	return failed;
}

int client_require(int root, struct client *ret_client, struct error *err)
{
	bool running;

	if (client_connect(root, ret_client, &running, err) < 0)
		return -1;
	if (!running) {
		error_set(err, ERROR_FAILED, "the assistant's host is not running here");
		err->errnum = ECONNREFUSED;
		return error_hint(err,
			"'nanoclaw start' starts it and opens a chat; 'nanoclaw run' in another "
			"terminal starts it alone");
	}
	return 0;
}

static int host_ended(struct error *err)
{
	error_set(err, ERROR_FAILED, "the host has ended");
	err->errnum = ECONNRESET;
	return error_hint(
		err, "stored messages are answered when it runs again: 'nanoclaw run'");
}

int client_send(struct client *client, json_t *line, struct error *err)
{
	if (json_lines_send(client->fd, line) == 0)
		return 0;
	if (errno == EPIPE || errno == ECONNRESET)
		return host_ended(err);
	return error_errno(err, "cannot talk to the host");
}

bool client_has_line(const struct client *client)
{
	return json_lines_ready(&client->input);
}

int client_receive(struct client *client, json_t **ret_line, struct error *err)
{
	int found;

	while ((found = json_lines_take(&client->input, "the host's answer", ret_line, err)) ==
		0)
		if (json_lines_read(client->fd, &client->input, 0) <= 0)
			return host_ended(err);
	return found < 0 ? -1 : 0;
}

static enum error_kind reply_error_kind(const json_t *reply)
{
	const char *kind = json_string_value(json_object_get(reply, "kind"));

	if (kind && !strcmp(kind, "invalid"))
		return ERROR_INVALID;
	return kind && !strcmp(kind, "busy") ? ERROR_BUSY : ERROR_FAILED;
}

int client_take_reply(json_t *reply, json_t **ret_reply, struct error *err)
{
	CLEANUP(json_decrefp) json_t *answer = reply;
	const char *message = json_string_value(json_object_get(answer, "error"));
	const char *hint = json_string_value(json_object_get(answer, "hint"));

	if (json_is_true(json_object_get(answer, "ok"))) {
		*ret_reply = TAKE(answer);
		return 0;
	}
	error_set(err, reply_error_kind(answer), "%s", message ? message : "the host refused");
	return hint ? error_hint(err, "%s", hint) : -1;
}

int client_request(
	struct client *client, json_t *request, json_t **ret_reply, struct error *err)
{
	json_t *reply;

	json_put(request, "type:s", "request");
	if (client_send(client, request, err) < 0 || client_receive(client, &reply, err) < 0)
		return -1;
	return client_take_reply(reply, ret_reply, err);
}
