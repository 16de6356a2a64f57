/* Without the proxy. Against the proxy without checks means: outside of the sandbox. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../attempt.h"
#include "../internet.h"
#include "../lenient.h"

static enum outcome ask(const void *address, socklen_t len)
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	int family = ((const struct sockaddr *)address)->sa_family;
	CLEANUP(closep) int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, address, len) < 0) {
		say("%s ", strerror(errno));
		return REFUSED;
	}
	send_text(fd, "GET /smuggled HTTP/1.1\r\nConnection: close\r\n\r\n");
	read_until(fd, NULL, &answer);
	return outcome_of(&answer);
}

static enum outcome ask_v4(const char *host)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};

	inet_pton(AF_INET, host, &address.sin_addr);
	return ask(&address, sizeof(address));
}

ATTEMPT(direct, MUST_NOT, "connect to an allowed address without the proxy", "")
{
	return ask_v4(PUBLIC_V4);
}

ATTEMPT(direct_private, MUST_NOT, "connect to a private address without the proxy", "")
{
	return ask_v4("10.0.0.1");
}

ATTEMPT(direct_loopback, MUST_NOT, "connect to the host's loopback without the proxy", "")
{
	return ask_v4("127.0.0.1");
}

ATTEMPT(direct_v6, MUST_NOT, "connect by IPv6 without the proxy", "")
{
	struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(80)};

	inet_pton(AF_INET6, PUBLIC_V6, &address.sin6_addr);
	return ask(&address, sizeof(address));
}

ATTEMPT(abstract_socket, MUST_NOT, "connect to an abstract socket of the host", "")
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	memcpy(address.sun_path + 1, ABSTRACT_NAME, strlen(ABSTRACT_NAME));
	return ask(&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
					 strlen(ABSTRACT_NAME)));
}

/* No server here sends "SECRET": any answer counts. */
static enum outcome look_up(const char *server)
{
	static const char question[] = "\1\2\1\0\0\1\0\0\0\0\0\0\7allowed\7example\0\0\1\0\1";
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(53)};
	struct timeval patience = {.tv_sec = 2};
	CLEANUP(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char reply[512];

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	inet_pton(AF_INET, server, &address.sin_addr);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		send(fd, question, sizeof(question) - 1, 0) < 0 ||
		recv(fd, reply, sizeof(reply), 0) <= 0) {
		say("%s ", strerror(errno));
		return REFUSED;
	}
	return GOT_THROUGH;
}

ATTEMPT(dns_of_host, MUST_NOT, "ask the DNS of the host", "")
{
	return look_up("127.0.0.1");
}

ATTEMPT(dns_public, MUST_NOT, "ask a public DNS, and so send something out", "")
{
	return look_up("8.8.8.8");
}

ATTEMPT(look_up_name, MUST_NOT, "look a name up", "")
{
	struct addrinfo *list = NULL;
	int result = getaddrinfo("public.t.example", "80", NULL, &list);

	if (!result)
		freeaddrinfo(list);
	return result ? REFUSED : GOT_THROUGH;
}
