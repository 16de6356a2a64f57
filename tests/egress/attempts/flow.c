/* Allowed connections work, within limits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../attempt.h"
#include "../lenient.h"

#define MEGABYTE ((unsigned long long)1024 * 1024)

#define GET(target, host)                                                                      \
	"GET " target " HTTP/1.1\r\nHost: " host "\r\nConnection: close\r\n\r\n"

static enum outcome has(const struct buf *answer, const char *text)
{
	if (memmem(answer->data, answer->len, text, strlen(text)))
		return WORKS;
	say("no '%s' in '%s' ", text, answer->data);
	return WRONG;
}

static enum outcome asks(const char *request, const char *wanted)
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;

	exchange(request, strlen(request), &answer);
	return has(&answer, wanted);
}

static enum outcome goes_through(const char *target, const char *wanted)
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;

	tunnel(target, GET("/", "allowed.example"), &answer);
	return has(&answer, wanted);
}

/* --- what works -------------------------------------------------------------- */

ATTEMPT(allowed_tunnel, MAY, "connect to an allowed host", "allowed.example:443")
{
	return goes_through("allowed.example:443", "public at ");
}

ATTEMPT(allowed_below, MAY, "connect to a name below an allowed one", "www.allowed.example:80")
{
	return goes_through("www.allowed.example:80", "public at 93.184.216.34");
}

ATTEMPT(allowed_port, MAY, "connect to an allowed port", "other.example:8443")
{
	return goes_through("other.example:8443", "public at 93.184.216.34");
}

ATTEMPT(allowed_address, MAY, "connect to an allowed address", "93.184.216.34:80")
{
	return goes_through("93.184.216.34:80", "public at 93.184.216.34");
}

ATTEMPT(allowed_plain, MAY, "ask an allowed host for a page", "allowed.example:80")
{
	return asks(GET("http://allowed.example/", "allowed.example"), "public at ");
}

ATTEMPT(allowed_form, MAY, "write an allowed name in upper case, with a dot at its end",
	"allowed.example:80")
{
	return asks(GET("http://ALLOWED.Example.:80/", "allowed.example"), "public at ");
}

ATTEMPT(allowed_query, MAY, "ask without a path", "allowed.example:80")
{
	return asks(GET("http://allowed.example?a=b", "allowed.example"), "public at ");
}

ATTEMPT(head_is_new, MAY, "see a head that is written anew", "allowed.example:80")
{
	return asks("GET http://allowed.example/head HTTP/1.1\r\nHost: ALLOWED.example:80\r\n"
		    "X-Mine: 1\r\nConnection: x-hop, keep-alive\r\nX-Hop: 2\r\n"
		    "Keep-Alive: 5\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\n\r\n",
		"\r\n\r\nGET /head HTTP/1.1\r\nHost: allowed.example\r\nX-Mine: 1\r\n"
		"Connection: close\r\n\r\n");
}

ATTEMPT(body_of_length, MAY, "send a body of a length", "allowed.example:80")
{
	return asks("POST http://allowed.example/body HTTP/1.1\r\nHost: allowed.example\r\n"
		    "Content-Length: 5\r\n\r\nabcde",
		"\r\n\r\nabcde");
}

ATTEMPT(body_in_chunks, MAY, "send a body in chunks", "allowed.example:80")
{
	return asks("POST http://allowed.example/body HTTP/1.1\r\nHost: allowed.example\r\n"
		    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
		"\r\n\r\nabcde");
}

ATTEMPT(large_body, MAY, "send a body of a megabyte", "allowed.example:80")
{
	CLEANUP(buf_release) struct buf request = BUF_INIT;
	CLEANUP(buf_release) struct buf answer = BUF_INIT;

	buf_appendf(&request,
		"POST http://allowed.example/body HTTP/1.1\r\nHost: allowed.example\r\n"
		"Content-Length: %llu\r\n\r\n",
		MEGABYTE);
	buf_append_repeated(&request, 'x', (size_t)MEGABYTE);
	exchange(request.data, request.len, &answer);
	return answer.len > MEGABYTE && answer.data[answer.len - 1] == 'x' ? WORKS : WRONG;
}

ATTEMPT(client_ends_first, MAY, "say all, and then get an answer", "allowed.example:80")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;

	tunnel("allowed.example:80", "GET /until-end HTTP/1.1\r\n\r\nabcdef", &answer);
	return has(&answer, "after 6 bytes");
}

static unsigned long long bytes_sent(void)
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	static const char request[] = GET("http://allowed.example/sent", "allowed.example");
	const char *found;

	exchange(request, strlen(request), &answer);
	found = strstr(answer.data, "public ");
	return found ? strtoull(found + 7, NULL, 10) : 0;
}

