/*
 * Does the host run a build of the current source? For `nanoclaw status`, in NanoClaw's own
 * source.
 */
#ifndef CLI_REBUILD_BUILD_STATE_H
#define CLI_REBUILD_BUILD_STATE_H

#include <jansson.h>

#include "engine/disk/project.h"

/*
 * null in other projects, and before anything was started or built. `host` is the state of the
 * host (assistant/state.h).
 *
 *	source		the name of this source
 *	current		the current build, or null
 *	running		the build that the host runs, or null
 *	upToDate	is the host, or else the current build, made of this source?
 *	takenBack	why the build of this source was taken back, or null
 */
json_t *build_state(const struct project *project, const json_t *host);

/* For people, on standard output; nothing if all is well. */
void build_state_print(const json_t *state);

#endif
