/*
 * nanoclaw-mcp: the MCP server of an agent (server.h), inside its sandbox. The client is at the
 * standard streams, the host at the socket of the group.
 *
 * It ends when its input does.
 */
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "agent/host_socket.h"
#include "agent/mcp/server.h"
#include "base/buf.h"
#include "base/error.h"
#include "format/json.h"
#include "format/json_lines.h"

#define CHUNK        ((size_t)64 * 1024)
#define MAX_QUESTION ((size_t)1024 * 1024)
#define MAX_REPLY    ((size_t)8 * 1024 * 1024)

/* A host that reads nothing for so long has hung. */
#define SEND_SECONDS 30

/* How long the host may take to answer. */
#define PATIENCE_MS 120000

struct program {
	struct mcp_server *server;
	int host;           /* the socket of the group; -1: not connected */
	struct buf replies; /* from the host */
	struct buf input;   /* from the client */
	size_t taken;       /* of the input */
	bool skipping;      /* the rest of a line that is too long */
	bool ended;         /* there is no more input */
	int64_t asked_at;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* --- the client -------------------------------------------------------------- */

static void write_message(void *data, json_t *message)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	(void)data;
	json_write_ours(message, false, &line);
	json_decref(message);
	buf_append_char(&line, '\n');
	if (fwrite(line.data, 1, line.len, stdout) != line.len || fflush(stdout))
		exit(EXIT_SUCCESS); /* the client is gone */
}

/* Reads as many lines as the server accepts. */
static void program_take_lines(struct program *program)
{
	struct buf *input = &program->input;

	while (mcp_server_takes(program->server)) {
		struct view rest = {input->data + program->taken, input->len - program->taken};
		const char *end = memchr(rest.data, '\n', rest.len);

		if (!end)
			break;
		rest.len = (size_t)(end - rest.data);
		program->taken += rest.len + 1;
		if (!program->skipping)
			mcp_server_line(program->server, rest, rest.len > MCP_MAX_LINE);
		program->skipping = false;
	}
	/* A line that has no end yet, and is too long already. */
	if (input->len - program->taken > MCP_MAX_LINE &&
		!memchr(input->data + program->taken, '\n', input->len - program->taken)) {
		if (!program->skipping)
			mcp_server_line(program->server, (struct view){"", 0}, true);
		program->skipping = true;
		program->taken = input->len;
	}
	memmove(input->data, input->data + program->taken, input->len - program->taken);
	buf_set_len(input, input->len - program->taken);
	program->taken = 0;
}

static void program_read_client(struct program *program)
{
	size_t room = buf_reserve(&program->input, CHUNK);
	ssize_t n = read(STDIN_FILENO, program->input.data + program->input.len, room);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0) {
		buf_set_len(&program->input, program->input.len + (size_t)n);
		return;
	}
	program->ended = true;
	/* The last line counts even without its newline. */
	if (program->input.len)
		buf_append_char(&program->input, '\n');
}

/* --- the host ---------------------------------------------------------------- */

static void host_close(struct program *program)
{
	closep(&program->host);
	program->host = -1;
	buf_release(&program->replies);
	program->replies = (struct buf)BUF_INIT_MAX(MAX_REPLY);
}

static int host_connect(struct program *program, struct error *err)
{
	CLEANUP(closep) int fd = host_socket_connect(err);
	struct timeval limit = {.tv_sec = SEND_SECONDS};

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0)
		return error_errno(err, "cannot reach the host");
	program->host = TAKE_FD(fd);
	return 0;
}

/* It is connected on first use, and again after the host has closed the connection. */
static int host_ask(void *data, json_t *question, struct error *err)
{
	CLEANUP(json_decrefp) json_t *owned = question;
	struct program *program = data;

	program->asked_at = now_ms();
	if (json_dumpb(owned, NULL, 0, JSON_COMPACT) > MAX_QUESTION)
		return error_set(err, ERROR_FAILED, "the call is too long for the host");
	if (program->host < 0 && host_connect(program, err) < 0)
		return -1;
	if (json_lines_send(program->host, TAKE(owned)) < 0) {
		error_errno(err, "cannot reach the host");
		host_close(program);
		return -1;
	}
	return 0;
}

/* 1: a reply; 0: nothing yet; -1: the connection has ended. Does not block. */
static int host_read(struct program *program, json_t **ret_reply, struct error *err)
{
	int found = json_lines_take(&program->replies, "the reply of the host", ret_reply, err);
	ssize_t n;

	if (found)
		return found;
	n = json_lines_read(program->host, &program->replies, MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n < 0 && errno == EFBIG) {
		error_set(err, ERROR_FAILED, "the reply of the host is too long");
		return error_hint(err, "ask for less");
	}
	if (n <= 0) {
		error_set(err, ERROR_FAILED, "the host has ended the connection");
		return error_hint(
			err, "it is unknown whether it was done; check before you try again");
	}
	return json_lines_take(&program->replies, "the reply of the host", ret_reply, err);
}

static void program_read_host(struct program *program)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *reply = NULL;
	int found;

	while ((found = host_read(program, &reply, &err)) > 0) {
		mcp_server_answer(program->server, reply);
		json_decref(reply);
		reply = NULL;
		if (program->host < 0)
			return;
	}
	if (found < 0) {
		host_close(program);
		mcp_server_lost(program->server, &err);
	}
}

/* --- the loop ---------------------------------------------------------------- */

static void program_wait(struct program *program)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool waits = mcp_server_waits(program->server);
	struct pollfd polls[] = {
		{.fd = !program->ended && mcp_server_takes(program->server) ? STDIN_FILENO : -1,
			.events = POLLIN},
		{.fd = program->host, .events = POLLIN},
	};
	int64_t left = program->asked_at + PATIENCE_MS - now_ms();

	if (poll(polls, 2, !waits ? -1 : left > 0 ? (int)left : 0) < 0)
		return;
	if (polls[0].revents)
		program_read_client(program);
	if (polls[1].revents)
		program_read_host(program);
	if (mcp_server_waits(program->server) && now_ms() >= program->asked_at + PATIENCE_MS) {
		error_set(&err, ERROR_FAILED, "the host does not answer");
		error_hint(&err, "try again later");
		host_close(program);
		mcp_server_lost(program->server, &err);
	}
}

int main(void)
{
	static const struct mcp_wire wire = {write_message, host_ask};
	struct program program = {
		.host = -1,
		.replies = BUF_INIT_MAX(MAX_REPLY),
		.input = BUF_INIT,
	};

	if (!getenv("NANOCLAW_SOCKET")) {
		fprintf(stderr, "error: NANOCLAW_SOCKET is not set\n"
				"hint: agents run this in their sandbox, where it is\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	program.server = mcp_server_new(&wire, &program);
	while (!program.ended || mcp_server_waits(program.server) ||
		memchr(program.input.data, '\n', program.input.len)) {
		program_take_lines(&program);
		if (!program.ended || mcp_server_waits(program.server))
			program_wait(&program);
	}
	mcp_server_free(program.server);
	host_close(&program);
	buf_release(&program.input);
	return EXIT_SUCCESS;
}
