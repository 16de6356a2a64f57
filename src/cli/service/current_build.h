/*
 * A host runs the current build of its installation (builds/builds.h), whichever program a
 * person, a service or ./run started.
 *
 *	current_build_enter(…)		become the current build, if this is another program;
 *					the start of a host is counted until the build has
 *					proved itself
 *	current_build_begin(…)		a host starts; counted if it was not yet
 *	host_run(…)
 *	current_build_settled(…)	it has run long enough
 *	current_build_end(…)		it has ended in an orderly way
 *
 * current_build_enter() rolls back a new build that was started BUILDS_MAX_STARTS times without
 * success. A fault in .nanoclaw/builds is only a warning: then this program runs the host
 * itself.
 */
#ifndef CLI_SERVICE_CURRENT_BUILD_H
#define CLI_SERVICE_CURRENT_BUILD_H

#include "cli/command.h"
#include "engine/disk/project.h"

/*
 * Returns if this is already the right program. `words` are the command and its arguments,
 * ending in NULL. `is_host`: it will run a host.
 */
void current_build_enter(const struct cli *cli, const struct project *project,
	const char *const *words, bool is_host);

void current_build_begin(const struct project *project);
void current_build_settled(const struct project *project);
void current_build_end(const struct project *project);

/*
 * This program could not start a host because a setting is wrong. If it is a build on trial, the
 * build may be at fault instead, so the error is not ERROR_INVALID: service managers start it
 * again, and after a few attempts it is rolled back. Returns -1.
 */
int current_build_refuses(const struct project *project, struct error *err);

#endif
