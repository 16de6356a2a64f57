#include "attempt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lenient.h"

/* Limits attempts that hang. */
#define PATIENCE_SECONDS 600

#define GET "GET / HTTP/1.1\r\nHost: inside.example\r\nConnection: close\r\n\r\n"

unsigned attempt_port;
unsigned long long attempt_number;

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}

int open_proxy(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((in_port_t)attempt_port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		say("wrong: no proxy at %u: %s\n", attempt_port, strerror(errno));
		exit(0);
	}
	return fd;
}

void read_until(int fd, const char *until, struct buf *out)
{
	char bytes[65536];
	ssize_t got;

	while (!until || !memmem(out->data, out->len, until, strlen(until))) {
		got = recv(fd, bytes, sizeof(bytes), 0);
		if (got <= 0)
			return;
		buf_append(out, bytes, (size_t)got);
	}
}

static int status_of(const struct buf *answer)
{
	return strncmp(answer->data, "HTTP/1.", 7) ? 0
						   : (int)strtol(answer->data + 9, NULL, 10);
}

void exchange(const void *bytes, size_t len, struct buf *out)
{
	CLEANUP(closep) int fd = open_proxy();

	/* Not all of it may be taken: then the answer says why. */
	send_all(fd, bytes, len);
	shutdown(fd, SHUT_WR);
	read_until(fd, NULL, out);
}

/* Up to and with the answer to a CONNECT, which stands alone. */
static int open_tunnel(int fd, const void *bytes, size_t len, struct buf *out)
{
	int status;

	send_all(fd, bytes, len);
	read_until(fd, "\r\n\r\n", out);
	status = status_of(out);
	if (status == 200)
		buf_clear(out);
	else
		read_until(fd, NULL, out);
	return status;
}

int tunnel(const char *target, const char *bytes, struct buf *out)
{
	CLEANUP(closep) int fd = open_proxy();
	CLEANUP(freep)
	char *head = xasprintf("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target);
	int status = open_tunnel(fd, head, strlen(head), out);

	if (status != 200)
		return status;
	send_text(fd, bytes);
	shutdown(fd, SHUT_WR);
	read_until(fd, NULL, out);
	return status;
}

enum outcome outcome_of(const struct buf *answer)
{
	int status = status_of(answer);

	if (memmem(answer->data, answer->len, "SECRET", 6))
		return GOT_THROUGH;
	return status >= 200 && status < 400 ? HARMLESS : status >= 400 ? REFUSED : WRONG;
}

static enum outcome run_request(const struct attempt *attempt)
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	CLEANUP(closep) int fd = -1;
	const char *text;
	enum outcome outcome;

	if (strncmp(attempt->bytes, "CONNECT ", 8) != 0) {
		exchange(attempt->bytes, attempt->len, &answer);
	} else {
		fd = open_proxy();
		if (open_tunnel(fd, attempt->bytes, attempt->len, &answer) == 200) {
			send_text(fd, GET);
			shutdown(fd, SHUT_WR);
			read_until(fd, NULL, &answer);
		}
	}
	outcome = outcome_of(&answer);
	text = strstr(answer.data, "\r\n\r\n");
	say("%.*s | %s\n", (int)strcspn(answer.data, "\r"), answer.data, text ? text + 4 : "");
	return outcome;
}

static int run(const struct attempt *attempt)
{
	static const char *const names[] = {
		[GOT_THROUGH] = "got-through",
		[REFUSED] = "refused",
		[HARMLESS] = "harmless",
		[BOUNDED] = "bounded",
		[WORKS] = "works",
		[WRONG] = "wrong",
	};

	printf("%s\n", names[attempt->run ? attempt->run() : run_request(attempt)]);
	return 0;
}

static int list(void)
{
	static const char *const kinds[] = {"must-not", "no-effect", "bound", "may"};

	for (const struct attempt *const *a = __start_egress_attempts;
		a != __stop_egress_attempts; a++)
		printf("%s\t%s\t%s\t%s\n", (*a)->name, kinds[(*a)->kind], (*a)->logged,
			(*a)->claim);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return list();
	if (argc < 3)
		return 99;
	attempt_port = (unsigned)strtoul(argv[1], NULL, 10);
	attempt_number = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
	for (const struct attempt *const *a = __start_egress_attempts;
		a != __stop_egress_attempts; a++)
		if (!strcmp((*a)->name, argv[2]))
			return run(*a);
	return 99;
}
