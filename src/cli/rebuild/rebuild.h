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

/* --- at the end of an operation that changed the source -------------------------- */

/* clang-format off */
#define OPTION_INSTALL_PACKAGES                                                                \
	{0, "install-packages", NULL, "a rebuild installs packages of the system that skills need"}
#define OPTION_REBUILD                                                                         \
	{0, "rebuild", NULL, "in NanoClaw's own source: then 'nanoclaw rebuild', without asking"},     \
	OPTION_INSTALL_PACKAGES
/* clang-format on */

/*
 * For the descriptor of a command that changes the source (`after` in command.h): rebuild if
 * --rebuild says so or the person at the terminal wants it. Nothing happens with --no-rebuild,
 * in other projects, after --dry-run, and if the current build is of this source.
 */
int rebuild_offer(struct cli *cli, const struct arguments *args, int code, struct error *err);

#endif
