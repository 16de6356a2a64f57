#include <unistd.h>

#include "cli/command.h"
#include "util/process.h"

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
	.summary = "serve the tools of the host to an agent, by the Model Context Protocol",
	.description =
		"An MCP server on standard input and output. Agents run it in their sandbox: it\n"
		"leads to the host through the socket of their group, which NANOCLAW_SOCKET\n"
		"names there, and which is all that says who is calling.",
	.section = SECTION_PLUMBING,
	.run = run_mcp,
};
