#include <string.h>

#include "cli/project.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "engine/author/refresh.h"

static const struct option options[] = {
	{0, "all", NULL, "all packages of the project"},
	{0, "against", "REF",
		"refresh them for this core: a folder, a git ref, an update package"},
	{0, "ancestor", "base", "leave files as they are if their old core is lost"},
	OPTION_DRY_RUN,
	{0, "no-install", NULL, "no effect: nothing is installed"},
	{0, "no-test", NULL, "no effect: no test is run"},
	{0, "raise", "LEVEL", "raise the version of changed packages: patch, minor or major"},
	OPTION_RESOLVER,
	{0},
};

static int run_skill_refresh(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct refresh_request request;
	struct operation_options how;
	const char *raise = arguments_value(args, "raise");
	bool all = arguments_flag(args, "all");

	if (raise && strcmp(raise, "patch") && strcmp(raise, "minor") && strcmp(raise, "major"))
		return error_set(
			err, ERROR_INVALID, "'--raise' must be 'patch', 'minor' or 'major'");
	if (all == (args->count > 0)) {
		error_set(err, ERROR_INVALID,
			all ? "'--all' and package names cannot be used together"
			    : "no package given");
		return error_hint(err, "'nanoclaw skill refresh --all' refreshes all of them");
	}
	request = (struct refresh_request){
		.typed = args->words,
		.count = args->count,
		.against = arguments_value(args, "against"),
		.raise = raise,
	};
	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_idle(&project, false, err) < 0)
		return -1;
	project_note_core(&project);
	if (refresh_packages(&project, &request, &how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, &project, &how, args->words, &result, err);
}

static const struct example examples[] = {
	{"nanoclaw skill refresh --all --dry-run", "which packages the new core affects"},
	{"nanoclaw skill refresh skills/telegram --raise patch",
		"merge the core's changes, as a new version"},
	{0},
};

COMMAND(skill_refresh) = {
	.name = "skill refresh",
	.summary = "bring packages up to the current core",
	.usage = "<skill>...",
	.description =
		"Merges the core's changes since a package was written into its files, and updates\n"
		"'core_version', 'base_hashes' and renamed paths in the manifest. The skill's own\n"
		"changes stay. The rest of the manifest, including comments, is left alone, and so\n"
		"are the tree and the applied skills.\n"
		"\n"
		"The core is '.nanoclaw/base', or the project itself if there is none. The old core\n"
		"is found by 'base_hashes' or 'core_version': among the earlier cores of the\n"
		"project, among the last versions of the file in git, or under the tag of that\n"
		"version. If it is lost, the exit code is 2 and the lines at risk are shown.\n"
		"\n"
		"A conflict pauses as in 'skill apply'. People who have the skill and update the\n"
		"core will need your resolution: record it with 'nanoclaw resolution record'. With\n"
		"'--raise', resolutions of conflicts that stay the same get the new versions, too.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.max_arguments = -1,
	.completes = {COMPLETE_FOLDERS},
	.run = run_skill_refresh,
};
