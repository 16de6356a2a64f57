#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

static pid_t pager;

/* A shell runs it, because PAGER may have options. If it is missing, cat replaces it. */
static void __attribute__((noreturn)) pager_exec(const char *command, int input)
{
	CLEANUP(freep) char *line = xasprintf("%s || exec cat", command);

	dup2(input, STDIN_FILENO);
	setenv("LESS", "FRX", 0);
	setenv("LESSCHARSET", "utf-8", 0); /* ours, whatever the locale is */
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

void pager_start(const struct cli *cli)
{
	const char *command = getenv("PAGER");
	const char *term = getenv("TERM");
	int ends[2];

	if (!command || !*command)
		command = "less 2>/dev/null";
	if (!cli->interactive || !term || !strcmp(term, "dumb") || !strcmp(command, "cat") ||
		pager || pipe2(ends, O_CLOEXEC) < 0)
		return;
	fflush(NULL);
	pager = fork();
	if (!pager)
		pager_exec(command, ends[0]);
	if (pager > 0)
		dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
}

bool pager_is_running(void)
{
	return pager > 0;
}

void pager_wait(void)
{
	if (pager <= 0)
		return;
	signal(SIGINT, SIG_IGN);
	close(STDOUT_FILENO); /* the end of its input */
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}
