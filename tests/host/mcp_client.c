/*
 * A host that runs, for MCP clients of others:
 *
 *	mcp-client HOST AGENT BRIDGE MCP SCRIPT
 *
 * node runs the script (mcp-client.mjs), which prints the results, where the sockets are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

static void wake(struct driver *d, const char *group)
{
	CLEANUP(freep)
	char *answer =
		driver_run(d, (const char *const[]){"send", group, "x", "--wait", NULL}, NULL);

	if (strcmp(answer, "x\n") != 0)
		driver_fail(d, "the agent of '%s' does not answer: %s", group, answer);
}

static int run_script(struct driver *d, char **argv)
{
	CLEANUP(freep) char *folder = xasprintf("%s/data/run", d->root);
	CLEANUP(freep) char *server = realpath(argv[4], NULL);
	CLEANUP(freep) char *script = realpath(argv[5], NULL);
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		if (chdir(folder) == 0)
			execlp("node", "node", script, server, (char *)NULL);
		_exit(99);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		driver_fail(d, "cannot run node");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

int main(int argc, char **argv)
{
	struct driver d;
	int result;

	if (argc != 6)
		return 2;
	driver_init(&d, argv[1], argv[2], argv[3]);
	driver_set(&d, "NANOCLAW_IDLE_SECONDS", "86400");
	driver_group(&d, "g1", "test:1", false);
	driver_start_ready(&d);
	wake(&d, "main");
	wake(&d, "g1");
	result = run_script(&d, argv);
	if (driver_stop(&d) != 0)
		driver_fail(&d, "the host does not end as it should");
	driver_release(&d);
	return result;
}
