/*
 * `nanoclaw walk`, for the scenarios in this folder: lead through the conflicts of a
 * paused operation, with a resolver that makes "resolved" of a file, or fails for one
 * that is called "fail".
 */
#include <string.h>

#include "cli/conflict/walk.h"
#include "cli/project.h"
#include "cli/skills/apply.h"
#include "fs/replace.h"

static int resolve(void *data, const struct conflict *conflict, struct error *err)
{
	const struct project *project = data;

	if (!strcmp(conflict->path.text, "fail"))
		return error_set(err, ERROR_FAILED, "the resolver does not know");
	return replace_file(
		project->root, conflict->path.text, view_of("resolved\n"), 0644, NULL, 0, err);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_locked(&project, false, err) < 0)
		return -1;
	return conflict_walk(&(struct conflict_walk){.cli = cli,
				     .project = &project,
				     .options = &how,
				     .ask_resolver = resolve,
				     .resolver_data = &project},
		err);
}

COMMAND(walk) = {
	.name = "walk",
	.summary = "lead through the conflicts, with a resolver",
	.section = SECTION_PLUMBING,
	.run = run,
};
