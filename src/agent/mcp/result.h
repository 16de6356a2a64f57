/*
 * What a tool gives: the result of tools/call, as a text for a model.
 *
 * What went wrong is a result, too, with isError: it says what is wrong and what to do next,
 * so that the model can try again.
 */
#ifndef AGENT_MCP_RESULT_H
#define AGENT_MCP_RESULT_H

#include <jansson.h>

#include "base/error.h"

/* By the reply of the host, done or refused. */
json_t *result_of(const char *tool, const json_t *reply);

/* The host could not be asked, or did not answer. */
json_t *result_failure(const struct error *why);

#endif
