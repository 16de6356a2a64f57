/*
 * A proxy without any check, and as unlucky as can be: it takes every form of a name that the
 * C library takes, looks names up a second time before it connects, prefers the address that
 * is worst, passes heads on as they are, and takes one request after the other.
 */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internet.h"
#include "lenient.h"

#define UNREACHED "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"

/* "user@host:80", "[::1]:80", "host": both parts. */
static void split(const char *authority, char *ret_host, size_t size, char *ret_port,
	size_t port_size, const char *otherwise)
{
	const char *at = strrchr(authority, '@');
	const char *host = at ? at + 1 : authority;
	const char *end = *host == '[' ? strchr(host, ']') : strchr(host, ':');
	const char *colon = end ? strchr(end, ':') : NULL;
	size_t len = end ? (size_t)(end - host) : strlen(host);

	if (*host == '[') {
		host++;
		len--;
	}
	snprintf(ret_host, size, "%.*s", (int)len, host);
	snprintf(ret_port, port_size, "%s", colon ? colon + 1 : otherwise);
}

static bool is_good(const struct addrinfo *address)
{
	char text[64];

	getnameinfo(address->ai_addr, address->ai_addrlen, text, sizeof(text), NULL, 0,
		NI_NUMERICHOST);
	return !strcmp(text, PUBLIC_V4) || !strcmp(text, PUBLIC_V6);
}

static int connect_to(const struct addrinfo *address)
{
	int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, address->ai_addr, address->ai_addrlen) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int reach(const char *authority, const char *otherwise)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	struct addrinfo *list = NULL;
	char host[512];
	char port[16];
	int fd = -1;

	split(authority, host, sizeof(host), port, sizeof(port), otherwise);
	/* "Is it public?" And then once more. */
	if (!getaddrinfo(host, port, &hints, &list))
		freeaddrinfo(list);
	if (getaddrinfo(host, port, &hints, &list))
		return -1;
	for (int good = 0; good < 2 && fd < 0; good++)
		for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next)
			if (is_good(a) == good)
				fd = connect_to(a);
	freeaddrinfo(list);
	return fd;
}

/* All that the server says, to its end. */
static void pass_back(int server, int agent)
{
	char bytes[65536];
	ssize_t got;

	while ((got = recv(server, bytes, sizeof(bytes), 0)) > 0)
		if (!send_all(agent, bytes, (size_t)got))
			return;
}

static bool tunnel(int agent, struct lenient *request)
{
	int server = reach(request->target, "443");
	char bytes[65536];
	ssize_t got;

	if (server < 0)
		return send_text(agent, UNREACHED) && false;
	send_text(agent, "HTTP/1.1 200 OK\r\n\r\n");
	got = recv(agent, bytes, sizeof(bytes), 0);
	if (got > 0)
		send_all(server, bytes, (size_t)got);
	pass_back(server, agent);
	close(server);
	return got > 0;
}

/* The head in the form for a server, all the rest of it as it is. */
static void pass_head(int server, const struct lenient *request, const char *path)
{
	const char *target = memmem(request->head.data, request->head.len, request->target,
		strlen(request->target));
	const char *behind = target + strlen(request->target);

	send_all(server, request->head.data, (size_t)(target - request->head.data));
	send_text(server, *path ? path : "/");
	send_all(server, behind, (size_t)(request->head.data + request->head.len - behind));
}

static bool pass(int agent, struct lenient *request)
{
	const char *authority = strstr(request->target, "://");
	char host[512];
	size_t len;
	int server;

	if (!authority)
		return false;
	authority += 3;
	len = strcspn(authority, "/?#\\");
	if (authority[len] == '\\') /* some read it as a slash, some as a letter */
		len = strcspn(authority, "/?#");
	snprintf(host, sizeof(host), "%.*s", (int)len, authority);
	server = reach(host, strncmp(request->target, "https", 5) ? "80" : "443");
	if (server < 0)
		return send_text(agent, UNREACHED) && false;
	pass_head(server, request, authority + len);
	/* A body may follow: pass on the part that has arrived. */
	if (lenient_header(request, "content-length").len || request->chunked) {
		send_all(server, request->rest.data, request->rest.len);
		buf_clear(&request->rest);
	}
	shutdown(server, SHUT_WR);
	pass_back(server, agent);
	close(server);
	return true;
}

static void serve(int agent)
{
	struct lenient request = {.head = BUF_INIT, .rest = BUF_INIT};

	while (lenient_read(agent, &request))
		if (!(strcmp(request.method, "CONNECT") ? pass(agent, &request)
							: tunnel(agent, &request)))
			break;
	lenient_release(&request);
}

void naive_serve(int listener)
{
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd >= 0 && !fork()) {
			serve(fd);
			_exit(0);
		}
		if (fd >= 0)
			close(fd);
	}
}
