/*
 * After the switch: the running host starts again as the new build, and is watched.
 */
#ifndef CLI_REBUILD_WATCH_H
#define CLI_REBUILD_WATCH_H

#include "cli/rebuild/rebuild.h"
#include "cli/service/running.h"

/*
 * Restart the host `before`, which was found before the switch, and watch it until the new build
 * has proved itself. If it does not come up, ends, or has not connected a channel that was
 * connected before, the build before is current again, its host runs, and the error says why.
 * If no host ran, nothing is done.
 */
int watch_run(struct host_rebuild *rebuild, const struct running *before, struct error *err);

#endif
