/*
 * A running agent: a program that speaks stream-json (stream.h), on an event loop.
 *
 *	agent_start(loop, &config, &handlers, data, &agent, err)
 *	agent_say(agent, text)		one turn; handlers.event() gets the events
 *	agent_say(agent, text)		the next one, to the same process
 *	agent_finish(agent)		no more turns: it may end by itself
 *
 *	            agent_say                 result
 *	[started] ------------> [in a turn] ---------> [idle] --+
 *	    |                       |  ^                 |      | agent_say
 *	    |                       |  +-----------------|------+
 *	    | ends, or agent_kill   |                    | agent_finish
 *	    v                       v                    v
 *	[ended] <-------------------+--------------------+   handlers.ended(), once
 *
 * It always runs in a sandbox (sandbox/sandbox.h).
 *
 * The agent frees itself after handlers.ended(): make no calls after that. agent_finish() closes
 * the process's input; if it has not ended after the grace period, it gets SIGTERM, and after the
 * same time again SIGKILL.
 *
 * The output of the agent is bounded: a line has a maximum length, more than AGENT_MAX_GARBAGE
 * lines that are not events end the agent, and only the end of its standard error is kept.
 */
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

#include <stdint.h>
#include <uv.h>

#include "agent/stream.h"
#include "base/error.h"
#include "sandbox/sandbox.h"

#define AGENT_MAX_GARBAGE 100
#define AGENT_MAX_ERRORS  2000

struct agent;

struct agent_config {
	struct sandbox *sandbox; /* prepared; agent_start() owns it, even if it fails */
	uint64_t grace_ms;       /* from the end of its input until SIGTERM */
};

struct agent_end {
	int exit_code;      /* 128 + N for signal N */
	const char *killed; /* why it was ended, or NULL if it ended by itself */
	const char *errors; /* the end of its standard error */
	bool elsewhere;     /* it was for another machine; the exit code may say more of that */
};

struct agent_handlers {
	void (*event)(struct agent *agent, const struct stream_event *event, void *data);
	void (*ended)(struct agent *agent, const struct agent_end *end, void *data);
};

int agent_start(uv_loop_t *loop, const struct agent_config *config,
	const struct agent_handlers *handlers, void *data, struct agent **ret_agent,
	struct error *err);

void agent_say(struct agent *agent, struct view text);
void agent_finish(struct agent *agent);

/* The whole process group, at once. */
void agent_kill(struct agent *agent, const char *why);

/* Where it runs: for its limits (sandbox/watch.h). NULL once its process has ended. */
struct sandbox *agent_sandbox(const struct agent *agent);

#endif
