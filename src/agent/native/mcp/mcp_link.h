/*
 * The process of an MCP server, and the lines to and from it.
 *
 *	mcp_link_start(&link, …)
 *	mcp_link_send(&link, line)
 *	mcp_link_fds(&link, fds), poll(), mcp_link_turn(&link, fds, take_line, data)
 *	mcp_link_release(&link)
 *
 * Nothing here blocks: data that the server has not read yet is queued, up to a maximum. The server
 * has its own process group, which is killed at the end. Only the end of its standard error is
 * kept.
 */
#ifndef AGENT_NATIVE_MCP_MCP_LINK_H
#define AGENT_NATIVE_MCP_MCP_LINK_H

#include <poll.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/string_array.h"
#include "base/view.h"
#include "format/line_reader.h"
#include "proc/child.h"

/* Of a line of the server, and of all that it has not read. */
#define MCP_LINE_MAX  ((size_t)16 * 1024 * 1024)
#define MCP_QUEUE_MAX ((size_t)32 * 1024 * 1024)

#define MCP_LINK_FDS 4

struct mcp_link {
	bool runs;
	struct child child;
	struct line_reader lines;
	struct buf queue;
	size_t sent; /* of the queue */
	struct buf words;
	char *end; /* how it ended: "exit code 1"; NULL: it was never started */
};

#define MCP_LINK_INIT                                                                          \
	((struct mcp_link){.child = CHILD_INIT, .queue = BUF_INIT, .words = BUF_INIT})

/* `values` are added to our environment. */
int mcp_link_start(struct mcp_link *link, const struct string_array *words,
	const struct string_array *values, int cwd, struct error *err);

/* Lost if the server has ended. */
void mcp_link_send(struct mcp_link *link, struct view line);

void mcp_link_fds(const struct mcp_link *link, struct pollfd fds[static MCP_LINK_FDS]);

/* Read and write what poll() found. Afterwards `runs` is false if the server has ended. */
void mcp_link_turn(struct mcp_link *link, const struct pollfd fds[static MCP_LINK_FDS],
	line_function take, void *data);

/* Its last line on standard error, or how it ended, for a message; to be freed. */
char *mcp_link_last_words(const struct mcp_link *link);

/*
 * End the server: first close its input, then send SIGTERM, and finally kill it with everything
 * that it has started.
 */
void mcp_link_hang_up(struct mcp_link *link);
void mcp_link_terminate(struct mcp_link *link);
void mcp_link_kill(struct mcp_link *link, const char *why);

void mcp_link_release(struct mcp_link *link);

#endif
