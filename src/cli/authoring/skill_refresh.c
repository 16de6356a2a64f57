#include <string.h>

#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "cli/workplace.h"
#include "engine/author/refresh.h"

static const struct option options[] = {
	{0, "all", NULL, "all packages of the project"},
	{0, "against", "REF",
		"bring them to this core: a folder, a git ref, an update package"},
	{0, "ancestor", "base", "leave files as they are whose old core is lost"},
	OPTION_DRY_RUN,
	{0, "no-install", NULL, "has no effect: nothing is installed"},
	{0, "no-test", NULL, "has no effect: no test is run"},
	{0, "raise", "LEVEL", "raise the version of changed packages: patch, minor or major"},
	OPTION_RESOLVER,
	{0},
};

static int read_request(
	const struct arguments *args, struct refresh_request *ret_request, struct error *err)
{
	const char *raise = arguments_value(args, "raise");
	bool all = arguments_flag(args, "all");

	if (raise && strcmp(raise, "patch") && strcmp(raise, "minor") && strcmp(raise, "major"))
		return error_set(err, ERROR_INVALID,
			"'--raise' can only be 'patch', 'minor' or 'major'");
	if (all == (args->count > 0)) {
		error_set(err, ERROR_INVALID,
			all ? "'--all' and the names of packages exclude each other"
			    : "no package is named");
		return error_hint(err, "'nanoclaw skill refresh --all' takes all of them");
	}
	*ret_request = (struct refresh_request){
		.typed = args->words,
		.count = args->count,
		.against = arguments_value(args, "against"),
		.raise = raise,
	};
	return 0;
}

static int run_skill_refresh(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct refresh_request request;
	struct apply_options how;

	if (read_request(args, &request, err) < 0 ||
		apply_options_read(cli, args, &how, err) < 0 ||
		workplace_open_idle(&project, false, err) < 0)
		return -1;
	if (refresh_packages(&project, &request, &how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, &project, &how, args->words, &result, err);
}

static const struct example examples[] = {
	{"nanoclaw skill refresh --all --dry-run", "which packages does the new core concern?"},
	{"nanoclaw skill refresh skills/telegram --raise patch",
		"merge what the core has changed, as a new version"},
	{0},
};

COMMAND(skill_refresh) = {
	.name = "skill refresh",
	.summary = "bring packages up to the present core",
	.usage = "[options] <skill>...",
	.description =
		"Merges what the core has changed since a package was written into its files, and\n"
		"writes 'core_version', 'base_hashes' and paths that the core has renamed to the\n"
		"manifest. What the skill changes stays. The rest of the manifest, comments\n"
		"included, is left as it is; neither the tree nor what is applied is touched.\n"
		"\n"
		"The core is the one in '.nanoclaw/base', or the project itself where that is\n"
		"missing. The one before is found by 'base_hashes' or 'core_version': among the\n"
		"earlier cores of the project, among the last versions of the file in git, or under\n"
		"the tag of that version. If it is lost the exit code is 2, with the lines at risk.\n"
		"\n"
		"A conflict pauses as in 'skill apply'. What you settle is what somebody needs who\n"
		"has the skill and updates the core: 'nanoclaw resolution record' keeps it.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 0,
	.max_arguments = -1,
	.completes = {COMPLETE_FOLDERS},
	.run = run_skill_refresh,
};
