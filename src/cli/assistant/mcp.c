#include <unistd.h>

#include "cli/command.h"
#include "proc/process.h"

#define MCP_PROGRAM "nanoclaw-mcp"

static int run_mcp(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(freep) char *path = process_find_own(MCP_PROGRAM, err);

	(void)cli;
	(void)args;
	if (!path)
		return -1;
	execl(path, MCP_PROGRAM, (char *)NULL);
	return error_errno(err, "cannot run '%s'", path);
}

COMMAND(mcp) = {
	.name = "mcp",
	.summary = "serve the host's tools to an agent over the Model Context Protocol",
	.description =
		"An MCP server on standard input and output. Agents run it in their sandbox. It\n"
		"reaches the host through the group's socket, named in NANOCLAW_SOCKET; only that\n"
		"socket identifies the caller.",
	.section = SECTION_PLUMBING,
	.run = run_mcp,
};
