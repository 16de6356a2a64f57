/*
 * The result of tools/call, as a text for a model.
 *
 * A failure is a result with isError: its text describes the problem and the next step, so that the
 * model can try again.
 */
#ifndef AGENT_MCP_RESULT_H
#define AGENT_MCP_RESULT_H

#include <jansson.h>

#include "base/error.h"

/* Longer results are cut, in bytes. */
#define MCP_MAX_RESULT ((size_t)256 * 1024)

/* From the reply of the host, which did it or refused. */
json_t *result_of(const char *tool, const json_t *reply);

/* The host could not be asked, or did not answer. */
json_t *result_failure(const struct error *why);

#endif
