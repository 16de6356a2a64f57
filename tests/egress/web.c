/*
 * The web of the test's internet: one server for all hosts, at every address and four ports.
 * It says where it was reached, and "SECRET" wherever an agent must not be:
 *
 *	at any address but the public ones, at port 22, for the path /smuggled, for the header
 *	"Host: admin.example", to a TRACE, a proxy's password, or the wish for another protocol
 *
 *	/redirect?URL	leads there		/big?N	N bytes		/sent	of the last such
 * answer /body		the body it got		/head	the head it got /until-end
 * answers when the other side has said all /end-first	says all, and then counts what still
 * comes (/sent) /hang		says nothing
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internet.h"
#include "lenient.h"

struct visit {
	int fd;
	struct internet_facts *facts;
	struct lenient request;
	char address[64];
	unsigned port;
};

static void find_address(struct visit *visit)
{
	struct sockaddr_storage own = {0};
	socklen_t len = sizeof(own);
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&own;
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)&own;
	char text[64] = "no address";

	getsockname(visit->fd, (struct sockaddr *)&own, &len);
	if (own.ss_family == AF_INET6)
		inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof(text));
	else if (own.ss_family == AF_INET)
		inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text));
	visit->port = own.ss_family == AF_UNIX ? 0 : ntohs(v4->sin_port);
	snprintf(visit->address, sizeof(visit->address), "%s",
		strncmp(text, "::ffff:", 7) ? text : text + 7);
}

static bool is_secret(const struct visit *visit)
{
	const struct lenient *request = &visit->request;

	return (strcmp(visit->address, PUBLIC_V4) != 0 &&
		       strcmp(visit->address, PUBLIC_V6) != 0) ||
	       visit->port == 22 || strstr(request->target, "/smuggled") ||
	       !strcmp(request->method, "TRACE") ||
	       view_equal_str(lenient_header(request, "host"), "admin.example") ||
	       lenient_header(request, "proxy-authorization").len ||
	       lenient_header(request, "upgrade").len;
}

static void answer(struct visit *visit, struct view body)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	buf_appendf(&out, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n%s\r\n", body.len,
		visit->request.close ? "Connection: close\r\n" : "");
	buf_append(&out, body.data, body.len);
	send_all(visit->fd, out.data, out.len);
}

static void answer_text(struct visit *visit, const char *text)
{
	answer(visit, view_of(text));
}

static void send_big(struct visit *visit, unsigned long long len)
{
	static char zeros[65536];
	CLEANUP(freep)
	char *head = xasprintf(
		"HTTP/1.1 200 OK\r\nContent-Length: %llu\r\nConnection: close\r\n\r\n", len);

	visit->facts->sent = 0;
	if (!send_text(visit->fd, head))
		return;
	while (len) {
		size_t piece = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);

		if (!send_all(visit->fd, zeros, piece))
			return;
		visit->facts->sent += piece;
		len -= piece;
	}
}

/* How much comes until the end. */
static size_t drain(struct visit *visit)
{
	size_t count = visit->request.rest.len;
	char bytes[4096];
	ssize_t got;

	while ((got = recv(visit->fd, bytes, sizeof(bytes), 0)) > 0)
		count += (size_t)got;
	return count;
}

static void end_first(struct visit *visit)
{
	visit->request.close = true;
	answer_text(visit, "public, and this is all\n");
	shutdown(visit->fd, SHUT_WR);
	visit->facts->sent = drain(visit);
}

static void until_end(struct visit *visit)
{
	CLEANUP(freep) char *text = xasprintf("public, after %zu bytes\n", drain(visit));

	visit->request.close = true;
	answer_text(visit, text);
}

static void redirect(struct visit *visit, const char *to)
{
	CLEANUP(freep)
	char *text =
		xasprintf("HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n%s\r\n",
			to, visit->request.close ? "Connection: close\r\n" : "");

	send_text(visit->fd, text);
}

/* False: nothing more can be said here. */
static bool serve_path(struct visit *visit, const char *path, const struct buf *body)
{
	CLEANUP(freep) char *text = NULL;

	if (!strncmp(path, "/redirect?", 10)) {
		redirect(visit, path + 10);
	} else if (!strncmp(path, "/big?", 5)) {
		send_big(visit, strtoull(path + 5, NULL, 10));
		return false;
	} else if (!strcmp(path, "/sent")) {
		text = xasprintf("public %llu\n", (unsigned long long)visit->facts->sent);
		answer_text(visit, text);
	} else if (!strcmp(path, "/body")) {
		answer(visit, view_of_buf(body));
	} else if (!strcmp(path, "/head")) {
		answer(visit, view_of_buf(&visit->request.head));
	} else if (!strcmp(path, "/until-end")) {
		until_end(visit);
		return false;
	} else if (!strcmp(path, "/end-first")) {
		end_first(visit);
		return false;
	} else if (!strcmp(path, "/hang")) {
		drain(visit);
		return false;
	} else {
		text = xasprintf("public at %s\n", visit->address);
		answer_text(visit, text);
	}
	return true;
}

static bool serve_one(struct visit *visit)
{
	CLEANUP(buf_release) struct buf body = BUF_INIT;
	CLEANUP(freep) char *text = NULL;

	if (!lenient_read(visit->fd, &visit->request))
		return false;
	lenient_body(visit->fd, &visit->request, &body);
	visit->facts->requests++;
	if (is_secret(visit)) {
		visit->facts->secrets++;
		text = xasprintf("SECRET at %s\n", visit->address);
		answer_text(visit, text);
	} else if (!serve_path(visit, visit->request.target, &body)) {
		return false;
	}
	return !visit->request.close;
}

static void serve(int fd, struct internet_facts *facts)
{
	struct visit visit = {.fd = fd, .facts = facts};

	visit.request.head = visit.request.rest = BUF_INIT;
	find_address(&visit);
	while (serve_one(&visit))
		;
	lenient_release(&visit.request);
}

void web_serve(int listener, struct internet_facts *facts)
{
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd >= 0 && !fork()) {
			serve(fd, facts);
			_exit(0);
		}
		if (fd >= 0)
			close(fd);
	}
}
