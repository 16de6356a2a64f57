/*
 * nanoclaw-relay PORT SOCKET PROGRAM [ARGUMENT...]
 *
 * In a sandbox, whose network leads nowhere: listens on 127.0.0.1:PORT, connects each
 * caller with the Unix socket SOCKET, and becomes PROGRAM. The host decides at the other end of
 * the socket what happens (gate/gate.h); the relay only passes bytes.
 *
 * The relay itself is a process beside the program, without its standard streams, and ends with
 * the sandbox.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CONNECTIONS 128
#define CHUNK           ((size_t)64 * 1024)

/* One direction of a connection: bytes read from one side and not yet written to the other. */
struct way {
	char *chunk;
	size_t from;
	size_t to;
	bool ended;  /* the reading side has said all */
	bool closed; /* and the other side has been shut down */
};

/* sides[0] is the program, sides[1] the host; ways[i] leads from sides[i] to the other. */
struct connection {
	int sides[2];
	struct way ways[2];
};

static struct connection connections[MAX_CONNECTIONS];
static size_t connection_count;

static void __attribute__((noreturn)) fail(const char *what)
{
	fprintf(stderr, "nanoclaw-relay: %s: %s\n", what, strerror(errno));
	exit(126);
}

/* --- the two ends ------------------------------------------------------------ */

static int listen_on(const char *port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		listen(fd, MAX_CONNECTIONS) < 0)
		fail("cannot listen");
	return fd;
}

static int connect_to(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		close(fd);
		return -1;
	}
	if (fd >= 0)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

/* --- connections ------------------------------------------------------------- */

static void connection_end(size_t index)
{
	struct connection *c = &connections[index];

	for (int i = 0; i < 2; i++) {
		close(c->sides[i]);
		free(c->ways[i].chunk);
	}
	*c = connections[--connection_count];
}

static void connection_accept(int listener, const char *path)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct connection *c = &connections[connection_count];
	int host;

	if (fd < 0)
		return;
	/* Small pieces are passed on at once. */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	host = connect_to(path);
	*c = (struct connection){.sides = {fd, host}};
	c->ways[0].chunk = malloc(CHUNK);
	c->ways[1].chunk = malloc(CHUNK);
	connection_count++;
	if (host < 0 || !c->ways[0].chunk || !c->ways[1].chunk)
		connection_end(connection_count - 1);
}

static bool would_block(ssize_t result)
{
	return result < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Moves what can be moved; false when the connection is broken. */
static bool connection_move(struct connection *c, int i)
{
	struct way *way = &c->ways[i];
	int from = c->sides[i];
	int to = c->sides[1 - i];
	ssize_t done;

	if (way->from == way->to && !way->ended) {
		done = recv(from, way->chunk, CHUNK, 0);
		if (done < 0 && !would_block(done))
			return false;
		way->ended = done == 0;
		way->from = 0;
		way->to = done > 0 ? (size_t)done : 0;
	}
	if (way->from < way->to) {
		done = send(to, way->chunk + way->from, way->to - way->from, MSG_NOSIGNAL);
		if (done < 0 && !would_block(done))
			return false;
		way->from += done > 0 ? (size_t)done : 0;
	}
	if (way->ended && !way->closed && way->from == way->to) {
		shutdown(to, SHUT_WR);
		way->closed = true;
	}
	return true;
}

/* What to poll for on side `i`. */
static struct pollfd connection_poll(const struct connection *c, int i)
{
	const struct way *out = &c->ways[i];
	const struct way *in = &c->ways[1 - i];
	short events = 0;

	if (!out->ended && out->from == out->to)
		events |= POLLIN;
	if (in->from < in->to)
		events |= POLLOUT;
	/* If nothing is wanted, poll() would report a hangup all the same, again and again. */
	return (struct pollfd){.fd = events ? c->sides[i] : -1, .events = events};
}

static void __attribute__((noreturn)) serve(int listener, const char *path)
{
	struct pollfd polls[MAX_CONNECTIONS * 2 + 1];

	for (;;) {
		size_t count = connection_count;

		for (size_t n = 0; n < count; n++)
			for (int i = 0; i < 2; i++)
				polls[n * 2 + (size_t)i] = connection_poll(&connections[n], i);
		polls[count * 2] = (struct pollfd){
			.fd = count < MAX_CONNECTIONS ? listener : -1,
			.events = POLLIN,
		};
		if (poll(polls, count * 2 + 1, -1) < 0)
			continue;
		for (size_t n = count; n > 0; n--) {
			struct connection *c = &connections[n - 1];
			const struct pollfd *p = &polls[(n - 1) * 2];

			if (!p[0].revents && !p[1].revents)
				continue;
			if (!connection_move(c, 0) || !connection_move(c, 1) ||
				(c->ways[0].closed && c->ways[1].closed))
				connection_end(n - 1);
		}
		if (polls[count * 2].revents)
			connection_accept(listener, path);
	}
}

/* --- beside the program ------------------------------------------------------ */

/* Not its child: it must not find one that it did not start. */
static void start_beside(int listener, const char *path)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		fail("cannot fork");
	if (pid) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		close(listener);
		return;
	}
	pid = fork();
	if (pid)
		_exit(pid < 0);
	signal(SIGPIPE, SIG_IGN);
	setsid();
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		if (null >= 0)
			dup2(null, fd);
	}
	serve(listener, path);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: nanoclaw-relay PORT SOCKET PROGRAM [ARGUMENT...]\n");
		return 126;
	}
	start_beside(listen_on(argv[1]), argv[2]);
	execvp(argv[3], argv + 3);
	fail(argv[3]);
}
