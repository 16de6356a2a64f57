#include "upstream.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive/gzip.h"
#include "base/buf.h"

#define STUCK_MS 300

static struct upstream_counts *counts;
static int events = -1;
static int go = -1;

static void tell(char event)
{
	if (write(events, &event, 1) != 1)
		abort();
}

/* --- what is sent ------------------------------------------------------------ */

int upstream_event(char *text, unsigned id, unsigned i)
{
	return snprintf(text, UPSTREAM_EVENT_MAX,
		"event: content_block_delta\ndata: {\"stream\":%u,\"number\":%u,\"text\":\"%.*s\"}\n\n",
		id, i, (int)((id * 7 + i * 13) % 60),
		"the quick brown fox jumps over the lazy dog, and over again");
}

unsigned char upstream_byte(uint64_t i)
{
	return (unsigned char)((i * 2654435761u) >> 13);
}

static bool send_all(int fd, const char *data, size_t len)
{
	while (len) {
		struct pollfd p = {.fd = fd, .events = POLLOUT};
		ssize_t done;

		if (poll(&p, 1, STUCK_MS) == 0) {
			tell(UPSTREAM_STUCK);
			poll(&p, 1, -1);
		}
		done = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (done < 0)
			return false;
		data += done;
		len -= (size_t)done;
	}
	return true;
}

static bool say(int fd, const char *text)
{
	return send_all(fd, text, strlen(text));
}

static bool send_chunk(int fd, const char *data, size_t len)
{
	char size[32];

	snprintf(size, sizeof(size), "%zx\r\n", len);
	return say(fd, size) && send_all(fd, data, len) && say(fd, "\r\n");
}

#define STREAM                                                                                 \
	"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"                               \
	"Transfer-Encoding: chunked\r\n\r\n"

static bool send_event(int fd, unsigned id, unsigned i)
{
	char text[UPSTREAM_EVENT_MAX];

	return send_chunk(fd, text, (size_t)upstream_event(text, id, i));
}

static bool send_events(int fd, unsigned id, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!send_event(fd, id, i))
			return false;
	return true;
}

/* `plain`: always the same bytes. */
static bool send_big(int fd, uint64_t total, bool chunked, bool plain)
{
	static __thread char piece[65536];
	char head[128];

	if (chunked)
		snprintf(head, sizeof(head), STREAM);
	else
		snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\nContent-Length: %llu\r\n\r\n",
			(unsigned long long)total);
	if (!say(fd, head))
		return false;
	for (uint64_t i = 0; i < total;) {
		size_t len = total - i < sizeof(piece) ? (size_t)(total - i) : sizeof(piece);

		for (size_t k = 0; !plain && k < len; k++)
			piece[k] = (char)upstream_byte(i + k);
		if (!(chunked ? send_chunk(fd, piece, len) : send_all(fd, piece, len)))
			return false;
		i += len;
	}
	return !chunked || say(fd, "0\r\n\r\n");
}

/* --- what is read ------------------------------------------------------------ */

static bool read_until(int fd, struct buf *in, const char *mark, size_t from)
{
	while (!memmem(in->data + from, in->len - from, mark, strlen(mark))) {
		ssize_t got;

		buf_reserve(in, 65536);
		got = read(fd, in->data + in->len, 65536);
		if (got <= 0)
			return false;
		buf_set_len(in, in->len + (size_t)got);
	}
	return true;
}

static bool read_length(int fd, struct buf *in, size_t len)
{
	while (in->len < len) {
		ssize_t got;

		buf_reserve(in, 65536);
		got = read(fd, in->data + in->len, 65536);
		if (got <= 0)
			return false;
		buf_set_len(in, in->len + (size_t)got);
	}
	return true;
}

/* A body in chunks, taken out of them. `at` is where it begins. */
static bool read_chunks(int fd, struct buf *in, size_t at, struct buf *body)
{
	for (;;) {
		size_t size;

		if (!read_until(fd, in, "\r\n", at))
			return false;
		size = strtoul(in->data + at, NULL, 16);
		at = (size_t)(strstr(in->data + at, "\r\n") - in->data) + 2;
		if (!read_length(fd, in, at + size + 2))
			return false;
		buf_append(body, in->data + at, size);
		at += size + 2;
		if (!size)
			return true;
	}
}

static bool read_body(int fd, struct buf *in, size_t head, struct buf *body)
{
	char *length = strcasestr(in->data, "\r\ncontent-length:");
	size_t len;

	if (strcasestr(in->data, "\r\ntransfer-encoding: chunked"))
		return read_chunks(fd, in, head, body);
	if (!length || length > in->data + head)
		return true;
	len = strtoul(length + strlen("\r\ncontent-length:"), NULL, 10);
	if (!read_length(fd, in, head + len))
		return false;
	buf_append(body, in->data + head, len);
	return true;
}

