/*
 * The tools of the native agent: a few of its own, and those of MCP servers.
 *
 *	tools_open(&config, &tools, err)
 *	request["tools"] = tools_describe(tools)
 *	…
 *	tools_run(tools, calls, count, done, data)	blocks; done() for each as it ends
 *	…
 *	tools_close(tools)
 *
 * A call reports every failure in its result: an unknown tool, wrong arguments, a command that
 * times out and a server that dies all give a text for the model, with is_error.
 *
 * Results are UTF-8 without NUL, and within the limit. The reading tools (read, glob, grep) run in
 * separate processes with limits on time and memory, so that no pattern and no file can hang or end
 * the agent. Several of them, and several requests to MCP servers, can run at the same time.
 *
 * To be used from the only thread of a process. SIGPIPE is ignored from tools_open() on.
 */
#ifndef AGENT_NATIVE_TOOLS_TOOLS_H
#define AGENT_NATIVE_TOOLS_TOOLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

struct tools;

struct tool_call {
	const char *id; /* the same if the call is repeated after a kill; or NULL */
	const char *name;
	const json_t *input; /* an object; NULL and null are an empty one */
};

struct tool_result {
	struct buf text;
	bool is_error;
	char *image_type; /* "image/png"; NULL: there is no image */
	struct buf image; /* in base64 */
};

#define TOOL_RESULT_INIT ((struct tool_result){.text = BUF_INIT, .image = BUF_INIT})

void tool_result_release(struct tool_result *result);

/* Runs the tool "agent". Returns 0, or -1 if the result is an error. */
typedef int (*tools_subagent)(void *data, const json_t *input, struct tool_result *result);

struct tools_config {
	const char *folder;      /* where commands start and relative paths begin */
	const char *servers;     /* the path of mcp.json, or NULL */
	const char *outputs;     /* the folder for outputs that are too long for a result */
	size_t result_max;       /* bytes of a result; 0: 50 KB */
	bool images;             /* the model accepts images */
	tools_subagent subagent; /* or NULL: there is no tool "agent" */
	void *data;              /* for subagent() */
	unsigned call_ms;        /* the time for a call of an MCP server; 0: 300 s */
	unsigned start_ms;       /* the time for all MCP servers to start; 0: 10 s */
};

/*
 * Starts the MCP servers. A server that does not start is not an error: tools_problems() reports
 * it. Fails if the folder or mcp.json cannot be read.
 */
int tools_open(const struct tools_config *config, struct tools **ret_tools, struct error *err);

/*
 * An array of {name, description, input_schema}, sorted by name: the same bytes each time,
 * until a server reports that its tools have changed.
 */
json_t *tools_describe(const struct tools *tools);

/* Notes for the model about servers that are not running, one per line; NULL: all are. */
char *tools_problems(const struct tools *tools);

/* The servers' own instructions, under their names, or NULL. */
char *tools_instructions(const struct tools *tools);

/* May it run beside others? */
bool tools_is_read_only(const struct tools *tools, const char *name);

/*
 * Run one call, or several that are all read-only. Blocks until all have ended. The result that
 * done() gets is good during the call only.
 */
typedef void (*tools_done)(void *data, size_t index, const struct tool_result *result);
void tools_run(struct tools *tools, const struct tool_call *calls, size_t count,
	tools_done done, void *data);

/*
 * Answer what MCP servers ask meanwhile, without waiting. For times when no tool runs; not
 * needed, but a server may give up on a client that answers no ping.
 */
void tools_idle(struct tools *tools);

/*
 * End the calls that tools_run() is running, and until tools_resume() end every later call at once.
 * tools_cancel() may be called by a signal handler.
 */
void tools_cancel(struct tools *tools);
void tools_resume(struct tools *tools);

void tools_close(struct tools *tools);

#endif
