/*
 * Runs a built-in reading tool in a separate process. If the tool takes too long, needs too
 * much memory or overflows its stack (as regcomp() does for some patterns), the agent
 * continues.
 *
 *	worker_start(&worker, builtin, place, input, err)
 *	while (!worker_ended(&worker))
 *		… poll for worker.out, until worker.deadline_ms …
 *	worker_finish(&worker, &result)
 */
#ifndef AGENT_NATIVE_TOOLS_WORKER_H
#define AGENT_NATIVE_TOOLS_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/native/tools/builtin.h"

struct worker {
	const struct builtin *builtin;
	pid_t pid;
	int out; /* readable when there is something to read, or at the end */
	struct buf heard;
	int64_t deadline_ms; /* of timestamp_steady() */
};

int worker_start(struct worker *worker, const struct builtin *builtin,
	const struct tool_place *place, const json_t *input, struct error *err);

/* Read the available output. True: the output is complete, or the process is dead. */
bool worker_ended(struct worker *worker);

/* Its result, or if it has not ended yet, why it is ended now. */
void worker_finish(struct worker *worker, struct tool_result *result, const char *why);

/* Run a tool here, with its error as the result. */
void worker_run(const struct builtin *builtin, const struct tool_place *place,
	const json_t *input, struct tool_result *result);

#endif
