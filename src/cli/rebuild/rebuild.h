/*
 * From the source of this installation to a running host: `nanoclaw rebuild`.
 *
 *	build		tools/build in the work folder; the programs become a build (builds/builds.h)
 *	test		the tests that concern the changed files
 *	try		the new program answers a question on a copy of the data (build_trial.h)
 *	switch		one rename
 *	watch		the host restarts, and must keep running and connect its channels (watch.h);
 *			otherwise back to the previous build
 *
 * If it is killed at any of these steps, hosts start with the old build or the new one, and the
 * next rebuild cleans up.
 */
#ifndef CLI_REBUILD_REBUILD_H
#define CLI_REBUILD_REBUILD_H

#include "builds/builds.h"
#include "cli/assistant/assistant.h"
#include "cli/command.h"

struct rebuild_options {
	bool check;            /* build, test and try, without a switch */
	bool no_test;          /* without the tests */
	bool skills_tested;    /* those of the applied skills have just run */
	bool install_packages; /* of the system, without asking */
	bool one_way;          /* even if the previous build cannot read the store afterwards */
};

struct host_rebuild {
	const struct cli *cli;
	struct rebuild_options options;
	struct assistant assistant;
	struct builds builds;
	struct build_source source;
	bool packages_missing; /* nothing was built */
	bool built;
	bool switched;
	bool restarted;
};

#define HOST_REBUILD_INIT                                                                      \
	((struct host_rebuild){.assistant = ASSISTANT_INIT,                                    \
		.builds = BUILDS_INIT,                                                         \
		.source = BUILD_SOURCE_INIT})

void host_rebuild_release(struct host_rebuild *rebuild);

/* The whole rebuild. Progress is printed unless --quiet or --json is given. */
int host_rebuild_run(struct host_rebuild *rebuild, struct error *err);

/* A command in the source, with its output on the terminal if there is one. */
int host_rebuild_command(struct host_rebuild *rebuild, const char *const *argv,
	const char *what, const char *shown, enum error_kind kind, struct error *err);

/* A line for the person. */
void host_rebuild_say(const struct host_rebuild *rebuild, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
