#include "proc/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"

void notify_send(const char *state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *name = getenv("NOTIFY_SOCKET");
	CLEANUP(closep) int fd = -1;
	size_t len;

	if (!name || (name[0] != '/' && name[0] != '@') ||
		strlen(name) >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, name, strlen(name));
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	len = offsetof(struct sockaddr_un, sun_path) + strlen(name);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	/* It is fine if the manager does not listen. */
	(void)!sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
		(socklen_t)len);
}

/* A variable that holds a number above zero; 0 if it does not. */
static long long number_in(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long long number;

	if (!text || !*text)
		return 0;
	errno = 0;
	number = strtoll(text, &end, 10);
	return errno || *end || number < 0 ? 0 : number;
}

int64_t notify_watchdog_ms(void)
{
	/* The variables are inherited and may be for another process. */
	if (getenv("WATCHDOG_PID") && number_in("WATCHDOG_PID") != getpid())
		return 0;
	return number_in("WATCHDOG_USEC") / 1000;
}