/* --- requests ---------------------------------------------------------------- */

/* In capitals: as it is it would not come through. */
static void shout(char *head, const char *name)
{
	char *at = strstr(head, name);

	for (at = at ? at + strlen(name) : NULL; at && *at != '\r'; at++)
		*at = (char)toupper((unsigned char)*at);
}

static bool echo(int fd, const char *original, size_t len, const struct buf *body)
{
	CLEANUP(freep) char *head = xmemdupz(original, len);
	char start[128];

	shout(head, "\r\nx-api-key: ");
	shout(head, "\r\nauthorization: Bearer ");
	snprintf(start, sizeof(start), "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n",
		len + body->len);
	return say(fd, start) &&
	       (!strncmp(head, "HEAD", 4) ||
		       (send_all(fd, head, len) && send_all(fd, body->data, body->len)));
}

/* As it is, so many bytes at a time. */
static bool mirror(int fd, const char *head, size_t len, unsigned piece)
{
	if (!say(fd, STREAM))
		return false;
	for (size_t i = 0; i < len; i += piece)
		if (!send_chunk(fd, head + i, len - i < piece ? len - i : piece))
			return false;
	return say(fd, "0\r\n\r\n");
}

static bool hold(int fd)
{
	char byte;

	return say(fd, STREAM) && send_event(fd, 1, 0) && read(go, &byte, 1) == 1 &&
	       send_event(fd, 1, 1) && say(fd, "0\r\n\r\n");
}

/* Until the other side has gone. */
static bool be_silent(int fd)
{
	char byte;

	while (read(fd, &byte, 1) > 0)
		;
	return false;
}

/* Compressed with gzip, or in a way that nobody knows; not as it was asked for. */
static bool send_packed(int fd, const char *head, size_t len, bool known)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int file = memfd_create("packed", MFD_CLOEXEC);
	CLEANUP(gzip_writer_freep) struct gzip_writer *writer = gzip_writer_new(file);
	char bytes[65536];
	char start[256];
	ssize_t size;

	if (gzip_write(writer, head, len, &err) < 0 || gzip_write_end(writer, &err) < 0)
		return false;
	size = pread(file, bytes, sizeof(bytes), 0);
	snprintf(start, sizeof(start),
		"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %zd\r\n\r\n",
		known ? "gzip" : "x-own", size);
	return size > 0 && say(fd, start) && send_all(fd, bytes, (size_t)size);
}

static bool key_back(int fd, const char *head)
{
	const char *key = strcasestr(head, "\r\nx-api-key: ");
	char text[512];

	snprintf(text, sizeof(text),
		"HTTP/1.1 200 OK\r\nX-Seen: %.*s\r\nX-%.*s: 1\r\nX-Other: 1\r\n"
		"Set-Cookie: a=b\r\nContent-Length: 0\r\n\r\n",
		key ? (int)strcspn(key + 13, "\r") : 0, key ? key + 13 : "",
		key ? (int)strcspn(key + 13, "\r") : 0, key ? key + 13 : "");
	return say(fd, text);
}

static bool be_odd(int fd, unsigned number)
{
	static const char *const texts[] = {
		"HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nBad Name: 1\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n",
		"hello there\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nno head",
	};
	char line[1024];

	if (number < sizeof(texts) / sizeof(*texts)) {
		say(fd, texts[number]);
		return false;
	}
	say(fd, "HTTP/1.1 200 OK\r\n");
	memset(line, 'x', sizeof(line));
	for (int i = 0; i < 1000; i++)
		if (!say(fd, "X-A: ") || !send_all(fd, line, sizeof(line)) || !say(fd, "\r\n"))
			break;
	return false;
}

