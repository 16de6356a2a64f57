#include "pseudo_terminal.h"

#include <errno.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *pseudo_terminal_missing(void)
{
	static char reason[200];
	int ends[2];

	if (openpty(&ends[0], &ends[1], NULL, NULL, NULL) < 0) {
		snprintf(reason, sizeof(reason), "there are no pseudo-terminals here: %s",
			strerror(errno));
		return reason;
	}
	close(ends[0]);
	close(ends[1]);
	return NULL;
}

void pseudo_terminal_or_skip(void)
{
	const char *why = pseudo_terminal_missing();

	if (!why)
		return;
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}
