/*
 * After the switch: restart the running host as the new build, and watch it.
 */
#ifndef CLI_REBUILD_WATCH_H
#define CLI_REBUILD_WATCH_H

#include "cli/rebuild/rebuild.h"
#include "cli/service/running.h"

/*
 * Restart the host `before`, which was found before the switch, and watch it until the new build
 * has proved itself. If it does not start, ends, or does not connect a channel that was
 * connected before, the previous build becomes current again, its host runs, and the error says
 * why. Does nothing if no host ran.
 */
int watch_run(struct host_rebuild *rebuild, const struct running *before, struct error *err);

#endif
