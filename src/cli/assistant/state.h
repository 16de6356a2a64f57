/*
 * The state of the assistant's host, for `nanoclaw status`. A fault of the host is part of the
 * state, not an error, because the engine must work with a broken host.
 */
#ifndef CLI_ASSISTANT_STATE_H
#define CLI_ASSISTANT_STATE_H

#include <jansson.h>

#include "cli/command.h"
#include "engine/disk/project.h"

/* null if there is no store; an object otherwise, with "error" if it cannot be read. */
json_t *host_state(const struct project *project);

/* For people, on standard output. */
void host_state_print(const struct cli *cli, const json_t *state);

#endif
