/*
 * Where the core, skills and resolutions came from, as the state has it.
 */
#ifndef CLI_REPORT_SOURCE_OUTPUT_H
#define CLI_REPORT_SOURCE_OUTPUT_H

#include <jansson.h>

#include "engine/state/state.h"

/* A line for each known source. */
void source_output(const struct state *state);

/* [{kind, name, version, source, sha256}] */
json_t *source_output_json(const struct state *state);

#endif