/* Bytes that are sent after the other side has ended also arrive. */
ATTEMPT(server_ends_first, MAY, "go on when the other side has said all", "allowed.example:80")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	char bytes[5000] = {0};
	int fd = open_proxy();

	send_text(
		fd, "CONNECT allowed.example:80 HTTP/1.1\r\nHost: allowed.example:80\r\n\r\n");
	read_until(fd, "\r\n\r\n", &answer);
	send_text(fd, "GET /end-first HTTP/1.1\r\n\r\n");
	read_until(fd, NULL, &answer); /* to the end that the server has said */
	send_all(fd, bytes, sizeof(bytes));
	close(fd);
	for (int i = 0; i < 1000; i++)
		if (bytes_sent() == sizeof(bytes))
			return WORKS;
	return WRONG;
}

/* --- bounds ------------------------------------------------------------------ */

static int ask_for_much(unsigned long long len)
{
	int fd = open_proxy();
	CLEANUP(freep)
	char *request = xasprintf("GET http://allowed.example/big?%llu HTTP/1.1\r\n"
				  "Host: allowed.example\r\n\r\n",
		len);

	send_text(fd, request);
	return fd;
}

/* The server gets rid of what fits into the buffers on the way, and of no more. */
ATTEMPT(slow_reader, BOUND, "have the host keep what it does not read", "allowed.example:80")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	CLEANUP(closep) int fd = ask_for_much(256 * MEGABYTE);
	unsigned long long before = 0;
	unsigned long long sent = 0;

	read_until(fd, "\r\n\r\n", &answer);
	for (int same = 0; same < 20; same = sent == before ? same + 1 : 0) {
		before = sent;
		sent = bytes_sent();
	}
	say("%llu MB were sent ", sent / MEGABYTE);
	return sent && sent < 64 * MEGABYTE ? BOUNDED : WRONG;
}

static unsigned long long count_answer(unsigned long long wanted)
{
	CLEANUP(closep) int fd = ask_for_much(wanted);
	unsigned long long got = 0;
	static char bytes[1 << 20];
	ssize_t len;

	while ((len = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		got += (unsigned long long)len;
	say("%llu of %llu bytes came ", got, wanted);
	return got;
}

ATTEMPT(large_answer, MAY, "read an answer of 256 megabytes", "allowed.example:80")
{
	return count_answer(256 * MEGABYTE) > 256 * MEGABYTE ? WORKS : WRONG;
}

/* `attempt_number` is what may come. */
ATTEMPT(big_answer, BOUND, "read an answer that is larger than allowed", "allowed.example:80")
{
	unsigned long long got = count_answer(attempt_number * 5 / 2);

	return got <= attempt_number && got + MEGABYTE > attempt_number ? BOUNDED : WRONG;
}

ATTEMPT(slow_heads, BOUND, "hold connections with heads that never end", "allowed.example:80")
{
	int fds[30];
	enum outcome outcome;

	for (int i = 0; i < 30; i++) {
		fds[i] = open_proxy();
		send_text(fds[i], "GET http://allowed.example/ HTTP/1.1\r\nX: ");
	}
	outcome = asks(GET("http://allowed.example/", "allowed.example"), "public at ");
	for (int i = 0; i < 30; i++)
		close(fds[i]);
	return outcome == WORKS ? BOUNDED : WRONG;
}

static bool opens(int fd)
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;

	send_text(fd,
		"CONNECT allowed.example:443 HTTP/1.1\r\nHost: allowed.example:443\r\n\r\n");
	read_until(fd, "\r\n\r\n", &answer);
	return !strncmp(answer.data, "HTTP/1.1 200", 12);
}

ATTEMPT(many_connections, BOUND, "have a hundred connections at a time", "allowed.example:443")
{
	int fds[100];
	int opened = 0;

	for (int i = 0; i < 100; i++) {
		fds[i] = open_proxy();
		opened += opens(fds[i]);
	}
	for (int i = 0; i < 100; i++)
		close(fds[i]);
	say("%d were opened ", opened);
	/* And then there is room again. */
	for (int i = 0; i < 1000; i++) {
		CLEANUP(closep) int fd = open_proxy();

		if (opens(fd))
			return opened == 64 ? BOUNDED : WRONG;
	}
	return WRONG;
}

/* Only where the limit for that is short. */
ATTEMPT(idle, BOUND, "hold a connection over which nothing goes", "allowed.example:443")
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	CLEANUP(closep) int fd = open_proxy();

	if (!opens(fd))
		return WRONG;
	send_text(fd, "GET /hang HTTP/1.1\r\n\r\n");
	read_until(fd, NULL, &answer);
	return answer.len ? WRONG : BOUNDED;
}
