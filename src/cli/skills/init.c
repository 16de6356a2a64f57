#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/project.h"
#include "cli/report/apply_output.h"
#include "engine/operation/apply.h"
#include "engine/package/semver.h"
#include "engine/state/state.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "proc/log.h"

static const struct option options[] = {
	{0, "core-version", "V", "the version of the core, if no file states it"},
	{0},
};

/* In a folder of another project, which commands in this one have been about. */
static void init_note_above(const struct project *project)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(project_release) struct project above = PROJECT_INIT;

	if (project_open(&above, &ignored) == 0 && strcmp(above.path, project->path) != 0)
		log_note(
			"the project above, '%s', is initialized, too: from now on, commands in "
			"this folder are about '%s'",
			above.path, project->path);
}

/* Programs that run the tests of all folders, and what keeps each out of .nanoclaw. */
static void warn_of_runners(const struct project *project)
{
	static const struct {
		const char *sign;
		const char *line;
	} runners[] = {
		{"node --test", "name the folder of yours: 'node --test test/'"},
		{"jest", "'\"modulePathIgnorePatterns\": [\"<rootDir>/.nanoclaw/\"]' in its "
			 "configuration stops that"},
		{"vitest", "'exclude: [...configDefaults.exclude, \".nanoclaw/**\"]' in its "
			   "configuration stops that"},
	};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	beneath_path_read_if(project->root, "package.json", JSON_MAX_SIZE, &text, &ignored);
	for (size_t i = 0; i < ARRAY_SIZE(runners); i++)
		if (text.len && strstr(text.data, runners[i].sign))
			log_note("'%s' also finds the tests in '.nanoclaw/base'; %s",
				runners[i].sign, runners[i].line);
}

static int run_init(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	const char *version = arguments_value(args, "core-version");
	CLEANUP(semver_release) struct semver parsed = {0};
	bool found;

	if (version && semver_parse(view_of(version), &parsed, err) < 0)
		return error_prefix(err, "'--core-version'");
	if (project_open_locked(&project, true, err) < 0)
		return -1;
	init_note_above(&project);
	if (apply_init(&project, version, &result, err) < 0 ||
		state_load(&project, &state, &found, err) < 0)
		return -1;
	apply_output_warnings(&result);
	if (cli->json)
		output_success("coreVersion:s", state.core_version);
	else if (!cli->quiet)
		printf("core %s is saved in .nanoclaw/base; you can now apply skills\n",
			state.core_version);
	if (!cli->json && !cli->quiet &&
		faccessat(project.root, ".git", F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		printf("commit .nanoclaw/ to git, too ('git add -f .nanoclaw/base'); its '.gitignore' leaves "
		       "out what belongs to this machine\n");
	warn_of_runners(&project);
	return EXIT_DONE;
}

COMMAND(init) = {
	.name = "init",
	.summary = "copy the core, so that skills can be applied",
	.description =
		"Copies every file of the core to .nanoclaw/base and writes .nanoclaw/state.yaml.\n"
		"The first 'skill apply' does this automatically. The core excludes .git,\n"
		".nanoclaw, node_modules and .env; at the root groups, data, store, logs, dist,\n"
		"build and other files that begin with .env, unless git tracks files there; files\n"
		"that .gitignore excludes; and packages, resolutions and updates. A file\n"
		".nanoclaw-ignore, written like a .gitignore, changes this list.",
	.section = SECTION_SKILLS,
	.options = options,
	.run = run_init,
};