static bool play(int fd, const char *head, size_t len, struct buf *in, bool *ret_again)
{
	CLEANUP(buf_release) struct buf body = BUF_INIT;
	const char *path = strchr(head, '/');
	unsigned id;
	unsigned n;
	unsigned long long big;
	char text[128];

	*ret_again = true;
	if (!strncmp(path, "/early", 6)) {
		say(fd, "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
		return be_silent(fd);
	}
	if (!read_body(fd, in, len, &body))
		return false;
	if (!strncmp(path, "/echo", 5))
		return echo(fd, head, len, &body);
	if (sscanf(path, "/mirror/%u", &n) == 1)
		return mirror(fd, head, len, n);
	if (!strncmp(path, "/packed", 7))
		return send_packed(fd, head, len, !strncmp(path, "/packed/gzip", 12));
	if (sscanf(path, "/sse/%u/%u", &id, &n) == 2)
		return say(fd, STREAM) && send_events(fd, id, n) && say(fd, "0\r\n\r\n");
	if (!strncmp(path, "/hold", 5))
		return hold(fd);
	if (sscanf(path, "/big/%llu", &big) == 1)
		return send_big(fd, big, false, false);
	if (sscanf(path, "/bigchunked/%llu", &big) == 1)
		return send_big(fd, big, true, false);
	if (sscanf(path, "/fast/%llu", &big) == 1)
		return send_big(fd, big, false, true);
	if (sscanf(path, "/think/%u", &n) == 1) {
		usleep(n * 1000);
		return say(fd, STREAM) && send_events(fd, 1, 5) && say(fd, "0\r\n\r\n");
	}
	if (sscanf(path, "/die/%u", &n) == 1)
		return say(fd, STREAM) && send_events(fd, 1, n) && false;
	if (!strncmp(path, "/short", 6))
		return say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf!") && false;
	if (!strncmp(path, "/closed", 7))
		return say(fd, "HTTP/1.1 200 OK\r\n\r\nwhole") && false;
	if (sscanf(path, "/status/%u", &n) == 1) {
		snprintf(text, sizeof(text),
			"HTTP/1.1 %u X\r\nLocation: http://other.example/x\r\n%s\r\n", n,
			n == 204 || n == 304 ? "" : "Content-Length: 0\r\n");
		return say(fd, text);
	}
	if (!strncmp(path, "/hints", 6))
		return say(fd, "HTTP/1.1 103 Early Hints\r\nX: hint\r\n\r\n"
			       "HTTP/1.1 100 Continue\r\n\r\n"
			       "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere");
	if (!strncmp(path, "/keyback", 8))
		return key_back(fd, head);
	if (sscanf(path, "/odd/%u", &n) == 1)
		return be_odd(fd, n);
	if (!strncmp(path, "/stream", 7) || !strncmp(path, "/cut", 4))
		return say(fd, STREAM) && send_chunk(fd, body.data, body.len) &&
		       path[1] == 's' && say(fd, "0\r\n\r\n");
	if (!strncmp(path, "/plain", 6)) {
		snprintf(text, sizeof(text),
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
			"Content-Length: %zu\r\n\r\n",
			body.len);
		return say(fd, text) && send_all(fd, body.data, body.len);
	}
	if (!strncmp(path, "/silent", 7))
		tell(UPSTREAM_READ);
	return be_silent(fd);
}

static void *serve(void *data)
{
	int fd = (int)(intptr_t)data;
	bool again = true;

	counts->open++;
	while (again) {
		CLEANUP(buf_release) struct buf in = BUF_INIT;
		CLEANUP(freep) char *head = NULL;
		size_t len;

		if (!read_until(fd, &in, "\r\n\r\n", 0))
			break;
		len = (size_t)(strstr(in.data, "\r\n\r\n") - in.data) + 4;
		head = xmemdupz(in.data, len);
		counts->requests++;
		tell(UPSTREAM_ASKED);
		if (!play(fd, head, len, &in, &again))
			break;
	}
	close(fd);
	counts->open--;
	tell(UPSTREAM_CLOSED);
	return NULL;
}

static void __attribute__((noreturn)) listen_for_ever(int listener)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		int fd = accept(listener, NULL, NULL);
		pthread_t thread;

		if (fd < 0)
			continue;
		counts->connections++;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
		if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd))
			abort();
		pthread_detach(thread);
	}
}

void upstream_server_start(struct upstream_server *server)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int told[2];
	int held[2];

	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		-1, 0);
	if (counts == MAP_FAILED || pipe2(told, O_CLOEXEC) || pipe2(held, O_CLOEXEC) ||
		bind(fd, (struct sockaddr *)&address, len) || listen(fd, 256) ||
		getsockname(fd, (struct sockaddr *)&address, &len))
		abort();
	server->counts = counts;
	server->events = told[0];
	server->go = held[1];
	events = told[1];
	go = held[0];
	server->port = ntohs(address.sin_port);
	fflush(stdout);
	server->pid = fork();
	if (!server->pid)
		listen_for_ever(fd);
	close(fd);
}

void upstream_server_stop(struct upstream_server *server)
{
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
	munmap(server->counts, sizeof(*server->counts));
	close(server->events);
	close(server->go);
	close(events);
	close(go);
}

void upstream_server_wait(struct upstream_server *server, char event)
{
	char byte = '\0';

	while (byte != event)
		if (read(server->events, &byte, 1) != 1)
			abort();
}

void upstream_server_go(struct upstream_server *server)
{
	if (write(server->go, "", 1) != 1)
		abort();
}
