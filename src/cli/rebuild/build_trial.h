/*
 * A new build on trial: it starts on a copy of the data in .nanoclaw/builds/trial, without
 * secrets and with the agent that needs no model, and must answer a question.
 *
 * The copy has a snapshot of the store, and the small files of groups/ and data/, up to a limit.
 * It has no settings, no bridges and no container.json, so no channel connects, no program of a
 * group runs, and nothing leaves the machine.
 */
#ifndef CLI_REBUILD_BUILD_TRIAL_H
#define CLI_REBUILD_BUILD_TRIAL_H

#include "cli/rebuild/rebuild.h"

/*
 * ERROR_FAILED if it does not answer. ERROR_INVALID if the previous build could no longer read
 * the store, unless `one_way`. The folder is deleted afterwards.
 */
int build_trial_run(struct host_rebuild *rebuild, struct error *err);

#endif
